"""Breadth-first and uniform-cost search: shortest and cheapest plans.

What grounding leaves out costs nothing: an action that the goal cannot depend on is in no
cheapest plan, and of actions that do the same the cheapest is kept.
"""

from __future__ import annotations

from collections import deque
from heapq import heappop, heappush

from eai.planning.conditions import holds
from eai.planning.limits import Limits
from eai.planning.task import GroundAction, Search, Space, Successors, Task


def search_breadth_first(task: Task, limits: Limits) -> Search:
    """Search for a plan with as few actions as possible (:data:`~eai.planning.task.Search`)."""
    space, goal = Space(task, limits), task.goal
    if holds(goal, task.initial):
        return []
    queue = deque([task.initial])
    while queue:
        state = queue.popleft()
        space.count(state)
        yield
        for after, _ in space.successors(state):
            if holds(goal, after):
                return space.plan_to(after)
            queue.append(after)
    return None


def search_by_cost(task: Task, limits: Limits) -> Search:
    """Search for a plan that costs as little as possible: uniform-cost search."""
    successors = Successors(task)
    before: dict[int, tuple[int, GroundAction]] = {}
    costs: dict[int, float] = {task.initial: 0.0}
    queue: list[tuple[float, int, int]] = [(0.0, 0, task.initial)]
    while queue:
        cost, _, state = heappop(queue)
        if cost > costs[state]:
            continue
        if holds(task.goal, state):
            plan = []
            while state != task.initial:
                state, action = before[state]
                plan.append(action)
            return plan[::-1]
        limits.expand(state, len(costs))
        yield
        applicable = successors.applicable(state)
        limits.count(len(applicable))
        for action in applicable:
            after, total = task.successor(state, action), cost + action.cost
            if total < costs.get(after, float("inf")):
                costs[after] = total
                before[after] = (state, action)
                heappush(queue, (total, len(costs), after))
    return None
