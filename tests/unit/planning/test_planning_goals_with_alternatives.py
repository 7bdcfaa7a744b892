"""Goals with alternatives: every search finds a plan, or proves that there is none."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from strategies_planning import random_task

from eai.budget import Budget
from eai.logic import And, Atom, Exists, Forall, Formula, Not, Or, Variable
from eai.pddl import parse_domain, parse_problem
from eai.planning import Limits, Outcome, ground, plan
from eai.planning.own import BREADTH_FIRST, GREEDY, OWN, WIDTH
from eai.planning.searches import Relaxation

ENGINES = (GREEDY, WIDTH, OWN["eai"], OWN["eai-optimal"])

DOMAIN = """(define (domain d) (:requirements :adl)
  (:predicates (fresh) (spoiled) (a) (b) (c))
  (:action spoil :effect (and (spoiled) (not (fresh))))
  (:action get-a :precondition (and (fresh) (spoiled)) :effect (a))
  (:action get-c :precondition (spoiled) :effect (c))
  (:action get-b :precondition (and (spoiled) (c)) :effect (b)))"""


def problem(goal: str) -> str:
    return f"(define (problem p) (:domain d) (:init (fresh)) (:goal {goal}))"


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
@pytest.mark.parametrize("goal", ["(or (a) (b))", "(or (b) (a))", "(and (c) (or (a) (b)))"])
def test_an_alternative_that_gets_out_of_reach_ends_nothing(goal: str, engine: object) -> None:
    """Nobody can have what takes both fresh and spoiled, but that shows only behind a step."""
    found = plan(DOMAIN, problem(goal), engine=engine)  # type: ignore[arg-type]
    assert found.outcome is Outcome.SOLVED
    assert [step.name for step in found.plan or ()] == ["spoil", "get-c", "get-b"]


def test_a_relaxed_plan_reaches_one_alternative_and_the_rest_of_the_goal() -> None:
    domain = parse_domain(DOMAIN)
    task = ground(domain, parse_problem(problem("(and (c) (or (a) (b)))"), domain=domain))
    relaxed = Relaxation(task, Limits()).plan(task.initial)
    assert relaxed is not None
    names = {task.actions[number].action.name for number in relaxed[0]}
    assert names >= {"spoil", "get-c"}
    assert names & {"get-a", "get-b"}


def _literal(random: Random, objects: list[str]) -> Formula:
    name, arity = random.choice([("at", 1), ("lit", 1), ("kept", 1), ("road", 2), ("tied", 2)])
    atom = Atom(name, tuple(random.choice(objects) for _ in range(arity)))
    return atom if random.random() < 0.75 else Not(atom)


def _goal(random: Random, objects: list[str]) -> Formula:
    """A goal with alternatives, which rarely hold from the start."""
    x = Variable("x")
    lit, kept = Atom("lit", (x,)), Atom("kept", (x,))
    options: tuple[Formula, ...] = tuple(
        And(tuple(_literal(random, objects) for _ in range(random.randint(1, 3))))
        for _ in range(random.randint(2, 3))
    )
    quantified = random.choice([Exists((x,), And((lit, kept))), Forall((x,), Or((lit, kept)))])
    return And((Or(options), random.choice([quantified, _literal(random, objects)])))


@pytest.mark.parametrize("seed", range(30))
def test_every_search_says_what_an_exhaustive_one_says(seed: int) -> None:
    random = Random(f"alternatives {seed}")
    domain, given = random_task(random)
    changed = replace(given, goal=_goal(random, sorted(given.objects)), metric=None)
    budget = Budget(states=600, actions=None, instances=None, bytes=None)
    expected = plan(domain, changed, engine=BREADTH_FIRST, budget=budget)
    if expected.outcome is Outcome.BEYOND_BUDGET:
        return
    for engine in ENGINES:
        found = plan(domain, changed, engine=engine, budget=budget)
        assert found.outcome is expected.outcome, engine.name
    assert len(found.plan or ()) == len(expected.plan or ())
