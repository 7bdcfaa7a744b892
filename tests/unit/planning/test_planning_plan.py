"""``plan``: outcomes, plans, costs, limits, lenient reading."""

from __future__ import annotations

import os
import pickle
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest
from planning_examples import DOMAIN, PROBLEM, lamps, lamps_domain

from eai.budget import Budget
from eai.errors import InputError, ParseError, UnknownNameError
from eai.pddl import (
    Domain,
    Problem,
    load_domain,
    load_problem,
    parse_problem,
    read_domain,
    read_problem,
)
from eai.planning import (
    Outcome,
    PlanningResult,
    engine_names,
    find_engine,
    plan,
    validate,
)
from eai.planning.own import BREADTH_FIRST, GREEDY, WIDTH, OwnEngine
from eai.world import Action

OWN = ["eai", WIDTH, GREEDY, "eai-optimal", BREADTH_FIRST]
BOTH = "(and (lit desk) (lit floor))"
FIXTURES = Path(__file__).parents[2] / "fixtures" / "pddl"
LEAST = {"blocks-and-boxes": 2, "briefcase": 3, "gripper": 5, "logistics": 1227}


@pytest.mark.parametrize("engine", OWN)
def test_a_plan_is_found_and_runs(engine: str | OwnEngine) -> None:
    found = plan(DOMAIN, PROBLEM.format(goal=BOTH), engine=engine)
    assert found.outcome is Outcome.SOLVED
    assert found.plan is not None
    assert validate(lamps_domain(), lamps(BOTH), found.plan).valid
    assert found.engine == (engine if isinstance(engine, str) else engine.name)


@pytest.mark.parametrize("engine", OWN)
def test_relaxed_reachability_proves_that_a_broken_lamp_stays_dark(engine: str | OwnEngine) -> None:
    found = plan(lamps_domain(), lamps("(lit wall)"), engine=engine)
    assert found.outcome is Outcome.UNSOLVABLE
    assert "even if delete effects are ignored" in found.reason


@pytest.mark.parametrize("engine", OWN)
def test_an_exhausted_search_proves_that_nobody_is_in_two_rooms(engine: str | OwnEngine) -> None:
    found = plan(lamps_domain(), lamps("(and (at hall) (at attic))"), engine=engine)
    assert found.outcome is Outcome.UNSOLVABLE
    assert "were seen" in found.reason


def test_the_cheapest_plan_is_not_the_shortest() -> None:
    cheapest = plan(lamps_domain(), lamps(BOTH), engine="eai-optimal")
    shortest = plan(lamps_domain(), lamps(BOTH), engine=BREADTH_FIRST)
    assert cheapest.cost == 3
    assert cheapest.optimal
    assert shortest.plan == (Action("flash"),)
    assert shortest.cost == 10


@pytest.mark.parametrize("goal", ["(and)", "(at hall)", "(not (lit desk))"])
@pytest.mark.parametrize("engine", OWN)
def test_a_goal_that_holds_needs_no_action(engine: str | OwnEngine, goal: str) -> None:
    assert plan(lamps_domain(), lamps(goal), engine=engine).plan == ()


@pytest.mark.parametrize("name", LEAST)
@pytest.mark.parametrize("engine", OWN)
def test_fixtures_are_solved(engine: str | OwnEngine, name: str) -> None:
    domain = load_domain(FIXTURES / f"{name}.pddl")
    problem = load_problem(FIXTURES / f"{name}-problem.pddl")
    found = plan(domain, problem, engine=engine)
    assert found.solved
    assert found.cost is not None
    assert found.cost >= LEAST[name]
    assert engine != "eai-optimal" or found.cost == LEAST[name]


def plan_as_read(domain: str, problem: str, *, engine: str = "eai") -> PlanningResult:
    """Plan for what can be read of texts, whatever is wrong with them."""
    return plan(read_domain(domain)[0], read_problem(problem)[0], engine=engine)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(at hall)", "(at hall) (door hall loft)"),
        ("(:domain lamps)", "(:domain lights)"),
        ("{goal}", "(lit ?l)"),
    ],
)
def test_a_text_that_cannot_be_parsed_is_not_planned_for(old: str, new: str) -> None:
    text = PROBLEM.replace(old, new, 1).format(goal="(lit floor)")
    with pytest.raises(ParseError) as caught:
        parse_problem(text, domain=lamps_domain())
    for domain in (DOMAIN, lamps_domain()):
        found = plan(domain, text)
        assert found.outcome is Outcome.REJECTED
        assert found.reason == str(caught.value)


def test_facts_and_goals_may_be_ill_typed() -> None:
    goal = "(and (lit floor) (at desk))"
    text = PROBLEM.replace("(at hall)", "(at hall) (at desk)", 1).format(goal=goal)
    assert parse_problem(text, domain=lamps_domain())
    assert plan(DOMAIN, text).solved


