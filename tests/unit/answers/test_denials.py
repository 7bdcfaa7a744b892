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
        "I considered it.",
        "I considered everything!",
        "It was considered.",
        "We have considered this plan carefully.",
        "I considered these steps. They reach the goal.",
    ],
)
def test_talk_before_a_plan_leaves_it(talk: str, plan: str) -> None:
    assert steps(f"{talk}\n\n{plan}") == [A, B]


@pytest.mark.parametrize("plan", [NUMBERED, f"- {A}\n- {B}", f'["{A}", "{B}"]', IN_PIECES])
@pytest.mark.parametrize(
    "frame",
    [
        "Considered:",
        "I considered this plan:",
        "I considered this plan, but it takes long.",
        "I considered this plan. However, it takes long.",
        "I considered this plan and rejected it.",
        "I first considered this plan.",
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


@pytest.mark.parametrize(
    "text",
    [
        f"{NUMBERED}\n\nFinal answer: I couldn't work out any valid plan.",
        f"{NUMBERED}\n\n**Answer:** I am unable to give a sequence.",
        f"I have decided against this:\n{NUMBERED}",
        f"I gave up on the following plan:\n{NUMBERED}",
        f"All of these were cancelled:\n{NUMBERED}",
        f"A record of my last attempt:\n{NUMBERED}",
        f"```c\n#if 0\n{A}\n{B}\n#endif\n```",
        f"```python\nreturn\n{A}\n{B}\n```",
    ],
)
def test_a_plan_that_is_given_up_is_not_read(text: str) -> None:
    assert steps(text) == []


@pytest.mark.parametrize("remark", ["I could not find a shorter plan.", "I see no better plan."])
def test_a_plan_that_is_the_best_known_one_stays(remark: str) -> None:
    assert steps(f"{NUMBERED}\n\n{remark}") == [A, B]


@pytest.mark.parametrize(
    "mark", ["(please do not run that step)", "(don't do this one)", "(never take this action)"]
)
def test_a_mark_in_brackets_takes_its_step_out(mark: str) -> None:
    assert steps(f"1. {A} {mark}\n2. {B}") == [B]


@pytest.mark.parametrize(
    "remark",
    [
        "The first and the second step must be swapped.",
        "The first step has to be exchanged with the last one.",
    ],
)
def test_an_edit_in_the_passive_voice_is_not_passed_over(remark: str) -> None:
    assert read_answer(f"{NUMBERED}\n\n{remark}", NAMES).status == "partial"


@pytest.mark.parametrize("words", [f"{A} or {C}", "Walk to the light.34 or open the fridge.40"])
def test_one_of_two_steps_is_unclear_in_any_wording(words: str) -> None:
    assert read_answer(f"1. {words}, as you like\n2. {B}", NAMES).status == "partial"
