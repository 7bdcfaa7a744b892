"""The repair problem: what has to be reached, what the agent can do, and how far a plan comes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from eai.budget import Meter
from eai.errors import InputError
from eai.logic import ActionAtom, Atom, Automaton, Formula, atoms, automaton
from eai.planning.achievers import Achiever, Literal, Sign, achievers, changed_literals
from eai.planning.repair.edits import Slot, Slots
from eai.world import Action, Change, State, World

_RECURSIVE = 9
"""How deep a recursive axiom counts."""


@lru_cache(maxsize=4096)
def depth_of(world: World, formula: Formula, above: tuple[str, ...] = ()) -> int:
    """Return how many variables quantifiers bind below each other, axioms included."""
    if isinstance(formula, Atom):
        if formula.predicate in above:
            return _RECURSIVE
        bodies = [a.body for a in world.domain.axioms if a.head.predicate == formula.predicate]
        inside = (*above, formula.predicate)
        return max((depth_of(world, body, inside) for body in bodies), default=0)
    below = max((depth_of(world, each, above) for each in formula.operands), default=0)
    return below + len(formula.variables)


ACTION = 2
"""An action that is tried counts as so many conditions that are looked at."""

_RECURSIVE_ACTION = 6
"""An action in a world with recursive axioms counts as so many others."""


@dataclass(frozen=True, slots=True)
class Target:
    """What has to be reached.

    Args:
        final: Alternatives for the last state: all conditions of one of them have to hold.
        actions: Actions that have to be taken, in order: for each the names that will do.
        formula: A formula that has to hold on the trajectory.
    """

    final: tuple[tuple[Formula, ...], ...] = ((),)
    actions: tuple[tuple[str, ...], ...] = ()
    formula: Formula | None = None


Progress = tuple[int, int]
"""How many action goals were reached, and the state of the formula's automaton."""


@dataclass(frozen=True)
class Execution:
    """What became of a plan, up to where it stops.

    Args:
        slots: The steps.
        states: The states before the steps that were done, and the last one.
        progress: How far the goal had come in each of them.
        changes: What each step changed; None if it was passed over.
        reached: Whether the plan comes to its end and the target is reached.
    """

    slots: Slots
    states: tuple[State, ...]
    progress: tuple[Progress, ...]
    changes: tuple[list[Change] | None, ...]
    reached: bool

    @property
    def at(self) -> int:
        """0-based number of the step that fails; the number of steps if none does."""
        return len(self.changes)

    @property
    def left(self) -> int:
        """How many steps are not done."""
        return len(self.slots) - self.at

    @cached_property
    def differing(self) -> frozenset[object]:
        """The atoms in which the last state differs from the first."""
        found: set[object] = set()
        for changes in self.changes:
            found ^= {each[:2] for each in changed_literals(changes or (), self.states[0].layout)}
        return frozenset(found)


