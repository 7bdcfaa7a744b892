"""Distances to the goal are those of a search through all states of the world."""

from __future__ import annotations

from itertools import product
from math import inf

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from planning_examples import lamps, lamps_domain
from strategies_planning import planning_tasks
from world_distances import MAX_STATES, WorldDistances

from eai.budget import Budget
from eai.logic import Atom, Formula
from eai.pddl import Domain, Problem, parse_domain, parse_problem
from eai.planning import distances as module
from eai.planning.distances import Distance, Distances, goal_of
from eai.world import State, World

Task = tuple[Domain, Problem]
thorough = settings(
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def reached(task: Task, *, agent: str = "") -> list[tuple[State, float]] | None:
    """Return all states with their distances, by the definition; None if there are many."""
    plain = WorldDistances(*task, agent)
    if not plain.is_small:
        return None
    return [(state, plain.distance(state)) for state in plain.states.values()]


def distances_of(task: Task, *, agent: str = "", max_states: int = MAX_STATES) -> Distances:
    domain, problem = task
    start = World(domain).state(problem.objects, problem.initial)
    found = Distances.of(start, problem.goal, agent, max_states=max_states)
    assert found is not None
    return found


def measured(distances: Distances, states: list[tuple[State, float]]) -> list[Distance]:
    project = distances.projection(states[0][0])
    return [distances.distance(project(state)) for state, _ in states]


@thorough
@given(planning_tasks())
def test_distances_of_all_states_are_entered_at_once(task: Task) -> None:
    states = reached(task)
    if states is None:
        return
    distances = distances_of(task)
    assert measured(distances, states) == [Distance(steps) for _, steps in states]
    assert all(distance.is_exact for distance in measured(distances, states))


@thorough
@given(planning_tasks())
def test_distances_searched_from_one_state_are_the_same(task: Task) -> None:
    states = reached(task)
    if states is None:
        return
    distances = distances_of(task, max_states=1)
    assert measured(distances, states) == [Distance(steps) for _, steps in states]


@thorough
@given(planning_tasks())
def test_beyond_the_budget_a_distance_is_a_lower_bound(task: Task) -> None:
    states = reached(task)
    if states is None:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "SEARCH", Budget(states=1, actions=None))
        patch.setattr(module, "MAX_REMEMBERED", 2)
        distances = distances_of(task, max_states=1)
        found = measured(distances, states)
    for (_, steps), distance in zip(states, found, strict=True):
        if distance.is_exact:
            assert distance.steps == steps
        else:
            assert distance.bound == "at least"
            assert 0 < distance.steps <= steps


@thorough
@given(planning_tasks(), st.sampled_from(["a", "b", "nobody"]))
def test_actions_of_others_lead_nowhere(task: Task, agent: str) -> None:
    states = reached(task, agent=agent)
    if states is None:
        return
    distances = distances_of(task, agent=agent)
    assert measured(distances, states) == [Distance(steps) for _, steps in states]


def test_states_are_entered_up_to_their_maximum_number() -> None:
    task = lamps_domain(), lamps("(and (lit desk) (lit floor))")
    count = len(reached(task) or ())
    assert count > 1
    assert distances_of(task, max_states=count - 1).is_exhaustive is False
    assert distances_of(task, max_states=count).is_exhaustive is True


CHAIN = parse_domain("""(define (domain chain) (:requirements :strips)
  (:predicates (p0) (p1) (p2) (p3) (q) (never))
  (:action a1 :precondition (p0) :effect (p1))
  (:action a2 :precondition (and (p0) (p1)) :effect (p2))
  (:action a3 :precondition (and (p0) (p2)) :effect (p3))
  (:action spoil :precondition (p0) :effect (and (q) (not (p0)))))""")
"""A way of three steps, each of which the next one needs; one action only does harm."""


def chain(goal: str) -> Task:
    text = f"(define (problem c) (:domain chain) (:init (p0)) (:goal {goal}))"
    return CHAIN, parse_problem(text, domain=CHAIN)


