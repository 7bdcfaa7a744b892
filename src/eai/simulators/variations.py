"""A symbolic world and its variations, which redefine derived predicates of the domain.

The domain is the sensible reading. A *variation* makes the world behave like a published simulator
where that does something else.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import ClassVar

from eai.diagnosis.runtime import DomainRules, Rules
from eai.errors import UnknownNameError
from eai.logic.formula import Variable
from eai.pddl import parse_condition
from eai.pddl.model import Axiom, Domain
from eai.simulators.base import Symbolic
from eai.world.compiler import Computed
from eai.world.transition import World

__all__ = ["VariedSimulator", "redefined"]


class VariedSimulator(Symbolic):
    """Runs plans in a symbolic world that can be varied; subclasses bring domain and variations.

    Args:
        rules: How steps are evaluated; by default the rules that follow from the domain.

    Raises:
        UnknownNameError: If there is no such variation.
    """

    variations: ClassVar[Mapping[str, Mapping[str, str]]]
    """Name of a variation to the derived predicates that it redefines (in PDDL)."""

    def __init__(self, variations: Iterable[str] = (), *, rules: Rules | None = None) -> None:
        chosen = frozenset(variations)
        for name in sorted(chosen.difference(self.variations)):
            raise UnknownNameError("variation", name, self.variations)
        world = _world(type(self), chosen)  # type: ignore[arg-type] # classes can be hashed
        super().__init__(world, rules or DomainRules())

    @staticmethod
    @abstractmethod
    def domain() -> Domain:
        """The domain (read once)."""

    @staticmethod
    def computed(domain: Domain, variations: frozenset[str]) -> Mapping[str, Computed]:  # noqa: ARG004
        """What PDDL cannot say, or says slowly, as functions of a state."""
        return {}


@cache
def _world(kind: type[VariedSimulator], chosen: frozenset[str]) -> World:
    domain = kind.domain()
    bodies = {
        predicate: body
        for name in sorted(chosen)
        for predicate, body in kind.variations[name].items()
    }
    return World(redefined(domain, bodies), computed=kind.computed(domain, chosen))


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
