"""Which operators change something whatever the state is, unless it is so already."""

import pytest

from eai.pddl import parse_domain
from eai.world import World


@pytest.mark.parametrize(
    ("effect", "always"),
    [
        ("(lit ?x)", True),
        ("(not (lit ?x))", True),
        ("(forall (?y) (lit ?y))", True),
        ("(forall (?y) (and (when (lit ?y) (not (lit ?y))) (lit ?x)))", True),
        ("(and (when (lit ?x) (not (lit ?x))) (lit ?x))", True),
        ("(when (lit ?x) (not (lit ?x)))", False),
        ("(forall (?y) (when (lit ?x) (not (lit ?y))))", False),
        ("(and)", False),
    ],
)
def test_an_operator_always_acts_if_an_effect_has_no_condition(effect: str, always: bool) -> None:
    world = World(
        parse_domain(
            "(define (domain d) (:requirements :adl) (:predicates (lit ?x))"
            f"(:action a :parameters (?x) :effect {effect}))"
        )
    )
    assert world.operator("a").always_acts is always
