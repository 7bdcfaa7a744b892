"""What is asked of formulas again and again, and therefore kept with every node."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple

from eai.errors import InputError
from eai.logic.nodes import (
    ActionAtom,
    Always,
    Atom,
    Count,
    Equal,
    Eventually,
    Exists,
    First,
    Forall,
    Formula,
    ForPairs,
    Historically,
    Iff,
    Implies,
    Last,
    Next,
    Not,
    Once,
    Previous,
    Release,
    Since,
    StrongRelease,
    Term,
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
from eai.logic.trees import bottom_up

__all__ = [
    "FUTURE",
    "LINEAR",
    "PAST",
    "Reading",
    "Traits",
    "bound_variables",
    "check_closed",
    "free_variables",
    "has_linear",
    "has_then",
    "is_lasting",
    "is_temporal",
    "quantifier_depth",
    "reading_of",
    "terms_of",
    "traits_of",
]

FUTURE = (
    Next,
    WeakNext,
    Eventually,
    Always,
    Until,
    Release,
    WeakUntil,
    StrongRelease,
    Last,
)
"""The operators of LTL that look ahead."""

PAST = (Previous, WeakPrevious, Once, Historically, Since, Trigger, First)
"""The operators of LTL that look back."""

LINEAR = (*FUTURE, *PAST)
"""All operators of linear temporal logic; :class:`~eai.logic.nodes.Then` is not one of them."""

Reading = Literal["eai", "ltlf"]
"""As a goal of the Embodied Agent Interface, which has to be met at some position, or as linear
temporal logic on finite traces, at the first position."""

_FICKLE = (Not, Implies, Iff, Xor, Count, ForPairs)
"""Above a ``then``, these may be lost when a part is made longer."""


def is_temporal(formula: Formula) -> bool:
    """Whether the formula says anything about time: ``then``, or an operator of LTL."""
    return has_then(formula) or has_linear(formula)


def has_then(formula: Formula) -> bool:
    """Whether a ``then`` occurs in the formula."""
    return traits_of(formula).then


def has_linear(formula: Formula) -> bool:
    """Whether an operator of linear temporal logic occurs in the formula."""
    return traits_of(formula).linear


def reading_of(formula: Formula, reading: Reading | None = None) -> Reading:
    """Return how a formula is read.

    Args:
        formula: The formula.
        reading: The reading that is wanted. None takes it from the notation: ``"ltlf"`` if there
            are operators of linear temporal logic and no ``then``.

    Raises:
        InputError: If there is no such reading.
    """
    if reading is None:
        traits = traits_of(formula)
        return "ltlf" if traits.linear and not traits.then else "eai"
    if reading not in ("eai", "ltlf"):
        raise InputError(f"there is no reading {reading!r}", expected="'eai' or 'ltlf'")
    return reading


def check_closed(formula: Formula, bound: Collection[str] = ()) -> None:
    """Refuse a formula with free variables.

    Args:
        formula: The formula.
        bound: Names of variables that may be free, as something is bound to them.

    Raises:
        InputError: If another variable is free.
    """
    unbound = {variable.name for variable in free_variables(formula)}.difference(bound)
    if unbound:
        raise InputError(
            f"variable {min(unbound)!r} is not bound", mend="put a quantifier around the formula"
        )


def is_lasting(formula: Formula) -> bool:
    """Whether the formula, once it holds on a part, holds on every part around it.

    That is so without operators of linear temporal logic, and without negation, equivalence,
    counting or pairing above a ``then``.
    """
    return traits_of(formula).lasting


def quantifier_depth(formula: Formula) -> int:
    """Return the largest number of quantifiers inside each other."""
    return traits_of(formula).quantifiers


def bound_variables(formula: Formula) -> tuple[Variable, ...]:
    """Return the variables that a quantifier binds; none for any other node."""
    if isinstance(formula, (Forall, Exists)):
        return formula.variables
    if isinstance(formula, ForPairs):
        return (formula.first, formula.second)
    return (formula.variable,) if isinstance(formula, Count) else ()


def free_variables(formula: Formula) -> frozenset[Variable]:
    """Return the variables that no quantifier of the formula binds."""
    return traits_of(formula).free


def terms_of(formula: Formula) -> tuple[Term, ...]:
    """Return the terms of a proposition or an equality; none for any other node."""
    if isinstance(formula, (Atom, ActionAtom)):
        return formula.terms
    return (formula.left, formula.right) if isinstance(formula, Equal) else ()


class Traits(NamedTuple):
    """What is asked of formulas again and again, and therefore kept with every node.

    Args:
        free: The variables that no quantifier binds.
        then: Whether a ``then`` occurs.
        linear: Whether an operator of linear temporal logic occurs.
        quantifiers: The largest number of quantifiers inside each other.
        lasting: Whether making a part longer, at either side, cannot lose it.
    """

    free: frozenset[Variable]
    then: bool
    linear: bool
    quantifiers: int
    lasting: bool


def traits_of(formula: Formula) -> Traits:
    """Return what is kept with a formula about what occurs in it."""
    known: object = getattr(formula, "_traits", None)
    if isinstance(known, Traits):
        return known
    found: dict[int, Traits] = {}
    for node in bottom_up(formula):
        known = getattr(node, "_traits", None)
        if not isinstance(known, Traits):
            known = _joined(node, [found[id(part)] for part in children(node)])
            object.__setattr__(node, "_traits", known)
        found[id(node)] = known
    return found[id(formula)]


def _joined(node: Formula, parts: Sequence[Traits]) -> Traits:
    if not parts:
        free = frozenset(term for term in terms_of(node) if isinstance(term, Variable))
        then, linear = isinstance(node, Then), isinstance(node, LINEAR)
        # A chain without links holds on empty parts only.
        return Traits(free, then, linear, 0, lasting=not then and not linear)
    free = parts[0].free if len(parts) == 1 else frozenset().union(*(p.free for p in parts))
    bound = {variable.name for variable in bound_variables(node)}
    quantifiers = max(part.quantifiers for part in parts)
    if bound:
        quantifiers += 1
        free = frozenset(variable for variable in free if variable.name not in bound)
    then = isinstance(node, Then) or any(part.then for part in parts)
    linear = isinstance(node, LINEAR) or any(part.linear for part in parts)
    fickle = linear or (then and isinstance(node, _FICKLE))
    lasting = not fickle and all(part.lasting for part in parts)
    return Traits(free, then, linear, quantifiers, lasting)
