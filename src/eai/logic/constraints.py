"""The trajectory constraints of PDDL 3, as formulas of linear temporal logic.

The meaning is that of Gerevini, Haslum, Long, Saetti & Dimopoulos (2009), with the number of a
position for its time. Beyond its end a plan keeps its last state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from eai.logic.temporal import LAST, Always, Eventually, Next, WeakNext, WeakUntil
from eai.logic.tree import And, Formula, Implies, Not, Or

LARGEST_BOUND = 100
"""Maximum number of steps in a constraint of PDDL 3, which is written out step by step."""


def at_end(goal: Formula) -> Formula:
    """Return the goal at the last position."""
    return Eventually(And((LAST, goal)))


def at_most_once(goal: Formula) -> Formula:
    """Return the constraint that a goal is true during at most one stretch of positions."""
    # Whenever it is true, it stays so to the end, or until it is false for good.
    return Always(Implies(goal, WeakUntil(goal, Always(Not(goal)))))


def sometime_after(trigger: Formula, goal: Formula) -> Formula:
    """Whenever the trigger is true, the goal is true then or later."""
    return Always(Implies(trigger, Eventually(goal)))


def sometime_before(trigger: Formula, goal: Formula) -> Formula:
    """Before the trigger is true for the first time, the goal has been true."""
    # At the position of the goal the trigger must not be true yet: before is strictly before.
    return WeakUntil(And((Not(trigger), Not(goal))), And((goal, Not(trigger))))


def within(steps: int, goal: Formula) -> Formula:
    """Return a formula: the goal is true within the next ``steps`` positions."""
    # From the last of the positions back: f, or next (f, or next (... f)).
    formula = goal
    for _ in range(steps):
        formula = Or((goal, Next(formula)))
    return formula


def always_within(steps: int, trigger: Formula, goal: Formula) -> Formula:
    """Whenever the trigger is true, the goal is true at most ``steps`` positions later."""
    return Always(Implies(trigger, within(steps, goal)))


def hold_during(start: int, end: int, goal: Formula) -> Formula:
    """Return a formula that is true if a goal holds throughout an interval.

    Only the part of the interval on the trajectory counts. If the trajectory ends with the first
    position of the interval or before, the goal has to hold at its last position.

    Args:
        start: First position of the interval, counted from the current one.
        end: The position after the last one of the interval.
        goal: The formula that has to hold.
    """
    if end <= start:
        return _postponed(start, goal, Implies(LAST, goal))
    formula = goal
    for _ in range(end - start - 1):
        # Weak: if the trajectory ends inside of the interval, the rest of it is fulfilled.
        formula = And((goal, WeakNext(formula)))
    return _postponed(start, goal, formula)


def hold_after(start: int, goal: Formula) -> Formula:
    """True everywhere after ``start`` positions from here, or else at the last position."""
    # "After" leaves the position itself out: the later ones count, or it alone if it is the last.
    return _postponed(start, goal, Or((And((LAST, goal)), Next(Always(goal)))))


def _postponed(steps: int, goal: Formula, formula: Formula) -> Formula:
    """Return the formula so many positions on; if the end comes first, the goal at the end."""
    for _ in range(steps):
        formula = Or((And((LAST, goal)), Next(formula)))
    return formula


MODES: Mapping[str, tuple[int, int, Callable[..., Formula]]] = {
    "sometime": (0, 1, Eventually),
    "always": (0, 1, Always),
    "at-most-once": (0, 1, at_most_once),
    "sometime-after": (0, 2, sometime_after),
    "sometime-before": (0, 2, sometime_before),
    "at-end": (0, 1, at_end),
    "always-within": (1, 2, always_within),
    "within": (1, 1, within),
    "hold-after": (1, 1, hold_after),
    "hold-during": (2, 1, hold_during),
}
"""For each mode of PDDL 3 the number of its bounds and of its conditions, and what it means."""
