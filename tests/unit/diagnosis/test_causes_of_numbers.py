"""Which steps took what is missing, and which a condition on numbers rests on."""

from __future__ import annotations

import pytest

import eai
from eai.diagnosis import Causes
from eai.suites.pddl import Validator

DOMAIN = """
(define (domain trucks)
  (:requirements :typing :numeric-fluents :derived-predicates)
  (:types truck place)
  (:predicates (at ?t - truck ?p - place) (ready ?t - truck))
  (:functions (fuel ?t - truck) (distance ?a ?b - place))
  (:derived (ready ?t - truck) (>= (fuel ?t) 2))
  (:action drive :parameters (?t - truck ?a ?b - place)
    :precondition (and (at ?t ?a) (ready ?t) (>= (fuel ?t) (distance ?a ?b)))
    :effect (and (not (at ?t ?a)) (at ?t ?b) (decrease (fuel ?t) (distance ?a ?b))))
  (:action refuel :parameters (?t - truck) :effect (increase (fuel ?t) 5))
  (:action leak :parameters (?t - truck) :effect (scale-down (fuel ?t) 2))
  (:action empty :parameters (?t - truck) :effect (assign (fuel ?t) 1)))
"""
PROBLEM = """
(define (problem p) (:domain trucks) (:objects t - truck a b c d - place)
  (:init (at t a) (= (fuel t) 8) (= (distance a b) 4) (= (distance b c) 3) (= (distance c d) 5))
  (:goal (and (at t d) (>= (fuel t) 1))))
"""


def causes(plan: str) -> Causes:
    return eai.causes(Validator(DOMAIN, PROBLEM).task, plan)


@pytest.mark.parametrize(
    ("plan", "because"),
    [
        ("(drive t a b) (drive t b c) (drive t c d)", {("fuel(t) < 5", 1)}),
        ("(drive t a b) (refuel t) (empty t) (drive t b c)", {("fuel(t) < 3", 3)}),
        ("(leak t) (leak t) (drive t a b)", {("fuel(t) < 4", 2)}),
    ],
)
def test_a_failure_names_the_steps_that_took_what_is_missing(
    plan: str, because: set[tuple[str, int]]
) -> None:
    failure = causes(plan).failure
    assert failure is not None
    links = {(link.fact, link.maker) for link in failure.conditions[-1].because}
    assert links == because


def test_a_derived_condition_leads_to_the_numbers_below_it() -> None:
    failure = causes("(drive t a b) (drive t b c) (drive t c d)").failure
    assert failure is not None
    ready, _ = failure.conditions
    assert [(link.fact, link.maker) for link in ready.because] == [
        ("fuel(t) < 2", 1),
        ("fuel(t) < 2", 2),
    ]


def test_only_as_many_additions_are_needed_as_reach_the_bound() -> None:
    plan = "(refuel t) (drive t a b) (refuel t) (refuel t) (drive t b c) (drive t c d)"
    found = causes(plan)
    assert found.idle == (1, 3)
    assert found.goals[1].rests_on == (4,)
    assert found.needed() == tuple(found.plan[i] for i in (1, 3, 4, 5))


def test_a_number_that_is_set_rests_on_nothing_before() -> None:
    found = causes("(refuel t) (empty t)")
    assert found.goals[1].rests_on == (2,)
    assert found.idle == (1,)


def test_what_is_added_stays_between_what_sets_the_number_and_what_needs_it() -> None:
    assert causes("(empty t) (refuel t) (drive t a b)").order.edges == ((1, 2), (2, 3))
    # What takes nothing of what is needed may come before or behind.
    assert causes("(refuel t) (drive t a b)").order.edges == ()


def test_steps_that_bring_a_number_down_together_share_a_line_of_the_story() -> None:
    story = str(causes("(drive t a b) (drive t b c) (drive t c d)")).splitlines()
    [together] = [line for line in story if "fuel(t) < 2" in line]
    assert together.strip() == (
        "fuel(t) < 2 through step 1, drive(t, a, b), step 2, drive(t, b, c)"
    )
    [alone] = [line for line in story if "fuel(t) < 5" in line and "step 1" in line]
    assert alone.strip() == "fuel(t) < 5 since step 1, drive(t, a, b)"
