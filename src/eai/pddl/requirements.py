"""Which requirement keys a domain needs, and which of them it does not declare.

Source of what each key permits: Fox & Long 2003, section A.1; Edelkamp & Hoffmann 2004 for
derived predicates; action costs as of the International Planning Competition of 2008.
"""

from __future__ import annotations

from collections.abc import Iterator

from eai.logic.formula import Atom, Equal, Exists, Forall, Formula, Implies, Not, Or
from eai.pddl.issues import Issue
from eai.pddl.model import (
    AndEffect,
    CostEffect,
    Domain,
    Effect,
    ForallEffect,
    WhenEffect,
)

__all__ = ["undeclared_requirements"]

_ADL = {
    *("adl", "strips", "typing", "negative-preconditions", "disjunctive-preconditions"),
    *("equality", "quantified-preconditions", "conditional-effects"),
}
_IMPLIED = {
    "adl": _ADL,
    "ucpop": _ADL,
    "quantified-preconditions": {"existential-preconditions", "universal-preconditions"},
    "fluents": {"action-costs"},
    "numeric-fluents": {"action-costs"},
}
_CONDITIONS: dict[type[Formula], str] = {
    Equal: "equality",
    Exists: "existential-preconditions",
    Forall: "universal-preconditions",
    Implies: "disjunctive-preconditions",
    Or: "disjunctive-preconditions",
}
_EFFECTS: dict[type[Effect], str] = {
    CostEffect: "action-costs",
    ForallEffect: "conditional-effects",
    WhenEffect: "conditional-effects",
}
_NONE = ("strips",)
"""What a domain declares that declares nothing."""


def undeclared_requirements(domain: Domain) -> Iterator[Issue]:
    """Find the requirement keys that are needed and not declared, one warning for each.

    The warning is about the first part of the domain that needs the key.
    """
    declared = _closed(set(domain.requirements or _NONE))
    for key, subject, where in _needs(domain):
        if key not in declared:
            declared |= _closed({key})
            yield Issue(
                "undeclared-requirement",
                f"this needs :{key}, which is not declared",
                where,
                "warning",
                subject=subject,
                advice=f"add :{key} to (:requirements ...)",
            )


def _closed(keys: set[str]) -> set[str]:
    found = set(keys)
    while True:
        more = {implied for key in found for implied in _IMPLIED.get(key, ())} - found
        if not more:
            return found
        found |= more


def _needs(domain: Domain) -> Iterator[tuple[str, object, str]]:
    for name in domain.types:
        yield "typing", ("type", name), "types"
    for axiom in domain.axioms:
        where = f"derived predicate {axiom.head.predicate}"
        yield "derived-predicates", axiom, where
        yield from ((*need, where) for need in _condition(axiom.body))
    for operator in domain.operators.values():
        where = f"action {operator.name}"
        parts = (
            (_condition(operator.precondition), "precondition"),
            (_effect(operator.effect), "effect"),
        )
        for needs, part in parts:
            yield from ((*need, f"{where}, {part}") for need in needs)


def _condition(formula: Formula) -> Iterator[tuple[str, object]]:
    if isinstance(formula, Atom):
        return
    key = _CONDITIONS.get(type(formula))
    if isinstance(formula, Not) and not isinstance(formula.operand, Equal):
        simple = isinstance(formula.operand, Atom)
        key = "negative-preconditions" if simple else "disjunctive-preconditions"
    if key is not None:
        yield key, formula
    for child in formula.operands:
        yield from _condition(child)


def _effect(effect: Effect) -> Iterator[tuple[str, object]]:
    key = _EFFECTS.get(type(effect))
    if key is not None:
        yield key, effect
    if isinstance(effect, WhenEffect):
        yield from _condition(effect.condition)
    if isinstance(effect, AndEffect):
        for part in effect.parts:
            yield from _effect(part)
    elif isinstance(effect, (ForallEffect, WhenEffect)):
        yield from _effect(effect.effect)
