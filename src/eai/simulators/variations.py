"""A symbolic world and its variations, which redefine derived predicates of the domain.

The domain, which ships with the package, is the sensible reading. A *variation* makes the world
behave like a published simulator where that does something else.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache
from typing import ClassVar

from eai.data import read_json, read_text
from eai.diagnosis import DomainRules, Rules
from eai.errors import UnknownNameError
from eai.pddl import Axiom, Domain, parse_condition, parse_domain, with_phrases
from eai.simulators.base import Symbolic
from eai.world import Computed, World


@cache
def shipped_domain(name: str) -> Domain:
    """Return a domain of the folder ``domains`` with its phrases, cached."""
    file = f"domains/{name}/domain.pddl"
    phrases = f"domains/{name}/phrases.json"
    domain = parse_domain(read_text(file), source=file)
    return with_phrases(domain, read_text(phrases), source=phrases)


@cache
def name_predicates(domain: str, name: str) -> tuple[str, ...]:
    """Return the predicates that an object or class has because of its name.

    They stand in ``classes.json`` beside the domain: ``{"openable": ["*fridge*", "*door*"]}``.
    """
    predicates = []
    for predicate, patterns in read_json(f"domains/{domain}/classes.json").items():
        if any(fnmatchcase(name, pattern) for pattern in patterns):
            predicates.append(predicate)
    return tuple(predicates)


class VariedSimulator(Symbolic):
    """A symbolic world with variations. Subclasses define the domain and variations.

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
        world = _varied_world(type(self), chosen)  # type: ignore[arg-type] # classes can be hashed
        super().__init__(world, rules or DomainRules())

    @staticmethod
    @abstractmethod
    def domain() -> Domain:
        """The domain (read once)."""

    @staticmethod
    def computed(domain: Domain, variations: frozenset[str]) -> Mapping[str, Computed]:  # noqa: ARG004
        """Return predicates that PDDL cannot define, or only slowly, as functions of a state."""
        return {}


@cache
def _varied_world(kind: type[VariedSimulator], chosen: frozenset[str]) -> World:
    """Return the cached world of a simulator class with the chosen variations.

    Args:
        kind: The class.
        chosen: Names of the variations.
    """
    domain = kind.domain()
    # Sorted, so that of two variations of one predicate the same one counts in every run.
    bodies: dict[str, str] = {}
    for name in sorted(chosen):
        bodies.update(kind.variations[name])
    return World(redefined(domain, bodies), computed=kind.computed(domain, chosen))


def redefined(domain: Domain, bodies: Mapping[str, str]) -> Domain:
    """Return a domain in which some derived predicates have other bodies.

    Args:
        domain: The domain.
        bodies: Derived predicate to its new body in PDDL.
    """
    axioms: list[Axiom] = []
    for axiom in domain.axioms:
        body = bodies.get(axiom.head.predicate)
        if body is None:
            axioms.append(axiom)
            continue
        source = f"variation of {axiom.head.predicate}"
        condition = parse_condition(body, source=source, domain=domain, variables=axiom.parameters)
        axioms.append(Axiom(axiom.head, condition))
    return replace(domain, axioms=tuple(axioms))
