"""States on a walk: of the ground task where there is one, else of the engine.

Problems in PDDL are grounded once. A state is then a mask, and the applicable actions are found by
walking down its literals.

In other worlds most actions have far too many instances. There an action is drawn until one can be
done and changes something: about one draw in four is, so that is quicker than listing them. Goals
of one walk leave out other steps of it, and most steps then lead from a known state to a known one,
so the states of a walk are remembered with it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
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
        reads: The facts that it depends on, as a mask; -1 if they are not known. A step that
            changes none of them (:attr:`WalkStep.changed`) does not change its value.
        holds: A function of the state of a position: whether the condition is true there.
    """

    reads: int
    holds: Callable[..., bool]


class WalkStep(NamedTuple):
    """A step of a walk.

    Args:
        move: The action.
        after: The position behind it.
        changed: The facts that it changed, as a mask like :attr:`Test.reads`.
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

    def step(self, random: Random, last: Move | None, seen: Container[Position]) -> WalkStep | None:
        """Take a random step to a new position, or return None if none is found.

        Args:
            random: The source of randomness.
            last: The step before; an action on the same objects is preferred.
            seen: The positions of the walk so far.
        """

    def after(self, move: Move) -> Position | None:
        """Return the position behind an action, or None if it is not applicable.

        An action that changes nothing leads to the same position.
        """

    def test_of(self, fact: Fact) -> Test:
        """Return the test of a fact that is one of the changes of some position."""

    def tests(self, move: Move) -> Sequence[Test]:
        """Return the fluent conditions on which an action depends, each with its value here.

        These are the conditions of its precondition and of its effects that some action can change.
        """

    def changes(self) -> set[Fact]:
        """Return the facts that hold here and did not hold at the start."""

    def release(self) -> None:
        """Let go of all positions of the walk, which is at its end."""


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
        # States of a ground task are plain masks, which are faster than states of the engine.
        whole = _ground(task, world)
        if whole is not None:
            return partial(_GroundPosition, _Ground(whole, task.start), whole.initial)
    states = _States(task, world, kind.settle, derived)
    return lambda: _WalkStates(states).first


# ------------------------------------------------------------------ states of the engine
class _States:
    """The parts that states of the engine share in all walks from a start.

    Args:
        task: A task that begins there.
        world: Where plans are run.
        settle: Changes of the world itself after each action, if there are any.
        derived: Derived predicates that goals may be about.
    """

    def __init__(
        self,
        task: Task,
        world: World,
        settle: Settling | None,
        derived: Sequence[str],
    ) -> None:
        """Collect the action schemas that may be applicable."""
        self.world = world
        self.start = start = task.start
        self.settle = settle
        universe = start.universe
        agent = universe.number(task.agent) if task.agent else None
        objects = mask_of(map(universe.number, task.vocabulary.objects))
        self.schemas: dict[str, Schema] = {}
        for name in sorted(task.vocabulary.actions):
            if name not in world.domain.operators or not world.operator(name).has_effects:
                continue
            schema = Schema(world, start, name, agent, objects)
            if schema.is_possible:
                self.schemas[name] = schema
        self.drawn_schemas = tuple(self.schemas.values())
        self._tests: dict[str, Callable[..., bool]] = {}
        self._members = {name: self._members_of(name) for name in derived}
        # The object tuples for which each derived predicate holds at the start.
        self._start_extensions = {name: self._extension(name, start) for name in derived}

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
        tuples: set[tuple[int, ...]] = set()
        # For given first arguments, the engine returns all last arguments at once.
        for first in product(range(len(state.universe)), repeat=arity - 1):
            tuples.update((*first, last) for last in bits(self._members[name](state, *first)))
        return tuples

    def changes(self, state: State) -> Iterator[Fact]:
        """Yield the literals that hold in a state and did not hold at the start."""
        layout = self.start.layout
        changes = self.start.changes_to(state)
        for predicate, object_numbers, value in changed_literals(changes, layout):
            yield Fact(layout.names[predicate], object_numbers, value)
        for name, extension_at_start in self._start_extensions.items():
            extension = self._extension(name, state)
            for object_numbers in extension - extension_at_start:
                yield Fact(name, object_numbers, True)
            for object_numbers in extension_at_start - extension:
                yield Fact(name, object_numbers, False)


class _WalkStates:
    """The states that were reached in one walk."""

    def __init__(self, common: _States) -> None:
        self.common = common
        self._differences = Differences(common.start)
        self._extensions = _KnownExtensions(common.world, self._differences)
        first = _StatePosition(self, common.start, 0, 0)
        self._by_difference = {0: first}

    @property
    def first(self) -> _StatePosition:
        """The position where the walk begins."""
        return self._by_difference[0]

    def release(self) -> None:
        """Forget the positions, which refer to each other and to this object.

        Their memory is freed at once then, and is not left to Python's search for garbage.
        """
        for position in self._by_difference.values():
            position.forget_followers()
        self._by_difference.clear()

    def after(
        self, before: _StatePosition, name: str, numbers: tuple[int, ...]
    ) -> tuple[_StatePosition, Sequence[Change]] | None:
        """Return the position after an action and its changes, or None if it changes nothing.

        Args:
            before: The position before it.
            name: The applicable action.
            numbers: Object numbers of its arguments.
        """
        state = before.state.copy()
        # The memo has the extensions of derived predicates, which hold until something changes.
        memo = before.state.memo
        state.memo = memo
        changes: Sequence[Change] = self.common.world.apply(state, name, numbers)
        if not changes:
            return None
        # Mostly nothing new was computed there since the position was made or left.
        if len(memo) > before.kept_extensions:
            self._extensions.keep(memo, before.difference)
            before.kept_extensions = len(memo)
        # States with equal differences from the first state have equal facts.
        difference = self._differences.after(before.difference, changes)
        state.memo = self._extensions.known(difference)
        known_count = len(state.memo)
        if self.common.settle is not None:
            reactions = self.common.settle(state, changes)
            if reactions:
                changes = [*changes, *reactions]
                difference = self._differences.after(difference, reactions)
                state.memo = self._extensions.known(difference)
                known_count = len(state.memo)
        has_numeric_values = state.numbers is not None
        if has_numeric_values:
            # A difference says nothing about numeric values, so the position is not reused.
            return _StatePosition(self, state, difference, known_count), changes
        position = self._by_difference.get(difference)
        if position is None:
            position = _StatePosition(self, state, difference, known_count)
            self._by_difference[difference] = position
        return position, changes


class _KnownExtensions:
    """The extensions of derived predicates in the states of a walk.

    Most steps do not touch what a derived predicate depends on, or bring it back to what it was. So
    extensions are remembered by that part of a state's difference that they depend on.

    Args:
        world: The world.
        differences: The differences of the states.
    """

    def __init__(self, world: World, differences: Differences) -> None:
        self._world = world
        self._differences = differences
        # For a derived predicate the part of a difference on which it depends, as a mask. New
        # bits are added to it; no difference before had one of them.
        self._parts: dict[int, int] = {}
        self._line_count = 0
        # By predicate and part.
        self._extensions: dict[int, dict[int, Extension]] = {}

    def keep(self, memo: Mapping[int, Extension], difference: int) -> None:
        """Remember the extensions that were computed in a state with a difference."""
        for predicate, extension in memo.items():
            extensions = self._extensions.get(predicate)
            if extensions is None:
                if self._world.depends(predicate) < 0:
                    continue  # it may change although no fact does
                extensions = self._extensions[predicate] = {}
                self._parts[predicate] = self._part_of(predicate, 0)
            extensions[difference & self._parts[predicate]] = extension

    def known(self, difference: int) -> dict[int, Extension]:
        """Return the extensions that are known for a state with a difference."""
        if self._differences.line_count != self._line_count:
            for predicate in self._parts:
                self._parts[predicate] |= self._part_of(predicate, self._line_count)
            self._line_count = self._differences.line_count
        memo = {}
        for predicate, extensions in self._extensions.items():
            extension = extensions.get(difference & self._parts[predicate])
            if extension is not None:
                memo[predicate] = extension
        return memo

    def _part_of(self, predicate: int, first_line: int) -> int:
        """Return the bits that a derived predicate depends on, from some line on."""
        return self._differences.bits_of(self._world.depends(predicate), first_line)


class _StatePosition:
    """A position whose state is one of the engine's. It keeps the positions that follow it."""

    __slots__ = ("_after", "_states", "difference", "kept_extensions", "state")

    def __init__(
        self, states: _WalkStates, state: State, difference: int, kept_extensions: int
    ) -> None:
        self._states = states
        self._after: dict[Move, _StatePosition | None] = {}
        self.state = state
        self.difference = difference
        # Number of extensions in the memo of the state that the walk remembers.
        self.kept_extensions = kept_extensions

    def step(self, random: Random, last: Move | None, seen: Container[Position]) -> WalkStep | None:
        """Draw actions until one is applicable and leads to a position that was not seen.

        See :class:`Position`.
        """
        states, state = self._states, self.state
        schemas = states.common.drawn_schemas
        if not schemas:
            return None
        nearby: Sequence[int] = () if last is None else last.objects
        fraction = random.random
        for _ in range(_MAX_TRIES):
            # As `drawn` does it, without its call: there are about ten draws for each step.
            schema = schemas[int(fraction() * len(schemas))]
            arguments = schema.draw(random, nearby)
            if schema.first_failure(state, *arguments) >= 0:
                continue
            reached = states.after(self, schema.name, arguments)
            if reached is None or reached[0] in seen:
                continue
            names = state.universe.names
            objects = arguments[len(schema.agent) :]
            action = Action(schema.name, tuple([names[number] for number in objects]))
            return _step_with_changes(Move(action, objects), *reached)
        return None

    def after(self, move: Move) -> _StatePosition | None:
        """See :class:`Position`."""
        # Most moves of a goal's plan were taken here before, for another goal.
        try:
            return self._after[move]
        except KeyError:
            pass
        position = self._after[move] = self._new_after(move)
        return position

    def _new_after(self, move: Move) -> _StatePosition | None:
        """Return what :meth:`after` does, for an action that was not taken here before."""
        schema = self._states.common.schemas[move.action.name]
        arguments = schema.agent + move.objects
        if schema.first_failure(self.state, *arguments) >= 0:
            return None
        reached = self._states.after(self, schema.name, arguments)
        return reached[0] if reached else self

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

    def release(self) -> None:
        """See :class:`Position`."""
        self._states.release()

    def forget_followers(self) -> None:
        """Forget the positions that follow this one."""
        self._after.clear()


