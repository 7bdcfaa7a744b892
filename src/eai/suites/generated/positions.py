"""States on a walk: of the ground task where there is one, else of the engine.

Problems in PDDL are grounded once. A state is then a mask, and the applicable actions are found by
walking down its literals.

In other worlds most actions have far too many instances. There an action is drawn until one can be
done and changes something: about one draw in four is, so that is quicker than listing them. Goals
of one walk leave out other steps of it, and most steps then lead from a known state to a known one,
so the states of a walk are remembered with it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from functools import partial
from itertools import product
from random import Random
from typing import NamedTuple, Protocol

from eai.budget import BeyondBudgetError, Budget
from eai.contract import Settling, TaskWorld
from eai.logic import TRUE, Atom, Variable
from eai.pddl import Problem
from eai.planning import (
    GroundTask,
    Limits,
    Successors,
    declared,
    ground,
    holds,
    objection,
    without_costs,
)
from eai.suites.generated.moves import NEAR, Fact, Move, Schema
from eai.task import Task
from eai.world import (
    Action,
    Change,
    Differences,
    Extension,
    State,
    World,
    changed_literals,
    mask_of,
)
from eai.world.bits import bits

_MAX_TRIES = 400
"""Maximum number of actions that are drawn for a step."""


class Test(NamedTuple):
    """A condition on positions of a walk.

    Args:
        reads: The facts that it depends on, as a mask; in a step that changes nothing of it (see
            :class:`Taken`) its value stays. -1 if that is not known.
        holds: Function of the state of a position.
    """

    reads: int
    holds: Callable[..., bool]


class Taken(NamedTuple):
    """A step that was taken on a walk.

    Args:
        move: The action.
        after: The position behind it.
        changed: The facts that it changed, as a mask like those of tests.
        touched: The objects that it changed facts about, as a mask.
    """

    move: Move
    after: Position
    changed: int
    touched: int


class Position(Protocol):
    """An immutable state on a walk. Two positions are equal if their states are.

    Attributes:
        state: The state on which tests are evaluated.
    """

    @property
    def state(self) -> object:
        """The state."""

    def step(self, random: Random, last: Move | None, seen: Container[Position]) -> Taken | None:
        """Take a random step, mostly about objects of the last one, to a position not seen.

        None if none was found.
        """

    def after(self, move: Move) -> Position | None:
        """Return the position behind an action, the same if it changes nothing.

        None if it cannot be done.
        """

    def test_of(self, fact: Fact) -> Test:
        """Return the test of a fact that is one of the changes of some position."""

    def tests(self, move: Move) -> Sequence[Test]:
        """Return what lets an action do here what it does, as far as some action changes that.

        These are the tests of its precondition, and conditions of its effects, true or false.
        """

    def changes(self) -> set[Fact]:
        """Return what holds, and did not at the start."""


def beginnings(
    task: Task, world: World, kind: TaskWorld, derived: Sequence[str]
) -> Callable[[], Position]:
    """Return a function that returns the first position of a new walk.

    Args:
        task: A task that begins there.
        world: Where plans are run.
        kind: The kind of tasks to generate.
        derived: Derived predicates that goals may be about.
    """
    if not (task.agent or derived or kind.settle or world.layout.functions):
        whole = _ground(task, world)
        if whole is not None:
            return partial(_GroundPosition, _Ground(whole, task.start), whole.initial)
    states = _States(task, world, kind.settle, derived)
    return lambda: _WalkStates(states).first


# ------------------------------------------------------------------ states of the engine
class _States:
    """The parts that states of the engine share in all walks from a start."""

    def __init__(
        self,
        task: Task,
        world: World,
        settle: Settling | None,
        derived: Sequence[str],
    ) -> None:
        self.world = world
        self.start = start = task.start
        self.settle = settle
        universe = start.universe
        agent = universe.number(task.agent) if task.agent else None
        objects = mask_of(map(universe.number, task.vocabulary.objects))
        self.schemas: dict[str, Schema] = {}
        for name in sorted(task.vocabulary.actions):
            if name in world.domain.operators and world.operator(name).has_effects:
                schema = Schema(world, start, name, agent, objects)
                if schema.is_possible:
                    self.schemas[name] = schema
        self.drawn_schemas = tuple(self.schemas.values())
        self._tests: dict[str, Callable[..., bool]] = {}
        self._members = {name: self._members_of(name) for name in derived}
        self._before = {name: self._extension(name, start) for name in derived}

    def _parameters(self, name: str) -> tuple[Variable, ...]:
        arity = self.world.domain.predicates[name].arity
        return tuple([Variable(f"?{i}") for i in range(arity)])

    def test(self, predicate: str) -> Callable[..., bool]:
        """Return a function that tests a predicate in a state for given object numbers."""
        test = self._tests.get(predicate)
        if test is None:
            parameters = self._parameters(predicate)
            test = self.world.function_of(Atom(predicate, parameters), parameters)
            self._tests[predicate] = test
        return test

    def _members_of(self, name: str) -> Callable[..., int]:
        """Return the function from a state and first arguments to the mask of the last one."""
        *first, last = self._parameters(name)
        return self.world.members_of(Atom(name, (*first, last)), last, tuple(first))

    def _extension(self, name: str, state: State) -> set[tuple[int, ...]]:
        """Return all object tuples for which a derived predicate holds in a state."""
        arity = self.world.domain.predicates[name].arity
        found: set[tuple[int, ...]] = set()
        for first in product(range(len(state.universe)), repeat=arity - 1):
            found.update((*first, last) for last in bits(self._members[name](state, *first)))
        return found

    def changes(self, state: State) -> Iterator[Fact]:
        """Yield the facts that hold in a state and did not hold at the start."""
        layout = self.start.layout
        for p, numbers, value in changed_literals(self.start.changes_to(state), layout):
            yield Fact(layout.names[p], numbers, value)
        for name, before in self._before.items():
            after = self._extension(name, state)
            yield from (Fact(name, numbers, True) for numbers in after - before)
            yield from (Fact(name, numbers, False) for numbers in before - after)


class _WalkStates:
    """The states that were reached in one walk."""

    def __init__(self, common: _States) -> None:
        self.common = common
        self._differences = Differences(common.start)
        self.first = _StatePosition(self, common.start, 0)
        self._by_difference = {0: self.first}

    def after(
        self, before: _StatePosition, name: str, numbers: tuple[int, ...]
    ) -> tuple[_StatePosition, Sequence[Change]] | None:
        """Return the position after an action and its changes, or None if it is not applicable."""
        state = before.state.copy()
        memo = before.state.memo
        state.memo = memo  # of derived predicates, the same until something changes
        changes = self.common.world.apply(state, name, numbers)
        if not changes:
            return None
        state.memo = self._unaffected(memo, changes) if memo else {}
        if self.common.settle is not None:
            changes = [*changes, *self.common.settle(state, changes)]
        # A number for what differs from the first state: equal differences, equal states.
        difference = self._differences.after(before.difference, changes)
        if state.numbers is not None:  # a difference says nothing about numbers
            return _StatePosition(self, state, difference), changes
        known = self._by_difference.get(difference)
        if known is None:
            known = _StatePosition(self, state, difference)
            self._by_difference[difference] = known
        return known, changes

    def _unaffected(
        self, memo: dict[int, Extension], changes: Sequence[Change]
    ) -> dict[int, Extension]:
        """Return the derived predicates of a state that changes cannot affect, with their facts."""
        changed = mask_of(change[0] for change in changes)
        unaffected = {}
        for predicate, extension in memo.items():
            depends = self.common.world.depends(predicate)
            if depends >= 0 and not depends & changed:
                unaffected[predicate] = extension
        return unaffected


class _StatePosition:
    """A position whose state is one of the engine's. It keeps the positions that follow it."""

    __slots__ = ("_after", "_states", "difference", "state")

    def __init__(self, states: _WalkStates, state: State, difference: int) -> None:
        self._states = states
        self._after: dict[Move, _StatePosition | None] = {}
        self.state = state
        self.difference = difference

    def step(self, random: Random, last: Move | None, seen: Container[Position]) -> Taken | None:
        """See :class:`Position`."""
        states, state = self._states, self.state
        schemas = states.common.drawn_schemas
        near: Sequence[int] = () if last is None else last.objects
        fraction = random.random
        for _ in range(_MAX_TRIES if schemas else 0):
            # As `drawn` does it: a call less in what is done ten times for each step.
            schema = schemas[int(fraction() * len(schemas))]
            numbers = schema.draw(random, near)
            if schema.first_failure(state, *numbers) >= 0:
                continue
            reached = states.after(self, schema.name, numbers)
            if reached is None or reached[0] in seen:
                continue
            names = state.universe.names
            objects = numbers[len(schema.agent) :]
            move = Move(Action(schema.name, tuple([names[each] for each in objects])), objects)
            return _taken(move, *reached)
        return None

    def after(self, move: Move) -> _StatePosition | None:
        """See :class:`Position`."""
        known = self._after
        if move not in known:
            schema = self._states.common.schemas[move.action.name]
            numbers = schema.agent + move.objects
            if schema.first_failure(self.state, *numbers) >= 0:
                known[move] = None
            else:
                reached = self._states.after(self, schema.name, numbers)
                known[move] = reached[0] if reached else self
        return known[move]

    def test_of(self, fact: Fact) -> Test:
        """See :class:`Position`."""
        common = self._states.common
        reads = common.world.depends(common.start.layout.index[fact.predicate])
        function = common.test(fact.predicate)
        return Test(reads, _test(function, fact.numbers, value=fact.value))

    def tests(self, move: Move) -> Sequence[Test]:
        """See :class:`Position`."""
        schema = self._states.common.schemas[move.action.name]
        numbers = schema.agent + move.objects
        tests: list[Test] = []
        for reads, function in schema.fluent_tests:
            value = function(self.state, *numbers)
            tests.append(Test(reads, _test(function, numbers, value=value)))
        return tests

    def changes(self) -> set[Fact]:
        """See :class:`Position`."""
        return set(self._states.common.changes(self.state))


