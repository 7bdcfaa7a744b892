"""What an answer achieved, as shares, and the number that is made of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from eai.errors import InputError

__all__ = ["NOTHING", "SOLVED", "Attempt", "Weights"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """What an answer achieved; all shares are in [0, 1].

    Args:
        solved: Whether the suite's verdict is that the task is solved.
        goals: Share of what the goal demands beyond the initial state: demanded conditions that
            were made true and are at the end, less those that were true and are not any more,
            and demanded actions that were taken in order.
        way: Share of the reference plan's way to the goal that need not be gone any more.
        left: How much of the plan was not executed, in lengths of the reference plan; at most 1.
        repair: Share of the edits from the empty plan to one that works that need not be made
            any more; it is looked at by the reward of the kind ``"repair"`` only.
    """

    solved: bool
    goals: float = 0.0
    way: float = 0.0
    left: float = 0.0
    repair: float = 0.0


SOLVED = Attempt(solved=True, goals=1.0, way=1.0, repair=1.0)
"""An answer that solves its task."""
NOTHING = Attempt(solved=False)
"""An answer that achieves nothing, or that is not a plan for its task."""


@dataclass(frozen=True, slots=True)
class Weights:
    """How a graded reward is made of an :class:`Attempt`.

    A solved task gives 1; any other answer ``(goals * G + way * W) * (1 - left * L)``, where G,
    W and L are the shares of the attempt. It is at most ``goals + way``, which is less than 1.

    Args:
        goals: Weight of the goal's conditions.
        way: Weight of the way to the goal.
        left: How much a plan loses of which nothing could be executed after some step.

    Raises:
        InputError: If a weight is not in [0, 1], or if ``goals + way`` is not less than 1.
    """

    goals: float = 0.6
    way: float = 0.3
    left: float = 0.5

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if not number or not math.isfinite(value) or not 0 <= value <= 1:
                raise InputError(
                    f"the weight {field.name} is {value!r}", expected="a number from 0 to 1"
                )
        if self.goals + self.way >= 1:
            raise InputError(
                f"the weights goals and way add up to {self.goals + self.way:g}",
                expected="less than 1: only a solved task is worth 1",
            )

    def value(self, attempt: Attempt) -> float:
        """The graded reward of an attempt."""
        if attempt.solved:
            return 1.0
        return (self.goals * attempt.goals + self.way * attempt.way) * (
            1 - self.left * attempt.left
        )

    def nearness(self, attempt: Attempt) -> float:
        """The reward of an attempt by its repair: at most ``goals + way`` if it is not solved."""
        return 1.0 if attempt.solved else (self.goals + self.way) * attempt.repair
