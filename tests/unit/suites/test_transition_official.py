"""Transition modeling as the published evaluator reads and counts it."""

from __future__ import annotations

import json

import pytest

from eai.abilities import OperatorText
from eai.diagnosis import Match
from eai.semantics import Semantics
from eai.suites.transition.counting import (
    ClauseComparison,
    align,
    compare_forms,
    literals,
    read_form,
)
from eai.suites.transition.counts import UNKNOWN, Counts
from eai.suites.transition.quirks import TRANSITION_QUIRKS
from eai.suites.transition.written import find_operators

OPEN = """(:action open
  :parameters (?char - character ?obj - object)
  :precondition (and (can_open ?obj) (closed ?obj))
  :effect (and (open ?obj) (not (closed ?obj)))
)"""
OPENED = OperatorText(
    "open",
    "(?char - character ?obj - object)",
    "(and (can_open ?obj) (closed ?obj))",
    "(and (open ?obj) (not (closed ?obj)))",
)
CATEGORIES = {"open": "object_states", "closed": "object_states", "can_open": "object_affordance"}


@pytest.mark.parametrize(
    "answer",
    [
        OPEN,
        json.dumps({"output": OPEN}),
        f"```json\n{json.dumps({'output': OPEN})}\n```",
        f"Here it is:\n{OPEN}\nDone.",
        json.dumps({"output": f"; a comment\n{OPEN}"}),
        json.dumps(OPEN),
    ],
)
def test_operators_are_found_in_pddl_json_and_prose(answer: str) -> None:
    assert find_operators(answer) == {"open": OPENED}


def test_a_name_ends_at_a_hyphen() -> None:
    assert list(find_operators(OPEN.replace("open\n", "slice-knife\n")) or ()) == ["slice"]


def test_a_comment_in_plain_text_swallows_the_rest() -> None:
    assert find_operators(f"; mine\n{OPEN}") == {}


def test_a_part_that_does_not_close_is_empty() -> None:
    found = find_operators(OPEN.removesuffix(")\n)"))
    assert found == {"open": OPENED._replace(effect="(()")}


def test_an_operator_without_a_part_ends_the_reading() -> None:
    assert find_operators(OPEN.replace(":effect", ":outcome") + OPEN[:30]) == {}


@pytest.mark.parametrize(
    "answer",
    ['{"answer": ""}', '{"output": []}', "[1]", "(:action a :parameters (?x :precondition :effect"],
)
def test_a_broken_format_is_not_read_at_all(answer: str) -> None:
    assert find_operators(answer) is None


@pytest.mark.parametrize("connective", ["and", "not"])
def test_brackets_that_are_nested_too_deeply_are_not_read(connective: str) -> None:
    for depth, readable in ((150, True), (100_000, False)):
        deep = f"({connective} " * depth + "(open ?obj)" + ")" * depth
        found = compare_forms(deep, deep)
        assert (found.score, found.readable) == (float(readable), readable)


def test_forms_are_nested_text() -> None:
    form = read_form("(and (next_to ?char  ?obj) (not (exists (?o - object) (in ?o))) ())")
    assert form == (
        "and",
        "next_to ?char  ?obj",
        ("not", ("exists", "?o - object", "in ?o")),
        "()",
    )
    assert list(literals(form)) == ["next_to ?char  ?obj", "in ?o", "()"]


@pytest.mark.parametrize("text", ["", ")", "((p)", "(not (p) (q))", "(when (p))", "(p (and (q)))"])
def test_what_the_evaluator_gives_up_on(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        read_form(text)


def test_variables_are_aligned_where_the_quantifiers_stand_at_the_same_place() -> None:
    ours, theirs = "(and (forall (?a - object) (p ?a)))", "(and (forall (?b - object) (p ?b)))"
    one, other = align(read_form(ours), read_form(theirs))
    assert one == other
    assert compare_forms(ours, theirs).score == 1
    deeper = compare_forms(f"(not {ours})", f"(not {theirs})")
    assert deeper.score == 0


def test_a_dropped_first_clause_makes_the_matched_ones_extra_too() -> None:
    gold, short = "(and (p ?x) (q ?x))", "(and (q ?x))"
    assert compare_forms(short, gold) == ClauseComparison(0.5, ("q ?x",), ("q ?x", "()"), ("p ?x",))
    told_apart = compare_forms(short, gold, mixed_indices=False)
    assert told_apart == ClauseComparison(0.5, ("q ?x",), ("()",), ("p ?x",))


def test_a_repeated_clause_is_credited_as_often_as_it_is_alike() -> None:
    gold, twice = "(and (p ?x) (q ?x))", "(and (p ?x) (p ?x))"
    assert compare_forms(twice, gold).shared == ("p ?x", "p ?x")
    assert compare_forms(twice, gold, overlapping_credit=False).shared == ("p ?x",)


def test_half_of_a_conjunction_is_enough_behind_a_negation() -> None:
    found = compare_forms("(not (and (p) (r)))", "(not (and (p) (q)))")
    assert found.score == 0.5
    assert found.shared == (("not", ("and", "p", "r")),)


def test_what_cannot_be_read_vanishes() -> None:
    assert compare_forms("(and (p)", "(p)") == ClauseComparison(0.0, readable=False)


def counted(*operators: OperatorText, without: tuple[str, ...] = ()) -> tuple[Match, ...]:
    semantics = Semantics.of("official", TRANSITION_QUIRKS, without=without)
    counts = Counts(CATEGORIES, semantics)
    predicted = {operator.name: operator for operator in operators}
    return counts.count(predicted, {"open": OPENED}, ("open",))[0]


def test_counts_are_added_up_by_category() -> None:
    assert counted(OPENED) == (
        Match("object_affordance", 1, 0, 0),
        Match("object_states", 3, 0, 0),
    )


def test_signs_are_lost_unless_clauses_are_counted() -> None:
    closing = OPENED._replace(effect="(and (open ?obj) (closed ?obj))")
    assert counted(closing)[1] == Match("object_states", 2, 1, 1)
    both = OPENED._replace(precondition="(or (closed ?obj) (closed ?char))")
    assert counted(both)[1] == Match("object_states", 2, 1, 1)
    assert counted(both, without=("names_of_predicates",))[1] == Match("object_states", 2, 2, 1)


def test_unknown_predicates_count_without_their_quirk() -> None:
    flying = OPENED._replace(precondition="(and (can_open ?obj) (closed ?obj) (flies ?char))")
    assert counted(flying) == counted(OPENED)
    assert counted(flying, without=("unknown_predicates_ignored",))[2] == Match(UNKNOWN, 0, 1, 0)


def test_missing_operators_count_without_their_quirk() -> None:
    assert counted() == ()
    assert counted(without=("missing_operators_ignored",)) == (
        Match("object_affordance", 0, 0, 1),
        Match("object_states", 0, 0, 3),
    )


def test_unasked_operators_count_without_their_quirk() -> None:
    other = OPENED._replace(name="close")
    assert counted(other) == ()
    assert counted(other, without=("unasked_operators_ignored",)) == (
        Match("object_affordance", 0, 1, 0),
        Match("object_states", 0, 3, 0),
    )


def test_unreadable_parts_are_missing_without_their_quirk() -> None:
    broken = OPENED._replace(effect="(and (open ?obj)")
    assert counted(broken)[1] == Match("object_states", 1, 0, 0)
    kept = counted(broken, without=("unreadable_parts_vanish",))
    assert kept[1] == Match("object_states", 1, 0, 2)
