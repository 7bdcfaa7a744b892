"""Printing then parsing is the identity; no text gets anything but a formula or an error."""

from __future__ import annotations

import contextlib
import pickle
import re
from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings, strategies as st
from strategies import VOCABULARY, formulas, linear_formulas
from strategies_formulas import BINARY, UNARY, all_formulas

from eai.errors import ParseError
from eai.logic import And, Atom, Formula, Or, format_formula, parse_formula
from eai.logic.dialects import Dialect

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


def groups(text: str) -> list[tuple[int, int]]:
    """Return where parentheses around parts begin and end: not those of arguments.

    Those around the body of a quantifier, which stand behind a dot, are always written.
    """
    opened, found = list[int](), list[tuple[int, int]]()
    for place, sign in enumerate(text):
        if sign == "(":
            opened.append(place)
        elif sign == ")":
            begin = opened.pop()
            if not re.search(r"(?:\w|\. )$", text[:begin]):
                found.append((begin, place))
    return found


def nested() -> Iterator[Formula]:
    """Yield every operator inside every other one, on each side."""
    p, q, r = Atom("p"), Atom("q"), Atom("r")
    several = (And, Or)
    inner: list[Formula] = [*(kind(p) for kind in UNARY), *(kind(p, q) for kind in BINARY)]
    inner += [kind((p, q)) for kind in several]
    for part in inner:
        yield from (kind(part) for kind in UNARY)
        for kind in BINARY:
            yield from (kind(part, r), kind(r, part))
        for chain in several:
            yield from (chain((part, r)), chain((r, part)), chain((r, part, r)))


def test_no_parentheses_could_be_left_out() -> None:
    for formula in nested():
        text = format_formula(formula)
        assert parse_formula(text) is formula
        for begin, end in groups(text):
            without = f"{text[:begin]} {text[begin + 1 : end]} {text[end + 1 :]}"
            with contextlib.suppress(ParseError):
                assert parse_formula(without) is not formula, text


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
@pytest.mark.parametrize("dialect", ["default", "spot", "prefix", "lower"])
def test_any_text_is_a_formula_or_a_parse_error(dialect: Dialect, text: str) -> None:
    with contextlib.suppress(ParseError):
        formula = parse_formula(text, dialect=dialect)
        assert parse_formula(format_formula(formula)) == formula


_LATEX = {
    "implies": r"\to",
    "iff": r"\leftrightarrow",
    "and": r"\land",
    "or": r"\lor",
    "not": r"\neg",
    "G": r"\Box",
    "F": r"\mathbf{F}",
    "true": r"\top",
    "false": r"\bot",
}

_LATEX_WORD = re.compile(rf"\b(?:{'|'.join(_LATEX)})\b(?! *\w*\()")


@FEW
@given(linear_formulas(temporal=True))
def test_what_latex_prints_is_what_is_read(formula: Formula) -> None:
    words = format_formula(formula)
    text = _LATEX_WORD.sub(lambda match: f"{_LATEX[match[0]]} ", words)
    read = parse_formula(f"${text}$", vocabulary=VOCABULARY)
    assert read == parse_formula(words, vocabulary=VOCABULARY)


_Twice = st.SearchStrategy[tuple[str, str]]
"""A formula twice: with operators before their operands, and between them."""

_PROPOSITIONS = st.sampled_from(["p", "q", "on(cup, box)"]).map(lambda text: (text, text))


def _with_operators(parts: _Twice) -> _Twice:
    before = st.tuples(st.sampled_from(["!", "X", "F", "G"]), parts)
    between = st.tuples(st.sampled_from(["&", "|", "->", "U", "R"]), parts, parts)
    return before.map(lambda each: (f"{each[0]} {each[1][0]}", f"{each[0]} ({each[1][1]})")) | (
        between.map(
            lambda each: (
                f"{each[0]} {each[1][0]} {each[2][0]}",
                f"({each[1][1]}) {each[0]} ({each[2][1]})",
            )
        )
    )


@FEW
@given(st.recursive(_PROPOSITIONS, _with_operators))
def test_operators_before_their_operands_mean_the_same_between_them(texts: tuple[str, str]) -> None:
    prefix, infix = texts
    assert parse_formula(prefix, dialect="prefix") == parse_formula(infix)


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
