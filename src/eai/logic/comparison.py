"""Equivalence, entailment, satisfiability and validity of formulas, with proof by example.

Each question is whether some trajectory satisfies one formula; it is answered by a breadth-first
search through that formula's progression, so the trajectory that is found is a shortest one.

Trajectories are those of :class:`~eai.logic.Trajectory`: at least one position, at most one
action at a position, none at the last. Nothing else is known of the world: a state in which a cup
is both clean and dirty, and an action without its effects, count as possible.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, cast

from eai.logic.automata import LIMIT
from eai.logic.expansion import Objects
from eai.logic.formula import ActionAtom, Formula, Proposition, Reading
from eai.logic.guards import spelled
from eai.logic.progression import Meaning, Progression, within_depth
from eai.logic.progression.diagrams import FALSE, LEAF
from eai.logic.progression.machine import check_states
from eai.logic.progression.obligations import State

__all__ = ["Comparison", "Relation", "entails", "equivalent", "satisfiable", "valid"]

Word = tuple[frozenset[Proposition], ...]
"""The true propositions at each position."""

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
        objects: What quantifiers range over (see :func:`~eai.logic.automata.automaton`).
        limit: Largest number of states to look at.
        reading: How the formulas are read (see :func:`~eai.logic.automata.automaton`).

    Returns:
        The answer; if it is no, with a shortest trajectory that satisfies one of them only.

    Raises:
        InputError: As :func:`~eai.logic.automata.automaton` raises it.
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

    Args and raises: as for :func:`equivalent`.

    Returns:
        The answer; if it is no, with a shortest trajectory that satisfies the first only.
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

    Args and raises: as for :func:`equivalent`.

    Returns:
        The answer; if it is yes, with a shortest trajectory on which the formula holds.
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

    Args and raises: as for :func:`equivalent`.

    Returns:
        The answer; if it is no, with a shortest trajectory on which the formula fails.
    """
    search = Search((formula,), objects, limit=limit, reading=reading)
    return _refuted("valid", search, search.example(False))


def _refuted(relation: Relation, search: Search, word: Word | None) -> Comparison:
    """The answer to a question that one trajectory decides to the contrary."""
    if word is None:
        return Comparison(relation, holds=True)
    return Comparison(relation, holds=False, word=word, verdicts=search.verdicts(word))


_Trail = dict[State, tuple[State, int] | None]


class Search:
    """Looks for trajectories of formulas that are read into one table."""

    def __init__(
        self,
        formulas: tuple[Formula, ...],
        objects: Objects,
        *,
        limit: int,
        reading: Reading | None,
    ) -> None:
        self._progression = Progression(objects, limit=limit)
        self._obligations = self._progression.obligations
        self._limit = limit
        with within_depth():
            self._meanings = [self._progression.meaning(f, reading=reading) for f in formulas]
        self._letters = self._progression.letters
        self._actions = {
            number for number, each in enumerate(self._letters) if isinstance(each, ActionAtom)
        }

    def example(self, *wanted: bool) -> Word | None:
        """Return a shortest trajectory on which each formula has its wanted verdict."""
        pairs = zip(self._meanings, wanted, strict=True)
        with within_depth():
            demands = [m.now if holds else self._obligations.negation(m.now) for m, holds in pairs]
            return self._search(self._obligations.all_of(demands))

    def difference(self) -> Word | None:
        """Return a shortest trajectory on which the two formulas have different verdicts."""
        left, right = self._meanings
        with within_depth():
            return self._search(self._obligations.differ(left.now, right.now))

    def verdicts(self, word: Word) -> tuple[bool, ...]:
        """Return what each formula says of a trajectory."""
        return tuple(self._holds(meaning, word) for meaning in self._meanings)

    def _holds(self, meaning: Meaning, word: Word) -> bool:
        state = self._progression.start(meaning)
        for true in word:
            numbers = {i for i, each in enumerate(self._letters) if each in true}
            state = self._obligations.read(state, numbers.__contains__)
        return self._obligations.accepts(state)

    def _search(self, now: int) -> Word | None:
        start = self._progression.start(Meaning(now, FALSE))
        trail: _Trail = {start: None}
        queue = [start]
        for state in queue:
            step = self._obligations.step(state)
            for after, letter in self._successors(step, last=True):
                if self._obligations.accepts(after):
                    return self._word(trail, state, letter)
            for after, letter in self._successors(step, last=False):
                if after not in trail and after[0] != FALSE:
                    check_states(len(trail), self._limit)
                    trail[after] = (state, letter)
                    queue.append(after)
        return None

    def _successors(self, step: int, *, last: bool) -> Iterator[tuple[State, int]]:
        """Yield the next states, each with a letter of few true propositions that leads there.

        Args:
            step: The transitions of a state.
            last: Whether the letter is that of the last position, which has no action; another
                has one at most.
        """
        seen: set[tuple[int, bool]] = set()
        pending = [(step, last, 0)]
        while pending:
            self._obligations.spend()
            diagram, acted, letter = pending.pop()
            if (diagram, acted) in seen:
                continue
            seen.add((diagram, acted))
            level = self._obligations.level[diagram]
            if level == LEAF:
                yield cast("State", self._obligations.value(diagram)), letter
                continue
            high, low = self._obligations.cofactors(diagram, level)
            acts = level in self._actions
            if not (acts and acted):
                pending.append((high, acted or acts, letter | 1 << level))
            pending.append((low, acted, letter))

    def _word(self, trail: _Trail, state: State, letter: int) -> Word:
        letters = [letter]
        before = trail[state]
        while before is not None:
            state, letter = before
            letters.append(letter)
            before = trail[state]
        return tuple(self._true(each) for each in reversed(letters))

    def _true(self, letter: int) -> frozenset[Proposition]:
        return frozenset(each for i, each in enumerate(self._letters) if letter >> i & 1)
