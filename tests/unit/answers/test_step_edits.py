"""Sentences around a plan that take some of its steps out, and those that leave them in."""

from __future__ import annotations

import json

import pytest

import eai
from eai.answers import read_answer

NAMES = eai.suite("household").task("studio-02").readable
STEPS = ["walk(fridge.40)", "open(fridge.40)", "walk(light.34)", "switchon(light.34)"]
PLAN = "\n".join(f"{number}. {step}" for number, step in enumerate(STEPS, start=1))


@pytest.mark.parametrize(
    ("sentence", "removed"),
    [
        ("Leave out number 3.", {3}),
        ("Please omit the last step.", {4}),
        ("The first step should be dropped.", {1}),
        ("(All but the second step.)", {2}),
        ("Perform everything but step 4.", {4}),
        ("Strike the next to last step.", {3}),
        ("You may skip the last two steps.", {3, 4}),
        ("Cross the third step out.", {3}),
        ("Ignore no. 1, please.", {1}),
        ("The 2nd and the 3rd step aren't needed.", {2, 3}),
        ("Delete step 1, because it would only cost time.", {1}),
        ("Do not execute step 2.", {2}),
        ("All of these steps except step 1 are necessary.", {1}),
        ("Skip the step before the last.", {3}),
        ("Drop the last step but one.", {3}),
        ("Drop the second to last step.", {3}),
        ("Delete the middle two steps.", {2, 3}),
        ("There is no need for step 3.", {3}),
        ("The third step is not part of the plan.", {3}),
        ("Step 4 was a slip of mine.", {4}),
        ("Take steps 1, 2 and 4 only.", {3}),
        ("Only the first two steps are needed.", {3, 4}),
        ("Please do just 1 and 2.", {3, 4}),
        ("Steps 1 to 3 are enough.", {4}),
        ("Drop all steps but the first.", {2, 3, 4}),
        ("The first two steps will do.", {3, 4}),
        ("All but the last step, please.", {4}),
        ("Correction: leave out step 3.", {3}),
        ("EDIT: delete the last step.", {4}),
    ],
)
def test_an_order_or_a_statement_takes_steps_out(sentence: str, removed: set[int]) -> None:
    reading = read_answer(f"{PLAN}\n\n{sentence}", NAMES)
    kept = [step for number, step in enumerate(STEPS, start=1) if number not in removed]
    assert [str(step) for step in reading.steps] == kept
    assert not reading.problems


@pytest.mark.parametrize(
    "sentence",
    [
        "Without step 2 the light could not be reached.",
        "Without the first step, nothing else is possible.",
        "The rest does not work without step 1.",
        "If the fridge were open already, step 2 could be left out.",
        "Were the fridge open, the second step might be omitted.",
        "Step 4 can not be skipped.",
        "Step 4 must never be left out.",
        "Do not omit step 3.",
        "Nobody may skip the last step.",
        "It is risky to leave out number 2.",
        "Can I skip step 1?",
        "The robot drops the milk in step 3.",
        "All steps except step 2 are movements.",
        "Only step 2 opens something.",
        "Not only step 1 is important.",
        "Should only the first two steps be done?",
        "This takes only 3 minutes.",
        "Do steps 1 to 4 in this order.",
        "Only after step 2 can the milk be reached.",
        "Step 2 opens the fridge.",
        "I swapped two steps of my first idea.",
    ],
)
def test_what_only_might_be_or_is_forbidden_takes_nothing_out(sentence: str) -> None:
    reading = read_answer(f"{PLAN}\n\n{sentence}", NAMES)
    assert [str(step) for step in reading.steps] == STEPS
    assert not reading.problems


@pytest.mark.parametrize(
    "sentence",
    [
        "Everything behind step 2 is superfluous.",
        "Skip step 9.",
        "Drop all after step 1.",
        "Discard the opening step.",
        "Swap the first two steps.",
        "Put the last step first.",
        "Do step 2 once more.",
        "Step 4 has to be done twice.",
        "Finish by repeating step 1.",
        "End after step 3.",
        "Stop before step 4.",
        "I retract step 2.",
        "Start with step 3.",
        "Run the whole list twice.",
        "Step 3 must come before step 2.",
        "Step 4 must be the first one.",
        "Correction: in step 1, use fridge.41 instead.",
        "Correction: light.35 instead of light.34.",
        "Use light.35, not light.34.",
        "Sorry, I meant light.35, not light.34.",
        "Replace light.34 by light.35.",
        "Wherever I wrote light.34, I meant light.35.",
        "There is an error in step 3.",
        "Step 2 should use light.34.",
    ],
)
def test_other_changes_are_a_problem(sentence: str) -> None:
    assert read_answer(f"{PLAN}\n\n{sentence}", NAMES).problems


