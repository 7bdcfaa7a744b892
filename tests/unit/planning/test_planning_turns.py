"""Searches in turns, proofs by pairs, and rules that a function stands for."""

from __future__ import annotations

import pytest
from planning_examples import lamps, lamps_domain

from eai.pddl import parse_domain
from eai.planning import Limits, Outcome, ground, plan, portfolio
from eai.planning.own import OWN
from eai.planning.portfolio import ExcludedError, exclude_goal
from eai.planning.reasons import rules_of
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