def test_objects_that_are_not_declared_are_arguments_and_nothing_else() -> None:
    text = PROBLEM.format(goal="(at loft)").replace("(at hall)", "(at hall) (door hall loft)", 1)
    # No variable stands for the loft: nobody can go there.
    assert plan_as_read(DOMAIN, text).outcome is Outcome.UNSOLVABLE
    named = DOMAIN.replace("(:action flash", "(:action jump :effect (at loft)) (:action flash")
    assert plan_as_read(named, text).plan == (Action("jump"),)


def test_a_variable_that_nothing_binds_stands_for_no_object() -> None:
    domain = DOMAIN.replace("(not (broken ?l)) (exists", "(not (broken ?m)) (exists")
    found = plan_as_read(domain, PROBLEM.format(goal="(lit wall)"))
    assert found.outcome is Outcome.UNSOLVABLE  # the wall's room has no door
    found = plan_as_read(domain, PROBLEM.format(goal="(lit desk)"), engine="eai-optimal")
    assert found.plan == (Action("press", ("desk",)),)
    bound = DOMAIN.replace("(not (broken ?l)) (exists", "(lit ?m) (exists")
    found = plan_as_read(bound, PROBLEM.format(goal="(and (lit desk) (not (lit floor)))"))
    assert found.outcome is Outcome.UNSOLVABLE


def test_a_type_that_is_not_declared_has_no_objects() -> None:
    domain = DOMAIN.replace("(?a ?b - room)", "(?a ?b - space)")
    assert plan_as_read(domain, PROBLEM.format(goal="(at attic)")).outcome is Outcome.UNSOLVABLE
    domain = DOMAIN.replace("(exists (?r - room)", "(exists (?r - space)")
    assert plan_as_read(domain, PROBLEM.format(goal="(lit floor)")).plan == (Action("flash"),)


def test_a_type_is_a_predicate_of_one_argument() -> None:
    text = DOMAIN.replace("(not (broken ?l)) (exists", "(lamp ?l) (exists")
    declared = text.replace("(:predicates", "(:predicates (lamp ?l)")
    found = plan_as_read(declared, PROBLEM.format(goal="(lit desk)"), engine="eai-optimal")
    assert found.plan == (Action("flash"),)  # declared, and no fact
    assert "lamp" not in lamps_domain().predicates
    found = plan_as_read(text, PROBLEM.format(goal="(lit desk)"), engine="eai-optimal")
    assert found.plan == (Action("press", ("desk",)),)


@pytest.mark.parametrize(
    ("domain", "problem", "word"),
    [
        (DOMAIN.replace("(lit ?l - lamp)", ""), PROBLEM, "lit"),
        (DOMAIN.replace("(at ?a) (or", "(at ?a ?b) (or"), PROBLEM, "at"),
        (DOMAIN, PROBLEM.replace("- lamp)", "- torch)"), "torch"),
        (DOMAIN[:-20], PROBLEM, "domain:"),
        (DOMAIN, PROBLEM.replace("(:goal", "(goal"), "problem:"),
    ],
)
def test_what_means_nothing_is_rejected(domain: str, problem: str, word: str) -> None:
    found = plan(domain, problem.format(goal="(lit desk)"))
    assert found.outcome is Outcome.REJECTED
    assert word in found.reason
    assert found.plan is None


def test_limits_end_a_search() -> None:
    lamps_many = " ".join(f"l{i}" for i in range(24))
    facts = " ".join(f"(in l{i} hall)" for i in range(24))
    goal = "(and " + " ".join(f"(lit l{i})" for i in range(24)) + " (at cellar))"
    text = PROBLEM.format(goal=goal).replace("(at hall)", f"(at hall) {facts} (door hall cellar)")
    text = text.replace("desk floor", f"desk floor {lamps_many}")
    blocked = DOMAIN.replace("(at ?a) (or", "(at ?a) (exists (?l - lamp) (broken ?l)) (or")
    domain = blocked.replace("(when (not (broken ?l)) (lit ?l))", "(when (broken ?l) (lit ?l))")
    late = plan(domain, text, engine=BREADTH_FIRST, time_limit=0.2)
    assert late.outcome is Outcome.TIME_LIMIT
    assert late.seconds < 10
    large = plan(domain, text, engine=BREADTH_FIRST, memory_limit=0.5)
    assert large.outcome is Outcome.MEMORY_LIMIT
    assert plan(domain, text, engine="eai", time_limit=20).solved


PATHS = """
(define (domain paths)
  (:requirements :adl :derived-predicates)
  (:predicates (door ?a ?b) (way ?a ?b))
  (:derived (way ?a ?b) (or (door ?a ?b) (exists (?c) (and (door ?a ?c) (way ?c ?b)))))
  (:action shut :parameters (?a ?b) :precondition (door ?a ?b) :effect (not (door ?a ?b))))
"""