def _test(
    function: Callable[..., bool], numbers: tuple[int, ...], *, value: bool
) -> Callable[[State], bool]:
    """Return a test of states: whether a function of states and object numbers has a value."""
    return lambda state: function(state, *numbers) is value


def _taken(move: Move, after: Position, changes: Sequence[Change]) -> Taken:
    """Return a step with what it changed."""
    predicates = touched = 0
    for predicate, _, fixed, mask, _ in changes:
        predicates |= 1 << predicate
        touched |= mask
        if isinstance(fixed, int):
            touched |= 1 << fixed
        elif isinstance(fixed, tuple):
            touched |= mask_of(fixed)
    return Taken(move, after, predicates, touched)


# ------------------------------------------------------------------ states of the ground task
def _ground(task: Task, world: World) -> GroundTask | None:
    """Return the ground task with all reachable facts, or None if grounding fails."""
    domain, start = world.domain, task.start
    facts = tuple(start.atoms())
    problem = Problem("walks", domain.name, start.universe.objects, facts, TRUE)
    if objection(domain, problem) is not None:
        return None
    try:
        domain, problem = declared(without_costs(domain), problem)
        return ground(domain, problem, limits=Limits(budget=Budget(states=None)), whole=True)
    except BeyondBudgetError:
        return None


