"""What a perturbation is: a wrong plan, and the label that says what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from eai.diagnosis.taxonomy import ErrorKind
from eai.world.action import Action

__all__ = ["EDITS", "ERRORS", "KINDS", "Fault", "Perturbation"]

EDITS: Mapping[str, frozenset[ErrorKind]] = {
    "drop": frozenset(),
    "move": frozenset(),
    "swap": frozenset(),
    "duplicate": frozenset({ErrorKind.ADDITIONAL_STEP}),
    "insert": frozenset(),
    "replace_object": frozenset(),
    "replace_action": frozenset(),
    "hallucinate_action": frozenset({ErrorKind.ACTION_HALLUCINATION}),
    "hallucinate_object": frozenset({ErrorKind.OBJECT_HALLUCINATION}),
    "argument_number": frozenset({ErrorKind.ARGUMENT_NUMBER}),
    "break_text": frozenset({ErrorKind.PARSING}),
}
"""What is done to a plan, and the kinds of error that it announces; none: any will do."""

ERRORS: Mapping[str, ErrorKind] = {
    kind.value: kind
    for kind in (
        ErrorKind.PARSING,
        ErrorKind.ACTION_HALLUCINATION,
        ErrorKind.OBJECT_HALLUCINATION,
        ErrorKind.ARGUMENT_NUMBER,
        ErrorKind.AFFORDANCE,
        ErrorKind.ADDITIONAL_STEP,
        ErrorKind.MISSING_STEP,
        ErrorKind.WRONG_ORDER,
        ErrorKind.STATE_GOAL,
        ErrorKind.RELATION_GOAL,
        ErrorKind.ACTION_GOAL,
    )
}
"""Kinds of error that can be asked for by name."""

KINDS: tuple[str, ...] = tuple(dict.fromkeys((*EDITS, *ERRORS)))
"""Everything that can be asked for: what is done to the plan, or the error that comes of it."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One edit of a plan.

    Args:
        edit: What is done, a key of :data:`EDITS`.
        plan: The plan after it.
        change: The same in words.
        step: 1-based number of the step of the plan before that is concerned; None for what is
            put in, or for the text as a whole.
        place: 1-based number of the step of the plan after it that is concerned; None if there is
            none.
    """

    edit: str
    plan: tuple[Action, ...]
    change: str
    step: int | None = None
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Perturbation:
    """A wrong plan, as text, and its label.

    Args:
        task: Identifier of the task.
        kind: What was asked for.
        seed: The seed.
        fault: What was done to the plan.
        answer: The wrong plan, as a model would write it.
        errors: The kinds of error that the judge finds in it and not in the plan before, each
            with the number of the step, or None.
        before: Whether the plan before solves the task.
        success: Whether the wrong plan solves the task.
        verified: Whether the errors are what the kind announces and, if the plan before was
            successful, whether this one is not (except for additional steps, which do no harm).
    """

    task: str
    kind: str
    seed: int
    fault: Fault
    answer: str
    errors: tuple[tuple[ErrorKind, int | None], ...] = ()
    before: bool = False
    success: bool = False
    verified: bool = False

    @property
    def plan(self) -> tuple[Action, ...]:
        """The wrong plan."""
        return self.fault.plan

    def prediction(self) -> dict[str, str]:
        """Return the answer as a line of a file of predictions."""
        return {"id": self.task, "output": self.answer}

    def label(self) -> dict[str, Any]:
        """Return everything but the text of the answer, as data for JSON."""
        fault = self.fault
        return {
            "id": self.task,
            "kind": self.kind,
            "seed": self.seed,
            "edit": fault.edit,
            "change": fault.change,
            "step": fault.step,
            "place": fault.place,
            "plan": [str(action) for action in fault.plan],
            "errors": [{"kind": kind.value, "step": step} for kind, step in self.errors],
            "before": self.before,
            "success": self.success,
            "verified": self.verified,
        }

    def __str__(self) -> str:
        errors = ", ".join(
            f"{kind}{f' (step {step})' if step else ''}" for kind, step in self.errors
        )
        verdict = "still solved" if self.success else "not solved"
        return f"{self.task}: {self.fault.change}; {verdict}{f': {errors}' if errors else ''}"
