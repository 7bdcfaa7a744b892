"""Random walks from one initial state, and what they change.

1. Of each action, objects that fail a static condition are left out beforehand; where a static
   condition is about several objects at once, the combinations that meet it are listed.
2. A step draws an action, mostly about an object of the step before, until one can be done and
   changes something. Drawing and testing is quicker than listing what is applicable: about one
   draw in ten is.
3. For a goal, the walk is cut where the goal holds, and steps that the goal does not need are left
   out (action elimination, Nakhost & Müller 2010), those first that share no object with it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from functools import partial
from itertools import product
from random import Random
from typing import NamedTuple, TypeVar

from eai.contract import TaskWorld
from eai.logic import Atom, Formula, Not, Variable
from eai.task import Task
from eai.world import Action, State, World, changed_literals, mask_of
from eai.world.bits import bits

_MAX_COMBINATIONS = 50_000
"""Maximum number of combinations of objects that are listed for an action."""
_MAX_TRIES = 400
"""Maximum number of actions that are drawn for a step."""
_NEAR = 0.7
"""How often an action is drawn that names an object of the step before."""

_T = TypeVar("_T")


class Fact(NamedTuple):
    """A literal over object numbers."""

    predicate: str
    numbers: tuple[int, ...]
    value: bool

    def is_mirrored_in(self, facts: Container[Fact]) -> bool:
        """Return whether the same with its objects in ascending order is among other facts."""
        if len(self.numbers) != 2 or self.numbers[0] < self.numbers[1]:
            return False
        return self._replace(numbers=self.numbers[::-1]) in facts


class _Move(NamedTuple):
    """An action over object numbers, those of the agent included."""

    schema: _Schema
    numbers: tuple[int, ...]


def drawn(random: Random, items: Sequence[_T]) -> _T:
    """Draw an item; a third of the time of ``random.choice``."""
    return items[int(random.random() * len(items))]


class _Schema:
    """An action with the objects that it may be about.

    Args:
        world: The world.
        start: The initial state.
        name: The action.
        agent: Number of the agent, if there is one.
        objects: Objects that plans may name, as a mask.

    Attributes:
        is_possible: Whether any objects are left.
    """

    def __init__(
        self, world: World, start: State, name: str, agent: int | None, objects: int
    ) -> None:
        compiled = world.operator(name)
        self.name = name
        self.agent = () if agent is None else (agent,)
        self.first_failure = compiled.first_failure
        parameters = compiled.operator.parameters[len(self.agent) :]
        universe = start.universe
        self._ranges = [list(bits(universe.mask(p.types) & objects)) for p in parameters]
        joint: list[Callable[..., bool]] = []
        self._combinations: list[tuple[int, ...]] | None = None
        self._with_object: dict[int, list[tuple[int, ...]]] = {}
        self.is_possible = all(self._ranges)
        for test, function in zip(compiled.tests, compiled.test_functions, strict=True):
            if not self.is_possible or not world.domain.is_static(test):
                continue
            mentioned = [i for i, p in enumerate(parameters) if p.name in test.free_names]
            if len(mentioned) > 1:
                joint.append(partial(function, start))
            else:
                self._restrict(partial(function, start), mentioned)
        if joint and self.is_possible:
            self._list(joint)
        self._masks = [mask_of(numbers) for numbers in self._ranges]

    def _restrict(self, test: Callable[..., bool], mentioned: Sequence[int]) -> None:
        """Leave out the objects that fail a test about one argument, or about none."""
        # The test does not look at the other arguments: any objects will do for them.
        numbers = [numbers[0] for numbers in self._ranges]
        if not mentioned:
            self.is_possible = test(*self.agent, *numbers)
            return
        (place,) = mentioned
        kept = []
        for number in self._ranges[place]:
            numbers[place] = number
            if test(*self.agent, *numbers):
                kept.append(number)
        self._ranges[place] = kept
        self.is_possible = bool(kept)

    def _list(self, tests: Sequence[Callable[..., bool]]) -> None:
        """List the combinations that meet tests about several arguments, unless they are many."""
        count = 1
        for numbers in self._ranges:
            count *= len(numbers)
        if count > _MAX_COMBINATIONS:
            return
        self._combinations = []
        for objects in product(*self._ranges):
            if not all(test(*self.agent, *objects) for test in tests):
                continue
            self._combinations.append(objects)
            for number in objects:
                self._with_object.setdefault(number, []).append(objects)
        self.is_possible = bool(self._combinations)

    def draw(self, random: Random, near: Sequence[int]) -> tuple[int, ...]:
        """Draw objects, if possible one of some objects among them."""
        wanted = drawn(random, near) if near and random.random() < _NEAR else -1
        if self._combinations is not None:
            combinations = self._with_object.get(wanted, self._combinations)
            return self.agent + drawn(random, combinations)
        if not self._ranges:
            return self.agent
        numbers = [drawn(random, numbers) for numbers in self._ranges]
        if wanted >= 0:
            place = int(random.random() * len(numbers))
            if self._masks[place] >> wanted & 1:
                numbers[place] = wanted
        return (*self.agent, *numbers)


class Scene:
    """An initial state, with the actions that may be possible from there on.

    Args:
        task: A task that begins there.
        world: Where plans are run.
        kind: What is generated.
    """

    def __init__(self, task: Task, world: World, kind: TaskWorld) -> None:
        self.task = task
        self._world = world
        self._settle = kind.settle
        self._start = task.start.begin()
        self._wordings = kind.wordings
        universe = task.start.universe
        agent = universe.number(task.agent) if task.agent else None
        objects = mask_of(map(universe.number, task.vocabulary.objects))
        # Goals are about what plans may name, and the agent.
        self._nameable = objects if agent is None else objects | 1 << agent
        self._schemas: list[_Schema] = []
        for name in sorted(task.vocabulary.actions):
            if name in world.domain.operators:
                schema = _Schema(world, self._start, name, agent, objects)
                if schema.is_possible:
                    self._schemas.append(schema)
        self._goal_predicates = self._predicates()
        derived = [name for name in self._goal_predicates if name in world.derived]
        self._extensions = {name: self._members(name) for name in derived}
        self._before = {name: self._extension(name, self._start) for name in derived}
        self._tests: dict[str, Callable[..., bool]] = {}

    def _predicates(self) -> frozenset[str]:
        """Return the predicates that goals may be about."""
        if not self._wordings:
            return frozenset(self.task.vocabulary.predicates)
        return frozenset(words.removeprefix("not ") for words in self._wordings)

    # ------------------------------------------------------------------ walking
    def walk(self, random: Random, length: int) -> tuple[list[_Move], State]:
        """Take random steps; return them, and the state at their end."""
        state = self._begun()
        walk: list[_Move] = []
        near: Sequence[int] = ()
        tries = 0
        while len(walk) < length and tries < _MAX_TRIES and self._schemas:
            tries += 1
            schema = drawn(random, self._schemas)
            move = _Move(schema, schema.draw(random, near))
            if self._take(state, move):
                walk.append(move)
                near = move.numbers[len(schema.agent) :]
                tries = 0
        return walk, state

    def _begun(self) -> State:
        state = self._start.copy()
        if self._settle is not None:
            self._settle(state)
        return state

    def _take(self, state: State, move: _Move) -> bool:
        """Change a state by a step that can be done; return whether it changed anything."""
        schema, numbers = move
        if schema.first_failure(state, *numbers) >= 0:
            return False
        if not self._world.apply(state, schema.name, numbers):
            return False
        if self._settle is not None:
            self._settle(state)
        return True

    # ------------------------------------------------------------------ goals
    def changed(self, state: State) -> list[Fact]:
        """Return what holds in a state, did not at the start, and may be a goal; in an order."""
        layout = self._start.layout
        facts: set[Fact] = set()
        for p, numbers, value in changed_literals(self._start.changes_to(state), layout):
            facts.add(Fact(layout.names[p], numbers, value))
        for name, before in self._before.items():
            after = self._extension(name, state)
            facts.update(Fact(name, numbers, True) for numbers in after - before)
            facts.update(Fact(name, numbers, False) for numbers in before - after)
        goals = filter(self._is_goal, facts)
        # Of a symmetric relation one direction is enough.
        return sorted([fact for fact in goals if not fact.is_mirrored_in(facts)])

    def _is_goal(self, fact: Fact) -> bool:
        if fact.predicate not in self._goal_predicates:
            return False
        if len(set(fact.numbers)) < len(fact.numbers):
            return False  # nobody is asked to bring something next to itself
        if any(not self._nameable >> number & 1 for number in fact.numbers):
            return False
        key = fact.predicate if fact.value else f"not {fact.predicate}"
        return not self._wordings or key in self._wordings

    def _members(self, name: str) -> Callable[..., int]:
        """Return the function from a state and first arguments to the mask of the last one."""
        *first, last = self._parameters(name)
        return self._world.members_of(Atom(name, (*first, last)), last, tuple(first))

    def _parameters(self, name: str) -> list[Variable]:
        arity = self._world.domain.predicates[name].arity
        return [Variable(f"?{i}") for i in range(arity)]

    def _extension(self, name: str, state: State) -> set[tuple[int, ...]]:
        """Return the tuples of objects of which a derived predicate holds."""
        members = self._extensions[name]
        arity = self._world.domain.predicates[name].arity
        objects = range(len(state.universe))
        found: set[tuple[int, ...]] = set()
        for first in product(objects, repeat=arity - 1):
            found.update((*first, last) for last in bits(members(state, *first)))
        return found

    def literal(self, fact: Fact) -> Formula:
        """Return a fact as a formula."""
        names = self._start.universe.names
        atom = Atom(fact.predicate, tuple([names[number] for number in fact.numbers]))
        return atom if fact.value else Not(atom)

    # ------------------------------------------------------------------ plans
    def plan(self, walk: Sequence[_Move], goal: Iterable[Fact]) -> tuple[Action, ...]:
        """Return the steps of a walk that a goal needs."""
        tests = [(self._test(predicate), numbers, value) for predicate, numbers, value in goal]

        def is_reached(state: State) -> bool:
            return all(test(state, *numbers) is value for test, numbers, value in tests)

        start = self._begun()
        moves = self._replayed(start, _related(walk, goal), is_reached)
        if moves is None:
            moves = self._replayed(start, walk, is_reached) or []
        place = 0
        while place < len(moves):
            shorter = self._replayed(start, moves[place + 1 :], is_reached)
            if shorter is None:
                self._take(start, moves[place])
                place += 1
            else:
                moves = [*moves[:place], *shorter]
        return tuple(map(self._action, moves))

    def _replayed(
        self, start: State, moves: Iterable[_Move], is_reached: Callable[[State], bool]
    ) -> list[_Move] | None:
        """Return the steps up to the goal that can be done from a state; None if it is missed."""
        state = start.copy()
        done: list[_Move] = []
        if is_reached(state):
            return done
        for move in moves:
            if self._take(state, move):
                done.append(move)
                if is_reached(state):
                    return done
        return None

    def _test(self, predicate: str) -> Callable[..., bool]:
        test = self._tests.get(predicate)
        if test is None:
            parameters = tuple(self._parameters(predicate))
            test = self._world.function_of(Atom(predicate, parameters), parameters)
            self._tests[predicate] = test
        return test

    def _action(self, move: _Move) -> Action:
        names = self._start.universe.names
        arguments = move.numbers[len(move.schema.agent) :]
        return Action(move.schema.name, tuple([names[number] for number in arguments]))


def _related(walk: Sequence[_Move], goal: Iterable[Fact]) -> list[_Move]:
    """Return the steps about objects of a goal, and about objects of such steps behind them."""
    objects = {number for fact in goal for number in fact.numbers}
    if walk:
        objects.difference_update(walk[0].schema.agent)  # it shares every step
    related = []
    for move in reversed(walk):
        arguments = move.numbers[len(move.schema.agent) :]
        if not arguments or not objects.isdisjoint(arguments):
            related.append(move)
            objects.update(arguments)
    return related[::-1]
