"""The repair problem: what the agent can do, what steps do, and what makes a literal true."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from eai.errors import InputError
from eai.logic.formula import TRUE, Atom, Formula, Term, Variable, atoms
from eai.pddl.model import clauses
from eai.planning.repair.edits import Slot, kept
from eai.world.action import Action
from eai.world.bits import bits
from eai.world.state import Change, State
from eai.world.transition import World
from eai.world.universe import Universe

__all__ = [
    "RECURSIVE",
    "Effort",
    "Literal",
    "OutOfEffortError",
    "Producer",
    "Stage",
    "depth_of",
    "producers",
]

RECURSIVE = 9
"""How deep a recursive axiom counts."""


@lru_cache(maxsize=4096)
def depth_of(world: World, formula: Formula, above: tuple[str, ...] = ()) -> int:
    """Return how many variables quantifiers bind below each other, axioms included.

    A recursive axiom counts as :data:`RECURSIVE`.

    Args:
        world: The world with the axioms.
        formula: A formula.
        above: Derived predicates whose axioms it is part of.
    """
    if isinstance(formula, Atom):
        if formula.predicate in above:
            return RECURSIVE
        bodies = [a.body for a in world.domain.axioms if a.head.predicate == formula.predicate]
        inside = (*above, formula.predicate)
        return max((depth_of(world, body, inside) for body in bodies), default=0)
    below = max((depth_of(world, each, above) for each in formula.operands), default=0)
    return below + len(formula.variables)


Literal = tuple[int, tuple[int, ...], bool]
"""Number of a predicate, numbers of its arguments, and whether it is to be true or false."""


@dataclass(frozen=True, slots=True)
class Producer:
    """One effect of an operator.

    Args:
        operator: Name of the operator.
        sign: Number of the predicate, and whether the effect makes it true.
        terms: Arguments of the atom.
        arity: How many of the variables are parameters of the operator.
        variables: The operator's parameters, then what quantifiers of the effect range over.
        condition: When the effect happens.
        test: The condition as a function of a state and of numbers for the variables; None if
            the effect always happens.
        typed: The variables that not every object can stand for.
        last: The last argument of the atom, with its type; None if it has none.
    """

    operator: str
    sign: tuple[int, bool]
    terms: tuple[Term, ...]
    arity: int
    variables: tuple[Variable, ...]
    condition: Formula
    test: Callable[..., bool] | None
    typed: tuple[Variable, ...]
    last: Term | None

    @property
    def parameters(self) -> tuple[Variable, ...]:
        """The operator's parameters."""
        return self.variables[: self.arity]

    def binding(
        self, numbers: tuple[int, ...], universe: Universe, given: tuple[int, ...]
    ) -> dict[str, int] | None:
        """Bind the variables so that the effect is about certain objects.

        Args:
            numbers: The objects; fewer than there are arguments: the first ones.
            universe: Where they are from.
            given: Numbers of the first variables.

        Returns:
            Variable to number, for those that are bound; None if the effect cannot be about
            these objects.
        """
        found = {v.name: number for v, number in zip(self.variables, given, strict=False)}
        for term, number in zip(self.terms, numbers, strict=False):
            if isinstance(term, Variable):
                if found.setdefault(term.name, number) != number:
                    return None
            elif universe.number(term) != number:
                return None
        for variable in self.typed:
            at = found.get(variable.name)
            if at is not None and not universe.mask(variable.types) >> at & 1:
                return None
        return found

    def completed(
        self, env: dict[str, int], mask: int, universe: Universe
    ) -> Iterator[dict[str, int]]:
        """Bind the last argument of the atom, too.

        Args:
            env: What the other arguments are bound to.
            mask: The objects that it may be.
            universe: Where they are from.
        """
        last = self.last
        if isinstance(last, Variable) and last.name not in env:
            for number in bits(mask & universe.mask(last.types)):
                yield {**env, last.name: number}
            return
        if last is not None:
            number = env[last.name] if isinstance(last, Variable) else universe.number(last)
            if not mask >> number & 1:
                return
        yield env


def producers(world: World, names: Iterable[str]) -> list[Producer]:
    """Take the effects of operators apart.

    Args:
        world: The world.
        names: Names of the operators.
    """
    found = []
    for name in names:
        operator = world.operator(name).operator
        parameters = operator.parameters
        own = [variable.name for variable in parameters]
        for quantified, condition, added, atom in clauses(operator.effect, own):
            variables = (*parameters, *quantified)
            test = None if condition == TRUE else world.function_of(condition, variables)
            sign = world.layout.index[atom.predicate], added
            arity = len(parameters)
            typed = tuple(v for v in variables if "object" not in v.types)
            types = {v.name: v for v in variables}
            last = atom.terms[-1] if atom.terms else None
            if isinstance(last, Variable):
                last = types[last.name]
            found.append(
                Producer(name, sign, atom.terms, arity, variables, condition, test, typed, last)
            )
    return found


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
