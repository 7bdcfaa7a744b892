"""Count how often this library and the published evaluator count the same goals, by hand.

    python benchmarks/agreement/agreement_goal_interpretation.py --facts DIR [--without QUIRK]

`DIR` has what was collected about `eai-eval` 1.0.5: `peer_verdicts/*vh_gi*.jsonl.gz` and
`*b_gi*.jsonl.gz` (its counts, item by item), `model_outputs/` (the answers of models) and
`published_runs/virtualhome_goal_interpretation_summary/`. The official data must have been
fetched (`eai data fetch eai`).

Printed are, for each file of verdicts, the items, how many agree in every part (status, true
positives, false positives and false negatives of each kind, numbers of format errors and
hallucinations), and every disagreement; then, for each model, precision, recall and F1 of both
semantics beside those of the stored summaries. The exit status is 1 if fewer than `--at-least`
percent agree in some file.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from agreement_items import Item, Row, Source, compared

from eai import evaluate
from eai.contract import Suite
from eai.contract.registry import suite as find_suite
from eai.diagnosis import ErrorKind, Result
from eai.predictions import load_predictions

__all__ = ["sources", "summaries"]

ABILITY = "goal_interpretation"
_FILES = {"vh": "virtualhome", "b": "behavior"}
_VIRTUALHOME = {"state": "node", "relation": "edge", "action": "action"}
_BEHAVIOR = {"state": "state_goal", "relation": "relation_goal"}
_HALLUCINATED = {
    "state_hallucination": ErrorKind.PREDICATE_HALLUCINATION,
    "object_hallucination": ErrorKind.OBJECT_HALLUCINATION,
}


def sources(facts: Path, without: list[str]) -> Iterator[Source]:
    """Compare every file of verdicts on goal interpretation.

    Args:
        facts: The folder described above.
        without: Quirks to switch off, of either suite.
    """
    for path in sorted((facts / "peer_verdicts").glob("*_gi*.jsonl.gz")):
        environment = next(part for part in path.name.split("_") if part in _FILES)
        suite = find_suite(_FILES[environment])
        off = [quirk for quirk in without if quirk in suite.quirks]
        left_out: Counter[str] = Counter()
        items = _items(path, facts / "model_outputs", suite, off, left_out)
        yield compared(path.name.partition(".")[0], items, left_out)


def _items(
    path: Path, outputs: Path, suite: Suite, off: list[str], left_out: Counter[str]
) -> Iterator[Item]:
    semantics = suite.semantics("official", without=off)
    answers = cache(lambda model: _answers(outputs / suite.name / ABILITY / f"{model}.json.gz"))
    known, task = frozenset(suite.task_ids()), cache(suite.task)
    theirs = _virtualhome_row if suite.name == "virtualhome" else _behavior_row
    for line in gzip.decompress(path.read_bytes()).splitlines():
        row = json.loads(line)
        name, model = row["identifier"], row.get("model", "")
        if name not in known:
            left_out["no task of the release"] += 1
            continue
        answer = row["llm_output"] if "llm_output" in row else answers(model)[name]
        result = suite.evaluate(ABILITY, task(name), answer, semantics)
        label = " ".join(filter(None, (name, model, row.get("kind", ""))))
        yield Item(label, *theirs(row["peer"], result))


def _answers(path: Path) -> Mapping[str, str]:
    found = load_predictions(path).items
    return {name.removeprefix("scene_1_"): text for name, text in found.items()}


def _counts(result: Result) -> dict[str, list[int]]:
    return {match.kind: [match.tp, match.fp, match.fn] for match in result.matches}


def _virtualhome_row(peer: Mapping[str, Any], result: Result) -> tuple[Row, Row]:
    status = {"excluded": "json_error"}.get(result.status, "evaluated")
    if result.number_of(ErrorKind.UNSCORABLE):
        status = "crash"
    if peer["status"] != "evaluated" or status != "evaluated":
        return {"status": peer["status"]}, {"status": status}
    counts = _counts(result)
    names = (*_VIRTUALHOME.values(), "format_errors", "hallucinations")
    ours = {name: counts[kind] for kind, name in _VIRTUALHOME.items()}
    errors = {
        "format_errors": result.number_of(ErrorKind.PARSING),
        "hallucinations": result.number_of(ErrorKind.OBJECT_HALLUCINATION),
    }
    return {name: peer[name] for name in names}, {**ours, **errors}


def _behavior_row(peer: Mapping[str, Any], result: Result) -> tuple[Row, Row]:
    crash = result.number_of(ErrorKind.UNSCORABLE) > 0
    if peer["status"] != "evaluated" or crash:
        return {"status": peer["status"]}, {"status": "crash" if crash else "evaluated"}
    counts = _counts(result)
    ours: dict[str, object] = {name: counts[kind] for kind, name in _BEHAVIOR.items()}
    ours["overall"] = [sum(column) for column in zip(*counts.values(), strict=True)]
    theirs: dict[str, object] = {name: peer[name][:3] for name in ours}
    malformed = result.number_of(ErrorKind.PARSING)
    theirs |= {"parse_error": peer["parse_error"], **peer["grammar"]}
    theirs.pop("grammatically_valid")
    ours["parse_error"] = malformed > 0 and "braces" in result.findings[0].message
    ours["format_error"] = 0 if ours["parse_error"] else malformed
    ours |= {name: result.number_of(kind) for name, kind in _HALLUCINATED.items()}
    return theirs, ours


def summaries(facts: Path) -> Iterator[str]:
    """Compute the micro-averages of every file of answers, as lines of a table.

    Args:
        facts: The folder described above.
    """
    stored = facts / "published_runs" / "virtualhome_goal_interpretation_summary"
    for environment in _FILES.values():
        for path in sorted((facts / "model_outputs" / environment / ABILITY).glob("*.json.gz")):
            model = path.name.removesuffix(".json.gz")
            answers = {model: _answers(path)}
            for semantics in ("official", "strict"):
                report = evaluate(environment, answers, ability=ABILITY, semantics=semantics)
                values = {m.key: m.value for m in report.metrics(model) if m.unit == "matches"}
                yield _line(environment, model, semantics, values)
            if environment == "virtualhome" and (stored / path.name).exists():
                yield _line(environment, model, "stored", _stored(stored / path.name))


def _stored(path: Path) -> dict[str, float]:
    kinds = {"node": "state", "edge": "relation", "action": "action", "all": "overall"}
    found = json.loads(gzip.decompress(path.read_bytes()))
    return {
        f"{kind}_{measure}": found[f"{theirs}_{measure}"]
        for theirs, kind in kinds.items()
        for measure in ("precision", "recall", "f1")
    }


def _line(environment: str, model: str, label: str, values: Mapping[str, float | None]) -> str:
    cells = [
        "/".join(
            "-" if (value := values.get(f"{kind}_{measure}")) is None else f"{value:.1f}"
            for measure in ("precision", "recall", "f1")
        )
        for kind in ("state", "relation", "action", "overall")
    ]
    return f"{environment:12} {model:30} {label:9}" + "".join(f"{cell:>18}" for cell in cells)


def main() -> int:
    """Read the arguments, compare, print; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--facts", required=True, type=Path, help="the folder described above")
    parser.add_argument("--at-least", type=float, default=99.0, help="lowest percentage allowed")
    parser.add_argument("--without", action="append", default=[], metavar="QUIRK")
    arguments = parser.parse_args()
    found = list(sources(arguments.facts, arguments.without))
    for source in found:
        print(f"{source.name:20} {source.items:6} {source.agreeing:6} {source.share:7.2f} %")
        for disagreement in source.disagreements:
            print(f"  {disagreement}")
        for reason, number in source.left_out.items():
            print(f"  {number} left out: {reason}")
    for line in summaries(arguments.facts):
        print(line)
    return int(any(source.share < arguments.at_least for source in found))


if __name__ == "__main__":
    sys.exit(main())
