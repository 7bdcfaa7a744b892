"""Printing then parsing is the identity; no text gets anything but a formula or an error."""

from __future__ import annotations

import contextlib
import pickle

import pytest
from hypothesis import example, given, settings, strategies as st

from eai.errors import ParseError
from eai.logic import Formula, format_formula, parse_formula
from strategies import VOCABULARY, formulas, linear_formulas
from strategies_formulas import all_formulas

FEW = settings(max_examples=100)

_WORDS = ["then", "or", "and", "not", "implies", "->", "forall", "exists", "forn", "true", "2"]
_PIECES = [
    *_WORDS,
    "(",
    ")",
    ",",
    ".",
    ":",
    "-",
    "=",
    "|",
    "x",
    "p",
    "cup.1",
    '"',
    "\\",
    "&",
    "U",
    "X",
    "F",
    "last",
    "at least",
]


@FEW
@given(formulas())
def test_printing_then_parsing_is_the_identity(formula: Formula) -> None:
    assert parse_formula(format_formula(formula), vocabulary=VOCABULARY) == formula


@FEW
@given(linear_formulas(temporal=True), st.sampled_from(["default", "unicode"]))
def test_every_operator_survives_in_every_notation(formula: Formula, notation: str) -> None:
    text = format_formula(formula, notation=notation)
    assert parse_formula(text, vocabulary=VOCABULARY) == formula


@FEW
@given(linear_formulas(depth=2, odd_names=True))
def test_odd_names_survive(formula: Formula) -> None:
    assert parse_formula(format_formula(formula)) == formula


@FEW
@given(formulas())
def test_letter_case_does_not_matter_to_the_vocabulary(formula: Formula) -> None:
    text = format_formula(formula)
    for name in ("clean", "near", "dark", "GRAB", "POUR", "cup.1", "and", "exists", "then"):
        text = text.replace(name, name.swapcase())
    assert parse_formula(text, vocabulary=VOCABULARY) == formula


@FEW
@given(st.text(max_size=60) | st.lists(st.sampled_from(_PIECES), max_size=15).map(" ".join))
@example('p("')
@example('exists "x". (p())')
@example("\ud800(x)")
def test_any_text_is_a_formula_or_a_parse_error(text: str) -> None:
    with contextlib.suppress(ParseError):
        formula = parse_formula(text)
        assert parse_formula(format_formula(formula)) == formula


@FEW
@given(formulas(), st.data())
def test_an_error_names_a_place_in_the_text(formula: Formula, data: st.DataObject) -> None:
    text = format_formula(formula)
    place = data.draw(st.integers(0, len(text) - 1))
    damaged = text[:place] + "%" + text[place + 1 :]
    with pytest.raises(ParseError) as caught:
        parse_formula(damaged, vocabulary=VOCABULARY)
    # Nothing before the damage is blamed, apart from names that it cut short.
    assert place - 10 <= caught.value.position <= len(damaged)
    assert caught.value.caret.endswith("^")


@FEW
@given(formulas() | all_formulas())
def test_what_is_pickled_comes_back(formula: Formula) -> None:
    again = pickle.loads(pickle.dumps(formula))
    assert (again, hash(again), repr(again)) == (formula, hash(formula), repr(formula))
