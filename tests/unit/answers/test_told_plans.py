"""Plans told as people tell them: logs, letters, dialogues, scenarios, rows with descriptions."""

from __future__ import annotations

import pytest

import eai
from eai.answers import bind, read_answer

NAMES = eai.suite("household").task("studio-01").readable
PLAN = ["walk(light.34)", "switchon(light.34)"]
A, B = "WALK(light.34)", "SWITCHON(light.34)"


def actions(answer: str) -> list[str]:
    reading = read_answer(answer, NAMES)
    assert not reading.problems
    return [str(action) for action in bind(reading, NAMES).actions]


@pytest.mark.parametrize(
    "answer",
    [
        # in the past
        "The robot walked to light.34. Then it switched it on.",
        "- Walked to light.34\n- Switched on light.34",
        "[09:00] Robot walked to light.34.\n[09:01] Robot switched light.34 on.",
        "The household robot walked to the light and switched it on.",
        "Dear Sam,\n\nyou asked how. I walked to light.34 and switched it on.\n\nBest,\nR",
        # behind sentences that say nothing of steps
        "Sure thing! I'll walk to light.34, and after that I'm going to switch it on.",
        "Okay. I am going to walk to light.34. Then I'll just switch it on.",
        # items that are explained
        "1. **Walk to light.34**: After reaching it, move around the bed.20.\n"
        "2. **Switch on light.34** - Once there, use the lamp to see more.",
        # who speaks has a number, which counts no steps
        f"Robot 1: I will {A}\nRobot 2: Great. I will wait.\nRobot 1: Now I will {B}\n",
        f"A: What is the first step?\nB: {A}\nA: And then?\nB: {B}",
        f"\U0001f9f5 1/ {A} - on my way!\n\n2/ {B} - done!",
        # commits
        f"commit 1a2b3c\nAuthor: Robot <r@home.org>\nDate:   Mon Jan 1 09:00 2024\n\n    {A}\n\n"
        f"commit 2b3c4d\nAuthor: Robot <r@home.org>\nDate:   Mon Jan 1 09:01 2024\n\n    {B}",
        # titles and states of scenarios
        "Feature: Light\n  Scenario: Walk to the light and switch it on\n"
        "    Given the light is off\n    When I walk to light.34\n    And I switch on light.34\n"
        "    Then the light is on",
        f"Scenario: {B}\n  Given I {A}\n  Then I {B}",
        # rows in which nothing but a description can be the step
        f'[{{"id": 1, "description": "Walk to light.34"}}, {{"id": 2, "description": "{B}"}}]',
        "| # | Details |\n|---|---|\n| 1 | Walk to light.34 |\n| 2 | Switch on light.34 |",
        '[{"id": 1, "name": "WALK", "description": "Walk to light.34"},'
        ' {"id": 2, "name": "SWITCHON", "description": "Switch on light.34."}]',
        # roles of objects in brackets
        '```\n(define (plan)\n  (walk (to "light.34"))\n  (switch-on (object "light.34")))\n```',
    ],
)
def test_told_plan_is_read(answer: str) -> None:
    assert actions(answer) == PLAN


@pytest.mark.parametrize(
    "sentence", ["I put the radio on the shelf.", "The robot walked to the bed.20."]
)
def test_sentence_behind_a_list_is_no_step(sentence: str) -> None:
    reading = read_answer(f"1. {A}\n2. {B}\n\n{sentence}", NAMES)
    assert [str(action) for action in bind(reading, NAMES).actions] == PLAN
    assert any("not read" in note for note in reading.notes)


@pytest.mark.parametrize(
    "answer",
    [
        "The light.34 was walked to.",
        "Did you mean the following steps?\n" + A,
        '[{"id": 1, "reason": "Walk to light.34"}]',
    ],
)
def test_what_tells_no_step_is_none(answer: str) -> None:
    assert not read_answer(answer, NAMES).steps


def test_description_that_is_no_step_is_a_problem() -> None:
    answer = '[{"id": 1, "description": "Walk to light.34"}, {"id": 2, "description": "Wait"}]'
    assert [problem.written for problem in read_answer(answer, NAMES).problems] == ["Wait"]
