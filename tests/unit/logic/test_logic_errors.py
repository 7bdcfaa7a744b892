"""Formulas that cannot be read: where, what was expected, how to mend it."""

from __future__ import annotations

import time

import pytest

from eai.errors import ParseError
from eai.logic import NESTING_LIMIT, LogicVocabulary, parse_formula
from eai.logic.dialects import Dialect
from eai.logic.parser import LENGTH_LIMIT

HOME = LogicVocabulary(
    predicates={"on": 1, "inside": 2},
    actions={"grab": 1, "sleep": 0},
    objects=["tv.1", "cup.2", "character.65"],
)


def error_of(text: str, vocabulary: LogicVocabulary | None = None) -> ParseError:
    with pytest.raises(ParseError) as caught:
        parse_formula(text, vocabulary=vocabulary)
    return caught.value


@pytest.mark.parametrize(
    ("text", "column", "what", "expected", "mend"),
    [
        ("", 1, "is empty", "a formula", "write true"),
        (" \n ", 2, "is empty", "a formula", "write true"),
        ("p(a", 4, "not closed", "')' or ','", "opens at column 2"),
        ("(p(a) and (q(b) or r(c))", 25, "not closed", "')'", "opens at column 1"),
        ("(((p()", 7, "not closed", "')'", "opens at column 3"),
        ("p(a))", 5, "')' closes nothing", "the end", "remove it"),
        (")", 1, "')' closes nothing", "a formula", "remove it"),
        ("()", 2, "unexpected ')'", "a formula", None),
        ("p(a) then then q(b)", 11, "'then' follows 'then'", "a formula", "remove one"),
        ("p(a) and or q(b)", 10, "'or' follows 'and'", "a formula", "remove one"),
        ("then p()", 1, "nothing stands before 'then'", "a formula", "remove 'then'"),
        ("p(a) and", 9, "nothing follows 'and'", "a formula", "remove 'and'"),
        ("p(a) -> ", 8, "nothing follows '->'", "a formula", "remove '->'"),
        ("not", 4, "ends too early", "a formula", None),
        ("p(a) q(b)", 6, "unexpected 'q'", "a connective", "write a connective"),
        ("p(a) q_(b)", 6, "unexpected 'q_'", "a connective", "write a connective"),
        ("p(a) & & q(b)", 8, "'&' follows '&'", "a formula", "remove one"),
        ("p U then q", 5, "'then' follows 'U'", "a formula", "remove one"),
        ("X U q", 3, "nothing stands before 'U'", "a formula", "remove 'U'"),
        ("and(p(a), q(b))", 1, "nothing stands before 'and'", "a formula", "f and g"),
        ("(p(a), q(b))", 6, "unexpected ','", "')'", "join formulas by 'and'"),
        ("p[a]", 2, "unexpected '['", "'('", "in parentheses"),
        ("p(a) == b", 7, "unexpected '='", "a number", "one '='"),
        ("p(a) = b", 8, "unexpected 'b'", "a number", "equal to a number"),
        ("exists x: p(x)", 12, "unexpected '('", "'.'", "a ':' introduces a type"),
        ("within(2000, p)", 8, "number of steps is too large", "at most 100", None),
        ("p(a.1 b.2)", 7, "unexpected 'b.2'", "','", "separate arguments"),
        ("p(q(x))", 4, "unexpected '('", "','", "an argument is a name"),
        ("p(a,)", 5, "unexpected ')'", "a name", None),
        ("p(not)", 3, "unexpected 'not'", "a name", None),
        ("exists x (p(x))", 10, "unexpected '('", "'.'", "full stop after 'x'"),
        ("exists x. p(x)", 11, "unexpected 'p'", "'('", "body of the quantifier"),
        ("exists then. (p())", 8, "unexpected 'then'", "a name", None),
        ("forn x. (p(x))", 6, "unexpected 'x'", "a number", "forn 2. x. (...)"),
        ("forn 9999999999. x. (p(x))", 6, "too large", None, None),
        ("exists x, x. (p(x))", 11, "bound twice", None, None),
        ('exists "x". (p())', 8, "without quotes", None, None),
        ('p("a)', 3, "quoted name is not closed", "a name", "closing"),
        ("p(a) %", 6, "unexpected '%'", "a connective", None),
    ],
)
def test_a_syntax_error_says_where_and_how_to_mend_it(
    text: str, column: int, what: str, expected: str | None, mend: str | None
) -> None:
    error = error_of(text)
    assert what in error.what
    assert text.count("\n") or error.column == column
    assert (expected or "") in (error.expected or "")
    assert (mend is None) == (error.mend is None)
    assert (mend or "") in (error.mend or "")


