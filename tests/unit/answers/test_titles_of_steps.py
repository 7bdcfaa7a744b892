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


TITLES = [
    "- **{title}**: {call}",
    "- {title} → {call}",
    "{number}. {title} - {call}",
    "{number}. **{title}** (`{call}`)",
    "{number}. **{title}**\n   - {call}",
    "### {title}\n`{call}`",
]


def titled(form: str, calls: dict[str, str]) -> str:
    """Return a list of calls in which the name of each action stands before its call."""
    lines = [
        form.format(number=number, title=title, call=call)
        for number, (call, title) in enumerate(calls.items(), start=1)
    ]
    return "\n".join(lines)


@pytest.mark.parametrize("form", TITLES)
def test_name_of_an_action_before_its_call_is_no_step(form: str) -> None:
    answer = titled(form, {"WALK(light.34)": "Walk", "SWITCHON(light.34)": "Switch on"})
    assert steps(answer) == EXPECTED


@pytest.mark.parametrize("form", TITLES)
def test_verb_of_a_skill_before_the_skill_is_no_step(form: str) -> None:
    suite = eai.suite("eb-habitat")
    task = suite.task("base/33")
    calls = {
        "nav(left_counter)": "Nav",
        "pick_hammer(hammer.1)": "Pick hammer",
        "nav(sofa)": "Navigate",
        "place(sofa)": "Place",
    }
    results = [
        suite.evaluate("action_sequencing", task, answer, suite.semantics("strict"))
        for answer in ("\n".join(calls), titled(form, calls))
    ]
    assert len(results[0].plan) == len(calls)
    assert results[0].plan == results[1].plan


def test_name_of_another_action_before_a_call_is_kept() -> None:
    assert steps("- Walk: SWITCHON(light.34)") == ["Walk()", "SWITCHON(light.34)"]
