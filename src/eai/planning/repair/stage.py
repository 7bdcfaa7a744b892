"""The world of a plan that is being mended: what its agent can do, and what steps do."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache

from eai.errors import InputError
from eai.logic.formula import Atom, Formula, atoms
from eai.planning.repair.depths import RECURSIVE, depth_of
from eai.planning.repair.producers import Literal, Producer, producers
from eai.planning.repair.slots import Slot, kept
from eai.world.action import Action
from eai.world.state import Change, State
from eai.world.transition import World

__all__ = ["Effort", "OutOfEffortError", "Stage"]


_RECURSIVE = 6
"""A step in a world with recursive axioms counts as so many."""


class OutOfEffortError(Exception):
    """As much was tried as is allowed."""


class Effort:
    """Counts what is tried.

    Args:
        limit: How many actions may be tried.
    """

    ATOMS = 2
    """So many atoms that are looked at count as one action that is tried."""

    def __init__(self, limit: int) -> None:
        self.limit = limit * self.ATOMS
        self.used = 0

    def spend(self, atoms: int = ATOMS) -> None:
        """Count some work.

        Args:
            atoms: How much.

        Raises:
            OutOfEffortError: If it is more than is allowed.
        """
        self.used += atoms
        if self.used > self.limit:
            raise OutOfEffortError

    def shorten(self) -> None:
        """Allow a third of what was allowed."""
        self.limit //= 3


class Stage:
    """A world, and the agent that acts in it.

    Args:
        world: The world.
        start: The initial state.
        agent: The object that acts: the first argument of every action.
        demanded: Names of the actions that the goal demands.
        plan: The steps of the plan; those that the world does not know can only be taken out or
            replaced.
        effort: What may be tried.
    """

    def __init__(
        self,
        world: World,
        start: State,
        plan: Sequence[Action],
        *,
        agent: str,
        demanded: frozenset[str],
        effort: Effort,
    ) -> None:
        self.world = world
        self.start = start
        self.universe = start.universe
        self.plan = tuple(plan)
        self.effort = effort
        self.agent = start.universe.number(agent)
        self._agent_name = agent
        self.slots = self.slots_of(plan)
        self.operators = self._different(demanded)
        self._effects = _effects(world, tuple(world.domain.operators))
        self._makers: dict[tuple[int, bool], list[Producer]] = {}
        self._bound: dict[Literal, int] = {}
        self._hopeless: dict[Slot, bool] = {}
        self._cost = Effort.ATOMS * (_RECURSIVE if _is_recursive(world) else 1)

    def slots_of(self, plan: Sequence[Action]) -> tuple[Slot, ...]:
        """Return the steps of a plan, all kept."""
        return tuple([kept(each, self._numbers(each), at) for at, each in enumerate(plan)])

    def _numbers(self, action: Action) -> tuple[int, ...] | None:
        if action.name not in self.world.domain.operators:
            return None
        arguments = (self._agent_name, *action.arguments)
        try:
            return self.world.numbers(self.start, action.name, arguments)
        except InputError:
            return None

    def _different(self, demanded: frozenset[str]) -> frozenset[str]:
        """Operators of the agent; of several that do the same, one that the plan uses."""
        used = [slot.action.name for slot in self.slots if slot.numbers]
        first: dict[object, str] = {}
        for name in dict.fromkeys([*used, *self.world.domain.operators]):
            one = self.world.domain.operators[name]
            if one.parameters and self.universe.mask(one.parameters[0].types) >> self.agent & 1:
                same = (one.parameters, one.precondition, one.effect)
                first.setdefault(name if name in demanded else same, name)
        return frozenset(first.values())

    # ------------------------------------------------------------------ effects
    def effects_of(self, name: str) -> Sequence[Producer]:
        """Return the effects of an operator."""
        return self._effects[name]

    def makers(self, sign: tuple[int, bool]) -> Sequence[Producer]:
        """Return the effects by which the agent can make atoms of a predicate true or false."""
        if sign not in self._makers:
            names = [name for name in self.world.domain.operators if name in self.operators]
            found = [each for name in names for each in self._effects[name] if each.sign == sign]
            self._makers[sign] = found
        return self._makers[sign]

    def weight(self, literal: Literal) -> int:
        """Return how hard it is to find actions that make a literal true; 0 if it can never be.

        What no action brings about may be so from the start, until a step undoes it.
        """
        if literal not in self._bound:
            p, numbers, value = literal
            self._bound[literal] = int(self.start.test(p, numbers) is value) + sum(
                1 + 20 * any(each.name not in env for each in maker.parameters)
                for maker in self.makers((p, value))
                if (env := maker.binding(numbers, self.universe, (self.agent,))) is not None
                and not self._ruled_out(maker, env)
            )
        return self._bound[literal]

    def _ruled_out(self, maker: Producer, env: Mapping[str, int]) -> bool:
        """Whether what no action changes keeps an effect from happening."""
        fixed = _fixed_tests(self.world, maker.operator)
        if not fixed:
            return False
        compiled = self.world.operator(maker.operator)
        numbers = [env.get(variable.name) for variable in maker.parameters]
        padded = [0 if number is None else number for number in numbers]
        return any(
            all(numbers[at] is not None for at in places)
            and not compiled.test_functions[test](self.start, *padded)
            for test, places in fixed
        )

    # ------------------------------------------------------------------ steps
    def keep(self, state: State, slot: Slot) -> tuple[State, list[Change] | None] | None:
        """Do a step of the plan.

        Args:
            state: The state before it.
            slot: The step.

        Returns:
            The state after it and what changed, which is None if the step was passed over (it
            cannot be done, but its effects hold already); None if the plan stops there.
        """
        numbers = slot.numbers
        if numbers is None:
            return None
        self.effort.spend(1)
        operator = self.world.operator(slot.action.name)
        if operator.first_failure(state, *numbers) < 0:
            self.effort.spend(self._cost)
            return self.done(state, slot.action.name, numbers)
        if not operator.always_acts or self.is_hopeless(slot):
            return None
        return None if self.world.changes(state, slot.action.name, numbers) else (state, None)

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
        key = slot._replace(origin=None)
        if key not in self._hopeless:
            tests = self.world.operator(slot.action.name).test_functions
            self._hopeless[key] = any(
                not tests[test](self.start, *slot.numbers)
                for test, _ in _fixed_tests(self.world, slot.action.name)
            )
        return self._hopeless[key]

    def slot_of(self, name: str, numbers: tuple[int, ...]) -> Slot:
        """Return an action to be put in."""
        names = self.universe.names
        return Slot(Action(name, tuple([names[i] for i in numbers[1:]])), numbers)


@lru_cache(maxsize=16)
def _is_recursive(world: World) -> bool:
    """Whether axioms of a world lead back to themselves."""
    return any(depth_of(world, Atom(name)) >= RECURSIVE for name in world.domain.derived)


@lru_cache(maxsize=16)
def _effects(world: World, names: tuple[str, ...]) -> Mapping[str, list[Producer]]:
    found: dict[str, list[Producer]] = defaultdict(list)
    for each in producers(world, names):
        found[each.operator].append(each)
    return found


@lru_cache(maxsize=1024)
def _fixed_tests(world: World, name: str) -> list[tuple[int, list[int]]]:
    """The tests of an operator that no action can change, each with the parameters it needs."""
    compiled, fluents = world.operator(name), world.domain.fluents
    places = {variable.name: at for at, variable in enumerate(compiled.operator.parameters)}
    return [
        (number, _used(test, places))
        for number, test in enumerate(compiled.tests)
        if not any(isinstance(each, Atom) and each.predicate in fluents for each in atoms(test))
    ]


def _used(test: Formula, places: Mapping[str, int]) -> list[int]:
    return [places[variable.name] for variable in test.free]
