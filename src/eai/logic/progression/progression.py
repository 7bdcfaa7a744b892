"""From a formula to what it demands of a trajectory, one position at a time.

A formula is read in one of two ways. *At a position* it is true or false as linear temporal
logic defines it, and ``then`` speaks of the part from there to the end. *On a part* it is read
as goals are (``docs/ltl.md``): without ``then`` and without operators of linear temporal logic
it holds if it is true somewhere on the part; with such operators if it is true at the part's
first position; and what stands above a ``then`` speaks of the same part. The two meet in a
:class:`Meaning`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from eai.errors import InputError
from eai.logic.formula import Formula, check_closed, has_then
from eai.logic.progression.chain import Meaning, chained
from eai.logic.progression.diagrams import FALSE, TRUE, Diagrams
from eai.logic.progression.machine import Machine, explore, minimal
from eai.logic.progression.objects import Objects, ranges
from eai.logic.progression.obligations import Obligations, State
from eai.logic.progression.reader import Reader
from eai.logic.progression.tables import Proposition, Tables
from eai.logic.traits import Reading, reading_of

__all__ = ["Meaning", "Progression", "Proposition", "within_depth"]

_WORK = 100_000
"""Elementary operations that may be done for any automaton,"""

_WORK_BY_STATE = 100
"""and these for each state that it may have."""


@contextmanager
def within_depth() -> Iterator[None]:
    """Turn the end of Python's stack into an error that says what to do.

    Raises:
        InputError: If formulas or diagrams are too deep to be walked.
    """
    try:
        yield
    except RecursionError:
        raise InputError(
            "the formula is nested too deeply, or joins too much, for an automaton",
            mend="make the formula smaller, or give fewer objects",
        ) from None


class Progression:
    """Reads formulas into one table of obligations.

    Args:
        objects: What quantifiers range over: names, or names with their types.
        limit: Largest number of states of an automaton.

    Raises:
        InputError: If the limit is not positive, or ``objects`` is a text.
    """

    def __init__(self, objects: Objects = None, *, limit: int) -> None:
        if limit < 1:
            raise InputError(f"limit is {limit}", expected="a positive number of states")
        self._limit = limit
        self._kept: list[Formula] = []
        self._machines: dict[Meaning, Machine] = {}
        self._compacted: dict[Meaning, Meaning] = {}
        self.diagrams = Diagrams(_WORK + _WORK_BY_STATE * limit)
        self.obligations = Obligations(self.diagrams)
        self._tables = Tables(self.obligations, ranges(objects), self._chain, self._compact)

    @property
    def letters(self) -> tuple[Proposition, ...]:
        """The ground propositions met so far; their numbers are levels of diagrams."""
        return tuple(self._tables.letters)

    def meaning(self, formula: Formula, *, reading: Reading | None) -> Meaning:
        """Return what a formula demands of a whole trajectory.

        Args:
            formula: A closed formula.
            reading: How it is read; None takes it from the notation.

        Raises:
            InputError: If a variable is not bound, a quantifier has no objects to range over,
                or the formula is too large.
            RecursionError: If it is too deep (see :func:`within_depth`).
        """
        # Formulas are recognised by identity: keeping them keeps that from being reused.
        self._kept.append(formula)
        check_closed(formula)
        reader = Reader(self._tables, {})
        reader.read_ahead(formula)
        if reading is None or (reading == "eai" and has_then(formula)):
            return reader.part(formula)
        now = reader.at(formula)
        if reading_of(formula, reading) == "eai":
            now = self.obligations.lasting(TRUE, now, kept=False)
        return Meaning(now, FALSE)

    def start(self, meaning: Meaning) -> State:
        """Return the state before anything was read."""
        return self.obligations.start(meaning.now, empty=meaning.empty == TRUE)

    def machine(self, meaning: Meaning) -> Machine:
        """Return the minimal machine of a meaning, which also judges the empty trajectory."""
        found = self._machines.get(meaning)
        if found is None:
            start = self.start(meaning)
            found = minimal(explore(self.obligations, start, limit=self._limit))
            self._machines[meaning] = found
        return found

    def _chain(self, links: list[Meaning]) -> Meaning:
        return chained(self.obligations, [self.machine(link) for link in links])

    def _compact(self, meaning: Meaning) -> Meaning:
        found = self._compacted.get(meaning)
        if found is None:
            found = self._compacted[meaning] = self._chain([meaning])
        return found
