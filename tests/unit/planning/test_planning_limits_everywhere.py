"""Whatever a task is like, its grounding and its search look at the clock every now and then.

What is counted are calls of functions between two looks, which are the same on every machine.
"""

from __future__ import annotations

import sys

import pytest

from eai.planning import Outcome, plan
from eai.planning.limits import Limits, TimeLimitError
from eai.planning.own import GREEDY, OwnEngine

MOST_CALLS = 40_000
"""Calls between two looks at the clock: some hundredths of a second."""

ALL_CALLS = 100_000
"""When so many functions were called, the time is up."""


def places(count: int) -> str:
    return " ".join(f"?v{number}" for number in range(count))


def nested(quantifier: str, count: int, body: str) -> str:
    opened = "".join(f"({quantifier} (?v{number}) " for number in range(count))
    return f"{opened}{body}{')' * count}"


def domain(
    *, precondition: str = "(p ?x)", effect: str = "(q ?x)", parameters: str = "?x", rules: str = ""
) -> str:
    return f"""(define (domain d)
      (:requirements :adl :derived-predicates)
      (:predicates (p ?x) (q ?x) (r ?x ?y) (t {places(9)}))
      {rules}
      (:action a :parameters ({parameters}) :precondition {precondition} :effect {effect})
      (:action b :parameters (?x ?y) :precondition (p ?x) :effect (and (p ?y) (r ?x ?y))))"""


def problem(goal: str, objects: int) -> str:
    names = " ".join(f"o{number}" for number in range(objects))
    return f"""(define (problem x) (:domain d)
      (:objects {names}) (:init (p o0)) (:goal {goal}))"""


CHAIN = " ".join(f"(r ?v{number} ?v{number + 1})" for number in range(7))
EITHER = " ".join(f"(or (q ?v{number}) (p ?v{number}))" for number in range(9))
ALL_PAIRS = "(forall (?x ?y) (r ?x ?y))"

TASKS = {
    "forall of 8 variables in a precondition": (
        domain(precondition=f"(forall ({places(8)}) (or (p ?x) {CHAIN}))"),
        problem("(q o1)", 20),
    ),
    "forall of 8 variables in an effect": (
        domain(effect=f"(forall ({places(8)}) (when (p ?v0) (r ?v3 ?v7)))"),
        problem("(and (q o1) (r o1 o2))", 20),
    ),
    "derived predicate of 9 parameters": (
        domain(
            rules=f"(:derived (t {places(9)}) (and {EITHER} (exists (?z) (t {places(8)} ?z))))",
            precondition=f"(not (t{' ?x' * 9}))",
        ),
        problem("(t o0 o1 o2 o3 o4 o5 o6 o7 o8)", 12),
    ),
    "action of 12 parameters": (
        domain(
            parameters=f"{places(11)} ?x",
            precondition="(and (not (q ?v1)) (not (r ?v2 ?v3)))",
            effect="(and (q ?v0) (r ?v1 ?v2) (p ?x))",
        ),
        problem("(and (q o1) (r o1 o2))", 20),
    ),
    "goal of 6 nested forall": (
        domain(),
        problem(nested("forall", 6, "(or (r ?v0 ?v1) (q ?v2) (not (r ?v4 ?v5)))"), 30),
    ),
    "goal of 8 nested exists": (
        domain(),
        problem(nested("exists", 8, "(and (r ?v0 ?v1) (q ?v2) (not (r ?v6 ?v7)))"), 30),
    ),
    "transitive closure": (
        domain(
            rules="(:derived (q ?x) (exists (?y) (and (r ?x ?y) (q ?y))))",
            precondition="(not (q ?x))",
            effect="(p ?x)",
        ),
        problem(ALL_PAIRS, 30),
    ),
    "goal of many atoms": (domain(), problem(ALL_PAIRS, 16)),
}


@pytest.mark.parametrize("engine", [GREEDY, "eai-optimal"])
@pytest.mark.parametrize("name", TASKS)
def test_the_clock_is_looked_at_often(
    name: str, engine: str | OwnEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = all_calls = most = 0

    def look(*_: object) -> None:
        nonlocal calls, all_calls, most
        most = max(most, calls)
        all_calls += calls
        calls = 0
        if all_calls > ALL_CALLS:
            raise TimeLimitError

    def counted(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        if event == "call":
            calls += 1

    monkeypatch.setattr(Limits, "check", look)
    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        found = plan(*TASKS[name], engine=engine, time_limit=1000.0)
    finally:
        sys.setprofile(before)
    assert found.outcome in (Outcome.TIME_LIMIT, Outcome.SOLVED, Outcome.UNSOLVABLE)
    assert max(most, calls) < MOST_CALLS
