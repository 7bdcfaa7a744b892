"""Watching a formula with its automaton, which knows what can still come."""

from __future__ import annotations

from eai.logic.automata.dfa import automaton
from eai.logic.formula import Atom, Formula
from eai.logic.monitor.rewriting import Action, Holds
from eai.logic.monitor.unfolding import Objects
from eai.logic.progression.tables import Proposition
from eai.logic.traits import Reading

__all__ = ["Stepping"]


class Stepping:
    """The state of a formula's automaton.

    Args:
        formula: A closed formula.
        objects: What the quantifiers range over.
        reading: As for :func:`~eai.logic.semantics.evaluate`.

    Raises:
        InputError: As for :func:`~eai.logic.automata.dfa.automaton`.
    """

    def __init__(self, formula: Formula, objects: Objects | None, reading: Reading | None) -> None:
        self._automaton = automaton(formula, objects=objects, reading=reading)
        self._state = self._automaton.initial
        self._letters = [
            (each, (_name(each), tuple(map(str, each.terms)))) for each in self._automaton.letters
        ]

    @property
    def decided(self) -> bool | None:
        """What the verdict will be whatever comes; None while that is open."""
        return self._automaton.verdict(self._state)

    @property
    def holds(self) -> bool:
        """Whether the formula holds if the trajectory ends here."""
        return self._state in self._automaton.accepting

    def advance(self, holds: Holds, action: Action | None) -> None:
        """Read a position, as :meth:`~eai.logic.monitor.rewriting.Rewriting.advance` does."""
        true = [
            each
            for each, named in self._letters
            if (holds(*named) if isinstance(each, Atom) else named == action)
        ]
        self._state = self._automaton.step(self._state, self._automaton.letter(true))


def _name(proposition: Proposition) -> str:
    return proposition.predicate if isinstance(proposition, Atom) else proposition.action
