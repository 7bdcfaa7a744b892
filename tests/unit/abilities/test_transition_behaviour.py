"""Action models are compared by what they do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from eai.abilities.transition_modeling.behaviour import Behaviour, Sampling, compare_behaviour
from eai.abilities.transition_modeling.plans import PlanCheck, check_plans
from eai.pddl.model import Domain, Operator
from eai.pddl.reader import parse_domain, parse_problem
from eai.world.action import Action

HEAD = """(define (domain lamps)
  (:requirements :adl :typing)
  (:types lamp person)
  (:predicates (near ?p - person ?l - lamp) (lit ?l - lamp) (broken ?l - lamp))
  (:action go :parameters (?p - person ?l - lamp) :precondition (not (near ?p ?l))
    :effect (and (near ?p ?l) (forall (?o - lamp) (when (near ?p ?o) (not (near ?p ?o))))))
  %s)"""
LIGHT = """(:action light :parameters (?p - person ?l - lamp)
  :precondition (and (near ?p ?l) (not (lit ?l)) (not (broken ?l))) :effect (lit ?l))"""


def model(light: str = LIGHT) -> Domain:
    return parse_domain(HEAD % light)


GOLD = model()
PROBLEM = parse_problem(
    """(define (problem p) (:domain lamps) (:objects a b c - lamp anna - person)
    (:init (near anna a) (broken c)) (:goal (and (lit a) (lit b))))""",
    domain=GOLD,
)
PLAN = (
    Action("light", ("anna", "a")),
    Action("go", ("anna", "b")),
    Action("light", ("anna", "b")),
)


def behaviour(light: str, *, seed: int = 0) -> Behaviour:
    return compare_behaviour(
        GOLD, model(light).operators, PROBLEM, plans=[PLAN], sampling=Sampling(seed=seed)
    )


def test_a_model_does_what_it_does() -> None:
    same = behaviour(LIGHT)
    assert same.perfect
    assert same.states >= len(PLAN) + 1
    assert same.cases == same.states * 6
    assert same.applicability == same.transitions == (1, 1, 1)
    assert same.similarity == 1


def test_notation_and_names_of_parameters_make_no_difference() -> None:
    assert behaviour(
        """(:action light :parameters (?who - person ?what - lamp)
        :precondition (not (or (not (near ?who ?what)) (lit ?what) (broken ?what)))
        :effect (and (lit ?what) (lit ?what)))"""
    ).perfect


def test_a_dropped_precondition_is_too_permissive() -> None:
    found = behaviour(LIGHT.replace("(not (broken ?l))", ""))
    precision, recall, _ = found.applicability
    assert precision < 1
    assert recall == 1
    assert not found.strict


def test_an_added_precondition_is_too_strict() -> None:
    found = behaviour(LIGHT.replace("(near ?p ?l)", "(near ?p ?l) (broken ?l)"))
    assert found.applicability[0] == 1
    assert found.applicability[1] < 1
    assert not found.permissive


def test_a_wrong_effect_is_another_transition() -> None:
    found = behaviour(LIGHT.replace(":effect (lit ?l)", ":effect (and (lit ?l) (broken ?l))"))
    assert found.applicability == (1, 1, 1)
    assert found.transitions[0] < 1
    assert found.similarity is not None
    assert 0.5 <= found.similarity < 1


def test_a_missing_operator_is_never_applicable() -> None:
    predicted = {"go": GOLD.operators["go"]}
    found = compare_behaviour(GOLD, predicted, PROBLEM, plans=[PLAN])
    assert found.strict
    assert found.permissive == 0
    other = {**predicted, "light": Operator("light")}
    assert compare_behaviour(GOLD, other, PROBLEM, plans=[PLAN]) == found


def test_the_sample_depends_on_the_seed_only() -> None:
    assert behaviour(LIGHT, seed=1) == behaviour(LIGHT, seed=1)
    few = Sampling(walks=0, bindings=2)
    found = compare_behaviour(GOLD, GOLD.operators, PROBLEM, sampling=few)
    assert (found.states, found.cases) == (0, 0)
    along = compare_behaviour(GOLD, GOLD.operators, PROBLEM, plans=[PLAN], sampling=few)
    assert along.cases == along.states * 4


def test_samples_add_up() -> None:
    one = Behaviour(states=1, cases=4, applicable=2, permissive=1, strict=0, equal=1, alike=1.5)
    assert one + one == Behaviour(2, 8, 4, 2, 0, 2, 3.0)
    assert one.transitions == pytest.approx((1 / 3, 1 / 2, 2 / 5))
    assert Behaviour().transitions == (1, 1, 1)
    assert Behaviour().similarity is None


def test_plans_are_checked_both_ways() -> None:
    careless = model(LIGHT.replace("(near ?p ?l)", ""))
    short = (Action("light", ("anna", "a")), Action("light", ("anna", "b")))
    found = check_plans(GOLD, careless, PROBLEM, own=[short], annotated=[PLAN])
    assert found == PlanCheck(own=1, sound=0, annotated=1, complete=1)
    assert not found.perfect
    assert check_plans(GOLD, GOLD, PROBLEM, own=[PLAN], annotated=[PLAN]).perfect
    never = replace(GOLD, operators={"go": GOLD.operators["go"]})
    unable = check_plans(GOLD, never, PROBLEM, annotated=[PLAN])
    assert unable + found == PlanCheck(own=1, sound=0, annotated=2, complete=1)
    assert not unable.perfect
