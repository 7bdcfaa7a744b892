"""Numbers in words: keys that number steps, and the step after which a plan stops."""

from __future__ import annotations

import json

import pytest

import eai
from eai.answers import read_answer

NAMES = eai.suite("household").task("studio-02").readable
ROUND = ["walk(fridge.40)", "open(fridge.40)", "walk(light.34)", "switchon(light.34)"]
CARDINALS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
ORDINALS = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth",
    "eighteenth", "nineteenth", "twentieth",
]  # fmt: skip


@pytest.mark.parametrize(
    "keys",
    [[f"step_{word}" for word in CARDINALS], [f"{word}_step" for word in ORDINALS]],
    ids=["cardinals", "ordinals"],
)
def test_keys_with_numbers_in_words_number_the_steps(keys: list[str]) -> None:
    plan = (ROUND * 5)[: len(keys)]
    reading = read_answer(json.dumps(dict(zip(keys, plan, strict=True))), NAMES)
    assert not reading.problems
    assert [str(step) for step in reading.steps] == plan
    assert [step.number for step in reading.steps] == list(range(1, len(plan) + 1))


@pytest.mark.parametrize("number", [2, 9, 11, 19])
def test_a_plan_that_stops_after_a_step_named_in_words_is_a_problem(number: int) -> None:
    lines = [f"{n}. {step}" for n, step in enumerate(ROUND * 5, start=1)]
    stop = f"I stop after the {ORDINALS[number - 1]} step."
    assert not read_answer("\n".join(lines), NAMES).problems
    assert read_answer("\n".join([*lines, "", stop]), NAMES).problems
