"""Sentences that decide for one of two plans, by its name, its letter or its place."""

from __future__ import annotations

import json

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
        "Plan A: yes / Plan B: no",
        "Plan B: no",
        "- Plan A: \u2713\n- Plan B: \u2717",
        "Plan A (yes), plan B (no)",
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


HEADED = (
    "{}\n1. walk(fridge.40)\n2. open(fridge.40)\n\n{}\n1. walk(light.34)\n2. switchon(light.34)"
)


@pytest.mark.parametrize(
    ("rejected", "approved"),
    [
        ("**Plan B (not recommended)**", "**Plan A (recommended)**"),
        ("\u274c Plan B:", "\u2705 Plan A:"),
        ("\u2717 Plan B", "\u2713 Plan A"),
        ("Plan 2 \u274c", "Plan 1 \u2705"),
        ("Plan B (second choice)", "Plan A (first choice)"),
        ("Plan B, which I do not recommend", "Plan A, which I recommend"),
        ("Plan B (nicht empfohlen)", "Plan A (empfohlen)"),
        (
            "\u65b9\u6848\u4e8c\uff08\u4e0d\u63a8\u8350\uff09",
            "\u65b9\u6848\u4e00\uff08\u63a8\u8350\uff09",
        ),
    ],
)
def test_a_heading_recommends_its_plan_or_does_not(rejected: str, approved: str) -> None:
    for heads, steps in (((approved, rejected), FIRST), ((rejected, approved), SECOND)):
        assert [str(step) for step in read_answer(HEADED.format(*heads), NAMES).steps] == steps


@pytest.mark.parametrize(
    "sentence",
    [
        "One of these two is right, but I do not know which one.",
        "I cannot decide between them.",
        "Which one do you prefer?",
        "It is up to you which one to use.",
        "Please pick one.",
        "Flip a coin.",
    ],
)
def test_plans_between_which_an_answer_does_not_decide_are_a_problem(sentence: str) -> None:
    for text in (LABELLED + sentence, BARE + sentence, f"{sentence}\n\n{LABELLED}"):
        assert read_answer(text, NAMES).status == "partial"


@pytest.mark.parametrize(
    "sentence",
    ["I do not know which is faster, but plan B is right.", "One of them is right: plan B."],
)
def test_a_decision_counts_beside_words_of_doubt(sentence: str) -> None:
    assert read_answer(LABELLED + sentence, NAMES).status == "chosen"


def test_a_heading_says_no_to_its_plan() -> None:
    text = LABELLED.replace("Plan A:", "Plan A (yes):").replace("Plan B:", "Plan B (no):")
    assert [str(step) for step in read_answer(text, NAMES).steps] == FIRST


def test_a_clause_with_which_leaves_no_choice_open() -> None:
    text = f"{LABELLED}The fridge is not near the light, which is fine."
    assert read_answer(text, NAMES).status == "chosen"


@pytest.mark.parametrize(
    "answer",
    [
        '{{"plan": {}, "note": "this plan is incorrect"}}',
        '{{"remarks": ["This plan does not work."], "plan": {}}}',
        '{{"plan": {}, "status": "incorrect"}}',
    ],
)
def test_a_note_beside_a_plan_takes_it_back(answer: str) -> None:
    plan = json.dumps(FIRST)
    assert read_answer(answer.format(plan), NAMES).steps == ()
    candidates = f'{{"plans": [{{"plan": {plan}}}, {answer.format(json.dumps(SECOND))}]}}'
    assert [str(step) for step in read_answer(candidates, NAMES).steps] == FIRST


@pytest.mark.parametrize("note", ["There is no shorter plan.", "The door is broken.", "works"])
def test_other_notes_beside_a_plan_leave_it(note: str) -> None:
    answer = json.dumps({"plan": FIRST, "note": note})
    assert [str(step) for step in read_answer(answer, NAMES).steps] == FIRST


@pytest.mark.parametrize(
    "frame",
    [
        "Note: this plan is incorrect.\n\n{}",
        "```python\n# This plan is wrong.\n{}\n```",
        '{{"plan": {{"steps": {}, "note": "this plan is incorrect"}}}}',
    ],
)
def test_words_before_or_within_a_plan_take_it_back(frame: str) -> None:
    plan = json.dumps(FIRST)
    assert read_answer(frame.format(plan), NAMES).steps == ()
    other = read_answer(f"This step is hard.\n\n{plan}", NAMES)
    assert [str(step) for step in other.steps] == FIRST
