"""Actions that can be done in a state and bring about something that is needed.

For each effect that can make a needed literal true, the condition of the effect and the
precondition of its action are solved for one argument at once: compiled conditions give the set
of all objects that do, as a mask. Actions that bring nothing about are never looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache

from eai.logic.formula import (
    And,
    Exists,
    Formula,
    Variable,
    conjuncts,
)
from eai.planning.repair.depths import depth_of
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
_Env = Mapping[str, int]

_FEW = 3
"""So few objects are looked at one by one."""


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
            return self.every(state)
        return self.bringing(state, mapped.needs[place], mapped.names)

    def bringing(self, state: State, need: Need, names: Iterable[str] = ()) -> list[Slot]:
        """Return the applicable actions that make a literal true, or have one of some names."""
        found = self.every(state, self._stage.operators.intersection(names))
        for maker, env, can in self._makers(state, need):
            if can and self._happens(maker, env, state):
                found.append(self._slot(maker, env))
        return list(dict.fromkeys(found))

    def refused(self, state: State, need: Need, names: Collection[str] = ()) -> list[Slot]:
        """Return actions that could make a literal true, but cannot be done in a state.

        Actions of which an argument could be anything are left out, if they are not asked for by
        name and without other arguments.
        """
        found = [self._slot(maker, env) for maker, env, can in self._makers(state, need) if not can]
        found += [
            self._stage.slot_of(name, (self._stage.agent,))
            for name in sorted(self._stage.operators.intersection(names))
            if len(self._world.operator(name).operator.parameters) == 1
        ]
        return list(dict.fromkeys(found))

    def _makers(self, state: State, need: Need) -> Iterator[tuple[Producer, _Env, bool]]:
        """Effects that may make a literal true, and whether their actions can be done."""
        applicable: dict[tuple[str, _Numbers], bool] = {}
        for sign in need.tables:
            prefixes = list(need.open(sign, state))
            for maker in self._stage.makers(sign) if prefixes else ():
                for env in self._making(maker, prefixes, state):
                    key = maker.operator, tuple([env[v.name] for v in maker.parameters])
                    if key not in applicable:
                        applicable[key] = self._stage.is_applicable(state, *key)
                    yield maker, env, applicable[key]

    def _slot(self, maker: Producer, env: _Env) -> Slot:
        return self._stage.slot_of(maker.operator, tuple([env[v.name] for v in maker.parameters]))

    def every(self, state: State, names: Iterable[str] | None = None) -> list[Slot]:
        """Return all applicable actions of some operators, or of all, in a fixed order."""
        agent = self._stage.agent
        return [
            self._stage.slot_of(name, numbers)
            for name in sorted(self._stage.operators if names is None else names)
            for numbers in self._completed(name, (agent,), state)
        ]

    def _making(
        self, maker: Producer, prefixes: Iterable[tuple[Prefix, int]], state: State
    ) -> Iterator[_Env]:
        """Arguments with which an operator may have an effect; many of them are checked at once."""
        last = _last(maker)
        for prefix, mask in prefixes:
            env = maker.binding(prefix, self._stage.universe, (self._stage.agent,))
            if env is None:
                continue
            if last is not None and mask.bit_count() > _FEW:
                yield from self._solved(maker, last, env, state, mask)
                continue
            for full in maker.completed(env, mask, self._stage.universe):
                yield from self._filled(maker, full, state)

    def _filled(self, maker: Producer, env: _Env, state: State) -> Iterator[_Env]:
        """Arguments that agree with given ones."""
        free = [v for v in maker.parameters if v.name not in env]
        if not free:
            yield env
        elif len(free) == 1:
            yield from self._solved(maker, free[0], env, state, -1)
        else:
            for number in bits(self._stage.universe.mask(free[0].types)):
                yield from self._filled(maker, {**env, free[0].name: number}, state)

    def _solved(
        self, maker: Producer, variable: Variable, env: _Env, state: State, mask: int
    ) -> Iterator[_Env]:
        self._stage.effort.spend(1)
        function = self._function(maker, variable, env)
        for number in bits(function(state, *env.values()) & mask):
            yield {**env, variable.name: number}

    def _happens(self, maker: Producer, env: _Env, state: State) -> bool:
        """Whether an action has an effect in a state."""
        return maker.test is None or bool(self._function(maker, None, env)(state, *env.values()))

    def _function(
        self, maker: Producer, variable: Variable | None, env: _Env
    ) -> Callable[..., int]:
        """Which objects can stand for a variable, given others; without one: whether it happens."""
        key = id(maker), variable, tuple(env)
        if key not in self._functions:
            given = tuple([v for name in env for v in maker.variables if v.name == name])
            rest = [v for v in maker.variables if v not in given and v != variable]
            if variable is None:
                condition = _closed(maker.condition, rest)
                self._functions[key] = self._world.function_of(condition, given)
            else:
                tests = self._world.operator(maker.operator).tests
                condition = _closed(_quick(self._world, And((*tests, maker.condition))), rest)
                self._functions[key] = self._world.members_of(condition, variable, given)
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


def _last(maker: Producer) -> Variable | None:
    """The last argument of an atom, if it is the only parameter that the others leave open."""
    names = {term.name for term in maker.terms[:-1] if isinstance(term, Variable)}
    left = [v for v in maker.parameters[1:] if v.name not in names]
    return left[0] if len(left) == 1 and left[0] in maker.terms[-1:] else None


@lru_cache(maxsize=4096)
def _quick(world: World, condition: Formula) -> And:
    """The conjuncts that have at most one quantifier below another: solving others is slow."""
    return And(tuple(part for part in conjuncts(condition) if depth_of(world, part) <= 1))


def _closed(formula: Formula, variables: Iterable[Variable]) -> Formula:
    bound = tuple(v for v in variables if v in formula.free)
    return Exists(bound, formula) if bound else formula
