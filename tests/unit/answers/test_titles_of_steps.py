"""What a sentence below or behind a call tells of it is no step of its own."""

from __future__ import annotations

import pytest

import eai
from eai.answers import read_answer

NAMES = eai.suite("household").task("studio-01").readable
TOLD = (
    ("WALK(light.34)", "The robot will move towards the light."),
    ("SWITCHON(light.34)", "I will push the light."),
)
EXPECTED = ["WALK(light.34)", "SWITCHON(light.34)"]


def steps(answer: str) -> list[str]:
    return [str(step) for step in read_answer(answer, NAMES).steps]


@pytest.mark.parametrize(
    "form",
    [
        "**{call}**\n- {sentence}\n",
        "**{call}**\n{sentence}\n",
        "### {call}\n\n{sentence}\n",
        "- **{call}**\n  {sentence}",
        "**{call}**: {sentence}\n",
        "- {call} - {sentence}",
    ],
)
def test_a_sentence_that_tells_a_call_is_no_step(form: str) -> None:
    assert steps("\n".join(form.format(call=c, sentence=s) for c, s in TOLD)) == EXPECTED


def test_a_bullet_below_a_numbered_call_is_no_step() -> None:
    lines = [f"{number}. {call}\n- {told}" for number, (call, told) in enumerate(TOLD, 1)]
    assert steps("\n".join(lines)) == EXPECTED


@pytest.mark.parametrize("title", ["1. WALK(light.34)", "WALK(light.34)", "**WALK(light.34)**"])
def test_what_comes_then_is_a_step(title: str) -> None:
    assert len(steps(f"{title}\nThen I will push the light.")) == 2