def test_landmark_cuts_bound_what_is_not_searched() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "SEARCH", Budget(states=1, actions=None))
        distances = distances_of(chain("(p3)"), max_states=1)
        assert distances.distance(distances.task.initial) == Distance(3, "at least")
        reached_already = distances_of(chain("(p0)"), max_states=1)
        assert reached_already.distance(reached_already.task.initial) == Distance(0)


LAST_STEPS = {
    "no condition": (":precondition (p2) :effect (p3)", Distance(3, "at least")),
    "a condition": (":effect (when (p2) (p3))", Distance(1, "at least")),
    "a condition beside others": (
        ":precondition (p0) :effect (and (q) (when (p2) (p3)))",
        Distance(1, "at least"),
    ),
}


@pytest.mark.parametrize("name", LAST_STEPS)
def test_landmark_cuts_bound_no_task_with_a_conditional_effect(name: str) -> None:
    last_step, expected = LAST_STEPS[name]
    domain = parse_domain(f"""(define (domain chain) (:requirements :adl)
      (:predicates (p0) (p1) (p2) (p3) (q))
      (:action a1 :precondition (p0) :effect (p1))
      (:action a2 :precondition (p1) :effect (p2))
      (:action a3 {last_step}))""")
    text = "(define (problem c) (:domain chain) (:init (p0)) (:goal (p3)))"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "SEARCH", Budget(states=1, actions=None))
        distances = distances_of((domain, parse_problem(text, domain=domain)), max_states=1)
        assert distances.distance(distances.task.initial) == expected


@pytest.mark.parametrize("max_states", [1, MAX_STATES])
def test_a_goal_that_cannot_be_reached_is_infinitely_far(max_states: int) -> None:
    distances = distances_of(chain("(never)"), max_states=max_states)
    assert distances.distance(distances.task.initial) == Distance(inf)


def test_states_on_the_plan_that_was_found_are_known_with_it() -> None:
    states = reached(chain("(p3)"))
    assert states is not None
    distances = distances_of(chain("(p3)"), max_states=1)
    assert distances.distance(distances.task.initial) == Distance(3)
    project = distances.projection(states[0][0])
    before_the_harm = [(state, steps) for state, steps in states if state.holds("p0", ())]
    assert len(before_the_harm) == 4
    with pytest.MonkeyPatch.context() as patch:
        # No search may expand a state any more.
        patch.setattr(module, "SEARCH", Budget(states=1, actions=None))
        for state, steps in before_the_harm:
            assert distances.distance(project(state)) == Distance(steps)


@pytest.mark.parametrize("max_states", [1, MAX_STATES])
def test_harm_that_cannot_be_undone_is_infinitely_far(max_states: int) -> None:
    task = chain("(p3)")
    states = reached(task)
    assert states is not None
    distances = distances_of(task, max_states=max_states)
    assert measured(distances, states) == [Distance(steps) for _, steps in states]
    assert Distance(inf) in measured(distances, states)


def test_a_task_with_numbers_has_no_distances() -> None:
    domain = parse_domain("""(define (domain n) (:requirements :numeric-fluents)
      (:predicates (p)) (:functions (f))
      (:action a :precondition (> (f) 1) :effect (p)))""")
    start = World(domain).state({}, [])
    assert Distances.of(start, Atom("p")) is None


def test_the_goal_of_alternatives_is_their_disjunction() -> None:
    options: list[list[Formula]] = [[Atom("p"), Atom("q")], [Atom("r")]]
    world = World(parse_domain("(define (domain d) (:predicates (p) (q) (r)))"))
    for facts in product([False, True], repeat=3):
        atoms = [Atom(name) for name, holds in zip("pqr", facts, strict=True) if holds]
        state = world.state({}, atoms)
        p, q, r = facts
        assert world.holds(state, goal_of(options)) is ((p and q) or r)
        assert world.holds(state, goal_of(options[:1])) is (p and q)
