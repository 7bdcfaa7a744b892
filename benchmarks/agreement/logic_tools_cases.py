"""Random formulas and traces, and their meaning by lists of truth values."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable, Sequence
from itertools import accumulate

from eai.errors import UnknownNameError
from eai.logic import (
    FALSE,
    FIRST,
    LAST,
    TRUE,
    Always,
    And,
    Atom,
    Eventually,
    First,
    Formula,
    Historically,
    Iff,
    Implies,
    Last,
    Next,
    Not,
    Once,
    Or,
    Previous,
    Release,
    Since,
    StrongRelease,
    Trigger,
    Truth,
    Until,
    WeakNext,
    WeakPrevious,
    WeakUntil,
    Xor,
)
from eai.logic.algebra import bits_at

__all__ = ["ATOMS", "BASIC", "FUTURE", "MIXED", "PAST", "Recorded", "by_lists", "formula", "trace"]

ATOMS = ("p0", "p1", "p2", "p3", "p4")
Unary = Callable[[Formula], Formula]
Binary = Callable[[Formula, Formula], Formula]
Operators = tuple[Sequence[Formula], Sequence[Unary], Sequence[Binary]]

_LEAVES: tuple[Formula, ...] = tuple(Atom(name) for name in ATOMS)
_JOINS: tuple[Binary, ...] = (operator.and_, operator.or_, Implies, Iff, Xor)
_AHEAD: tuple[Unary, ...] = (Next, WeakNext, Eventually, Always)
_BACK: tuple[Unary, ...] = (Previous, WeakPrevious, Once, Historically)
_UNTILS: tuple[Binary, ...] = (Until, Release, WeakUntil, StrongRelease)
_SINCES: tuple[Binary, ...] = (Since, Trigger)

FUTURE: Operators = (
    (*_LEAVES * 4, TRUE, FALSE, LAST),
    (Not, *_AHEAD),
    (*_JOINS, *_UNTILS),
)
PAST: Operators = ((*_LEAVES * 4, TRUE, FALSE, FIRST), (Not, *_BACK), (*_JOINS, *_SINCES))
MIXED: Operators = (
    (*_LEAVES * 4, LAST, FIRST),
    (Not, *_AHEAD, *_BACK),
    (*_JOINS, *_UNTILS, *_SINCES),
)
BASIC: Operators = (
    _LEAVES,
    (Not, *_AHEAD),
    (operator.and_, operator.or_, Implies, Until, Release),
)
"""What every tool has."""


def formula(chance: random.Random, nodes: int, operators: Operators) -> Formula:
    """Return a random formula with so many nodes."""
    leaves, unary, binary = operators
    if nodes <= 1:
        return chance.choice(leaves)
    if nodes == 2 or chance.random() < 0.4:
        return chance.choice(unary)(formula(chance, nodes - 1, operators))
    left = (nodes - 1) // 2 if nodes > 20 else chance.randint(1, nodes - 2)
    return chance.choice(binary)(
        formula(chance, left, operators), formula(chance, nodes - 1 - left, operators)
    )


def trace(chance: random.Random, length: int, kind: str) -> list[list[str]]:
    """Return the true propositions at every position.

    Args:
        chance: Where the randomness comes from.
        length: Number of positions.
        kind: ``"slow"`` for propositions that change rarely, ``"event"`` for one at a time, else
            the density as a number.
    """
    if kind == "event":
        return [[chance.choice(ATOMS)] for _ in range(length)]
    if kind != "slow":
        return [[name for name in ATOMS if chance.random() < float(kind)] for _ in range(length)]
    state = {name: chance.random() < 0.5 for name in ATOMS}
    states = []
    for _ in range(length):
        for name in ATOMS:
            state[name] ^= chance.random() < 0.1
        states.append([name for name in ATOMS if state[name]])
    return states


class Recorded:
    """A trajectory whose propositions were recorded: their histories are made when asked for.

    Args:
        states: The true propositions at every position.
        changes: In their stead, the positions at which each proposition changes, false before
            the first; the length is then that of ``states`` all the same.
    """

    def __init__(
        self, states: Sequence[Sequence[str]], changes: dict[str, list[int]] | None = None
    ) -> None:
        self.length = len(states)
        self._states = states
        self._changes = changes
        self._known: dict[str, int] = {}

    def objects(self, types: tuple[str, ...]) -> Sequence[str]:
        """There are no objects."""
        del types
        return ()

    def history(self, predicate: str, arguments: tuple[str, ...]) -> int:
        """Truth of a proposition at every position."""
        known = self._known.get(predicate)
        if known is None:
            if predicate not in ATOMS or arguments:
                raise UnknownNameError("predicate", predicate, ATOMS)
            known = self._known[predicate] = self._history(predicate)
        return known

    def _history(self, name: str) -> int:
        if self._changes is None:
            return bits_at([i for i, s in enumerate(self._states) if name in s], self.length)
        # A proposition is true where the number of changes so far is odd.
        found = bits_at(self._changes[name], self.length)
        width = 1
        while width < self.length:
            found ^= found << width
            width *= 2
        return found & (1 << self.length) - 1

    def occurrences(self, action: str, arguments: tuple[str, ...]) -> int:
        """There are no actions."""
        raise UnknownNameError("action", action, arguments)

    def taken(self, action: str) -> Sequence[tuple[int, tuple[str, ...]]]:
        """There are no actions."""
        raise UnknownNameError("action", action, ())


Truths = list[bool]


def _until(left: Truths, right: Truths) -> Truths:
    later, found = False, []
    for a, b in zip(reversed(left), reversed(right), strict=True):
        later = b or (a and later)
        found.append(later)
    found.reverse()
    return found


def _release(left: Truths, right: Truths) -> Truths:
    later, found = True, []
    for a, b in zip(reversed(left), reversed(right), strict=True):
        later = b and (a or later)
        found.append(later)
    found.reverse()
    return found


def _not(values: Truths) -> Truths:
    return [not value for value in values]


def _or(left: Truths, right: Truths) -> Truths:
    return [a or b for a, b in zip(left, right, strict=True)]


def _and(left: Truths, right: Truths) -> Truths:
    return [a and b for a, b in zip(left, right, strict=True)]


def _same(left: Truths, right: Truths) -> Truths:
    return [a == b for a, b in zip(left, right, strict=True)]


_MEANING: dict[type[Formula], Callable[..., Truths]] = {
    Not: _not,
    And: _and,
    Or: _or,
    Implies: lambda a, b: [y or not x for x, y in zip(a, b, strict=True)],
    Iff: _same,
    Xor: lambda a, b: _not(_same(a, b)),
    Next: lambda a: [*a[1:], False],
    WeakNext: lambda a: [*a[1:], True],
    Eventually: lambda a: [*accumulate(reversed(a), operator.or_)][::-1],
    Always: lambda a: [*accumulate(reversed(a), operator.and_)][::-1],
    Until: _until,
    Release: _release,
    WeakUntil: lambda a, b: _release(b, _or(a, b)),
    StrongRelease: lambda a, b: _until(b, _and(a, b)),
}
_MIRROR: dict[type[Formula], type[Formula]] = {
    Previous: Next,
    WeakPrevious: WeakNext,
    Once: Eventually,
    Historically: Always,
    Since: Until,
    Trigger: Release,
}


def by_lists(formula: Formula, histories: dict[str, Truths], length: int) -> Truths:
    """Return the truth of a formula at every position, by one pass over it for every node."""
    if isinstance(formula, Atom):
        return histories[formula.predicate]
    if isinstance(formula, Truth):
        return [formula.value] * length
    if isinstance(formula, (Last, First)):
        only = length - 1 if isinstance(formula, Last) else 0
        return [place == only for place in range(length)]
    parts = [by_lists(part, histories, length) for part in formula.operands]
    ahead = _MIRROR.get(type(formula))
    if ahead is None:
        return _MEANING[type(formula)](*parts)
    return _MEANING[ahead](*(part[::-1] for part in parts))[::-1]
