"""Runs of plans for one problem, of which each common beginning is run once.

Plans for one problem are alike: models repeat each other, and a search varies one plan. So runs are
paths in a tree. Its nodes are what steps lead to, its edges are actions, and an action is worked
out in the world only where it is new.

Invariant: a node holds the state that the actions on the way to it lead to, and nobody changes it.
Cost: a look-up for each step that is known; a new one costs a copy of the state and what the engine
takes. Memory: at most :data:`MAX_NODES` states, which share what they have in common; then the tree
begins anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from eai.errors import InputError
from eai.logic import Formula
from eai.world import Action, State, World

MAX_NODES = 10_000
"""Maximum number of states that are kept for one problem."""


@dataclass(slots=True)
class Reached:
    """The state after some applicable steps.

    Args:
        state: The state.
        is_goal: Whether the goal holds in it; None if nobody asked.
        after: The result of each action that was tried here.
    """

    state: State
    is_goal: bool | None = None
    after: dict[Action, Reached | Stopped] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stopped:
    """An action that is not applicable.

    Args:
        state: The state before it.
        action: The action.
        failing: Number of the first test of its precondition that fails; None if it is no action
            of the task.
        error: Why it is none.
    """

    state: State
    action: Action
    failing: int | None = None
    error: str = ""


def run_once(world: World, start: State, plan: Sequence[Action]) -> tuple[Reached | Stopped, int]:
    """Return the end of a plan and the number of executed steps. ``start`` is changed."""
    for done, action in enumerate(plan):
        stopped = _take(world, start, action)
        if stopped is not None:
            return stopped, done
    return Reached(start), len(plan)


def _take(world: World, state: State, action: Action) -> Stopped | None:
    """Apply an action to a state, or return the reason why it is not applicable.

    Returns:
        Why the action cannot be done, and then the state is as it was; None if it was done.
    """
    # An unknown action is a mistake of the answer like any other.
    try:
        arguments = world.numbers(state, action.name, action.arguments)
    except InputError as error:
        return Stopped(state, action, error=error.what)
    failing = world.operator(action.name).first_failure(state, *arguments)
    if failing >= 0:
        return Stopped(state, action, failing)
    world.apply(state, action.name, arguments)
    return None


class PlanRuns:
    """Runs plans from one state.

    Args:
        world: The world.
        start: The state; it must not be changed later.
        goal: The goal.
    """

    def __init__(self, world: World, start: State, goal: Formula) -> None:
        self.world = world
        self.goal = goal
        self._root = Reached(start)
        self._count = 0

    def run(self, plan: Sequence[Action]) -> tuple[Reached | Stopped, int]:
        """Return the end of a plan and the number of executed steps.

        Plans are stored as a tree of common prefixes, so that a shared prefix is executed only
        once.
        """
        # The tree is only emptied between two plans, because a running plan needs its nodes.
        if self._count > MAX_NODES:
            self._root = Reached(self._root.state)
            self._count = 0
        node = self._root
        for steps_done, action in enumerate(plan):
            next_node = node.after.get(action)
            if next_node is None:
                # The copy is changed, and the state of the node stays for other plans.
                state = node.state.copy()
                next_node = _take(self.world, state, action) or Reached(state)
                node.after[action] = next_node
                self._count += 1
            if isinstance(next_node, Stopped):
                return next_node, steps_done
            node = next_node
        return node, len(plan)

    def is_goal(self, node: Reached) -> bool:
        """Return whether the goal holds in a state."""
        # Asked for ends of plans only, so most nodes never need it.
        if node.is_goal is None:
            node.is_goal = self.world.holds(node.state, self.goal)
        return node.is_goal
