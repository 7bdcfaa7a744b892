"""Landmark cuts: a bound that no plan goes below, and cheapest plans by it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import networkx as nx
import pytest
from pddl_blocks import DOMAIN

from eai.pddl import parse_domain, parse_problem
from eai.planning import Limits, Outcome, ground, plan
from eai.planning.cuts import LandmarkCuts, _search_by_cuts, search_cheapest
from eai.planning.searches import search_by_cost
from eai.planning.task import GroundTask, Search, finish

GOALS = {
    "(and (on d b))": 2,
    "(and (on d b) (on b a))": 2,
    "(and (on a b) (on b d))": 4,
    "(and (ontable b) (on a b))": 4,
    "(and (clear b))": 0,
    "(or (holding b) (on a b))": 1,
    "(not (handempty))": 1,
}


def task_of(goal: str) -> GroundTask:
    domain = parse_domain(DOMAIN)
    text = (
        "(define (problem one) (:domain blocks) (:objects a b d) (:init (handempty) (ontable a)"
        f" (ontable d) (on b a) (clear b) (clear d)) (:goal {goal}))"
    )
    return ground(domain, parse_problem(text, domain=domain), limits=Limits())


@pytest.mark.parametrize("search", [search_cheapest, _search_by_cuts])
@pytest.mark.parametrize(("goal", "length"), GOALS.items())
def test_a_cheapest_plan_is_found(
    goal: str, length: int, search: Callable[[GroundTask, Limits], Search]
) -> None:
    task = task_of(goal)
    found = finish(search(task, Limits()))
    assert found is not None
    assert len(found) == length


@pytest.mark.parametrize("goal", GOALS)
def test_the_bound_is_never_above_the_cost_of_a_cheapest_plan(goal: str) -> None:
    task = task_of(goal)
    cuts = LandmarkCuts(task, Limits())
    states, pending = {task.initial}, [task.initial]
    while pending:
        state = pending.pop()
        for action in task.actions:
            if action.condition.every & ~state == 0:
                after = task.successor(state, action)
                if after not in states:
                    states.add(after)
                    pending.append(after)
    assert len(states) > 1
    for state in states:
        found = finish(search_by_cost(replace(task, initial=state), Limits()))
        cost = float("inf") if found is None else sum(each.cost for each in found)
        assert cuts.bound(state) <= cost


def test_a_state_from_which_the_goal_is_out_of_reach_has_an_infinite_bound() -> None:
    domain = parse_domain(
        "(define (domain d) (:predicates (key) (open))"
        " (:action unlock :precondition (key) :effect (and (open) (not (key))))"
        " (:action lose :precondition (key) :effect (not (key))))"
    )
    problem = parse_problem(
        "(define (problem p) (:domain d) (:init (key)) (:goal (open)))", domain=domain
    )
    task = ground(domain, problem, limits=Limits())
    cuts, nothing_holds = LandmarkCuts(task, Limits()), task.positive << 1
    assert cuts.bound(task.initial) == 1
    assert cuts.bound(nothing_holds) == float("inf")


COSTS = """(define (domain trip) (:requirements :action-costs) (:predicates (at ?x) (road ?x ?y))
  (:functions (length ?x ?y) (total-cost))
  (:action go :parameters (?x ?y) :precondition (and (at ?x) (road ?x ?y))
    :effect (and (at ?y) (not (at ?x)) (increase (total-cost) (length ?x ?y)))))"""
TRIP = """(define (problem p) (:domain trip) (:objects a b c)
  (:init (at a) (road a c) (road a b) (road b c) (= (total-cost) 0)
    (= (length a c) 9) (= (length a b) 2) (= (length b c) 3))
  (:goal (at c)) (:metric minimize (total-cost)))"""


def test_costs_decide_and_not_the_number_of_steps() -> None:
    domain = parse_domain(COSTS)
    found = plan(domain, parse_problem(TRIP, domain=domain), engine="eai-optimal")
    assert (found.outcome, len(found.plan or ())) == (Outcome.SOLVED, 2)


@pytest.mark.parametrize("search", [search_cheapest, _search_by_cuts, search_by_cost])
@pytest.mark.parametrize("seed", range(12))
def test_each_search_finds_a_cheapest_way_on_a_map(
    seed: int, search: Callable[[GroundTask, Limits], Search]
) -> None:
    random = Random(seed)
    roads = nx.gnp_random_graph(6, 0.5, seed=seed, directed=True)
    for _, _, road in roads.edges(data=True):
        road["weight"] = random.randint(0, 6)
    facts = "".join(
        f" (road p{x} p{y}) (= (length p{x} p{y}) {length})"
        for x, y, length in roads.edges(data="weight")
    )
    text = (
        "(define (problem p) (:domain trip) (:objects p0 p1 p2 p3 p4 p5)"
        f" (:init (at p0) (= (total-cost) 0){facts}) (:goal (at p5))"
        " (:metric minimize (total-cost)))"
    )
    domain = parse_domain(COSTS)
    task = ground(domain, parse_problem(text, domain=domain), limits=Limits())
    found = finish(search(task, Limits()))
    cheapest = nx.single_source_dijkstra_path_length(roads, 0).get(5)
    assert (None if found is None else sum(action.cost for action in found)) == cheapest


CARRY = """(define (domain carry) (:requirements :action-costs) (:types place ball)
  (:predicates (here ?x - place) (road ?x ?y - place) (at ?b - ball ?x - place) (held ?b - ball)
               (free))
  (:functions (length ?x ?y - place) (total-cost))
  (:action move :parameters (?x ?y - place) :precondition (and (here ?x) (road ?x ?y))
    :effect (and (here ?y) (not (here ?x)) (increase (total-cost) (length ?x ?y))))
  (:action take :parameters (?b - ball ?x - place)
    :precondition (and (here ?x) (at ?b ?x) (free))
    :effect (and (held ?b) (not (at ?b ?x)) (not (free)) (increase (total-cost) 1)))
  (:action drop :parameters (?b - ball ?x - place) :precondition (and (here ?x) (held ?b))
    :effect (and (at ?b ?x) (free) (not (held ?b)) (increase (total-cost) 1))))"""


@pytest.mark.parametrize("search", [search_cheapest, _search_by_cuts, search_by_cost])
@pytest.mark.parametrize("balls", [1, 2, 3])
def test_states_that_are_reached_more_cheaply_later_are_looked_at_again(
    balls: int, search: Callable[[GroundTask, Limits], Search]
) -> None:
    # The short road is dearer than that by the gate, and the bound does not see that one has to go
    # back for each ball.
    lengths = {("hall", "yard"): 3, ("hall", "gate"): 1, ("gate", "yard"): 1}
    roads = "".join(
        f" (road {x} {y}) (= (length {x} {y}) {length})"
        for (one, other), length in lengths.items()
        for x, y in ((one, other), (other, one))
    )
    names = [f"b{number}" for number in range(balls)]
    problem = (
        f"(define (problem p) (:domain carry) (:objects hall gate yard - place"
        f" {' '.join(names)} - ball) (:init (here hall) (free) (= (total-cost) 0){roads}"
        f" {' '.join(f'(at {name} hall)' for name in names)})"
        f" (:goal (and {' '.join(f'(at {name} yard)' for name in names)}))"
        " (:metric minimize (total-cost)))"
    )
    domain = parse_domain(CARRY)
    task = ground(domain, parse_problem(problem, domain=domain), limits=Limits())
    found = finish(search(task, Limits()))
    assert found is not None
    # Each ball is taken and dropped; two pieces of road there for each, and back for the others.
    assert sum(action.cost for action in found) == 2 * balls + 2 * (2 * balls - 1)


def test_conditional_effects_are_searched_by_cost() -> None:
    domain = parse_domain(
        "(define (domain d) (:requirements :conditional-effects) (:predicates (p) (q) (r))"
        " (:action do :effect (and (p) (when (p) (q)) (when (q) (r)))))"
    )
    problem = parse_problem("(define (problem x) (:domain d) (:goal (r)))", domain=domain)
    found = plan(domain, problem, engine="eai-optimal")
    assert len(found.plan or ()) == 3


def test_what_has_no_plan_is_proved_to_have_none() -> None:
    domain = parse_domain(
        "(define (domain d) (:predicates (p) (q))"
        " (:action left :precondition (not (q)) :effect (p))"
        " (:action right :precondition (not (p)) :effect (q)))"
    )
    problem = parse_problem("(define (problem x) (:domain d) (:goal (and (p) (q))))", domain=domain)
    assert plan(domain, problem, engine="eai-optimal").outcome is Outcome.UNSOLVABLE
