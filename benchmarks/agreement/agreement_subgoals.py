"""Count how often subgoal decomposition agrees with the published evaluator, by hand.

    python benchmarks/agreement/agreement_subgoals.py --facts DIR [--at-least 98]
    python benchmarks/agreement/agreement_subgoals.py --facts DIR --strict

`DIR` has what was collected about `eai-eval` 1.0.5: `peer_verdicts/vh_sd_*.jsonl.gz` and
`real_b_sd_stubworld.jsonl.gz` (its verdicts), `model_outputs/` (answers of models) and
`published_runs/behavior_subgoal_decomposition_verdicts` (runs in the real simulator). The
official data must have been fetched (`eai data fetch eai`).

Printed are, for each source, the items, how many have the same verdict (correct, goal not
reached, not executable, hallucinated, not parseable), how many the same success, the processor
time, and every item whose verdict differs. Where an answer has alternatives (`or`) the published
evaluator drew one at random: `drawn`. The exit status is 1 if a source agrees less than
`--at-least`.

With `--strict` all answers of models are evaluated under `strict` instead: printed is, for each
model, how the searches for subgoals ended, and the processor time of all answers together, of the
median one and of the longest, without the preparation of tasks; then those of all.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from eai.contract import Suite
from eai.contract.registry import suite as find_suite
from eai.diagnosis import GRAMMAR, ErrorKind, Result

ABILITY = "subgoal_decomposition"
LINE = "{:52} {:>6} {:>8} {:>8} {:>7} {:>7} {:>8}"


@dataclass(frozen=True)
class Item:
    """One answer and what was said about it.

    Args:
        task: Identifier of the task.
        answer: The answer.
        verdict: The published verdict.
        success: Whether the task counted as solved.
    """

    task: str
    answer: str
    verdict: str
    success: bool


@dataclass
class Count:
    """What came of one source."""

    items: int = 0
    verdicts: int = 0
    successes: int = 0
    drawn: int = 0
    seconds: float = 0.0
    differences: list[str] = field(default_factory=list)


def verdict_of(result: Result) -> str:
    """The published evaluator's word for a result."""
    kinds = {finding.kind for finding in result.findings}
    if ErrorKind.PARSING in kinds:
        return "NotParseable"
    if kinds & GRAMMAR:
        return "Hallucination"
    if not result.executable:
        return "Runtime"
    return "Correct" if result.success else "GoalUnreachable"


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Read lines of JSON, or a list."""
    text = gzip.decompress(path.read_bytes()).decode()
    if text.startswith("["):
        return list(json.loads(text))
    return [json.loads(line) for line in text.splitlines()]


def sources(facts: Path) -> Iterator[tuple[str, str, list[Item]]]:
    """Suite, name and items of everything that a folder has."""
    for path in sorted((facts / "peer_verdicts").glob("vh_sd_*.jsonl.gz")):
        yield "virtualhome", path.name, [_item(row, row["llm_output"]) for row in rows_of(path)]
    answers = _answers(facts / "model_outputs" / "behavior" / ABILITY)
    peer = facts / "peer_verdicts" / "real_b_sd_stubworld.jsonl.gz"
    if peer.exists():
        rows = [row for row in rows_of(peer) if (row["model"], row["identifier"]) in answers]
        items = [_item(row, answers[row["model"], row["identifier"]]) for row in rows]
        yield "behavior", peer.name, items
    folder = facts / "published_runs" / "behavior_subgoal_decomposition_verdicts"
    for path in sorted(folder.glob("*.json.gz")):
        model = path.name.removesuffix(".json.gz")
        runs = json.loads(gzip.decompress(path.read_bytes()))
        items = [
            Item(task, answers[model, task], _word(run["info"]), run["success"])
            for task, run in runs.items()
            if (model, task) in answers
        ]
        yield "behavior", f"published run, {model}", items


def _answers(folder: Path) -> dict[tuple[str, str], str]:
    return {
        (path.name.removesuffix(".json.gz"), row["identifier"]): row["llm_output"]
        for path in sorted(folder.glob("*.json.gz"))
        for row in rows_of(path)
    }


def _item(row: dict[str, Any], answer: str) -> Item:
    return Item(row["identifier"], answer, row["peer"]["verdict"], row["peer"]["success"])


def _word(info: str) -> str:
    found = re.match(r"\('(\w+)'", info)
    return found[1] if found else ""


def counted(suite: Suite, items: list[Item]) -> Count:
    """Evaluate the items of a source and compare."""
    official = suite.semantics("official")
    count, begin = Count(len(items)), time.process_time()
    for item in items:
        task = suite.task(suite.canonical_id(item.task))
        result = suite.evaluate(ABILITY, task, item.answer, official)
        verdict = verdict_of(result)
        count.verdicts += verdict == item.verdict
        count.successes += result.success == item.success
        if verdict != item.verdict:
            drawn = " or " in item.answer
            count.drawn += drawn
            why = "; ".join(finding.message for finding in result.findings[:1])
            mark = " [drawn]" if drawn else ""
            count.differences.append(f"{item.task}: {verdict} here, {item.verdict}{mark} ({why})")
    count.seconds = time.process_time() - begin
    return count


def searched(suite: Suite, answers: list[tuple[str, str]]) -> tuple[Counter[str], list[float]]:
    """Evaluate answers under `strict`: how many ended how, and processor seconds of each."""
    strict, ends, seconds = suite.semantics("strict"), Counter[str](), []
    for name, answer in answers:
        task = suite.task(suite.canonical_id(name))
        begin = time.process_time()
        result = suite.evaluate(ABILITY, task, answer, strict)
        seconds.append(time.process_time() - begin)
        ends[result.outcome or "not read"] += 1
        ends["solved"] += result.success
    return ends, seconds


def search(facts: Path) -> None:
    """Print how the searches for the subgoals of all models end, and what they take."""
    heads = ("solved", "reached", "unreachable", "bound", "beyond the budget", "not read")
    print("  ".join([f"{'answers of':44}", "items", *heads, "CPU s", "median ms", "longest s"]))
    for name in ("behavior", "virtualhome"):
        suite, together = find_suite(name), list[float]()
        by_model: dict[str, list[tuple[str, str]]] = {}
        known = set(suite.task_ids())
        for (model, task), answer in _answers(facts / "model_outputs" / name / ABILITY).items():
            if suite.canonical_id(task) not in known:
                continue
            by_model.setdefault(model, []).append((task, answer))
        for model, answers in by_model.items():
            ends, seconds = searched(suite, answers)
            together += seconds
            counts = [f"{ends[head]:{len(head)}}" for head in heads]
            print(
                "  ".join(
                    [f"{name + ', ' + model:44}", f"{len(answers):5}", *counts, *_times(seconds)]
                )
            )
        print("  ".join([f"{name + ', all':44}", f"{len(together):5}", *_times(together)]))


def _times(seconds: list[float]) -> list[str]:
    middle = 1000 * statistics.median(seconds)
    return [f"{sum(seconds):5.1f}", f"{middle:9.1f}", f"{max(seconds):9.2f}"]


def main() -> int:
    """Read the arguments, compare, print; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--facts", required=True, type=Path, help="the folder described above")
    parser.add_argument("--at-least", type=float, default=98.0, help="lowest agreement (98)")
    parser.add_argument("--strict", action="store_true", help="how searches end, and their times")
    arguments = parser.parse_args()
    if arguments.strict:
        search(arguments.facts)
        return 0
    print(LINE.format("source", "items", "verdict", "success", "%", "drawn", "CPU s"))
    worst, differences = 100.0, list[str]()
    for name, source, items in sources(arguments.facts):
        if not items:
            continue
        count = counted(find_suite(name), items)
        share = 100 * count.verdicts / count.items
        worst = min(worst, share)
        cells = (count.items, count.verdicts, count.successes, f"{share:.1f}", count.drawn)
        print(LINE.format(source, *cells, f"{count.seconds:.1f}"))
        differences += [f"{source}: {each}" for each in count.differences]
    print("\n".join(["", *differences]))
    return int(worst < arguments.at_least)


if __name__ == "__main__":
    sys.exit(main())
