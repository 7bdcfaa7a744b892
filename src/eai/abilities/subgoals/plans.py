"""A way to make a condition true: shortest first, part by part where that is too far.

Three searches, one after the other: a narrow breadth-first search; for a conjunction the same
for one conjunct after the other, keeping what was reached; breadth-first search within bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from eai.abilities.subgoals.unfolding import helpers, unfolded
from eai.abilities.subgoals.width import Reached, WidthSearch
from eai.budget import BeyondBudgetError, Meter
from eai.logic.formula import And, Formula
from eai.planning.relevance import relevant_operators
from eai.planning.subgoals import Bounds, reach
from eai.world.state import State
from eai.world.transition import World

__all__ = ["BOUNDS", "NoWay", "find_way", "operators_for"]

BOUNDS = Bounds(actions=8, states=1000, objects=24)
"""How far the search for one subgoal goes."""


_INSTANCES = 2_500_000
"""So many effects of actions and instances of conditions are looked at for one condition."""

_EXHAUSTIVE = 12
"""Among more objects than these, only narrow searches are made."""


@dataclass(frozen=True, slots=True)
class NoWay:
    """No way was found.

    Args:
        bound: The bound that ended the search; empty if there is none.
    """

    bound: str = ""


@lru_cache(maxsize=4096)
def operators_for(world: World, condition: Formula) -> tuple[str, ...]:
    """Names of the operators that may help to make a condition true."""
    return tuple(relevant_operators(world.domain, [condition]))


def find_way(
    world: World,
    state: State,
    goal: Formula,
    *,
    agent: str,
    operators: Sequence[str],
    meter: Meter,
    actions: int = BOUNDS.actions,
    quick: bool = False,
) -> Reached | NoWay:
    """Find actions that lead from a state to one in which a condition holds.

    Args:
        world: The world.
        state: Where to start; it is not changed.
        goal: A closed condition.
        agent: The object that acts.
        operators: Names of the operators that may be used.
        meter: Counts what is looked at; what it raises goes to the caller.
        actions: Longest plan (for one conjunct, where they are reached one by one).
        quick: Whether only the narrowest search is made, which proves nothing.
    """
    limit = meter.budget.instances
    left = _INSTANCES if limit is None else min(_INSTANCES, max(1, limit - meter.instances))
    own = replace(meter.budget, instances=left).meter()
    try:
        found = _found(world, state, goal, agent, operators, own, actions=actions, quick=quick)
    except BeyondBudgetError:
        found = NoWay("states")
    # What the search for one condition used counts for all.
    meter.count_states(own.states)
    meter.count_instances(own.instances)
    return found


def _found(
    world: World,
    state: State,
    goal: Formula,
    agent: str,
    operators: Sequence[str],
    meter: Meter,
    *,
    actions: int,
    quick: bool,
) -> Reached | NoWay:
    search = WidthSearch(world, agent, actions=actions, states=BOUNDS.states, meter=meter)
    target = unfolded(world, state, goal, meter=meter)
    about = 0
    for others in ((),) if quick else ((), helpers(world, state)):
        before, about = about, search.around(state, target, others)
        if before == about:
            break
        found = None
        narrow = about.bit_count() <= BOUNDS.objects
        if narrow:
            found = search.reach(state, target, operators=operators, about=about, widths=(1,))
        if found is None and isinstance(target, And) and not (quick and narrow):
            found = _part_by_part(search, state, target, operators, others)
        if found is None and narrow and not quick:
            found = search.reach(state, target, operators=operators, about=about, widths=(2,))
        if found is not None:
            return found
    if quick:
        return NoWay("objects")
    if about.bit_count() > _EXHAUSTIVE:
        return NoWay("objects")
    bounds = Bounds(actions=actions, states=BOUNDS.states, objects=_EXHAUSTIVE)
    result = reach(world, state, goal, agent=agent, bounds=bounds, actions=operators, meter=meter)
    if result.plan is None or result.state is None:
        return NoWay(result.bound or "")
    return Reached(result.plan, result.state)


def _part_by_part(
    search: WidthSearch, state: State, goal: And, operators: Sequence[str], others: Sequence[str]
) -> Reached | None:
    """Reach the conjuncts in their order, each without losing those before it."""
    reached = Reached((), state)
    for number, part in enumerate(goal.operands, start=1):
        together = And(goal.operands[:number])
        about = search.around(reached.state, part, others)
        found = search.reach(reached.state, together, operators=operators, about=about)
        if found is None:
            return None
        reached = Reached(reached.plan + found.plan, found.state)
    return reached
