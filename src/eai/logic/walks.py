"""Walks over formulas: what occurs in them, and copies with something replaced.

No walk recurses, so depth is no limit. A part in which nothing is replaced is kept, not copied.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from eai.logic.nodes import (
    TRUE,
    ActionAtom,
    And,
    Atom,
    Equal,
    Formula,
    Term,
    Variable,
    children,
)
from eai.logic.traits import bound_variables, free_variables, terms_of
from eai.logic.trees import bottom_up, rebuilt

__all__ = [
    "atoms",
    "bottom_up",
    "conjuncts",
    "generalize",
    "map_atoms",
    "objects_of",
    "substitute",
    "walk",
    "with_children",
]


def walk(formula: Formula) -> Iterator[Formula]:
    """Yield the formula and all its subformulas in reading order."""
    pending = [formula]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(reversed(children(current)))


def atoms(formula: Formula) -> Iterator[Atom | ActionAtom]:
    """Yield every state and action proposition in the formula, in reading order."""
    for node in walk(formula):
        if isinstance(node, (Atom, ActionAtom)):
            yield node


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


def objects_of(formula: Formula) -> frozenset[str]:
    """Return the names of the objects that the formula mentions."""
    return frozenset(
        term for node in walk(formula) for term in terms_of(node) if isinstance(term, str)
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

    def change(leaf: Formula, bound: Mapping[str, int]) -> Formula:
        return _with_terms(leaf, tuple(bind(term, bound) for term in terms_of(leaf)))

    def untouched(part: Formula) -> bool:
        return binding.keys().isdisjoint(variable.name for variable in free_variables(part))

    return _mapped(formula, change, untouched)


def generalize(formula: Formula, names: Mapping[str, Variable]) -> Formula:
    """Replace object names by variables: the inverse of :func:`substitute`.

    Args:
        formula: Any formula.
        names: Object name to the variable that takes its place.
    """

    def lift(term: Term) -> Term:
        return names.get(term, term) if isinstance(term, str) else term

    return _mapped(formula, lambda leaf, _: _with_terms(leaf, tuple(map(lift, terms_of(leaf)))))


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
    return rebuilt(formula, parts)


def _is(left: object, right: object) -> bool:
    return left is right


def _with_terms(formula: Formula, terms: tuple[Term, ...]) -> Formula:
    if terms == terms_of(formula):
        return formula
    if isinstance(formula, Atom):
        return Atom(formula.predicate, terms)
    if isinstance(formula, ActionAtom):
        return ActionAtom(formula.action, terms)
    return Equal(*terms)


def _mapped(
    formula: Formula,
    change: Callable[[Formula, Mapping[str, int]], Formula],
    untouched: Callable[[Formula], bool] = lambda _: False,
) -> Formula:
    """Copy a formula with every node that has no subformulas changed; some parts stay."""
    bound: Counter[str] = Counter()
    done: list[Formula] = []
    pending = [(formula, False)]
    while pending:
        node, ready = pending.pop()
        parts = children(node)
        if not parts or (not ready and untouched(node)):
            done.append(node if parts else change(node, bound))
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
