"""What each rule of the grammar makes of its parts; names stay tokens."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

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
from eai.logic.syntax import sugar
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
        for name, pair in _PAIRS.items():
            setattr(self, name, partial(_pair, pair))
        for name, chain in _CHAINS.items():
            setattr(self, name, partial(_chain, chain))
        for name, make in _OTHERS.items():
            setattr(self, name, make)


def _word(token: str) -> str:
    """An operator as it is listed: one of letters as it is, a longer word in lower case."""
    return token if len(token) == 1 or token[1:] in ("X", "Y", "[!]") else token.lower()


def _pair(kind: Callable[[Formula, Formula], Formula], parts: list[Formula]) -> Formula:
    return kind(*parts)


def _chain(kind: Callable[[tuple[Formula, ...]], Formula], parts: list[Formula]) -> Formula:
    return kind(tuple(parts))


def _prefix(token: str, operand: Formula) -> Formula:
    make = _PREFIXES[_word(token)]
    return _constraint(make, [operand]) if make is sugar.at_most_once else make(operand)


def _binary(left: Formula, token: str, right: Formula) -> Formula:
    return _BINARIES[_word(token)](left, right)


def _quantified(token: str, variables: tuple[Variable, ...], body: Formula) -> Formula:
    kind = Forall if token.lower() in ("forall", "\N{FOR ALL}") else Exists
    return kind(variables, body)


def _count(token: str, number: str, variable: Variable, body: Formula) -> Formula:
    comparison = _COUNTS[token.lower().replace(" ", "").replace("-", "")]
    return Count(_number(number), variable, body, comparison)


def _constraint(make: Callable[..., Formula], parts: list[Any]) -> Formula:
    """Write a constraint out, if that is not too much."""
    formulas = [part for part in parts if isinstance(part, Formula)]
    tokens = [part for part in parts if isinstance(part, str)]
    bounds = [_bound(token) for token in tokens]
    copies = 2 + sum(bounds)
    if sum(map(_size, formulas)) * copies > SIZE_LIMIT:
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


_PAIRS: dict[str, Callable[[Formula, Formula], Formula]] = {
    "iff": Iff,
    "implies": Implies,
    "xor": Xor,
}
_CHAINS: dict[str, Callable[[tuple[Formula, ...]], Formula]] = {
    "then": Then,
    "or_": Or,
    "and_": And,
}
_PREFIXES: dict[str, Callable[[Formula], Formula]] = {
    **dict.fromkeys(("not", "!", "~", "\N{NOT SIGN}"), Not),
    **dict.fromkeys(("X", "X[!]", "next", "\u25cb", "\u25ef"), Next),
    **dict.fromkeys(("WX", "wX", "wnext"), WeakNext),
    **dict.fromkeys(("F", "eventually", "sometime", "\u25c7", "\u25ca", "\u22c4"), Eventually),
    **dict.fromkeys(("G", "always", "\u25a1", "\u25fb", "\u2610"), Always),
    **dict.fromkeys(("Y", "previous"), Previous),
    **dict.fromkeys(("Z", "WY", "wY", "wprevious"), WeakPrevious),
    **dict.fromkeys(("O", "once"), Once),
    **dict.fromkeys(("H", "historically"), Historically),
    "at-end": sugar.at_end,
    "at-most-once": sugar.at_most_once,
}
_BINARIES: dict[str, Callable[[Formula, Formula], Formula]] = {
    **dict.fromkeys(("U", "until"), Until),
    **dict.fromkeys(("R", "V", "release"), Release),
    **dict.fromkeys(("W", "wuntil"), WeakUntil),
    **dict.fromkeys(("M", "srelease"), StrongRelease),
    **dict.fromkeys(("S", "since"), Since),
    **dict.fromkeys(("T", "trigger"), Trigger),
}
_COUNTS: dict[str, Comparison] = {
    "forn": "exactly",
    "exactly": "exactly",
    "atleast": "at least",
    "atmost": "at most",
}
_CONSTANTS: dict[str, Formula] = {
    "true": TRUE,
    "\N{DOWN TACK}": TRUE,
    "false": FALSE,
    "\N{UP TACK}": FALSE,
    "last": LAST,
    "first": FIRST,
}
_CONSTRAINTS: dict[str, Callable[..., Formula]] = {
    "sometime-after": sugar.sometime_after,
    "sometime-before": sugar.sometime_before,
    "within": sugar.within,
    "hold-after": sugar.hold_after,
}
_OTHERS: dict[str, Callable[[list[Any]], object]] = {
    "prefix": lambda parts: _prefix(*parts),
    "binary": lambda parts: _binary(*parts),
    "quantified": lambda parts: _quantified(*parts),
    "counted": lambda parts: _count(*parts),
    "constraint": lambda parts: _constraint(_CONSTRAINTS[parts[0].lower()], parts[1:]),
    "always_within": partial(_constraint, sugar.always_within),
    "hold_during": partial(_constraint, sugar.hold_during),
    "pairs": lambda parts: ForPairs(*parts),
    "number_of_pairs": lambda parts: ForPairs(parts[1], parts[2], parts[3], _number(parts[0])),
    "variables": tuple,
    "variable": lambda parts: Variable(parts[0], tuple(parts[1:]) or ("object",)),
    "strict_variable": lambda parts: Variable(parts[0]),
    "atom": lambda parts: Atom(parts[0], tuple(parts[1:])),
    "equal": lambda parts: Equal(*parts),
    "constant": lambda parts: _CONSTANTS[parts[0].lower()],
}
