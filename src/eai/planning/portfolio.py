"""Searches that take turns until one is done, or a proof over pairs of literals ends them.

Where the pairs prove nothing about the goal, they often show that some actions can never be
applied, and without these the searches see better what lies before them.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from eai.planning.limits import Limits
from eai.planning.pairs import LiteralPairs
from eai.planning.searches import search_by_width, search_greedily
from eai.planning.task import GroundTask, Plan, Search

Exclusion = Generator[None, None, GroundTask | None]
"""A proof under way: it stops often, and returns a task with fewer actions, or None."""


class ExcludedError(Exception):
    """Raised when the absence of a plan is proved."""


_MAX_ATOMS = 1 << 12
"""In tasks with more atoms, only the goal is examined: pairs are as many as atoms squared."""


def exclude_goal(task: GroundTask, limits: Limits) -> Exclusion:
    """Examine which pairs of literals exclude each other: the goal may need one, or an action.

    All pairs but those that are found exclude each other in every state that can be reached
    (Haslum & Geffner 2000), so a goal that needs one of them cannot be reached, and an action that
    needs one is never applicable. A relaxed plan knows nothing of this: it is at two places at
    once, and so takes such an action for the shortest way. Without these actions the estimates are
    better and the reachable states are the same (Alcázar & Torralba 2015). With derived predicates
    nothing is proved.

    Cost: each round looks at all actions; rounds end when one of them adds no pair.

    Returns:
        The task without the actions and conditional effects that cannot happen; None if there are
        none.

    Raises:
        ExcludedError: If the goal cannot be reached.
    """
    # Derived predicates change with others and without an effect, which pairs do not follow.
    if task.strata:
        return None
    pairs = LiteralPairs(task, limits)
    while not pairs.are_complete:
        yield from pairs.extend_by_all_actions()
        # In large tasks all pairs take much memory, which only a proof about the goal is worth.
        if len(task.atoms) > _MAX_ATOMS and pairs.allow(task.goal):
            return None
    if not pairs.allow(task.goal):
        raise ExcludedError
    actions = tuple(pairs.possible_actions())
    if actions == task.actions:
        return None
    return replace(task, actions=actions)


_WORK_BEFORE_PROOF = 400_000
"""Work of a search before a proof is tried: what is easy is solved without one."""
_WORK_OF_STATE = 20
"""Work that a state counts besides its instances."""
_PRICE_OF_WIDTH = 3
"""Factor by which a counted instance takes longer in width search, which examines new literals."""


def search_in_turns(task: GroundTask, limits: Limits) -> Search:
    """Alternate width-based and greedy search with a proof that there is no plan.

    The search with the least work so far is next, so the total is at most about three times the
    work of the fastest search. Each search visits every state from which the goal may be reachable,
    so if it ends without a plan, there is none. The proof by pairs of literals ends the search if
    it succeeds. If it fails but some actions can never be applied, both searches begin again
    without them: they have done about as much work as the proof by then, so little is lost.

    Raises:
        ExcludedError: If pairs of literals prove that there is no plan.
    """
    meter = limits.meter
    prices = _searches(task, limits)
    work = dict.fromkeys(prices, 0)
    disproof = exclude_goal(task, limits)
    prices[disproof] = 1
    work[disproof] = _WORK_BEFORE_PROOF
    while True:
        search = min(work, key=work.__getitem__)
        instances_before = meter.instances
        try:
            next(search)
            yield
        except StopIteration as end:
            if search is not disproof:
                plan: Plan | None = end.value
                return plan
            del work[disproof]  # nothing is proved: only the searches go on
            if end.value is not None:
                # The estimates are others now, so states that were seen are looked at anew.
                prices = _searches(end.value, limits)
                work = dict.fromkeys(prices, 0)
        else:
            instances = meter.instances - instances_before
            work[search] += prices[search] * (instances + _WORK_OF_STATE)


def _searches(task: GroundTask, limits: Limits) -> dict[Search | Exclusion, int]:
    """Return new searches, each with the factor by which its work counts."""
    return {
        search_by_width(task, limits): _PRICE_OF_WIDTH,
        search_greedily(task, limits): 1,
    }
