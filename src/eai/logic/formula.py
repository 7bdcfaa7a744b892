"""The expression tree: one tree for preconditions, goals, subgoals and temporal formulas.

A formula is an immutable, hashable tree. Python operators build larger ones: ``f & g``,
``f | g``, ``~f`` and ``f >> g`` (implication). Variables carry their types, and a term is
either a :class:`Variable` or the name of an object.

The temporal connective of the Embodied Agent Interface is :class:`Then` (paper, sections 2.2
and C.3). Everything else is first-order logic over a finite set of objects.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Union

__all__ = [
    "FALSE",
    "TRUE",
    "ActionAtom",
    "And",
    "Atom",
    "Count",
    "Equal",
    "Exists",
    "Forall",
    "Formula",
    "Implies",
    "Not",
    "Or",
    "Term",
    "Then",
    "Truth",
    "Variable",
    "atoms",
    "children",
    "conjuncts",
    "free_variables",
    "generalize",
    "is_temporal",
    "map_atoms",
    "objects_of",
    "substitute",
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


@dataclass(frozen=True, slots=True)
class Formula:
    """Base class of all formulas."""

    def __and__(self, other: Formula) -> Formula:
        return And((self, other))

    def __or__(self, other: Formula) -> Formula:
        return Or((self, other))

    def __invert__(self) -> Formula:
        return Not(self)

    def __rshift__(self, other: Formula) -> Formula:
        return Implies(self, other)


@dataclass(frozen=True, slots=True)
class Truth(Formula):
    """A constant: true or false everywhere."""

    value: bool


TRUE = Truth(True)
FALSE = Truth(False)


@dataclass(frozen=True, slots=True)
class Atom(Formula):
    """A state proposition: a predicate applied to terms."""

    predicate: str
    terms: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class ActionAtom(Formula):
    """An action proposition: the action taken from a position is this one."""

    action: str
    terms: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Equal(Formula):
    """Both terms denote the same object."""

    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Not(Formula):
    """Negation."""

    operand: Formula


@dataclass(frozen=True, slots=True)
class And(Formula):
    """Conjunction; true when empty."""

    operands: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Or(Formula):
    """Disjunction; false when empty."""

    operands: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Implies(Formula):
    """Material implication."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Forall(Formula):
    """Every binding of the variables satisfies the body."""

    variables: tuple[Variable, ...]
    body: Formula


@dataclass(frozen=True, slots=True)
class Exists(Formula):
    """Some binding of the variables satisfies the body."""

    variables: tuple[Variable, ...]
    body: Formula


@dataclass(frozen=True, slots=True)
class Count(Formula):
    """Exactly ``number`` objects satisfy the body (the paper's counting quantifier, C.3)."""

    number: int
    variable: Variable
    body: Formula


@dataclass(frozen=True, slots=True)
class Then(Formula):
    """The trajectory can be cut into consecutive parts that satisfy the operands in order."""

    operands: tuple[Formula, ...]


def children(formula: Formula) -> tuple[Formula, ...]:
    """Return the direct subformulas, in reading order."""
    if isinstance(formula, (And, Or, Then)):
        return formula.operands
    if isinstance(formula, Not):
        return (formula.operand,)
    if isinstance(formula, Implies):
        return (formula.left, formula.right)
    if isinstance(formula, (Forall, Exists, Count)):
        return (formula.body,)
    return ()


def _walk(formula: Formula) -> Iterator[Formula]:
    pending = [formula]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(reversed(children(current)))


def atoms(formula: Formula) -> Iterator[Atom | ActionAtom]:
    """Yield every state and action proposition in the formula, in reading order."""
    for node in _walk(formula):
        if isinstance(node, (Atom, ActionAtom)):
            yield node


def is_temporal(formula: Formula) -> bool:
    """Whether a temporal connective occurs in the formula."""
    return any(isinstance(node, Then) for node in _walk(formula))


def conjuncts(formula: Formula) -> tuple[Formula, ...]:
    """Return the operands of a conjunction, flattened; any other formula is its own conjunct."""
    if isinstance(formula, And):
        return tuple(part for operand in formula.operands for part in conjuncts(operand))
    return () if formula == TRUE else (formula,)


