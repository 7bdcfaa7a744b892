"""What a repaired plan has to reach, and how far a plan that is being edited comes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from eai.logic import Automaton, automaton
from eai.logic.formula import ActionAtom, Atom, Formula
from eai.planning.repair.edits import Slots
from eai.planning.repair.problem import Stage
from eai.world.action import Action
from eai.world.bits import bits
from eai.world.state import Change, State
from eai.world.transition import World

__all__ = ["Course", "Progress", "Target", "Tracker", "follow"]

Progress = tuple[int, int]
"""How many action goals were reached, and the state of the formula's automaton."""


@dataclass(frozen=True, slots=True)
class Target:
    """What has to be reached.

    Args:
        final: Alternatives for the last state: all conditions of one of them have to hold.
        actions: Actions that have to be taken, in order: for each the names that will do.
        formula: A formula that has to hold on the trajectory.
    """

    final: tuple[tuple[Formula, ...], ...] = ((),)
    actions: tuple[tuple[str, ...], ...] = ()
    formula: Formula | None = None


class Tracker:
    """Follows a target while actions are done.

    Args:
        target: The target.
        world: The world.
        start: The initial state.

    Raises:
        InputError: If a condition has free or unknown names, or the automaton of the formula is
            too large.
    """

    def __init__(self, target: Target, world: World, start: State) -> None:
        universe = start.universe
        self.target = target
        self._final = [
            [world.test_of(each, universe) for each in option] for option in target.final
        ]
        self._automaton: Automaton | None = None
        if target.formula is not None:
            self._automaton = automaton(target.formula, objects=universe.of_types)
        self._letters = [
            (each, None if isinstance(each, ActionAtom) else world.test_of(each, universe))
            for each in (self._automaton.letters if self._automaton else ())
        ]

    @property
    def letters(self) -> Sequence[Atom | ActionAtom]:
        """The atoms and actions on which the formula depends."""
        return [each for each, _ in self._letters]

    def advance(self, progress: Progress, state: State, action: Action | None) -> Progress:
        """Return the progress after a position.

        Args:
            progress: The progress before it.
            state: The state at the position.
            action: The action that is taken from it; None at the last position.
        """
        reached, place = progress
        actions = self.target.actions
        if action is not None and reached < len(actions) and action.name in actions[reached]:
            reached += 1
        if self._automaton is not None:
            place = self._automaton.step(place, self._letter(state, action))
        return reached, place

    def _letter(self, state: State, action: Action | None) -> int:
        word = 0
        for number, (each, test) in enumerate(self._letters):
            if test is not None:
                word |= test(state) << number
            elif action is not None and isinstance(each, ActionAtom):
                word |= ((each.action, each.terms) == (action.name, action.arguments)) << number
        return word

    def is_reached(self, progress: Progress, state: State) -> bool:
        """Whether the target is reached if the plan ends in a state."""
        reached, place = progress
        if reached < len(self.target.actions):
            return False
        if not any(all(test(state) for test in option) for option in self._final):
            return False
        if self._automaton is None:
            return True
        last = self._automaton.step(place, self._letter(state, None))
        return last in self._automaton.accepting

    def unmet(self, state: State) -> list[list[Formula]]:
        """For each alternative, its conditions that do not hold in a state."""
        return [
            [each for each, test in zip(option, tests, strict=True) if not test(state)]
            for option, tests in zip(self.target.final, self._final, strict=True)
        ]


Cells = frozenset[tuple[int, object, object]]


@dataclass(frozen=True)
class Course:
    """The way of a plan, up to where it stops.

    Args:
        slots: The steps.
        states: The states before the steps that were done, and the last one.
        progress: How far the goal had come in each of them.
        changes: What each step changed; None if it was passed over.
        reached: Whether the plan comes to its end and the target is reached.
    """

    slots: Slots
    states: tuple[State, ...]
    progress: tuple[Progress, ...]
    changes: tuple[list[Change] | None, ...]
    reached: bool

    @property
    def at(self) -> int:
        """0-based number of the step that fails; the number of steps if none does."""
        return len(self.changes)

    @cached_property
    def cells(self) -> Cells:
        """The atoms in which the last state differs from the first."""
        found: set[tuple[int, object, object]] = set()
        for changes in self.changes:
            for p, column, key, mask, _ in changes or ():
                for number in bits(mask):
                    found ^= {(p, number, key) if column else (p, key, number)}
        return frozenset(found)


def follow(
    stage: Stage, tracker: Tracker, slots: Slots, *, after: Course | None = None, begin: int = 0
) -> Course:
    """Do steps one after the other, until one fails.

    Args:
        stage: The world.
        tracker: What has to be reached.
        slots: The steps.
        after: A course that has the same first steps.
        begin: How many steps these are.

    Raises:
        OutOfEffortError: If as much was tried as is allowed.
    """
    if after is None:
        states, progress = [stage.start.begin()], [(0, 0)]
        changes: list[list[Change] | None] = []
    else:
        states, progress = list(after.states[: begin + 1]), list(after.progress[: begin + 1])
        changes = list(after.changes[:begin])
    for slot in slots[begin:]:
        done = stage.keep(states[-1], slot)
        if done is None:
            return Course(slots, tuple(states), tuple(progress), tuple(changes), reached=False)
        if done[1] is not None:
            progress.append(tracker.advance(progress[-1], states[-1], slot.action))
        else:
            progress.append(progress[-1])
        states.append(done[0])
        changes.append(done[1])
    reached = tracker.is_reached(progress[-1], states[-1])
    return Course(slots, tuple(states), tuple(progress), tuple(changes), reached)
