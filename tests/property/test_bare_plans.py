"""Plans of bare steps, one a line, are read as the three stages read them."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import given, strategies as st

from eai.answers import pddl_plans
from eai.answers.pddl_plans import read_steps, surfaces_of_names
from eai.answers.phrases import Names, Phrases
from eai.pddl import parse_domain, parse_problem

DOMAIN = """
(define (domain depot) (:requirements :strips :typing) (:types truck place)
  (:constants home - place)
  (:predicates (at ?t - truck ?p - place))
  (:action drive :parameters (?t - truck ?a ?b - place) :effect (at ?t ?b))
  (:action go-to :parameters (?t - truck ?a - place) :effect (at ?t ?a))
  (:action load_t1_a_b_first_place_home_t2_a_p2 :parameters () :effect (and))
  (:action home :parameters () :effect (and))
  (:action wait :parameters () :effect (and)))
"""
PROBLEM = """
(define (problem p) (:domain depot)
  (:objects t1 t2 - truck a p1-2 first_place - place) (:init) (:goal (and)))
"""


def made_names(phrases: Phrases | None = None) -> Names:
    domain = parse_domain(DOMAIN)
    return Names(domain, parse_problem(PROBLEM, domain=domain), phrases)


PLAIN = made_names()
IN_WORDS = made_names(Phrases({"drive": "drive the {} from {} to {}"}, {"t1": "red truck"}))
SURFACES = {id(names): surfaces_of_names(names) for names in (PLAIN, IN_WORDS)}

LONG = "(load_t1_a_b_first_place_home_t2_a_p2)"

words = st.sampled_from(
    ["drive", "go-to", "wait", "t1", "t2", "a", "p1-2", "first_place", "home", "T1", "other", "the"]
)
brackets = st.lists(words, max_size=5).map(lambda each: f"({' '.join(each)})")
steps = st.sampled_from(["(drive t1 a p1-2)", "(go-to t2 a)", "(Drive T1 home a)", "(wait)", LONG])
lines = st.one_of(
    steps,
    steps,
    steps,
    brackets,
    st.sampled_from(["", "  (go-to t1 a)", "(go-to t1 a)  ", "Plan:"]),
)
texts = st.lists(lines, min_size=1, max_size=8).flatmap(
    lambda each: st.sampled_from(["\n", "\r\n", "\n\n"]).map(lambda end: end.join(each))
)


@given(texts, st.sampled_from([PLAIN, IN_WORDS]), st.sampled_from(["", "\n", " \n", "\n\n  "]))
def test_steps_of_lines_are_read_as_the_three_stages_read_them(
    text: str, names: Names, before: str
) -> None:
    surfaces = SURFACES[id(names)]
    quick = read_steps(before + text, names, surfaces)
    with patch.object(pddl_plans, "_steps_of_lines", return_value=None):
        assert quick == read_steps(before + text, names, surfaces)


@pytest.mark.parametrize("line", [LONG, f"- {LONG}", f"{LONG} ; last"])
def test_name_of_many_words_is_read_beside_others(line: str) -> None:
    reading = read_steps(f"(drive t1 a p1-2)\n{line}", PLAIN)
    assert [step.name for step in reading.steps] == ["drive", LONG.strip("()")]


def test_a_plan_of_steps_of_lines_needs_no_stages() -> None:
    text = "(drive t1 a p1-2)\n(go-to t2 a)\n"
    with patch.object(pddl_plans, "read_with", side_effect=AssertionError):
        reading = read_steps(text, PLAIN)
    assert [str(step) for step in reading.steps] == ["drive(t1, a, p1-2)", "go-to(t2, a)"]
    assert [text[step.position] for step in reading.steps] == ["d", "g"]