def _test(
    function: Callable[..., bool], numbers: tuple[int, ...], *, value: bool
) -> Callable[[State], bool]:
    """Return a test of states: whether a function of states and object numbers has a value."""
    # Most tests are positive and about one or two objects. To unpack these at each of half a
    # million calls, and to compare, would take as long again as the rest of the call.
    if value and len(numbers) == 2:
        first, second = numbers
        return lambda state: function(state, first, second)
    if value and len(numbers) == 1:
        (only,) = numbers
        return lambda state: function(state, only)
    return lambda state: function(state, *numbers) is value


def _step_with_changes(move: Move, after: Position, changes: Sequence[Change]) -> WalkStep:
    """Return a step with masks of the predicates and of the objects that its changes are about."""
    changed_predicates = touched_objects = 0
    for predicate, _, fixed_argument, object_mask, _ in changes:
        changed_predicates |= 1 << predicate
        touched_objects |= object_mask
        # The change fixes one object of a relation, or all but one of a longer fact.
        if isinstance(fixed_argument, int):
            touched_objects |= 1 << fixed_argument
        elif isinstance(fixed_argument, tuple):
            touched_objects |= mask_of(fixed_argument)
    return WalkStep(move, after, changed_predicates, touched_objects)


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
    """The parts that all walks in a ground task share.

    Args:
        task: The ground task; its states are masks of literals, two bits for each atom.
        start: The initial state.

    Attributes:
        facts: The fact of each literal, by the index of its bit.
        literals: The bit of each fact.
        number: Function from the name of an object to its number.
    """

    def __init__(self, task: GroundTask, start: State) -> None:
        """List the facts in the order of the bits of a ground state."""
        self.task = task
        self.successors = Successors(task)
        self.actions = {action.action: action for action in task.actions}
        self.number = start.universe.number
        self.facts: list[Fact] = []
        for atom in task.atoms:
            object_numbers = tuple([self.number(str(term)) for term in atom.terms])
            self.facts += [
                Fact(atom.predicate, object_numbers, True),
                Fact(atom.predicate, object_numbers, False),
            ]
        self.literals = {fact: 1 << bit_index for bit_index, fact in enumerate(self.facts)}


