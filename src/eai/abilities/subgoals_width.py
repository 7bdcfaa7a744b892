"""Breadth-first search for a subgoal that keeps only what is new (Lipovetzky & Geffner 2012).

A state is described by the atoms in which it differs from the first state. With width 1 a state
is kept only if one of these is seen for the first time, with width 2 if a pair is. A plan that is
found is a shortest one if the subgoal has that width, and the work is bounded by the number of
atoms or of their pairs. Nothing is proved if no plan is found.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from eai.logic.formula import Atom, Formula, atoms, objects_of
from eai.world.action import Action
from eai.world.bits import bits, mask_of
from eai.world.state import Change, State
from eai.world.transition import World

__all__ = ["Reached", "WidthSearch"]

_FEW = 3
"""An object is close to others by a relation in which it has at most so many."""

_Cell = tuple[int, object, object]
_Step = tuple[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Reached:
    """A state that satisfies a subgoal.

    Args:
        plan: The actions that lead to it, without the agent.
        state: The state.
    """

    plan: tuple[Action, ...]
    state: State


class WidthSearch:
    """Searches in one world for one agent.

    Args:
        world: The world.
        agent: The object that acts: the first argument of every action.
        actions: Longest plan.
        states: States that may be expanded in one search.
    """

    def __init__(self, world: World, agent: str, *, actions: int, states: int) -> None:
        self._world = world
        self._agent = agent
        self._actions = actions
        self._states = states

    def around(self, state: State, condition: Formula, others: Iterable[str] = ()) -> int:
        """The objects of a condition, further ones, and what they are closely related to.

        Returns:
            A mask of their numbers.
        """
        names = {*objects_of(condition), *others, self._agent}
        mask = mask_of(map(state.universe.number, names))
        return mask | _related(state, mask)

    def reach(
        self,
        state: State,
        goal: Formula,
        *,
        operators: Sequence[str],
        about: int,
    ) -> Reached | None:
        """Search with width 1, then with width 2.

        Args:
            state: Where to start; it is not changed.
            goal: What has to hold.
            operators: Names of the operators that may be used.
            about: The objects that actions may be about, as a mask of their numbers.
        """
        if self._world.holds(state, goal):
            return Reached((), state)
        steps = list(self._steps(state, operators, about))
        for width in (1, 2):
            found = self._search(state, goal, steps, width)
            if found is not None:
                return found
        return None

    def _steps(self, state: State, operators: Iterable[str], mask: int) -> Iterator[_Step]:
        """Actions over the objects of a mask that static conditions allow."""
        agent, universe = state.universe.number(self._agent), state.universe
        for name in operators:
            compiled = self._world.operator(name)
            _, *rest = compiled.operator.parameters
            static = self._static(name)
            ranges = [list(bits(universe.mask(variable.types) & mask)) for variable in rest]
            for others in product(*ranges):
                numbers = (agent, *others)
                if all(compiled.test_functions[i](state, *numbers) for i in static):
                    yield name, numbers

    def _static(self, name: str) -> list[int]:
        fluents = self._world.domain.fluents
        return [
            number
            for number, test in enumerate(self._world.operator(name).tests)
            if not any(isinstance(a, Atom) and a.predicate in fluents for a in atoms(test))
        ]

    def _search(
        self, start: State, goal: Formula, steps: Sequence[_Step], width: int
    ) -> Reached | None:
        world, novel = self._world, _Novelty(width)
        queue: deque[tuple[State, frozenset[_Cell], tuple[_Step, ...]]] = deque()
        queue.append((start, frozenset(), ()))
        for _ in range(self._states):
            if not queue:
                return None
            state, cells, path = queue.popleft()
            for name, numbers in steps if len(path) < self._actions else ():
                if world.first_failure(state, name, numbers) >= 0:
                    continue
                after = state.copy()
                changed = cells.symmetric_difference(_changed(world.apply(after, name, numbers)))
                if not novel.is_new(changed):
                    continue
                longer = (*path, (name, numbers))
                if world.holds(after, goal):
                    return Reached(_plan(longer, start), after)
                queue.append((after, changed, longer))
        return None


class _Novelty:
    """Remembers which atoms, or pairs of atoms, were seen."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._seen: set[object] = set()

    def is_new(self, cells: frozenset[_Cell]) -> bool:
        """Whether something in a state is seen for the first time; it is remembered."""
        parts: set[object] = set(cells)
        if self._width > 1:
            parts.update(frozenset(pair) for pair in combinations(cells, 2))
        size = len(self._seen)
        self._seen |= parts
        return len(self._seen) > size


def _related(state: State, mask: int) -> int:
    """Objects to which the objects of a mask have few relations of a kind."""
    found = 0
    for p in state.layout.binary:
        for lines in (state.rows[p], state.cols[p]):
            for number in bits(mask):
                line = lines[number]
                if line and line.bit_count() <= _FEW:
                    found |= line
    return found


def _changed(changes: Iterable[Change]) -> set[_Cell]:
    """The atoms that changes change, without those that are changed back."""
    cells: set[_Cell] = set()
    for p, column, key, mask, _ in changes:
        for number in bits(mask):
            cells ^= {(p, number, key) if column else (p, key, number)}
    return cells


def _plan(path: Iterable[_Step], start: State) -> tuple[Action, ...]:
    names = start.universe.names
    return tuple(Action(name, tuple(names[i] for i in numbers[1:])) for name, numbers in path)
