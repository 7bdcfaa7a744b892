"""What an action that is put in has to bring about, given where the plan fails without it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from eai.logic.formula import ActionAtom, Atom, Formula, Variable
from eai.planning.repair.stage import GroundStep, Stage, Wanted, wanted_of
from eai.planning.repair.support import Support
from eai.planning.repair.target import Progress, Tracker
from eai.world.state import State

__all__ = ["End", "Wishes"]

_Condition = tuple[Formula, dict[str, int], bool]


@dataclass(frozen=True, slots=True)
class End:
    """How far the rest of a plan goes if all its steps are kept.

    Args:
        at: 0-based number of the step that fails; the number of steps if none does.
        progress: How far the goal has come.
        states: The states on the way, the last one included.
        reached: Whether the target is reached.
    """

    at: int
    progress: Progress
    states: tuple[State, ...]
    reached: bool


class Wishes:
    """Finds what is worth bringing about.

    Args:
        stage: The plan and its world.
        tracker: What has to be reached.
        states: All states on the ways that are looked at.
        edits: How many edits are left.
    """

    def __init__(self, stage: Stage, tracker: Tracker, states: Sequence[State], edits: int) -> None:
        self._stage = stage
        self._tracker = tracker
        self._edits = edits
        self._support = Support(stage, states, edits)
        self._known: dict[object, Wanted] = {}
        self._musts: dict[int, list[Wanted]] = {}

    def at(self, end: End, begin: int, without: int = -1) -> list[Wanted]:
        """Return what an action is put in for: something of each that is returned.

        Args:
            end: How far the plan goes without it.
            begin: The step before which it is put in, or an earlier one.
            without: The step in whose place it is put in.
        """
        if self._edits > 1:
            steps = range(begin, len(self._stage.steps))
            return [self._wanted(list(self._asked(begin)), self._names(), steps)]
        names = self._names() if end.at == len(self._stage.steps) else set[str]()
        first = self._wanted(
            list(self._failure(end.states[-1], end.at)), names, range(begin, end.at)
        )
        others = self.impossible(begin, without)
        return sorted([first, *others], key=len)

    def impossible(self, begin: int, without: int = -1) -> list[Wanted]:
        """What has to be brought about from outside: nothing that is there can do it.

        Args:
            begin: The first step that is looked at.
            without: A step that is left out.
        """
        found = [self._must(at) for at in range(begin, len(self._stage.steps) + 1) if at != without]
        return [each for group in found for each in group]

    def _must(self, at: int) -> list[Wanted]:
        if at not in self._musts:
            self._musts[at] = list(self._unreachable(at))
        return self._musts[at]

    def _unreachable(self, at: int) -> Iterator[Wanted]:
        if at == len(self._stage.steps):
            options = self._tracker.target.final
            # Of several alternatives it is not known which one is meant.
            for condition in options[0] if len(options) == 1 else ():
                if not self._support.possible(condition, {}, True, 0):
                    yield self._wanted([(condition, {}, True)], set(), range(at))
            return
        step = self._stage.steps[at]
        if step is None or self._stage.is_hopeless(at):
            return
        compiled = self._stage.world.operator(step.action.name)
        env = _env(compiled.operator.parameters, step.numbers)
        effects = list(self._effects(step, env)) if compiled.always_acts else []
        if compiled.always_acts and all(self._support.possible(*each, 0) for each in effects):
            return  # it may be passed over
        for condition in compiled.tests:
            if not self._support.possible(condition, env, True, 0):
                yield self._wanted([(condition, env, True), *effects], set(), range(at))

    def _wanted(self, asked: list[_Condition], names: set[str], steps: range) -> Wanted:
        key = (tuple(_key(each) for each in asked), frozenset(names), steps)
        if key not in self._known:
            self._known[key] = wanted_of(self._support.wishes(asked, steps), names)
        return self._known[key]

    def _failure(self, state: State, at: int) -> Iterator[_Condition]:
        """The first condition that fails: one edit has to mend it."""
        if at == len(self._stage.steps):
            yield from self._goal_conditions(state)
            return
        step = self._stage.steps[at]
        if step is None or self._stage.is_hopeless(at):
            return
        compiled = self._stage.world.operator(step.action.name)
        env = _env(compiled.operator.parameters, step.numbers)
        first = compiled.first_failure(state, *step.numbers)
        yield compiled.tests[first], env, True
        if compiled.always_acts:
            yield from self._effects(step, env)

    def _effects(self, step: GroundStep, env: dict[str, int]) -> Iterator[_Condition]:
        """The effects of a step: where they hold already it is passed over."""
        for producer in self._stage.effects_of(step.action.name):
            if producer.test is None and len(producer.variables) == producer.arity:
                p, value = producer.sign
                atom = Atom(self._stage.world.layout.names[p], producer.terms)
                yield atom, env, value

    def _asked(self, at: int) -> Iterator[_Condition]:
        """Everything that the rest of the plan and the goal ask for."""
        for step in self._stage.steps[at:]:
            if step is not None:
                compiled = self._stage.world.operator(step.action.name)
                env = _env(compiled.operator.parameters, step.numbers)
                yield from ((test, env, True) for test in compiled.tests)
                yield from self._effects(step, env)
        yield from self._goal_conditions(None)

    def _goal_conditions(self, state: State | None) -> Iterator[_Condition]:
        """Conditions of the goal; given a state, those of which one at least has to be mended."""
        if state is None:
            options: Sequence[Sequence[Formula]] = self._tracker.target.final
        else:
            options = [unmet[:1] for unmet in self._tracker.unmet(state)]
        for option in options:
            yield from ((each, {}, True) for each in option)
        for letter in self._tracker.letters:
            if isinstance(letter, Atom):
                yield from ((letter, {}, sign) for sign in (True, False))

    def _names(self) -> set[str]:
        """Operators that the goal demands for their own sake."""
        names = {name for goal in self._tracker.target.actions for name in goal}
        letters = self._tracker.letters
        return names | {each.action for each in letters if isinstance(each, ActionAtom)}


def _env(parameters: Sequence[Variable], numbers: Sequence[int]) -> dict[str, int]:
    return {each.name: number for each, number in zip(parameters, numbers, strict=True)}


def _key(condition: _Condition) -> object:
    formula, env, positive = condition
    return id(formula), tuple(env.items()), positive
