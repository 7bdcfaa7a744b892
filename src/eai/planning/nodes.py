"""What all searches share: the states that were seen, and the way back from each of them."""

from __future__ import annotations

from collections.abc import Generator

from eai.planning.task import GroundAction

__all__ = ["Parents", "Plan", "Search", "finish", "plan_to"]

Plan = list[GroundAction]

Search = Generator[None, None, Plan | None]
"""A search under way: it stops after each expanded state and returns the plan, or None if every
reachable state was seen and none is a goal."""

Parents = dict[int, tuple[int, GroundAction] | None]
"""State to the state before it and the action between them; None for the first one."""


def plan_to(state: int, parents: Parents) -> Plan:
    """Return the actions that lead from the first state to this one."""
    plan: Plan = []
    while (step := parents[state]) is not None:
        state, action = step
        plan.append(action)
    return plan[::-1]


def finish(search: Search) -> Plan | None:
    """Run a search to its end and return what it returns."""
    try:
        while True:
            next(search)
    except StopIteration as end:
        plan: Plan | None = end.value
        return plan
