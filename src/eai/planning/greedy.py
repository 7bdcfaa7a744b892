"""Greedy best-first search with a relaxed-plan heuristic, preferred actions and goal counts.

Four queues take turns: by heuristic and by open goals, for all successors and for those that
preferred actions lead to. A queue of preferred successors gets more turns after each state that
is better than all before. Successors wait with the values of the state they come from (Helmert
2006, sections 5.3 and 5.4; Richter & Westphal 2010, section 3).
"""

from __future__ import annotations

from heapq import heappop, heappush

from eai.planning.conditions import unmet
from eai.planning.limits import Limits
from eai.planning.nodes import Parents, Search, plan_to
from eai.planning.relaxation import Relaxation
from eai.planning.successors import Successors
from eai.planning.task import Task

__all__ = ["search_greedily"]

_BOOST = 1000


def search_greedily(task: Task, limits: Limits) -> Search:
    """Search for a plan, greedily by the relaxed-plan heuristic and by open goals.

    Args:
        task: The task.
        limits: What may be used up; what it raises goes to who runs the search.

    Yields:
        Nothing, after each expanded state.

    Returns:
        The plan; None if every state from which the relaxed goal can be reached was seen.
    """
    successors, relaxation, queues = Successors(task), Relaxation(task, limits), _Queues()
    parents: Parents = {task.initial: None}
    if not unmet(task.goal, task.initial):
        return []
    queues.put((0, 0), task.initial, preferred=True)
    closed: set[int] = set()
    while (state := queues.take()) is not None:
        if state in closed:
            continue
        closed.add(state)
        limits.expand(state, len(parents))
        yield
        relaxed = relaxation.plan(state)
        if relaxed is None:
            continue
        helpful = {id(task.actions[number]) for number in relaxed[0]}
        values = (len(relaxed[0]), unmet(task.goal, state))
        queues.praise(values)
        applicable = successors.applicable(state)
        limits.count(len(applicable))
        for action in applicable:
            after = task.successor(state, action)
            if after in parents:
                continue
            parents[after] = (state, action)
            if not unmet(task.goal, after):
                return plan_to(after, parents)
            queues.put(values, after, preferred=id(action) in helpful)
    return None


class _Queues:
    """By heuristic and by goals, for all states and for preferred ones."""

    def __init__(self) -> None:
        self._heaps: list[list[tuple[int, int, int]]] = [[], [], [], []]
        self._turns = [0, 0, 0, 0]
        self._best = [1 << 60, 1 << 60]
        self._count = 0

    def put(self, values: tuple[int, int], state: int, *, preferred: bool) -> None:
        self._count += 1
        for at, value in enumerate(values):
            entry = (value, self._count, state)
            heappush(self._heaps[at], entry)
            if preferred:
                heappush(self._heaps[at + 2], entry)

    def praise(self, values: tuple[int, int]) -> None:
        """Give preferred states more turns if a state is better than all before it."""
        for at, value in enumerate(values):
            if value < self._best[at]:
                self._best[at] = value
                self._turns[2] -= _BOOST
                self._turns[3] -= _BOOST

    def take(self) -> int | None:
        """Return the next state; None if there is none."""
        filled = [at for at, heap in enumerate(self._heaps) if heap]
        if not filled:
            return None
        at = min(filled, key=self._turns.__getitem__)
        self._turns[at] += 1
        return heappop(self._heaps[at])[2]
