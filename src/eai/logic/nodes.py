"""The nodes of the expression tree.

Three groups share one tree: first-order logic over a finite set of objects, the temporal
connective of the Embodied Agent Interface (:class:`Then`; paper, sections 2.2 and C.3), and the
operators of linear temporal logic on finite traces with past (De Giacomo & Vardi 2013;
De Giacomo, Di Stasio, Fuggitti & Rubin 2020).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Union

from eai.logic.trees import (
    And,
    Binary,
    Chain,
    Formula,
    Iff,
    Implies,
    Not,
    Or,
    Quantified,
    Unary,
    Xor,
    children,
)

__all__ = [
    "FALSE",
    "FIRST",
    "LAST",
    "TRUE",
    "ActionAtom",
    "Always",
    "And",
    "Atom",
    "Comparison",
    "Count",
    "Equal",
    "Eventually",
    "Exists",
    "First",
    "ForPairs",
    "Forall",
    "Formula",
    "Historically",
    "Iff",
    "Implies",
    "Last",
    "Next",
    "Not",
    "Once",
    "Or",
    "Previous",
    "Release",
    "Since",
    "StrongRelease",
    "Term",
    "Then",
    "Trigger",
    "Truth",
    "Until",
    "Variable",
    "WeakNext",
    "WeakPrevious",
    "WeakUntil",
    "Xor",
    "children",
]


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable and the types of the objects that it ranges over.

    Args:
        name: Name without the question mark.
        types: Type names; an object of any of them (or of a subtype) is in range.
    """

    name: str
    types: tuple[str, ...] = ("object",)

    def __str__(self) -> str:
        return self.name


Term = Union[Variable, str]
Comparison = Literal["exactly", "at least", "at most"]
"""How a counting quantifier compares the number of objects with its own number."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Truth(Formula):
    """A constant: true or false everywhere."""

    value: bool


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Atom(Formula):
    """A state proposition: a predicate applied to terms."""

    predicate: str
    terms: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ActionAtom(Formula):
    """An action proposition: the action taken from a position is this one."""

    action: str
    terms: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Equal(Formula):
    """Both terms denote the same object."""

    left: Term
    right: Term


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Forall(Quantified):
    """Every binding of the variables satisfies the body."""

    variables: tuple[Variable, ...]
    body: Formula


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Exists(Quantified):
    """Some binding of the variables satisfies the body."""

    variables: tuple[Variable, ...]
    body: Formula


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Count(Quantified):
    """The number of objects that satisfy the body is as wanted (C.3: exactly ``number``)."""

    number: int
    variable: Variable
    body: Formula
    comparison: Comparison = "exactly"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ForPairs(Quantified):
    """Objects of two kinds can be paired off, one to one, so that every pair satisfies the body.

    No object is in two pairs, and no object is paired with itself.

    Args:
        first: One side of the pairs.
        second: The other side.
        body: What is true of every pair.
        number: How many pairs there are at least; None: as many as the smaller side has objects.
    """

    first: Variable
    second: Variable
    body: Formula
    number: int | None = None


class Then(Chain):
    """The trajectory can be cut into consecutive parts that satisfy the operands in order."""

    __slots__ = ()


class Next(Unary):
    """There is a next position and the operand is true there (strong next)."""

    __slots__ = ()


class WeakNext(Unary):
    """The operand is true at the next position, if there is one."""

    __slots__ = ()


class Eventually(Unary):
    """The operand is true now or at some later position."""

    __slots__ = ()


class Always(Unary):
    """The operand is true now and at every later position."""

    __slots__ = ()


class Until(Binary):
    """The right side is true now or later, and the left side at every position before that."""

    __slots__ = ()


class Release(Binary):
    """The right side is true up to and including where the left is, or else to the end."""

    __slots__ = ()


class WeakUntil(Binary):
    """Until, or the left side is true to the end."""

    __slots__ = ()


class StrongRelease(Binary):
    """Release, and the left side does become true."""

    __slots__ = ()


class Previous(Unary):
    """There is a previous position and the operand is true there (strong yesterday)."""

    __slots__ = ()


class WeakPrevious(Unary):
    """The operand is true at the previous position, if there is one."""

    __slots__ = ()


class Once(Unary):
    """The operand is true now or at some earlier position."""

    __slots__ = ()


class Historically(Unary):
    """The operand is true now and at every earlier position."""

    __slots__ = ()


class Since(Binary):
    """The right side is true now or earlier, and the left side at every position after that."""

    __slots__ = ()


class Trigger(Binary):
    """The right side is true back to and including where the left is, or else to the start."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Last(Formula):
    """This is the last position."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class First(Formula):
    """This is the first position."""


TRUE = Truth(True)
FALSE = Truth(False)
LAST = Last()
FIRST = First()