@pytest.mark.parametrize(
    ("text", "mend"),
    [
        ("F[1,2] p", "within(3, f)"),
        ("p U[0,3] q", "within(3, f)"),
        ("F<=3 p", "within(3, f)"),
        ("hold-during 2 5 p", "write hold-during(2, 5, f)"),
        ("sometime-after p q", "write sometime-after(f, g)"),
        ("N p", "'WX f'"),
        ("weak next p", "'WX f'"),
        ("next[!] p", "'X f'"),
        ("never p", "'G not f'"),
        ("p unless q", "'f W g'"),
        ("p before q", "sometime-before(g, f)"),
        ("p nand q", "'not (f and g)'"),
        ("if p then q else r", "'f implies g'"),
        ("all x. (p(x))", "forall x. (f)"),
        ("p * q", "'f and g'"),
        ("-p", "'not f'"),
        ("last()", "without parentheses"),
        ("p() == q()", "'iff'"),
    ],
)
def test_what_others_write_is_refused_with_what_to_write_instead(text: str, mend: str) -> None:
    assert mend in (error_of(text).mend or "")


@pytest.mark.parametrize(
    "arguments",
    ["cup + lamp", "cup * lamp", "cup after lamp", "cup nand lamp", "never lamp", "if lamp"],
)
def test_signs_and_words_of_other_notations_mean_nothing_between_arguments(arguments: str) -> None:
    assert error_of(f"on({arguments})").mend == error_of("on(cup lamp)").mend
    assert error_of(arguments.replace("cup", "p")).mend != error_of("on(cup lamp)").mend


def test_a_name_is_no_hint_where_it_is_none() -> None:
    assert error_of("north p").mend == "write a connective between 'north' and 'p'"
    assert error_of("p - q").mend is None


def test_places_in_later_lines_are_named_by_line_and_column() -> None:
    error = error_of("p(a)\n  and (q(b)\n  or r(c)")
    assert (error.line, error.column) == (3, 10)
    assert error.mend == "close the '(' that opens at line 2, column 7"
    assert error.caret == "  or r(c)\n         ^"


@pytest.mark.parametrize(
    ("text", "column", "what", "mend"),
    [
        ("ONN(tv.1)", 1, "no predicate or action named 'ONN'", "did you mean on?"),
        ("p() then on(tv.1)", 1, "no predicate or action named 'p'", None),
        ("sleep() then grap(cup.2)", 14, "named 'grap'", "did you mean grab?"),
        ("on(tv.1, cup.2)", 1, "on takes 1 argument, not 2", None),
        ("INSIDE(tv.1)", 1, "inside takes 2 arguments, not 1", None),
        ("Sleep(tv.1)", 1, "sleep takes no arguments, not 1", None),
        ("on(cup.3)", 4, "no object named 'cup.3'", "did you mean cup.2?"),
        ("on(x)", 4, "unbound variable 'x'", "bind it: exists x. (...)"),
        ("grab(cup)", 6, "unbound variable 'cup'", "did you mean cup.2?"),
        ("exists x. (grab(x)) then on(x)", 29, "unbound variable 'x'", "parentheses of its"),
        ("exists xx. (on(xxx))", 16, "unbound variable 'xxx'", "did you mean xx?"),
        ('on("x y")', 4, "no object named 'x y'", None),
    ],
)
def test_an_unknown_name_is_an_error_with_near_misses(
    text: str, column: int, what: str, mend: str | None
) -> None:
    error = error_of(text, HOME)
    assert what in error.what
    assert error.column == column
    assert (mend is None) == (error.mend is None)
    assert (mend or "") in (error.mend or "")


def test_an_arity_error_shows_the_right_form() -> None:
    assert error_of("inside(cup.2)", HOME).expected == "inside(x, y)"


