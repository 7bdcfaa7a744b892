"""From a state of a world to a subgoal: breadth-first search over few objects, then over more.

A world has hundreds of objects, a subgoal is about a few. The first round uses the objects that
the subgoal mentions and what they are closely related to; every further round adds what those
are related to. Actions run in the world itself, so a plan that is found is a plan, and the
shortest one over the objects of its round.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import product
from math import prod
from operator import itemgetter
from typing import Literal, NamedTuple

from eai.budget import Budget, Meter
from eai.errors import InputError
from eai.logic import Atom, Formula, Variable, atoms, objects_of
from eai.pddl import Domain, clauses
from eai.planning.achievers import relevant
from eai.world import Action, State, Updates, World, mask_of
from eai.world.bits import bits

_FEW = 3
"""An object is closely related to others by a relation in which it has at most so many."""

Step = tuple[str, tuple[int, ...]]
"""Name of an operator, and the numbers of its arguments, the agent first."""

_Cell = tuple[int, object, object]
_Test = Callable[..., bool]
_Members = Callable[[State, int, int], int]
_Picker = Callable[[tuple[int, ...]], object]
_Effect = Callable[..., tuple[Updates, Updates]]

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
    """The states that an agent can reach by actions over some objects, each looked at once.

    A state is known by the atoms in which it differs from the first one, as a mask, among those
    that matter; the first is 0. What can be done in a state, and what that changes, depends on
    nothing else.

    Args:
        world: The world.
        state: Where a search starts; objects keep their static properties from here on.
        agent: Number of the agent, the first argument of every action.
        operators: Names of the operators.
        mask: Numbers of the objects that the other arguments may be, as a mask.
        predicates: Names of the predicates whose changes matter; all if None.
        meter: Counts the states that are looked at and, for each action that can be taken in one,
            its effects; what it raises goes to the caller.
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
        meter: Meter | None = None,
    ) -> None:
        self._world = world
        self._meter = meter or Budget.unlimited().meter()
        self._mask = mask
        self._agent = agent
        found = (_Schema(world, state, name, agent, mask) for name in operators)
        self._schemas = [schema for schema in found if schema.acts]
        index = state.layout.index
        wanted = index if predicates is None else predicates.intersection(index)
        self._relations = mask_of(index[name] for name in wanted)
        self._numbers: dict[_Cell, int] = {}
        self._lines: dict[tuple[int, int, object, int], int] = {}
        self._states = {0: state}
        self._following: dict[int, list[tuple[Step, int]]] = {}

    def following(self, differing: int) -> list[tuple[Step, int]]:
        """List the actions that can be taken in a state, each with what it changes.

        Args:
            differing: A state that was seen.

        Returns:
            Actions that change something, and the atoms that change as a mask. They are
            numbered as they come up, for all states in the same way.
        """
        found = self._following.get(differing)
        if found is not None:
            return found
        self._meter.count_states()
        # Every operator is looked at for every object.
        self._meter.count_instances(len(self._schemas) * self._mask.bit_count())
        state = self._states[differing]
        # What a condition says of an object is worked out once for all operators that ask it: the
        # objects that were looked at, and those that pass.
        passed: dict[object, tuple[int, int]] = {}
        found = self._following[differing] = []
        for schema in self._schemas:
            found += self._possible(state, schema, passed)
        return found

    def state(self, differing: int, before: int, step: Step | None) -> State:
        """Return a state; ``step`` leads to it from the state ``before``."""
        found = self._states.get(differing)
        if found is None:
            assert step is not None  # noqa: S101 - the first state is known
            found = self._states[differing] = self._after(self._states[before], step)
        return found

    def _possible(
        self, state: State, schema: _Schema, passed: dict[object, tuple[int, int]]
    ) -> list[tuple[Step, int]]:
        """The actions with one operator that can be taken in a state, and what they change."""
        agent = self._agent
        if not all(test(state, agent) for test in schema.tests.agent):
            return []
        left = schema.left(state, schema.tests, schema.ranges, passed)
        self._meter.count_instances(prod([each.bit_count() for each in left]) * schema.size)
        found: list[tuple[Step, int]] = []
        name, more = schema.name, schema.more
        parts: list[tuple[_Picker, _Effect, dict[object, int]]]
        parts = [(about, effect, {}) for about, effect in schema.effects]
        for others in product(*map(_members, left)):
            numbers = (agent, *others)
            if more and not all(test(state, *numbers) for test in more):
                continue
            changed = 0
            for about, effect, learnt in parts:
                key = about(numbers)
                part = learnt.get(key)
                if part is None:
                    part = learnt[key] = self._changed(state, *effect(state, *numbers))
                changed |= part
            if changed:
                found.append(((name, numbers), changed))
        return found

    def _changed(self, state: State, adds: Updates, dels: Updates) -> int:
        """What becomes true, and what becomes false; only atoms that hold are deleted."""
        relations, lines = self._relations, self._lines
        made = removed = 0
        for line in dels:
            if relations >> line[0] & 1:
                known = lines.get(line)
                removed |= self._line(line) if known is None else known
        for line in adds:
            p, column, key, mask = line
            if not relations >> p & 1:
                continue
            if removed:  # what is deleted and added stays
                known = lines.get(line)
                removed &= ~(self._line(line) if known is None else known)
            if key is None:
                new = mask & ~state.unary[p]
            elif isinstance(key, int):
                new = mask & ~(state.cols if column else state.rows)[p][key]
            else:
                new = mask & ~state.wide[p].get(key, 0)  # type: ignore[call-overload]
            if new:
                known = lines.get((p, column, key, new))
                made |= self._line((p, column, key, new)) if known is None else known
        return made | removed

    def _after(self, state: State, step: Step) -> State:
        following = state.copy()
        changes = self._world.apply(following, *step)
        if state.memo:
            # A derived predicate keeps its extension if nothing that it depends on has changed.
            changed = mask_of({change[0] for change in changes})
            depends = self._world.depends
            for p, extension in state.memo.items():
                if not depends(p) & changed:
                    following.memo[p] = extension
        return following

    def _line(self, line: tuple[int, int, object, int]) -> int:
        """The atoms of one row or column as a mask of their numbers."""
        p, column, key, mask = line
        numbers, found = self._numbers, 0
        for number in bits(mask):
            cell: _Cell = (p, number, key) if column else (p, key, number)
            found |= 1 << numbers.setdefault(cell, len(numbers))
        self._lines[line] = found
        return found


