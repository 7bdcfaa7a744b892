"""Operators as sets of clauses, and the clauses that two of them share (paper, D.4).

Idea: both operators are brought to a normal form in which order and names of variables do not
matter: nested sets of clauses, with quantified variables numbered by depth. Parameters of the
prediction are then assigned to those of the annotation such that as many clauses as possible agree.

Cost: all assignments are tried up to :data:`MAX_PARAMETERS` parameters, which is factorial; beyond,
those by name and by position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple, Union

from eai.abilities.transition_modeling.texts import PARTS, Overlap
from eai.logic import Atom, Equal, Formula, NumericCondition, Quantifier, Variable
from eai.pddl import (
    TOTAL_COST,
    Clause as EffectClause,
    NumericClause,
    Operator,
    clauses,
    numeric_clauses,
)


class _TextLiteral(NamedTuple):
    """An atom (``=`` for equality) or its negation; its terms are text."""

    positive: bool
    predicate: str
    terms: tuple[str, ...]


class _Joint(NamedTuple):
    """Clauses under a connective, or one under a quantifier over objects of some types."""

    connective: str
    types: tuple[str, ...]
    parts: frozenset[_Clause]


_Clause = Union[_TextLiteral, _Joint]
"""The normal form of a condition."""


class _Change(NamedTuple):
    """An effect.

    Args:
        types: Types of the objects for which it happens.
        condition: Its condition.
        literal: The literal that becomes true.
    """

    types: tuple[tuple[str, ...], ...]
    condition: _Clause
    literal: _TextLiteral


_Names = Mapping[str, str]
"""Variable to its name in the normal form; others keep their names."""


def _condition(formula: Formula, names: _Names, *, positive: bool = True) -> _Clause:
    """Return the normal form of a condition, or of its negation.

    Raises:
        ValueError: PDDL has no such formula.
    """
    # A connective is split into parts with the truth value that each must have.
    signed = formula.split(positive)
    if signed is not None:
        parts = (_condition(part, names, positive=wanted) for part, wanted in signed.parts)
        return _join("and" if signed.every else "or", parts)
    if isinstance(formula, Quantifier):
        return _quantified(formula, names, positive)
    if isinstance(formula, Equal):
        return _TextLiteral(positive, "=", tuple(sorted(_terms(formula, names))))
    if isinstance(formula, Atom):
        return _TextLiteral(positive, formula.predicate, _terms(formula, names))
    if isinstance(formula, NumericCondition):
        return _TextLiteral(positive, _without_terms(formula), _terms(formula, names))
    raise ValueError(f"{type(formula).__name__} is not a condition of PDDL")


def _without_terms(comparison: NumericCondition) -> str:
    """Return the text of a comparison with a blank for each object: its functions and numbers."""
    return str(comparison.with_terms("_" * len(comparison.terms)))


def _quantified(formula: Quantifier, names: _Names, positive: bool) -> _Clause:
    """Return the normal form of a quantifier, distributed over its parts.

    "Exists" distributes over "or", and "for all" over "and": "exists x: a(x) or b(x)" becomes
    "exists x: a(x)" or "exists x: b(x)".
    """
    connective = "exists" if formula.wants is positive else "forall"
    distributive_connective = "or" if connective == "exists" else "and"
    names_in_scope = dict(names)
    for variable in formula.variables:
        names_in_scope = _name_by_depth(names_in_scope, variable)
    clause = _condition(formula.body, names_in_scope, positive=positive)
    # From the innermost variable outwards, so that the nesting is that of the formula.
    for variable in reversed(formula.variables):
        quantified = [
            _Joint(connective, variable.types, frozenset((part,)))
            for part in _parts(clause, distributive_connective)
        ]
        clause = _join(distributive_connective, quantified)
    return clause


def _terms(atom: Formula, names: _Names) -> tuple[str, ...]:
    """Return the terms of an atom under their names in the normal form."""
    texts = []
    for term in atom.terms:
        if isinstance(term, Variable):
            texts.append(names.get(term.name, f"?{term.name}"))
        else:
            texts.append(term)
    return tuple(texts)


def _join(connective: str, clauses: Iterable[_Clause]) -> _Clause:
    """Return clauses joined by a connective.

    Nested clauses of the same connective are flattened, and a single clause is returned as it is.
    """
    flat: set[_Clause] = set()
    for clause in clauses:
        flat |= _parts(clause, connective)
    if len(flat) == 1:
        (only_clause,) = flat
        return only_clause
    return _Joint(connective, (), frozenset(flat))


def _name_by_depth(names: _Names, variable: Variable) -> dict[str, str]:
    """Return names with a variable called by its depth: ``#0`` for the outermost one."""
    # Names of parameters begin with "@", so "#2" is the third quantified variable from outside.
    depths = [int(name[1:]) for name in names.values() if name[0] == "#"]
    return {**names, variable.name: f"#{max(depths, default=-1) + 1}"}


