"""Count how often BEHAVIOR action sequences are evaluated as by the published evaluator, by hand.

    python benchmarks/agreement/agreement_behavior.py --facts DIR [--at-least 99] [--without QUIRK]

`DIR` has verdicts of `eai-eval` 1.0.5 in `peer_verdicts/*b_as*.jsonl.gz`, made in a symbolic
stand-in for its simulator, and the answers of models in `model_outputs/`. The official data must
have been fetched (`eai data fetch eai`). Everything is evaluated under the semantics `official`.

A verdict is: executable or not, successful or not, the kinds of error, how many steps were done,
and which conditions of the goal hold. Printed are, for each file, how many items agree in all of
it, and every disagreement. One is *explained* if it goes away once the scene begins without the
objects that are next to each other: the recordings had them, the stand-in does not.
The exit status is 1 if fewer than `--at-least` percent agree in a file, 2 if something is missing.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from agreement_items import Item

from eai.diagnosis import ErrorKind, Result
from eai.errors import EaiError
from eai.semantics import Semantics
from eai.suites.behavior import Behavior
from eai.task import Task

SUITE = Behavior()

CATEGORIES = {
    ErrorKind.PARSING: "parsing",
    ErrorKind.ACTION_HALLUCINATION: "hullucination",
    ErrorKind.OBJECT_HALLUCINATION: "hullucination",
    ErrorKind.ARGUMENT_NUMBER: "arguments",
    ErrorKind.AFFORDANCE: "ErrorType.AFFORDANCE_ERROR",
    ErrorKind.ADDITIONAL_STEP: "ErrorType.ADDITIONAL_STEP",
    ErrorKind.MISSING_STEP: "ErrorType.MISSING_STEP",
    ErrorKind.WRONG_ORDER: "ErrorType.WRONG_TEMPORAL_ORDER",
}
"""Kind of error to the published evaluator's word for it, as it spells it."""


def files(facts: Path) -> list[Path]:
    """The files of verdicts."""
    return sorted((facts / "peer_verdicts").glob("*b_as*.jsonl.gz"))


def items(path: Path, facts: Path, semantics: Semantics) -> Iterator[tuple[Item, bool]]:
    """Evaluate the answers of a file; each item with whether its disagreement is explained."""
    for line in unpacked(path).splitlines():
        row = json.loads(line)
        answer = row["llm_output"] if "llm_output" in row else answer_of(facts, row)
        task, theirs = load(row["identifier"]), their_row(row["peer"])
        name = " ".join([task.id, *(str(row[key]) for key in ("kind", "model") if key in row)])
        item = Item(name, theirs, our_row(task, answer, semantics, theirs))
        apart = bool(item.differing) and our_row(alone(task), answer, semantics, theirs) == theirs
        yield item, apart


@cache
def load(task: str) -> Task:
    """A task, loaded once."""
    return SUITE.task(task)


def answer_of(facts: Path, row: Mapping[str, Any]) -> str:
    """The answer of the model that a line names."""
    return answers(facts, row["model"])[row["identifier"]]


@cache
def answers(facts: Path, model: str) -> Mapping[str, str]:
    """The answers of a model by task; those that are not text become JSON."""
    path = facts / "model_outputs" / "behavior" / "action_sequencing" / f"{model}.json.gz"
    outputs = {row["identifier"]: row["llm_output"] for row in json.loads(unpacked(path))}
    return {
        task: output if isinstance(output, str) else json.dumps(output)
        for task, output in outputs.items()
    }


def unpacked(path: Path) -> str:
    """The text of a gzipped file."""
    return gzip.decompress(path.read_bytes()).decode("utf-8")


def alone(task: Task) -> Task:
    """The task in a scene that begins with no two objects next to each other."""
    start = task.start.copy()
    for atom in list(start.atoms()):
        if atom.predicate == "placed_nextto":
            start.remove(atom.predicate, [str(term) for term in atom.terms])
    return replace(task, start=start)


def their_row(peer: Mapping[str, Any]) -> dict[str, object]:
    """The published evaluator's verdict."""
    names = ("executable", "success", "n_steps", "n_executed", "goal_conditions")
    return {
        **{name: peer[name] for name in names if name in peer},
        "errors": sorted(peer["errors"]),
    }


def our_row(
    task: Task, answer: str, semantics: Semantics, theirs: Mapping[str, object]
) -> dict[str, object]:
    """This library's verdict, in the parts that the other one has."""
    row = whole_row(SUITE.evaluate("action_sequencing", task, answer, semantics))
    return {name: value for name, value in row.items() if name in theirs}


def whole_row(result: Result) -> dict[str, object]:
    """A verdict in the published evaluator's words."""
    kinds = {finding.kind for finding in result.findings}
    return {
        "executable": result.executable,
        "success": result.success,
        "n_steps": len(result.plan),
        "n_executed": sum(step in ("done", "skipped") for step in result.executed),
        "goal_conditions": [goal.met for goal in result.goals],
        "errors": sorted({CATEGORIES[kind] for kind in kinds if kind in CATEGORIES}),
    }


def report(path: Path, facts: Path, semantics: Semantics) -> float:
    """Print what agrees in a file and what does not; return the percentage."""
    found = list(items(path, facts, semantics))
    wrong = [(item, explained) for item, explained in found if item.differing]
    share = 100 * (len(found) - len(wrong)) / len(found) if found else 100.0
    known = sum(explained for _, explained in wrong)
    name = path.name.partition(".")[0]
    print(f"{name:32} {len(found):>5} {len(found) - len(wrong):>6} {share:>7.2f} {known:>10}")
    for item, explained in wrong:
        print(f"    {item.identifier} [{'explained' if explained else 'unexplained'}]")
        for part in item.differing:
            print(f"        {part}: {item.theirs.get(part)} there, {item.ours.get(part)} here")
    return share


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments, compare, print; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--facts", required=True, type=Path, help="the folder described above")
    parser.add_argument("--at-least", type=float, default=99.0, help="lowest percentage (99)")
    parser.add_argument("--without", action="append", default=[], metavar="QUIRK")
    chosen = parser.parse_args(arguments)
    try:
        semantics = SUITE.semantics("official", without=chosen.without)
        found = files(chosen.facts)
        if not found:
            parser.error(f"{chosen.facts} has no verdicts on BEHAVIOR action sequences")
        print(f"{'file':32} {'items':>5} {'agree':>6} {'%':>7} {'explained':>10}")
        shares = [report(path, chosen.facts, semantics) for path in found]
    except (EaiError, OSError, EOFError, ValueError) as error:
        parser.error(str(error))
    return int(min(shares) < chosen.at_least)


if __name__ == "__main__":
    sys.exit(main())
