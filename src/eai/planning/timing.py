"""Constraints and preferences of PDDL 3 along plans with times.

The positions of such a plan are its happenings: all that is done at one time leads to one state.
Modes that count in time are decided here, by the definition of Gerevini, Haslum, Long, Saetti &
Dimopoulos (2009); all others are formulas of temporal logic over the happenings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from eai.errors import InputError
from eai.logic import (
    And,
    Exists,
    Forall,
    Formula,
    Or,
    Quantifier,
    Rational,
    TimedMode,
    Truth,
    Variable,
    bindings,
)
from eai.world import Trajectory


@dataclass(frozen=True)
class Timeline:
    """A trajectory whose positions have times.

    Args:
        trajectory: The trajectory.
        times: The time of each position; the state there lasts until the next time.
    """

    trajectory: Trajectory
    times: Sequence[Rational]

    def decide_timed_modes(self, formula: Formula) -> Formula:
        """Return a closed formula in which timed modes are replaced by their truth values.

        Raises:
            InputError: If a quantifier other than ``forall`` and ``exists`` is around one.
        """
        if not any(isinstance(node, TimedMode) for node in formula.walk()):
            return formula
        if isinstance(formula, TimedMode):
            return Truth(self._mode_holds(formula))
        if isinstance(formula, Quantifier):
            return self._expand_quantifier(formula)
        return formula.rebuild([self.decide_timed_modes(operand) for operand in formula.operands])

    def _expand_quantifier(self, formula: Quantifier) -> Formula:
        """Return a quantified formula as its instances, with timed modes decided.

        Raises:
            InputError: If the quantifier counts objects.
        """
        if not isinstance(formula, (Forall, Exists)):
            raise InputError(f"{formula} counts in time inside of a quantifier that counts objects")
        variables: tuple[Variable, ...] = formula.variables
        instances = []
        for binding in bindings(variables, self.trajectory.objects, {}):
            instances.append(self.decide_timed_modes(formula.body.substitute(binding)))
        if isinstance(formula, Forall):
            return And.of(instances)
        return Or.of(instances)

    def _mode_holds(self, mode: TimedMode) -> bool:
        """Return whether a mode holds from the first position on."""
        truths = [self._truth_by_position(condition) for condition in mode.conditions]
        return _TESTS_OF_MODES[mode.mode](self.times, mode.bounds, truths)

    def _truth_by_position(self, condition: Formula) -> list[bool]:
        """Return the truth of a condition at each position."""
        history = self.trajectory.condition(condition)
        return [bool(history >> position & 1) for position in range(len(self.times))]


_Truths = Sequence[Sequence[bool]]
"""For each condition its truth at each position."""


def _within(times: Sequence[Rational], bounds: Sequence[Rational], truths: _Truths) -> bool:
    """Return whether the condition holds at some time up to the bound."""
    [latest], [goal] = bounds, truths
    return any(holds and time <= latest for time, holds in zip(times, goal, strict=True))


def _always_within(times: Sequence[Rational], bounds: Sequence[Rational], truths: _Truths) -> bool:
    """Return whether ``(always-within DELAY TRIGGER GOAL)`` holds.

    Whenever the trigger holds, the goal has to hold then or at most ``DELAY`` later.

    Args:
        times: Time of each position.
        bounds: The delay.
        truths: Truth of trigger and goal at each position.
    """
    [delay], (trigger, goal) = bounds, truths
    next_goal: Rational | None = None
    # Backwards, so that the next time at which the goal holds is known.
    for position in reversed(range(len(times))):
        if goal[position]:
            next_goal = times[position]
        if trigger[position] and (next_goal is None or next_goal > times[position] + delay):
            return False
    return True


def _hold_during(times: Sequence[Rational], bounds: Sequence[Rational], truths: _Truths) -> bool:
    """Return whether ``(hold-during BEGIN END GOAL)`` holds.

    Args:
        times: Time of each position.
        bounds: Begin and end of the interval.
        truths: Truth of the condition at each position.
    """
    (begin, end), [goal] = bounds, truths
    # The last state continues forever, so it decides everything after the end of the plan.
    if times[-1] <= begin:
        return goal[-1]
    # A state lasts from its time to the next one: it counts if that overlaps the interval.
    for position, time in enumerate(times[:-1]):
        if time < end and times[position + 1] > begin and not goal[position]:
            return False
    return times[-1] >= end or goal[-1]


def _hold_after(times: Sequence[Rational], bounds: Sequence[Rational], truths: _Truths) -> bool:
    """Return whether the condition holds at all times after the bound, or at the end."""
    [begin], [goal] = bounds, truths
    if times[-1] <= begin:
        return goal[-1]
    return all(holds for time, holds in zip(times, goal, strict=True) if time > begin)


_TESTS_OF_MODES: Mapping[str, Callable[[Sequence[Rational], Sequence[Rational], _Truths], bool]] = {
    "within": _within,
    "always-within": _always_within,
    "hold-during": _hold_during,
    "hold-after": _hold_after,
}
