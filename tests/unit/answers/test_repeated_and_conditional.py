"""Steps that are taken several times or only in some case, and lists that a program changes."""

from __future__ import annotations

import json

import pytest

import eai
from eai.answers import read_answer
from eai.task import Vocabulary

NAMES = eai.suite("household").task("studio-02").readable
A, B = "walk(light.34)", "switchon(light.34)"


def steps(text: str) -> list[str]:
    return [str(step) for step in read_answer(text, NAMES).steps]


@pytest.mark.parametrize("mark", ["twice", "(x3)", "x 2", "\u00d72", "four times."])
def test_a_step_that_is_taken_several_times_is_a_problem(mark: str) -> None:
    assert read_answer(f"1. {A} {mark}\n2. {B}", NAMES).problems
    assert read_answer(f'["{A} {mark}", "{B}"]', NAMES).problems


@pytest.mark.parametrize(
    "row",
    [
        "| 1 | walk x2 | light.34 | |",
        "| 1 | walk | light.34 | (twice) |",
        "| 1 | walk(light.34) (2 times) | | |",
    ],
)
def test_a_row_of_a_table_that_is_taken_several_times_is_a_problem(row: str) -> None:
    head = "| No | Action | Object | Note |\n|---|---|---|---|\n"
    last_row = "| 2 | switchon | light.34 | the bell rings twice |"
    assert read_answer(f"{head}{row}\n{last_row}", NAMES).problems
    assert not read_answer(f"{head}| 1 | walk | light.34 | |\n{last_row}", NAMES).problems


def test_a_column_that_says_how_often_a_row_is_taken_is_a_problem() -> None:
    head = "| Action | Object | Times |\n|---|---|---|\n| walk | light.34 | 1 |\n"
    assert read_answer(f"{head}| switchon | light.34 | 3 |", NAMES).problems
    assert read_answer(f"{head}| switchon | light.34 | many times |", NAMES).problems
    assert not read_answer(f"{head}| switchon | light.34 | 1 |", NAMES).problems


def test_an_unknown_number_of_times_is_a_problem() -> None:
    assert read_answer(f"1. {A} several times\n2. {B}", NAMES).problems
    assert read_answer(
        f'[{{"action": "walk", "object": "light.34", "repeat": 3}}, "{B}"]', NAMES
    ).problems


def test_an_object_may_be_named_like_a_number_of_times() -> None:
    answer = "1. (move x1 x2)\n2. (move x2 x1)"
    names = Vocabulary({"move": 2}, {}, frozenset({"x1", "x2"}))
    read_steps = read_answer(answer, names).steps
    assert [step.arguments for step in read_steps] == [("x1", "x2"), ("x2", "x1")]


@pytest.mark.parametrize("word", ["Otherwise:", "Else:"])
def test_the_other_branch_of_a_condition_is_a_problem(word: str) -> None:
    assert read_answer(f"1. {A}\n   {word} walk(fridge.40)\n2. {B}", NAMES).problems


@pytest.mark.parametrize(
    "condition",
    [
        "If it is dark, ",
        "In case the light is off, ",
        "Should the light be off, ",
        "Unless it is on, ",
        "If not, ",
        "Perhaps ",
        "Wait until it is dark, then ",
        "If the light is off: ",
    ],
)
def test_a_step_that_is_taken_in_some_case_is_a_problem(condition: str) -> None:
    walk, switch = "Walk to the light.", "switch on the light."
    for mark in ("{}. ", "- "):
        lines = [walk, f"{condition}{switch}", "Open the fridge."]
        text = "\n".join(mark.format(number) + line for number, line in enumerate(lines, start=1))
        assert read_answer(text, NAMES).problems, text


@pytest.mark.parametrize(
    "text",
    [
        f"1. {A}\n2. If the light is on, open the fridge.\nOtherwise, walk to the fridge.\n3. {B}",
        f"1. {A}\n2. {B}\nOr else, walk to the fridge.",
        f"1. {A}\n2. {B}\n   - if it stays dark, walk to the fridge",
        f"1. If the light is on, open the fridge.\nOtherwise, walk to the light.\n2. {B}",
    ],
)
def test_neither_branch_of_a_condition_is_dropped(text: str) -> None:
    assert read_answer(text, NAMES).problems


@pytest.mark.parametrize(
    "sentence",
    [
        "If you like, I can open the fridge too.",
        "Unless I am mistaken, that is all.",
        "Otherwise, feel free to ask.",
        "If the light is on, you are done.",
    ],
)
def test_a_condition_around_a_plan_leaves_it(sentence: str) -> None:
    plan = f"1. {A}\n2. {B}"
    for text in (f"{sentence}\n\n{plan}", f"{plan}\n\n{sentence}"):
        assert steps(text) == [A, B]
        assert not read_answer(text, NAMES).problems


