"""Operators as sets of clauses, in a form in which notation makes no difference.

A precondition is brought into negation normal form: implications are resolved, negations stand
before atoms, a quantifier stands inside of the connective that it distributes over, nested
conjunctions and disjunctions are flat, and neither their order nor repetition matters. An effect
becomes a set of changes: one literal each, with the variables that it is repeated for and the
condition that it depends on. Bound variables are numbered from the outside in, parameters by
their place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple, Union

from eai.logic.formula import (
    And,
    Atom,
    Equal,
    Exists,
    Forall,
    Formula,
    Implies,
    Not,
    Or,
    Term,
    Truth,
    Variable,
)
from eai.pddl.model import (
    AddEffect,
    AndEffect,
    DeleteEffect,
    Effect,
    ForallEffect,
    WhenEffect,
)

__all__ = ["Change", "Clause", "Joint", "Literal", "changes", "condition", "parts", "predicates"]


class Literal(NamedTuple):
    """An atom or its negation.

    Args:
        positive: Whether it is not negated.
        predicate: Its predicate; ``=`` for equality.
        terms: Objects, parameters and bound variables, as text.
    """

    positive: bool
    predicate: str
    terms: tuple[str, ...]


class Joint(NamedTuple):
    """Clauses under one connective.

    Args:
        connective: ``"and"``, ``"or"``, ``"forall"`` or ``"exists"``.
        types: Types of the variable that a quantifier binds.
        parts: The clauses; one for a quantifier.
    """

    connective: str
    types: tuple[str, ...]
    parts: frozenset[Clause]


Clause = Union[Literal, Joint]
"""A condition."""

_NOTHING = Joint("and", (), frozenset())
_DUAL = {"and": "or", "or": "and", "forall": "exists", "exists": "forall"}
_INSIDE = {"forall": "and", "exists": "or"}


class Change(NamedTuple):
    """One clause of an effect.

    Args:
        types: Types of each variable that the change is repeated for.
        condition: What must hold for it to happen.
        literal: What becomes true, or false.
    """

    types: tuple[tuple[str, ...], ...]
    condition: Clause
    literal: Literal


_Names = Mapping[str, str]


def condition(formula: Formula, names: _Names, *, positive: bool = True) -> Clause:
    """Return the normal form of a condition, or of its negation.

    Args:
        formula: A condition as PDDL has it.
        names: Variables to what they are called in the normal form; others keep their names.
        positive: Whether the condition itself is meant.

    Raises:
        ValueError: PDDL has no such formula.
    """
    if isinstance(formula, Atom):
        return Literal(positive, formula.predicate, _terms(formula.terms, names))
    if isinstance(formula, Equal):
        return Literal(positive, "=", tuple(sorted(_terms((formula.left, formula.right), names))))
    if isinstance(formula, Not):
        return condition(formula.operand, names, positive=not positive)
    if isinstance(formula, Implies):
        formula = Or((Not(formula.left), formula.right))
    if isinstance(formula, (And, Or)):
        connective = "and" if isinstance(formula, And) else "or"
        inner = (condition(part, names, positive=positive) for part in formula.operands)
        return _joined(connective if positive else _DUAL[connective], inner)
    if isinstance(formula, (Forall, Exists)):
        connective = "forall" if isinstance(formula, Forall) else "exists"
        return _quantified(
            connective if positive else _DUAL[connective],
            formula.variables,
            names,
            lambda inner: condition(formula.body, inner, positive=positive),
        )
    if isinstance(formula, Truth):
        return _NOTHING if formula.value == positive else Joint("or", (), frozenset())
    raise ValueError(f"{type(formula).__name__} is no condition of PDDL")


def _terms(terms: Iterable[Term], names: _Names) -> tuple[str, ...]:
    return tuple(
        names.get(term.name, f"?{term.name}") if isinstance(term, Variable) else term
        for term in terms
    )


def _joined(connective: str, clauses: Iterable[Clause]) -> Clause:
    flat = frozenset(part for clause in clauses for part in parts(clause, connective))
    return next(iter(flat)) if len(flat) == 1 else Joint(connective, (), flat)


def _quantified(
    connective: str,
    variables: tuple[Variable, ...],
    names: _Names,
    body: Callable[[_Names], Clause],
) -> Clause:
    if not variables:
        return body(names)
    first, *rest = variables
    inner = _bound(names, first)
    whole = _quantified(connective, tuple(rest), inner, body)
    inside = _INSIDE[connective]
    return _joined(
        inside,
        (Joint(connective, first.types, frozenset((part,))) for part in parts(whole, inside)),
    )


def _bound(names: _Names, variable: Variable) -> dict[str, str]:
    depth = 1 + max((int(name[1:]) for name in names.values() if name[0] == "#"), default=-1)
    return {**names, variable.name: f"#{depth}"}


def parts(clause: Clause, connective: str) -> frozenset[Clause]:
    """Return the clauses that a connective joins; the clause itself if it is of another kind."""
    if isinstance(clause, Joint) and clause.connective == connective:
        return clause.parts
    return frozenset((clause,))


def changes(effect: Effect, names: _Names) -> frozenset[Change]:
    """Return the clauses of an effect; costs are none.

    Args:
        effect: The effect.
        names: Variables to what they are called in the normal form; others keep their names.
    """
    return frozenset(_changes(effect, names, (), _NOTHING))


def _changes(
    effect: Effect, names: _Names, types: tuple[tuple[str, ...], ...], when: Clause
) -> Iterator[Change]:
    if isinstance(effect, (AddEffect, DeleteEffect)):
        positive = isinstance(effect, AddEffect)
        terms = _terms(effect.atom.terms, names)
        yield Change(types, when, Literal(positive, effect.atom.predicate, terms))
    elif isinstance(effect, AndEffect):
        for part in effect.parts:
            yield from _changes(part, names, types, when)
    elif isinstance(effect, WhenEffect):
        both = _joined("and", (when, condition(effect.condition, names)))
        yield from _changes(effect.effect, names, types, both)
    elif isinstance(effect, ForallEffect):
        for variable in effect.variables:
            names = _bound(names, variable)
            types = (*types, variable.types)
        yield from _changes(effect.effect, names, types, when)


def predicates(clause: Clause | Change) -> Counter[str]:
    """Return the predicates of a clause, as often as they occur; of a change, what it changes."""
    if isinstance(clause, Change):
        return Counter((clause.literal.predicate,))
    if isinstance(clause, Literal):
        return Counter((clause.predicate,))
    return sum((predicates(part) for part in clause.parts), Counter[str]())
