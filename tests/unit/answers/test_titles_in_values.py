"""Titles in values: of the parts of a plan, and before the steps of a list."""

from __future__ import annotations

import json

import pytest

import eai
from eai.answers import read_answer

NAMES = eai.suite("household").task("studio-01").readable
CALLS = ["WALK(light.34)", "SWITCHON(light.34)"]


def read(value: object) -> tuple[list[str], str]:
    reading = read_answer(json.dumps(value), NAMES)
    return [str(step) for step in reading.steps], reading.status


@pytest.mark.parametrize("title", ["Setup", "Walk", "Walk to the light", "SWITCHON(light.34)"])
@pytest.mark.parametrize("key", ["steps", "actions", "plan"])
@pytest.mark.parametrize("name", ["name", "action"])
def test_the_steps_below_a_title_are_read(name: str, key: str, title: str) -> None:
    assert read([{name: title, key: CALLS}]) == (CALLS, "clean")


def test_steps_that_are_objects_are_read_below_titles() -> None:
    steps = [{"name": call, "description": "The light is near."} for call in CALLS]
    phases = [{"name": "Walk", "steps": steps[:1]}, {"name": "Switch on", "steps": steps[1:]}]
    assert read({"phases": phases}) == (CALLS, "clean")


@pytest.mark.parametrize("title", ["SWITCHOFF(light.34)", "Switch off the light", "Switch off"])
def test_a_title_that_says_a_missing_step_is_reported(title: str) -> None:
    assert read([{"name": title, "steps": CALLS}]) == (CALLS, "partial")


def test_a_repetition_beside_steps_is_reported() -> None:
    assert read([{"name": "Setup", "repeat": 2, "steps": CALLS}])[1] == "partial"


def test_more_objects_than_an_action_takes_are_reported() -> None:
    objects = [{"name": "light.34"}, {"name": "couch.22"}]
    assert read([{"name": "WALK", "steps": objects}])[1] == "partial"
    assert read([{"name": "WALK", "steps": objects[:1]}]) == (CALLS[:1], "clean")


@pytest.mark.parametrize(
    "introduction",
    ["A robot follows this plan:", "Steps:", "To switch on the light, follow these steps:"],
)
def test_an_introduction_in_a_list_is_no_step(introduction: str) -> None:
    assert read([introduction, *CALLS]) == (CALLS, "clean")


@pytest.mark.parametrize(
    "first",
    [
        "Zap the light, then follow this plan:",
        "Do not follow this plan:",
        "Alternative plan:",
        "If the light is off, take these steps:",
        "Polish the light:",
    ],
)
def test_a_first_item_that_may_change_the_plan_is_reported(first: str) -> None:
    assert read([first, *CALLS]) == (CALLS, "partial")
