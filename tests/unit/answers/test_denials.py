"""What is denied, given as an example, or only talked about around a plan."""

# ruff: noqa: RUF001 - sentences in other languages have letters that look like Latin ones

from __future__ import annotations

import pytest

import eai
from eai.answers import read_answer

NAMES = eai.suite("household").task("studio-02").readable
A, B, C = "walk(light.34)", "switchon(light.34)", "walk(fridge.40)"
NUMBERED = f"1. {A}\n2. {B}"
IN_PIECES = "\n".join(
    f'Thought: {number}\nAction:\n```json\n{{"action": "{name}", "arguments": ["light.34"]}}\n```\n'
    "Observation: ok"
    for number, name in ((1, "walk"), (2, "switchon"))
)


def steps(text: str) -> list[str]:
    return [str(step) for step in read_answer(text, NAMES).steps]


@pytest.mark.parametrize("plan", [NUMBERED, f"- {A}\n- {B}", f'["{A}", "{B}"]', IN_PIECES])
@pytest.mark.parametrize(
    "talk",
    [
        "Old towns have markets, e.g. the one in Ghent, and canals.",
        "The harbour (for instance the pier) was rebuilt.",
        "Her template won a prize in Paris.",
        "A draft from the window woke the cat.",
        "Poets such as Rilke wrote about panthers.",
        "In winter, for example, it snows.",
        "There is no quicker way than this:",
        "I can't see any errors in the following:",
    ],
)
def test_talk_before_a_plan_leaves_it(talk: str, plan: str) -> None:
    assert steps(f"{talk}\n\n{plan}") == [A, B]


@pytest.mark.parametrize("plan", [NUMBERED, f"- {A}\n- {B}", f'["{A}", "{B}"]', IN_PIECES])
@pytest.mark.parametrize(
    "frame",
    [
        "For instance:",
        "A template of the answer:",
        "An example of the notation:",
        "The list is just an illustration:",
        "It would be a mistake to submit",
        "Es ist besser, dies nicht zu tun. Bitte niemals verwenden:",
        "N'utilisez jamais ceci :",
        "No hagas esto:",
        "Не используйте это:",
    ],
)
def test_words_that_introduce_a_plan_as_none_take_it_back(frame: str, plan: str) -> None:
    assert steps(f"{frame}\n\n{plan}") == []


@pytest.mark.parametrize(
    "sentence", ["The traffic was impossible.", "Everybody in that choir is just impossible."]
)
def test_something_else_may_be_impossible(sentence: str) -> None:
    assert steps(f"{NUMBERED}\n\n{sentence}") == [A, B]


@pytest.mark.parametrize("sentence", ["Sadly, the goal is impossible.", "Impossible."])
def test_an_impossible_goal_takes_the_plan_back(sentence: str) -> None:
    assert steps(f"{NUMBERED}\n\n{sentence}") == []


@pytest.mark.parametrize("mark", ["<s>{}</s>", "<del>{}</del>", "Avoid: {}", "Never: {}"])
def test_a_step_that_is_struck_or_forbidden_is_none(mark: str) -> None:
    assert steps(f"1. {A}\n2. {mark.format(C)}\n3. {B}") == [A, B]


def test_tokens_around_an_answer_strike_nothing() -> None:
    assert steps(f"<s>{A}\n{B}</s>") == [A, B]
    assert steps(f"<s> 1. {A} </s>") == [A]


def test_elements_in_square_brackets_are_elements() -> None:
    assert steps(f"[DISCARDED]\n{NUMBERED}\n[/DISCARDED]") == []
    assert steps(f"[[FINAL]]\n{NUMBERED}\n[[/FINAL]]") == [A, B]
