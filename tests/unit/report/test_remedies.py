"""What would have kept a rule that an answer broke."""

from __future__ import annotations

import pytest

import eai
from eai.suites.pddl import Pddl

DOMAIN = """
(define (domain lamps) (:predicates (lit) (in) (out) (wet))
  (:action press :parameters () :effect (lit))
  (:action enter :parameters () :precondition (lit) :effect (in))
  (:action splash :parameters () :effect (wet))
  (:action leave :parameters () :precondition (in) :effect (and (out) (not (in)))))
"""
SUITE = Pddl.from_texts(
    "lamps", DOMAIN, {"p": "(define (problem p) (:domain lamps) (:init) (:goal (in)))"}
)
RULES = [
    {"name": "kept", "formula": "G !out()"},
    {"name": "dry", "formula": "G !wet()"},
    {"name": "dark", "formula": "G !lit()"},
    {"name": "out", "formula": "F out()"},
]


def explained(answer: str) -> eai.report.Explanation:
    record = eai.evaluate(SUITE, {"p": answer}, semantics="strict").records[0]
    return eai.explain(record, suite=SUITE, rules=RULES)


@pytest.mark.parametrize(
    ("answer", "remedies"),
    [
        # The goal is kept, so that nothing but the splash can be left out.
        (
            "(press)\n(splash)\n(enter)",
            {"dry": ["delete step 2"], "dark": ["at least 3"], "out": ["enter()", "leave()"]},
        ),
        # Of a plan that does not reach the goal the steps count that were done.
        ("(splash)\n(enter)\n(press)", {"dry": ["delete step 1"], "out": ["at least 3"]}),
        (
            "(press)\n(splash)",
            {"dry": ["delete step 2"], "dark": ["delete step 1"], "out": ["enter()"]},
        ),
        ("(press)\n(enter)\n(leave)", {"kept": ["delete step 3"], "dark": ["at least 3"]}),
        ("no plan", {}),
    ],
)
def test_a_rule_that_is_broken_has_a_remedy(answer: str, remedies: dict[str, list[str]]) -> None:
    found = explained(answer)
    broken = [verdict.name for verdict in found.record.result.rules if not verdict.kept]
    assert list(found.remedies) == broken
    assert set(remedies) == set(broken)
    for name, parts in remedies.items():
        assert all(part in found.remedies[name] for part in parts), found.remedies[name]
    # Each verdict and each remedy has its place in the text.
    text = str(found)
    assert all(remedy in text for remedy in found.remedies.values())
    assert ("Rules" in text) is bool(found.record.result.rules)


def test_an_answer_that_was_not_run_says_that_its_rules_were_not_judged() -> None:
    assert len(explained("no plan").remarks) == 1
    assert explained("(press)\n(enter)").remarks == ()
