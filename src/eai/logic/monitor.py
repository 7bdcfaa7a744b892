"""Watching a formula while a trajectory grows: already true, already false, or open.

A monitor is a state of the formula's progression (:mod:`eai.logic.progression`), walked one letter
at a time: no automaton is made.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache
from typing import Literal

from eai.errors import InputError
from eai.logic.expansion import Objects
from eai.logic.formula import ActionAtom, Atom, Proposition
from eai.logic.progression import Progression
from eai.logic.progression.diagrams import FALSE, TRUE
from eai.logic.tree import Formula, Reading
from eai.nesting import on_own_stack

Status = Literal["true", "false", "open"]
"""``"true"`` and ``"false"``: certain, whatever follows. ``"open"``: not known (yet)."""

Action = tuple[str, tuple[str, ...]]
"""Name and arguments of an action."""

_MAX_STATES = 10_000
"""Maximum number of states that may be looked at before the first position."""


class Monitor:
    """Monitors one formula on a growing trajectory.

    ``status`` is always correct, but it may become final later than possible: a monitor notices
    that the formula is settled only when nothing of it is left open. It does not search the
    possible continuations.

    Args:
        formula: A closed formula.
        objects: The objects that quantifiers range over, such as a trajectory's ``objects``; may
            be left out if the formula has no quantifier.
        reading: ``"eai"`` for goals, ``"ltlf"`` for linear temporal logic; None takes it from the
            notation (see :func:`~eai.logic.evaluate`).

    Raises:
        InputError: If a variable is not bound, a quantifier has no objects, or the formula is
            too large with its quantifiers written out.
    """

    @on_own_stack
    def __init__(
        self, formula: Formula, *, objects: Objects = None, reading: Reading | None = None
    ) -> None:
        """Begin before the first position, where nothing is decided yet."""
        self.formula = formula
        self.positions = 0
        self._progression = Progression(objects, limit=_MAX_STATES)
        self._state = self._progression.start_by_parts(formula, reading=reading)
        self._letters = self._progression.letters
        # There is no limit on the length of the trajectory.
        self._progression.obligations.lift_limit()

    @property
    def status(self) -> Status:
        """Whether the formula is true or false whatever comes, or open."""
        decided: dict[int, Status] = {TRUE: "true", FALSE: "false"}
        return decided.get(self._state[0], "open")

    @property
    def holds(self) -> bool:
        """Whether the formula holds if the trajectory ends now.

        Raises:
            InputError: If nothing was pushed yet.
        """
        if not self.positions:
            raise InputError("no position was pushed yet", mend="push the initial state")
        return self._progression.obligations.accepts(self._state)

    def push(
        self, holds: Callable[[str, tuple[str, ...]], bool], action: Action | None = None
    ) -> Status:
        """Add a position.

        Args:
            holds: Whether a ground atom is true at the position, such as a state's ``holds``.
            action: Name and arguments of the action that is taken *from* the position; None if
                it is the last one.

        Returns:
            The status with the new position.
        """

        # Several obligations ask for one letter, and ``holds`` may be slow.
        @cache
        def is_true(number: int) -> bool:
            letter = self._letters[number]
            names = tuple(map(str, letter.terms))
            if isinstance(letter, ActionAtom):
                return (letter.action, names) == action
            return holds(letter.name, names)

        # A final verdict never changes.
        if self.status == "open":
            self._state = self._progression.obligations.read(self._state, is_true)
        self.positions += 1
        return self.status

    def push_facts(self, facts: Collection[Proposition]) -> Status:
        """Add a position with exactly the given true atoms and the action taken."""
        true = frozenset(facts)
        step: Action | None = None
        for fact in true:
            if isinstance(fact, ActionAtom):
                step = (fact.action, tuple(map(str, fact.terms)))
        return self.push(lambda name, arguments: Atom(name, arguments) in true, step)
