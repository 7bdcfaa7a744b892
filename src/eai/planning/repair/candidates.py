"""Actions that can be done in a state and bring about something that is needed.

For each effect that can make a needed literal true, the condition of the effect and the
precondition of its action are solved for one argument at once: compiled conditions give the set
of all objects that do, as a mask. Actions that bring nothing about are never looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

from eai.logic.formula import (
    And,
    Exists,
    Formula,
    Variable,
    conjuncts,
    free_variables,
)
from eai.planning.repair.blockers import depth_of
from eai.planning.repair.landmarks import Mapped
from eai.planning.repair.need import Need, Prefix
from eai.planning.repair.producers import Producer
from eai.planning.repair.slots import Slot
from eai.planning.repair.stage import Stage
from eai.world.bits import bits
from eai.world.state import State
from eai.world.transition import World

__all__ = ["Candidates"]

_Numbers = tuple[int, ...]


class Candidates:
    """Finds actions that are of use.

    Args:
        stage: The world and what the agent can do.
    """

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._world = stage.world
        self._functions: dict[object, Callable[..., int]] = {}

    def at(self, mapped: Mapped, place: int, state: State) -> list[Slot]:
        """Return the actions that can be put in at a place, in a fixed order.

        Args:
            mapped: What is needed.
            place: The place.
            state: The state there.
        """
        if place in mapped.anything:
            return self.every(state, sorted(self._stage.operators))
        return self.bringing(state, mapped.needs[place], mapped.names)

    def bringing(self, state: State, need: Need, names: Iterable[str] = ()) -> list[Slot]:
        """Return the applicable actions that make a literal true, or have one of some names."""
        found = self.every(state, sorted(self._stage.operators.intersection(names)))
        for sign in need.tables:
            prefixes = list(need.open(sign, state))
            for maker in self._stage.makers(sign) if prefixes else ():
                found += [
                    self._stage.slot_of(maker.operator, numbers)
                    for numbers in self._making(maker, prefixes, state)
                    if self._stage.is_applicable(state, maker.operator, numbers)
                ]
        return list(dict.fromkeys(found))

    def every(self, state: State, names: Iterable[str]) -> list[Slot]:
        """Return all applicable actions of some operators."""
        agent = self._stage.agent
        return [
            self._stage.slot_of(name, numbers)
            for name in names
            for numbers in self._completed(name, (agent,), state)
        ]

    def _making(
        self, maker: Producer, prefixes: Iterable[tuple[Prefix, int]], state: State
    ) -> Iterator[_Numbers]:
        """Arguments with which an operator is applicable and has an effect."""
        agent = self._stage.agent
        if _solved_by_last(maker):
            for prefix, mask in prefixes:
                env = maker.binding(prefix, self._stage.universe, (agent,))
                if env is not None:
                    last = maker.terms[-1]
                    assert isinstance(last, Variable)  # noqa: S101 - it is solved for
                    yield from self._solved(maker, last, env, state, mask)
            return
        for prefix, mask in prefixes:
            for number in bits(mask):
                numbers = (*prefix, number) if maker.terms else ()
                env = maker.binding(numbers, self._stage.universe, (agent,))
                if env is not None:
                    yield from self._with(maker, env, state)

    def _with(self, maker: Producer, env: Mapping[str, int], state: State) -> Iterator[_Numbers]:
        """Arguments that agree with given ones."""
        free = [v for v in maker.variables[: maker.arity] if v.name not in env]
        if not free:
            numbers = tuple([env[v.name] for v in maker.variables[: maker.arity]])
            self._stage.effort.spend(1)
            if self._function(maker, None, env)(state, *env.values()):
                yield numbers
        elif len(free) == 1:
            yield from self._solved(maker, free[0], env, state, -1)
        else:
            for number in bits(self._stage.universe.mask(free[0].types)):
                yield from self._with(maker, {**env, free[0].name: number}, state)

    def _solved(
        self, maker: Producer, variable: Variable, env: Mapping[str, int], state: State, mask: int
    ) -> Iterator[_Numbers]:
        self._stage.effort.spend(2)
        function = self._function(maker, variable, env)
        for number in bits(function(state, *env.values()) & mask):
            full = {**env, variable.name: number}
            yield tuple([full[v.name] for v in maker.variables[: maker.arity]])

    def _function(
        self, maker: Producer, variable: Variable | None, env: Mapping[str, int]
    ) -> Callable[..., int]:
        """Which objects can stand for a variable, given others; without one: whether they fit."""
        key = id(maker), variable, tuple(env)
        if key not in self._functions:
            given = tuple([v for name in env for v in maker.variables if v.name == name])
            rest = [v for v in maker.variables if v not in given and v != variable]
            tests = self._world.operator(maker.operator).tests
            condition = _closed(_quick(self._world, And((*tests, maker.condition))), rest)
            self._functions[key] = (
                self._world.function_of(condition, given)
                if variable is None
                else self._world.members_of(condition, variable, given)
            )
        return self._functions[key]

    def _completed(self, name: str, numbers: _Numbers, state: State) -> Iterator[_Numbers]:
        """Applicable actions whose first arguments are given."""
        parameters = self._world.operator(name).operator.parameters
        if len(numbers) == len(parameters):
            if self._stage.is_applicable(state, name, numbers):
                yield numbers
            return
        self._stage.effort.spend(2)
        at = len(numbers)
        tests = _quick(self._world, And(self._world.operator(name).tests))
        condition = _closed(tests, parameters[at + 1 :])
        found = self._world.members_of(condition, parameters[at], parameters[:at])
        for number in bits(found(state, *numbers)):
            yield from self._completed(name, (*numbers, number), state)


def _solved_by_last(maker: Producer) -> bool:
    """Whether the last argument of the atom is a parameter, and it is the only one left."""
    *head, last = maker.terms or ("",)
    rest = {v.name for v in maker.variables[1 : maker.arity]}
    names = {term.name for term in head if isinstance(term, Variable)}
    return isinstance(last, Variable) and last.name in rest - names and rest - names == {last.name}


@lru_cache(maxsize=4096)
def _quick(world: World, condition: Formula) -> And:
    """The conjuncts that have at most one quantifier below another: solving others is slow."""
    return And(tuple(part for part in conjuncts(condition) if depth_of(world, part) <= 1))


def _closed(formula: Formula, variables: Iterable[Variable]) -> Formula:
    bound = tuple(v for v in variables if v in free_variables(formula))
    return Exists(bound, formula) if bound else formula
