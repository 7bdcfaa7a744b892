"""Whole steps amid words are read where no line or value gives a plan, unless words deny them."""

from __future__ import annotations

import pytest
from hypothesis import example, given, strategies as st

import eai
from eai.answers import read_answer
from eai.answers.document import open_document

NAMES = eai.suite("household").task("studio-02").readable
PLAN = ["WALK(fridge.40)", "OPEN(fridge.40)", "GRAB(juice.44)"]
A, B, C = PLAN


@pytest.mark.parametrize(
    "text",
    [
        f"Start with `{A}`, followed by `{B}`, and end with `{C}`.",
        f"I would begin with {A}, go on with {B}, and end with {C}.",
        f'echo "{A}"\necho "{B}"\necho "{C}"',
        f"* TODO {A}\n* TODO {B}\n* TODO {C}",
    ],
)
def test_steps_amid_words(text: str) -> None:
    reading = read_answer(text, NAMES)
    assert [str(step) for step in reading.steps] == PLAN
    assert not reading.problems


@pytest.mark.parametrize(
    "text",
    [
        f"Unless the robot has done `{A}` already, `{B}` fails, so `{C}` is wrong.",
        f"Either `{A}` or `{B}` could be done before `{C}`.",
        f"Never combine `{A}` with `{B}` and `{C}`.",
        f"Should one begin with `{A}` and then `{B}`?",
    ],
)
def test_denied_or_doubtful_steps_are_no_plan(text: str) -> None:
    reading = read_answer(text, NAMES)
    assert reading.problems or not reading.steps


@pytest.mark.parametrize("lines", [900, 1_100])
def test_steps_are_not_looked_for_amid_very_many_lines(lines: int) -> None:
    told = f'echo "{A}"\necho "{B}"\necho "{C}"\n' + "It went on.\n" * lines
    reading = read_answer(told, NAMES)
    assert ([str(step) for step in reading.steps] == PLAN) is (lines < 1_000)


def test_lines_beyond_the_most_are_a_problem() -> None:
    assert not open_document("It went on.\n" * 2_000).problems
    [problem] = open_document("It went on.\n" * 2_001).problems
    assert problem.position == 2_000 * len("It went on.\n")


WORDS = st.lists(
    st.sampled_from(["with", "continuing", "the", "robot", "carries", "on", "by"]), max_size=4
)


@given(st.lists(WORDS, min_size=4, max_size=4))
@example([["by"], [], ["with"], []])
def test_words_that_say_nothing_change_nothing(words: list[list[str]]) -> None:
    parts = [" ".join(each) for each in words]
    text = f"Begin {parts[0]} `{A}`, {parts[1]} `{B}`, {parts[2]} `{C}` {parts[3]}."
    reading = read_answer(text, NAMES)
    assert [str(step) for step in reading.steps] == PLAN
