"""Searches in turns, proofs by pairs, and rules that a function stands for."""

from __future__ import annotations

import pytest
from planning_examples import lamps, lamps_domain

from eai.pddl import parse_domain, parse_problem
from eai.planning import Limits, Outcome, ground, plan, portfolio, validate
from eai.planning.own import OWN
from eai.planning.portfolio import ExcludedError, exclude_goal
from eai.planning.reasons import rules_of
from eai.planning.task import finish
from eai.world import World

GOALS = {
    "(lit desk)": 1,
    "(and (lit desk) (lit floor))": 3,
    "(at attic)": 1,
    "(and (at attic) (lit desk))": 2,
    "(exists (?l - lamp) (lit ?l))": 1,
    "(and (at attic) (at hall))": None,
    "(at cellar)": None,
    "(lit wall)": None,
    "(and (lit desk) (at hall) (not (lit floor)))": 1,
}


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("engine", [*OWN])
@pytest.mark.parametrize("easy", [0, 400_000])
def test_every_search_finds_a_plan_or_that_there_is_none(
    goal: str, engine: str, easy: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(portfolio, "_WORK_BEFORE_PROOF", easy)
    found = plan(lamps_domain(), lamps(goal), engine=engine)
    least = GOALS[goal]
    if least is None:
        assert found.outcome is Outcome.UNSOLVABLE
        assert found.plan is None
    else:
        assert found.outcome is Outcome.SOLVED
        assert found.plan is not None
        assert len(found.plan) >= 1
        if engine == "eai-optimal":
            assert found.cost == least


def proved(goal: str) -> bool:
    """Return whether pairs of literals prove that a goal cannot be reached."""
    search = exclude_goal(ground(lamps_domain(), lamps(goal)), Limits())
    try:
        while True:
            next(search)
    except ExcludedError:
        return True
    except StopIteration:
        return False


@pytest.mark.parametrize(
    ("goal", "excluded"),
    [
        ("(and (at attic) (at hall))", True),
        ("(and (at attic) (lit desk))", False),
        ("(and (at hall) (or (at attic) (at hall)))", False),
        ("(and (at attic) (or (at hall) (and (at hall) (lit desk))))", True),
        ("(or (and (at attic) (at hall)) (lit floor))", False),
        ("(and (lit desk) (lit floor) (at hall))", False),
    ],
)
def test_pairs_exclude_what_cannot_be_true_together(goal: str, excluded: bool) -> None:
    task = ground(lamps_domain(), lamps(goal))
    assert (not task.reachable or proved(goal)) is excluded
    found = plan(lamps_domain(), lamps(goal), engine="eai-optimal")
    assert (found.outcome is Outcome.UNSOLVABLE) is excluded


BLOCKS = parse_domain("""
(define (domain blocks)
  (:predicates (on ?x ?y) (above ?x ?y) (clear ?x) (odd ?x) (free))
  (:derived (above ?x ?y) (or (on ?x ?y) (exists (?z) (and (on ?x ?z) (above ?z ?y)))))
  (:derived (clear ?x) (not (exists (?y) (on ?y ?x))))
  (:derived (odd ?x) (on ?x ?x))
  (:derived (odd ?x) (clear ?x))
  (:action put :parameters (?x ?y) :precondition (clear ?y) :effect (on ?x ?y)))
""")


def test_rules_are_all_axioms_of_a_predicate_in_their_order() -> None:
    rules = rules_of(World(BLOCKS))
    assert set(rules) == {"above", "clear", "odd"}
    assert [len(rules[name]) for name in ("above", "clear", "odd")] == [1, 1, 2]
    heads, bodies = zip(*rules["odd"], strict=True)
    assert [[variable.name for variable in head] for head in heads] == [["x"], ["x"]]
    assert list(bodies) == [axiom.body for axiom in BLOCKS.axioms[2:]]


def test_a_function_stands_for_rules_unless_they_are_recursive() -> None:
    world = World(BLOCKS, computed={"clear": lambda _state: 0, "above": lambda _state: 0})
    assert set(rules_of(world)) == {"above", "odd"}


KITCHEN = parse_domain("""(define (domain kitchen) (:requirements :typing :adl)
  (:types thing place) (:constants knife - thing)
  (:predicates (at ?x) (same ?x ?y) (held ?x) (on ?x ?y) (in ?x ?y) (open ?x) (full) (cut ?x)
    (warm ?x))
  (:action go :parameters (?to) :precondition (not (at ?to)) :effect (and (at ?to)
    (forall (?from) (when (and (at ?from) (not (same ?from ?to))) (not (at ?from))))))
  (:action unlock :parameters (?x) :precondition (and (at ?x) (not (open ?x))) :effect (open ?x))
  (:action grasp :parameters (?x - thing) :precondition (and (at ?x) (not (full))
      (not (exists (?y) (and (in ?x ?y) (not (open ?y))))))
    :effect (and (held ?x) (full) (forall (?y) (and (not (on ?x ?y)) (not (in ?x ?y))))))
  (:action put :parameters (?x - thing ?y) :precondition (and (held ?x) (at ?y))
    :effect (and (on ?x ?y) (not (held ?x)) (not (full))))
  (:action insert :parameters (?x - thing ?y) :precondition (and (held ?x) (at ?y) (open ?y))
    :effect (and (in ?x ?y) (not (held ?x))))
  (:action drop :parameters (?x - thing) :precondition (held ?x)
    :effect (and (not (held ?x)) (not (full))))
  (:action cut-beside :parameters (?x - thing ?y - place)
    :precondition (and (at ?x) (at ?y) (held knife)) :effect (cut ?x))
  (:action cut-on :parameters (?x - thing ?y - place)
    :precondition (and (at ?x) (on ?x ?y) (held knife))
    :effect (and (cut ?x) (when (at ?y) (warm ?x)))))""")
"""One is at one thing or place at a time, so nothing is cut beside a place, which looks like the
shortest way; and after an insertion the hands stay full."""

MEAL = parse_problem("""(define (problem meal) (:domain kitchen)
  (:objects plum pear - thing board shelf jar - place)
  (:init (on knife board) (in plum shelf) (in pear shelf) (same knife knife) (same plum plum)
    (same pear pear) (same board board) (same shelf shelf) (same jar jar))
  (:goal (and (cut plum) (cut pear) (in plum jar) (not (warm pear)))))""")


def test_actions_and_effects_whose_conditions_exclude_each_other_are_left_out() -> None:
    task = ground(KITCHEN, MEAL)
    possible_task = finish(exclude_goal(task, Limits()))
    assert possible_task is not None
    excluded = {str(action.action) for action in task.actions}
    excluded -= {str(action.action) for action in possible_task.actions}
    assert excluded
    assert all(name.startswith("cut-beside(") for name in excluded)
    assert "cut-beside" not in {action.action.name for action in possible_task.actions}
    assert any(action.conditional for action in task.actions if action.action.name == "cut-on")
    assert not any(
        action.conditional for action in possible_task.actions if action.action.name == "cut-on"
    )


def test_without_impossible_actions_a_plan_is_found_with_less_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    work = {}
    for before_proof in (0, 1_000_000_000):
        monkeypatch.setattr(portfolio, "_WORK_BEFORE_PROOF", before_proof)
        limits = Limits()
        found = finish(portfolio.search_in_turns(ground(KITCHEN, MEAL), limits))
        assert found is not None
        assert validate(KITCHEN, MEAL, [step.action for step in found]).valid
        work[before_proof] = limits.meter.instances
    assert work[0] < work[1_000_000_000] / 2
