"""Variations of a domain: some of its derived predicates, redefined."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from eai.logic.formula import Variable
from eai.pddl import parse_condition
from eai.pddl.model import Axiom, Domain

__all__ = ["redefined"]


def redefined(domain: Domain, bodies: Mapping[str, str]) -> Domain:
    """Return a domain in which derived predicates have other bodies.

    Args:
        domain: The domain.
        bodies: Name of a derived predicate to its new body in PDDL, over the variables of its
            head.

    Raises:
        ParseError: If a body is not a condition.
    """
    axioms = tuple(
        _redefine(axiom, bodies[axiom.head.predicate], domain)
        if axiom.head.predicate in bodies
        else axiom
        for axiom in domain.axioms
    )
    return replace(domain, axioms=axioms)


def _redefine(axiom: Axiom, body: str, domain: Domain) -> Axiom:
    head = tuple(term for term in axiom.head.terms if isinstance(term, Variable))
    source = f"variation of {axiom.head.predicate}"
    return Axiom(axiom.head, parse_condition(body, source=source, domain=domain, variables=head))