def test_what_was_removed_from_an_earlier_plan_stays_in_the_next_one() -> None:
    before = "Step 3 was unnecessary in the last try, so it has been removed."
    reading = read_answer(f"{before}\n\n{PLAN}", NAMES)
    assert [str(step) for step in reading.steps] == STEPS


@pytest.mark.parametrize(
    "sentence",
    [
        "Without step 1 the robot would be too far away.",
        "Should something go wrong, start again with step 1.",
        "I don't need a plan B.",
        "One might think that step 3 is superfluous, but it is not.",
        "Opening the fridge needs a free hand.",
        "The robot must walk before it can switch anything on.",
        "The first two steps deal with the fridge, the last two with the light.",
        "The plan ends after step 4.",
        "Run the plan as it is.",
        "Step 1 must come before step 2.",
        "Step 2 should follow step 1.",
        "Step 2 must not be done before step 1.",
        "Step 4 must be the last one.",
        "Do not swap steps 1 and 2.",
        "I checked step 3 twice.",
        "Correction: none needed.",
        "There is no error in step 3.",
        "I do not know how long it takes.",
    ],
)
def test_talk_about_steps_around_a_plan_leaves_it(sentence: str) -> None:
    for text in (f"{sentence}\n\n{PLAN}", f"{PLAN}\n\n{sentence}"):
        reading = read_answer(text, NAMES)
        assert [str(step) for step in reading.steps] == STEPS
        assert not reading.problems


@pytest.mark.parametrize(
    "sentence",
    [
        "Correction: skip step 3, and use light.35 instead of light.34.",
        "Correction: remove step 3 and swap steps 1 and 2.",
    ],
)
def test_a_correction_that_does_more_than_take_steps_out_is_a_problem(sentence: str) -> None:
    assert read_answer(f"{PLAN}\n\n{sentence}", NAMES).problems


@pytest.mark.parametrize(
    "words",
    [
        "Step 4 should be switchoff(light.34).",
        "Correction: step 4 must actually read `switchoff(light.34)`.",
        "Replace step 4 with switchoff(light.34).",
        "Oops, step 4 becomes: switchoff(light.34)",
        "Typo in step 4: it should read switchoff(light.34).",
    ],
)
def test_a_step_takes_the_place_of_the_one_that_it_corrects(words: str) -> None:
    reading = read_answer(f"{PLAN}\n\n{words}", NAMES)
    assert [str(step) for step in reading.steps] == [*STEPS[:3], "switchoff(light.34)"]
    assert not reading.problems


@pytest.mark.parametrize(
    "sentence",
    [
        "Step 4 should not be switchoff(light.34).",
        "If it is on already, replace step 4 with switchoff(light.34).",
        "Step 4 should be done before step 3.",
    ],
)
def test_words_on_a_step_that_put_no_other_in_its_place_leave_it(sentence: str) -> None:
    assert [str(step) for step in read_answer(f"{PLAN}\n\n{sentence}", NAMES).steps] == STEPS


@pytest.mark.parametrize(
    "words",
    [
        "Correction:\n4. switchoff(light.34)",
        "**Fix:** 4. switchoff(light.34)",
        "### Erratum\n4. switchoff(light.34)",
        "I made a mistake. Correction:\nStep 4: switchoff(light.34)",
        "Corrected step:\n**4.** switchoff(light.34)",
        "Correction of step 4: switchoff(light.34)",
        "Corrected step 4:\nswitchoff(light.34)",
        "Amend step 4: switchoff(light.34)",
        "Step 4 (corrected): switchoff(light.34)",
        "Sorry, there is a mistake in step 4:\n4. switchoff(light.34)",
        "4. switchoff(light.34) (corrected)",
        "4. switchon(light.34) -> switchoff(light.34) (corrected)",
    ],
)
def test_an_item_below_a_correction_replaces_the_step_with_its_number(words: str) -> None:
    for plan in (PLAN, json.dumps(STEPS), f"Draft:\n{PLAN}"):
        reading = read_answer(f"{plan}\n\n{words}", NAMES)
        assert [str(step) for step in reading.steps] == [*STEPS[:3], "switchoff(light.34)"]
        assert not reading.problems


