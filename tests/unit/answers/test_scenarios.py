"""Scenarios with Given, When and Then: what is done, and what is only expected."""

from __future__ import annotations

import pytest

import eai
from eai.answers import bind, read_answer

NAMES = eai.suite("household").task("studio-01").readable
PLAN = ["walk(light.34)", "switchon(light.34)"]
A, B = "WALK(light.34)", "SWITCHON(light.34)"


def actions(answer: str) -> list[str]:
    return [str(action) for action in bind(read_answer(answer, NAMES), NAMES).actions]


@pytest.mark.parametrize(
    "answer",
    [
        f"- When I {A}\n- And I {B}\n- Then I {A}\n- And I {B}",
        f"**When:**\n- {A}\n- {B}\n\n**Then:**\n- The light is on.\n- {A}\n- {B}",
        f"Scenario: Light\n  When the robot performs {A}\n  And the robot performs {B}\n"
        f"  Then the robot performs {A}\n  And the robot performs {B}",
        f"* When {A}\n* Then {A}\n* When {B}\n* Then {B}",
        f"### When\n1. {A}\n2. {B}\n\n### Then\n1. {A}\n2. {B}",
        "Given:\n- The light is off.\n\nWhen:\n- The robot walks to the light.\n"
        "- The robot switches on the light.\n\nThen:\n- The robot walks to the light.\n"
        "- The robot switches on the light.",
        "When I walk to the light\nAnd I switch on the light\n"
        "Then the robot should walk to the light\nAnd the robot should switch on the light",
        f"Scenario: Light\n  When {A}\n  And {B}\n  Then the robot walks to light.34\n"
        "  And it has switched on light.34",
    ],
)
def test_then_that_repeats_all_steps_of_when_is_read_once(answer: str) -> None:
    assert actions(answer) == PLAN


@pytest.mark.parametrize(
    "answer",
    [
        f"- When {A}\n- Then {B}",
        f"When:\n- {A}\n\nThen:\n- {B}",
        f"- **When** {A}\n- **Then** {B}",
    ],
)
def test_then_with_another_step_goes_on(answer: str) -> None:
    assert actions(answer) == PLAN


def test_then_that_repeats_only_some_steps_is_kept() -> None:
    answer = f"When:\n- {A}\n- {B}\n\nThen:\n- {B}"
    assert actions(answer) == [*PLAN, PLAN[1]]


def test_steps_behind_a_repetition_are_kept() -> None:
    answer = f"- When {A}\n- Then {A}\n- And {B}"
    assert actions(answer) == PLAN


@pytest.mark.parametrize(
    "answer",
    [
        f"- Given that I am in the hall\n- When I {A}\n- And I {B}\n- Then the light is on",
        f"* **Given** a dark room\n* **When** I {A}\n* **And** I {B}\n* **Then** the light is on",
    ],
)
def test_states_in_bullets_are_no_steps(answer: str) -> None:
    assert not read_answer(answer, NAMES).problems
    assert actions(answer) == PLAN
