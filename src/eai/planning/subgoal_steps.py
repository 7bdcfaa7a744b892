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

from eai.logic.formula import Atom, Formula, Variable, atoms
from eai.pddl.model import Domain
from eai.world.action import Action
from eai.world.bits import bits, mask_of
from eai.world.compiler import Updates
from eai.world.state import State
from eai.world.transition import World

__all__ = ["Step", "Steps", "as_plan", "related", "without_doubles"]

_FEW = 3
"""An object is closely related to others by a relation in which it has at most so many."""

Step = tuple[str, tuple[int, ...]]
"""Name of an operator, and the numbers of its arguments, the agent first."""

_Cell = tuple[int, object, object]
_Test = Callable[..., bool]

_AGENT, _ARGUMENT = Variable("?agent"), Variable("?argument")


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
        self._objects = list(bits(mask))
        self._places: dict[_Cell, int] = {}
        self._lines: dict[tuple[int, int, object, int], int] = {}

    def possible(self, state: State) -> Iterator[tuple[Step, int]]:
        """Yield the actions that can be taken in a state, each with what it changes.

        Args:
            state: The state.

        Yields:
            An action that changes something, and the atoms that change as a mask. They are
            numbered as they come up, for all states in the same way.
        """
        passed: dict[object, int] = {}
        for schema in self._schemas:
            for numbers in schema.applicable(state, self._objects, passed):
                changed = self._changed(state, *schema.effect(state, *numbers))
                if changed:
                    yield (schema.name, numbers), changed

    def after(self, state: State, step: Step) -> State:
        """The state that an action leads to."""
        following = state.copy()
        self._world.apply(following, *step)
        return following

    def _changed(self, state: State, adds: Updates, dels: Updates) -> int:
        """What becomes true, and what becomes false; only atoms that hold are deleted."""
        added = made = removed = 0
        for p, column, key, mask in adds:
            if p in self._relations:
                made |= self._line(p, column, key, mask & ~_true(state, p, column, key))
                added |= self._line(p, column, key, mask)
        for p, column, key, mask in dels:
            if p in self._relations:
                removed |= self._line(p, column, key, mask)
        return made | removed & ~added

    def _line(self, p: int, column: int, key: object, mask: int) -> int:
        """The atoms of one row or column as a mask of their numbers."""
        found = self._lines.get((p, column, key, mask))
        if found is None:
            places, found = self._places, 0
            for number in bits(mask):
                cell: _Cell = (p, number, key) if column else (p, key, number)
                found |= 1 << places.setdefault(cell, len(places))
            self._lines[p, column, key, mask] = found
        return found


def _true(state: State, p: int, column: int, key: object) -> int:
    """The atoms of one row or column that hold."""
    if key is None:
        return state.unary[p]
    if isinstance(key, int):
        return (state.cols if column else state.rows)[p][key]
    return state.wide[p].get(key, 0)  # type: ignore[call-overload, no-any-return]


class _Tests(NamedTuple):
    """Tests by what they ask about: the agent alone, one more argument each, or several.

    The tests about one argument stand beside an object that is the same for equal conditions on
    an argument, whatever its operator and place.
    """

    agent: list[_Test]
    one: list[list[tuple[object, _Test]]]
    more: list[_Test]


@lru_cache(maxsize=4096)
def _tests(world: World, name: str) -> tuple[_Tests, _Tests]:
    """The tests of an operator that no action can change the outcome of, and the others."""
    compiled, fluents = world.operator(name), world.domain.fluents
    names = [variable.name for variable in compiled.operator.parameters]
    found = [_Tests([], [[] for _ in names[1:]], []) for _ in range(2)]
    for test, function in zip(compiled.tests, compiled.test_functions, strict=True):
        group = found[any(isinstance(a, Atom) and a.predicate in fluents for a in atoms(test))]
        about = {names.index(v.name) for v in test.free} - {0}
        if len(about) > 1:
            group.more.append(function)
        elif about:
            (at,) = about
            lifted = test.substitute({names[0]: _AGENT, names[at]: _ARGUMENT})
            group.one[at - 1].append((_identity(lifted), _about_one(function, at, len(names))))
        else:
            group.agent.append(_about_agent(function, len(names)))
    return found[0], found[1]


@lru_cache(maxsize=4096)
def _identity(condition: Formula) -> object:  # noqa: ARG001 - the cache compares it
    """One object for all equal conditions; to compare conditions takes longer."""
    return object()


def _about_agent(function: _Test, count: int) -> _Test:
    return lambda state, agent: function(state, *(agent,) * count)


def _about_one(function: _Test, at: int, count: int) -> _Test:
    """A test that looks at one argument only; it does not matter what stands for the others."""
    behind = count - at - 1
    if at == 1 and not behind:
        return function
    return lambda state, agent, n: function(state, *(agent,) * at, n, *(agent,) * behind)


class _Schema:
    """The actions with one operator."""

    def __init__(self, world: World, state: State, name: str, agent: int, mask: int) -> None:
        compiled, universe = world.operator(name), state.universe
        static, self._tests = _tests(world, name)
        self._more = static.more + self._tests.more
        self._agent = agent
        self.name = name
        self.effect = compiled.effect
        first, *rest = compiled.operator.parameters
        ranges = [universe.mask(variable.types) & mask for variable in rest]
        acts = universe.mask(first.types) >> agent & 1
        acts = acts and all(test(state, agent) for test in static.agent)
        left = self._left(state, static, ranges, list(bits(mask)), {}) if acts else None
        self._ranges = left

    def applicable(
        self, state: State, objects: Sequence[int], passed: dict[object, int]
    ) -> Iterator[tuple[int, ...]]:
        """Yield the arguments for which the precondition holds, the agent first."""
        agent = self._agent
        if self._ranges is None or not all(test(state, agent) for test in self._tests.agent):
            return
        ranges = self._left(state, self._tests, self._ranges, objects, passed)
        more = self._more
        for others in product(*map(bits, ranges)):
            numbers = (agent, *others)
            if not more or all(test(state, *numbers) for test in more):
                yield numbers

    def _left(
        self,
        state: State,
        tests: _Tests,
        ranges: Sequence[int],
        objects: Sequence[int],
        passed: dict[object, int],
    ) -> list[int]:
        """The arguments that pass by themselves; ``passed`` keeps who did in this state."""
        agent, left = self._agent, list(ranges)
        for at, mine in enumerate(tests.one):
            for condition, test in mine:
                if condition not in passed:
                    passed[condition] = mask_of(n for n in objects if test(state, agent, n))
                left[at] &= passed[condition]
        return left
