"""Published runs: `published_runs/virtualhome_subgoal_decomposition_error_info/MODEL.json.gz`.

For each task `success` and `info`, the text of a Python literal: the verdict, whether the plan
could be executed, the executed actions (in the list of errors, and of their own if the verdict
is `Correct`), the refused actions with the kind of error, and counts of goals.
"""

from __future__ import annotations

import ast
import gzip
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eai.diagnosis import ErrorKind
from eai.world import Action

__all__ = [
    "CATEGORIES",
    "PublishedRun",
    "Refusal",
    "UnreadRunError",
    "read_action",
    "read_run",
    "runs_of",
]

CATEGORIES = {
    "WRONG_TEMPORAL_ORDER": ErrorKind.WRONG_ORDER,
    "MISSING_STEP": ErrorKind.MISSING_STEP,
    "AFFORDANCE_ERROR": ErrorKind.AFFORDANCE,
    "ADDITIONAL_STEP": ErrorKind.ADDITIONAL_STEP,
}
"""The published evaluator's categories of runtime errors."""

_COUNTS = {"state": "node", "relation": "edge", "action": "action", "all": "full"}
_LONGEST = 1_000_000
_NAME = re.compile(r"\[(\w+)\]")
_OBJECT = re.compile(r"<(.+?)>\s*\((\d+)\)")


class UnreadRunError(ValueError):
    """A record is no run; the message says why."""


@dataclass(frozen=True)
class Refusal:
    """An action that was not executed.

    Args:
        kind: Which kind of error was given.
        action: The action.
    """

    kind: ErrorKind
    action: Action


@dataclass(frozen=True)
class PublishedRun:
    """What was written down about one task.

    Args:
        verdict: `Correct`, `GoalUnreachable` or `Runtime`.
        executable: Whether the plan came to its end.
        success: Whether the task was counted as solved.
        steps: The executed actions, as they were written.
        refusals: The refused actions, in order.
        counts: Number of goals met and of goals, by kind.
    """

    verdict: str
    executable: bool
    success: bool
    steps: tuple[str, ...]
    refusals: tuple[Refusal, ...]
    counts: Mapping[str, tuple[int, int]]


def runs_of(path: Path) -> Mapping[str, Mapping[str, Any]]:
    """Return the records of a file by identifier."""
    records: Mapping[str, Mapping[str, Any]] = json.loads(gzip.decompress(path.read_bytes()))
    return records


def read_action(text: str) -> Action:
    """Read `[GRAB] <cup> (1000)` as `grab(cup.1000)`.

    Raises:
        UnreadRunError: If it is nothing like it.
    """
    name = _NAME.match(text)
    if name is None:
        raise UnreadRunError("an action cannot be read")
    objects = (f"{class_name}.{number}" for class_name, number in _OBJECT.findall(text))
    return Action(name[1].lower(), tuple(objects))


def read_run(record: Mapping[str, Any]) -> PublishedRun | str:
    """Read a record.

    Returns:
        The run; only its verdict if nothing was executed in it.

    Raises:
        UnreadRunError: If the record has another shape.
    """
    literal: Any = _literal(record)
    try:
        match literal:
            case ("Correct" as verdict, bool(executable), [steps], errors, counts):
                pass
            case (str(verdict), bool(executable), errors, counts):
                steps = errors[0]["failed_action_sequence"]
            case (str(verdict), *_):
                return verdict
            case _:
                raise UnreadRunError("the text is no tuple of a verdict and more")
        refusals, numbers = _refusals(errors), _counts(counts)
        return PublishedRun(verdict, executable, record["success"], (*steps,), refusals, numbers)
    except (KeyError, IndexError, TypeError) as error:
        raise UnreadRunError(f"the record has another shape ({error!r})") from None


def _literal(record: Mapping[str, Any]) -> object:
    info = record.get("info")
    if not isinstance(info, str) or len(info) > _LONGEST:
        raise UnreadRunError("the record has no text, or too long a one")
    try:
        found: object = ast.literal_eval(info)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        raise UnreadRunError("the text is no Python literal") from None
    return found


def _refusals(errors: Sequence[Mapping[str, Any]]) -> tuple[Refusal, ...]:
    return tuple(
        Refusal(CATEGORIES[kind], read_action(error["failed_action"]))
        for error in errors
        for kind in error["error_info"]["error_type"]
        if kind != "GOAL_FAILED"
    )


def _counts(counts: Mapping[str, int]) -> Mapping[str, tuple[int, int]]:
    return {
        ours: (counts[f"{theirs}_success_num"], counts[f"{theirs}_tot_num"])
        for ours, theirs in _COUNTS.items()
    }
