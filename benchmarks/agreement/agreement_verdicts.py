"""Verdicts of the published evaluator on answers: `peer_verdicts/*vh_as_*.jsonl.gz`.

Every line has `identifier`, `peer` (the verdict) and either `llm_output` or `model`, whose
answers stand in `model_outputs/virtualhome/action_sequencing/MODEL.json.gz`.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

from agreement_items import Item, Order, Row, Source, Tasks, compared, spaced
from agreement_runs import CATEGORIES, read_action

from eai.diagnosis import GOAL_KINDS, GRAMMAR, RUNTIME, ErrorKind, Result
from eai.suites.virtualhome import VirtualHome
from eai.task import Goal, Task

__all__ = ["VerdictFile", "verdict_sources"]

_SWITCHED_OFF = (("noshortcut", "gold_shortcut"), ("oldformat", "ids_required"))
"""Part of a file's name, and the quirk that was off when it was made."""

_STATUS = {
    ErrorKind.UNSCORABLE: "crash",
    ErrorKind.PARSING: "format_error",
    ErrorKind.ACTION_HALLUCINATION: "hallucination",
    ErrorKind.OBJECT_HALLUCINATION: "hallucination",
    ErrorKind.ARGUMENT_NUMBER: "parameter_error",
}
"""Kind of finding to the status that it gives an answer, the first that is found first."""


def verdict_sources(
    facts: Path, suite: VirtualHome, tasks: Tasks, *, sample: int | None, without: Sequence[str]
) -> Iterator[Source]:
    """Compare every file of verdicts on action sequencing.

    Args:
        facts: The folder with `peer_verdicts` and `model_outputs`.
        suite: The suite.
        tasks: Loads its tasks.
        sample: Number of items per file, evenly spaced; None for all.
        without: Quirks to switch off, beside those that a file was made without.
    """
    for path in sorted((facts / "peer_verdicts").glob("*vh_as_*.jsonl.gz")):
        file = VerdictFile(path, facts / "model_outputs", suite, without=without)
        yield file.source(tasks, sample)


class VerdictFile:
    """One file of verdicts.

    Args:
        path: The file.
        outputs: The folder with the answers of models.
        suite: The suite.
        without: Quirks to switch off, beside those that the file was made without.
    """

    def __init__(
        self, path: Path, outputs: Path, suite: VirtualHome, *, without: Sequence[str]
    ) -> None:
        self.path = path
        self.name = path.name.partition(".")[0]
        self._outputs = outputs / "virtualhome" / "action_sequencing"
        self._suite = suite
        made_without = (quirk for part, quirk in _SWITCHED_OFF if part in self.name)
        self._quirks_off = (*made_without, *without)

    def source(self, tasks: Tasks, sample: int | None) -> Source:
        """Evaluate the answers and compare the verdicts."""
        lines = gzip.decompress(self.path.read_bytes()).decode("utf-8").splitlines()
        left_out: Counter[str] = Counter()
        rows = spaced([json.loads(line) for line in lines], sample)
        return compared(self.name, self._items(rows, tasks, left_out), left_out)

    def _items(
        self, rows: Sequence[dict[str, Any]], tasks: Tasks, left_out: Counter[str]
    ) -> Iterator[Item]:
        for row in rows:
            answer = row.get("llm_output", self._answer(row))
            if answer is None:
                left_out["no answer at hand"] += 1
            else:
                yield self._item(row, tasks(self._suite.canonical_id(row["identifier"])), answer)

    def _answer(self, row: Mapping[str, Any]) -> str | None:
        answers = _answers(self._outputs / f"{row.get('model')}.json.gz")
        return answers.get(self._suite.canonical_id(row["identifier"]))

    def _item(self, row: Mapping[str, Any], task: Task, answer: str) -> Item:
        case = [str(row[key]) for key in ("case", "kind", "model") if key in row]
        theirs = _their_row(row["peer"])
        orders: dict[Order, Row] = {}
        if theirs["status"] == "evaluated" and len(task.goal.actions) > 1:
            orders = self._orders(task, answer)
        return Item(
            " ".join([self.name, task.id, *case]), theirs, self._our_row(task, answer), orders
        )

    def _orders(self, task: Task, answer: str) -> dict[Order, Row]:
        """Our verdict for each order of the action goals."""
        return {
            tuple(map(str, goals)): self._our_row(
                replace(task, goal=Goal(final=task.goal.final, actions=goals)),
                answer,
                "action_goals_sorted",
            )
            for goals in permutations(task.goal.actions)
        }

    def _our_row(self, task: Task, answer: str, *quirks_off: str) -> Row:
        semantics = self._suite.semantics("official", without=[*self._quirks_off, *quirks_off])
        return _row(self._suite.evaluate("action_sequencing", task, answer, semantics))


@cache
def _answers(path: Path) -> Mapping[str, str]:
    """The answers of a model by task; empty if they are not there. The first of a task counts."""
    if not path.is_file():
        return {}
    rows = json.loads(gzip.decompress(path.read_bytes()))
    prefix = "scene_1_"
    return {
        str(row["identifier"]).removeprefix(prefix): row["llm_output"] for row in reversed(rows)
    }


def _their_row(peer: Mapping[str, Any]) -> Row:
    if peer["status"] != "evaluated":
        return {"status": peer["status"]}
    errors = [
        (str(CATEGORIES[category]), str(read_action(action))) for category, action in peer["errors"]
    ]
    parts = ("status", "executable", "success", "match", "total")
    return {**{part: peer[part] for part in parts}, "errors": errors}


def _row(result: Result) -> Row:
    status = _status(result)
    if status != "evaluated":
        return {"status": status}
    counts = [result.count(kind) for kind in GOAL_KINDS]
    return {
        "status": status,
        "executable": result.executable,
        "success": result.success,
        "match": [met for met, _ in counts],
        "total": [total for _, total in counts],
        "errors": [(str(f.kind), f.action) for f in result.findings if f.kind in RUNTIME],
    }


def _status(result: Result) -> str:
    if result.status == "excluded":
        return "excluded"
    kinds = {finding.kind for finding in result.findings}
    for kind, status in _STATUS.items():
        if kind in kinds:
            return status
    if kinds & GRAMMAR:
        return "unread"
    if any("gold_shortcut" in note for note in result.notes):
        return "equals_gold_shortcut"
    return "evaluated"
