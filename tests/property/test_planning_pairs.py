"""What pairs of literals exclude has no plan."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from strategies_planning import planning_tasks, random_task

from eai.pddl import Domain, Problem, parse_domain, parse_problem
from eai.planning import Limits, Outcome, ground, plan
from eai.planning.own import BREADTH_FIRST
from eai.planning.portfolio import ExcludedError, exclude_goal
from eai.planning.task import finish


def _excluded(domain: Domain, problem: Problem) -> bool:
    task = ground(domain, problem)
    if not task.reachable:
        return False
    try:
        finish(exclude_goal(task, Limits()))
    except ExcludedError:
        return True
    return False


@settings(max_examples=60)
@given(planning_tasks())
def test_what_pairs_exclude_has_no_plan(task: tuple[Domain, Problem]) -> None:
    domain, problem = replace(task[0], axioms=()), task[1]
    if _excluded(domain, problem):
        found = plan(domain, problem, engine=BREADTH_FIRST)
        assert found.outcome is Outcome.UNSOLVABLE


@pytest.mark.heavy
def test_most_of_what_has_no_plan_for_more_than_one_reason_is_excluded() -> None:
    excluded = without = 0
    for seed in range(600):
        domain, problem = random_task(Random(seed))
        domain = replace(domain, axioms=())
        task = ground(domain, problem)
        if task.reachable and not plan(domain, problem).solved:
            without += 1
            excluded += _excluded(domain, problem)
    assert excluded >= without - 1 > 1


_GO = """(define (domain rooms) (:requirements :adl)
  (:predicates (at ?a) (home ?a) (linked ?a ?b) (same ?a ?b))
  (:action go :parameters (?to) :precondition (not (at ?to))
    :effect (and (at ?to)
      (forall (?from) (when (and (at ?from) (not (same ?from ?to))) (not (at ?from))))))
  (:action link :parameters (?a ?b) :precondition (and (at ?a) (at ?b) (not (same ?a ?b)))
    :effect (linked ?a ?b)))"""


def test_pairs_exclude_two_places_at_once_where_going_deletes_every_other_place() -> None:
    problem = """(define (problem p) (:domain rooms) (:objects a b c)
      (:init (same a a) (same b b) (same c c)) (:goal (linked a b)))"""
    assert _excluded(parse_domain(_GO), parse_problem(problem))


def test_a_place_that_is_kept_by_another_effect_is_not_excluded() -> None:
    problem = """(define (problem p) (:domain rooms) (:objects a b c)
      (:init (at a) (home a) (same a a) (same b b) (same c c)) (:goal (linked a b)))"""
    keeping = _GO.replace("(at ?to)\n", "(at ?to) (forall (?x) (when (home ?x) (at ?x)))\n")
    domain, task = parse_domain(keeping), parse_problem(problem)
    assert not _excluded(domain, task)
    assert plan(domain, task).solved
