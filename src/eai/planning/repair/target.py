"""What a repaired plan has to reach, as something that is walked along with the world.

Action goals are a chain of which the earliest matches are enough; a formula on the whole
trajectory is its automaton (De Giacomo & Vardi 2013).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eai.logic import Automaton, automaton
from eai.logic.formula import ActionAtom, Atom, Formula
from eai.world.action import Action
from eai.world.state import State
from eai.world.transition import World

__all__ = ["Progress", "Target", "Tracker"]

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