def test_the_source_is_named() -> None:
    with pytest.raises(ParseError, match=r"^goal of task 7:1:4: "):
        parse_formula("p(a", source="goal of task 7")


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("(" * LENGTH_LIMIT, "nested more than"),
        ("not " * (LENGTH_LIMIT // 4 - 1) + "p()", "nested more than"),
        ("p() -> " * 12_000 + "p()", "nested more than"),
        ("X " * 12_000 + "p()", "nested more than"),
        ("at-most-once " * 7000 + "p()", "nested more than"),
        ("within(100, within(100, within(9, p)))", "too large"),
        ("hold-during(0, 10000000000000000000, p)", "too large"),
        ("x" * 10_000_000, "10,000,000 characters"),
        ("%" * LENGTH_LIMIT, "unexpected '%'"),
        ("x" * (LENGTH_LIMIT - 1) + "(", "ends too early"),
        ('"\\' * (LENGTH_LIMIT // 2), "is not closed"),
        ("(" * 10_001 + '\\"' * 10_000, "nested more than"),
        ("(" * 20_000, "nested more than"),
        (")" * LENGTH_LIMIT, "closes nothing"),
        ("\x00", "unexpected"),
        ("\ud800\udfff" * 100, "unexpected"),
    ],
)
def test_hostile_text_fails_quickly_and_clearly(text: str, what: str) -> None:
    parse_formula("p()")
    start = time.process_time()
    error = error_of(text)
    assert time.process_time() - start < 20
    assert what in error.what
    assert len(str(error)) < 1000


def test_a_text_is_read_up_to_its_limit_and_not_beyond() -> None:
    longest = "p()".ljust(LENGTH_LIMIT)
    assert parse_formula(longest) == parse_formula("p()")
    assert error_of(longest + " ").expected == f"at most {LENGTH_LIMIT:,}"


def test_an_absurdly_long_name_is_shortened() -> None:
    assert len(str(error_of(f"on({'x' * 50_000})", HOME))) < 1000
    assert len(str(error_of(f"{'x' * 50_000}()", HOME))) < 1000


@pytest.mark.parametrize(
    ("text", "column", "what", "mend"),
    [
        ("sleep", 6, "ends too early", "even without arguments: sleep()"),
        ("sleep then p()", 7, "unexpected 'then'", "even without arguments: sleep()"),
        ("p(a) & q(b)", 6, "unexpected '&'", "write 'and' instead"),
        ("!p(a)", 1, "unexpected '!'", "write 'not' instead"),
        ("p() THEN q()", 5, "unexpected 'THEN'", "write a connective between ')' and 'THEN'"),
        ("(p() then q()) and r()", 2, "'and' cannot join a 'then'", "default dialect"),
        ("exists x, y. (p(x))", 9, "unexpected ','", "full stop after 'x'"),
        ("p(a) -> q(b)", 6, "unexpected '->'", None),
        ("F(p())", 4, "unexpected '('", None),
        ("true", 5, "ends too early", "even without arguments: true()"),
    ],
)
def test_the_published_grammar_is_read_and_nothing_else(
    text: str, column: int, what: str, mend: str | None
) -> None:
    with pytest.raises(ParseError) as caught:
        parse_formula(text, dialect="eai")
    assert what in caught.value.what
    assert caught.value.column == column
    assert (mend or "") in (caught.value.mend or "")


def test_places_are_those_of_the_text_as_it_was_written() -> None:
    assert error_of("\uff50\uff08\uff41\uff09 ∧ ﬁ ﬁ").column == 10
    with pytest.raises(ParseError) as caught:
        parse_formula("GFa & XX(b %)", dialect="spot")
    assert caught.value.column == 12


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("default", "on(tv.1) and next flying(tv.1)"),
        ("spot", "Fflying(tv.1)"),
        ("spot", "sleep() & GFflying(tv.1)"),
        ("spot", "sleep() & XXGflying(tv.1) | sleep()"),
        ("spot", "X[!]flying(tv.1)"),
        ("spot", "  G(sleep() && Fflying(tv.1))"),
        ("spot", "G F flying(tv.1)"),
        ("prefix", "& G flying(tv.1) sleep"),
        ("prefix", "U sleep F flying(tv.1)"),
        ("lower", "g (sleep() u flying(tv.1))"),
        ("lower", "x  flying(tv.1)"),
    ],
)
def test_an_unknown_name_has_its_place_in_every_dialect(dialect: Dialect, text: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_formula(text, dialect=dialect, vocabulary=HOME)
    assert caught.value.column == text.index("flying") + 1


def test_the_deepest_nesting_is_read() -> None:
    text = "(" * (NESTING_LIMIT - 1) + "p()" + ")" * (NESTING_LIMIT - 1)
    assert parse_formula(text) == parse_formula("p()")
    assert parse_formula("not " * (NESTING_LIMIT - 1) + "p()") is not None


@pytest.mark.parametrize(
    ("text", "dialect"),
    [("F & a F b", "prefix"), ("g (a -> f b)", "lower"), ("a u b", "lower")],
)
def test_a_dialect_that_reads_the_text_is_named(text: str, dialect: str) -> None:
    assert repr(dialect) in (error_of(text).mend or "")


def test_no_dialect_is_named_where_the_names_are_known() -> None:
    assert "dialect" not in (error_of("a u b", HOME).mend or "")


@pytest.mark.parametrize(
    ("text", "place"), [("F & a", 4), ("& a b c", 6), ("U a )", 4), ("", 0), ("G" * 400, 0)]
)
def test_operands_that_are_missing_or_left_over_are_named_with_their_place(
    text: str, place: int
) -> None:
    with pytest.raises(ParseError) as caught:
        parse_formula(text, dialect="prefix")
    assert caught.value.position == place


@pytest.mark.parametrize("before", ["", "(p()) or " * 300, 'q("((((", ")(") or ' * 3])
def test_the_first_bracket_that_is_too_deep_is_the_place(before: str) -> None:
    text = before + "(" * (NESTING_LIMIT + 5) + "p()" + ")" * (NESTING_LIMIT + 5)
    with pytest.raises(ParseError) as refused:
        parse_formula(text)
    assert refused.value.position == len(before) + NESTING_LIMIT