class _Tests(NamedTuple):
    """Tests by what they ask about: the agent alone, one more argument each, or several.

    The tests about one argument stand beside an object that is the same for equal conditions on
    an argument, whatever its operator and place.
    """

    agent: list[_Test]
    one: list[list[tuple[object, _Members]]]
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
            members = _about_one(function, at, len(names))
            group.one[at - 1].append((_identity(lifted), members))
        else:
            group.agent.append(_about_agent(function, len(names)))
    return found[0], found[1]


@lru_cache(maxsize=4096)
def _identity(condition: Formula) -> object:  # noqa: ARG001 - the cache compares it
    """One object for all equal conditions; to compare conditions takes longer."""
    return object()


@lru_cache(maxsize=65536)
def _members(mask: int) -> tuple[int, ...]:
    return tuple(bits(mask))


def _about_agent(function: _Test, count: int) -> _Test:
    return lambda state, agent: function(state, *(agent,) * count)


def _about_one(function: _Test, at: int, count: int) -> _Members:
    """The objects that pass a test about one argument; what stands for the others is the same.

    Objects are tested one by one, because a test ends at the first witness of a quantifier: rules
    of derived predicates nest four of them, and the set of all that satisfy such a condition takes
    a thousand times as long.
    """
    behind = count - at - 1

    def members(state: State, agent: int, mask: int) -> int:
        before, after = (agent,) * at, (agent,) * behind
        return mask_of([n for n in _members(mask) if function(state, *before, n, *after)])

    return members


def _picker(locations: tuple[int, ...]) -> _Picker:
    """Function that takes the arguments at some places out of all; the agent is always the same."""
    rest = [place for place in locations if place]
    return itemgetter(*rest) if rest else itemgetter(0)


@lru_cache(maxsize=4096)
def _size(world: World, name: str) -> int:
    """The number of an operator's effects, each with its condition."""
    operator = world.domain.operators[name]
    return 1 + len(list(clauses(operator.effect, [each.name for each in operator.parameters])))