def test_a_pronoun_is_no_object_of_the_next_clause() -> None:
    read_steps = steps("Walk to the fridge, open it and, if there is milk, grab the milk.")
    assert read_steps[1] == "open(fridge)"


@pytest.mark.parametrize(
    "code",
    [
        "for action in reversed(todo):\n    act(action)",
        "act(todo[::-1])",
        "todo.reverse()\nact(todo)",
        f"todo.remove('{A}')\nact(todo)",
        "del todo[0]\nact(todo)",
    ],
)
def test_a_list_that_a_program_changes_is_a_problem(code: str) -> None:
    assert read_answer(f"```python\ntodo = ['{A}', '{B}']\n{code}\n```", NAMES).problems


@pytest.mark.parametrize(
    "code", ["for action in todo:\n    act(action)", "print(todo[0])", "print(len(todo))"]
)
def test_a_list_that_a_program_only_reads_is_the_plan(code: str) -> None:
    reading = read_answer(f"```python\ntodo = ['{A}', '{B}']\n{code}\n```", NAMES)
    assert [str(step) for step in reading.steps] == [A, B]
    assert not reading.problems


@pytest.mark.parametrize(
    "line",
    [
        "If the owner agrees, {}",
        "If the owner agrees: {}",
        "Depending on the weather, {}",
        "Provided that it rains, {}",
        "Optional: {}",
        "Falls es regnet, {}",
        "\u5982\u679c\u4e0b\u96e8\uff0c{}",
        "{} if the owner agrees",
        "{} (only if it rains)",
        "{}, provided it rains",
        "{} (optional)",
        "{} or do nothing",
    ],
)
@pytest.mark.parametrize("bullet", ["{}. ", "- "])
def test_a_condition_on_a_step_is_a_problem(line: str, bullet: str) -> None:
    lines = [A, line.format(B), A]
    text = "\n".join(bullet.format(number) + each for number, each in enumerate(lines, 1))
    assert read_answer(text, NAMES).status == "partial"


@pytest.mark.parametrize(
    "line",
    [
        "{} (not optional)",
        "{} so that I know what to do if it rains",
        "{} to see if it is on",
        "{} (if it were off, nobody could read)",
        "If you want to read, {}",
    ],
)
def test_what_only_explains_a_step_is_no_condition(line: str) -> None:
    assert steps(f"- {A}\n- {line.format(B)}") == [A, B]
    assert read_answer(f"- {A}\n- {line.format(B)}", NAMES).problems == ()


@pytest.mark.parametrize(
    ("key", "value", "otherwise"),
    [
        ("condition", "it rains", "always"),
        ("only_if", "it rains", ""),
        ("note", "only if it rains", "near"),
        ("optional", "yes", "no"),
        ("required", "no", "yes"),
    ],
)
def test_a_key_or_a_column_may_make_a_step_conditional(
    key: str, value: str, otherwise: str
) -> None:
    for said, status in ((value, "partial"), (otherwise, "clean")):
        rows = [{"action": A, key: otherwise}, {"action": B, key: said}]
        assert read_answer(json.dumps(rows), NAMES).status == status
        table = f"| Action | {key} |\n|---|---|\n| {A} | {otherwise} |\n| {B} | {said} |"
        assert read_answer(table, NAMES).status == status


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("keep", "no"),
        ("needed", "\u2717"),
        ("part of plan", "no"),
        ("omitted", "x"),
        ("decision", "reject"),
        ("note", "do not execute"),
        ("selected", "no"),
    ],
)
def test_a_key_or_a_column_may_take_a_step_out(key: str, value: str) -> None:
    assert steps(json.dumps([{"action": A}, {"action": B, key: value}])) == [A]
    assert steps(f"| Action | {key} |\n|---|---|\n| {A} | |\n| {B} | {value} |") == [A]


@pytest.mark.parametrize(
    "remark",
    [
        "This plan takes the blocks apart in the reverse order needed.",
        "The rest of the steps builds the stack from bottom to top.",
    ],
)
def test_an_order_of_things_is_none_of_the_steps(remark: str) -> None:
    assert steps(f"walk(light.34)\nswitchon(light.34)\n\n{remark}") == [A, B]


@pytest.mark.parametrize(
    "remark",
    ["The steps are listed in reverse order.", "Read the list from bottom to top."],
)
def test_a_list_that_is_said_to_be_in_reverse_order_is_not_clean(remark: str) -> None:
    assert read_answer(f"{remark}\nwalk(light.34)\nswitchon(light.34)", NAMES).problems
