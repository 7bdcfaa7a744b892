"""Count how often this library and the published evaluator agree on transition modeling, by hand.

    python benchmarks/agreement/agreement_transition.py --facts DIR [--at-least 99]
        [--fast-downward [DRIVER]] [--model NAME ...]

`DIR` has what was collected about `eai-eval` 1.0.5: `peer_verdicts/*tm*.jsonl.gz` and
`model_outputs/*/transition_modeling/`. The official data must have been fetched
(`eai data fetch eai`). Everything is evaluated under the semantics `official`.

Compared are, for single formulas, the score and the three sets of predicate names; for answers,
the number of operators and of those that were not asked for, and the counts for every operator
and every predicate; for the planner, how the search ended (a plan, no plan, refused). Verdicts of
Fast Downward 26.6 are compared where it searched; what it refused, 24.06 may have accepted. Items
without a verdict (the planner was not run, or its time was up) are left out, and counted apart.
With `--fast-downward` the answers of every model are planned for by Fast Downward instead, as the
published evaluator does it: the one of the wheel `up-fast-downward`, or another build, of which
`DRIVER` is `fast-downward.py`. This takes two hours, most of it for BEHAVIOR.
The exit status is 1 if less than `--at-least` percent of a source agree.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass, field, replace
from functools import cache, partial
from itertools import chain
from pathlib import Path
from typing import Any

from eai.semantics import Semantics
from eai.suites.transition.counting import Form, compare_forms, literals
from eai.suites.transition.data import OperatorStore
from eai.suites.transition.environment import environment
from eai.suites.transition.evaluation import evaluate_operators
from eai.suites.transition.quirks import TRANSITION_QUIRKS
from eai.suites.transition.written import find_operators

OFFICIAL = Semantics.of("official", TRANSITION_QUIRKS)
CODES = {0: "solved", **dict.fromkeys((10, 11, 12), "unsolvable"), 30: "rejected", 31: "rejected"}
"""What the exit codes of Fast Downward say; 30 is a translator that crashed."""
ENDS = {None: "solved", "no_plan": "unsolvable", "translate_error": "rejected"}
LOGIC = {
    "vh_tm_gold": "virtualhome",
    "vh_tm_perturbed": "virtualhome",
    "real_vh_tm_logic": "virtualhome",
    "b_tm_gold": "behavior",
    "b_tm_perturbed": "behavior",
    "real_b_tm_logic": "behavior",
}
Row = Mapping[str, Any]


@dataclass
class Source:
    """What was compared of one file.

    Args:
        name: Name of the file and what of it was compared.
        items: Number of items.
        left_out: Number of items without a verdict.
        different: Identifiers of the items on which the verdicts differ.
    """

    name: str
    items: int = 0
    left_out: int = 0
    different: list[str] = field(default_factory=list)

    @property
    def percent(self) -> float:
        """Percentage of items that agree."""
        return 100 * (1 - len(self.different) / self.items) if self.items else 100.0


def measured(facts: Path) -> Iterator[Source]:
    """Compare everything that a folder has."""
    yield compared(facts, "tm_logic_pairs", _same_pair)
    for name, where in LOGIC.items():
        yield compared(facts, name, partial(_same_counts, facts, where))
    yield compared(facts, "real_vh_tm_planner_fd2406", partial(_same_end, facts))
    for name in ("vh_tm_gold", "vh_tm_perturbed", "b_tm_gold", "b_tm_perturbed"):
        source = compared(facts, name, partial(_same_success, LOGIC[name]))
        yield replace(source, name=f"{name}, planner 26.6")


def compared(facts: Path, name: str, same: Callable[[Row], bool | None]) -> Source:
    """Compare the items of a file.

    Args:
        facts: The folder.
        name: The file, without its ending.
        same: Whether the verdicts on an item are the same; None if one is missing.
    """
    source = Source(name)
    for row in _rows(facts / "peer_verdicts" / f"{name}.jsonl.gz"):
        agrees = same(row)
        if agrees is None:
            source.left_out += 1
            continue
        source.items += 1
        if not agrees:
            source.different.append(str(row.get("identifier", row.get("pred"))))
    return source


def _rows(path: Path) -> Iterator[Row]:
    if path.is_file():
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            yield from map(json.loads, lines)


@cache
def _outputs(facts: Path, where: str, model: str) -> dict[str, str]:
    path = facts / "model_outputs" / where / "transition_modeling" / f"{model}.json.gz"
    items = json.loads(gzip.decompress(path.read_bytes()))
    return {item["identifier"].removeprefix("scene_1_"): item["llm_output"] for item in items}


def _text(facts: Path, where: str, row: Row) -> str:
    if "llm_output" in row:
        return str(row["llm_output"])
    return _outputs(facts, where, row["model"])[row["identifier"]]


def _same_pair(row: Row) -> bool:
    found = compare_forms(row["pred"], row["gold"])
    parts = [_names(part) for part in (found.shared, found.extra, found.missing)]
    keys = ("matched", "unmatched_pred", "unmatched_gold")
    return found.score == row["score"] and parts == [sorted(row[key]) for key in keys]


def _names(clauses: Iterable[Form]) -> list[str]:
    return sorted({text.partition(" ")[0] for clause in clauses for text in literals(clause)})


def _same_counts(facts: Path, where: str, row: Row) -> bool | None:
    model, peer = environment(where).model, row["peer"]
    if not peer.get("status"):
        return None
    found = find_operators(_text(facts, where, row))
    if found is None:
        return bool(peer["status"] != "evaluated")
    gold = {name: model.operators[name] for name in model.demands[row["identifier"]].operators}
    counts = {key: Counter[tuple[str, int]]() for key in (*_KEYS, *_KEYS.values())}
    compared = environment(where).counts(OFFICIAL).overlaps
    pairs = [compared(own, gold[name]) for name, own in found.items() if name in gold]
    for overlap in chain.from_iterable(pairs):
        short = overlap.part.removesuffix("ition")
        for at, part in enumerate((overlap.shared, overlap.extra, overlap.missing)):
            for name in part:
                if at != 1 or name in model.categories:
                    counts[short][overlap.operator, at] += 1
                    counts[_KEYS[short]][name, at] += 1
    said = {key: _flat(peer[key]) for key in (*_KEYS, *_KEYS.values())}
    return (len(found), len(found.keys() - gold)) == (peer["n_actions"], peer["hallucinated"]) and {
        key: dict(count) for key, count in counts.items()
    } == said


_KEYS = {"precond": "pred_precond", "effect": "pred_effect"}


def _flat(table: Mapping[str, list[int]]) -> dict[tuple[str, int], int]:
    return {(name, at): n for name, ns in table.items() for at, n in enumerate(ns) if n}


def _same_end(facts: Path, row: Row) -> bool | None:
    if row["planner_fd2406"] is None or row["planner_error"] not in ENDS:
        return None
    ended = _end("virtualhome", row, _text(facts, "virtualhome", row))
    return ended == ENDS[row["planner_error"]]


def _same_success(where: str, row: Row) -> bool | None:
    said, error = row["peer"]["planner"], row["peer"]["planner_error"]
    if said is None or error not in (None, "no_plan"):
        return None
    return (_end(where, row, row["llm_output"]) == "solved") is said


def _end(where: str, row: Row, text: str) -> str:
    return evaluate_operators(environment(where), row["identifier"], text, OFFICIAL).outcome


@dataclass
class Planned:
    """What Fast Downward makes of the answers of one model.

    Args:
        name: Environment and model.
        answers: How many of them ask for a plan.
        solved: For how many it finds one.
        here: For how many there is one under `official`.
        same_success: On how many both say the same.
        same_end: For how many both say the same of how it ended.
    """

    name: str
    answers: int = 0
    solved: int = 0
    here: int = 0
    same_success: int = 0
    same_end: int = 0


def planned(facts: Path, driver: Path, models: Collection[str]) -> Iterator[Planned]:
    """Let Fast Downward plan for the answers of all models, or some."""
    for path in sorted((facts / "model_outputs").glob("*/transition_modeling/*.json.gz")):
        where, model = path.parts[-3], path.name.removesuffix(".json.gz")
        if models and model not in models:
            continue
        found = Planned(f"{where}, {model}")
        for task, text in _outputs(facts, where, model).items():
            if task in environment(where).model.demands:
                theirs = _fast_downward(driver, where, task, text)
                ours = _end(where, {"identifier": task}, text)
                found.answers += 1
                found.solved += theirs == "solved"
                found.here += ours == "solved"
                found.same_success += (theirs == "solved") is (ours == "solved")
                found.same_end += theirs == ours
        yield found


def _fast_downward(driver: Path, where: str, task: str, text: str) -> str:
    """How Fast Downward ends with the operators of an answer, and annotated ones for the rest."""
    found, model = find_operators(text), environment(where).model
    if found is None:
        return ""
    missing = [own for name, own in model.operators.items() if name not in found]
    domain = "\n".join([model.head, *map(str, [*found.values(), *missing])]) + ")"
    problem = OperatorStore(where).task(task).metadata["problem"]
    with tempfile.TemporaryDirectory() as folder:
        for name, content in (("domain", domain), ("problem", problem)):
            Path(folder, f"{name}.pddl").write_text(content, encoding="utf-8")
        limit = ("--alias", "lama-first", "--overall-time-limit", "100s")
        command = [sys.executable, str(driver), *limit, "domain.pddl", "problem.pddl"]
        code = subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode
    return CODES.get(code, f"exit code {code}")


def _installed() -> Path:
    spec = importlib.util.find_spec("up_fast_downward")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("Fast Downward is not here: pip install up-fast-downward")
    return Path(spec.submodule_search_locations[0], "downward", "fast-downward.py")


def main() -> int:
    """Print the table; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--facts", type=Path, required=True)
    parser.add_argument("--at-least", type=float, default=99.0)
    parser.add_argument("--fast-downward", type=Path, nargs="?", const=True, metavar="DRIVER")
    parser.add_argument("--model", nargs="*", default=(), help="of these models only")
    arguments = parser.parse_args()
    enough = True
    if arguments.fast_downward:
        driver = _installed() if arguments.fast_downward is True else arguments.fast_downward
        heads = ("answers", "solved", "official", "success agrees", "end agrees")
        print("  ".join([f"{'answers of':40}", *heads]))
        for row in planned(arguments.facts, driver, arguments.model):
            name, *counts = astuple(row)
            cells = [f"{n:{len(head)}}" for n, head in zip(counts, heads, strict=True)]
            print("  ".join([f"{name:40}", *cells]), flush=True)
        return 0
    print(f"{'source':40} {'items':>6} {'agree':>6} {'%':>7} {'left out':>9}")
    for source in measured(arguments.facts):
        agreeing = source.items - len(source.different)
        numbers = f"{source.items:6} {agreeing:6} {source.percent:7.2f} {source.left_out:9}"
        print(f"{source.name:40} {numbers}")
        for identifier in source.different[:20]:
            print(f"    {identifier}")
        enough = enough and source.percent >= arguments.at_least
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main())
