"""Several searches that take turns until one of them is done."""

from __future__ import annotations

from eai.planning.greedy import search_greedily
from eai.planning.limits import Limits
from eai.planning.nodes import Plan, Search
from eai.planning.novelty import search_by_width
from eai.planning.task import Task

__all__ = ["search_in_turns"]

_FIRST, _TURN = 5000, 500
"""States that width search expands alone, and states of one turn after that."""


def search_in_turns(task: Task, limits: Limits) -> Search:
    """Search by width first, then also greedily, in turns of equally many states.

    Both searches see every state from which the goal may be reachable, so the end of either of
    them without a plan proves that there is none.

    Args:
        task: The task.
        limits: What may be used up; what it raises goes to who runs the search.

    Yields:
        Nothing, after each expanded state.

    Returns:
        The plan; None if every reachable state was seen.
    """
    searches = [search_by_width(task, limits), search_greedily(task, limits)]
    turn, states = 0, _FIRST
    while True:
        try:
            for _ in range(states):
                next(searches[turn])
                yield
        except StopIteration as end:
            plan: Plan | None = end.value
            return plan
        turn, states = 1 - turn, _TURN
