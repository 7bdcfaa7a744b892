"""Formulas to text."""

from __future__ import annotations

import pytest

from eai.errors import SchemaError
from eai.logic import (
    LAST,
    TRUE,
    ActionAtom,
    Always,
    And,
    Atom,
    Equal,
    Exists,
    Forall,
    Formula,
    Implies,
    Next,
    Not,
    Or,
    Then,
    Until,
    Variable,
    format_formula,
    parse_formula,
)

P, Q = Atom("p"), Atom("q", ("cup.1",))


@pytest.mark.parametrize(
    "text",
    [
        "p()",
        "true",
        "p() and q() and r(a.1, b)",
        "(p() and q()) and r()",
        "p() or q() and not r()",
        "(p() or q()) and r()",
        "p() implies q() implies r()",
        "(p() implies q()) implies r()",
        "not (p() and q())",
        "not forall x. (p(x) then q(x))",
        "exists x, y:food|drink. (x = y)",
        "forn 3. x:food. (p(x))",
        "(p() then q()) then r() or p()",
        "not x = y",
        '"or"("a b", "", "x\\"y")',
    ],
)
def test_text_in_canonical_form_is_printed_as_it_was(text: str) -> None:
    assert format_formula(parse_formula(text)) == text


def test_actions_are_printed_like_predicates() -> None:
    assert format_formula(Then((ActionAtom("GRAB", ("cup.1",)), Q))) == "GRAB(cup.1) then q(cup.1)"


def test_an_object_is_told_from_a_variable_of_the_same_name() -> None:
    x = Variable("x")
    formula = Exists((x,), And((Equal(x, "x"), P)))
    assert format_formula(formula) == 'exists x. (x = "x" and p())'
    assert parse_formula(format_formula(formula)) == formula


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (And(()), "true"),
        (Or(()), "false"),
        (And((P,)), "p()"),
        (Not(Or((And((P, Q)),))), "not (p() and q(cup.1))"),
        (Then((P,)), "p()"),
        (Exists((), P), "p()"),
    ],
)
def test_connectives_without_a_notation_are_printed_as_what_they_mean(
    formula: Formula, text: str
) -> None:
    assert format_formula(formula) == text


@pytest.mark.parametrize(
    "formula",
    [
        Then(()),
        Not(Then((P,))),
        Then((Then((P,)), Q)),
        Exists((Variable("a b"),), TRUE),
        Exists((Variable("not"),), TRUE),
        Exists((Variable("x", ()),), TRUE),
        Atom("p", (Variable(""),)),
    ],
)
def test_what_cannot_be_written_is_an_error(formula: Formula) -> None:
    with pytest.raises(SchemaError):
        format_formula(formula)


@pytest.mark.parametrize(
    ("notation", "text"),
    [
        ("default", "forall x:food. (G (p(x) implies X (not last U q(cup.1))))"),
        ("unicode", "∀x:food. (□(p(x) → ○(¬last U q(cup.1))))"),
    ],
)
def test_notations(notation: str, text: str) -> None:
    x = Variable("x", ("food",))
    body = Implies(Atom("p", (x,)), Next(Until(Not(LAST), Atom("q", ("cup.1",)))))
    assert format_formula(Forall((x,), Always(body)), notation=notation) == text


def test_an_unknown_notation_is_refused() -> None:
    with pytest.raises(SchemaError, match="'tex'"):
        format_formula(P, notation="tex")


@pytest.mark.parametrize(
    ("only", "text"),
    [
        (Not(Atom("a")), "not a()"),
        (Next(Atom("a")), "X a()"),
        (Until(Atom("a"), Atom("b")), "(a() U b())"),
        (Implies(Atom("a"), Atom("b")), "(a() implies b())"),
        (And((Atom("a"), Atom("b"))), "(a() and b())"),
        (Or((Atom("a"), Atom("b"))), "(a() or b())"),
    ],
)
def test_a_connective_of_one_operand_is_printed_as_that(only: Formula, text: str) -> None:
    for kind in (And, Or):
        assert format_formula(kind((only,))) == text
        assert format_formula(kind(())) == ("true" if kind is And else "false")
