"""Comparisons of numbers in formulas mean what the same formulas over facts mean."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st
from list_trajectory import ListTrajectory
from strategies import OBJECTS, trajectories
from strategies_formulas import all_formulas

from eai.errors import InputError, ParseError, SchemaError
from eai.logic import (
    Arithmetic,
    Atom,
    Equal,
    Eventually,
    Formula,
    LogicVocabulary,
    Next,
    Not,
    NumericCondition,
    Then,
    Variable,
    evaluate,
    explain,
    format_formula,
    format_number,
    parse_formula,
    truth,
)
from eai.logic.numeric import (
    Expression,
    compares_numbers,
    decimal_places,
    exact,
    function_terms,
    generalized,
    numeric_terms,
    substituted,
)
from eai.logic.trace import TrajectoryPart

FEW = settings(max_examples=100)
HIGH, LOW = 3, Fraction(1, 2)
"""Values of a function where the fact of the same name is true, and where it is false."""


class NumberTrajectory(ListTrajectory):
    """A trajectory whose facts are kept as numbers: ``clean(cup) >= 2`` where cup is clean."""

    def value(self, expression: Expression, position: int) -> Fraction:
        if isinstance(expression, Atom):
            if expression.predicate == "two":
                return Fraction(2)
            fact = (expression.predicate, *map(str, expression.terms))
            return Fraction(HIGH if fact in self.states[position] else LOW)
        if not isinstance(expression, Arithmetic):
            return Fraction(expression)
        first, *others = [self.value(operand, position) for operand in expression.operands]
        if not others:
            return -first
        (second,) = others
        results = {"+": first + second, "-": first - second, "*": first * second}
        return results[expression.sign]

    def numeric_history(self, condition: Formula) -> int:
        assert isinstance(condition, NumericCondition)
        vector = 0
        for position in range(self.length):
            left = self.value(condition.left, position)
            right = self.value(condition.right, position)
            comparisons = {
                "<": left < right,
                "<=": left <= right,
                "=": left == right,
                ">=": left >= right,
                ">": left > right,
            }
            vector |= comparisons[condition.sign] << position
        return vector


def number_form(fact: Formula) -> Formula:
    """Return the comparison of numbers that is true where a fact is."""
    if not isinstance(fact, Atom):
        return fact
    if fact.predicate == "dark":
        return NumericCondition("=", fact, HIGH)
    if fact.predicate == "clean":
        shifted = Arithmetic("-", (Arithmetic("*", (fact, 2)), 1))
        return NumericCondition(">=", Arithmetic("+", (shifted, LOW)), 4)
    (first, second) = fact.terms
    negative = Arithmetic("-", (Atom("near", (first, second)),))
    return NumericCondition("<", negative, Arithmetic("-", (Atom("two", (second,)),)))


def numbered(formula: Formula) -> Formula:
    return formula.map_leaves(number_form)


def with_numbers(trajectory: ListTrajectory) -> NumberTrajectory:
    return NumberTrajectory(trajectory.types, trajectory.states, trajectory.actions)


@FEW
@given(all_formulas(depth=2), trajectories())
def test_comparisons_are_evaluated_like_facts(formula: Formula, trajectory: ListTrajectory) -> None:
    numbers = with_numbers(trajectory)
    assert evaluate(numbered(formula), numbers).holds == evaluate(formula, trajectory).holds
    if not formula.has_then:
        assert truth(numbered(formula), numbers) == truth(formula, trajectory)


@FEW
@given(all_formulas(depth=2), trajectories())
def test_comparisons_are_blamed_like_facts(formula: Formula, trajectory: ListTrajectory) -> None:
    expected = explain(formula, trajectory)
    found = explain(numbered(formula), with_numbers(trajectory))
    assert found.holds == expected.holds
    blamed = {(fact.atom, fact.position, fact.holds) for fact in found.blamed}
    facts = {(number_form(fact.atom), fact.position, fact.holds) for fact in expected.blamed}
    assert blamed == facts


@FEW
@given(all_formulas(depth=2), st.sampled_from(sorted(OBJECTS)), st.sampled_from(["x", "y"]))
def test_objects_take_the_place_of_variables_in_comparisons(
    formula: Formula, name: str, variable: str
) -> None:
    for node in formula.walk():
        binding = {variable: name}
        assert numbered(node.substitute(binding)) is numbered(node).substitute(binding)
        assert numbered(node).free_names == node.free_names


def test_a_trajectory_without_numbers_is_refused() -> None:
    condition = NumericCondition(">", Atom("fuel"), 1)
    with pytest.raises(InputError):
        evaluate(condition, ListTrajectory((), [[]]))


# ---- expressions

X, Y = Variable("x"), Variable("y")
NUMBERS = st.integers(-9, 9) | st.fractions(-9, 9, max_denominator=50)
TERMS = st.sampled_from(["cup", "box", X, Y])
FUNCTIONS = st.just(Atom("fuel")) | st.builds(
    Atom, st.sampled_from(["load", "fuel"]), st.lists(TERMS, min_size=1, max_size=2).map(tuple)
)


def arithmetic(part: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    signs = st.sampled_from(["+", "-", "*", "/"])
    several = st.lists(part, min_size=2, max_size=3).map(tuple)
    minus = st.builds(Arithmetic, st.just("-"), st.tuples(part))
    return st.builds(Arithmetic, signs, several) | minus


EXPRESSIONS = st.recursive(NUMBERS | FUNCTIONS, arithmetic, max_leaves=5)
CONDITIONS = st.builds(
    NumericCondition, st.sampled_from(["<", "<=", "=", ">=", ">"]), EXPRESSIONS, EXPRESSIONS
)


def replaced(expression: Expression, names: Mapping[object, object]) -> Expression:
    """Return an expression over other terms, by its definition."""
    if isinstance(expression, Atom):
        terms = [names.get(term, term) for term in expression.terms]
        return Atom(expression.predicate, tuple(terms))  # type: ignore[arg-type]
    if isinstance(expression, Arithmetic):
        operands = [replaced(operand, names) for operand in expression.operands]
        return Arithmetic(expression.sign, tuple(operands))
    return expression


def listed(expression: Expression) -> list[Atom]:
    """Return the function terms from left to right, by their definition."""
    if isinstance(expression, Atom):
        return [expression]
    if isinstance(expression, Arithmetic):
        return [term for operand in expression.operands for term in listed(operand)]
    return []


@FEW
@given(CONDITIONS)
def test_terms_of_a_comparison_are_those_of_both_sides_in_reading_order(
    condition: NumericCondition,
) -> None:
    functions = listed(condition.left) + listed(condition.right)
    assert list(condition.function_terms) == functions
    assert list(numeric_terms(condition)) == functions
    assert list(condition.terms) == [term for function in functions for term in function.terms]
    assert condition.with_terms(condition.terms) is condition
    assert compares_numbers(condition)
    assert not compares_numbers(Atom("fuel"))


@FEW
@given(EXPRESSIONS)
def test_terms_of_an_expression_are_replaced_in_place(expression: Expression) -> None:
    assert substituted(expression, {"x": "pan"}) == replaced(expression, {X: "pan"})
    assert generalized(expression, {"cup": Y}) == replaced(expression, {"cup": Y})
    assert list(function_terms(expression)) == listed(expression)


@FEW
@given(CONDITIONS)
def test_text_of_a_comparison_has_both_sides_with_every_operation_in_parentheses(
    condition: NumericCondition,
) -> None:
    def text(expression: Expression) -> str:
        if isinstance(expression, Atom):
            return format_formula(expression)
        if not isinstance(expression, Arithmetic):
            return format_number(expression)
        operands = [text(operand) for operand in expression.operands]
        if len(operands) == 1:
            return f"({expression.sign}{operands[0]})"
        return "(" + f" {expression.sign} ".join(operands) + ")"

    # A function without arguments is written as a name: with parentheses it would be a fact.
    written = str(condition).replace("fuel()", "fuel")
    left, right = text(condition.left), text(condition.right)
    assert written == f"{left} {condition.sign} {right}".replace("fuel()", "fuel")


# ---- numbers as text


@settings(max_examples=300)
@given(st.fractions(-(10**6), 10**6, max_denominator=10**5) | st.integers())
def test_the_text_of_a_number_is_the_number(value: Fraction | int) -> None:
    text = format_number(value)
    assert Fraction(text) == value
    places = decimal_places(Fraction(value))
    if places is None:
        assert text == str(value)
        assert "/" in text
        return
    whole, point, digits = text.partition(".")
    assert whole.lstrip("-").isdigit()
    assert len(digits) == places
    assert bool(point) == bool(places)
    # None of the digits could be left out.
    assert not digits.endswith("0")


@pytest.mark.parametrize(
    ("value", "places"),
    [
        (Fraction(3), 0),
        (Fraction(1, 2), 1),
        (Fraction(1, 5), 1),
        (Fraction(-1, 8), 3),
        (Fraction(1, 125), 3),
        (Fraction(7, 400), 4),
        (Fraction(1, 3), None),
        (Fraction(1, 30), None),
    ],
)
def test_decimal_places_are_the_digits_behind_the_point(
    value: Fraction, places: int | None
) -> None:
    assert decimal_places(value) == places


@pytest.mark.parametrize("value", [Fraction(10) ** 1500, Fraction(1, 2**5000), -(10**1500)])
def test_numbers_of_very_many_digits_are_not_written_out(value: Fraction | int) -> None:
    assert len(format_number(value)) < 40


@pytest.mark.parametrize("bits", [100, 3_000, 4_000])
def test_long_numbers_are_written_out(bits: int) -> None:
    value = 1 << bits - 1
    assert int(format_number(value)) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_an_exact_number_is_what_is_written(value: float) -> None:
    assert exact(value) == Fraction(repr(value))


# ---- notation

VOCABULARY = LogicVocabulary(
    predicates={"open": 1},
    objects={"car": "object", "bus": "object"},
    functions={"fuel": 1, "time": 0},
)
PARSED_NUMBERS = st.integers(0, 99) | st.fractions(0, 99).map(lambda value: round(value, 2))
PARSED_FUNCTIONS = st.sampled_from([Atom("time"), Atom("fuel", ("car",)), Atom("fuel", ("bus",))])


@FEW
@given(st.sampled_from(["<", "<=", "=", ">=", ">"]), PARSED_FUNCTIONS, PARSED_NUMBERS)
def test_a_comparison_with_a_number_is_read_as_it_is_written(
    sign: str, function: Atom, number: Fraction | int
) -> None:
    condition = NumericCondition(sign, function, number)  # type: ignore[arg-type]
    text = format_formula(condition)
    parsed = parse_formula(text, vocabulary=VOCABULARY)
    assert isinstance(parsed, NumericCondition)
    assert (parsed.sign, parsed.left, parsed.right) == (sign, function, number)


@pytest.mark.parametrize("sign", ["<", "<=", ">=", ">"])
def test_a_comparison_of_two_functions_is_read_as_it_is_written(sign: str) -> None:
    text = f"fuel(car) {sign} fuel(bus)"
    parsed = parse_formula(text, vocabulary=VOCABULARY)
    left, right = Atom("fuel", ("car",)), Atom("fuel", ("bus",))
    assert parsed is NumericCondition(sign, left, right)  # type: ignore[arg-type]


def test_whole_numbers_are_whole_and_others_exact() -> None:
    whole = parse_formula("fuel(car) >= 2.0")
    assert isinstance(whole, NumericCondition)
    assert type(whole.right) is int
    tenth = parse_formula("fuel(car) >= 0.1")
    assert isinstance(tenth, NumericCondition)
    assert tenth.right == Fraction(1, 10)


@pytest.mark.parametrize(
    "text", ["feul(car) > 1", "fuel(car, bus) > 1", "fuel > 1", "fuel(cart) > 1", "time(car) > 1"]
)
def test_functions_are_checked_against_the_vocabulary(text: str) -> None:
    parse_formula(text)
    with pytest.raises((SchemaError, ParseError)):
        parse_formula(text, vocabulary=VOCABULARY)


def test_functions_are_found_whatever_the_case_of_their_letters() -> None:
    parsed = parse_formula("FUEL(Car) > 1", vocabulary=VOCABULARY)
    assert parsed is NumericCondition(">", Atom("fuel", ("car",)), 1)


def test_a_name_with_an_equals_sign_is_a_function_or_an_object() -> None:
    """Without arguments ``time`` may be either: what stands on the other side tells them apart."""
    names = LogicVocabulary({"p": 1}, objects=["time", "box", "3"], functions={"time": 0})
    assert parse_formula("time = 3", vocabulary=names) == NumericCondition("=", Atom("time"), 3)
    assert parse_formula("time = box", vocabulary=names) == Equal("time", "box")
    assert parse_formula("box = 3", vocabulary=names) == Equal("box", "3")
    plain = LogicVocabulary({"p": 1}, objects=["time", "3"])
    assert parse_formula("time = 3", vocabulary=plain) == Equal("time", "3")


def test_a_chain_compares_numbers_in_each_of_its_parts() -> None:
    """``level(cup.1)`` is high where cup.1 is clean, as in all tests here."""
    high = NumericCondition(">=", Atom("clean", ("cup.1",)), 2)
    chain = Then((Next(high), Eventually(Not(high)), high))
    facts = [{("clean", "cup.1")} if clean else set() for clean in (False, True, False, True, True)]
    whole = NumberTrajectory(OBJECTS, facts)
    verdicts = []
    for length in range(1, 6):
        part = NumberTrajectory(OBJECTS, facts[:length])
        plain = ListTrajectory(OBJECTS, facts[:length])
        fact = Atom("clean", ("cup.1",))
        as_facts = Then((Next(fact), Eventually(Not(fact)), fact))
        verdicts.append(evaluate(chain, part).holds)
        assert verdicts[-1] is evaluate(as_facts, plain).holds
    assert verdicts == [False, False, False, True, True]
    assert explain(chain, whole).holds
    assert TrajectoryPart(whole, 1, 4).numeric_history(high) == 0b101
