"""Subgoals in the published notation."""

from __future__ import annotations

import pytest

from eai.abilities import flattened
from eai.abilities.subgoals.literals import parse_subgoals
from eai.diagnosis import Finding
from eai.errors import ParseError
from eai.logic import And, Atom, Exists, Not, Or, Then

DUSTY, OPEN, ON = Atom("dusty", ("a.0",)), Atom("open", ("b",)), Atom("ontop", ("a.0", "b"))


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("dusty(a.0)", DUSTY),
        (" dusty ( a.0 ) ", DUSTY),
        ("ontop(a.0,b)", ON),
        ("open()", Atom("open")),
        ("dusty(a.0) and not open(b)", And((DUSTY, Not(OPEN)))),
        ("dusty(a.0) or open(b) and ontop(a.0, b)", Or((DUSTY, And((OPEN, ON))))),
        ("dusty(a.0) then (open(b) then dusty(a.0))", Then((DUSTY, Then((OPEN, DUSTY))))),
        ("not (dusty(a.0))", Not(DUSTY)),
        (
            "(open(b) then dusty(a.0)) and (open(b) then dusty(a.0))",
            And((Then((OPEN, DUSTY)),) * 2),
        ),
        ("-x(_y)", Atom("-x", ("_y",))),
    ],
)
def test_formulas(text: str, formula: object) -> None:
    assert parse_subgoals(text) == formula


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("notdusty(a.0)", Not(DUSTY)),
        ("notnotdusty(a.0)", Not(Not(DUSTY))),
        ("dusty(a.0)andnotopen(b)", And((DUSTY, Not(OPEN)))),
        ("dusty(a.0) order(b)", Or((DUSTY, Atom("der", ("b",))))),
        ("not(b)", Atom("not", ("b",))),
        ("notnot(b)", Not(Atom("not", ("b",)))),
        ("or(a.0, b) and and(b)", And((Atom("or", ("a.0", "b")), Atom("and", ("b",))))),
        ("then(b)", Atom("then", ("b",))),
        ("forall(b)", Atom("forall", ("b",))),
    ],
)
def test_keywords_need_no_blank_and_may_be_primitives(text: str, formula: object) -> None:
    assert parse_subgoals(text) == formula


def test_quantifiers_are_read_by_the_grammar_of_goals() -> None:
    assert isinstance(parse_subgoals("exists x. (dusty(x))"), Exists)


@pytest.mark.parametrize(
    "text",
    ["", "dusty", "dusty(a.0", "dusty(a.0,)", "dusty(1)", "dusty(a-1)", "dusty(a.1.2)", "é(b)",
     "dusty(open(b))", "NOT dusty(a.0)", "dusty(a.0) then", "dusty(a.0) open(b)", "(dusty(a.0)",
     "dusty(a.0))", "dusty(a b)", "dusty(a\u00a0)",
     "dusty(a.0) & open(b)"],
)  # fmt: skip
def test_what_the_published_parser_refuses(text: str) -> None:
    with pytest.raises(ParseError):
        parse_subgoals(text)


def test_an_error_names_the_place() -> None:
    with pytest.raises(ParseError) as caught:
        parse_subgoals("dusty(a.0) and OPEN b")
    assert caught.value.position == len("dusty(a.0) and ")


def test_what_is_nested_too_deeply_is_an_error() -> None:
    with pytest.raises(ParseError, match="inside each other"):
        parse_subgoals("(" * 100_000)


def test_pairs_of_negations_go_if_a_negation_is_left() -> None:
    assert flattened(parse_subgoals("not not not dusty(a.0)")) == (Not(DUSTY),)
    for even in (
        "not not dusty(a.0)",
        "not not not not dusty(a.0)",
        "not (dusty(a.0) and open(b))",
    ):
        assert isinstance(flattened(parse_subgoals(even)), Finding)
