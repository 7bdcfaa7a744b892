"""The states that an agent reaches by actions over few of a world's hundreds of objects.

Actions run in the world itself, so a plan that is found is a plan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import permutations, product, starmap
from math import prod
from operator import itemgetter
from typing import NamedTuple

from eai.budget import Budget, Meter
from eai.logic import Atom, Formula, Term, Variable, atoms, conjuncts
from eai.pddl import Clause, Domain, Operator, clauses
from eai.world import Action, State, Updates, World, mask_of
from eai.world.bits import bits, union

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


@lru_cache(maxsize=1024)
def _superfluous(
    world: World, names: tuple[str, ...], predicates: frozenset[str]
) -> frozenset[str]:
    """Operators that do nothing that an earlier one does not do, which asks for no more.

    To put something on a table and next to a cup does no more than to put it on the table, where
    nothing asks what it is next to.
    """
    kept: dict[object, list[Operator]] = {}
    found = set()
    for name in names:
        operator = world.domain.operators[name]
        asked, done = _renamed(operator, tuple(range(len(operator.parameters))), predicates)
        alike = kept.setdefault(frozenset((each.added, each.atom.predicate) for each in done), [])
        if any(_covers(one, operator, asked, done, predicates) for one in alike):
            found.add(name)
        else:
            alike.append(operator)
    return frozenset(found)


def _covers(
    one: Operator,
    other: Operator,
    asked: frozenset[Formula],
    done: frozenset[Clause],
    predicates: frozenset[str],
) -> bool:
    """Whether actions with an operator do the same as those with another, and ask for no more."""
    types = [each.types for each in one.parameters]
    for behind in permutations(range(1, len(other.parameters)), max(0, len(types) - 1)):
        numbers = (0, *behind)[: len(types)]
        if types == [other.parameters[number].types for number in numbers]:
            mine, does = _renamed(one, numbers, predicates)
            if mine <= asked and does == done:
                return True
    return False


def _renamed(
    operator: Operator, numbers: tuple[int, ...], predicates: frozenset[str]
) -> tuple[frozenset[Formula], frozenset[Clause]]:
    """What an operator asks for and does to predicates, with numbers as names of parameters."""
    names = [parameter.name for parameter in operator.parameters]
    named: dict[str, Term] = {
        name: Variable(f"?{number}") for name, number in zip(names, numbers, strict=True)
    }
    asked = (each.substitute(named) for each in conjuncts(operator.precondition))
    done = (
        (variables, condition.substitute(named), added, atom.substitute(named))
        for variables, condition, added, atom in clauses(operator.effect, names)
        if atom.predicate in predicates
    )
    return frozenset(asked), frozenset(starmap(Clause, done))


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
        names = tuple(operators)
        found = (_Schema(world, state, name, agent, mask) for name in names)
        self._schemas = [schema for schema in found if schema.acts]
        # What these do is not worked out. It counts all the same: a budget is not worth more
        # where more is left out.
        self._superfluous = _superfluous(world, names, predicates) if predicates else frozenset()
        index = state.layout.index
        wanted = index if predicates is None else predicates.intersection(index)
        self._relations = mask_of(index[name] for name in wanted)
        self._numbers: dict[_Cell, int] = {}
        # The numbers of the atoms of each predicate, as masks.
        self._atoms = [0] * len(index)
        self._masks: dict[int, int] = {}
        self._lines: dict[tuple[int, int, object, int], int] = {}
        self._states = {0: state}
        self._following: dict[int, list[tuple[Step, int]]] = {}
        # What was worked out of states, by the part of them that it depends on.
        self._acting: dict[tuple[str, int], bool] = {}
        self._passed: dict[tuple[object, int], list[int]] = {}
        self._found: dict[tuple[str, int], tuple[int, list[tuple[Step, int]]]] = {}

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
        looked, found = _Looked(self._states[differing], differing, {}, {}), []
        for schema in self._schemas:
            found += self._possible(schema, looked)
        self._following[differing] = found
        return found

    def state(self, differing: int, before: int, step: Step | None) -> State:
        """Return a state; ``step`` leads to it from the state ``before``."""
        found = self._states.get(differing)
        if found is None:
            assert step is not None  # noqa: S101 - the first state is known
            found = self._states[differing] = self._after(self._states[before], step)
        return found

    def _part(self, reads: int, differing: int) -> int:
        """What a state differs in, in some predicates: all that a condition on these depends on."""
        mask = self._masks.get(reads)
        if mask is None:
            numbers = union([self._atoms[p] for p in bits(reads & self._relations)])
            mask = self._masks[reads] = -1 if reads < 0 else numbers
        return differing & mask

    def _possible(self, schema: _Schema, looked: _Looked) -> list[tuple[Step, int]]:
        """The actions with one operator that can be taken in a state, and what they change."""
        state, agent, differing = looked.state, self._agent, looked.differing
        if not self._acts(schema, looked):
            return []
        key = schema.name, self._part(schema.reads, differing)
        known = self._found.get(key)
        if known is not None:
            self._meter.count_instances(known[0])
            return known[1]
        left = looked.left.get(schema.alike)
        if left is None:
            left = looked.left[schema.alike] = self._left(schema, looked)
        count = prod([each.bit_count() for each in left]) * schema.size
        self._meter.count_instances(count)
        found: list[tuple[Step, int]] = []
        name, more = schema.name, schema.more
        if name in self._superfluous:
            left = [0]
        parts: list[tuple[_Picker, _Effect, dict[object, int]]]
        parts = [(about, effect, {}) for about, effect in schema.effects]
        for others in product(*map(_members, left)):
            numbers = (agent, *others)
            if more and not all(test(state, *numbers) for test in more):
                continue
            changed = 0
            for about, effect, learnt in parts:
                arguments = about(numbers)
                change = learnt.get(arguments)
                if change is None:
                    change = self._changed(state, *effect(state, *numbers))
                    learnt[arguments] = change
                changed |= change
            if changed:
                found.append(((name, numbers), changed))
        self._found[key] = count, found
        return found

    def _acts(self, schema: _Schema, looked: _Looked) -> bool:
        """Whether the tests that are about the agent alone are passed."""
        tests, reads = schema.tests.agent
        if not tests:
            return True
        key = schema.name, self._part(reads, looked.differing)
        acts = self._acting.get(key)
        if acts is None:
            acts = all(test(looked.state, self._agent) for test in tests)
            self._acting[key] = acts
        return acts

    def _left(self, schema: _Schema, looked: _Looked) -> list[int]:
        """The arguments that pass by themselves."""
        left = list(schema.ranges)
        for at, mine in enumerate(schema.tests.one):
            for condition, members, reads in mine:
                passed = looked.passed.get(condition)
                if passed is None:
                    key = condition, self._part(reads, looked.differing)
                    passed = looked.passed[condition] = self._passed.setdefault(key, [0, 0])
                if new := left[at] & ~passed[0]:
                    passed[0] |= new
                    passed[1] |= members(looked.state, self._agent, new)
                left[at] &= passed[1]
        return left

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
        numbers, found, before = self._numbers, 0, len(self._numbers)
        for number in bits(mask):
            cell: _Cell = (p, number, key) if column else (p, key, number)
            found |= 1 << numbers.setdefault(cell, len(numbers))
        if len(numbers) > before:
            self._atoms[p] |= found
            self._masks.clear()
        self._lines[line] = found
        return found


class _Looked(NamedTuple):
    """What is looked at of a state.

    Args:
        state: The state.
        differing: What it differs in from the first one.
        passed: Condition to the objects that were looked at, and to those that pass.
        left: Class of operators with the same tests to the objects that pass all of them.
    """

    state: State
    differing: int
    passed: dict[object, list[int]]
    left: dict[object, list[int]]


class _Tests(NamedTuple):
    """Tests by what they ask about: the agent alone, one more argument each, or several.

    Beside them stand the predicates that they depend on, as a mask. The tests about one argument
    stand beside an object that is the same for equal conditions on an argument, whatever its
    operator and place.
    """

    agent: tuple[list[_Test], int]
    one: list[list[tuple[object, _Members, int]]]
    more: list[_Test]


@lru_cache(maxsize=4096)
def _tests(world: World, name: str) -> tuple[_Tests, _Tests]:
    """The tests of an operator that no action can change the outcome of, and the others."""
    compiled, fluents = world.operator(name), world.domain.fluents
    names = [variable.name for variable in compiled.operator.parameters]
    found = [_Tests(([], 0), [[] for _ in names[1:]], []) for _ in range(2)]
    for test, function in zip(compiled.tests, compiled.test_functions, strict=True):
        fluent = any(isinstance(a, Atom) and a.predicate in fluents for a in atoms(test))
        group, about = found[fluent], {names.index(v.name) for v in test.free} - {0}
        if len(about) > 1:
            group.more.append(function)
        elif about:
            (at,) = about
            lifted = test.substitute({names[0]: _AGENT, names[at]: _ARGUMENT})
            members = _about_one(function, at, len(names))
            group.one[at - 1].append((_identity(lifted), members, _reads(world, [test])))
        else:
            group.agent[0].append(_about_agent(function, len(names)))
            reads = group.agent[1] | _reads(world, [test])
            found[fluent] = group._replace(agent=(group.agent[0], reads))
    return found[0], found[1]


def _reads(world: World, conditions: Iterable[Formula]) -> int:
    """The stored predicates that conditions depend on, as a mask; negative: any."""
    names = {a.predicate for each in conditions for a in atoms(each) if isinstance(a, Atom)}
    return union([world.depends(world.layout.index[name]) for name in names])


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
def _size_and_reads(world: World, name: str) -> tuple[int, int]:
    """The number of an operator's effects, and the predicates that its actions depend on."""
    operator = world.domain.operators[name]
    effects = list(clauses(operator.effect, [each.name for each in operator.parameters]))
    looked_at = [each for clause in effects for each in (clause.condition, clause.atom)]
    return 1 + len(effects), _reads(world, [operator.precondition, *looked_at])


class _Schema:
    """The actions with one operator."""

    def __init__(self, world: World, state: State, name: str, agent: int, mask: int) -> None:
        compiled, universe = world.operator(name), state.universe
        static, self.tests = _tests(world, name)
        self.more = static.more + self.tests.more
        self.name = name
        self.effects = [(_picker(numbers), effect) for numbers, effect in compiled.effects]
        self.size, self.reads = _size_and_reads(world, name)
        first, *rest = compiled.operator.parameters
        self.ranges = [universe.mask(variable.types) & mask for variable in rest]
        acts = universe.mask(first.types) >> agent & 1
        self.acts = bool(acts and all(test(state, agent) for test in static.agent[0]))
        for at, mine in enumerate(static.one if self.acts else ()):
            for _, members, _ in mine:
                self.ranges[at] &= members(state, agent, self.ranges[at])
        self.acts = self.acts and all(self.ranges)
        # Operators with the same tests leave the same objects.
        conditions = (tuple(condition for condition, *_ in mine) for mine in self.tests.one)
        self.alike = tuple(self.ranges), tuple(conditions)
