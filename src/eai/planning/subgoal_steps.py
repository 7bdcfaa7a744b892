"""The actions of one agent over a few objects: which can be taken, and what they would change.

Searches from a state of a world look at the same actions again and again. What a precondition
asks of the agent alone, or of one argument alone, is therefore tested once for all actions with
that agent or argument; and what an action changes is told before a state is made for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from eai.logic.formula import Atom, atoms, free_variables
from eai.pddl.model import Domain
from eai.world.action import Action
from eai.world.bits import bits
from eai.world.compiler import Updates
from eai.world.state import State
from eai.world.transition import World

__all__ = ["Step", "Steps", "as_plan", "related", "without_doubles"]

_FEW = 3
"""An object is closely related to others by a relation in which it has at most so many."""

Step = tuple[str, tuple[int, ...]]
"""Name of an operator, and the numbers of its arguments, the agent first."""

_Cell = tuple[int, object, int]
_Test = Callable[..., bool]


def related(state: State, mask: int) -> int:
    """Objects to which the objects of a mask have few relations of a kind.

    Args:
        state: The state.
        mask: Numbers of objects, as a mask.
    """
    found = 0
    for p in state.layout.binary:
        for lines in (state.rows[p], state.cols[p]):
            for number in bits(mask):
                line = lines[number]
                if line and line.bit_count() <= _FEW:
                    found |= line
    return found


def without_doubles(domain: Domain, names: Iterable[str]) -> tuple[str, ...]:
    """Leave out operators that differ from an earlier one in nothing but their name.

    Args:
        domain: The domain.
        names: Names of operators.
    """
    first: dict[object, str] = {}
    for name in names:
        one = domain.operators[name]
        first.setdefault((one.parameters, one.precondition, one.effect), name)
    return tuple(first.values())


def as_plan(steps: Iterable[Step], state: State) -> tuple[Action, ...]:
    """Name actions and their arguments; the agent is left out.

    Args:
        steps: The actions.
        state: A state with their objects.
    """
    names = state.universe.names
    return tuple(Action(name, tuple(names[i] for i in numbers[1:])) for name, numbers in steps)


class Steps:
    """The actions of an agent over some objects.

    Args:
        world: The world.
        state: Where a search starts; objects keep their static properties from here on.
        agent: Number of the agent, the first argument of every action.
        operators: Names of the operators.
        mask: Numbers of the objects that the other arguments may be, as a mask.
        predicates: Names of the predicates whose changes matter; all if None.
    """

    def __init__(
        self,
        world: World,
        state: State,
        agent: int,
        *,
        operators: Iterable[str],
        mask: int,
        predicates: frozenset[str] | None = None,
    ) -> None:
        self._world = world
        self._schemas = [_Schema(world, state, name, agent, mask) for name in operators]
        index = state.layout.index
        wanted = index if predicates is None else predicates.intersection(index)
        self._relations = {index[name] for name in wanted}
        self._places: dict[_Cell, int] = {}

    def possible(self, state: State) -> Iterator[tuple[Step, int]]:
        """Yield the actions that can be taken in a state, each with what it changes.

        Args:
            state: The state.

        Yields:
            An action that changes something, and the atoms that change as a mask. They are
            numbered as they come up, for all states in the same way.
        """
        for schema in self._schemas:
            for numbers in schema.applicable(state):
                changed = self._changed(state, *schema.effect(state, *numbers))
                if changed:
                    yield (schema.name, numbers), changed

    def after(self, state: State, step: Step) -> State:
        """The state that an action leads to."""
        following = state.copy()
        self._world.apply(following, *step)
        return following

    def _changed(self, state: State, adds: Updates, dels: Updates) -> int:
        added = self._cells(adds)
        removed = self._cells(dels) - added if dels else ()
        places, mask = self._places, 0
        for cells, value in ((added, True), (removed, False)):
            for cell in cells:
                if _holds(state, *cell) is not value:
                    mask |= 1 << places.setdefault(cell, len(places))
        return mask

    def _cells(self, changes: Updates) -> set[_Cell]:
        return {
            (p, number, key) if column else (p, key, number)  # type: ignore[misc]
            for p, column, key, mask in changes
            if p in self._relations
            for number in bits(mask)
        }


def _holds(state: State, p: int, first: object, last: int) -> bool:
    if first is None:
        return bool(state.unary[p] >> last & 1)
    if isinstance(first, int):
        return bool(state.rows[p][first] >> last & 1)
    return bool(state.wide[p].get(first, 0) >> last & 1)  # type: ignore[call-overload]


class _Tests(NamedTuple):
    """Tests by what they ask about: the agent alone, one more argument each, or several."""

    agent: list[_Test]
    one: list[list[_Test]]
    more: list[_Test]


@lru_cache(maxsize=4096)
def _tests(world: World, name: str) -> tuple[_Tests, _Tests]:
    """The tests of an operator that no action can change the outcome of, and the others."""
    compiled, fluents = world.operator(name), world.domain.fluents
    places = {variable.name: at for at, variable in enumerate(compiled.operator.parameters)}
    found = [_Tests([], [list[_Test]() for _ in places][1:], []) for _ in range(2)]
    for test, function in zip(compiled.tests, compiled.test_functions, strict=True):
        fluent = any(isinstance(a, Atom) and a.predicate in fluents for a in atoms(test))
        about = {places[v.name] for v in free_variables(test)} - {0}
        group = found[fluent]
        if len(about) > 1:
            group.more.append(function)
        else:
            (group.one[about.pop() - 1] if about else group.agent).append(function)
    return found[0], found[1]


class _Schema:
    """The actions with one operator."""

    def __init__(self, world: World, state: State, name: str, agent: int, mask: int) -> None:
        compiled, universe = world.operator(name), state.universe
        static, self._tests = _tests(world, name)
        self._more = static.more + self._tests.more
        self.name = name
        self.effect = compiled.effect
        first, *rest = compiled.operator.parameters
        self._idle = [agent] * len(rest)
        self._agent = agent
        self._ranges: list[list[int]] | None = None
        if universe.mask(first.types) >> agent & 1:
            ranges = [list(bits(universe.mask(variable.types) & mask)) for variable in rest]
            self._ranges = self._left(state, static, ranges)

    def applicable(self, state: State) -> Iterator[tuple[int, ...]]:
        """Yield the arguments for which the precondition holds, the agent first."""
        if self._ranges is None:
            return
        ranges = self._left(state, self._tests, self._ranges)
        for others in () if ranges is None else product(*ranges):
            numbers = (self._agent, *others)
            if all(test(state, *numbers) for test in self._more):
                yield numbers

    def _left(
        self, state: State, tests: _Tests, ranges: Sequence[Sequence[int]]
    ) -> list[list[int]] | None:
        """The arguments that pass by themselves; None if the agent does not."""
        agent, idle = self._agent, self._idle
        if not all(test(state, agent, *idle) for test in tests.agent):
            return None
        left = []
        for at, numbers in enumerate(ranges):
            before, behind, mine = idle[:at], idle[at + 1 :], tests.one[at]
            passed = [
                n for n in numbers if all(test(state, agent, *before, n, *behind) for test in mine)
            ]
            left.append(passed)
        return left
