"""Operators as sets of clauses, and what a predicted and an annotated one share (paper, D.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple, Union

from eai.abilities.transition_modeling.texts import PARTS, Overlap
from eai.logic import Atom, Equal, Formula, Quantifier, Variable
from eai.pddl import Clause as EffectClause, Operator, clauses


class _Literal(NamedTuple):
    """An atom (``=`` for equality) or its negation; its terms are text."""

    positive: bool
    predicate: str
    terms: tuple[str, ...]


class _Joint(NamedTuple):
    """Clauses under a connective, or one under a quantifier over objects of some types."""

    connective: str
    types: tuple[str, ...]
    parts: frozenset[_Clause]


_Clause = Union[_Literal, _Joint]
"""The normal form of a condition."""


class _Change(NamedTuple):
    """What becomes true or false, if what, and for all objects of which types."""

    types: tuple[tuple[str, ...], ...]
    condition: _Clause
    literal: _Literal


_Names = Mapping[str, str]
"""Variables to what they are called in the normal form; others keep their names."""


def _condition(formula: Formula, names: _Names, *, positive: bool = True) -> _Clause:
    """The normal form of a condition, or of its negation.

    Raises:
        ValueError: PDDL has no such formula.
    """
    signed = formula.split(positive)
    if signed is not None:
        inner = (_condition(part, names, positive=wanted) for part, wanted in signed.parts)
        return _joined("and" if signed.every else "or", inner)
    if isinstance(formula, Quantifier):
        connective = "exists" if formula.wants is positive else "forall"
        inside = "or" if connective == "exists" else "and"
        bound = dict(names)
        for variable in formula.variables:
            bound = _bound(bound, variable)
        whole = _condition(formula.body, bound, positive=positive)
        for variable in reversed(formula.variables):
            parts = (
                _Joint(connective, variable.types, frozenset((part,)))
                for part in _parts(whole, inside)
            )
            whole = _joined(inside, parts)
        return whole
    if isinstance(formula, Equal):
        return _Literal(positive, "=", tuple(sorted(_terms(formula, names))))
    if isinstance(formula, Atom):
        return _Literal(positive, formula.predicate, _terms(formula, names))
    raise ValueError(f"{type(formula).__name__} is not a condition of PDDL")


def _terms(atom: Formula, names: _Names) -> tuple[str, ...]:
    return tuple(
        names.get(t.name, f"?{t.name}") if isinstance(t, Variable) else t for t in atom.terms
    )


def _joined(connective: str, clauses: Iterable[_Clause]) -> _Clause:
    flat = frozenset(part for clause in clauses for part in _parts(clause, connective))
    return next(iter(flat)) if len(flat) == 1 else _Joint(connective, (), flat)


def _bound(names: _Names, variable: Variable) -> dict[str, str]:
    depth = 1 + max((int(name[1:]) for name in names.values() if name[0] == "#"), default=-1)
    return {**names, variable.name: f"#{depth}"}


def _parts(clause: _Clause, connective: str) -> frozenset[_Clause]:
    """The clauses that a connective joins; the clause itself if it is of another kind."""
    if isinstance(clause, _Joint) and clause.connective == connective:
        return clause.parts
    return frozenset((clause,))


@lru_cache(maxsize=1 << 8)
def _literals(operator: Operator) -> tuple[EffectClause, ...]:
    """The literals of its effect; costs are none."""
    return tuple(clauses(operator.effect, [variable.name for variable in operator.parameters]))


MAX_PARAMETERS = 5
"""Up to so many parameters all assignments are tried; beyond, those by name and by place."""


_Set = frozenset[Union[_Clause, _Change]]
_Clauses = tuple[_Clause, _Set]
"""Those of a precondition, and of an effect."""
_NONE: _Set = frozenset()


@lru_cache(maxsize=1 << 8)
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
    precondition, effect = _clauses(operator, _placed(operator))
    before, after = (
        _overlap(operator.name, part, *((own, _NONE) if predicted else (_NONE, own)))
        for part, own in zip(PARTS, (frozenset(_parts(precondition, "and")), effect), strict=True)
    )
    return before, after


def _clauses(operator: Operator, names: _Names) -> _Clauses:
    changes: list[_Change] = []
    for literal in _literals(operator):
        inner = dict(names)
        for variable in literal.variables:
            inner = _bound(inner, variable)
        changed = _Literal(literal.added, literal.atom.predicate, _terms(literal.atom, inner))
        types = tuple(variable.types for variable in literal.variables)
        changes.append(_Change(types, _condition(literal.condition, inner), changed))
    return _condition(operator.precondition, names), frozenset(changes)


def _placed(operator: Operator) -> dict[str, str]:
    return {variable.name: f"@{i}" for i, variable in enumerate(operator.parameters)}


def _assignments(predicted: Operator, gold: Operator) -> Iterator[dict[str, str]]:
    """Names of the prediction's parameters to places of the annotation's, likely ones first."""
    own, locations = [v.name for v in predicted.parameters], _placed(gold)
    free = [f"@{len(locations) + i}" for i in range(len(own))]
    spare = iter(free)
    yield {name: locations[name] if name in locations else next(spare) for name in own}
    targets = [*locations.values(), *free[: max(0, len(own) - len(locations))]]
    if len(targets) > MAX_PARAMETERS:
        yield dict(zip(own, targets, strict=False))
        return
    for chosen in permutations(targets, len(own)):
        yield dict(zip(own, chosen, strict=True))


def _paired(predicted: _Clauses, gold: _Clauses) -> tuple[tuple[_Set, _Set], tuple[_Set, _Set]]:
    one, other = (_parts(precondition, "or") for precondition, _ in (predicted, gold))
    if len(one) == 1 or len(other) == 1:
        one, other = (_parts(precondition, "and") for precondition, _ in (predicted, gold))
    return (frozenset(one), frozenset(other)), (predicted[1], gold[1])


def _count(clauses: Iterable[_Clause | _Change]) -> Counter[str]:
    """The predicates of clauses, as often as they occur; of a change, what it changes."""
    found = Counter[str]()
    for clause in clauses:
        if isinstance(clause, _Joint):
            found += _count(clause.parts)
        else:
            found[(clause.literal if isinstance(clause, _Change) else clause).predicate] += 1
    return found


def _overlap(operator: str, part: str, predicted: _Set, gold: _Set) -> Overlap:
    sets = (predicted & gold, predicted - gold, gold - predicted)
    shared, extra, missing = (dict(sorted(_count(clauses).items())) for clauses in sets)
    return Overlap(operator, part, shared, extra, missing)
