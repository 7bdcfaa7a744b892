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


@pytest.mark.parametrize(
    ("effect", "always"),
    [
        ("(increase (f) 1)", True),
        ("(forall (?y) (increase (f) 1))", True),
        ("(when (lit ?x) (increase (f) 1))", False),
        ("(and (when (lit ?x) (increase (f) 1)) (assign (f) 3))", True),
        ("(and (when (lit ?x) (increase (f) 1)) (not (lit ?x)))", True),
    ],
)
def test_an_unconditional_change_of_a_number_always_acts(effect: str, always: bool) -> None:
    world = World(
        parse_domain(
            "(define (domain d) (:requirements :adl :numeric-fluents) (:predicates (lit ?x))"
            f"(:functions (f)) (:action a :parameters (?x) :effect {effect}))"
        )
    )
    assert world.operator("a").always_acts is always


@pytest.mark.parametrize(
    ("effect", "has_effects", "changes_numbers"),
    [
        ("(and)", False, False),
        ("(lit ?x)", True, False),
        ("(not (lit ?x))", True, False),
        ("(when (lit ?x) (not (lit ?x)))", True, False),
        ("(forall (?y) (lit ?y))", True, False),
        ("(increase (f) 1)", True, True),
        ("(when (lit ?x) (assign (f) 3))", True, True),
        ("(and (lit ?x) (forall (?y) (when (lit ?y) (decrease (f) 2))))", True, True),
    ],
)
def test_an_operator_has_effects_on_facts_or_on_numbers(
    effect: str, has_effects: bool, changes_numbers: bool
) -> None:
    world = World(
        parse_domain(
            "(define (domain d) (:requirements :adl :numeric-fluents) (:predicates (lit ?x))"
            f"(:functions (f)) (:action a :parameters (?x) :effect {effect})"
            "(:action other :parameters () :effect (increase (f) 1)))"
        )
    )
    operator = world.operator("a")
    assert operator.has_effects is has_effects
    assert operator.changes_numbers is changes_numbers


def test_a_cost_is_no_effect() -> None:
    world = World(
        parse_domain(
            "(define (domain d) (:requirements :action-costs) (:functions (total-cost) - number)"
            " (:action a :parameters () :effect (increase (total-cost) 3)))"
        )
    )
    assert not world.operator("a").has_effects