def test_the_clock_is_looked_at_while_rules_are_applied() -> None:
    names = [f"r{i}" for i in range(40)]  # one state has 39 successors of 10 ms each
    doors = " ".join(f"(door {a} {b})" for a, b in pairwise(names))
    shut = "(forall (?a ?b) (not (door ?a ?b)))"
    problem = f"(define (problem p) (:domain paths) (:objects {' '.join(names)}) (:init {doors})"
    late = plan(PATHS, f"{problem} (:goal {shut}))", engine=BREADTH_FIRST, time_limit=0.3)
    assert late.outcome is Outcome.TIME_LIMIT
    assert late.seconds < 3


@pytest.mark.parametrize("engine", OWN)
def test_rules_that_mention_others_twice_take_no_longer_each_time(engine: str | OwnEngine) -> None:
    numbers = range(1, 41)  # put in one another they have 2 ** 40 atoms
    rules = "".join(
        f"(:derived (d{n}) (or (and (d{n - 1}) (a{n})) (and (d{n - 1}) (b{n}))))" for n in numbers
    )
    predicates = " ".join(f"(d{n}) (a{n}) (b{n})" for n in (0, *numbers))
    domain = f"""
      (define (domain nested) (:requirements :adl :derived-predicates) (:predicates {predicates})
        {rules} (:derived (d0) (a0)) (:action last :parameters () :effect (b40)))
    """
    facts = " ".join(f"(a{n})" for n in range(40))
    problem = f"(define (problem p) (:domain nested) (:init {facts}) (:goal (d40)))"
    assert plan(domain, problem, engine=engine).plan == (Action("last"),)
    without = problem.replace("(a7)", "")
    assert plan(domain, without, engine=engine).outcome is Outcome.UNSOLVABLE


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("condition", "outcome"),
    [("(not (= ?a ?a))", Outcome.TIME_LIMIT), ("(not (= ?e ?f))", Outcome.MEMORY_LIMIT)],
)
def test_limits_end_grounding(condition: str, outcome: Outcome) -> None:
    lamps_many = " ".join(f"l{i}" for i in range(40))
    text = PROBLEM.format(goal="(lit desk)").replace("desk floor", f"desk floor {lamps_many}")
    wide = f"(:action all :parameters (?a ?b ?c ?d ?e ?f) :precondition {condition}"
    domain = DOMAIN.replace("(:action flash", f"{wide} :effect (lit ?a)) (:action flash")
    domain = domain.replace("(lit ?l - lamp)", "(lit ?l)")
    assert plan(domain, text, time_limit=0.5, memory_limit=0.5).outcome is outcome


def test_limits_must_be_positive() -> None:
    task = (DOMAIN, PROBLEM.format(goal=BOTH))
    with pytest.raises(InputError, match="time limit is 0"):
        plan(*task, engine="fast-downward", time_limit=0)
    with pytest.raises(InputError, match="memory limit is -1"):
        plan(*task, engine="fast-downward", memory_limit=-1)


def test_engines_are_found_by_name() -> None:
    assert {"eai", "eai-optimal", "fast-downward", "pyperplan"} <= set(engine_names())
    with pytest.raises(UnknownNameError, match="eai-optimla"):
        find_engine("eai-optimla")
    with pytest.raises(InputError, match="there is no module 'no'"):
        find_engine("no.such.module:Engine")


class Liar:
    """An engine that returns the same plan whatever it is asked."""

    name = "liar"
    version = "1"

    def __init__(self, *steps: Action) -> None:
        self.steps = steps

    def solve(
        self,
        domain: Domain,
        problem: Problem,
        *,
        time_limit: float | None,
        memory_limit: float | None,
    ) -> PlanningResult:
        del domain, problem, time_limit, memory_limit
        return PlanningResult(Outcome.SOLVED, self.steps, engine=self.name, optimal=True)


def test_the_time_of_an_engine_is_its_own_and_that_of_its_processes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    times = dict.fromkeys(("own", "user", "system", "children_user", "children_system"), 100.0)

    def all_times() -> os.times_result:
        # The processor time of this process is in the first two as well; the last is the clock's.
        kinds = ("user", "system", "children_user", "children_system")
        return os.times_result((*[times[kind] for kind in kinds], 1000.0))

    class Busy(Liar):
        def solve(
            self,
            domain: Domain,
            problem: Problem,
            *,
            time_limit: float | None,
            memory_limit: float | None,
        ) -> PlanningResult:
            for number, kind in enumerate(times):
                times[kind] += 2.0**number
            return super().solve(domain, problem, time_limit=time_limit, memory_limit=memory_limit)

    monkeypatch.setattr("eai.planning.planner.os", SimpleNamespace(times=all_times))
    clock = SimpleNamespace(process_time=lambda: times["own"])
    monkeypatch.setattr("eai.planning.planner.time", clock)
    assert plan(lamps_domain(), lamps(BOTH), engine=Busy()).seconds == 1 + 8 + 16