def _parts(clause: _Clause, connective: str) -> frozenset[_Clause]:
    """Return the clauses that a connective joins; the clause itself if it is of another kind."""
    if isinstance(clause, _Joint) and clause.connective == connective:
        return clause.parts
    return frozenset((clause,))


@lru_cache(maxsize=1 << 8)
def _literals(operator: Operator) -> tuple[EffectClause, ...]:
    """Return the literals of an operator's effect, without costs."""
    return tuple(clauses(operator.effect, [variable.name for variable in operator.parameters]))


@lru_cache(maxsize=1 << 8)
def _numeric_changes(operator: Operator) -> tuple[NumericClause, ...]:
    """Return the changes of numbers in an operator's effect, without costs."""
    names = [variable.name for variable in operator.parameters]
    changes = numeric_clauses(operator.effect, names)
    return tuple([change for change in changes if change.target != TOTAL_COST])


MAX_PARAMETERS = 5
"""Up to this number of parameters all assignments are tried."""
_Set = frozenset[Union[_Clause, _Change]]
_NONE: _Set = frozenset()


class _NormalForm(NamedTuple):
    """The normal forms of an operator's precondition and effect."""

    precondition: _Clause
    effect: _Set


class _Compared(NamedTuple):
    """The clauses of one part of a prediction and of an annotation."""

    predicted: _Set
    gold: _Set

    @property
    def shared(self) -> int:
        """Number of predicates in clauses that both have."""
        return _count(self.predicted & self.gold).total()

    @property
    def bound(self) -> int:
        """Number of predicates that both have: no assignment of parameters can share more."""
        return (_count(self.predicted) & _count(self.gold)).total()


@lru_cache(maxsize=1 << 8)
def match_operators(predicted: Operator, gold: Operator) -> tuple[Overlap, Overlap]:
    """Match the clauses of two operators; return the overlaps of precondition and effect.

    Args:
        predicted: The operator that a model wrote.
        gold: The annotated operator.
    """
    annotated = _normal_form(gold, _names_by_position(gold))
    # If there is no assignment, only clauses without parameters can be shared.
    best_pairs = _pair_parts(_normal_form(predicted, {}), annotated)
    most_shared = -1
    for names in _assignments(predicted, gold):
        pairs = _pair_parts(_normal_form(predicted, names), annotated)
        number_shared = sum(pair.shared for pair in pairs)
        if number_shared > most_shared:
            best_pairs = pairs
            most_shared = number_shared
        # The bound is the same for every assignment, so no other one can share more.
        if most_shared == sum(pair.bound for pair in pairs):
            break
    precondition, effect = best_pairs
    return (
        _overlap(gold.name, PARTS[0], precondition),
        _overlap(gold.name, PARTS[1], effect),
    )


def unmatched(operator: Operator, *, predicted: bool) -> tuple[Overlap, Overlap]:
    """Return the clauses of an operator that has no counterpart.

    Args:
        operator: The operator.
        predicted: Whether the operator is a prediction, so its clauses are extra. Otherwise they
            are missing.
    """
    normal_form = _normal_form(operator, _names_by_position(operator))
    overlaps = []
    for part_name, own_clauses in zip(
        PARTS, (_parts(normal_form.precondition, "and"), normal_form.effect), strict=True
    ):
        clauses_ = frozenset[Union[_Clause, _Change]](own_clauses)
        pair = _Compared(clauses_, _NONE) if predicted else _Compared(_NONE, clauses_)
        overlaps.append(_overlap(operator.name, part_name, pair))
    precondition, effect = overlaps
    return precondition, effect