def free_variables(formula: Formula) -> frozenset[Variable]:
    """Return the variables that no quantifier of the formula binds."""
    if isinstance(formula, (Atom, ActionAtom)):
        return frozenset(term for term in formula.terms if isinstance(term, Variable))
    if isinstance(formula, Equal):
        return frozenset(t for t in (formula.left, formula.right) if isinstance(t, Variable))
    free = frozenset[Variable]().union(*(free_variables(child) for child in children(formula)))
    if isinstance(formula, (Forall, Exists)):
        bound = {variable.name for variable in formula.variables}
    elif isinstance(formula, Count):
        bound = {formula.variable.name}
    else:
        return free
    return frozenset(variable for variable in free if variable.name not in bound)


def substitute(formula: Formula, binding: Mapping[str, Term]) -> Formula:
    """Replace free variables by terms.

    Args:
        formula: Any formula.
        binding: Variable name to the object name (or variable) that takes its place. A term
            that is put in must not be a variable that the formula binds.
    """
    if not binding:
        return formula
    if isinstance(formula, Atom):
        return Atom(formula.predicate, _bind(formula.terms, binding))
    if isinstance(formula, ActionAtom):
        return ActionAtom(formula.action, _bind(formula.terms, binding))
    if isinstance(formula, Equal):
        left, right = _bind((formula.left, formula.right), binding)
        return Equal(left, right)
    if isinstance(formula, (Forall, Exists)):
        inner = _without(binding, (variable.name for variable in formula.variables))
        return type(formula)(formula.variables, substitute(formula.body, inner))
    if isinstance(formula, Count):
        inner = _without(binding, (formula.variable.name,))
        return Count(formula.number, formula.variable, substitute(formula.body, inner))
    return _rebuild(formula, tuple(substitute(child, binding) for child in children(formula)))


def generalize(formula: Formula, names: Mapping[str, Variable]) -> Formula:
    """Replace object names by variables: the inverse of :func:`substitute`.

    Args:
        formula: Any formula.
        names: Object name to the variable that takes its place.
    """
    if isinstance(formula, (Atom, ActionAtom)):
        name = formula.predicate if isinstance(formula, Atom) else formula.action
        return type(formula)(name, tuple(_lift(term, names) for term in formula.terms))
    if isinstance(formula, Equal):
        return Equal(_lift(formula.left, names), _lift(formula.right, names))
    if isinstance(formula, (Forall, Exists)):
        return type(formula)(formula.variables, generalize(formula.body, names))
    if isinstance(formula, Count):
        return Count(formula.number, formula.variable, generalize(formula.body, names))
    return _rebuild(formula, tuple(generalize(child, names) for child in children(formula)))


def objects_of(formula: Formula) -> frozenset[str]:
    """Return the names of the objects that the formula mentions."""
    found: set[str] = set()
    for node in _walk(formula):
        if isinstance(node, (Atom, ActionAtom)):
            found.update(term for term in node.terms if isinstance(term, str))
        elif isinstance(node, Equal):
            found.update(term for term in (node.left, node.right) if isinstance(term, str))
    return frozenset(found)


def map_atoms(formula: Formula, change: Mapping[str, str]) -> Formula:
    """Rename predicates and actions.

    Args:
        formula: Any formula.
        change: Old name to new name; names that are not in it stay.
    """
    if isinstance(formula, Atom):
        return Atom(change.get(formula.predicate, formula.predicate), formula.terms)
    if isinstance(formula, ActionAtom):
        return ActionAtom(change.get(formula.action, formula.action), formula.terms)
    if isinstance(formula, (Forall, Exists)):
        return type(formula)(formula.variables, map_atoms(formula.body, change))
    if isinstance(formula, Count):
        return Count(formula.number, formula.variable, map_atoms(formula.body, change))
    return _rebuild(formula, tuple(map_atoms(child, change) for child in children(formula)))


def _bind(terms: tuple[Term, ...], binding: Mapping[str, Term]) -> tuple[Term, ...]:
    return tuple(
        binding.get(term.name, term) if isinstance(term, Variable) else term for term in terms
    )


def _lift(term: Term, names: Mapping[str, Variable]) -> Term:
    return names.get(term, term) if isinstance(term, str) else term


def _without(binding: Mapping[str, Term], names: Iterable[str]) -> dict[str, Term]:
    hidden = set(names)
    return {name: term for name, term in binding.items() if name not in hidden}


def _rebuild(formula: Formula, parts: tuple[Formula, ...]) -> Formula:
    if isinstance(formula, (And, Or, Then)):
        return type(formula)(parts)
    if isinstance(formula, Not):
        return Not(parts[0])
    if isinstance(formula, Implies):
        return Implies(parts[0], parts[1])
    return formula
