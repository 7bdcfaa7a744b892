"""Operators as sets of clauses, and what a predicted and an annotated one share (paper, D.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import permutations
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
    Operator,
    WhenEffect,
)

__all__ = [
    "MAX_PARAMETERS",
    "PARTS",
    "Change",
    "Clause",
    "Joint",
    "Literal",
    "OperatorText",
    "Overlap",
    "changes",
    "condition",
    "match_operators",
    "parts",
    "predicates",
    "unmatched",
]

PARTS = ("precondition", "effect")
"""The parts of an operator that are compared."""


class OperatorText(NamedTuple):
    """The parts of an operator as text.

    Args:
        name: Its name, in the letter case that it is written in.
        parameters: The list of parameters in brackets.
        precondition: The precondition in brackets.
        effect: The effect in brackets.
    """

    name: str
    parameters: str
    precondition: str
    effect: str

    def __str__(self) -> str:
        return (
            f"(:action {self.name}\n    :parameters {self.parameters}\n"
            f"    :precondition {self.precondition}\n    :effect {self.effect}\n)"
        )


class Overlap(NamedTuple):
    """What one part of a predicted and of an annotated operator have in common.

    Args:
        operator: Name of the operator.
        part: ``"precondition"`` or ``"effect"``.
        shared: Predicates of what is in both, with how often they count.
        extra: Those of what is in the prediction only.
        missing: Those of what is in the annotation only.
    """

    operator: str
    part: str
    shared: Mapping[str, int]
    extra: Mapping[str, int]
    missing: Mapping[str, int]


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


MAX_PARAMETERS = 5
"""Up to so many parameters all assignments are tried; beyond, those by name and by place."""


class _Clauses(NamedTuple):
    precondition: Clause
    effect: frozenset[Change]


_Set = frozenset[Union[Clause, Change]]
_NONE: _Set = frozenset()


@lru_cache(maxsize=1 << 12)
def match_operators(predicted: Operator, gold: Operator) -> tuple[Overlap, Overlap]:
    """Match the clauses of two operators; returns precondition, then effect.

    Args:
        predicted: The operator that a model wrote.
        gold: The annotated operator.
    """
    annotated = _clauses(gold, _placed(gold))
    best, most = _paired(_clauses(predicted, {}), annotated), -1
    for names in _assignments(predicted, gold):
        pairs = _paired(_clauses(predicted, names), annotated)
        count = sum(_count(one & other).total() for one, other in pairs)
        if count > most:
            best, most = pairs, count
        if most == sum((_count(one) & _count(other)).total() for one, other in pairs):
            break  # every assignment has these predicates, so none can have more in common
    before, after = (
        _overlap(gold.name, part, *pair) for part, pair in zip(PARTS, best, strict=True)
    )
    return before, after


def unmatched(operator: Operator, *, predicted: bool) -> tuple[Overlap, Overlap]:
    """Return the clauses of an operator that has no counterpart.

    Args:
        operator: The operator.
        predicted: Whether it is a prediction: its clauses are extra, else missing.
    """
    clauses = _clauses(operator, _placed(operator))
    before, after = (
        _overlap(operator.name, part, *((own, _NONE) if predicted else (_NONE, own)))
        for part, own in zip(PARTS, (_top(clauses.precondition), clauses.effect), strict=True)
    )
    return before, after


def _clauses(operator: Operator, names: Mapping[str, str]) -> _Clauses:
    return _Clauses(condition(operator.precondition, names), changes(operator.effect, names))


def _placed(operator: Operator) -> dict[str, str]:
    return {variable.name: f"@{i}" for i, variable in enumerate(operator.parameters)}


def _assignments(predicted: Operator, gold: Operator) -> Iterator[dict[str, str]]:
    """Names of the prediction's parameters to places of the annotation's, likely ones first."""
    own, places = [v.name for v in predicted.parameters], _placed(gold)
    free = [f"@{len(places) + i}" for i in range(len(own))]
    spare = iter(free)
    yield {name: places[name] if name in places else next(spare) for name in own}
    targets = [*places.values(), *free[: max(0, len(own) - len(places))]]
    if len(targets) > MAX_PARAMETERS:
        yield dict(zip(own, targets, strict=False))
        return
    for chosen in permutations(targets, len(own)):
        yield dict(zip(own, chosen, strict=True))


def _top(clause: Clause) -> frozenset[Clause]:
    return parts(clause, "and")


def _paired(predicted: _Clauses, gold: _Clauses) -> tuple[tuple[_Set, _Set], tuple[_Set, _Set]]:
    effects: tuple[_Set, _Set] = (frozenset(predicted.effect), frozenset(gold.effect))
    one, other = (parts(clause, "or") for clause in (predicted.precondition, gold.precondition))
    if len(one) == 1 or len(other) == 1:
        one, other = _top(predicted.precondition), _top(gold.precondition)
    return (frozenset(one), frozenset(other)), effects


def _count(clauses: Iterable[Clause | Change]) -> Counter[str]:
    return sum(map(predicates, clauses), Counter[str]())


def _overlap(operator: str, part: str, predicted: _Set, gold: _Set) -> Overlap:
    return Overlap(
        operator,
        part,
        _sorted(predicted & gold),
        _sorted(predicted - gold),
        _sorted(gold - predicted),
    )


def _sorted(clauses: _Set) -> dict[str, int]:
    return dict(sorted(_count(clauses).items()))
