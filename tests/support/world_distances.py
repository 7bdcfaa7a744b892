"""The distances of all states of a small task, by their definition."""

from __future__ import annotations

from collections import deque
from itertools import product
from math import inf

from eai.logic import Atom
from eai.pddl import Domain, Problem
from eai.world import State, World
from eai.world.bits import bits

__all__ = ["MAX_STATES", "Facts", "WorldDistances", "facts_of"]

MAX_STATES = 200
"""Maximum number of states of a task that is small."""

Facts = frozenset[Atom]


def facts_of(state: State) -> Facts:
    """Return what tells a state from others."""
    return frozenset(state.atoms())


class WorldDistances:
    """All states of a task in the order of their first way, with their distances to the goal.

    Args:
        domain: The domain.
        problem: The problem.
        agent: Name of the object that is the first argument of every action; by default any.

    Attributes:
        is_small: Whether all states were entered; if not, nothing else is right.
    """

    def __init__(self, domain: Domain, problem: Problem, agent: str = "") -> None:
        self.world = World(domain)
        self.start = self.world.state(problem.objects, problem.initial)
        self.actions: list[tuple[str, tuple[int, ...]]] = []
        universe = self.start.universe
        for name, operator in domain.operators.items():
            ranges = [bits(universe.mask(variable.types)) for variable in operator.parameters]
            for numbers in product(*ranges):
                if not agent or (numbers and universe.names[numbers[0]] == agent):
                    self.actions.append((name, numbers))
        self.states = {facts_of(self.start): self.start}
        self.steps: dict[Facts, float] = {}
        self.is_small = self._enter()
        self._measure(problem)

    def after(self, state: State, name: str, numbers: tuple[int, ...]) -> State | None:
        """Return the state after an action; None if it cannot be done."""
        if self.world.first_failure(state, name, numbers) >= 0:
            return None
        after = state.copy()
        self.world.apply(after, name, numbers)
        return after

    def distance(self, state: State) -> float:
        return self.steps.get(facts_of(state), inf)

    def _enter(self) -> bool:
        self._before: dict[Facts, set[Facts]] = {}
        pending = deque(self.states)
        while pending:
            key = pending.popleft()
            for name, numbers in self.actions:
                after = self.after(self.states[key], name, numbers)
                if after is None:
                    continue
                self._before.setdefault(facts_of(after), set()).add(key)
                if facts_of(after) not in self.states:
                    if len(self.states) == MAX_STATES:
                        return False
                    self.states[facts_of(after)] = after
                    pending.append(facts_of(after))
        return True

    def _measure(self, problem: Problem) -> None:
        layer = [k for k, state in self.states.items() if self.world.holds(state, problem.goal)]
        number = 0
        while layer:
            self.steps.update(dict.fromkeys(layer, number))
            earlier = {other for key in layer for other in self._before.get(key, ())}
            layer = [key for key in earlier if key not in self.steps]
            number += 1
