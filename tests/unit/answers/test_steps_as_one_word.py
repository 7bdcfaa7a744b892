"""Steps of PDDL in the words of a domain's phrases, and as one word, as ``unstack_b_a``."""

from __future__ import annotations

import pytest
from pddl_blocks import names

from eai.answers import Names, Phrases
from eai.pddl import parse_domain, parse_problem

ROADS = parse_domain("""(define (domain roads)
  (:predicates (road ?a ?b) (at ?a) (clean ?a))
  (:action drive :parameters (?a ?b) :precondition (and (at ?a) (road ?a ?b)) :effect (at ?b))
  (:action wash :parameters (?a) :effect (clean ?a)))""")
MAP = parse_problem(
    """(define (problem p) (:domain roads) (:objects mill farm port)
    (:init (at mill) (road mill farm) (road farm mill) (road farm port)) (:goal (at port)))""",
    domain=ROADS,
)


@pytest.mark.parametrize(
    ("word", "step"),
    [
        ("unstack_b_a", ("unstack", ("b", "a"))),
        ("stack_d_b", ("stack", ("d", "b"))),
        ("pick_up_d", ("pick-up", ("d",))),
        ("unstack_b", None),  # lacks an object
        ("stack_b", None),
        ("unstack_b_a_fast", None),
        ("unstack_b_a_d", None),
        ("fly_b_a", None),
    ],
)
def test_one_word_is_a_step_if_it_has_an_action_and_its_objects_only(
    word: str, step: tuple[str, tuple[str, ...]] | None
) -> None:
    found = names(words=True).read_step(word)
    assert (found and (found.name, found.arguments)) == step


def test_words_that_only_begin_like_an_action_are_no_step() -> None:
    found = names(words=True).read_step("unstack b")
    assert found is not None
    assert (found.name, found.arguments, found.complete) == ("", (), False)


@pytest.mark.parametrize(
    ("text", "arguments", "is_noted"),
    [
        ("drive from the mill to the farm", ("mill", "farm"), False),
        ("drive from the mill", ("mill", "farm"), True),  # its only road
        ("drive from the farm", (), False),  # it has two
        ("drive from the port", (), False),  # it has none
        ("drive", (), False),
        ("wash", (), False),
        ("wash the port", ("port",), False),
    ],
)
def test_a_last_object_is_added_if_no_other_fits(
    text: str, arguments: tuple[str, ...], is_noted: bool
) -> None:
    phrases = Phrases({"drive": "drive from the {} to the {}", "wash": "wash the {}"})
    found = Names(ROADS, MAP, phrases).read_step(text)
    assert found is not None
    assert found.arguments == arguments
    assert bool(found.name) is bool(arguments)
    assert bool(found.note) is is_noted
