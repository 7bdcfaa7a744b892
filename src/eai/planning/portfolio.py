"""Several searches that take turns until one of them is done, or a proof ends them."""

from __future__ import annotations

from itertools import chain, cycle

from eai.planning.greedy import search_greedily
from eai.planning.limits import Limits
from eai.planning.nodes import Plan, Search
from eai.planning.novelty import search_by_width
from eai.planning.pairs import ExcludedError, excludes_goal
from eai.planning.task import Task

__all__ = ["search_in_turns"]

_EASY, _FIRST, _TURN = 500, 5000, 500
"""States that width search expands before a proof is tried, states that it expands alone after
that, and states of one turn from then on."""


def search_in_turns(task: Task, limits: Limits) -> Search:
    """Search by width first, then also greedily, in turns of equally many states.

    Where no plan is found soon, pairs of literals may prove that there is none. Both searches see
    every state from which the goal may be reachable, so the end of either of them without a plan
    proves it, too.

    Args:
        task: The task.
        limits: What may be used up; what it raises goes to who runs the search.

    Yields:
        Nothing, after each expanded state.

    Returns:
        The plan; None if every reachable state was seen.

    Raises:
        ExcludedError: If pairs of literals prove that there is no plan.
    """
    searches = [search_by_width(task, limits), search_greedily(task, limits)]
    turns = chain(((0, _EASY), (0, _FIRST)), cycle(((1, _TURN), (0, _TURN))))
    while True:
        turn, states = next(turns)
        if states == _FIRST and excludes_goal(task, limits):
            raise ExcludedError
        try:
            for _ in range(states):
                next(searches[turn])
                yield
        except StopIteration as end:
            plan: Plan | None = end.value
            return plan