class _Ground:
    """The parts that all walks in a ground task share."""

    def __init__(self, task: GroundTask, start: State) -> None:
        self.task = task
        self.successors = Successors(task)
        self.actions = {action.action: action for action in task.actions}
        self.number = start.universe.number
        # Of each literal the fact that it is, and the other way round.
        self.facts: list[Fact] = []
        for atom in task.atoms:
            numbers = tuple([self.number(str(term)) for term in atom.terms])
            self.facts += [
                Fact(atom.predicate, numbers, True),
                Fact(atom.predicate, numbers, False),
            ]
        self.literals = {fact: 1 << number for number, fact in enumerate(self.facts)}


class _GroundPosition(NamedTuple):
    """A state of the ground task."""

    common: _Ground
    state: int

    def step(self, random: Random, last: Move | None, seen: Container[Position]) -> Taken | None:
        """See :class:`Position`."""
        common, state = self
        actions = common.successors.applicable(state)
        if last is not None and random.random() < NEAR:
            objects = set(last.action.arguments)
            near = [each for each in actions if not objects.isdisjoint(each.action.arguments)]
            actions = near or actions
        while actions:
            # Not `randrange`, which may draw other numbers in another version of Python.
            number = int(random.random() * len(actions))
            action = actions[number].action
            after = common.task.successor(state, actions[number])
            position = _GroundPosition(common, after)
            if position not in seen:
                move = Move(action, tuple(map(common.number, action.arguments)))
                changed = after & ~state
                touched = 0
                for literal in bits(changed):
                    touched |= mask_of(common.facts[literal].numbers)
                return Taken(move, position, changed, touched)
            # Removed in constant time, as the order of the others does not matter.
            actions[number] = actions[-1]
            actions.pop()
        return None

    def after(self, move: Move) -> _GroundPosition | None:
        """See :class:`Position`."""
        common, state = self
        action = common.actions[move.action]
        if not holds(action.condition, state):
            return None
        after = common.task.successor(state, action)
        return _GroundPosition(common, after) if after != state else self

    def test_of(self, fact: Fact) -> Test:
        """See :class:`Position`."""
        return _literal_test(self.common.literals[fact])

    def tests(self, move: Move) -> Sequence[Test]:
        """See :class:`Position`."""
        condition = self.common.actions[move.action].condition
        tests = [_literal_test(1 << number) for number in bits(condition.every)]
        rest = condition._replace(every=0)
        tests.append(Test(-1, lambda state: holds(rest, state)))
        return tests

    def changes(self) -> set[Fact]:
        """See :class:`Position`."""
        common, state = self
        return {common.facts[number] for number in bits(state & ~common.task.initial)}


def _literal_test(literal: int) -> Test:
    """Return the test of a literal, which only a step that makes it true can change."""
    return Test(literal, lambda state: bool(state & literal))
