"""What a goal can depend on, one kind of dependency at a time, and the shortest plans for it."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, get_args

import pytest

from eai.logic import Atom, Count, Formula, Not, Variable
from eai.pddl import parse_domain, parse_problem
from eai.planning import Outcome, ground, plan

DOMAIN = """
(define (domain small)
  (:requirements :adl :derived-predicates)
  (:constants x y z)
  (:predicates (goal) (a) (b) (c) (any) (none) (near ?x ?y) (linked ?x ?y))
  (:derived (any) (or (a) (b)))
  (:derived (none) (not (any)))
  (:derived (linked ?x ?y) (or (near ?x ?y) (exists (?z) (and (near ?x ?z) (linked ?z ?y)))))
  (:action one :parameters () {one})
  (:action two :parameters () {two})
  (:action idle :parameters () :effect (c)))
"""
PROBLEM = """
(define (problem p) (:domain small) (:init {initial}) (:goal {goal}))
"""


@pytest.mark.parametrize(
    ("initial", "goal", "one", "two"),
    [
        # The goal needs `one` and then `two`.
        ("", "(goal)", ":effect (a)", ":precondition (a) :effect (goal)"),
        ("(a)", "(goal)", ":effect (not (a))", ":precondition (not (a)) :effect (goal)"),
        ("", "(goal)", ":effect (a)", ":effect (when (a) (goal))"),
        ("(a)", "(goal)", ":effect (not (a))", ":effect (when (not (a)) (goal))"),
        (
            "(a) (b)",
            "(and (goal) (b))",
            ":effect (not (a))",
            ":effect (and (goal) (when (a) (not (b))))",
        ),
        (
            "(b)",
            "(and (goal) (b))",
            ":effect (a)",
            ":effect (and (goal) (when (not (a)) (not (b))))",
        ),
        ("(b)", "(not (b))", ":effect (a)", ":effect (when (a) (not (b)))"),
        ("", "(goal)", ":effect (a)", ":precondition (any) :effect (goal)"),
        ("(a)", "(goal)", ":effect (not (a))", ":precondition (not (any)) :effect (goal)"),
        ("(a)", "(goal)", ":effect (not (a))", ":precondition (none) :effect (goal)"),
        ("", "(goal)", ":effect (a)", ":precondition (not (none)) :effect (goal)"),
        ("(near x y)", "(goal)", ":effect (near y z)", ":precondition (linked x z) :effect (goal)"),
        (
            "(near x y) (near y z)",
            "(goal)",
            ":effect (not (near y z))",
            ":precondition (not (linked x z)) :effect (goal)",
        ),
        (
            "",
            "(goal)",
            ":effect (near x y)",
            ":precondition (exists (?u) (near x ?u)) :effect (goal)",
        ),
        (
            "(near x x) (near x y)",
            "(goal)",
            ":effect (near x z)",
            ":precondition (forall (?u) (near x ?u)) :effect (goal)",
        ),
        (
            "(near x x)",
            "(goal)",
            ":effect (not (near x x))",
            ":precondition (forall (?u) (imply (near x ?u) (a))) :effect (goal)",
        ),
        (
            "",
            "(near x z)",
            ":effect (near x y)",
            ":effect (forall (?u) (when (near x ?u) (near x z)))",
        ),
    ],
)
@pytest.mark.parametrize("engine", ["eai", "eai-optimal"])
def test_both_actions_are_kept_and_taken_in_order(
    initial: str, goal: str, one: str, two: str, engine: str
) -> None:
    domain = parse_domain(DOMAIN.format(one=one, two=two))
    problem = parse_problem(PROBLEM.format(initial=initial, goal=goal), domain=domain)
    found = plan(domain, problem, engine=engine)
    assert found.plan is not None
    assert [step.name for step in found.plan] == ["one", "two"]
    assert found.optimal is (engine == "eai-optimal")
    kept = {action.action.name for action in ground(domain, problem).actions}
    assert kept == {"one", "two"}


MARKS = parse_domain("""
(define (domain marks) (:predicates (marked ?x))
  (:action mark :parameters (?x) :precondition (not (marked ?x)) :effect (marked ?x))
  (:action rub :parameters (?x) :precondition (marked ?x) :effect (not (marked ?x))))
""")


Comparison = Literal["exactly", "at least", "at most"]


@pytest.mark.parametrize("comparison", get_args(Comparison))
@pytest.mark.parametrize("number", range(4))
def test_a_number_of_objects_is_reached_by_the_fewest_changes(
    comparison: Comparison, number: int
) -> None:
    names = ("x", "y")
    counted = Count(number, Variable("o"), Atom("marked", (Variable("o"),)), comparison)
    fits = {"exactly": number.__eq__, "at least": number.__le__, "at most": number.__ge__}
    for marked in range(len(names) + 1):
        facts = " ".join(f"(marked {name})" for name in names[:marked])
        text = f"(define (problem p) (:domain marks) (:objects x y) (:init {facts}) (:goal (and)))"
        problem = parse_problem(text, domain=MARKS)
        goals: list[tuple[Formula, bool]] = [(counted, True), (Not(counted), False)]
        for goal, wanted in goals:
            changes = [
                abs(after - marked)
                for after in range(len(names) + 1)
                if fits[comparison](after) is wanted
            ]
            found = plan(MARKS, replace(problem, goal=goal), engine="eai-optimal")
            if changes:
                assert found.plan is not None
                assert len(found.plan) == min(changes)
            else:
                assert found.outcome is Outcome.UNSOLVABLE
