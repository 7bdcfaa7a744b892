"""Watching a formula while a trajectory grows: already true, already false, or open.

A goal with ``then`` is translated to linear temporal logic, so that the earliest ends of its links
decide it, and the formula is rewritten at every position
(:mod:`eai.logic.monitor.rewriting`). Where there is no translation, its automaton is run
(:mod:`eai.logic.monitor.stepping`).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, Union

from eai.errors import InputError
from eai.logic.formula import (
    ActionAtom,
    Atom,
    Formula,
    ForPairs,
    Then,
    check_closed,
    has_then,
    walk,
)
from eai.logic.monitor.rewriting import Action, Holds, Rewriting
from eai.logic.monitor.stepping import Stepping
from eai.logic.monitor.unfolding import Objects
from eai.logic.traits import Reading
from eai.logic.translation import to_linear

__all__ = ["Monitor", "Status"]

Status = Literal["true", "false", "open"]
"""``"true"`` and ``"false"``: so it is, whatever comes. ``"open"``: that is not known (yet)."""

Fact = Union[Atom, ActionAtom]


class Monitor:
    """Watches one formula on one growing trajectory.

    ``status`` is never wrong, but need not be as early as can be: ``F p and G not p`` stays open
    until the end, because nothing compares the two. For goals without negation, and for those
    that only an automaton can watch, it is as early as can be.

    Args:
        formula: A closed formula.
        objects: Names of the objects of any of some types, such as a trajectory's ``objects``;
            may be left out if no quantifier has an operator of time inside.
        reading: As for :func:`~eai.logic.semantics.evaluate`.

    Raises:
        InputError: If a variable is not bound, quantifiers over time have no objects, or the
            formula is too large to be watched: with these quantifiers written out; or, if it
            has pairs or a ``then`` that :func:`~eai.logic.translation.to_linear` refuses, as an
            automaton (:func:`~eai.logic.automata.dfa.automaton`).
    """

    def __init__(
        self,
        formula: Formula,
        *,
        objects: Objects | None = None,
        reading: Reading | None = None,
    ) -> None:
        check_closed(formula)
        self.formula = formula
        self.positions = 0
        self._watched = _watched(formula, objects, reading)

    @property
    def status(self) -> Status:
        """Whether the formula is true or false whatever comes, or open."""
        decided = self._watched.decided
        if decided is None:
            return "open"
        return "true" if decided else "false"

    @property
    def holds(self) -> bool:
        """Whether the formula holds if the trajectory ends here.

        Raises:
            InputError: If nothing was pushed yet.
        """
        if not self.positions:
            raise InputError("no position was pushed yet", mend="push the initial state")
        return self._watched.holds

    def push(self, holds: Holds, action: Action | None = None) -> Status:
        """Add a position.

        Args:
            holds: Whether a ground atom is true at the position, such as a state's ``holds``.
            action: Name and arguments of the action that is taken *from* the position; None if
                it is the last one.

        Returns:
            The status with the new position.
        """
        if self._watched.decided is None:
            self._watched.advance(holds, action)
        self.positions += 1
        return self.status

    def push_facts(self, facts: Collection[Fact]) -> Status:
        """Add a position at which exactly these atoms are true and this action is taken."""
        known = frozenset(facts)
        action = next((f for f in known if isinstance(f, ActionAtom)), None)
        step = None if action is None else (action.action, tuple(map(str, action.terms)))
        return self.push(lambda name, arguments: Atom(name, arguments) in known, step)


def _watched(
    formula: Formula, objects: Objects | None, reading: Reading | None
) -> Rewriting | Stepping:
    if reading != "ltlf" or not has_then(formula):
        try:
            return Rewriting(to_linear(formula, reading=reading), objects)
        except InputError:
            if not any(isinstance(node, (Then, ForPairs)) for node in walk(formula)):
                raise
    return Stepping(formula, objects, reading)
