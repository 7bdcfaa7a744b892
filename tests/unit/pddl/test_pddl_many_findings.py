"""Texts with very many mistakes: the first are listed, the others counted."""

from __future__ import annotations

import time

import pytest

from eai.pddl import read_actions, read_domain
from eai.pddl.brackets import MAX_MENDED

MANY = 200_000
REPEATED = "(define (domain d) (:predicates (p)) (:action a :parameters () :precondition (and "


@pytest.mark.heavy
@pytest.mark.parametrize(
    "text",
    [
        "(define (domain d) (:predicates " + "(1)" * MANY + "))",
        "[({" * (MAX_MENDED // 3),
        # Equal conditions are one object: each finding about it is put in its place.
        REPEATED + "(q)" * (MANY // 10) + ") :effect (and)))",
    ],
    ids=["words", "characters", "equal conditions"],
)
def test_the_first_thousand_findings_are_listed(text: str) -> None:
    begun = time.process_time()
    *issues, last = read_domain(text)[1]
    assert time.process_time() - begun < 10  # a hundred times as long when it was not linear
    assert 1_000 <= len(issues) < 1_010
    assert (last.kind, last.severity) == ("many-findings", "error")
    assert "more errors not listed" in last.message


@pytest.mark.heavy
def test_an_answer_of_a_million_characters_is_not_read() -> None:
    (issue,) = read_actions("(" * 1_000_000)[1]
    assert issue.kind == "long-text"
    assert read_actions("(" * MAX_MENDED)[1][0].kind == "no-definition"


def test_an_answer_of_nothing_but_mistakes_has_no_action() -> None:
    for text in (")]}" * 3_000, "?x(inside)\x00 \n" * 4_000):
        (issue,) = read_actions(text)[1]
        assert issue.kind == "no-definition"


@pytest.mark.heavy
def test_characters_amid_very_many_forms_take_linear_time() -> None:
    begun = time.process_time()
    (issue,) = read_actions("(p) # " * 40_000)[1]
    assert issue.kind == "no-definition"
    assert time.process_time() - begun < 5
