"""States on a walk: of the ground task where there is one, else of the engine.

Problems in PDDL are grounded once. A state is then a mask, the applicable actions are found by
walking down its literals, and a walk never comes to the same state twice.

In other worlds most actions have far too many instances. There an action is drawn until one can be
done and changes something: about one draw in ten is, so that is quicker than listing them. Goals of
one walk leave out other steps of it, and four of five steps then lead from a known state to a known
one, so the states of a walk are remembered with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from random import Random
from typing import Protocol

from eai.budget import BeyondBudgetError, Budget
from eai.contract import TaskWorld
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
from eai.suites.generated.moves import NEAR, Fact, Move, Schema, drawn
from eai.task import Task
from eai.world import Action, Change, Differences, State, World, changed_literals, mask_of
from eai.world.bits import bits

_MAX_TRIES = 400
"""Maximum number of actions that are drawn for a step."""


class Position(Protocol):
    """A state on a walk."""

    def begin(self) -> Position:
        """Return the same state for another walk: nothing that was remembered on this one."""

    def copy(self) -> Position:
        """Return a state that can be changed on its own."""

    def step(self, random: Random, last: Move | None) -> Move | None:
        """Take a random step, mostly about objects of the last one; None if none was found."""

    def take(self, move: Move) -> bool:
        """Take a step if it can be done; return whether it changed anything."""

    def holds(self, fact: Fact) -> bool:
        """Return whether a fact holds that is one of the changes of some state."""

    def changes(self) -> set[Fact]:
        """Return what holds, and did not at the start."""


def first_position(task: Task, world: World, kind: TaskWorld, derived: Sequence[str]) -> Position:
    """Return the initial state of walks.

    Args:
        task: A task that begins there.
        world: Where plans are run.
        kind: What is generated.
        derived: Derived predicates that goals may be about.
    """
    if not (task.agent or derived or kind.settle or world.layout.functions):
        whole = _ground(task, world)
        if whole is not None:
            return _GroundPosition(_Ground(whole, task.start), whole.initial)
    states = _WalkStates(_States(task, world, kind.settle, derived))
    return _StatePosition(states, states.first)


# ------------------------------------------------------------------ states of the engine
class _States:
    """The parts that states of the engine share in all walks from a start."""

    def __init__(
        self,
        task: Task,
        world: World,
        settle: Callable[[State], list[Change]] | None,
        derived: Sequence[str],
    ) -> None:
        self.world = world
        self.start = start = task.start
        self.settle = settle
        self.first = start.copy()
        if settle is not None:
            settle(self.first)
        universe = start.universe
        agent: int | None = None
        if task.agent:
            agent = universe.number(task.agent)
        objects = mask_of([universe.number(name) for name in task.vocabulary.objects])
        self.schemas: list[Schema] = []
        # In a fixed order, as draws among them have to be the same in every process.
        for name in sorted(task.vocabulary.actions):
            if name in world.domain.operators:
                schema = Schema(world, start, name, agent, objects)
                if schema.is_possible:
                    self.schemas.append(schema)
        self._tests: dict[str, Callable[..., bool]] = {}
        self._members = {name: self._members_of(name) for name in derived}
        self._before = {name: self._extension(name, start) for name in derived}

    def _parameters(self, name: str) -> tuple[Variable, ...]:
        arity = self.world.domain.predicates[name].arity
        return tuple([Variable(f"?{i}") for i in range(arity)])

    def test(self, predicate: str) -> Callable[..., bool]:
        """Return the function of a state and object numbers that tests a predicate."""
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
        """Return the tuples of objects of which a derived predicate holds."""
        arity = self.world.domain.predicates[name].arity
        found: set[tuple[int, ...]] = set()
        for first in product(range(len(state.universe)), repeat=arity - 1):
            found.update((*first, last) for last in bits(self._members[name](state, *first)))
        return found

    def changes(self, state: State) -> Iterator[Fact]:
        """Yield what holds in a state, and did not at the start."""
        layout = self.start.layout
        for p, numbers, value in changed_literals(self.start.changes_to(state), layout):
            yield Fact(layout.names[p], numbers, value)
        for name, before in self._before.items():
            after = self._extension(name, state)
            yield from (Fact(name, numbers, True) for numbers in after - before)
            yield from (Fact(name, numbers, False) for numbers in before - after)


class _Reached:
    """A state that steps of a walk lead to.

    Attributes:
        state: The state; nobody changes it.
        difference: Its difference from the first state.
        after: For the name and object numbers of an action the state that it leads to; None if it
            cannot be done, or changes nothing.
    """

    __slots__ = ("after", "difference", "state")

    def __init__(self, state: State, difference: int) -> None:
        self.state = state
        self.difference = difference
        self.after: dict[tuple[str, tuple[int, ...]], _Reached | None] = {}


class _WalkStates:
    """The states that steps of one walk led to, each with all steps that were tried there."""

    def __init__(self, common: _States) -> None:
        self.common = common
        self.first = _Reached(common.first, 0)
        self._differences = Differences(common.first)
        self._by_difference = {0: self.first}

    def after(self, before: _Reached, name: str, numbers: tuple[int, ...]) -> _Reached | None:
        """Return the state behind an action that can be done; None if it changes nothing."""
        state = before.state.copy()
        state.memo = before.state.memo  # derived predicates are the same until the state changes
        changes = self.common.world.apply(state, name, numbers)
        if not changes:
            return None
        if self.common.settle is not None:
            changes = [*changes, *self.common.settle(state)]
        # A number for what differs from the first state: equal differences, equal states.
        difference = self._differences.after(before.difference, changes)
        if state.numbers is not None:  # a difference says nothing about numbers
            return _Reached(state, difference)
        known = self._by_difference.get(difference)
        if known is None:
            known = self._by_difference[difference] = _Reached(state, difference)
        return known


class _StatePosition:
    """A state of the engine."""

    __slots__ = ("_common", "_reached", "_states")

    def __init__(self, states: _WalkStates, reached: _Reached) -> None:
        self._common = states.common
        self._states = states
        self._reached = reached

    def begin(self) -> _StatePosition:
        """See :class:`Position`."""
        states = _WalkStates(self._common)
        return _StatePosition(states, states.first)

    def copy(self) -> _StatePosition:
        """See :class:`Position`."""
        return _StatePosition(self._states, self._reached)

    def step(self, random: Random, last: Move | None) -> Move | None:
        """See :class:`Position`."""
        state, schemas = self._reached.state, self._common.schemas
        names = state.universe.names
        near: Sequence[int] = ()
        if last is not None and last.action.arguments:
            # The numbers begin with the agent's, who is near to everything.
            near = last.numbers[-len(last.action.arguments) :]
        for _ in range(_MAX_TRIES if schemas else 0):
            schema = drawn(random, schemas)
            numbers = schema.draw(random, near)
            if schema.first_failure(state, *numbers) < 0 and self._apply(schema.name, numbers):
                arguments = [names[number] for number in numbers[len(schema.agent) :]]
                return Move(Action(schema.name, tuple(arguments)), numbers)
        return None

    def take(self, move: Move) -> bool:
        """See :class:`Position`."""
        name, numbers, reached = move.action.name, move.numbers, self._reached
        is_known = (name, numbers) in reached.after
        if not is_known and self._common.world.first_failure(reached.state, name, numbers) >= 0:
            reached.after[name, numbers] = None
        return self._apply(name, numbers)

    def _apply(self, name: str, numbers: tuple[int, ...]) -> bool:
        """Change the state by an action, unless it is known to fail; return whether it changed."""
        after = self._reached.after
        key = (name, numbers)
        if key not in after:
            after[key] = self._states.after(self._reached, name, numbers)
        following = after[key]
        if following is None:
            return False
        self._reached = following
        return True

    def holds(self, fact: Fact) -> bool:
        """See :class:`Position`."""
        test = self._common.test(fact.predicate)
        return test(self._reached.state, *fact.numbers) is fact.value

    def changes(self) -> set[Fact]:
        """See :class:`Position`."""
        return set(self._common.changes(self._reached.state))


# ------------------------------------------------------------------ states of the ground task
def _ground(task: Task, world: World) -> GroundTask | None:
    """Return the ground task with all that can be reached; None if it cannot be grounded."""
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
    """The parts that masks of a ground task share in all walks from a start."""

    def __init__(self, task: GroundTask, start: State) -> None:
        self.task = task
        self.successors = Successors(task)
        # Of each literal the fact that it is, and the other way round.
        self.facts: list[Fact] = []
        for atom in task.atoms:
            numbers = tuple([start.universe.number(str(term)) for term in atom.terms])
            self.facts += [
                Fact(atom.predicate, numbers, True),
                Fact(atom.predicate, numbers, False),
            ]
        self.literals = {fact: 1 << number for number, fact in enumerate(self.facts)}


class _GroundPosition:
    """A state of the ground task."""

    __slots__ = ("_common", "_seen", "_state")

    def __init__(self, common: _Ground, state: int) -> None:
        self._common = common
        self._state = state
        self._seen = {state}

    def begin(self) -> _GroundPosition:
        """See :class:`Position`."""
        return self.copy()

    def copy(self) -> _GroundPosition:
        """See :class:`Position`."""
        return _GroundPosition(self._common, self._state)

    def step(self, random: Random, last: Move | None) -> Move | None:
        """See :class:`Position`."""
        task, state = self._common.task, self._state
        actions = self._common.successors.applicable(state)
        if last is not None and random.random() < NEAR:
            objects = set(last.action.arguments)
            near = [each for each in actions if not objects.isdisjoint(each.action.arguments)]
            actions = near or actions
        while actions:
            # Not `randrange`, which may draw other numbers in another version of Python.
            number = int(random.random() * len(actions))
            action = actions[number]
            after = task.successor(state, action)
            if after not in self._seen:
                self._state = after
                self._seen.add(after)
                return Move(action.action, ground=action)
            # Removed in constant time: the order of what is left does not matter.
            actions[number] = actions[-1]
            actions.pop()
        return None

    def take(self, move: Move) -> bool:
        """See :class:`Position`."""
        state, action = self._state, move.ground
        if action is None or not holds(action.condition, state):
            return False
        self._state = self._common.task.successor(state, action)
        return self._state != state

    def holds(self, fact: Fact) -> bool:
        """See :class:`Position`."""
        return bool(self._state & self._common.literals[fact])

    def changes(self) -> set[Fact]:
        """See :class:`Position`."""
        common = self._common
        return {common.facts[number] for number in bits(self._state & ~common.task.initial)}
