"""Walks over formulas: what occurs in them, and copies with something replaced.

No walk recurses, so depth is no limit. A part in which nothing is replaced is kept, not copied.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from eai.logic.nodes import (
    TRUE,
    ActionAtom,
    Always,
    And,
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
    Or,
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

__all__ = [
    "FUTURE",
    "LINEAR",
    "PAST",
    "Traits",
    "atoms",
    "bottom_up",
    "bound_variables",
    "conjuncts",
    "free_variables",
    "generalize",
    "has_linear",
    "has_then",
    "is_lasting",
    "is_temporal",
    "map_atoms",
    "objects_of",
    "quantifier_depth",
    "substitute",
    "traits_of",
    "walk",
    "with_children",
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

_FICKLE = (Not, Implies, Iff, Xor, Count, ForPairs)
"""Above a ``then``, these may be lost when a part is made longer."""


def walk(formula: Formula) -> Iterator[Formula]:
    """Yield the formula and all its subformulas in reading order."""
    pending = [formula]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(reversed(children(current)))


def bottom_up(formula: Formula) -> list[Formula]:
    """Return the distinct nodes of a formula, every node after its subformulas.

    Nodes are told apart by identity: a subformula that is shared is listed once.
    """
    found: list[Formula] = []
    seen: set[int] = set()
    pending = [(formula, False)]
    while pending:
        node, ready = pending.pop()
        if ready:
            found.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            pending.append((node, True))
            pending += [(child, False) for child in reversed(children(node))]
    return found


def atoms(formula: Formula) -> Iterator[Atom | ActionAtom]:
    """Yield every state and action proposition in the formula, in reading order."""
    for node in walk(formula):
        if isinstance(node, (Atom, ActionAtom)):
            yield node


def is_temporal(formula: Formula) -> bool:
    """Whether the formula says anything about time: ``then``, or an operator of LTL."""
    return has_then(formula) or has_linear(formula)


def has_then(formula: Formula) -> bool:
    """Whether a ``then`` occurs in the formula."""
    return traits_of(formula).then


def has_linear(formula: Formula) -> bool:
    """Whether an operator of linear temporal logic occurs in the formula."""
    return traits_of(formula).linear


def is_lasting(formula: Formula) -> bool:
    """Whether the formula, once it holds on a part, holds on every part around it.

    That is so without operators of linear temporal logic, and without negation, equivalence,
    counting or pairing above a ``then``.
    """
    return traits_of(formula).lasting


def quantifier_depth(formula: Formula) -> int:
    """Return the largest number of quantifiers inside each other."""
    return traits_of(formula).quantifiers


def conjuncts(formula: Formula) -> tuple[Formula, ...]:
    """Return the operands of a conjunction, flattened; any other formula is its own conjunct."""
    found: list[Formula] = []
    pending = [formula]
    while pending:
        node = pending.pop()
        if isinstance(node, And):
            pending.extend(reversed(node.operands))
        elif node != TRUE:
            found.append(node)
    return tuple(found)


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


def objects_of(formula: Formula) -> frozenset[str]:
    """Return the names of the objects that the formula mentions."""
    return frozenset(
        term for node in walk(formula) for term in _terms(node) if isinstance(term, str)
    )


def substitute(formula: Formula, binding: Mapping[str, Term]) -> Formula:
    """Replace free variables by terms.

    Args:
        formula: Any formula.
        binding: Variable name to the object name (or variable) that takes its place. A term
            that is put in must not be a variable that the formula binds.
    """
    if not binding:
        return formula

    def bind(term: Term, bound: Mapping[str, int]) -> Term:
        if isinstance(term, Variable) and not bound[term.name]:
            return binding.get(term.name, term)
        return term

    return _mapped(
        formula, lambda leaf, bound: _with_terms(leaf, tuple(bind(t, bound) for t in _terms(leaf)))
    )


def generalize(formula: Formula, names: Mapping[str, Variable]) -> Formula:
    """Replace object names by variables: the inverse of :func:`substitute`.

    Args:
        formula: Any formula.
        names: Object name to the variable that takes its place.
    """

    def lift(term: Term) -> Term:
        return names.get(term, term) if isinstance(term, str) else term

    return _mapped(formula, lambda leaf, _: _with_terms(leaf, tuple(map(lift, _terms(leaf)))))


def map_atoms(formula: Formula, change: Mapping[str, str]) -> Formula:
    """Rename predicates and actions.

    Args:
        formula: Any formula.
        change: Old name to new name; names that are not in it stay.
    """

    def rename(leaf: Formula, _bound: Mapping[str, int]) -> Formula:
        if isinstance(leaf, Atom) and leaf.predicate in change:
            return Atom(change[leaf.predicate], leaf.terms)
        if isinstance(leaf, ActionAtom) and leaf.action in change:
            return ActionAtom(change[leaf.action], leaf.terms)
        return leaf

    return _mapped(formula, rename)


def with_children(formula: Formula, parts: tuple[Formula, ...]) -> Formula:
    """Return the same node over other subformulas, as many as it has.

    Args:
        formula: The node.
        parts: What takes the place of :func:`~eai.logic.nodes.children` of the node.
    """
    if all(map(_is, parts, children(formula))):
        return formula
    if isinstance(formula, (And, Or, Then)):
        return type(formula)(parts)
    if isinstance(formula, (Forall, Exists)):
        return type(formula)(formula.variables, parts[0])
    if isinstance(formula, Count):
        return Count(formula.number, formula.variable, parts[0], formula.comparison)
    if isinstance(formula, ForPairs):
        return ForPairs(formula.first, formula.second, parts[0], formula.number)
    # What is left has one operand, or a left and a right side.
    return type(formula)(*parts)


def _is(left: object, right: object) -> bool:
    return left is right


def _terms(formula: Formula) -> tuple[Term, ...]:
    if isinstance(formula, (Atom, ActionAtom)):
        return formula.terms
    return (formula.left, formula.right) if isinstance(formula, Equal) else ()


def _with_terms(formula: Formula, terms: tuple[Term, ...]) -> Formula:
    if terms == _terms(formula):
        return formula
    if isinstance(formula, Atom):
        return Atom(formula.predicate, terms)
    if isinstance(formula, ActionAtom):
        return ActionAtom(formula.action, terms)
    return Equal(*terms)


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
        free = frozenset(term for term in _terms(node) if isinstance(term, Variable))
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


def _mapped(formula: Formula, change: Callable[[Formula, Mapping[str, int]], Formula]) -> Formula:
    """Copy a formula with every node that has no subformulas changed."""
    bound: Counter[str] = Counter()
    done: list[Formula] = []
    pending = [(formula, False)]
    while pending:
        node, ready = pending.pop()
        parts = children(node)
        if not parts:
            done.append(change(node, bound))
            continue
        names = [variable.name for variable in bound_variables(node)]
        if ready:
            bound.subtract(names)
            made = tuple(done[-len(parts) :])
            done[-len(parts) :] = [with_children(node, made)]
        else:
            bound.update(names)
            pending.append((node, True))
            pending += [(part, False) for part in reversed(parts)]
    return done[0]