class _Schema:
    """The actions with one operator."""

    def __init__(self, world: World, state: State, name: str, agent: int, mask: int) -> None:
        compiled, universe = world.operator(name), state.universe
        static, self.tests = _tests(world, name)
        self.more = static.more + self.tests.more
        self._agent = agent
        self.name = name
        self.effects = [(_picker(numbers), effect) for numbers, effect in compiled.effects]
        self.size = _size(world, name)
        first, *rest = compiled.operator.parameters
        ranges = [universe.mask(variable.types) & mask for variable in rest]
        acts = universe.mask(first.types) >> agent & 1
        self.acts = bool(acts and all(test(state, agent) for test in static.agent))
        if self.acts:
            self.ranges = self.left(state, static, ranges, {})
            self.acts = all(self.ranges)

    def left(
        self,
        state: State,
        tests: _Tests,
        ranges: Sequence[int],
        passed: dict[object, tuple[int, int]],
    ) -> list[int]:
        """The arguments that pass by themselves; ``passed`` keeps who did in this state."""
        left = list(ranges)
        for at, mine in enumerate(tests.one):
            for condition, members in mine:
                seen, found = passed.get(condition, (0, 0))
                if new := left[at] & ~seen:
                    found |= members(state, self._agent, new)
                    passed[condition] = seen | new, found
                left[at] &= found
        return left


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
    meter: Meter | None = None,
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
        meter: Counts what is looked at; what it raises goes to the caller.

    Returns:
        The plan, or the bound that ended the search.

    Raises:
        InputError: If the formula has free or unknown names; if a bound is not positive.
        UnknownNameError: If an object or an operator is not known.
    """
    limits = bounds or Bounds()
    for name in ("actions", "states", "objects"):
        if getattr(limits, name) < 1:
            raise InputError(
                f"the bound {name} is {getattr(limits, name)}", expected="a whole number from 1"
            )
    if world.holds(state, formula):
        return SubgoalSearch((), state, None, 0, ())
    names = None if actions is None else tuple(actions)
    search = _Search(world, state, formula, agent, names, limits, meter)
    about = map(state.universe.number, {*objects_of(formula), *objects, agent})
    return search.rounds(mask_of(about))


class _Search:
    """The rounds of one search."""

    def __init__(
        self,
        world: World,
        state: State,
        formula: Formula,
        agent: str,
        names: tuple[str, ...] | None,
        bounds: Bounds,
        meter: Meter | None,
    ) -> None:
        found = relevant(world, formula, names)
        # Without a parameter an operator is no action of an agent.
        acting = [name for name in found.operators if world.domain.operators[name].parameters]
        self.meter = meter or Budget.unlimited().meter()
        self.steps = partial(
            Steps,
            world,
            state,
            state.universe.number(agent),
            operators=without_doubles(world.domain, acting),
            predicates=found.predicates,
            meter=self.meter,
        )
        self.test = world.test_of(formula, state.universe)
        self.start = state
        self.bounds = bounds
        self.expanded = 0
        self.cost = world.instances(formula, state.universe)
        self.meter.count_instances(self.cost)

    def rounds(self, mask: int) -> SubgoalSearch:
        """Search over the objects of the mask and what they are related to, then over more."""
        everything = self.start.universe.everything
        mask |= related(self.start, mask)
        while True:
            plan, state, bound = self._round(self.steps(mask=mask))
            wider = mask | related(self.start, mask)
            if wider == mask:
                wider = everything
            if plan is None and bound != "states" and mask != everything:
                if wider.bit_count() <= self.bounds.objects:
                    mask = wider
                    continue
                bound = "objects"
            names = tuple([self.start.universe.names[i] for i in bits(mask)])
            return SubgoalSearch(plan, state, bound, self.expanded, names)

    def _round(
        self, steps: Steps
    ) -> tuple[
        tuple[Action, ...] | None, State | None, Literal["actions", "states", "objects"] | None
    ]:
        """Search breadth-first; returns a plan and where it leads, or the bound that ended it.

        A state stands for all that differ from the first one in the same atoms that matter.
        """
        seen: dict[int, tuple[int, Step] | None] = {0: None}
        queue = deque([(0, 0)])
        while queue:
            differing, depth = queue.popleft()
            if depth == self.bounds.actions:
                return None, None, "actions"
            if self.expanded >= self.bounds.states:
                return None, None, "states"
            self.expanded += 1
            for step, changed in steps.following(differing):
                key = differing ^ changed
                if key in seen:
                    continue
                seen[key] = (differing, step)
                after = steps.state(key, differing, step)
                self.meter.count_instances(self.cost)
                if self.test(after):
                    plan: list[Step] = []
                    while (before := seen[key]) is not None:
                        key, step = before  # noqa: PLW2901 - the way back
                        plan.append(step)
                    return as_plan(reversed(plan), self.start), after, None
                queue.append((key, depth + 1))
        return None, None, None