@pytest.mark.parametrize(
    ("steps", "word"),
    [
        ((), "the goal does not hold"),
        ((Action("press", ("floor",)),), "not applicable"),
        ((Action("press", ("hall",)),), "not an action of the task"),
        ((Action("shout", ()),), "not an action of the task"),
        ((Action("press", ("desk", "desk")),), "not an action of the task"),
    ],
)
def test_plans_of_engines_are_checked(steps: tuple[Action, ...], word: str) -> None:
    found = plan(lamps_domain(), lamps(BOTH), engine=Liar(*steps))
    assert found.outcome is Outcome.INVALID_PLAN
    assert not found.optimal
    assert word in found.reason
    assert found.plan == steps


def test_results_can_be_printed_and_sent() -> None:
    found = plan(lamps_domain(), lamps("(lit desk)"), engine="eai-optimal")
    assert "1. press(desk)" in str(found)
    assert pickle.loads(pickle.dumps(found)) == found
    assert found.settled


ONE_HAND = """
(define (domain hand)
  (:requirements :adl)
  (:predicates (held ?x) (full) (shelved ?x) (lit ?x))
  (:action light :parameters (?x) :effect (lit ?x))
  (:action take :parameters (?x)
    :precondition (not (full)) :effect (and (held ?x) (full)))
  (:action shelve :parameters (?x) :precondition (held ?x) :effect (shelved ?x)))
"""


@pytest.mark.heavy
def test_pairs_of_literals_prove_what_takes_too_many_states_to_see() -> None:
    names = [f"book{i}" for i in range(14)]
    lit = " ".join(f"(lit {name})" for name in names)
    problem = """
      (define (problem p) (:domain hand) (:objects {}) (:goal (and (shelved book0) {} {})))
    """
    found = plan(ONE_HAND, problem.format(" ".join(names), "(shelved book1)", lit))
    assert found.outcome is Outcome.UNSOLVABLE
    assert "pair of literals" in found.reason
    assert plan(ONE_HAND, problem.format(" ".join(names), "", lit)).solved


BALLS = """
(define (domain balls)
  (:requirements :typing)
  (:types room ball hand)
  (:predicates (robot ?r - room) (at ?b - ball ?r - room) (free ?h - hand) (in ?b - ball ?h - hand))
  (:action move :parameters (?a ?b - room) :precondition (robot ?a)
    :effect (and (robot ?b) (not (robot ?a))))
  (:action pick :parameters (?b - ball ?r - room ?h - hand)
    :precondition (and (at ?b ?r) (robot ?r) (free ?h))
    :effect (and (in ?b ?h) (not (at ?b ?r)) (not (free ?h))))
  (:action drop :parameters (?b - ball ?r - room ?h - hand)
    :precondition (and (in ?b ?h) (robot ?r))
    :effect (and (at ?b ?r) (free ?h) (not (in ?b ?h)))))
"""


def test_two_hands_carry_two_balls_a_way_and_few_states_are_seen() -> None:
    names = [f"b{i}" for i in range(16)]
    there, here = ("".join(f"(at {name} {room})" for name in names) for room in ("r1", "r0"))
    problem = f"""
      (define (problem p) (:domain balls)
        (:objects r0 r1 - room left right - hand {" ".join(names)} - ball)
        (:init (robot r0) (free left) (free right) {here}) (:goal (and {there})))
    """
    found = plan(BALLS, problem, budget=Budget(states=1000))
    assert found.plan is not None
    assert len(found.plan) == 2 * 16 + 15


@pytest.mark.parametrize("engine", ["eai", WIDTH, GREEDY])
def test_costs_that_double_with_every_step_are_sums_like_others(engine: str | OwnEngine) -> None:
    steps = range(1, 91)  # a literal of the last step costs 2 ** 91 - 1
    actions = "".join(
        f"(:action {one}{n} :parameters () :precondition (and (p{n - 1}) (q{n - 1}))"
        f" :effect ({one}{n}))"
        for n in steps
        for one in "pq"
    )
    predicates = " ".join(f"(p{n}) (q{n})" for n in (0, *steps))
    domain = f"(define (domain d) (:predicates {predicates}) {actions})"
    problem = "(define (problem x) (:domain d) (:init (p0) (q0)) (:goal (and (p90) (q90))))"
    found = plan(domain, problem, engine=engine, time_limit=20)
    assert found.plan is not None
    assert len(found.plan) == 180


def test_what_is_no_engine_is_refused() -> None:
    with pytest.raises(InputError, match="int is not a planner"):
        plan(DOMAIN, PROBLEM.format(goal=BOTH), engine=42)  # type: ignore[arg-type]
