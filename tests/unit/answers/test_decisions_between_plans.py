"""Sentences that decide for one of two plans, by its name, its letter or its place."""

from __future__ import annotations

import pytest

import eai
from eai.answers import read_answer

NAMES = eai.suite("household").task("studio-02").readable
FIRST = ["walk(fridge.40)", "open(fridge.40)"]
SECOND = ["walk(light.34)", "switchon(light.34)"]
LABELLED = "Plan A:\n1. {}\n2. {}\n\nPlan B:\n1. {}\n2. {}\n\n".format(*FIRST, *SECOND)
BARE = "1. {}\n2. {}\n\n1. {}\n2. {}\n\n".format(*FIRST, *SECOND)


@pytest.mark.parametrize(
    "sentence",
    [
        "Plan A, not plan B.",
        "Plan A it is.",
        "Not plan B, but plan A.",
        "B, no; A is what I want.",
        "Never use plan B.",
        "Plan B is only a fallback.",
        "I opt for (a).",
        "My choice: A",
    ],
)
def test_a_letter_decides_for_the_plan_with_that_name(sentence: str) -> None:
    reading = read_answer(LABELLED + sentence, NAMES)
    assert [str(step) for step in reading.steps] == FIRST
    assert reading.rule == "decided"


@pytest.mark.parametrize(
    "sentence",
    [
        "Of the two, take the former.",
        "The former.",
        "The second list is merely an idea, so stick to the first.",
        "The latter cannot work.",
        "Follow the first of these lists.",
        "Only the upper list counts.",
    ],
)
def test_the_place_of_a_plan_decides_for_it(sentence: str) -> None:
    reading = read_answer(BARE + sentence, NAMES)
    assert [str(step) for step in reading.steps] == FIRST
    assert reading.rule == "decided"


@pytest.mark.parametrize(
    "sentence",
    [
        "If the light is broken, use plan A.",
        "Why not plan A?",
        "Plan A has two steps.",
        "To get there we plan a walk using the best way.",
        "In case plan B fails, run plan A.",
    ],
)
def test_what_holds_in_some_case_only_decides_for_no_plan(sentence: str) -> None:
    assert [str(step) for step in read_answer(LABELLED + sentence, NAMES).steps] == SECOND
