"""Which conditions of a goal are met at the end, and what became of the others."""

from __future__ import annotations

from collections.abc import Sequence

from eai.diagnosis.judgement import Condition
from eai.logic.formula import Atom, Formula
from eai.logic.printer import format_formula
from eai.task import ActionGoal, Goal
from eai.world.trajectory import Trajectory

__all__ = ["action_conditions", "condition_of", "condition_with", "goal_conditions"]


def goal_conditions(goal: Goal, trajectory: Trajectory) -> tuple[Condition, ...]:
    """Judge a goal on a trajectory as the paper defines it (section 2.5).

    State and relation conditions are tested in the final state; of several options the one
    with the largest share of conditions met counts (the first of them on ties). Action goals
    must occur in order; after the first that does not, none is met.
    """
    options = [
        tuple(condition_of(kind, formula, trajectory) for kind, formula in option)
        for option in goal.final
    ]
    best = max(options, key=_share, default=())
    return (*best, *action_conditions(goal.actions, trajectory))


def _share(option: tuple[Condition, ...]) -> float:
    return sum(condition.met for condition in option) / len(option) if option else 1.0


def condition_of(kind: str, formula: Formula, trajectory: Trajectory) -> Condition:
    """Judge one condition on the final state, and say since when it holds or what ended it."""
    if isinstance(formula, Atom):
        truth = trajectory.history(formula.predicate, tuple(map(str, formula.terms)))
    else:
        truth = trajectory.condition(formula)
    return condition_with(kind, format_formula(formula), truth, trajectory)


def condition_with(kind: str, text: str, truth: int, trajectory: Trajectory) -> Condition:
    """Describe a condition whose truth at every position is known (bit i is position i)."""
    met = bool(truth >> (trajectory.length - 1) & 1)
    return Condition(
        kind,
        text,
        met,
        since=_since(truth, trajectory),
        lost_by=None if met or not truth else trajectory.steps[truth.bit_length() - 1].number,
    )


def _since(truth: int, trajectory: Trajectory) -> int | None:
    """Number of the step that made a condition true for the last time; 0 is the start."""
    if not truth:
        return None
    last = truth.bit_length() - 1
    # The start of the last run of ones: the position after the highest zero below it.
    gaps = ~truth & ((1 << last) - 1)
    first = gaps.bit_length()
    return trajectory.steps[first - 1].number if first else 0


def action_conditions(goals: Sequence[ActionGoal], trajectory: Trajectory) -> tuple[Condition, ...]:
    """Match action goals with the steps that were done, in order, each as early as possible."""
    conditions: list[Condition] = []
    at, broken = 0, False
    for goal in goals:
        found = None if broken else _next(goal, trajectory, at)
        broken = broken or found is None
        at = at if found is None else found + 1
        since = None if found is None else trajectory.steps[found].number
        conditions.append(Condition("action", str(goal), found is not None, since=since))
    return tuple(conditions)


def _next(goal: ActionGoal, trajectory: Trajectory, at: int) -> int | None:
    for position in range(at, len(trajectory.steps)):
        if trajectory.steps[position].action.name in goal.names:
            return position
    return None
