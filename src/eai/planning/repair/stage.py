"""The plan in its world: what keeping a step does, and which actions could be put in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from eai.errors import InputError
from eai.logic.formula import (
    Atom,
    Count,
    Exists,
    Forall,
    Formula,
    ForPairs,
    Variable,
    atoms,
    conjuncts,
    free_variables,
    walk,
)
from eai.planning.repair.producers import Literal, Producer, producers
from eai.world.action import Action
from eai.world.bits import bits
from eai.world.state import Change, State
from eai.world.transition import World

__all__ = ["GroundStep", "Stage", "Wanted", "wanted_of"]


@dataclass(frozen=True, slots=True)
class GroundStep:
    """An action over object numbers, the agent first.

    Args:
        action: The action as a plan gives it.
        numbers: Numbers of the operator's arguments.
    """

    action: Action
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an action that is put in has to bring about, one of these at least.

    Args:
        literals: Literals, by predicate and sign.
        names: Operators that are wanted for their own sake.
    """

    literals: Mapping[tuple[int, bool], frozenset[tuple[int, ...]]]
    names: frozenset[str]

    def __len__(self) -> int:
        return sum(map(len, self.literals.values())) + 1000 * len(self.names)


class Stage:
    """A plan, and the world that it is for.

    Args:
        world: The world.
        start: The initial state.
        plan: The steps; those that the world does not know can only be taken out.
        agent: The object that acts.
        demanded: Names of the actions that the goal demands.
    """

    def __init__(
        self,
        world: World,
        start: State,
        plan: Sequence[Action],
        *,
        agent: str,
        demanded: frozenset[str],
    ) -> None:
        self.world = world
        self.start = start
        self.plan = tuple(plan)
        self.agent = start.universe.number(agent)
        self._agent_name = agent
        self._demanded = demanded
        self.steps = tuple([self._grounded(action) for action in plan])
        self.known = dict(zip(self.plan, self.steps, strict=True)).get
        self.operators = self._different()
        self._of_operator: dict[str, list[Producer]] = defaultdict(list)
        self._producers: dict[tuple[int, bool], list[Producer]] = {}
        self._of_step: dict[tuple[int, bool], list[tuple[int, Producer, tuple[int, ...]]]] = {}
        self._sort()
        self._makers: dict[Literal, list[tuple[Producer, dict[str, int]]]] = {}
        self.rules: dict[str, list[tuple[tuple[str, ...], Formula]]] = {}
        for axiom in world.domain.axioms:
            names = tuple(t.name for t in axiom.head.terms if isinstance(t, Variable))
            self.rules.setdefault(axiom.head.predicate, []).append((names, axiom.body))
        self.recursive = frozenset(name for name in self.rules if name in self._below(name))
        self._simple: dict[tuple[str, Formula], list[Formula]] = {}
        self._tests_of: dict[str, Callable[..., bool]] = {}
        self._levels: dict[str, list[list[int]]] = {}
        self._hopeless: dict[int, bool] = {}

    def of(self, plan: Sequence[Action]) -> Stage:
        """Return another plan in the same world."""
        return Stage(self.world, self.start, plan, agent=self._agent_name, demanded=self._demanded)

    def _sort(self) -> None:
        """Sort what actions can bring about: those that may be put in, and those of the plan."""
        of_operator = self._of_operator
        every = {*self.operators, *(step.action.name for step in self.steps if step)}
        for each in producers(self.world, [n for n in self.world.domain.operators if n in every]):
            of_operator[each.operator].append(each)
            if each.operator in self.operators:
                self._producers.setdefault(each.sign, []).append(each)
        for at, step in enumerate(self.steps):
            if step is None:
                continue
            for each in of_operator[step.action.name]:
                self._of_step.setdefault(each.sign, []).append((at, each, step.numbers))

    def makers(self, literal: Literal) -> Sequence[tuple[Producer, dict[str, int]]]:
        """Return the effects by which actions that may be put in can make a literal true.

        Each comes with the numbers of its variables, so far as the literal determines them.
        """
        found = self._makers.get(literal)
        if found is None:
            p, numbers, value = literal
            bound = [
                (each, each.binding(numbers, self.start.universe, (self.agent,)))
                for each in self._producers.get((p, value), ())
            ]
            found = self._makers[literal] = [(each, env) for each, env in bound if env is not None]
        return found

    def of_plan(self, literal: Literal, until: int) -> Iterator[tuple[Producer, dict[str, int]]]:
        """Yield the effects of the first steps that make a literal true, as :meth:`makers` does."""
        p, numbers, value = literal
        for at, each, given in self._of_step.get((p, value), ()):
            if at >= until:
                return
            env = each.binding(numbers, self.start.universe, given)
            if env is not None:
                yield each, env

    def influences(
        self, literal: Literal, steps: range
    ) -> Iterator[tuple[int, Producer, dict[str, int]]]:
        """Yield the effects of some steps that make a literal true or false on a condition.

        Each comes with the 0-based number of the step and the numbers of its variables.
        """
        p, numbers, value = literal
        for sign in (value, not value):
            for at, each, given in self._of_step.get((p, sign), ()):
                if each.test is not None and at in steps:
                    env = each.binding(numbers, self.start.universe, given)
                    if env is not None:
                        yield at, each, env

    def test_of(self, predicate: str) -> Callable[..., bool]:
        """Return the test of a derived predicate, a function of a state and of numbers."""
        if predicate not in self._tests_of:
            parameters = self.world.domain.predicates[predicate].parameters
            distinct = tuple(
                [Variable(f"{at}#{each.name}", each.types) for at, each in enumerate(parameters)]
            )
            atom = Atom(predicate, distinct)
            self._tests_of[predicate] = self.world.function_of(atom, distinct)
        return self._tests_of[predicate]

    def effects_of(self, name: str) -> Sequence[Producer]:
        """Return the effects of an operator that the plan uses or that may be put in."""
        return self._of_operator.get(name, ())

    def simple_tests(self, producer: Producer) -> Sequence[Formula]:
        """Conditions of an effect and of its action that are quick to look at.

        Those with quantifiers, directly or through derived predicates, are left out.
        """
        key = (producer.operator, producer.condition)
        if key not in self._simple:
            compiled = self.world.operator(producer.operator)
            conditions = (*compiled.tests, *conjuncts(producer.condition))
            self._simple[key] = [each for each in conditions if not self._quantifies(each)]
        return self._simple[key]

    def _quantifies(self, formula: Formula) -> bool:
        axioms, seen, pending = self.world.domain.axioms, set[str](), [formula]
        while pending:
            for node in walk(pending.pop()):
                if isinstance(node, (Exists, Forall, Count, ForPairs)):
                    return True
                if isinstance(node, Atom) and node.predicate not in seen:
                    seen.add(node.predicate)
                    pending += [a.body for a in axioms if a.head.predicate == node.predicate]
        return False

    def _below(self, predicate: str) -> set[str]:
        """The derived predicates that the rules of a predicate lead to."""
        found, pending = set[str](), [predicate]
        while pending:
            bodies = [body for _, body in self.rules[pending.pop()]]
            used = {a.predicate for body in bodies for a in atoms(body) if isinstance(a, Atom)}
            pending += (used & self.rules.keys()) - found
            found |= used & self.rules.keys()
        return found

    def _grounded(self, action: Action) -> GroundStep | None:
        if action.name not in self.world.domain.operators:
            return None
        try:
            numbers = self.world.numbers(
                self.start, action.name, (self._agent_name, *action.arguments)
            )
        except InputError:
            return None
        return GroundStep(action, numbers)

    def _different(self) -> frozenset[str]:
        """Operators of the agent; of several that do the same, one that the plan uses."""
        used = [step.action.name for step in self.steps if step]
        first: dict[object, str] = {}
        for name in dict.fromkeys([*used, *self.world.domain.operators]):
            one = self.world.domain.operators[name]
            acts = one.parameters and self._is(one.parameters[0].types, self.agent)
            if acts and name in self._demanded:
                first[name] = name
            elif acts:
                first.setdefault((one.parameters, one.precondition, one.effect), name)
        return frozenset(first.values())

    def _is(self, types: tuple[str, ...], number: int) -> bool:
        return bool(self.start.universe.mask(types) >> number & 1)

    def keep(self, state: State, at: int) -> tuple[State, list[Change] | None] | None:
        """Do a step of the plan.

        Args:
            state: The state before it.
            at: Its 0-based number.

        Returns:
            The state after it and what changed, which is None if the step was passed over (it
            cannot be done, but its effects hold already); None if the plan stops there.
        """
        step = self.steps[at]
        if step is None:
            return None
        name, numbers = step.action.name, step.numbers
        world = self.world
        if world.operator(name).first_failure(state, *numbers) < 0:
            return self.done(state, step)
        operator = world.operator(name)
        if (
            operator.always_acts
            and not self.is_hopeless(at)
            and not world.changes(state, name, numbers)
        ):
            return state, None
        return None

    def is_applicable(self, state: State, step: GroundStep) -> bool:
        """Whether an action can be done in a state."""
        return self.world.operator(step.action.name).first_failure(state, *step.numbers) < 0

    def done(self, state: State, step: GroundStep) -> tuple[State, list[Change]]:
        """Return the state after an applicable action, and what changed."""
        after = state.copy()
        return after, self.world.apply(after, step.action.name, step.numbers)

    def is_hopeless(self, at: int) -> bool:
        """Whether a step fails whatever happens before it."""
        if at not in self._hopeless:
            self._hopeless[at] = self._fails_for_ever(at)
        return self._hopeless[at]

    def _fails_for_ever(self, at: int) -> bool:
        step = self.steps[at]
        if step is None:
            return True
        compiled, fluents = self.world.operator(step.action.name), self.world.domain.fluents
        return any(
            not any(isinstance(a, Atom) and a.predicate in fluents for a in atoms(condition))
            and not test(self.start, *step.numbers)
            for condition, test in zip(compiled.tests, compiled.test_functions, strict=True)
        )

    def candidates(self, state: State, wanted: Wanted) -> list[GroundStep]:
        """Return the applicable actions that bring about something wanted, in a fixed order."""
        found: dict[tuple[str, tuple[int, ...]], None] = {}
        known: dict[str, list[tuple[int, ...]]] = {}
        for (p, value), wishes in wanted.literals.items():
            for numbers in sorted(wishes):
                if state.test(p, numbers) is not value:
                    for producer, env in self.makers((p, numbers, value)):
                        for each in self._making(state, producer, env, known):
                            found[producer.operator, each] = None
        for name in sorted(wanted.names & self.operators):
            for each in self.instances(state, name, {}):
                found[name, each] = None
        return [self.step_of(name, numbers) for name, numbers in found]

    def brings(self, changes: Iterable[Change], wanted: Wanted) -> bool:
        """Whether something wanted is among changes."""
        for p, column, key, mask, value in changes:
            wishes = wanted.literals.get((p, value))
            for numbers in wishes or ():
                if _touches(column, key, mask, numbers):
                    return True
        return False

    def step_of(self, name: str, numbers: tuple[int, ...]) -> GroundStep:
        """Give an action its names back."""
        names = self.start.universe.names
        return GroundStep(Action(name, tuple([names[i] for i in numbers[1:]])), numbers)

    def _making(
        self,
        state: State,
        producer: Producer,
        env: Mapping[str, int],
        known: dict[str, list[tuple[int, ...]]],
    ) -> Iterator[tuple[int, ...]]:
        """Arguments with which an operator is applicable and has an effect."""
        own = [env.get(v.name) for v in producer.variables[producer.arity :]]
        given = [env.get(v.name) for v in producer.variables[: producer.arity]]
        name = producer.operator
        if None not in given:
            found: Iterable[tuple[int, ...]] = self.instances(state, name, env)
        else:
            if name not in known:
                known[name] = list(self.instances(state, name, {}))
            found = known[name]
        for numbers in found:
            if all(a is None or a == b for a, b in zip(given, numbers, strict=True)) and (
                producer.test is None or None in own or producer.test(state, *numbers, *own)
            ):
                yield numbers

    def instances(
        self, state: State, name: str, binding: Mapping[str, int]
    ) -> Iterator[tuple[int, ...]]:
        """Yield arguments with which an operator is applicable.

        Args:
            state: The state.
            name: The operator.
            binding: Numbers that are given, by the names of the parameters.
        """
        compiled, universe = self.world.operator(name), state.universe
        parameters = compiled.operator.parameters
        levels = self._tests(name)
        tests = compiled.test_functions
        size = len(parameters)
        if binding.get(parameters[0].name, self.agent) != self.agent:
            return
        pending: list[tuple[int, ...]] = [(self.agent,)]
        while pending:
            numbers = pending.pop()
            at = len(numbers)
            padded = numbers + (0,) * (size - at)
            if not all(tests[i](state, *padded) for i in levels[at - 1]):
                continue
            if at == size:
                yield numbers
                continue
            given = binding.get(parameters[at].name)
            if given is not None:
                pending.append((*numbers, given))
            else:
                pending += [(*numbers, each) for each in bits(universe.mask(parameters[at].types))]

    def _tests(self, name: str) -> list[list[int]]:
        """The tests of an operator by how many of its arguments they need."""
        if name not in self._levels:
            compiled = self.world.operator(name)
            places = {v.name: at for at, v in enumerate(compiled.operator.parameters)}
            levels: list[list[int]] = [[] for _ in places]
            for number, test in enumerate(compiled.tests):
                needed = [places[variable.name] for variable in free_variables(test)]
                levels[max(needed, default=0)].append(number)
            self._levels[name] = levels
        return self._levels[name]


def wanted_of(literals: Iterable[Literal], names: Iterable[str]) -> Wanted:
    """Sort literals by what is to become true or false."""
    by_sign: dict[tuple[int, bool], set[tuple[int, ...]]] = {}
    for p, numbers, value in literals:
        by_sign.setdefault((p, value), set()).add(numbers)
    return Wanted({sign: frozenset(each) for sign, each in by_sign.items()}, frozenset(names))


def _touches(column: int, key: object, mask: int, numbers: tuple[int, ...]) -> bool:
    """Whether a change is about an atom."""
    if len(numbers) == 2:
        fixed, free = (numbers[1], numbers[0]) if column else numbers
        return key == fixed and bool(mask >> free & 1)
    if len(numbers) > 2:
        return key == numbers[:-1] and bool(mask >> numbers[-1] & 1)
    return bool(mask >> (numbers[0] if numbers else 0) & 1)
