"""Causes in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eai.diagnosis.causes.result import Causes, GoalCause, Link, Need

__all__ = ["describe"]


def describe(causes: Causes) -> str:
    """Say in a few lines what was caused by what.

    Args:
        causes: What is described.
    """
    return "\n".join(_lines(causes))


def _lines(causes: Causes) -> Iterator[str]:
    done = sum(step.outcome in ("done", "skipped") for step in causes.steps)
    yield f"{done} of {len(causes.plan)} steps can be done"
    failure = causes.failure
    if failure is not None:
        yield f"Step {failure.step} fails ({failure.kind}): {failure.message}"
        for need in failure.needs:
            told = failure.message.endswith(f" [{need.condition}]")
            if not told:
                yield f"  {_unmet(need)}"
            yield from _because(need.because, causes, "  " if told else "    ")
    if causes.goals:
        yield "Goal"
    for goal in causes.goals:
        yield f"  {'met  ' if goal.met else 'unmet'} {goal.condition}{_fate(goal)}"
        if not goal.met:
            yield from _because(goal.because, causes, "    ")
    if causes.idle:
        yield f"Nothing rests on {_named(causes.idle, causes)}"
    yield f"Order: {_orders(causes)}"


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


def _because(links: Sequence[Link], causes: Causes, indent: str) -> Iterator[str]:
    for link in links:
        since = f"since {_named([link.maker], causes)}" if link.maker else "from the start"
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


def _named(numbers: Sequence[int], causes: Causes) -> str:
    return ", ".join(f"step {number}, {causes.plan[number - 1]}" for number in numbers)


def _orders(causes: Causes) -> str:
    if causes.fixed:
        return "as it is, since the goal speaks of time"
    count = causes.order.count()
    if count is None:
        return "too many are possible to be counted"
    return "only this one is possible" if count == 1 else f"{count} are possible"
