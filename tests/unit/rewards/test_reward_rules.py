"""Rules beside a goal: what a plan is worth that solves its task and breaks one."""

from __future__ import annotations

import pytest
from pddl_blocks import DOMAIN, PROBLEM

from eai.rewards import Reward
from eai.suites.pddl import Pddl

SUITE = Pddl.from_texts("blocks", DOMAIN, {"one": PROBLEM})
RULES = [{"name": "b down", "formula": "G (holding(d) -> ontable(b))"}]
SOLVES = "(pick-up d)\n(stack d b)"
KEEPS_THE_RULE = "(unstack b a)\n(put-down b)\n(pick-up d)\n(stack d b)"
TOO_MANY_ARGUMENTS = "(pick-up d b)\n(stack d b)"
UNREADABLE = "I cannot do that."


def values(
    kind: str, *answers: str | None, rules: list[dict[str, str]] | None = RULES
) -> list[float]:
    return Reward(SUITE, kind=kind, rules=rules).score("one", list(answers))


@pytest.mark.parametrize("kind", ["binary", "graded", "repair"])
def test_a_task_is_not_solved_by_breaking_a_rule(kind: str) -> None:
    breaks, keeps = values(kind, SOLVES, KEEPS_THE_RULE)
    assert keeps == 1.0
    assert breaks < 1.0
    assert values(kind, SOLVES, KEEPS_THE_RULE, rules=None) == [1.0, 1.0]


@pytest.mark.parametrize("kind", ["binary", "graded", "repair"])
def test_no_plan_is_worth_nothing_and_breaks_no_rule(kind: str) -> None:
    assert values(kind, UNREADABLE, None, TOO_MANY_ARGUMENTS) == [0.0, 0.0, 0.0]
    reward = Reward(SUITE, kind=kind, rules=RULES)
    attempts = [reward.attempt("one", answer) for answer in (UNREADABLE, None, SOLVES)]
    assert [attempt.broken for attempt in attempts] == [(), (), ("b down",)]


def test_a_repair_counts_the_edits_to_a_plan_that_keeps_the_rules() -> None:
    untouched = [{"name": "untouched", "formula": "G !holding(b)"}]
    begun = "(pick-up d)"
    detour = f"(unstack b a)\n(stack b a)\n{SOLVES}"
    # Two steps are missing of the empty plan, one behind the first; two are too many in the detour.
    assert values("repair", SOLVES, begun, detour, rules=untouched) == [
        1.0,
        pytest.approx(0.45),
        0.0,
    ]
    assert values("repair", detour, rules=None) == [1.0]


def test_a_plan_that_solves_and_breaks_a_rule_is_as_near_as_its_edits() -> None:
    domain = """(define (domain lamps) (:predicates (lit) (broken) (warm))
      (:action kick :parameters () :effect (and (lit) (broken)))
      (:action press :parameters () :effect (lit))
      (:action heat :parameters () :effect (warm)))"""
    problem = "(define (problem p) (:domain lamps) (:init) (:goal (and (lit) (warm))))"
    suite = Pddl.from_texts("lamps", domain, {"one": problem})
    rules = [{"name": "whole", "formula": "G !broken()"}]
    reward = Reward(suite, kind="repair", rules=rules)
    # Another step in the place of one, where the empty plan lacks two.
    assert reward.score("one", ["(kick)\n(heat)", "(press)\n(heat)"]) == [pytest.approx(0.45), 1.0]
