"""Joins with facts that can be reached change how much is made, not what is left."""

from __future__ import annotations

from unittest.mock import patch

from hypothesis import HealthCheck, given, settings, strategies as st
from strategies_planning import planning_tasks
from strategies_world import Scene, questions

from eai.logic import Atom, Formula
from eai.pddl import Domain, Problem, parse_domain, parse_problem
from eai.planning import GroundTask, Limits, ground, plan

thorough = settings(
    max_examples=150,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def _scene(question: tuple[Scene, Formula]) -> tuple[Domain, Problem]:
    scene, goal = question
    problem = Problem("odd", "small", objects=scene.objects, initial=scene.facts, goal=goal)
    return scene.domain, problem


tasks = st.one_of(planning_tasks(), questions().map(_scene))


def _narrowed(domain: Domain, problem: Problem, limits: Limits | None = None) -> GroundTask:
    with patch("eai.planning.reachability._FEW_BINDINGS", 0):
        return ground(domain, problem, limits=limits)


def _left(task: GroundTask) -> tuple[set[Atom], int] | None:
    """Atoms and number of actions; nothing is left of a task whose goal cannot be reached."""
    return (set(task.atoms), len(task.actions)) if task.reachable else None


@thorough
@given(tasks)
def test_the_same_atoms_and_as_many_actions_are_left(task: tuple[Domain, Problem]) -> None:
    assert _left(_narrowed(*task)) == _left(ground(*task))


@settings(thorough, max_examples=40)
@given(tasks)
def test_the_cheapest_plan_costs_the_same(task: tuple[Domain, Problem]) -> None:
    found = plan(*task, engine="eai-optimal", time_limit=5)
    with patch("eai.planning.reachability._FEW_BINDINGS", 0):
        narrowed = plan(*task, engine="eai-optimal", time_limit=5)
    assert (narrowed.outcome, narrowed.cost) == (found.outcome, found.cost)


LIFTS = """
(define (domain lifts)
  (:types person lift floor)
  (:predicates (at ?x - (either person lift) ?f - floor) (in ?p - person ?l - lift)
    (above ?a ?b - floor))
  (:action board :parameters (?p - person ?l - lift ?f - floor)
    :precondition (and (at ?p ?f) (at ?l ?f)) :effect (and (in ?p ?l) (not (at ?p ?f))))
  (:action leave :parameters (?p - person ?l - lift ?f - floor)
    :precondition (and (in ?p ?l) (at ?l ?f)) :effect (and (at ?p ?f) (not (in ?p ?l))))
  (:action up :parameters (?l - lift ?a ?b - floor)
    :precondition (and (above ?a ?b) (at ?l ?a)) :effect (and (at ?l ?b) (not (at ?l ?a))))
  (:action call :parameters (?l - lift)
    :effect (forall (?a - floor ?b - floor) (when (and (above ?a ?b) (at ?l ?b))
      (and (at ?l ?a) (not (at ?l ?b)))))))
"""


def _house(floors: int, lifts: int) -> tuple[Domain, Problem]:
    """Each lift serves floors of its own; nobody can change lifts."""
    domain = parse_domain(LIFTS)
    serves = [range(lift * floors, (lift + 1) * floors) for lift in range(lifts)]
    facts = " ".join(
        f"(at l{lift} f{own[0]}) (at p{lift} f{own[0]}) "
        + " ".join(f"(above f{low} f{low + 1})" for low in own[:-1])
        for lift, own in enumerate(serves)
    )
    names = " ".join(f"f{i}" for i in range(floors * lifts))
    objects = f"{names} - floor " + " ".join(f"l{i} - lift p{i} - person" for i in range(lifts))
    goal = f"(at p0 f{floors - 1})"
    text = f"(define (problem house) (:domain lifts) (:objects {objects}) (:init {facts})"
    text += f" (:goal {goal}))"
    return domain, parse_problem(text, domain=domain)


def test_what_cannot_be_reached_is_not_made() -> None:
    domain, problem = _house(floors=5, lifts=6)
    wide, narrow = Limits(), Limits()
    with patch("eai.planning.reachability._FEW_BINDINGS", 10**9):
        task = ground(domain, problem, limits=wide)
    assert _left(_narrowed(domain, problem, narrow)) == _left(task)
    assert wide.meter.actions > 2000
    assert narrow.meter.actions < 120
