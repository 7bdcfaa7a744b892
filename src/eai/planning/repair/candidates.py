"""Candidate edits: actions that bring about what is needed, and what becomes of a plan by them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from eai.budget import Budget
from eai.errors import InputError
from eai.logic import TRUE, And, Exists, Formula, Variable, conjuncts
from eai.nesting import NESTING_LIMIT
from eai.planning.achievers import Achiever, opposite
from eai.planning.reasons import Env
from eai.planning.repair.landmarks import LandmarkFinder, Landmarks, Literals
from eai.planning.repair.task import (
    ACTION,
    EditKind,
    Execution,
    RepairTask,
    Slot,
    Slots,
    Target,
    depth_of,
)
from eai.world import Action, State, World, changed_literals
from eai.world.bits import bits

_Numbers = tuple[int, ...]

_FEW = 3
"""So few objects are looked at one by one."""


class Candidates:
    """Finds actions that are of use."""

    def __init__(self, task: RepairTask) -> None:
        self._task = task
        self._world = task.world
        self._functions: dict[object, Callable[..., int]] = {}

    def at(self, landmarks: Landmarks, place: int, state: State) -> list[Slot]:
        """Return the actions that are of use at a place, in a fixed order."""
        if place in landmarks.pauses:
            return self.every(state)
        return self.bringing(state, landmarks.literals[place], landmarks.names)

    def bringing(self, state: State, wanted: Literals, names: Iterable[str] = ()) -> list[Slot]:
        """Return the applicable actions that make a literal true, or have one of some names."""
        found = self.every(state, self._task.operators.intersection(names))
        for effect, env, numbers, can in self._achieving(state, wanted):
            if can and (
                effect.condition == TRUE or self._function(effect, None, env)(state, *env.values())
            ):
                found.append(self._task.slot_of(effect.operator.name, numbers))
        return list(dict.fromkeys(found))

    def refused(self, state: State, wanted: Literals, names: Iterable[str] = ()) -> list[Slot]:
        """Return actions that could make a literal true, but cannot be done in a state.

        Actions of which an argument could be anything are left out, if they are not asked for by
        name and without other arguments.
        """
        task = self._task
        found = [
            task.slot_of(effect.operator.name, numbers)
            for effect, _, numbers, can in self._achieving(state, wanted)
            if not can
        ]
        found += [
            task.slot_of(name, task.actor)
            for name in sorted(task.operators.intersection(names))
            if len(self._world.domain.operators[name].parameters) == len(task.actor)
        ]
        return list(dict.fromkeys(found))

    def every(self, state: State, names: Iterable[str] | None = None) -> list[Slot]:
        """Return all applicable actions of some operators, or of all, in a fixed order."""
        return [
            slot
            for name in sorted(self._task.operators if names is None else names)
            for slot in self.of_operator(name, state)
        ]

    def of_operator(self, name: str, state: State) -> Iterator[Slot]:
        """Yield all applicable actions of an operator, in a fixed order."""
        for numbers in self._applicable(name, self._task.actor, state):
            yield self._task.slot_of(name, numbers)

    def _applicable(self, name: str, numbers: _Numbers, state: State) -> Iterator[_Numbers]:
        """Arguments of applicable actions whose first ones are given.

        Depth first, with a stack, because an action may have any number of parameters.
        """
        count = len(self._world.operator(name).operator.parameters)
        waiting = [iter([numbers])]
        while waiting:
            found = next(waiting[-1], None)
            if found is None:
                waiting.pop()
            elif len(found) < count:
                waiting.append(self._with_one_more(name, found, state))
            elif self._task.is_applicable(state, name, found):
                yield found

    def _with_one_more(self, name: str, numbers: _Numbers, state: State) -> Iterator[_Numbers]:
        """Arguments with one more than is given, which the conditions on these leave."""
        compiled, at = self._world.operator(name), len(numbers)
        parameters = compiled.operator.parameters
        self._task.meter.count_instances(ACTION)
        condition = _closed(_quick(self._world, And(compiled.tests)), parameters[at + 1 :])
        members = self._world.members_of(condition, parameters[at], parameters[:at])
        for number in bits(members(state, *numbers)):
            yield (*numbers, number)

    def _achieving(
        self, state: State, wanted: Literals
    ) -> Iterator[tuple[Achiever, Env, _Numbers, bool]]:
        """Effects that may make a literal true, their actions, and whether these can be done."""
        task = self._task
        known: dict[tuple[str, _Numbers], bool] = {}
        for sign in wanted.tables:
            prefixes = list(wanted.open(sign, state))
            for effect in task.achievers(sign) if prefixes else ():
                name, parameters = effect.operator.name, effect.operator.parameters
                for env in self._bindings(effect, prefixes, state):
                    key = name, tuple([env[v.name] for v in parameters])
                    if key not in known:
                        known[key] = task.is_applicable(state, *key)
                    yield effect, env, key[1], known[key]

    def _bindings(
        self, effect: Achiever, prefixes: Iterable[tuple[_Numbers, int]], state: State
    ) -> Iterator[Env]:
        """Arguments with which an operator may have an effect; many of them are checked at once."""
        universe, terms = self._task.universe, effect.atom.terms
        agent = self._task.acting(effect)
        # The last argument of the atom, and whether it is all that the others leave open.
        last = terms[-1] if terms else None
        names = {term.name for term in terms[:-1] if isinstance(term, Variable)}
        others = effect.operator.parameters[len(agent) :]
        left = [v for v in others if v.name not in names]
        only = len(left) == 1 and left[0] == last
        fits = -1
        if isinstance(last, Variable):
            fits = universe.mask(next(v.types for v in effect.variables if v.name == last.name))
        for prefix, mask in prefixes:
            env = effect.binding(prefix, universe, agent)
            if env is None:
                continue
            if only and mask.bit_count() > _FEW:
                yield from self._solved(effect, left[0], env, state, mask)
            elif isinstance(last, Variable) and last.name not in env:
                for number in bits(mask & fits):
                    yield from self._filled(effect, {**env, last.name: number}, state)
            else:
                number = 0  # of a predicate without arguments
                if last is not None:
                    number = env[last.name] if isinstance(last, Variable) else universe.number(last)
                if mask >> number & 1:
                    yield from self._filled(effect, env, state)

    def _filled(self, effect: Achiever, env: Env, state: State) -> Iterator[Env]:
        """Arguments that agree with given ones."""
        free = [v for v in effect.operator.parameters if v.name not in env]
        if not free:
            yield env
        elif len(free) == 1:
            yield from self._solved(effect, free[0], env, state, -1)
        else:
            for number in bits(self._task.universe.mask(free[0].types)):
                yield from self._filled(effect, {**env, free[0].name: number}, state)

    def _solved(
        self, effect: Achiever, variable: Variable, env: Env, state: State, mask: int
    ) -> Iterator[Env]:
        self._task.meter.count_instances(1)
        members = self._function(effect, variable, env)
        for number in bits(members(state, *env.values()) & mask):
            yield {**env, variable.name: number}

    def _function(
        self, effect: Achiever, variable: Variable | None, env: Env
    ) -> Callable[..., int]:
        """Which objects can stand for a variable, given others; without one: whether it happens."""
        name, condition = effect.operator.name, effect.condition
        key = name, effect.atom, condition, variable, tuple(env)
        if key not in self._functions:
            given = tuple([v for name in env for v in effect.variables if v.name == name])
            rest = [v for v in effect.variables if v not in given and v != variable]
            if variable is None:
                closed = _closed(condition, rest)
                self._functions[key] = self._world.function_of(closed, given)
            else:
                tests = self._world.operator(name).tests
                closed = _closed(_quick(self._world, And((*tests, condition))), rest)
                self._functions[key] = self._world.members_of(closed, variable, given)
        return self._functions[key]


@lru_cache(maxsize=4096)
def _quick(world: World, condition: Formula) -> And:
    """The conjuncts that have at most one quantifier below another: solving others is slow."""
    return And(tuple(part for part in conjuncts(condition) if depth_of(world, part) <= 1))


def _closed(formula: Formula, variables: Iterable[Variable]) -> Formula:
    bound = tuple(v for v in variables if v in formula.free)
    return Exists(bound, formula) if bound else formula


class SingleEdits:
    """Makes edits."""

    def __init__(self, task: RepairTask) -> None:
        self._task = task
        self._finder = LandmarkFinder(task)
        self._candidates = Candidates(task)
        self._last: tuple[Execution, Landmarks] | None = None

    def of(self, execution: Execution) -> Iterator[Execution]:
        """Yield what becomes of a plan by one more edit.

        All edits after which the target is reached are among them, except those that put
        something in where taking out is enough.
        """
        landmarks, slots, at = self._landmarks(execution), execution.slots, execution.at
        states = execution.states
        found = [self._candidates.at(landmarks, place, states[place]) for place in range(at + 1)]
        for place, candidates in enumerate(found):
            for slot in candidates:
                yield self._with(execution, place, place, slot)
        # Steps from behind the failure are moved to the front.
        for origin in range(at + 1, len(slots)):
            if slots[origin].edit is None and slots[origin].numbers is not None:
                rest = (*slots[:origin], *slots[origin + 1 :])
                for to in range(at + 1):
                    if self._helps(slots[origin], landmarks, to, states[to]):
                        yield self._moved(execution, rest, to, slots[origin])
        for place in range(at if landmarks.is_hopeless else 0, min(at + 1, len(slots))):
            if slots[place].edit is None:
                yield from self._without(execution, landmarks, place)

    def enabling(self, execution: Execution) -> Iterator[Execution]:
        """Yield what becomes of a plan by one more edit that lets another one be of use.

        Where a plan fails, an action is put in that an action needs which would be of use there.
        """
        landmarks, place = self._landmarks(execution), execution.at
        state = execution.states[-1]
        wanted = landmarks.literals[place]
        refused = self._candidates.refused(state, wanted, landmarks.names)
        found = self._candidates.bringing(state, self._finder.permitting(refused, state))
        if landmarks.timed:
            found += self._candidates.bringing(state, self._finder.permitting_some(wanted, state))
        for slot in dict.fromkeys(found):
            yield self._with(execution, place, place, slot)

    def _landmarks(self, execution: Execution) -> Landmarks:
        if self._last is None or self._last[0] is not execution:
            self._last = execution, self._finder.of(execution)
        return self._last[1]

    def _with(self, execution: Execution, begin: int, end: int, slot: Slot) -> Execution:
        """What becomes of a plan with a step in the place of others."""
        slots = (*execution.slots[:begin], slot, *execution.slots[end:])
        return self._task.run(slots, after=execution, begin=begin)

    def _moved(self, execution: Execution, rest: Slots, place: int, slot: Slot) -> Execution:
        slots = (*rest[:place], slot._replace(edit=EditKind.MOVE), *rest[place:])
        return self._task.run(slots, after=execution, begin=place)

    def _helps(self, slot: Slot, landmarks: Landmarks | None, place: int, state: State) -> bool:
        """Whether a step can be done somewhere, and is of use there if that is asked."""
        name, numbers = slot.action.name, slot.numbers
        assert numbers is not None  # noqa: S101 - the world knows the step
        self._task.meter.count_instances(1)
        if not self._task.is_applicable(state, name, numbers):
            return False
        if landmarks is None or name in landmarks.names or place in landmarks.pauses:
            return True
        changes = self._task.done(state, name, numbers)[1]
        wanted = landmarks.literals[place]
        return any(each in wanted for each in changed_literals(changes, state.layout))

    def _without(
        self, execution: Execution, landmarks: Landmarks, place: int
    ) -> Iterator[Execution]:
        """A step is taken out, put in elsewhere, or replaced."""
        slots, states = execution.slots, execution.states
        slot, rest = slots[place], (*slots[:place], *slots[place + 1 :])
        out = self._task.run(rest, after=execution, begin=place)
        # It is at fault if it stops the plan, or undoes something that is needed after it.
        helps = place == execution.at or landmarks.timed
        helps = helps or any(
            opposite(each) in landmarks.literals[place + 1]
            for each in changed_literals(execution.changes[place] or (), states[place].layout)
        )
        if helps:
            yield out
        if out.reached:
            return
        wanted = self._finder.of(out, place) if helps else landmarks
        shift = 0 if helps else 1
        for other in self._candidates.at(wanted, place + shift, states[place]):
            if other.action != slot.action:
                new = other._replace(origin=slot.origin, edit=EditKind.REPLACE)
                yield self._with(execution, place, place + 1, new)
        if slot.numbers is None or self._task.is_hopeless(slot):
            return
        for to in range(place):
            if self._helps(slot, None if helps else landmarks, to, states[to]):
                yield self._moved(execution, rest, to, slot)
        for to in range(place + 1, out.at + 1):
            if self._helps(slot, wanted, to + shift, out.states[to]):
                yield self._moved(out, rest, to, slot)


def first_edits(task: RepairTask, execution: Execution) -> Iterator[Slots]:
    """Yield what becomes of a plan by any edit that can be the first one of several."""
    candidates, slots, at = Candidates(task), execution.slots, execution.at
    for place in range(at + 1):
        before, after = slots[:place], slots[place:]
        for new in candidates.every(execution.states[place]):
            yield (*before, new, *after)
            if after and new.action != after[0].action:
                yield (*before, new._replace(origin=place, edit=EditKind.REPLACE), *after[1:])
    for origin, slot in enumerate(slots):
        rest = (*slots[:origin], *slots[origin + 1 :])
        if origin <= at:
            yield rest
        # What comes first of a move is before the failure, and can be done.
        if slot.numbers is None:
            continue
        for to in range(at + 1 if origin > at else len(slots)):
            if to > origin or (
                to < origin
                and task.is_applicable(execution.states[to], slot.action.name, slot.numbers)
            ):
                yield (*rest[:to], slot._replace(edit=EditKind.MOVE), *rest[to:])


def applicable(world: World, state: State, *, budget: Budget | None = None) -> list[Action]:
    """Return all actions that can be done in a state, in a fixed order.

    Arguments are bound one by one, each only to objects that the conditions on those bound so far
    leave.

    Args:
        world: A world in which nobody acts: plans name all arguments.
        state: The state.
        budget: What may be used, and how many actions there may be; by default as much as it takes.

    Raises:
        BeyondBudgetError: If it takes more than that.
        InputError: If an action has so many parameters that each of them takes long.
    """
    for name, operator in world.domain.operators.items():
        if len(operator.parameters) > NESTING_LIMIT:
            raise InputError(
                f"the action {name!r} has {len(operator.parameters):,} parameters",
                expected=f"at most {NESTING_LIMIT}",
            )
    meter = (budget or Budget.unlimited()).meter()
    task = RepairTask(world, state, (), Target(), agent="", skip=False, meter=meter)
    candidates, found = Candidates(task), []
    for name in sorted(world.domain.operators):
        for slot in candidates.of_operator(name, state):
            meter.count_actions()
            found.append(slot.action)
    return found
