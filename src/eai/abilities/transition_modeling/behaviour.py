"""Comparing two action models by what they do, not by how they are written.

The annotated model is M*, the predicted one M. On a sample of states and argument tuples,

* App(M) is the set of pairs (s, a) such that the precondition of a holds in s,
* T(M) is the set of triples (s, a, s'), s' being the state after a in s.

For X = App and X = T, precision is the share of X(M) that is in X(M*), recall the share of X(M*)
that is in X(M). An App precision below 1 means that M is too permissive, an App recall below 1
that it is too strict. The likeness of two effects is the share of the facts that change under
either (with their signs) that change under both.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from math import prod

from eai.pddl.model import Domain, Operator, Problem
from eai.planning.own import declared
from eai.world.action import Action
from eai.world.state import Change, State
from eai.world.transition import World

__all__ = ["Behaviour", "Sampling", "compare_behaviour"]

_MARK = "predicted "
"""Begins the name of a predicted operator where both models are in one domain."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How states and argument tuples are chosen.

    Args:
        walks: Number of random walks of the annotated model.
        steps: Length of a walk.
        bindings: Most argument tuples of one operator; all if there are no more.
        seed: Where the random numbers begin.
    """

    walks: int = 2
    steps: int = 10
    bindings: int = 200
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How the transitions of two models compare on a sample; ``+`` adds samples.

    Args:
        states: Number of different states.
        cases: Number of states with an operator and its arguments.
        applicable: Cases that are applicable in both models.
        permissive: Cases that only the predicted model allows.
        strict: Cases that only the annotated model allows.
        equal: Applicable cases with the same successor.
        alike: Sum over the applicable cases of how alike the changes are, between 0 and 1.
    """

    states: int = 0
    cases: int = 0
    applicable: int = 0
    permissive: int = 0
    strict: int = 0
    equal: int = 0
    alike: float = 0.0

    def __add__(self, other: Behaviour) -> Behaviour:
        return Behaviour(
            self.states + other.states,
            self.cases + other.cases,
            self.applicable + other.applicable,
            self.permissive + other.permissive,
            self.strict + other.strict,
            self.equal + other.equal,
            self.alike + other.alike,
        )

    @property
    def applicability(self) -> tuple[float, float, float]:
        """Precision, recall and F1 of what is applicable; 1 where nothing can be wrong."""
        return _scores(self.applicable, self.permissive, self.strict)

    @property
    def transitions(self) -> tuple[float, float, float]:
        """Precision, recall and F1 of transitions; 1 where nothing can be wrong."""
        wrong = self.applicable - self.equal
        return _scores(self.equal, self.permissive + wrong, self.strict + wrong)

    @property
    def similarity(self) -> float | None:
        """Mean likeness of effects; None if nothing is applicable in both models."""
        return self.alike / self.applicable if self.applicable else None

    @property
    def perfect(self) -> bool:
        """Whether the models do the same on the whole sample."""
        return self.equal == self.applicable and not self.permissive and not self.strict


def _scores(shared: int, extra: int, missing: int) -> tuple[float, float, float]:
    return (
        shared / (shared + extra) if shared + extra else 1.0,
        shared / (shared + missing) if shared + missing else 1.0,
        2 * shared / (2 * shared + extra + missing) if shared + extra + missing else 1.0,
    )


def compare_behaviour(
    gold: Domain,
    predicted: Mapping[str, Operator],
    problem: Problem,
    *,
    plans: Iterable[Sequence[Action]] = (),
    names: Iterable[str] | None = None,
    sampling: Sampling | None = None,
) -> Behaviour:
    """Compare the transitions of two models on states that a task reaches.

    The states are those along the plans, those one other action off them, and those of random
    walks, all of the annotated model.

    Args:
        gold: The annotated model.
        predicted: Predicted operators by name. One that is missing is never applicable, nor is
            one that takes another number of arguments.
        problem: The task.
        plans: Plans of the annotated model.
        names: Operators to compare; all of the annotated model by default.
        sampling: How much is looked at.

    Raises:
        InputError: If a predicted operator mentions what the domain does not declare.
    """
    compared = tuple(gold.operators) if names is None else tuple(names)
    marked = {
        _MARK + name: replace(operator, name=_MARK + name) for name, operator in predicted.items()
    }
    both, problem = declared(replace(gold, operators={**gold.operators, **marked}), problem)
    world = World(both)
    start = world.state(problem.objects, problem.initial)
    sampler = _Sampler(world, start, compared, sampling or Sampling())
    states = sampler.states(plans)
    counts = [
        _compared(world, state, name, arguments)
        for state in states
        for name in compared
        for arguments in sampler.bindings[name]
    ]
    return sum(counts, Behaviour(states=len(states)))


