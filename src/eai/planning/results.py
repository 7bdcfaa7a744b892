"""What comes of planning, and results on disk, kept by what was asked."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import Enum
from pathlib import Path
from typing import Protocol

from eai.errors import InputError
from eai.world import Action


class Outcome(str, Enum):
    """How planning ended. Only the first two say something about the problem."""

    SOLVED = "solved"
    """A plan was found, and our engine ran it to the goal."""
    UNSOLVABLE = "unsolvable"
    """It was proved that there is no plan."""
    BEYOND_BUDGET = "beyond the budget"
    """The search would take more than the budget has, on every machine."""
    TIME_LIMIT = "time limit"
    MEMORY_LIMIT = "memory limit"
    INCOMPLETE = "incomplete"
    """The search ended at a bound, or an incomplete engine gave up."""
    REJECTED = "rejected"
    """The engine did not take the domain or the problem."""
    INVALID_PLAN = "invalid plan"
    """The engine returned a plan that our engine does not run to the goal."""
    CRASHED = "crashed"
    NOT_INSTALLED = "not installed"


class _Named(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...


@dataclass(frozen=True)
class PlanningResult:
    """What came of one call.

    Args:
        outcome: How it ended.
        plan: The actions; None unless a plan was returned.
        engine: Name of the engine.
        version: Its version.
        reason: What proves or explains the outcome, one sentence.
        cost: Total cost of the plan (its length if actions have no costs).
        optimal: Whether no plan is cheaper.
        seconds: Processor time, children included.
        expanded: States that the search expanded, if the engine says so.
    """

    outcome: Outcome
    plan: tuple[Action, ...] | None = None
    engine: str = "eai"
    version: str = ""
    reason: str = ""
    cost: float | None = None
    optimal: bool = False
    seconds: float = 0.0
    expanded: int | None = None

    @classmethod
    def of(
        cls,
        engine: _Named,
        outcome: Outcome,
        reason: str,
        plan: Iterable[Action] | None = None,
        *,
        optimal: bool = False,
        expanded: int | None = None,
    ) -> PlanningResult:
        """Return what came of a call of an engine."""
        steps = None if plan is None else tuple(plan)
        proved = optimal and steps is not None
        name, number = engine.name, engine.version
        return cls(outcome, steps, name, number, reason, optimal=proved, expanded=expanded)

    @property
    def solved(self) -> bool:
        """Whether there is a plan that our engine ran to the goal."""
        return self.outcome is Outcome.SOLVED

    @property
    def settled(self) -> bool:
        """Whether the question was answered: there is a plan, or it is proved there is none."""
        return self.outcome in (Outcome.SOLVED, Outcome.UNSOLVABLE)

    def __str__(self) -> str:
        lines = [f"{self.outcome.value} ({self.engine}): {self.reason}"]
        lines += [f"{number}. {action}" for number, action in enumerate(self.plan or (), start=1)]
        return "\n".join(lines)


_FORMAT = 1
_PASSING = (Outcome.CRASHED, Outcome.NOT_INSTALLED)
"""Outcomes that say something about this machine now, and are not kept."""


class ResultCache:
    """A folder of results. Processes may share it: files are written whole or not at all.

    Args:
        folder: Where it is; it is made when the first result is kept.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)

    def key(self, *question: object) -> str:
        """Return the key of a question: texts, names, numbers and None."""
        text = json.dumps([_FORMAT, *question], ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def get(self, key: str) -> PlanningResult | None:
        """Return the result that is kept under a key; None if there is none that can be read."""
        try:
            document = dict(json.loads(self._path(key).read_text(encoding="utf-8")))
            document["outcome"] = Outcome(document["outcome"])
            if (steps := document["plan"]) is not None:
                document["plan"] = tuple(Action(s["name"], tuple(s["arguments"])) for s in steps)
            return PlanningResult(**document)
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, key: str, result: PlanningResult) -> None:
        """Keep a result, unless its outcome is a passing one.

        Raises:
            InputError: If the folder cannot be written.
        """
        if result.outcome in _PASSING:
            return
        path = self._path(key)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(asdict(result), file)
            Path(name).replace(path)
        except OSError as error:
            raise InputError(
                f"a result cannot be kept: {error.strerror}",
                where=str(self.folder),
                expected="a folder that can be written",
            ) from error

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"
