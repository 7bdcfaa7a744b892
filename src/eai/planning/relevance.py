"""Which operators a goal can depend on, by predicate: a cheap look before anything is grounded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from eai.errors import UnknownNameError
from eai.logic.formula import Formula
from eai.pddl.check import polarities
from eai.pddl.model import Domain, Operator, clauses

__all__ = ["Relevance", "relevance", "relevant_operators"]

_Sign = tuple[str, bool]
"""A predicate, and whether it is wanted true or false."""

_Schema = tuple[set[_Sign], list[tuple[_Sign, set[_Sign]]]]
"""What an operator asks for, and what it changes under conditions that ask for something."""


@dataclass(frozen=True, slots=True)
class Relevance:
    """What a goal can depend on.

    Args:
        operators: Names of the operators that may help, in order. All others can be left out of
            every plan.
        predicates: Names of the predicates on which applicability, effects that matter and the
            goal depend. States that differ in others only are as good as each other.
    """

    operators: tuple[str, ...]
    predicates: frozenset[str]


def relevance(
    domain: Domain, goals: Iterable[Formula], *, operators: Iterable[str] | None = None
) -> Relevance:
    """Find what goals can depend on.

    An operator helps if it changes a predicate in a direction that a goal, or a condition of
    another operator that helps, asks for.

    Args:
        domain: The domain.
        goals: Conditions.
        operators: Names of the operators that may be used; all of them if None.

    Raises:
        UnknownNameError: If there is no such operator.
    """
    needed = {sign for goal in goals for sign in _asked(goal)}
    rules = [(axiom.head.predicate, set(_asked(axiom.body))) for axiom in domain.axioms]
    schemas = _schemas(domain, domain.operators if operators is None else operators)
    before = -1
    while before != len(needed):
        before = len(needed)
        for head, asked in rules:
            for value in (True, False):
                if (head, value) in needed:
                    needed |= {(name, sign is value) for name, sign in asked}
        for precondition, changes in schemas.values():
            if any(change in needed for change, _ in changes):
                needed |= precondition
                needed |= _conditions(changes, needed)
    return Relevance(
        tuple(n for n, (_, made) in schemas.items() if any(c in needed for c, _ in made)),
        frozenset(name for name, _ in needed),
    )


def relevant_operators(domain: Domain, goals: Iterable[Formula]) -> list[str]:
    """Return the names of the operators that may help to make some goal true, in order.

    Args:
        domain: The domain.
        goals: Conditions.
    """
    return list(relevance(domain, goals).operators)


def _schemas(domain: Domain, names: Iterable[str]) -> dict[str, _Schema]:
    found = {}
    for name in names:
        if name not in domain.operators:
            raise UnknownNameError("operator", name, domain.operators)
        found[name] = _schema(domain.operators[name])
    return found


@lru_cache(maxsize=4096)
def _schema(operator: Operator) -> _Schema:
    changes = [
        ((clause.atom.predicate, clause.added), set(_asked(clause.condition)))
        for clause in clauses(operator.effect)
    ]
    return set(_asked(operator.precondition)), changes


def _conditions(changes: list[tuple[_Sign, set[_Sign]]], needed: set[_Sign]) -> set[_Sign]:
    """What conditions of effects ask for: to happen, or not to happen if they do harm."""
    found: set[_Sign] = set()
    for (name, value), asked in changes:
        if (name, value) in needed:
            found |= asked
        if (name, not value) in needed:
            found |= {(other, not sign) for other, sign in asked}
    return found


def _asked(formula: Formula) -> Iterator[_Sign]:
    return ((atom.predicate, positive) for atom, positive in polarities(formula))
