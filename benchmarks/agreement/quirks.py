"""Count how many verdicts each quirk of the published evaluator changes, by hand.

    python benchmarks/agreement/quirks.py
    python benchmarks/agreement/quirks.py answers.jsonl more.json.gz
    python benchmarks/agreement/quirks.py --without ids_required old_answers.json.gz

Each quirk alone is switched off from `official`, and switched on alone over `strict`, together
with the quirks without which it has no say (NEEDS). Counted are the official VirtualHome tasks
whose verdict on the annotated plan changes, and, where files of answers are given, the answers
whose verdict changes. A verdict is: excluded or not, solved or not, executable or not, what
became of each step, the kinds of error with their steps and how often they count, and how many
goals of each kind are met.

Because `official` does not run the annotated plan at all (`gold_shortcut`), most quirks cannot
touch it there; the column "off, gold run" has that quirk off in both. `--without` does the same
with other quirks, for all columns "off": of old answers, which have no ids, `ids_required` hides
everything else.

Files hold `{"identifier" or "id", "llm_output" or "output"}` as JSON or JSON lines, gzipped or
not; answers that are not text and those to unknown tasks are left out and counted. The official
data must have been fetched (`eai data fetch eai`).
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from eai.diagnosis import GOAL_KINDS, Result
from eai.semantics import Semantics
from eai.suites.virtualhome import VirtualHome
from eai.suites.virtualhome.quirks import QUIRKS
from eai.task import Task

SUITE = VirtualHome()
NEEDS = {
    "ids_required": ("pattern_reader",),
    "parsing_counted_twice": ("pattern_reader",),
    "plug_actions_rejected": ("pattern_reader",),
    "lower_case_crash": ("pattern_reader",),
    "recorded_preconditions": ("executor_order",),
}
"""Quirks that only say how another one goes about it."""

Pair = tuple[Semantics, Semantics]


def comparisons(without: set[str]) -> dict[str, dict[str, Pair]]:
    """Column to quirk to the two semantics that are compared."""
    make = SUITE.semantics
    shortcut = {"gold_shortcut", *without}
    columns: dict[str, dict[str, Pair]] = {"off": {}, "off, gold run": {}, "on": {}}
    for name in QUIRKS:
        needs = NEEDS.get(name, ())
        for column, off in (("off", without), ("off, gold run", shortcut)):
            columns[column][name] = (
                make("official", without=off),
                make("official", without={*off, name}),
            )
        columns["on"][name] = make("strict", only=needs), make("strict", only=(*needs, name))
    return columns


def gold(task: Task) -> str:
    """The annotated plan as the prompt asks for it (no objects are the empty list)."""
    steps = [
        {step.name.upper(): [part for name in step.arguments for part in name.rsplit(".", 1)]}
        for step in task.plans[0]
    ]
    return json.dumps(steps)


def blank(answer: str) -> str:
    """The same answer in a form in which the published evaluator sees every step."""
    return answer.replace("[]", "[ ]")


def verdict(result: Result) -> tuple[object, ...]:
    """What counts as the verdict."""
    return (
        result.status,
        result.success,
        result.executable,
        result.executed,
        tuple((finding.kind, finding.step, finding.times) for finding in result.findings),
        tuple(result.count(kind) for kind in GOAL_KINDS),
    )


class Changes:
    """Numbers of changed verdicts, by column and quirk."""

    def __init__(self) -> None:
        self.verdicts: Counter[tuple[str, str]] = Counter()
        self.successes: Counter[tuple[str, str]] = Counter()
        self.items = 0

    def add(self, task: Task, answer: str, columns: dict[str, dict[str, Pair]]) -> None:
        """Evaluate one answer under all semantics and count what changes."""
        self.items += 1
        evaluated: dict[Semantics, Result] = {}

        def under(semantics: Semantics) -> Result:
            if semantics not in evaluated:
                evaluated[semantics] = SUITE.evaluate("action_sequencing", task, answer, semantics)
            return evaluated[semantics]

        for column, pairs in columns.items():
            for name, (one, other) in pairs.items():
                before, after = under(one), under(other)
                self.verdicts[column, name] += verdict(before) != verdict(after)
                self.successes[column, name] += before.success != after.success


def answers(path: Path) -> Iterator[tuple[str, object]]:
    """Identifier and answer of every row of a file."""
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
    if text.lstrip().startswith("["):
        rows = json.loads(text)
    else:
        rows = [json.loads(line) for line in text.splitlines() if line.strip()]
    for row in rows:
        key = row["identifier"] if "identifier" in row else row["id"]
        yield str(key), row["llm_output"] if "llm_output" in row else row["output"]


def over_files(files: list[Path], columns: dict[str, dict[str, Pair]]) -> Changes:
    """Count over the answers of files, task by task."""
    changes = Changes()
    known = set(SUITE.task_ids())
    rows: dict[str, list[str]] = {}
    strange = other = 0
    for path in files:
        for raw, answer in answers(path):
            task = SUITE.canonical_id(raw)
            if task not in known:
                strange += 1
            elif not isinstance(answer, str):
                other += 1
            else:
                rows.setdefault(task, []).append(answer)
    print(f"left out: {strange} answers to unknown tasks, {other} that are not text\n")
    for task_id, texts in rows.items():
        loaded = SUITE.task(task_id)
        for text in texts:
            changes.add(loaded, text, columns)
    return changes


def over_gold(columns: dict[str, dict[str, Pair]], form: Callable[[str], str]) -> Changes:
    """Count over the annotated plans."""
    changes = Changes()
    for task_id in SUITE.task_ids():
        task = SUITE.task(task_id)
        changes.add(task, form(gold(task)), columns)
    return changes


def table(changes: Changes, columns: list[str], heads: list[str]) -> None:
    """Print changed verdicts, and in brackets how many of them change success."""
    print(f"{changes.items} items; changed verdicts (of these, success changed)")
    print("| quirk | " + " | ".join(heads) + " |")
    print("| --- |" + " ---: |" * len(heads))
    for name in QUIRKS:
        cells = [
            f"{changes.verdicts[column, name]:,} ({changes.successes[column, name]:,})"
            for column in columns
        ]
        print(f"| `{name}` | " + " | ".join(cells) + " |")
    print()


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path, help="files of answers")
    parser.add_argument("--without", nargs="*", default=[], metavar="QUIRK", choices=QUIRKS)
    given = parser.parse_args()
    columns = comparisons(set(given.without))
    heads = ["off from official", "off, gold run", "on over strict"]
    print(f"# Annotated plans as the prompt asks for them, {SUITE.version}\n")
    table(over_gold(columns, str), list(columns), heads)
    print("# Annotated plans, empty lists with a blank\n")
    table(over_gold(columns, blank), list(columns), heads)
    if given.files:
        print(f"# {', '.join(path.name for path in given.files)}\n")
        table(over_files(given.files, columns), ["off", "on"], [heads[0], heads[2]])


if __name__ == "__main__":
    main()
