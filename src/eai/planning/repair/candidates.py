"""Candidate edits: actions that bring about what is needed, alone or in pairs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache

from eai.logic.formula import And, Exists, Formula, Variable, conjuncts
from eai.planning.repair.edits import EditKind, Slot, Slots
from eai.planning.repair.landmarks import Landmarks, Mapped, Need, Prefix
from eai.planning.repair.problem import Producer, Stage, depth_of
from eai.planning.repair.target import Course, Tracker, follow
from eai.world.bits import bits
from eai.world.state import State
from eai.world.transition import World

__all__ = ["Candidates", "SingleEdits", "first_edits"]

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


class SingleEdits:
    """Makes edits.

    Args:
        stage: The world and what the agent can do.
        tracker: What has to be reached.
    """

    def __init__(self, stage: Stage, tracker: Tracker) -> None:
        self._stage = stage
        self._tracker = tracker
        self._landmarks = Landmarks(stage, tracker)
        self._candidates = Candidates(stage)
        self._last: tuple[Course, Mapped] | None = None

    def of(self, course: Course) -> Iterator[Course]:
        """Yield the courses of a plan after one more edit.

        All edits after which the target is reached are among them, except those that put
        something in where taking out is enough.

        Args:
            course: The course of a plan that does not reach the target.

        Raises:
            OutOfEffortError: If as much was tried as is allowed.
        """
        mapped = self._mapped(course)
        found = [self._candidates.at(mapped, p, course.states[p]) for p in range(course.at + 1)]
        for place, slots in enumerate(found):
            for slot in slots:
                yield self._with(course, place, place, slot)
        yield from self._earlier(course, mapped)
        first = course.at if mapped.is_hopeless else 0
        for place in range(first, min(course.at + 1, len(course.slots))):
            if course.slots[place].edit is None:
                yield from self._without(course, mapped, place)

    def enabling(self, course: Course) -> Iterator[Course]:
        """Yield the courses after one more edit that lets another one be of use.

        Where a plan fails, an action is put in that an action needs which would be of use there.

        Args:
            course: The course of a plan that does not reach the target.
        """
        mapped, place, state = self._mapped(course), course.at, course.states[-1]
        refused = self._candidates.refused(state, mapped.needs[place], mapped.names)
        for slot in self._candidates.bringing(state, self._landmarks.permitting(refused, state)):
            yield self._with(course, place, place, slot)

    def _mapped(self, course: Course) -> Mapped:
        if self._last is None or self._last[0] is not course:
            self._last = course, self._landmarks.of(course)
        return self._last[1]

    def _with(self, course: Course, begin: int, end: int, slot: Slot) -> Course:
        """The course with a step in the place of others."""
        slots = (*course.slots[:begin], slot, *course.slots[end:])
        return follow(self._stage, self._tracker, slots, after=course, begin=begin)

    def _earlier(self, course: Course, mapped: Mapped) -> Iterator[Course]:
        """Steps from behind the failure are moved to the front."""
        at = course.at
        for origin in range(at + 1, len(course.slots)):
            slot = course.slots[origin]
            if slot.edit is not None or slot.numbers is None:
                continue
            rest = (*course.slots[:origin], *course.slots[origin + 1 :])
            for place in range(at + 1):
                if self._helps(slot, mapped, place, course.states[place]):
                    yield self._moved(course, rest, place, slot)

    def _helps(self, slot: Slot, mapped: Mapped | None, place: int, state: State) -> bool:
        """Whether a step can be done somewhere, and is of use there if that is asked."""
        name, numbers = slot.action.name, slot.numbers
        assert numbers is not None  # noqa: S101 - the world knows the step
        self._stage.effort.spend(1)
        if not self._stage.is_applicable(state, name, numbers):
            return False
        if mapped is None or name in mapped.names or place in mapped.anything:
            return True
        return mapped.needs[place].met_by(self._stage.done(state, name, numbers)[1])

    def _moved(self, course: Course, rest: Slots, place: int, slot: Slot) -> Course:
        slots = (*rest[:place], slot._replace(edit=EditKind.MOVE), *rest[place:])
        return follow(self._stage, self._tracker, slots, after=course, begin=place)

    # ------------------------------------------------------------------ steps that go
    def _without(self, course: Course, mapped: Mapped, place: int) -> Iterator[Course]:
        """A step is taken out, put in elsewhere, or replaced."""
        slot = course.slots[place]
        rest = (*course.slots[:place], *course.slots[place + 1 :])
        out = follow(self._stage, self._tracker, rest, after=course, begin=place)
        helps = place == course.at or mapped.everywhere or self._harms(course, mapped, place)
        if helps:
            yield out
        if out.reached:
            return
        wanted = self._landmarks.of(out, place) if helps else mapped
        shift = 0 if helps else 1
        for other in self._candidates.at(wanted, place + shift, course.states[place]):
            if other.action != slot.action:
                new = other._replace(origin=slot.origin, edit=EditKind.REPLACE)
                yield self._with(course, place, place + 1, new)
        if slot.numbers is None or self._stage.is_hopeless(slot):
            return
        for to in range(place):
            if self._helps(slot, None if helps else mapped, to, course.states[to]):
                yield self._moved(course, rest, to, slot)
        for to in range(place + 1, out.at + 1):
            if self._helps(slot, wanted, to + shift, out.states[to]):
                yield self._moved(out, rest, to, slot)

    def _harms(self, course: Course, mapped: Mapped, place: int) -> bool:
        """Whether a step undoes something that is needed after it."""
        return mapped.needs[place + 1].lost_by(course.changes[place] or ())


def first_edits(stage: Stage, course: Course) -> Iterator[Slots]:
    """Yield what becomes of a plan by any edit that can be the first one of several.

    Args:
        stage: The world and what the agent can do.
        course: The course of the plan.
    """
    candidates = Candidates(stage)
    for place in range(course.at + 1):
        before, after = course.slots[:place], course.slots[place:]
        for new in candidates.every(course.states[place]):
            yield (*before, new, *after)
            if after and new.action != after[0].action:
                yield (*before, new._replace(origin=place, edit=EditKind.REPLACE), *after[1:])
    for origin, slot in enumerate(course.slots):
        rest = (*course.slots[:origin], *course.slots[origin + 1 :])
        if origin <= course.at:
            yield rest
        for to in range(len(course.slots) if slot.numbers else 0):
            if to != origin and _can_begin(stage, course, min(origin, to), to, slot):
                yield (*rest[:to], slot._replace(edit=EditKind.MOVE), *rest[to:])


def _can_begin(stage: Stage, course: Course, first: int, to: int, slot: Slot) -> bool:
    """Whether a step can be moved: what comes first is before the failure, and can be done."""
    if first > course.at:
        return False
    if to > first or slot.numbers is None:
        return True
    return stage.is_applicable(course.states[to], slot.action.name, slot.numbers)