class RepairTask:
    """A plan, its target, and the agent that acts in a world.

    Args:
        world: The world.
        start: The initial state.
        plan: The steps of the plan; those that the world does not know can only be taken out or
            replaced.
        target: What has to be reached.
        agent: The object that acts: the first argument of every action.
        meter: Counts the conditions that are looked at; all that is tried may raise its
            BeyondBudgetError.

    Raises:
        InputError: If a condition has free or unknown names, or the automaton of the formula is
            too large.
        UnknownNameError: If the agent is not known.
    """

    def __init__(
        self,
        world: World,
        start: State,
        plan: Sequence[Action],
        target: Target,
        *,
        agent: str,
        meter: Meter,
    ) -> None:
        self.world = world
        self.start = start
        self.universe = universe = start.universe
        self.plan = tuple(plan)
        self.target = target
        self.meter = meter
        self.agent = universe.number(agent)
        self.slots = self.slots_of(plan)
        # Of several operators that do the same, one that the plan uses.
        demanded = {name for names in target.actions for name in names}
        used = [slot.action.name for slot in self.slots if slot.numbers]
        first: dict[object, str] = {}
        for name in dict.fromkeys([*used, *world.domain.operators]):
            one = world.domain.operators[name]
            if one.parameters and universe.mask(one.parameters[0].types) >> self.agent & 1:
                same = (one.parameters, one.precondition, one.effect)
                first.setdefault(name if name in demanded else same, name)
        self.operators = frozenset(first.values())
        self._names = tuple([name for name in world.domain.operators if name in self.operators])
        self._weights: dict[Literal, int] = {}
        self._hopeless: dict[tuple[str, tuple[int, ...]], bool] = {}
        recursive = any(depth_of(world, Atom(n)) >= _RECURSIVE for n in world.domain.derived)
        self._cost = ACTION * (_RECURSIVE_ACTION if recursive else 1)
        self._final = [[world.test_of(each, universe) for each in opt] for opt in target.final]
        self._automaton: Automaton | None = None
        if target.formula is not None:
            self._automaton = automaton(target.formula, objects=universe.of_types)
        self.letters = self._automaton.letters if self._automaton else ()
        self._letters = [
            (each, None if isinstance(each, ActionAtom) else world.test_of(each, universe))
            for each in self.letters
        ]

    def slots_of(self, plan: Sequence[Action]) -> Slots:
        """Return the steps of a plan, all kept."""
        return tuple([Slot(each, self._numbers(each), at, None) for at, each in enumerate(plan)])

    def _numbers(self, action: Action) -> tuple[int, ...] | None:
        if action.name not in self.world.domain.operators:
            return None
        arguments = (self.universe.names[self.agent], *action.arguments)
        try:
            return self.world.numbers(self.start, action.name, arguments)
        except InputError:
            return None

    def slot_of(self, name: str, numbers: tuple[int, ...]) -> Slot:
        """Return an action to be put in."""
        names = self.universe.names
        return Slot(Action(name, tuple([names[i] for i in numbers[1:]])), numbers)

    # ------------------------------------------------------------------ steps
    def run(self, slots: Slots, *, after: Execution | None = None, begin: int = 0) -> Execution:
        """Do steps one after the other, until one fails."""
        if after is None:
            states, progress = [self.start.begin()], [(0, 0)]
            changes: list[list[Change] | None] = []
        else:
            states, progress = list(after.states[: begin + 1]), list(after.progress[: begin + 1])
            changes = list(after.changes[:begin])
        for slot in slots[begin:]:
            done = self._step(states[-1], slot)
            if done is None:
                break
            state, change = done
            now = progress[-1]
            progress.append(now if change is None else self.advance(now, states[-1], slot.action))
            states.append(state)
            changes.append(change)
        reached = len(changes) == len(slots) and self.is_reached(progress[-1], states[-1])
        return Execution(slots, tuple(states), tuple(progress), tuple(changes), reached)

    def _step(self, state: State, slot: Slot) -> tuple[State, list[Change] | None] | None:
        """The state after a step and what changed; None if the plan stops there.

        A step that cannot be done, but whose effects hold already, is passed over: no changes.
        """
        if slot.numbers is None:
            return None
        self.meter.count_instances(1)
        operator = self.world.operator(slot.action.name)
        if operator.first_failure(state, *slot.numbers) < 0:
            self.meter.count_instances(self._cost)
            return self.done(state, slot.action.name, slot.numbers)
        if not operator.always_acts or self.is_hopeless(slot):
            return None
        if self.world.changes(state, slot.action.name, slot.numbers):
            return None
        return state, None

    def is_applicable(self, state: State, name: str, numbers: tuple[int, ...]) -> bool:
        """Whether an action can be done in a state."""
        return self.world.operator(name).first_failure(state, *numbers) < 0

    def done(self, state: State, name: str, numbers: tuple[int, ...]) -> tuple[State, list[Change]]:
        """Return the state after an applicable action, and what changed."""
        after = state.copy()
        return after, self.world.apply(after, name, numbers)

    def is_hopeless(self, slot: Slot) -> bool:
        """Whether a step fails whatever happens before it."""
        if slot.numbers is None:
            return True
        key = slot.action.name, slot.numbers
        if key not in self._hopeless:
            self._hopeless[key] = self._is_ruled_out(*key)
        return self._hopeless[key]

    def _is_ruled_out(self, name: str, numbers: Sequence[int | None]) -> bool:
        """Whether what no action changes forbids an action; None stands for any object."""
        tests = self.world.operator(name).test_functions
        padded = [0 if number is None else number for number in numbers]
        return any(
            all(numbers[at] is not None for at in locations)
            and not tests[test](self.start, *padded)
            for test, locations in _fixed_tests(self.world, name)
        )

    # ------------------------------------------------------------------ literals
    def achievers(self, sign: Sign) -> Sequence[Achiever]:
        """Return the effects by which the agent can make atoms of a predicate true or false."""
        return achievers(self.world, sign, self._names)

    def acting(self, effect: Achiever) -> dict[str, int]:
        """Return what binds the first parameter of an effect's operator to the agent."""
        return {effect.variables[0].name: self.agent}

    def weight(self, literal: Literal) -> int:
        """Return how hard it is to find actions that make a literal true; 0 if it can never be.

        What no action brings about may be so from the start, until a step undoes it.
        """
        if literal not in self._weights:
            p, numbers, value = literal
            self._weights[literal] = int(self.start.test(p, numbers) is value) + sum(
                1 + 20 * any(each.name not in env for each in effect.operator.parameters)
                for effect in self.achievers((p, value))
                if (env := effect.binding(numbers, self.universe, self.acting(effect))) is not None
                and not self._is_ruled_out(
                    effect.operator.name, [env.get(v.name) for v in effect.operator.parameters]
                )
            )
        return self._weights[literal]

    # ------------------------------------------------------------------ the target
    def advance(self, progress: Progress, state: State, action: Action | None) -> Progress:
        """Return the progress after a position.

        Args:
            progress: The progress before it.
            state: The state at the position.
            action: The action that is taken from it; None at the last position.
        """
        reached, place = progress
        actions = self.target.actions
        if action is not None and reached < len(actions) and action.name in actions[reached]:
            reached += 1
        if self._automaton is not None:
            word = 0
            for number, (each, test) in enumerate(self._letters):
                if test is not None:
                    word |= test(state) << number
                elif action is not None and isinstance(each, ActionAtom):
                    word |= ((each.action, each.terms) == (action.name, action.arguments)) << number
            place = self._automaton.step(place, word)
        return reached, place

    def is_reached(self, progress: Progress, state: State) -> bool:
        """Whether the target is reached if the plan ends in a state."""
        if progress[0] < len(self.target.actions):
            return False
        if not any(all(test(state) for test in option) for option in self._final):
            return False
        if self._automaton is None:
            return True
        return self.advance(progress, state, None)[1] in self._automaton.accepting

    def unmet(self, state: State) -> list[list[Formula]]:
        """For each alternative of the target, its conditions that do not hold in a state."""
        return [
            [each for each, test in zip(option, tests, strict=True) if not test(state)]
            for option, tests in zip(self.target.final, self._final, strict=True)
        ]


@lru_cache(maxsize=1024)
def _fixed_tests(world: World, name: str) -> list[tuple[int, list[int]]]:
    """The tests of an operator that no action can change, each with the parameters it needs."""
    compiled, fluents = world.operator(name), world.domain.fluents
    locations = {variable.name: at for at, variable in enumerate(compiled.operator.parameters)}
    return [
        (number, [locations[variable.name] for variable in test.free])
        for number, test in enumerate(compiled.tests)
        if not any(isinstance(each, Atom) and each.predicate in fluents for each in atoms(test))
    ]