def _normal_form(operator: Operator, names: _Names) -> _NormalForm:
    """Return the normal form of an operator under some names of its parameters.

    Two operators mean the same if their normal forms are equal: conditions and effects are sets of
    clauses, in which quantified variables are named by their depth.
    """
    changes: list[_Change] = []
    for clause in _literals(operator):
        scope = _scope_of_effect(clause.variables, names)
        literal = _TextLiteral(clause.added, clause.atom.predicate, _terms(clause.atom, scope))
        changes.append(_change(clause, literal, scope))
    for numeric_clause in _numeric_changes(operator):
        scope = _scope_of_effect(numeric_clause.variables, names)
        # Target and amount are compared like the two sides of an equation.
        sides = NumericCondition("=", numeric_clause.target, numeric_clause.amount)
        text = f"{numeric_clause.update} {_without_terms(sides)}"
        literal = _TextLiteral(True, text, _terms(sides, scope))
        changes.append(_change(numeric_clause, literal, scope))
    return _NormalForm(_condition(operator.precondition, names), frozenset(changes))


def _scope_of_effect(variables: Iterable[Variable], names: _Names) -> _Names:
    """Return names of parameters extended by names for the variables of an effect."""
    scope = dict(names)
    for variable in variables:
        scope = _name_by_depth(scope, variable)
    return scope


def _change(clause: EffectClause | NumericClause, literal: _TextLiteral, scope: _Names) -> _Change:
    """Return the normal form of an effect.

    Args:
        clause: The effect, with its variables and condition.
        literal: The literal that it makes true.
        scope: Names of the parameters and of the effect's variables.
    """
    types = tuple(variable.types for variable in clause.variables)
    return _Change(types, _condition(clause.condition, scope), literal)


def _names_by_position(operator: Operator) -> dict[str, str]:
    """Return the names of parameters by position: ``@0`` for the first one."""
    return {variable.name: f"@{number}" for number, variable in enumerate(operator.parameters)}


def _assignments(predicted: Operator, gold: Operator) -> Iterator[dict[str, str]]:
    """Yield names of the prediction's parameters in the annotation, likely ones first.

    Parameters may have any names and any order. Equal names are tried first, then every
    permutation. If there are too many parameters for that, only their positions are tried.
    """
    own_names = [variable.name for variable in predicted.parameters]
    annotated_names = _names_by_position(gold)
    # Names for parameters that the annotation does not have.
    spare_names = [f"@{len(annotated_names) + index}" for index in range(len(own_names))]
    # Most models keep the names of the prompt.
    unused = iter(spare_names)
    assignment_by_name = {}
    for name in own_names:
        assignment_by_name[name] = (
            annotated_names[name] if name in annotated_names else next(unused)
        )
    yield assignment_by_name
    targets = [
        *annotated_names.values(),
        *spare_names[: max(0, len(own_names) - len(annotated_names))],
    ]
    if len(targets) > MAX_PARAMETERS:
        # By position; a prediction with fewer parameters leaves the last ones out.
        yield dict(zip(own_names, targets, strict=False))
        return
    for chosen in permutations(targets, len(own_names)):
        yield dict(zip(own_names, chosen, strict=True))


def _pair_parts(predicted: _NormalForm, gold: _NormalForm) -> tuple[_Compared, _Compared]:
    """Return the clauses of both preconditions, and of both effects.

    Preconditions are compared as disjunctions if both are, else as conjunctions.
    """
    connective = "or"
    for normal in (predicted, gold):
        if len(_parts(normal.precondition, "or")) == 1:
            connective = "and"
    preconditions = _Compared(
        frozenset(_parts(predicted.precondition, connective)),
        frozenset(_parts(gold.precondition, connective)),
    )
    return preconditions, _Compared(predicted.effect, gold.effect)


def _count(clauses: Iterable[_Clause | _Change]) -> Counter[str]:
    """Count the predicates of clauses, to find out how many of them two sides could share.

    Conjunctions and quantifiers are counted by their parts, a conditional change by its literal.
    """
    counts: Counter[str] = Counter()
    for clause in clauses:
        if isinstance(clause, _Joint):
            counts += _count(clause.parts)
        elif isinstance(clause, _Change):
            counts[clause.literal.predicate] += 1
        else:
            counts[clause.predicate] += 1
    return counts


def _overlap(operator: str, part: str, pair: _Compared) -> Overlap:
    """Return the predicates of clauses that are shared, extra, and missing, sorted by name."""
    shared = _count(pair.predicted & pair.gold)
    extra = _count(pair.predicted - pair.gold)
    missing = _count(pair.gold - pair.predicted)
    return Overlap(operator, part, _sorted(shared), _sorted(extra), _sorted(missing))


def _sorted(counts: Counter[str]) -> dict[str, int]:
    """Return counts sorted by name, so that equal overlaps are printed alike."""
    return dict(sorted(counts.items()))
