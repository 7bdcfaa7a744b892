"""Steps that words, signs or marks stand around: each is read, left out, or a problem."""

from __future__ import annotations

import pytest

import eai
from eai.answers import read_answer

NAMES = eai.suite("household").task("studio-02").readable
WALK, SWITCH = "walk(light.34)", "switchon(light.34)"
CHAIN = ["walk(fridge.40)", "open(fridge.40)", "putin(juice.44, fridge.40)", "close(fridge.40)"]
SENTENCES = ["walk to fridge.40", "open fridge.40", "put juice.44 in fridge.40", "close fridge.40"]
EB_CALLS = ["FIND(Book)", "PICK(Book)", "FIND(Desk)", "PUT(Desk)"]


def steps(text: str) -> list[str]:
    reading = read_answer(text, NAMES)
    assert not reading.problems
    return [str(step).lower().replace("switch on", "switchon") for step in reading.steps]


def plan_of_skills(text: str) -> list[str]:
    suite = eai.suite("eb-alfred")
    task = suite.task("common_sense/15")
    result = suite.evaluate("action_sequencing", task, text, suite.semantics("strict"))
    return [str(step).upper() for step in result.plan]


@pytest.mark.parametrize(
    "clause",
    [
        "Since it is dark, ",
        "As the room is dark, ",
        "Because the lamp is off, please ",
        "Now that I am close, ",
        "While standing there, I will ",
        "Although it may be on, ",
        "In order to see something, ",
        "The lamp is off, so ",
        "It is dark; therefore, ",
        "Be sure to ",
        "The next step is to ",
        "I'd ",
        "I'll then ",
        "Let me ",
        "It is time to ",
        "Carefully ",
    ],
)
@pytest.mark.parametrize("step", [SWITCH, "switch on light.34."])
def test_a_clause_before_the_step_of_an_item_does_not_hide_it(clause: str, step: str) -> None:
    written = clause + step
    assert steps(f"1. {WALK}\n2. {written[0].upper() + written[1:]}") == [WALK, SWITCH]


@pytest.mark.parametrize(
    "clause", ["If it is dark, ", "Unless it is light, ", "Since it is not dark, never "]
)
def test_a_condition_before_a_step_is_not_passed_over(clause: str) -> None:
    reading = read_answer(f"1. {WALK}\n2. {clause}{SWITCH}.\n3. {WALK}", NAMES)
    assert SWITCH not in map(str, reading.steps)


@pytest.mark.parametrize(
    "sign", [" -> ", " | ", " => ", " \u2192 ", " > ", " + ", " ~> ", ", followed by ", ", then "]
)
def test_a_chain_of_sentences_is_read_to_its_end(sign: str) -> None:
    assert steps(sign.join(SENTENCES)) == CHAIN


@pytest.mark.parametrize("form", ["{}) {}, ", "({}) {}, ", "{}. {} then ", "{}) {} "])
def test_numbered_sentences_of_one_line_are_read_to_its_end(form: str) -> None:
    text = "".join(form.format(number, each) for number, each in enumerate(SENTENCES, start=1))
    assert steps(f"Plan: {text.removesuffix('then ').rstrip(', ')}") == CHAIN


@pytest.mark.parametrize("sign", [", followed by ", " -> ", "; then "])
def test_a_chain_of_calls_is_read_to_its_end(sign: str) -> None:
    assert steps(sign.join(CHAIN)) == CHAIN


def test_strokes_between_steps_may_part_alternatives() -> None:
    reading = read_answer(" / ".join(CHAIN), NAMES)
    assert reading.problems


@pytest.mark.parametrize(
    "words",
    [
        "Carefully ",
        "Let me ",
        "Be sure to ",
        "I'd ",
        "I'll then ",
        "When the robot performs ",
        "Since it is needed, ",
    ],
)
def test_words_before_a_skill_do_not_hide_it(words: str) -> None:
    text = "\n".join(f"{number}. {words}{call}." for number, call in enumerate(EB_CALLS, start=1))
    assert plan_of_skills(text) == [call.upper() for call in EB_CALLS]


@pytest.mark.parametrize(
    "mark",
    ["(skipped)", "[removed]", "\u2014 not needed, skip this", "(cancelled)", "- not needed"],
)
def test_a_step_that_is_marked_as_taken_out_is_not_read(mark: str) -> None:
    assert steps(f"1. {WALK}\n2. {SWITCH} {mark}\n3. {CHAIN[0]}") == [WALK, CHAIN[0]]


@pytest.mark.parametrize("mark", ["(do not skip)", "(needed)", "- it must not be skipped"])
def test_a_remark_does_not_take_a_step_out(mark: str) -> None:
    assert steps(f"1. {WALK}\n2. {SWITCH} {mark}\n3. {CHAIN[0]}") == [WALK, SWITCH, CHAIN[0]]


@pytest.mark.parametrize("comment", ["#   - ", "  # - "])
def test_a_commented_item_is_no_step(comment: str) -> None:
    assert steps(f"plan:\n  - {WALK}\n{comment}{SWITCH}\n  - {CHAIN[0]}") == [WALK, CHAIN[0]]


@pytest.mark.parametrize(
    "change",
    [
        f"Correction: before step 2, add {CHAIN[0]}.",
        f"Insert {CHAIN[0]} between steps 1 and 2.",
        "Correction: step 2 is a mistake; remove it.",
    ],
)
def test_a_plan_that_is_changed_behind_it_is_a_problem(change: str) -> None:
    assert read_answer(f"1. {WALK}\n2. {SWITCH}\n\n{change}", NAMES).problems


def test_headings_that_are_skills_name_the_calls_below_them() -> None:
    skills = ["Find a Book", "Pick up the Book", "Find a Desk", "Put down the object in hand"]
    parts = [
        f"### Step {number}: {skill}\n\n```\n{call.lower()}\n```"
        for number, (skill, call) in enumerate(zip(skills, EB_CALLS, strict=True), start=1)
    ]
    assert plan_of_skills("\n\n".join(parts)) == [call.upper() for call in EB_CALLS]


@pytest.mark.parametrize("text", [".walk(", ".walk()", "x.walk(", "    .walk()\n    .open()"])
def test_calls_without_an_owner_or_objects_are_read_or_named(text: str) -> None:
    reading = read_answer(text, NAMES)
    assert reading.steps or reading.problems


@pytest.mark.parametrize("begin", ["WALK({0})\n", "1. WALK({0})\n2. ", "First WALK({0}). Then "])
@pytest.mark.parametrize(
    "words",
    [
        *(" or ", ", or ", ", or else ", ", otherwise ", ", else ", " else "),
        *("; otherwise, ", ". Otherwise ", ", or alternatively "),
    ],
)
def test_a_step_that_may_be_meant_instead_is_a_problem(begin: str, words: str) -> None:
    text = f"{begin.format('fridge.40')}OPEN(fridge.40){words}CLOSE(fridge.40)"
    assert read_answer(text, NAMES).problems


@pytest.mark.parametrize("words", [" or walk to the sink.50", ", otherwise open the sink.50"])
def test_an_alternative_in_words_is_noted(words: str) -> None:
    reading = read_answer(f"1. Walk to the fridge.40{words}\n2. Open the fridge.40", NAMES)
    assert len(reading.steps) == 2
    assert reading.problems or any("alternative" in note for note in reading.notes)


@pytest.mark.parametrize("words", [", otherwise it stays dark", " (otherwise nothing is seen)"])
def test_a_reason_behind_otherwise_is_no_other_step(words: str) -> None:
    assert steps(f"1. WALK(light.34)\n2. SWITCHON(light.34){words}") == [WALK, SWITCH]
