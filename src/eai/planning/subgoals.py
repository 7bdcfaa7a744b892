"""From a state of a world to a subgoal: breadth-first search over few objects, then over more.

A world has hundreds of objects, a subgoal is about a few. The first round uses the objects that
the subgoal mentions and what they are closely related to; every further round adds what those
are related to. Actions run in the world itself, so a plan that is found is a plan, and the
shortest one over the objects of its round.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Literal

from eai.errors import InputError
from eai.logic.formula import Atom, Formula, atoms, objects_of
from eai.pddl.model import Domain
from eai.planning.relevance import Relevance, relevance
from eai.world.action import Action
from eai.world.bits import bits, mask_of
from eai.world.state import Change, State
from eai.world.transition import World

__all__ = ["Bounds", "SubgoalSearch", "reach"]

_FEW = 3
"""An object is closely related to others by a relation in which it has at most so many."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far to search.

    Args:
        actions: Longest plan.
        states: States that may be expanded in all rounds together.
        objects: Objects that actions may be about; a round with more is not begun, except the
            first.
    """

    actions: int = 8
    states: int = 3000
    objects: int = 40


@dataclass(frozen=True, slots=True)
class SubgoalSearch:
    """What came of a search.

    Args:
        plan: The actions, without the agent; None if none was found.
        state: The state that they lead to; None if none was found.
        bound: The bound that ended the search without a plan: ``"actions"``, ``"states"`` or
            ``"objects"``; None if a plan was found, or if there is none at all: every state
            that actions over all objects lead to was seen.
        expanded: States that were expanded.
        objects: Names of the objects that actions of the last round were about.
    """

    plan: tuple[Action, ...] | None
    state: State | None
    bound: Literal["actions", "states", "objects"] | None
    expanded: int
    objects: tuple[str, ...]

    @property
    def found(self) -> bool:
        """Whether there is a plan."""
        return self.plan is not None


def reach(
    world: World,
    state: State,
    formula: Formula,
    *,
    agent: str,
    bounds: Bounds | None = None,
    objects: Iterable[str] = (),
    actions: Iterable[str] | None = None,
) -> SubgoalSearch:
    """Find a shortest way to make a formula true.

    Args:
        world: The world.
        state: Where to start; it is not changed.
        formula: A closed condition without temporal operators.
        agent: The object that acts: the first argument of every action.
        bounds: How far to search.
        objects: Objects that the first round uses besides those of the formula.
        actions: Names of the operators that may be used; all that can matter if None.

    Returns:
        The plan, or the bound that ended the search.

    Raises:
        InputError: If the formula has free or unknown names; if a bound is not positive.
        UnknownNameError: If an object or an operator is not known.
    """
    limits = bounds or Bounds()
    if min(limits.actions, limits.states, limits.objects) < 1:
        raise InputError("a bound is not positive", expected="whole numbers from 1")
    if world.holds(state, formula):
        return SubgoalSearch((), state, None, 0, ())
    names = None if actions is None else tuple(actions)
    search = _Search(world, state, formula, agent=agent, bounds=limits, names=names)
    mask = _mask(state, {*objects_of(formula), *objects}) | 1 << state.universe.number(agent)
    return search.rounds(mask)


@dataclass(frozen=True, slots=True)
class _Step:
    """An action over object numbers that static conditions allow."""

    name: str
    numbers: tuple[int, ...]


_Cells = frozenset[tuple[int, object, object]]
"""The atoms that matter in which a state differs from the first one."""


class _OutOfStatesError(Exception):
    """So many states were expanded as are allowed."""


class _Search:
    """The rounds of one search."""

    def __init__(
        self,
        world: World,
        state: State,
        formula: Formula,
        *,
        agent: str,
        bounds: Bounds,
        names: tuple[str, ...] | None,
    ) -> None:
        relevant = _relevance(world, formula, names)
        self.operators = _different(world.domain, relevant.operators)
        index = state.layout.index
        self.relations = {index[name] for name in relevant.predicates if name in index}
        self.world = world
        self.start = state
        self.formula = formula
        self.agent = state.universe.number(agent)
        self.bounds = bounds
        self.expanded = 0

    def rounds(self, mask: int) -> SubgoalSearch:
        """Search over the objects of the mask and what they are related to, then over more."""
        mask |= self._related(mask)
        while True:
            try:
                found, deeper = self._round(self._steps(mask))
            except _OutOfStatesError:
                return self._result(None, "states", mask)
            if found is not None:
                return self._result(found, None, mask)
            if mask == self.start.universe.everything:
                return self._result(None, "actions" if deeper else None, mask)
            wider = mask | self._related(mask)
            if wider == mask:
                wider = self.start.universe.everything
            if wider.bit_count() > self.bounds.objects:
                return self._result(None, "objects", mask)
            mask = wider

    def _result(
        self,
        found: tuple[tuple[Action, ...], State] | None,
        bound: Literal["actions", "states", "objects"] | None,
        mask: int,
    ) -> SubgoalSearch:
        plan, state = found or (None, None)
        names = self.start.universe.names
        return SubgoalSearch(plan, state, bound, self.expanded, tuple(names[i] for i in bits(mask)))

    def _related(self, mask: int) -> int:
        """Objects to which few others are related in the same way."""
        found = 0
        for p in self.start.layout.binary:
            for lines in (self.start.rows[p], self.start.cols[p]):
                for number in bits(mask):
                    line = lines[number]
                    if line and line.bit_count() <= _FEW:
                        found |= line
        return found

    def _steps(self, mask: int) -> list[_Step]:
        """Actions of the agent over the objects of the mask that static conditions allow."""
        return [step for name in self.operators for step in self._instances(name, mask)]

    def _instances(self, name: str, mask: int) -> Iterator[_Step]:
        compiled, universe = self.world.operator(name), self.start.universe
        first, *rest = compiled.operator.parameters or (None,)
        if first is None or not universe.mask(first.types) >> self.agent & 1:
            return
        fluents = self.world.domain.fluents
        static = [
            test
            for condition, test in zip(compiled.tests, compiled.test_functions, strict=True)
            if not any(isinstance(a, Atom) and a.predicate in fluents for a in atoms(condition))
        ]
        ranges = [list(bits(universe.mask(variable.types) & mask)) for variable in rest]
        for others in product(*ranges):
            numbers = (self.agent, *others)
            if all(test(self.start, *numbers) for test in static):
                yield _Step(name, numbers)

    def _round(
        self, steps: Sequence[_Step]
    ) -> tuple[tuple[tuple[Action, ...], State] | None, bool]:
        """Search breadth-first; returns what was found, and whether longer plans were left out."""
        empty: _Cells = frozenset()
        seen: dict[_Cells, tuple[_Cells, _Step] | None] = {empty: None}
        queue = deque([(self.start, empty, 0)])
        while queue:
            state, cells, depth = queue.popleft()
            if depth == self.bounds.actions:
                return None, True
            self._count()
            for step, after, changed in self._successors(state, steps):
                key = cells ^ changed
                if key in seen:
                    continue
                seen[key] = (cells, step)
                if self.world.holds(after, self.formula):
                    return (self._plan(key, seen), after), False
                queue.append((after, key, depth + 1))
        return None, False

    def _count(self) -> None:
        if self.expanded >= self.bounds.states:
            raise _OutOfStatesError
        self.expanded += 1

    def _successors(
        self, state: State, steps: Iterable[_Step]
    ) -> Iterator[tuple[_Step, State, _Cells]]:
        world = self.world
        for step in steps:
            if world.first_failure(state, step.name, step.numbers) < 0:
                after = state.copy()
                changed: _Cells = frozenset()
                for change in world.apply(after, step.name, step.numbers):
                    if change[0] in self.relations:
                        changed ^= frozenset(_cells(change))
                if changed:
                    yield step, after, changed

    def _plan(
        self, cells: _Cells, seen: dict[_Cells, tuple[_Cells, _Step] | None]
    ) -> tuple[Action, ...]:
        names, plan = self.start.universe.names, list[Action]()
        while (before := seen[cells]) is not None:
            cells, step = before
            plan.append(Action(step.name, tuple(names[i] for i in step.numbers[1:])))
        return tuple(reversed(plan))


@lru_cache(maxsize=4096)
def _relevance(world: World, formula: Formula, names: tuple[str, ...] | None) -> Relevance:
    return relevance(world.domain, [formula], operators=names)


def _different(domain: Domain, names: Iterable[str]) -> tuple[str, ...]:
    """Leave out operators that differ from an earlier one in nothing but their name."""
    first: dict[object, str] = {}
    for name in names:
        one = domain.operators[name]
        first.setdefault((one.parameters, one.precondition, one.effect), name)
    return tuple(first.values())


def _cells(change: Change) -> Iterator[tuple[int, object, object]]:
    p, column, key, mask, _ = change
    return ((p, number, key) if column else (p, key, number) for number in bits(mask))


def _mask(state: State, names: Iterable[str]) -> int:
    return mask_of(state.universe.number(name) for name in names)
