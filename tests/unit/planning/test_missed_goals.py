"""Reasons of plans whose steps can all be done, and which miss the goal."""

from __future__ import annotations

import pytest

from eai.pddl import parse_domain, parse_problem
from eai.planning import validate, validate_all
from eai.world import Action

COUNTER = parse_domain(
    "(define (domain counter) (:requirements :numeric-fluents) (:functions (f) (g))"
    " (:action up :parameters () :effect (increase (f) 1)))"
)
SQUARED = "(* (f) (f))"
for _ in range(5):
    SQUARED = f"(* {SQUARED} {SQUARED})"


@pytest.mark.parametrize(
    ("goal", "start", "cause"),
    [
        ("(> (/ 1 (- (f) 1)) 0)", "0", "zero"),
        ("(> (g) 1)", "0", "(g)"),
        (f"(> {SQUARED} 0)", "1" + "0" * 300, "digits"),
        ("(> (f) 5)", "0", ""),
    ],
)
def test_reason_says_what_is_undefined_in_the_goal(goal: str, start: str, cause: str) -> None:
    problem = parse_problem(
        f"(define (problem p) (:domain counter) (:init (= (f) {start})) (:goal {goal}))",
        domain=COUNTER,
    )
    plan = [Action("up", ())]
    alone = validate(COUNTER, problem, plan)
    assert [alone] == validate_all(COUNTER, problem, [plan])
    assert not alone.valid
    assert alone.step is None
    _, _, undefined = alone.reason.partition(": ")
    assert cause in undefined
    assert bool(cause) is bool(undefined)
