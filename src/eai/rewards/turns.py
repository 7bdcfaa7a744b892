"""Rewards for single turns of an episode, for agents that learn while they act.

By default a turn is worth the difference that it makes to the share of the goal's conditions that
are met. That is potential-based shaping (Ng, Harada and Russell 1999) with the share as potential
and without discount: the rewards of an episode add up to the final share less the initial one, so
going in circles pays nothing, and the best policy stays the best.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

from eai.acting import Episode
from eai.diagnosis import GoalStatus
from eai.errors import InputError, check_name

TurnKind = Literal["potential", "binary"]


def check_share(what: str, value: object) -> None:
    """Refuse a value that is not a number from 0 to 1."""
    usable = isinstance(value, (int, float)) and 0 <= value <= 1  # a NaN is not
    if isinstance(value, bool) or not usable:
        raise InputError(f"the {what} is {value!r}", expected="a number from 0 to 1")


@dataclass(frozen=True, slots=True)
class TurnReward:
    """The reward of a turn.

    Args:
        kind: ``"potential"``: the share of the goal's conditions that are met after the turn, less
            that before it, in [-1, 1]; ``"binary"``: 1 for the turn that reaches the goal, else 0.
        step_cost: Cost of every turn, in [0, 1].

    Raises:
        UnknownNameError: If there is no such kind.
        InputError: If the cost is no such number.

    Example:
        >>> TurnReward(step_cost=0.1).of(episode)  # doctest: +SKIP
        (-0.1, 0.9)
    """

    kind: TurnKind = "potential"
    step_cost: float = 0.0

    def __post_init__(self) -> None:
        check_name("reward of turns", self.kind, get_args(TurnKind))
        check_share("cost of a step", self.step_cost)

    def __call__(self, before: GoalStatus, after: GoalStatus) -> float:
        """Return the reward of a turn, by how far the goal was reached before and is after it."""
        if self.kind == "binary":
            gained = float(after.reached and not before.reached)
        else:
            gained = potential(after) - potential(before)
        return gained - self.step_cost

    def of(self, episode: Episode) -> tuple[float, ...]:
        """Return the reward of every turn of an episode.

        Raises:
            InputError: If it does not say how far the goal is reached after each turn.
        """
        statuses = []
        for status in (episode.begun, *(turn.goal for turn in episode.turns)):
            if status is None:
                raise InputError(
                    f"the episode of {episode.task!r} does not say how far its goal is reached",
                    expected="an episode that was acted in, or a record that was evaluated",
                )
            statuses.append(status)
        return tuple(self(*pair) for pair in pairwise(statuses))


def potential(status: GoalStatus) -> float:
    """Return the share of a goal's conditions that are met; 1 only if the goal is reached.

    A goal may ask for more than its conditions (a formula on the whole trajectory): if they are all
    met and it is not reached, one more condition is counted.
    """
    if status.reached:
        return 1.0
    condition_count = len(status.conditions)
    return min(status.share, condition_count / (condition_count + 1))
