"""The states that an agent reaches by actions over few of a world's hundreds of objects.

Actions run in the world itself, so a plan that is found is a plan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import permutations, product, starmap
from math import prod

from eai.budget import Budget, Meter
from eai.logic import Formula, Term, Variable, conjuncts
from eai.pddl import Clause, Operator, clauses
from eai.planning.space import Condition, Known, Learnt, Schema, Space, Step, members_of, space_of
from eai.world import Action, State, World, mask_of
from eai.world.bits import bits

_FEW = 3
"""An object is closely related to others by a relation in which it has at most so many."""


def related(state: State, mask: int) -> int:
    """Objects to which the objects of a mask have few relations of a kind, as a mask."""
    found = 0
    for p in state.layout.binary:
        for lines in (state.rows[p], state.cols[p]):
            for number in bits(mask):
                line = lines[number]
                if line and line.bit_count() <= _FEW:
                    found |= line
    return found


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
    """Name actions and their arguments; the agent is left out."""
    names = state.universe.names
    return tuple(Action(name, tuple(names[i] for i in numbers[1:])) for name, numbers in steps)


_LONG = 24
"""From so many states on it pays to record what effects and conditions read of them."""


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
        self._meter = meter or Budget.unlimited().meter()
        self._first = state
        self._space = space = space_of(world, state, agent)
        self._base = space.difference(state)
        key = tuple(operators), mask, predicates
        self._around = space.around(key, lambda: _Around(world, space, *key))
        self._following: dict[int, list[tuple[Step, int]]] = {}
        self._made = 0, state

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
        at = differing ^ self._base
        known = self._around.known.get(at)
        if known is None:
            known = self._looked_at(differing, at)
            self._around.known[at] = known
        else:  # another search looked at it: it counts as if this one did
            for count in known[0]:
                self._meter.count_instances(count)
        self._following[differing] = known[1]
        return known[1]

    def _looked_at(self, differing: int, at: int) -> tuple[list[int], list[tuple[Step, int]]]:
        """What is looked at in a state, as numbers for the meter, and its actions."""
        around, space = self._around, self._space
        state = partial(self.state, differing)
        # Every operator is looked at for every object.
        counts = [len(around.choices) * around.mask.bit_count()]
        self._meter.count_instances(counts[0])
        parts = around.parts(at)
        passing = [-1] * len(around.conditions)
        found: list[tuple[Step, int]] = []
        for choice in around.choices:
            acts = choice.schema.acting.get(parts[choice.agent])
            if acts is None:
                acts = choice.schema.test_agent(parts[choice.agent], state(), space.agent)
            left = self._left(choice, passing, at, state) if acts else None
            if left is None:
                continue
            counts.append(choice.schema.size * prod([each.bit_count() for each in left]))
            self._meter.count_instances(counts[-1])
            if not choice.idle:
                found += self._possible(choice, left, parts[choice.effects], at, state)
        if self._made[0] == differing:
            space.keep(self._made[1].memo, at)
        return counts, found

    def _left(
        self, choice: _Choice, passing: list[int], at: int, state: Callable[[], State]
    ) -> tuple[int, ...] | None:
        """The arguments that pass by themselves, as masks; None if one has none."""
        found = []
        around = self._around
        for mask, tested in choice.tested:
            left = mask
            for number in tested:
                passed = passing[number]
                if passed < 0:
                    condition = around.conditions[number]
                    part = self._space.part(condition[2], at)
                    passed = self._space.passing(condition, around.mask, part, state)
                    passing[number] = passed
                left &= passed
            if not left:
                return None
            found.append(left)
        return tuple(found)

    def state(self, differing: int) -> State:
        """Return the state that differs from the first one in some atoms."""
        if not differing:
            return self._first
        if self._made[0] != differing:
            self._made = differing, self._space.state(self._first, self._base, differing)
        return self._made[1]

    def unmet(self, conditions: Iterable[Formula]) -> Callable[[int], int]:
        """Return how many of some closed conditions do not hold, by what a state differs in.

        Each is tested once for equal cases.
        """
        tests, base = list(map(self._space.test, conditions)), self._base

        def count(differing: int) -> int:
            at, found = differing ^ base, 0
            for test in tests:
                value = test.known(at)
                if value is None:
                    value = self._value(test, at, self.state(differing))
                if not value:
                    found += 1
            return found

        return count

    def _value(self, learnt: Learnt, at: int, state: State) -> int:
        """The value of a function; in a short search it is not worth while to keep it."""
        if len(self._following) < _LONG:
            return learnt.function(state)
        return self._space.value(learnt, at, state)

    def _possible(
        self, choice: _Choice, left: tuple[int, ...], part: int, at: int, state: Callable[[], State]
    ) -> list[tuple[Step, int]]:
        """The actions with one operator that can be taken in a state, and what they change."""
        space = self._space
        found = choice.found.get((part, left))
        if found is not None:
            return found
        listed = choice.listed.get(left)
        if listed is None:
            every = product(*map(members_of, left))
            listed = choice.listed[left] = [space.action(choice.schema, each) for each in every]
        more, here, changes = choice.schema.more, dict[Learnt, int](), list[tuple[Step, int]]()
        for step, effects in listed:
            if more and not all(test(state(), *step[1]) for test in more):
                continue
            changed = 0
            for effect in effects:
                value = here.get(effect)
                if value is None:
                    value = effect.known(at)
                    if value is None:
                        value = self._value(effect, at, state())
                    here[effect] = value
                changed |= value
            changes.append((step, changed))
        matters = space.atoms(self._around.relations)
        found = [(step, some) for step, changed in changes if (some := changed & matters)]
        choice.found[part, left] = found
        space.listed += 1 + len(found)
        return found


class _Around:
    """What is known of the states around a start, for some operators and objects."""

    def __init__(
        self,
        world: World,
        space: Space,
        names: tuple[str, ...],
        mask: int,
        predicates: frozenset[str] | None,
    ) -> None:
        self.mask = mask
        # What is looked at in a state, and its actions.
        self.known: dict[int, tuple[list[int], list[tuple[Step, int]]]] = {}
        self._space = space
        # What these do is not worked out. It counts all the same: a budget is not worth more
        # where more is left out.
        superfluous = _superfluous(world, names, predicates) if predicates else frozenset()
        self._reads: dict[int, int] = {}
        self._numbered: dict[object, int] = {}
        self.conditions: list[Condition] = []
        self.choices: list[_Choice] = []
        for name in names:
            schema = space.schema(name)
            ranges = space.ranges(schema, mask) if schema.acts else [0]
            if all(ranges):
                self.choices.append(self._choice(schema, ranges, idle=name in superfluous))
        index = world.layout.index
        wanted = index if predicates is None else predicates.intersection(index)
        self.relations = mask_of(index[name] for name in wanted)

    def parts(self, at: int) -> list[int]:
        """The parts of a state that operators depend on."""
        return [self._space.part(reads, at) for reads in self._reads]

    def _choice(self, schema: Schema, ranges: Sequence[int], *, idle: bool) -> _Choice:
        """Number what operators read and test, so that each is looked at once a state."""
        tested: list[tuple[int, list[int]]] = []
        for mask, mine in zip(ranges, schema.tests.one, strict=True):
            tested.append((mask, []))
            for condition in mine:
                number = self._numbered.setdefault(condition[0], len(self.conditions))
                if number == len(self.conditions):
                    self.conditions.append(condition)
                tested[-1][1].append(number)
        reads = (schema.tests.agent[1], schema.reads)
        agent, effects = (self._reads.setdefault(each, len(self._reads)) for each in reads)
        return _Choice(schema, tested, agent, effects, idle)


@dataclass(slots=True)
class _Choice:
    """The actions with one operator over some objects; those that are idle are only counted."""

    schema: Schema
    tested: list[tuple[int, list[int]]]
    """For each argument the objects that it may be, and numbers of conditions on it."""
    agent: int
    """Number of what the conditions on the agent read; then of what the effects read."""
    effects: int
    idle: bool
    listed: dict[tuple[int, ...], list[Known]] = field(default_factory=dict)
    found: dict[tuple[int, tuple[int, ...]], list[tuple[Step, int]]] = field(default_factory=dict)
