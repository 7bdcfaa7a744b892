"""The achievement of an answer, and the number that it is worth."""

from __future__ import annotations

from dataclasses import dataclass, fields

from eai.errors import InputError
from eai.rewards.turns import check_share


@dataclass(frozen=True, slots=True)
class Attempt:
    """The achievement of an answer; all shares are in [0, 1].

    Args:
        solved: Whether the suite's verdict is that the task is solved.
        goals: Share of the demands of the goal beyond the initial state: demanded conditions that
            were made true and are at the end, less those that were true and are not any more,
            and demanded actions that were taken in order.
        way: Share of the steps of the reference plan that are not needed any more.
        left: Number of steps that were not executed, over the length of the reference plan; at
            most 1. Of an episode: its failed turns, likewise.
        repair: Share of the edits from the empty plan to one that works that are not needed any
            more; only the reward of the kind ``"repair"`` uses it.
        measured: The suite's own measure, which then is the graded reward; or None.
        broken: Names of the rules that were broken: a task is not solved by breaking one.
    """

    solved: bool
    goals: float = 0.0
    way: float = 0.0
    left: float = 0.0
    repair: float = 0.0
    measured: float | None = None
    broken: tuple[str, ...] = ()


SOLVED = Attempt(solved=True, goals=1.0, way=1.0, repair=1.0)
"""An answer that solves its task."""
NOTHING = Attempt(solved=False)
"""An answer that achieves nothing, or that is not a plan for its task."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of a graded reward, which is made of an :class:`Attempt`.

    A solved task gives 1; any other answer ``(goals * G + way * W) * (1 - left * L)``, where G,
    W and L are the shares of the attempt. It is at most ``goals + way``, which is less than 1.

    Args:
        goals: Weight of the goal's conditions.
        way: Weight of the progress along the reference plan.
        left: Share of the reward that is lost if nothing of the plan is executed.

    Raises:
        InputError: If a weight is not in [0, 1], or if ``goals + way`` is not less than 1.
    """

    goals: float = 0.6
    way: float = 0.3
    left: float = 0.5

    def __post_init__(self) -> None:
        for field in fields(self):
            check_share(f"weight {field.name}", getattr(self, field.name))
        if self.goals + self.way >= 1:
            raise InputError(
                f"the weights goals and way add up to {self.goals + self.way:g}",
                expected="less than 1: only a solved task is worth 1",
            )

    def value(self, attempt: Attempt) -> float:
        """Return the graded reward of an attempt."""
        if attempt.measured is not None:
            return attempt.measured
        if attempt.solved:
            return 1.0
        gained = self.goals * attempt.goals + self.way * attempt.way
        return gained * (1 - self.left * attempt.left)

    def nearness(self, attempt: Attempt) -> float:
        """Return the reward by repair: at most ``goals + way`` if the task is not solved."""
        if attempt.solved:
            return 1.0
        return (self.goals + self.way) * attempt.repair