def test_several_items_below_a_correction_replace_their_steps() -> None:
    items = "2. close(fridge.40)\n4. switchoff(light.34)"
    reading = read_answer(f"{PLAN}\n\nCorrections:\n{items}", NAMES)
    corrected = [STEPS[0], "close(fridge.40)", STEPS[2], "switchoff(light.34)"]
    assert [str(step) for step in reading.steps] == corrected
    assert not reading.problems


@pytest.mark.parametrize(
    "words",
    [
        "Correction:\nwalk(fridge.40)",
        "Correction:\n1. walk(light.34)",
        "Corrections:\n1. walk(light.34)\n2. switchon(light.34)",
        "Correction of step 2:\n3. walk(light.34)",
        "Correction:\n2. walk(light.34) -> switchon(light.34)",
        "Better:\n3. walk(fridge.40)\n4. open(fridge.40)",
    ],
)
def test_a_correction_of_which_it_is_not_sure_what_it_replaces_is_a_problem(words: str) -> None:
    assert read_answer(f"{PLAN}\n\n{words}", NAMES).status == "partial"


@pytest.mark.parametrize("heading", ["Correction:", "Corrected plan:", "Fix:"])
def test_a_list_from_its_first_step_on_below_a_correction_is_the_whole_plan(heading: str) -> None:
    text = f"1. open(fridge.40)\n2. walk(fridge.40)\n\n{heading}\n{PLAN}"
    reading = read_answer(text, NAMES)
    assert [str(step) for step in reading.steps] == STEPS
    assert not reading.problems


@pytest.mark.parametrize(
    "words",
    [
        "1. {wrong} -> {right} (corrected)",
        "1. {wrong} \u2192 {right} [fixed]",
        "Step 1: `{wrong}` => `{right}` *(revised)*",
        "**1. {wrong}** --> **{right}** (corrected)",
        "1. {wrong} (wrong) -> {right}",
        "1. {wrong}, corrected to {right}",
        "- {wrong} -> {right} (corrected)",
        "1. {wrong} -> {right} (replaced)",
        "1. {wrong} >> {right} (corrected, as it is nearer (see above))",
        "1. {wrong} \u2192 {right} (korrigiert)",
        "1. {wrong} \u274c \u2192 {right} \u2705",
    ],
)
def test_a_step_behind_an_arrow_replaces_the_one_before_if_the_line_says_so(words: str) -> None:
    line = words.format(wrong="walk(light.34)", right=STEPS[0])
    mark = "-" if line.startswith("-") else "{}."
    items = [f"{mark.format(number)} {step}" for number, step in enumerate(STEPS[1:], start=2)]
    reading = read_answer("\n".join([line, *items]), NAMES)
    assert [str(step) for step in reading.steps] == STEPS
    assert not reading.problems


def test_arrows_between_the_steps_of_a_corrected_plan_replace_none() -> None:
    for text in (" -> ".join(STEPS), f"Corrected: {' -> '.join(STEPS)}"):
        assert [str(step) for step in read_answer(text, NAMES).steps] == STEPS


def test_a_mark_of_the_second_step_that_may_mean_only_that_it_is_right_is_a_problem() -> None:
    text = f"1. {STEPS[3]} -> {STEPS[0]} (better)\n2. {STEPS[1]}"
    assert read_answer(text, NAMES).status == "partial"


def test_a_remark_behind_two_steps_with_an_arrow_replaces_none() -> None:
    text = f"1. {STEPS[0]} -> {STEPS[1]} (changed state)\n2. {STEPS[2]} -> {STEPS[3]} \u2705"
    assert [str(step) for step in read_answer(text, NAMES).steps] == STEPS


def test_an_item_of_three_steps_that_is_marked_as_corrected_is_a_problem() -> None:
    text = f"1. {' -> '.join(STEPS[:3])} (corrected)\n2. {STEPS[3]}"
    assert read_answer(text, NAMES).status == "partial"
