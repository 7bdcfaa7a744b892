"""Preferences and constraints of PDDL 3 in sequential plans."""

from __future__ import annotations

import pytest

from eai.errors import ParseError
from eai.logic import conjuncts
from eai.pddl import format_problem, parse_domain, parse_problem
from eai.planning import Outcome, plan, validate
from eai.suites.pddl.validation import Diagnosis, Validator, diagnose
from eai.world import Action

DOMAIN = """
(define (domain d) (:requirements :adl :preferences :constraints) (:types thing)
  (:predicates (p) (q) (r ?x - thing))
  (:action a :parameters () :precondition (and {soft}) :effect (p))
  (:action b :parameters () :effect (and (q) (not (p))))
  (:action c :parameters (?x - thing) :effect (r ?x))
  {constraints})
"""
PROBLEM = """
(define (problem s) (:domain d) (:objects x y - thing) (:init) (:goal (and {goal}))
  {constraints} {metric})
"""


def run(
    steps: str,
    *,
    goal: str = "",
    constraints: str = "",
    soft: str = "",
    metric: str = "",
    of_domain: str = "",
) -> Diagnosis:
    """Validate a plan: each letter is a step, ``x`` and ``y`` are the action c of these objects."""
    actions = [Action("c", (letter,)) if letter in "xy" else Action(letter) for letter in steps]
    domain = DOMAIN.format(soft=soft, constraints=of_domain)
    problem = PROBLEM.format(goal=goal, constraints=constraints, metric=metric)
    return diagnose(domain, problem, actions)


CONSTRAINTS = [
    ("(always (not (q)))", "a", True),
    ("(always (not (q)))", "ab", False),
    ("(sometime (p))", "ab", True),
    ("(sometime (p))", "b", False),
    ("(at end (p))", "ba", True),
    ("(at end (p))", "ab", False),
    ("(at-most-once (p))", "aab", True),
    ("(at-most-once (p))", "aba", False),
    ("(sometime-after (p) (q))", "ab", True),
    ("(sometime-after (p) (q))", "ba", True),
    ("(sometime-after (p) (r x))", "a", False),
    ("(sometime-before (q) (p))", "ab", True),
    ("(sometime-before (q) (p))", "b", False),
    ("(within 1 (p))", "ab", True),
    ("(within 1 (p))", "ba", False),
    ("(always-within 1 (p) (q))", "ab", True),
    ("(always-within 1 (p) (q))", "axb", False),
    ("(hold-during 1 3 (p))", "axb", True),
    ("(hold-during 1 3 (p))", "abx", False),
    ("(forall (?x - thing) (sometime (r ?x)))", "xy", True),
    ("(forall (?x - thing) (sometime (r ?x)))", "x", False),
]


@pytest.mark.parametrize(("constraint", "steps", "kept"), CONSTRAINTS)
def test_constraint_on_the_way(constraint: str, steps: str, kept: bool) -> None:
    section = f"(:constraints {constraint})"
    assert run(steps, constraints=section).valid is kept
    assert run(steps, of_domain=section).valid is kept


def test_preference_under_forall_counts_once_for_each_object() -> None:
    goal = "(forall (?x - thing) (preference done (r ?x)))"
    metric = "(:metric minimize (+ (* 5 (is-violated done)) (total-time)))"
    assert run("", goal=goal, metric=metric).cost == 10
    assert run("x", goal=goal, metric=metric).cost == 6
    found = run("xy", goal=goal, metric=metric)
    assert (found.cost, dict(found.violated)) == (2, {})


def test_preference_with_a_quantifier_inside_counts_once() -> None:
    goal = "(preference done (forall (?x - thing) (r ?x)))"
    found = run("x", goal=goal, metric="(:metric minimize (is-violated done))")
    assert (found.cost, dict(found.violated)) == (1, {"done": 1})


def test_preferences_of_one_name_add_up() -> None:
    goal = "(preference k (p)) (preference k (q))"
    assert run("", goal=goal, metric="(:metric minimize (is-violated k))").cost == 2


def test_preference_of_a_precondition_counts_once_for_each_step() -> None:
    found = run(
        "aab", soft="(preference ready (p))", metric="(:metric minimize (is-violated ready))"
    )
    assert found.cost == 1
    assert run("aba", soft="(preference ready (q))").violated == {"ready": 1}


def test_preference_on_the_way_counts_beside_a_hard_constraint() -> None:
    section = "(:constraints (and (sometime (p)) (preference k (always (not (q))))))"
    metric = "(:metric minimize (is-violated k))"
    assert run("ab", constraints=section, metric=metric).cost == 1
    assert run("a", constraints=section, metric=metric).cost == 0
    assert not run("b", constraints=section, metric=metric).valid


def test_goal_beside_preferences_is_hard() -> None:
    assert not run("b", goal="(p) (preference k (q))").valid
    assert run("a", goal="(p) (preference k (q))").valid


def test_violations_of_a_preference_that_there_is_not_are_refused() -> None:
    with pytest.raises(ParseError) as caught:
        run("", metric="(:metric minimize (is-violated k))")
    assert caught.value.mend


def test_validate_counts_preferences_and_tests_constraints() -> None:
    domain = parse_domain(DOMAIN.format(soft="", constraints="(:constraints (sometime (q)))"))
    text = PROBLEM.format(
        goal="(preference k (p))", constraints="", metric="(:metric minimize (is-violated k))"
    )
    problem = parse_problem(text, domain=domain)
    found = validate(domain, problem, [Action("b", ())])
    assert (found.valid, found.cost) == (True, 1)
    assert not validate(domain, problem, [Action("a", ())]).valid


def test_tasks_with_preferences_are_not_planned_here() -> None:
    domain = parse_domain(DOMAIN.format(soft="", constraints=""))
    text = PROBLEM.format(goal="(preference k (p))", constraints="", metric="")
    problem = parse_problem(text, domain=domain)
    assert plan(domain, problem).outcome is Outcome.REJECTED
    with pytest.raises(Exception, match="PDDL 3"):
        format_problem(problem)


def test_the_constraint_that_a_plan_breaks_is_named() -> None:
    domain = parse_domain(DOMAIN.format(soft="", constraints="(:constraints (sometime (q)))"))
    text = PROBLEM.format(goal="(p)", constraints="(:constraints (always (not (q))))", metric="")
    problem = parse_problem(text, domain=domain)
    diagnosis = Validator(domain, problem).diagnose("(a)")
    assert (diagnosis.valid, diagnosis.kind) == (False, "path_goal")
    [reason] = diagnosis.reasons
    [broken] = conjuncts(domain.constraints)
    assert str(broken) in reason
    assert str(broken) in validate(domain, problem, [Action("a", ())]).reason
