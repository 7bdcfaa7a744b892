"""Equivalence, entailment, satisfiability and validity of formulas, with proof by example.

Each question is whether some trajectory satisfies one formula; it is answered by a breadth-first
search through that formula's progression, so the trajectory that is found is a shortest one.

Trajectories are those of :class:`~eai.logic.trace.Trajectory`: at least one position, at most
one action at a position, none at the last. Nothing else is known of the world: a state in which
a cup is both clean and dirty, and an action without its effects, count as possible.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from eai.logic.automata.dfa import LIMIT
from eai.logic.automata.guards import spelled
from eai.logic.automata.search import Search, Word
from eai.logic.formula import ActionAtom, Formula
from eai.logic.progression.objects import Objects
from eai.logic.traits import Reading

__all__ = ["Comparison", "Relation", "entails", "equivalent", "satisfiable", "valid"]

Relation = Literal["equivalent", "entails", "satisfiable", "valid"]
"""What was asked."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The answer to a question about formulas; true or false itself.

    Args:
        relation: What was asked.
        holds: The answer.
        word: A shortest trajectory that proves it, as the set of true propositions at each
            position: one that satisfies the formula (``satisfiable``), that does not
            (``valid``), or on which the formulas have different verdicts; None if there is none.
        verdicts: What the formulas say of the word; empty without a word.
    """

    relation: Relation
    holds: bool
    word: Word | None = None
    verdicts: tuple[bool, ...] = ()

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        return "\n".join([self._headline, *(f"  {i}: {line}" for i, line in self._lines)])

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{i}</td><td>{html.escape(s)}</td></tr>" for i, s in self._lines)
        return f"<table><caption>{html.escape(self._headline)}</caption>{rows}</table>"

    @property
    def _headline(self) -> str:
        answer = _ANSWERS[self.relation][self.holds]
        if self.word is None:
            return f"{answer}."
        if len(self.verdicts) == 1:
            return f"{answer}; the formula {_verb(self.verdicts[0])} on this trajectory:"
        left, right = map(_verb, self.verdicts)
        return f"{answer}; on this trajectory the first {left} and the second {right}:"

    @property
    def _lines(self) -> Iterator[tuple[int, str]]:
        for position, true in enumerate(self.word or ()):
            atoms = sorted(spelled(each) for each in true if not isinstance(each, ActionAtom))
            actions = [f"then {spelled(each)}" for each in true if isinstance(each, ActionAtom)]
            yield position, "; ".join([", ".join(atoms) or "nothing", *actions])


_ANSWERS: dict[Relation, tuple[str, str]] = {
    "equivalent": ("not equivalent", "equivalent"),
    "entails": ("not entailed", "entailed"),
    "satisfiable": ("not satisfiable", "satisfiable"),
    "valid": ("not valid", "valid"),
}


def _verb(verdict: bool) -> str:
    return "holds" if verdict else "fails"


def equivalent(
    left: Formula,
    right: Formula,
    *,
    objects: Objects = None,
    limit: int = LIMIT,
    reading: Reading | None = None,
) -> Comparison:
    """Say whether two formulas hold on the same trajectories.

    Args:
        left: A closed formula.
        right: A closed formula.
        objects: What quantifiers range over (see :func:`~eai.logic.automata.dfa.automaton`).
        limit: Largest number of states to look at.
        reading: How the formulas are read (see :func:`~eai.logic.automata.dfa.automaton`).

    Returns:
        The answer; if it is no, with a shortest trajectory that satisfies one of them only.

    Raises:
        InputError: As :func:`~eai.logic.automata.dfa.automaton` raises it.
    """
    search = Search((left, right), objects, limit=limit, reading=reading)
    return _refuted("equivalent", search, search.difference())


def entails(
    left: Formula,
    right: Formula,
    *,
    objects: Objects = None,
    limit: int = LIMIT,
    reading: Reading | None = None,
) -> Comparison:
    """Say whether the second formula holds on every trajectory on which the first does.

    Args:
        left: A closed formula.
        right: A closed formula.
        objects: As for :func:`equivalent`.
        limit: As for :func:`equivalent`.
        reading: As for :func:`equivalent`.

    Returns:
        The answer; if it is no, with a shortest trajectory that satisfies the first only.

    Raises:
        InputError: As for :func:`equivalent`.
    """
    search = Search((left, right), objects, limit=limit, reading=reading)
    return _refuted("entails", search, search.example(True, False))


def satisfiable(
    formula: Formula,
    *,
    objects: Objects = None,
    limit: int = LIMIT,
    reading: Reading | None = None,
) -> Comparison:
    """Say whether a formula holds on some trajectory.

    Args:
        formula: A closed formula.
        objects: As for :func:`equivalent`.
        limit: As for :func:`equivalent`.
        reading: As for :func:`equivalent`.

    Returns:
        The answer; if it is yes, with a shortest trajectory on which the formula holds.

    Raises:
        InputError: As for :func:`equivalent`.
    """
    search = Search((formula,), objects, limit=limit, reading=reading)
    word = search.example(True)
    return Comparison("satisfiable", word is not None, word, () if word is None else (True,))


def valid(
    formula: Formula,
    *,
    objects: Objects = None,
    limit: int = LIMIT,
    reading: Reading | None = None,
) -> Comparison:
    """Say whether a formula holds on every trajectory.

    Args:
        formula: A closed formula.
        objects: As for :func:`equivalent`.
        limit: As for :func:`equivalent`.
        reading: As for :func:`equivalent`.

    Returns:
        The answer; if it is no, with a shortest trajectory on which the formula fails.

    Raises:
        InputError: As for :func:`equivalent`.
    """
    search = Search((formula,), objects, limit=limit, reading=reading)
    return _refuted("valid", search, search.example(False))


def _refuted(relation: Relation, search: Search, word: Word | None) -> Comparison:
    """The answer to a question that one trajectory decides to the contrary."""
    if word is None:
        return Comparison(relation, holds=True)
    return Comparison(relation, holds=False, word=word, verdicts=search.verdicts(word))
