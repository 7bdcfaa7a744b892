"""Derived predicates that rest on each other, as deep as a domain has them."""

from __future__ import annotations

import pytest

from eai.logic import Atom, Not
from eai.pddl import parse_domain
from eai.world import World


@pytest.mark.parametrize(
    "shape", ["(d{0})", "(and (p) (d{0}))", "(and (d{0}) (p))", "(or (q) (d{0}))"]
)
@pytest.mark.parametrize("depth", [1, 5, 19, 20, 21, 40, 150])
def test_a_chain_of_rules_is_as_true_as_its_end(shape: str, depth: int) -> None:
    rules = [f"(:derived (d{n + 1}) {shape.format(n)})" for n in range(depth)]
    predicates = " ".join(f"(d{n})" for n in range(1, depth + 1))
    domain = parse_domain(
        "(define (domain chain) (:requirements :adl :derived-predicates)"
        f" (:predicates (p) (q) (d0) {predicates}) {' '.join(rules)})"
    )
    world = World(domain)
    top = Atom(f"d{depth}")
    for facts, holds in ((("p", "d0"), True), (("p",), False), (("d0",), "(p)" not in shape)):
        state = world.state({}, [Atom(name) for name in facts])
        assert world.holds(state, top) is holds
        assert world.holds(state, Not(top)) is not holds
