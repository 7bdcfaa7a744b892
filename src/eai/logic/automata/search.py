"""The search for a shortest trajectory that satisfies a formula."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from eai.logic.formula import ActionAtom, Formula
from eai.logic.progression.diagrams import FALSE, LEAF
from eai.logic.progression.machine import check_states
from eai.logic.progression.objects import Objects
from eai.logic.progression.obligations import State
from eai.logic.progression.progression import (
    Meaning,
    Progression,
    Proposition,
    within_depth,
)
from eai.logic.traits import Reading

__all__ = ["Search", "Word"]

Word = tuple[frozenset[Proposition], ...]
"""The true propositions at each position."""

_Trail = dict[State, tuple[State, int] | None]


class Search:
    """Looks for trajectories of formulas that are read into one table.

    Args:
        formulas: The formulas.
        objects: What quantifiers range over.
        limit: Largest number of states to look at.
        reading: How the formulas are read.
    """

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
        self._diagrams = self._progression.diagrams
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
            demands = [m.now if holds else self._diagrams.negation(m.now) for m, holds in pairs]
            return self._search(self._diagrams.all_of(demands))

    def difference(self) -> Word | None:
        """Return a shortest trajectory on which the two formulas have different verdicts."""
        left, right = self._meanings
        with within_depth():
            return self._search(self._diagrams.differ(left.now, right.now))

    def verdicts(self, word: Word) -> tuple[bool, ...]:
        """Return what each formula says of a trajectory."""
        return tuple(self._holds(meaning, word) for meaning in self._meanings)

    def _holds(self, meaning: Meaning, word: Word) -> bool:
        state = self._progression.start(meaning)
        for true in word:
            numbers = {i for i, each in enumerate(self._letters) if each in true}
            leaf = self._diagrams.follow(self._obligations.step(state), numbers.__contains__)
            state = cast("State", self._diagrams.value(leaf))
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
            self._diagrams.spend()
            diagram, acted, letter = pending.pop()
            if (diagram, acted) in seen:
                continue
            seen.add((diagram, acted))
            level = self._diagrams.level[diagram]
            if level == LEAF:
                yield cast("State", self._diagrams.value(diagram)), letter
                continue
            high, low = self._diagrams.cofactors(diagram, level)
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
