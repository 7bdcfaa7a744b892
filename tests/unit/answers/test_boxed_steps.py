"""A step in square brackets with a comment behind it is the step of its line."""

from __future__ import annotations

import pytest

import eai
from eai.answers import read_answer

NAMES = eai.suite("household").task("studio-01").readable
CALLS = ["WALK(light.34)", "SWITCHON(light.34)"]


def read(form: str) -> tuple[list[str], str]:
    lines = [form.format(number=number, call=call) for number, call in enumerate(CALLS, 1)]
    reading = read_answer("\n".join(lines), NAMES)
    return [str(step) for step in reading.steps], reading.status


@pytest.mark.parametrize(
    "form",
    [
        "{number}. [{call}] - Walk to the light.",
        "- [{call}] (I am near the light)",
        "* **[{call}]** - the next one",
        "Step {number}: [{call}] # as asked",
        "[{call}] -> the light is near",
        "{number}) [{call}]",
    ],
)
def test_a_comment_behind_a_boxed_step_is_no_step(form: str) -> None:
    assert read(form) == (CALLS, "clean")


@pytest.mark.parametrize("call", ["WALK(light.34)", "[WALK(light.34)]"])
@pytest.mark.parametrize("sign", [":", " :", " : "])
@pytest.mark.parametrize("told", ["Walk to it", "Walk to the light", "Switch off the light"])
def test_what_stands_behind_a_colon_explains_the_step(call: str, sign: str, told: str) -> None:
    reading = read_answer(f"- {call}{sign}{told}\n- {CALLS[1]}{sign}It is on", NAMES)
    assert [str(step) for step in reading.steps] == CALLS


def test_a_box_without_mark_or_comment_stays_a_list() -> None:
    reading = read_answer(f"I thought of OPEN(light.34).\n[{CALLS[0]}]", NAMES)
    assert [str(step) for step in reading.steps] == CALLS[:1]


def test_lists_inside_of_a_list_stay_lists() -> None:
    text = "[\n" + ",\n".join(f"  [{call}]" for call in CALLS) + "\n]"
    assert [str(step) for step in read_answer(text, NAMES).steps] == CALLS


def test_the_place_of_a_boxed_step_is_that_in_the_answer() -> None:
    text = f"1. [{CALLS[0]}] - Walk."
    assert [step.position for step in read_answer(text, NAMES).steps] == [text.index(CALLS[0])]
