"""What each rule of the grammar makes of its parts; names stay tokens."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from eai.logic import sugar
from eai.logic.nodes import (
    FALSE,
    FIRST,
    LAST,
    TRUE,
    Always,
    And,
    Atom,
    Comparison,
    Count,
    Equal,
    Eventually,
    Exists,
    Forall,
    Formula,
    ForPairs,
    Historically,
    Iff,
    Implies,
    Next,
    Not,
    Once,
    Or,
    Previous,
    Release,
    Since,
    StrongRelease,
    Then,
    Trigger,
    Until,
    Variable,
    WeakNext,
    WeakPrevious,
    WeakUntil,
    Xor,
    children,
)
from eai.logic.walks import bottom_up

__all__ = ["LARGEST_BOUND", "LARGEST_COUNT", "SIZE_LIMIT", "Builder", "TooLargeError"]

LARGEST_COUNT = 999_999_999
"""Largest number that a counting quantifier may have; no world has more objects."""

LARGEST_BOUND = 1000
"""Largest number of steps in a constraint of PDDL 3, which is written out step by step."""

SIZE_LIMIT = 100_000
"""Largest formula that the constraints of PDDL 3 may be written out to, in nodes."""


class TooLargeError(Exception):
    """A constraint of PDDL 3 would be too large, written out.

    Args:
        what: What is too large.
        expected: What is not.
        token: The token that is to blame, if one is.
    """

    def __init__(self, what: str, *, expected: str, token: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.expected = expected
        self.token = token


class Builder:
    """The callbacks of the grammar: one for each rule that is not passed through."""

    def __init__(self) -> None:
        for name, kind in _OPERATORS.items():
            setattr(self, name, partial(_operator, kind))
        for name, chain in _CHAINS.items():
            setattr(self, name, partial(_chain, chain))
        for name, comparison in _COUNTS.items():
            setattr(self, name, partial(_count, comparison))
        for name, constraint in _CONSTRAINTS.items():
            setattr(self, name, partial(_constraint, constraint))
        for name, make in _OTHERS.items():
            setattr(self, name, make)


_OPERATORS: dict[str, Callable[..., Formula]] = {
    "not_": Not,
    "next": Next,
    "strong_next": Next,
    "weak_next": WeakNext,
    "eventually": Eventually,
    "always": Always,
    "previous": Previous,
    "weak_previous": WeakPrevious,
    "once": Once,
    "historically": Historically,
    "iff": Iff,
    "implies": Implies,
    "xor": Xor,
    "until": Until,
    "release": Release,
    "weak_until": WeakUntil,
    "strong_release": StrongRelease,
    "since": Since,
    "trigger": Trigger,
}
_CONSTRAINTS: dict[str, Callable[..., Formula]] = {
    "at_end": sugar.at_end,
    "at_most_once": sugar.at_most_once,
    "sometime_after": sugar.sometime_after,
    "sometime_before": sugar.sometime_before,
    "within": sugar.within,
    "always_within": sugar.always_within,
    "hold_during": sugar.hold_during,
    "hold_after": sugar.hold_after,
}


_CHAINS: dict[str, Callable[[tuple[Formula, ...]], Formula]] = {
    "then": Then,
    "or_": Or,
    "and_": And,
}
_COUNTS: dict[str, Comparison] = {
    "exactly": "exactly",
    "at_least": "at least",
    "at_most": "at most",
}
_OTHERS: dict[str, Callable[[list[Any]], object]] = {
    "forall": lambda parts: Forall(*parts),
    "exists": lambda parts: Exists(*parts),
    "pairs": lambda parts: ForPairs(*parts),
    "number_of_pairs": lambda parts: ForPairs(parts[1], parts[2], parts[3], _number(parts[0])),
    "variables": tuple,
    "variable": lambda parts: Variable(parts[0], tuple(parts[1:]) or ("object",)),
    "strict_variable": lambda parts: Variable(parts[0]),
    "atom": lambda parts: Atom(parts[0], tuple(parts[1:])),
    "equal": lambda parts: Equal(*parts),
    "true": lambda _: TRUE,
    "false": lambda _: FALSE,
    "last": lambda _: LAST,
    "first": lambda _: FIRST,
}


def _chain(kind: Callable[[tuple[Formula, ...]], Formula], parts: list[Formula]) -> Formula:
    return kind(tuple(parts))


def _count(comparison: Comparison, parts: tuple[str, Variable, Formula]) -> Formula:
    return Count(_number(parts[0]), parts[1], parts[2], comparison)


def _operator(kind: Callable[..., Formula], parts: list[Formula]) -> Formula:
    return kind(*parts)


def _constraint(make: Callable[..., Formula], parts: list[Any]) -> Formula:
    """Write a constraint out, if that is not too much."""
    formulas = [part for part in parts if isinstance(part, Formula)]
    tokens = [part for part in parts if isinstance(part, str)]
    bounds = [_bound(token) for token in tokens]
    copies = 2 + sum(bounds)
    if make is not sugar.at_end and sum(map(_size, formulas)) * copies > SIZE_LIMIT:
        raise TooLargeError(
            "a constraint is too large when it is written out",
            expected=f"at most {SIZE_LIMIT:,} operators and atoms in all",
        )
    return make(*bounds, *formulas)


def _bound(token: str) -> int:
    number = _number(token)
    if number > LARGEST_BOUND:
        raise TooLargeError(
            "the number of steps is too large", expected=f"at most {LARGEST_BOUND:,}", token=token
        )
    return number


def _number(digits: str) -> int:
    # A count that is too large is refused in the second pass, which knows the text.
    return int(digits.lstrip("0")[: len(str(LARGEST_COUNT)) + 1] or "0")


def _size(formula: Formula) -> int:
    """Number of nodes, a shared subformula counted each time that it occurs."""
    sizes: dict[int, int] = {}
    for node in bottom_up(formula):
        sizes[id(node)] = 1 + sum(sizes[id(part)] for part in children(node))
    return sizes[id(formula)]
