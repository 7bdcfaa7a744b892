"""Searches that take turns until one is done, or a proof over pairs of literals ends them."""

from __future__ import annotations

from eai.planning.limits import Limits
from eai.planning.pairs import LiteralPairs
from eai.planning.searches import search_by_width, search_greedily
from eai.planning.task import GroundTask, Plan, Search


class ExcludedError(Exception):
    """Raised when the absence of a plan is proved."""


def exclude_goal(task: GroundTask, limits: Limits) -> Search:
    """Try to prove that there is no plan, by mutually exclusive pairs of literals.

    All other pairs exclude each other in every state that can be reached (Haslum & Geffner 2000),
    so a goal that needs one of them cannot be reached. With derived predicates nothing is proved.

    Cost: each round looks at all actions; rounds end when one of them adds no pair.

    Raises:
        ExcludedError: If it is proved. If not, the search ends without a plan.
    """
    # Derived predicates change with others and without an effect, which pairs do not follow.
    if task.strata:
        return None
    pairs = LiteralPairs(task, limits)
    while not pairs.are_complete:
        yield from pairs.extend_by_all_actions()
        if pairs.possible_with(task.goal, pairs.reached) is not None:
            return None
    raise ExcludedError


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
    it succeeds, and has no effect if it fails.

    Raises:
        ExcludedError: If pairs of literals prove that there is no plan.
    """
    meter = limits.meter
    width = search_by_width(task, limits)
    greedy = search_greedily(task, limits)
    disproof = exclude_goal(task, limits)
    prices = {width: _PRICE_OF_WIDTH, greedy: 1, disproof: 1}
    work = {width: 0, greedy: 0, disproof: _WORK_BEFORE_PROOF}
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
        else:
            instances = meter.instances - instances_before
            work[search] += prices[search] * (instances + _WORK_OF_STATE)
