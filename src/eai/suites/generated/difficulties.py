"""How difficult a task is: the length of a shortest plan, and the conflicts between its steps."""

from __future__ import annotations

from dataclasses import dataclass

from eai.planning import Distances, Links, Reads, Taken, goal_of
from eai.suites.generated.twins import is_described
from eai.task import Task
from eai.world import World, changed_literals, world_of

MAX_STATES = 5_000
"""Maximum number of states that are entered in the search for a shortest plan."""


@dataclass(frozen=True, slots=True)
class Difficulty:
    """The difficulty of a task.

    Args:
        steps: Length of the reference plan: no shortest plan is longer.
        shortest: Length of a shortest plan; None if it was not found.
        conflicts: Number of pairs of steps of the reference plan of which one destroys what the
            other, or the goal, needs: their order matters; None if the domain does not say it.
    """

    steps: int
    shortest: int | None
    conflicts: int | None


def difficulty(task: Task) -> Difficulty:
    """Return the difficulty of a task with a reference plan.

    Args:
        task: A task whose goal is a conjunction about the state at the end. In worlds that do more
            than their domains say (``thor``) only the length of its plan is known.
    """
    plan = task.plans[0]
    if not is_described(task):
        return Difficulty(len(plan), None, None)
    goal = goal_of([[formula for _, formula in option] for option in task.goal.final])
    distances = Distances.of(task.start, goal, task.agent, max_states=MAX_STATES)
    shortest = None
    if distances is not None:
        distance = distances.distance(distances.task.initial)
        # A search that ran into its limit has only a lower bound.
        if distance.is_exact:
            shortest = int(distance.steps)
    return Difficulty(len(plan), shortest, _conflicts(task))


def _needs_of_steps_and_goal(task: Task, links: Links) -> list[Reads]:
    """Return the literals that each step needs, and behind them those of the goal's conditions."""
    needs = [links.needs(position) for position in range(links.end)]
    support_at_end = links.support(links.end)
    needs_of_goal: Reads = frozenset()
    for _, formula in task.goal.final[0]:
        needs_of_goal |= support_at_end.of(formula, {}) or frozenset()
    return [*needs, needs_of_goal]


def _conflicts(task: Task) -> int:
    """Return the number of conflicts of a step with another step or with the goal.

    A step is in conflict if it destroys a literal that the other step, or any part of the goal,
    needs.
    """
    layout = task.start.layout
    world = world_of(layout.domain)
    steps = _execute_reference_plan(task, world)
    # The goal consumes literals as a step behind the last one would.
    needs_by_consumer = _needs_of_steps_and_goal(task, Links(world, task.start, steps))
    conflicts: set[tuple[int, int]] = set()
    for step_index, step in enumerate(steps):
        for predicate, object_numbers, value in changed_literals(step.changes or (), layout):
            destroyed_literal = (predicate, object_numbers, not value)
            for consumer_index, needs in enumerate(needs_by_consumer):
                if consumer_index != step_index and destroyed_literal in needs:
                    conflicts.add((step_index, consumer_index))
    return len(conflicts)


def _execute_reference_plan(task: Task, world: World) -> list[Taken]:
    """Return the steps of a task's reference plan, each with its changes."""
    steps: list[Taken] = []
    state = task.start.copy()
    for action in task.plans[0]:
        numbers = world.numbers(state, action.name, action.by(task.agent))
        steps.append(Taken(action, numbers, world.apply(state, action.name, numbers)))
    return steps