class _GroundPosition(NamedTuple):
    """A state of the ground task."""

    common: _Ground
    state: int

    def step(self, random: Random, last: Move | None, seen: Container[Position]) -> WalkStep | None:
        """Draw applicable actions until one leads to a position that was not seen.

        See :class:`Position`.
        """
        common, state = self
        candidates = common.successors.applicable(state)
        if last is not None and random.random() < NEAR:
            last_objects = set(last.action.arguments)
            nearby = [
                candidate
                for candidate in candidates
                if not last_objects.isdisjoint(candidate.action.arguments)
            ]
            candidates = nearby or candidates
        while candidates:
            # Not `randrange`, which may draw other numbers in another version of Python.
            index = int(random.random() * len(candidates))
            position = _GroundPosition(common, common.task.successor(state, candidates[index]))
            if position not in seen:
                return self._step_to(position, candidates[index].action)
            # Removed in constant time, as the order of the others does not matter.
            candidates[index] = candidates[-1]
            candidates.pop()
        return None

    def _step_to(self, after: _GroundPosition, action: Action) -> WalkStep:
        """Return the step by an action to the position behind it, with its changes."""
        common, state = self
        move = Move(action, tuple(map(common.number, action.arguments)))
        # An atom has two literals: when one becomes true, the other one becomes false.
        changed = after.state & ~state
        touched = 0
        for literal in bits(changed):
            touched |= mask_of(common.facts[literal].numbers)
        return WalkStep(move, after, changed, touched)

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
        # The rest, such as alternatives, is one test; -1 stands for all literals.
        rest = condition._replace(every=0)
        tests.append(Test(-1, lambda state: holds(rest, state)))
        return tests

    def changes(self) -> set[Fact]:
        """See :class:`Position`."""
        common, state = self
        return {common.facts[number] for number in bits(state & ~common.task.initial)}

    def release(self) -> None:
        """Do nothing: a mask refers to no other position. See :class:`Position`."""


def _literal_test(literal: int) -> Test:
    """Return the test of a literal, which only a step that makes it true can change."""
    return Test(literal, lambda state: bool(state & literal))
