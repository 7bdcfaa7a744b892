"""The nodes of the expression tree.

Three groups share one tree: first-order logic over a finite set of objects, the temporal
connective of the Embodied Agent Interface (:class:`Then`; paper, sections 2.2 and C.3), and the
operators of linear temporal logic on finite traces with past (De Giacomo & Vardi 2013;
De Giacomo, Di Stasio, Fuggitti & Rubin 2020).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Union

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


class Formula:
    """Base class of all formulas: immutable, hashable, compared by structure.

    Comparing and hashing do not recurse, so a formula may be nested as deeply as memory allows.
    """

    # What is found out about a node is kept with it: its hash, what walks look for, its program.
    __slots__ = ("_hash", "_program", "_traits")
    _hash: int
    _program: object
    _traits: object

    def __and__(self, other: Formula) -> Formula:
        return And((self, other))

    def __or__(self, other: Formula) -> Formula:
        return Or((self, other))

    def __xor__(self, other: Formula) -> Formula:
        return Xor(self, other)

    def __invert__(self) -> Formula:
        return Not(self)

    def __rshift__(self, other: Formula) -> Formula:
        return Implies(self, other)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Formula):
            return NotImplemented
        pending = [(self, other)]
        while pending:
            left, right = pending.pop()
            if left is right:
                continue
            if type(left) is not type(right) or _own(left) != _own(right):
                return False
            ours, theirs = children(left), children(right)
            if len(ours) != len(theirs):
                return False
            pending += zip(ours, theirs, strict=True)
        return True

    def __hash__(self) -> int:
        known: int | None = getattr(self, "_hash", None)
        return _hashed(self) if known is None else known


@dataclass(frozen=True, slots=True, eq=False)
class Truth(Formula):
    """A constant: true or false everywhere."""

    value: bool


@dataclass(frozen=True, slots=True, eq=False)
class Atom(Formula):
    """A state proposition: a predicate applied to terms."""

    predicate: str
    terms: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class ActionAtom(Formula):
    """An action proposition: the action taken from a position is this one."""

    action: str
    terms: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Equal(Formula):
    """Both terms denote the same object."""

    left: Term
    right: Term


@dataclass(frozen=True, slots=True, eq=False)
class Not(Formula):
    """Negation."""

    operand: Formula


@dataclass(frozen=True, slots=True, eq=False)
class And(Formula):
    """Conjunction; true when empty."""

    operands: tuple[Formula, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Or(Formula):
    """Disjunction; false when empty."""

    operands: tuple[Formula, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Implies(Formula):
    """Material implication."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Iff(Formula):
    """Both sides have the same truth value."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Xor(Formula):
    """The sides have different truth values."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Forall(Formula):
    """Every binding of the variables satisfies the body."""

    variables: tuple[Variable, ...]
    body: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Exists(Formula):
    """Some binding of the variables satisfies the body."""

    variables: tuple[Variable, ...]
    body: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Count(Formula):
    """The number of objects that satisfy the body is as wanted (C.3: exactly ``number``)."""

    number: int
    variable: Variable
    body: Formula
    comparison: Comparison = "exactly"


@dataclass(frozen=True, slots=True, eq=False)
class ForPairs(Formula):
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


@dataclass(frozen=True, slots=True, eq=False)
class Then(Formula):
    """The trajectory can be cut into consecutive parts that satisfy the operands in order."""

    operands: tuple[Formula, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Next(Formula):
    """There is a next position and the operand is true there (strong next)."""

    operand: Formula


@dataclass(frozen=True, slots=True, eq=False)
class WeakNext(Formula):
    """The operand is true at the next position, if there is one."""

    operand: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Eventually(Formula):
    """The operand is true now or at some later position."""

    operand: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Always(Formula):
    """The operand is true now and at every later position."""

    operand: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Until(Formula):
    """The right side is true now or later, and the left side at every position before that."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Release(Formula):
    """The right side is true up to and including where the left is, or else to the end."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True, eq=False)
class WeakUntil(Formula):
    """Until, or the left side is true to the end."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True, eq=False)
class StrongRelease(Formula):
    """Release, and the left side does become true."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Previous(Formula):
    """There is a previous position and the operand is true there (strong yesterday)."""

    operand: Formula


@dataclass(frozen=True, slots=True, eq=False)
class WeakPrevious(Formula):
    """The operand is true at the previous position, if there is one."""

    operand: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Once(Formula):
    """The operand is true now or at some earlier position."""

    operand: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Historically(Formula):
    """The operand is true now and at every earlier position."""

    operand: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Since(Formula):
    """The right side is true now or earlier, and the left side at every position after that."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Trigger(Formula):
    """The right side is true back to and including where the left is, or else to the start."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Last(Formula):
    """This is the last position."""


@dataclass(frozen=True, slots=True, eq=False)
class First(Formula):
    """This is the first position."""


TRUE = Truth(True)
FALSE = Truth(False)
LAST = Last()
FIRST = First()


def children(formula: Formula) -> tuple[Formula, ...]:
    """Return the direct subformulas, in reading order."""
    if isinstance(formula, (And, Or, Then)):
        return formula.operands
    if isinstance(formula, _UNARY):
        return (formula.operand,)
    if isinstance(formula, _BINARY):
        return (formula.left, formula.right)
    if isinstance(formula, (Forall, Exists, Count, ForPairs)):
        return (formula.body,)
    return ()


_UNARY = (
    Not,
    Next,
    WeakNext,
    Eventually,
    Always,
    Previous,
    WeakPrevious,
    Once,
    Historically,
)
_BINARY = (Implies, Iff, Xor, Until, Release, WeakUntil, StrongRelease, Since, Trigger)


def _own(formula: Formula) -> object:
    """What a node holds besides its subformulas."""
    if isinstance(formula, Atom):
        return formula.predicate, formula.terms
    if isinstance(formula, ActionAtom):
        return formula.action, formula.terms
    if isinstance(formula, Equal):
        return formula.left, formula.right
    if isinstance(formula, Truth):
        return formula.value
    if isinstance(formula, (Forall, Exists)):
        return formula.variables
    if isinstance(formula, Count):
        return formula.number, formula.variable, formula.comparison
    if isinstance(formula, ForPairs):
        return formula.first, formula.second, formula.number
    return None


def _hashed(formula: Formula) -> int:
    """Compute the hash of a formula, innermost subformulas first, and keep each with its node."""
    pending = [formula]
    while pending:
        node = pending[-1]
        parts = children(node)
        unknown = [part for part in parts if getattr(part, "_hash", None) is None]
        if unknown:
            pending += unknown
            continue
        pending.pop()
        object.__setattr__(node, "_hash", hash((type(node).__name__, _own(node), parts)))
    return hash(formula)
