"""How long, how deep and how many: limits of the readers, reached exactly."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from recorded_readings import GOAL_NAMES, SUBGOAL_NAMES

from eai.abilities import read_goals, read_subgoals
from eai.abilities.subgoals.items import SubgoalGrammar


def is_read(answer: str) -> bool:
    """Whether subgoals are read out of an answer."""
    reading = read_subgoals(answer, SUBGOAL_NAMES)
    return bool(reading.subgoals) and not reading.problems


def in_lists(depth: int) -> str:
    return "[" * depth + '"on(cup.2)", "drink(cup.3)"' + "]" * depth


def in_objects(depth: int) -> str:
    return '{"a": ' * depth + '["on(cup.2)"]' + "}" * depth


def in_conjunctions(depth: int) -> str:
    text = '"on(cup.2)"'
    for _ in range(depth):
        text = f'{{"all": [{text}, "drink(cup.3)"]}}'
    return f"[{text}]"


def numbered(number: int) -> str:
    return "\n".join(f"{place}. on(cup.2)" for place in range(1, number + 1))


def in_a_line(length: int) -> str:
    return "on(cup.2) and".ljust(length - 9) + "on(cup.3)"


@pytest.mark.parametrize(
    ("write", "most"),
    [(in_lists, 12), (in_objects, 11), (in_conjunctions, 11), (numbered, 1000), (in_a_line, 4000)],
)
def test_subgoals_are_read_up_to_a_limit(write: Callable[[int], str], most: int) -> None:
    assert is_read(write(1 if write is not in_a_line else 40))
    assert is_read(write(most))
    assert not is_read(write(most + 1))


def test_all_subgoals_are_read_up_to_the_limit() -> None:
    assert len(read_subgoals(numbered(1000), SUBGOAL_NAMES).subgoals) == 1000
    assert read_subgoals(numbered(1001), SUBGOAL_NAMES).subgoals == ()


@pytest.mark.parametrize("text", ["on cup.2", "ON cup.2 and then DRINK cup.3"])
def test_words_are_read_up_to_four_thousand_characters(text: str) -> None:
    grammar = SubgoalGrammar(SUBGOAL_NAMES, lambda _: [])
    literals = grammar.literal_in_words(text)
    assert literals is not None
    assert grammar.literal_in_words(text.ljust(4000)) == literals
    assert grammar.literal_in_words(text.ljust(4001)) is None


@pytest.mark.parametrize(("length", "texts"), [(4000, ["on(cup.2)"]), (4001, ["on cup.2"])])
def test_words_in_a_list_are_read_up_to_four_thousand_characters(
    length: int, texts: list[str]
) -> None:
    answer = json.dumps(["on".ljust(length - 5) + "cup.2", "drink(cup.3)"])
    reading = read_subgoals(answer, SUBGOAL_NAMES)
    found = [" ".join(each.text.split()) for each in reading.subgoals]
    assert found == [*texts, "drink(cup.3)"]


@pytest.mark.parametrize(("length", "is_aside"), [(6, True), (39, True), (40, False)])
def test_labels_of_explanations_have_fewer_than_forty_characters(
    length: int, is_aside: bool
) -> None:
    grammar = SubgoalGrammar(SUBGOAL_NAMES, lambda _: [])
    assert grammar.is_aside(f"{'Reason'.ljust(length)}: it is dark") is is_aside
    assert not grammar.is_aside(f"{'Lamp'.ljust(length)}: it is dark")
    assert not grammar.is_aside(f"{'Reason'.ljust(length)}: **")  # it explains nothing


@pytest.mark.parametrize("number", [1, 9, 10, 11, 13])
def test_ten_keys_beside_a_list_are_named(number: int) -> None:
    keys = {f"k{place}": "see" for place in range(number)}
    reading = read_subgoals(json.dumps({"output": ["on(cup.2)"], **keys}), SUBGOAL_NAMES)
    [note] = reading.notes
    assert [key for key in keys if f"'{key}'" in note] == list(keys)[:10]


def test_four_hundred_characters_of_negations_belong_to_a_literal() -> None:
    [subgoal] = read_subgoals("not " * 100 + "on(cup.2)", SUBGOAL_NAMES).subgoals
    assert subgoal.text == "not " * 100 + "on(cup.2)"
    reading = read_subgoals("not " * 101 + "on(cup.2)", SUBGOAL_NAMES)
    assert [each.text for each in reading.subgoals] != ["not " * 101 + "on(cup.2)"]


@pytest.mark.parametrize(("length", "number"), [(200, 1), (20_000, 1), (20_001, 0)])
def test_goals_are_read_in_a_text_of_so_many_characters(length: int, number: int) -> None:
    text = "ON(lamp)".ljust(length - 1) + "."
    assert len(text) == length
    assert len(read_goals(text, GOAL_NAMES).goals) == number


@pytest.mark.parametrize("number", [1, 500])
def test_any_number_of_blanks_stands_between_a_negation_and_its_goal(number: int) -> None:
    [goal] = read_goals(f"not{' ' * number}ON(lamp)", GOAL_NAMES).goals
    assert str(goal) == "not ON(lamp)"


def test_many_goals_of_one_line_have_each_its_own_negation() -> None:
    goals = read_goals("ON(lamp), not ON(lamp), " * 200, GOAL_NAMES).goals
    assert [str(goal) for goal in goals[:4]] == ["ON(lamp)", "not ON(lamp)"] * 2


@pytest.mark.parametrize(
    ("answer", "texts"),
    [
        ('[{"a": "on(cup.2)", "b": "drink(cup.3)"}]', ["on(cup.2)"]),
        ('[{"a": "on(cup.2)", "goal": "drink(cup.3)"}]', ["drink(cup.3)"]),
        ('[{"any": ["on(cup.2)", "drink(cup.3)"]}]', ["on(cup.2) or drink(cup.3)"]),
        ('[{"all": ["on(cup.2)", "drink(cup.3)"]}]', ["on(cup.2) and drink(cup.3)"]),
        ('[{"not": "on(cup.2)"}]', ["not (on(cup.2))"]),
        (
            '[{"step": 2, "goal": "on(cup.2)"}, {"step": 1, "goal": "on(cup.3)"}]',
            ["on(cup.3)", "on(cup.2)"],
        ),
        ('[["on", "cup.2"], ["not", "on", "cup.3"]]', ["on(cup.2)", "not on(cup.3)"]),
        ('{"step 2": "on(cup.2)", "step 1": "on(cup.3)"}', ["on(cup.3)", "on(cup.2)"]),
        ('[{"predicate": "on", "arguments": ["cup.2"], "value": false}]', ["not on(cup.2)"]),
        ('[{"predicate": "on", "arguments": ["cup.2"], "negated": true}]', ["not on(cup.2)"]),
        ('[{"predicate": "on", "arguments": ["cup.2"], "value": true}]', ["on(cup.2)"]),
        ('[{"on": "cup.2", "next_to": "me.1, lamp.3"}]', ["on(cup.2) and next_to(me.1, lamp.3)"]),
        ("on(cup.2) and\ndrink(cup.3)", ["on(cup.2) and drink(cup.3)"]),
        ("1. on(cup.2) -> drink(cup.3)", ["on(cup.2)", "drink(cup.3)"]),
        ("2. on(cup.2)\n1. drink(cup.3)", ["drink(cup.3)", "on(cup.2)"]),
        ("2. on(cup.2)\n4. drink(cup.3)", ["on(cup.2)", "drink(cup.3)"]),
        ("4. on(cup.2)\n2. drink(cup.3)", ["on(cup.2)", "drink(cup.3)"]),
    ],
)
def test_subgoals_in_parts_are_put_together(answer: str, texts: list[str]) -> None:
    reading = read_subgoals(answer, SUBGOAL_NAMES)
    assert [each.text for each in reading.subgoals] == texts
