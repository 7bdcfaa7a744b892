"""The published notation of subgoals: its entries, its names, and its literals."""

from __future__ import annotations

import pytest

from eai.abilities.subgoals.literals import (
    BRACKETS,
    Names,
    flattened,
    listed_entries,
    parse_subgoals,
    parsed,
)
from eai.answers import LONGEST
from eai.diagnosis import ErrorKind, Finding
from eai.errors import ParseError
from eai.logic import And, Atom, Formula, Not, Or, Then
from eai.nesting import NESTING_LIMIT

ON, OFF, NEAR = Atom("on", ("lamp.1",)), Atom("off", ("lamp.1",)), Atom("near", ("cup", "box.2"))


@pytest.mark.parametrize(
    ("answer", "entries"),
    [
        ('{"output": ["a", " b "]}', ["a", "b"]),
        ('text {"output": []} more {"output": ["x"]}', []),
        ('{"outer": {"output": ["a"]}}', ["a"]),
        ('{"output": ["a"]}}', ["a"]),
    ],
)
def test_the_entries_are_those_of_the_first_braces(answer: str, entries: list[str]) -> None:
    assert listed_entries(answer) == entries


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "no braces",
        '{"out": ["a"]}',
        '{"output": "a"}',
        '{"output": {"a": 1}',
        '{"output": ["a", 1]}',
        '{"output": [1, 2]}',
        '{"output": [}',
        "{output: [a]}",
    ],
)
def test_what_is_no_list_of_texts_is_not_parseable(answer: str) -> None:
    found = listed_entries(answer)
    assert isinstance(found, Finding)
    assert found.kind is ErrorKind.PARSING


def test_entries_are_joined_in_order() -> None:
    assert parsed(["on(lamp.1)", "near(cup, box.2) and off(lamp.1)"]) == Then(
        (ON, And((NEAR, OFF)))
    )
    assert parsed(["on(lamp.1)"]) == ON
    wrong = parsed(["on(lamp.1)", "on("])
    assert isinstance(wrong, Finding)
    assert wrong.kind is ErrorKind.PARSING


@pytest.mark.parametrize(
    ("formula", "literals"),
    [
        (ON, [ON]),
        (Not(ON), [Not(ON)]),
        (And((ON, Not(NEAR))), [ON, Not(NEAR)]),
        (Then((ON, And((NEAR, OFF)), ON)), [ON, NEAR, OFF, ON]),
        (Or((ON, NEAR)), [ON]),
        (Then((Or((NEAR, ON)), Or((And((OFF, ON)), NEAR)))), [NEAR, OFF, ON]),
        (Not(Not(Not(ON))), [Not(ON)]),
    ],
)
def test_literals_stand_in_the_order_of_the_text(formula: Formula, literals: list[Formula]) -> None:
    assert flattened(formula) == tuple(literals)


@pytest.mark.parametrize("formula", [Not(And((ON, OFF))), Not(Not(ON)), Not(Or((ON, OFF)))])
def test_what_has_no_literals_is_not_parseable(formula: Formula) -> None:
    found = flattened(formula)
    assert isinstance(found, Finding)
    assert found.kind is ErrorKind.PARSING


OBJECTS = {"lamp.1": "lamp.1", "cup": "cup.7", "box.2": "box.2"}
NAMES = Names({"on": 1, "near": 2, "odd": None, "grab": 1}, OBJECTS.get)


def checked(formula: Formula, names: Names = NAMES) -> ErrorKind | None:
    found = names.check(formula)
    return None if found is None else found.kind


@pytest.mark.parametrize(
    ("formula", "kind"),
    [
        (ON, None),
        (And((ON, NEAR)), None),
        (Then((ON, NEAR)), None),
        (Atom("on", ("cup", "cup")), ErrorKind.ARGUMENT_NUMBER),
        (Atom("near", ("cup",)), ErrorKind.ARGUMENT_NUMBER),
        (Atom("fly", ("cup",)), ErrorKind.ACTION_HALLUCINATION),
        (Atom("ON", ("cup",)), ErrorKind.ACTION_HALLUCINATION),
        (Atom("on", ("moon",)), ErrorKind.OBJECT_HALLUCINATION),
        (Atom("odd", ("cup",)), ErrorKind.PARSING),
        (And((ON, Then((ON, NEAR)))), ErrorKind.PARSING),
        (And((Then((ON, NEAR)), Then((NEAR, ON)))), None),
        # An unknown name counts before a number of objects, that before an unknown object.
        (
            And((Atom("on", ("moon",)), Atom("on", ()), Atom("fly", ()))),
            ErrorKind.ACTION_HALLUCINATION,
        ),
        (And((Atom("on", ("moon",)), Atom("on", ()))), ErrorKind.ARGUMENT_NUMBER),
        (And((ON, Then((ON, Atom("fly", ()))))), ErrorKind.ACTION_HALLUCINATION),
    ],
)
def test_the_first_thing_that_is_wrong_is_named(formula: Formula, kind: ErrorKind | None) -> None:
    assert checked(formula) is kind


def test_names_may_be_folded_and_some_are_looked_at_last() -> None:
    folded = Names(NAMES.arities, OBJECTS.get, fold=True)
    assert checked(Atom("ON", ("cup",)), folded) is None
    both = And((Atom("grab", ()), Atom("on", ())))
    first, later = NAMES.check(both), Names(NAMES.arities, OBJECTS.get, later={"grab"}).check(both)
    assert first is not None
    assert later is not None
    assert "grab" in first.action
    assert "on" in later.action
    assert (NAMES.key("On"), folded.key("On")) == ("On", "on")


def test_brackets_and_characters_are_counted() -> None:
    assert parse_subgoals("(" * BRACKETS + "on(lamp.1)" + ")" * BRACKETS) == ON
    with pytest.raises(ParseError):
        parse_subgoals("(" * (BRACKETS + 1) + "on(lamp.1)" + ")" * (BRACKETS + 1))
    text = "on(lamp.1)"
    assert parse_subgoals(text + " " * (LONGEST - len(text))) == ON
    with pytest.raises(ParseError):
        parse_subgoals(text + " " * (LONGEST - len(text) + 1))


def test_negations_are_read_up_to_a_depth() -> None:
    deepest = parse_subgoals("not " * NESTING_LIMIT + "on(lamp.1)")
    assert sum(isinstance(part, Not) for part in deepest.walk()) == NESTING_LIMIT
    with pytest.raises(ParseError):
        parse_subgoals("not " * (NESTING_LIMIT + 1) + "on(lamp.1)")


@pytest.mark.parametrize("number", [2, NESTING_LIMIT, NESTING_LIMIT + 1, 3 * NESTING_LIMIT])
def test_negations_and_brackets_beside_each_other_are_not_inside_each_other(number: int) -> None:
    negated = " and ".join(["not on(lamp.1)"] * number)
    assert parse_subgoals(negated) == And((Not(ON),) * number)
    bracketed = " or ".join(["(on(lamp.1) and off(lamp.1))"] * number)
    assert parse_subgoals(bracketed) == Or((And((ON, OFF)),) * number)
    tried = " and ".join(["(not (on(lamp.1)))"] * number)
    assert parse_subgoals(tried) == And((Not(ON),) * number)
