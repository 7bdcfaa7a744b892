"""Lists under headings of one rank are parts of one plan; what names or frames them parts them."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

import eai
from eai.abilities.subgoals.reader import read_subgoals
from eai.answers import read_answer
from eai.answers.parts import are_parts, number_of_part

NAMES = eai.suite("household").task("studio-02").readable
FIRST = ["WALK(fridge.40)", "OPEN(fridge.40)"]
SECOND = ["GRAB(juice.44)", "CLOSE(fridge.40)"]


def numbered(steps: list[str]) -> str:
    return "\n".join(f"{n}. {step}" for n, step in enumerate(steps, start=1))


def steps(text: str) -> list[str]:
    return [str(step) for step in read_answer(text, NAMES).steps]


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("## Phase 1: Preparation", "## Phase 2: Final steps"),
        ("**Part A**", "**Part B**"),
        ("Stage one:", "Stage two:"),
        ("First half:", "Second half:"),
        ("### At the fridge", "### Afterwards"),
        ("**Fetch**", "**Tidy up**"),
    ],
)
def test_parts_are_one_plan(above: str, below: str) -> None:
    text = f"{above}\n{numbered(FIRST)}\n\n{below}\n{numbered(SECOND)}"
    assert are_parts(above, below)
    assert steps(text) == FIRST + SECOND


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("## Attempt 1", "## Attempt 2"),
        ("Plan A:", "Plan B:"),
        ("Draft:", "Final answer:"),
        ("## Overview", "## Detailed steps"),
        ("## Phase 1", "## Phase 3"),
        ("## Fetch", "**Tidy up**"),
    ],
)
def test_other_headings_part_two_plans(above: str, below: str) -> None:
    text = f"{above}\n{numbered(FIRST)}\n\n{below}\n{numbered(SECOND)}"
    assert not are_parts(above, below)
    assert steps(text) == SECOND


def test_a_part_that_begins_as_the_one_before_is_another_plan() -> None:
    again = [FIRST[0], SECOND[0]]
    text = f"### Fetch\n{numbered(FIRST)}\n\n### Clean\n{numbered(again)}"
    assert steps(text) == again


def test_parts_of_values_need_numbers() -> None:
    assert steps('Part 1: ["WALK(fridge.40)"]\nPart 2: ["OPEN(fridge.40)"]') == FIRST
    assert (
        steps('Fetch: ["WALK(fridge.40)"]\n\nTidy: ["WALK(fridge.40)", "OPEN(fridge.40)"]') == FIRST
    )


def test_parts_of_subgoals_are_one_list() -> None:
    text = "## Phase 1\n1. OPEN(door.1)\n2. ON(lamp.2)\n\n## Phase 2\n1. CLOSED(door.1)\n"
    assert [each.text for each in read_subgoals(text).subgoals] == [
        "OPEN(door.1)",
        "ON(lamp.2)",
        "CLOSED(door.1)",
    ]


@given(st.integers(1, 98), st.sampled_from(["Phase {}", "## Part {}:", "**Stage #{}** - more"]))
def test_numbers_of_parts(number: int, heading: str) -> None:
    assert number_of_part(heading.format(number)) == number
    assert are_parts(heading.format(number), heading.format(number + 1))
    assert not are_parts(heading.format(number), heading.format(number))