class _Sampler:
    def __init__(
        self, world: World, start: State, names: Sequence[str], sampling: Sampling
    ) -> None:
        self.world = world
        self.start = start
        self.names = names
        self.sampling = sampling
        self.random = random.Random(sampling.seed)  # noqa: S311
        self.bindings = {name: self._bindings(name) for name in names}

    def _bindings(self, name: str) -> list[tuple[int, ...]]:
        universe, most = self.start.universe, self.sampling.bindings
        parameters = self.world.operator(name).operator.parameters
        objects = [
            [universe.number(found) for found in universe.of_types(parameter.types)]
            for parameter in parameters
        ]
        if prod(map(len, objects)) <= most:
            return list(product(*objects))
        drawn = (tuple(map(self.random.choice, objects)) for _ in range(10 * most))
        return list(islice(dict.fromkeys(drawn), most))

    def states(self, plans: Iterable[Sequence[Action]]) -> list[State]:
        """Return different states, those along plans first."""
        found: dict[object, State] = {}
        for state in self._reached(plans):
            found.setdefault(frozenset(state.atoms()), state)
        return list(found.values())

    def _reached(self, plans: Iterable[Sequence[Action]]) -> Iterator[State]:
        for plan in plans:
            yield from self._along(plan)
        for _ in range(self.sampling.walks):
            state: State | None = self.start
            for _ in range(self.sampling.steps + 1):
                if state is None:
                    break
                yield state
                state = self._step(state)

    def _along(self, plan: Sequence[Action]) -> Iterator[State]:
        state = self.start.copy()
        for action in plan:
            yield state.copy()
            beside = self._step(state)
            if beside is not None:
                yield beside
            numbers = self.world.numbers(state, action.name, action.arguments)
            if self.world.first_failure(state, action.name, numbers) >= 0:
                return
            self.world.apply(state, action.name, numbers)
        yield state

    def _step(self, state: State) -> State | None:
        """The state after a random applicable action; None if none of many is applicable."""
        for _ in range(200):
            name = self.random.choice(self.names)
            if not self.bindings[name]:
                continue
            numbers = self.random.choice(self.bindings[name])
            if self.world.first_failure(state, name, numbers) < 0:
                after = state.copy()
                self.world.apply(after, name, numbers)
                return after
        return None


def _compared(world: World, state: State, name: str, numbers: tuple[int, ...]) -> Behaviour:
    ours = _changed(world, state, _MARK + name, numbers)
    theirs = _changed(world, state, name, numbers)
    if ours is None or theirs is None:
        return Behaviour(cases=1, permissive=int(ours is not None), strict=int(theirs is not None))
    together = len(ours | theirs)
    return Behaviour(
        cases=1,
        applicable=1,
        equal=int(ours == theirs),
        alike=len(ours & theirs) / together if together else 1.0,
    )


def _changed(
    world: World, state: State, name: str, numbers: tuple[int, ...]
) -> frozenset[object] | None:
    """The facts that an action changes, with their signs; None if it is not applicable."""
    operator = world.domain.operators.get(name)
    if operator is None or len(operator.parameters) != len(numbers):
        return None
    universe = state.universe
    for parameter, number in zip(operator.parameters, numbers, strict=True):
        if not universe.mask(parameter.types) >> number & 1:
            return None
    if world.first_failure(state, name, numbers) >= 0:
        return None
    return frozenset(_facts(world.apply(state.copy(), name, numbers)))


def _facts(changes: Iterable[Change]) -> Iterator[object]:
    for predicate, column, key, mask, value in changes:
        for number in range(mask.bit_length()):
            if mask >> number & 1:
                ends = (number, key) if column else (key, number)
                yield predicate, ends, value
