"""Causes in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from eai.diagnosis.causes.parts import Failure, GoalCause, Link, Need
from eai.planning.ordering.orders import PartialOrder
from eai.world.action import Action

__all__ = ["failure_lines", "goal_lines", "named", "orders"]

Plan = Sequence[Action]


def failure_lines(failure: Failure, plan: Plan) -> Iterator[str]:
    """Say at which step a plan stopped, and what brought that about.

    Args:
        failure: The failure.
        plan: The plan.
    """
    yield f"Step {failure.step} fails ({failure.kind}): {failure.message}"
    for need in failure.needs:
        told = failure.message.endswith(f" [{need.condition}]")
        if not told:
            yield f"  {_unmet(need)}"
        yield from _because(need.because, plan, "  " if told else "    ")


def goal_lines(goals: Sequence[GoalCause], plan: Plan) -> Iterator[str]:
    """Say which conditions of the goal are met, and what that rests on.

    Args:
        goals: The conditions.
        plan: The plan.
    """
    for goal in goals:
        yield f"  {'met  ' if goal.met else 'unmet'} {goal.condition}{_fate(goal)}"
        if not goal.met:
            yield from _because(goal.because, plan, "    ")


def named(numbers: Sequence[int], plan: Plan) -> str:
    """Return steps with their numbers and actions.

    Args:
        numbers: Their 1-based numbers.
        plan: The plan.
    """
    return ", ".join(f"step {number}, {plan[number - 1]}" for number in numbers)


def orders(order: PartialOrder) -> str:
    """Say how many orders of the steps are possible."""
    count = order.count()
    if count is None:
        return "too many are possible to be counted"
    return "only this one is possible" if count == 1 else f"{count} are possible"


def _unmet(need: Need) -> str:
    if not need.words:
        return f"{need.condition} does not hold{_history(need)}"
    step = need.destroyed_by
    history = "no step before it changed that" if step is None else f"step {step} made it so"
    return f"{need.words}; {history} [{need.condition}]"


def _history(need: Need) -> str:
    if need.destroyed_by is None:
        return " and never did"
    since = "from the start" if not need.held_until else f"after step {need.held_until}"
    return f"; it held {since}, until step {need.destroyed_by}"


def _because(links: Sequence[Link], plan: Plan, indent: str) -> Iterator[str]:
    for link in links:
        since = f"since {named([link.maker], plan)}" if link.maker else "from the start"
        yield f"{indent}{link.fact} {since}"


def _fate(goal: GoalCause) -> str:
    if goal.lost_by is not None:
        return f" (lost by step {goal.lost_by})"
    since = "" if goal.since is None else f" since step {goal.since}"
    if goal.since == 0:
        since = " from the start"
    many = "s" if len(goal.rests_on) > 1 else ""
    steps = ", ".join(map(str, goal.rests_on))
    rests = f", rests on step{many} {steps}" if steps else ""
    return f"{since}{rests}" if goal.met else ""
