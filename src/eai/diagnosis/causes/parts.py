"""What causes are made of: steps, failed conditions and goal conditions, as plain data."""

from __future__ import annotations

from dataclasses import dataclass

from eai.diagnosis.taxonomy import ErrorKind

__all__ = ["Failure", "GoalCause", "Link", "Need", "StepCause"]


@dataclass(frozen=True, slots=True)
class Link:
    """Something that holds, and who made it so.

    Args:
        fact: A literal, as text.
        maker: 1-based number of the step that made it so; 0 if it holds from the start.
    """

    fact: str
    maker: int


@dataclass(frozen=True, slots=True)
class Need:
    """A condition of a step that failed.

    Args:
        condition: The condition, as text.
        because: What keeps it from holding, as far as that changes at all while the plan runs.
            It is empty if no step of the plan has anything to do with the condition.
        held_until: Number of the last step after which it held; 0 is the start, None never.
        destroyed_by: Number of the step that made it false, or None.
        words: What is the case in its stead, in words; empty if the domain has no phrases for it.
    """

    condition: str
    because: tuple[Link, ...] = ()
    held_until: int | None = None
    destroyed_by: int | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """The step at which the plan stopped.

    Args:
        step: Its 1-based number.
        action: The step, as text.
        kind: The kind of error.
        message: One sentence that says what is wrong.
        needs: Its conditions that do not hold.
        rests_on: Numbers of the steps that brought the failure about.
    """

    step: int
    action: str
    kind: ErrorKind
    message: str
    needs: tuple[Need, ...] = ()
    rests_on: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class StepCause:
    """One step.

    Args:
        number: Its 1-based number.
        action: The step, as text.
        outcome: ``"done"``, ``"skipped"``, ``"failed"`` or ``"not reached"``.
        uses: What it needs to be done, as far as that changes while the plan runs.
        users: Numbers of the steps that could not be done without it.
        serves: The conditions of the goal that rest on it, as text.
    """

    number: int
    action: str
    outcome: str
    uses: tuple[Link, ...] = ()
    users: tuple[int, ...] = ()
    serves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GoalCause:
    """One condition of the goal.

    Args:
        kind: ``"state"``, ``"relation"``, ``"action"`` or ``"formula"`` (the goal as a whole, if
            it says more than its conditions).
        condition: The condition, as text.
        met: Whether it is met.
        since: Number of the step that made it true for the last time; 0 is the start.
        lost_by: Number of the step that made it false after it had held, or None.
        because: The literals on which its truth, or its falsity, rests.
        rests_on: Numbers of the steps on which that rests, directly and through other steps.
    """

    kind: str
    condition: str
    met: bool
    since: int | None = None
    lost_by: int | None = None
    because: tuple[Link, ...] = ()
    rests_on: tuple[int, ...] = ()
