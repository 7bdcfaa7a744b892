"""What an action that is put in has to bring about, given where the plan fails without it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from eai.logic.formula import ActionAtom, Atom, Variable
from eai.planning.repair.stage import GroundStep, Stage, Wanted, wanted_of
from eai.planning.repair.support import Condition, Support
from eai.planning.repair.target import Tracker
from eai.world.state import State

__all__ = ["End", "Wishes"]


@dataclass(frozen=True, slots=True)
class End:
    """How far the rest of a plan goes if all its steps are kept.

    Args:
        at: 0-based number of the step that fails; the number of steps if none does.
        way: The states before the steps, by their 0-based numbers, the last one included.
        reached: Whether the target is reached.
    """

    at: int
    way: Mapping[int, State]
    reached: bool


class Wishes:
    """Finds what is worth bringing about.

    Args:
        stage: The plan and its world.
        tracker: What has to be reached.
        way: The states that the plan goes through as it is.
        edits: How many edits are left.
    """

    def __init__(
        self, stage: Stage, tracker: Tracker, way: Mapping[int, State], edits: int
    ) -> None:
        self._stage = stage
        self._tracker = tracker
        self._edits = edits
        self._support = Support(stage, way, edits=edits, until=len(stage.steps))
        self._musts: dict[int, list[Wanted | None]] = {}

    def at(self, end: End, begin: int, without: int = -1) -> list[Wanted]:
        """Return what an action is put in for: something of each that is returned.

        Args:
            end: How far the plan goes without it.
            begin: The step before which it is put in, or an earlier one.
            without: The step in whose place it is put in.
        """
        names = self._names() if end.at == len(self._stage.steps) else set[str]()
        asked = list(self._failure(end.way[end.at], end.at))
        support = Support(self._stage, end.way, edits=self._edits, until=end.at)
        first = wanted_of(support.wishes(asked), names)
        others = self.impossible(begin, without) if self._edits == 1 else []
        return sorted([first, *(each for each in others if each is not None)], key=len)

    def impossible(self, begin: int, without: int = -1) -> list[Wanted | None]:
        """What has to be brought about from outside: nothing that is there can do it.

        It is None if that may be too many things to be listed.

        Args:
            begin: The first step that is looked at.
            without: A step that is left out.
        """
        found = [self._must(at) for at in range(begin, len(self._stage.steps) + 1) if at != without]
        return [each for group in found for each in group]

    def _must(self, at: int) -> list[Wanted | None]:
        if at not in self._musts:
            self._musts[at] = list(self._unreachable(at))
        return self._musts[at]

    def _unreachable(self, at: int) -> Iterator[Wanted | None]:
        if at == len(self._stage.steps):
            options = self._tracker.target.final
            # Of several alternatives it is not known which one is meant.
            for condition in options[0] if len(options) == 1 else ():
                if not self._support.possible(condition, {}, True, 0):
                    yield self._needed([(condition, {}, True)], at)
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
                yield self._needed([(condition, env, True), *effects], at)

    def _needed(self, asked: list[Condition], at: int) -> Wanted | None:
        found = self._support.dependencies(asked, range(at))
        return None if found is None else wanted_of(found, ())

    def _failure(self, state: State, at: int) -> Iterator[Condition]:
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

    def _effects(self, step: GroundStep, env: dict[str, int]) -> Iterator[Condition]:
        """The effects of a step: where they hold already it is passed over."""
        for producer in self._stage.effects_of(step.action.name):
            if producer.test is None and len(producer.variables) == producer.arity:
                p, value = producer.sign
                atom = Atom(self._stage.world.layout.names[p], producer.terms)
                yield atom, env, value

    def _goal_conditions(self, state: State) -> Iterator[Condition]:
        """Conditions of the goal, of which one at least has to be mended."""
        for unmet in self._tracker.unmet(state):
            yield from ((each, {}, True) for each in unmet[:1])
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
