"""Steps that are taken several times or only in some case, and lists that a program changes."""

from __future__ import annotations

import pytest

import eai
from eai.answers import read_answer
from eai.task import Vocabulary

NAMES = eai.suite("household").task("studio-02").readable
A, B = "walk(light.34)", "switchon(light.34)"


def steps(text: str) -> list[str]:
    return [str(step) for step in read_answer(text, NAMES).steps]


@pytest.mark.parametrize(
    ("mark", "count"), [("twice", 2), ("(x3)", 3), ("x 2", 2), ("\u00d72", 2), ("four times.", 4)]
)
def test_a_step_is_taken_as_often_as_its_line_says(mark: str, count: int) -> None:
    assert steps(f"1. {A} {mark}\n2. {B}") == [A] * count + [B]
    assert steps(f'["{A} {mark}", "{B}"]') == [A] * count + [B]


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
