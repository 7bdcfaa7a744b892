"""What people call the actions of a task in sentences, beside their names."""

from __future__ import annotations

import pytest
from studio_answers import NAMES, actions

import eai
from eai.answers import bind, read_answer
from eai.task import Vocabulary

HANDS = Vocabulary(
    {"navigate_to": 1, "left_grasp": 1, "right_grasp": 1, "toggle_on": 1},
    {},
    frozenset(["rag_0", "lamp_1"]),
    {"rag": ("rag_0",), "lamp": ("lamp_1",)},
)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Turn the light on.", ["switchon(light.34)"]),
        ("The robot turns off the laptop.", ["switchoff(laptop.19)"]),
        ("1. Go to the couch\n2. Have a seat on it", ["walk(couch.22)", "sit(couch.22)"]),
        ("Locate the cup, then take it.", ["find(cup.56)", "grab(cup.56)"]),
        ("Place the cup inside the fridge.", ["putin(cup.56, fridge.40)"]),
        ("Place the cup onto the desk.", ["putback(cup.56, desk.17)"]),
        ("Take off the coat.", ["putoff(coat.31)"]),
    ],
)
def test_sentence_says_an_action_in_other_words(sentence: str, expected: list[str]) -> None:
    assert actions(sentence) == expected


def test_other_words_for_an_action_are_noted() -> None:
    reading = read_answer("Turn on the light.", NAMES)
    assert any("turn on" in note and "switchon" in note for note in reading.notes)


def test_other_words_name_the_hand_that_is_used() -> None:
    reading = read_answer("Walk to the rag and pick it up with the left hand.", HANDS)
    assert [str(action) for action in bind(reading, HANDS).actions] == [
        "navigate_to(rag_0)",
        "left_grasp(rag_0)",
    ]


@pytest.mark.parametrize("call", ["turn_on(light.34)", "turn on(light.34)", "take(cup.56)"])
def test_call_needs_the_name_of_the_action(call: str) -> None:
    assert bind(read_answer(call, NAMES), NAMES).actions == ()


@pytest.mark.parametrize(
    "sentence", ["Take care of the plant.", "Take note of the cup.", "Take a step to the couch."]
)
def test_phrase_with_another_noun_takes_nothing(sentence: str) -> None:
    assert read_answer(sentence, NAMES).steps == ()


def test_name_of_an_action_goes_before_other_words() -> None:
    names = Vocabulary({"take": 1, "grab": 1}, {}, frozenset(["cup.2"]), {"cup": ("cup.2",)})
    actions_read = bind(read_answer("Take the cup.", names), names).actions
    assert [str(action) for action in actions_read] == ["take(cup.2)"]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Put the cup back.", ["putobjback(cup.56)"]),
        ("Put the cup back on the desk.", ["putback(cup.56, desk.17)"]),
        (
            "Put the cup, the fork and the apple into the fridge.",
            ["putin(cup.56, fridge.40)", "putin(fork.62, fridge.40)", "putin(apple.42, fridge.40)"],
        ),
        ("Robot, go to the desk.", ["walk(desk.17)"]),
        ("Hey robot, I want you to walk to the desk and sit on chair.18.", None),
        ('"Robot, walk to the desk and turn on the laptop."', None),
        ("Okay, walk to the desk. Please grab the cup and wash it.", None),
    ],
)
def test_requests_and_lists_of_objects_are_read(sentence: str, expected: list[str] | None) -> None:
    plan = actions(sentence)
    assert plan == expected if expected else len(plan) >= 2


@pytest.mark.parametrize(
    "explanation", ["Go to chair.220.", "make sure that chair.220 is near.", "(chair.220)"]
)
def test_object_is_the_one_that_the_same_line_names_in_full(explanation: str) -> None:
    names = eai.suite("household").task("flat-04").readable
    reading = read_answer(f"1. **Walk to the chair**: {explanation}\n2. Open fridge.206", names)
    assert reading.steps[0].arguments == ("chair.220",)


@pytest.mark.parametrize(
    "explanation",
    [
        ": Use the right hand to grab the plug.",
        " - The laptop is off before this step.",
        " (it helps to sit on the chair later)",
        ". It helps to sit on the chair afterwards.",
    ],
)
@pytest.mark.parametrize("bullet", ["2. ", "- "])
def test_explanation_behind_other_words_is_no_part_of_the_step(
    bullet: str, explanation: str
) -> None:
    first = bullet.replace("2", "1")
    reading = read_answer(f"{first}Walk to desk.17\n{bullet}Turn on the laptop{explanation}", NAMES)
    steps = [str(action) for action in bind(reading, NAMES).actions]
    assert reading.problems or steps == ["walk(desk.17)", "switchon(laptop.19)"]


@pytest.mark.parametrize(
    ("sentence", "action"),
    [
        ("Wash your hands.", "wash(hands_both.6)"),
        ("Wash both hands.", "wash(hands_both.6)"),
        ("Grab the clock.", "grab(alarm_clock.16)"),
        ("Put the cup on the table.", "putback(cup.56, coffee_table.23)"),
    ],
)
def test_a_sentence_may_call_an_object_by_its_noun(sentence: str, action: str) -> None:
    names = eai.suite("household").task("studio-02").readable
    plan = bind(read_answer(f"1. Walk to the sink.\n2. {sentence}", names), names)
    assert [str(step) for step in plan.actions] == ["walk(sink.50)", action]
    assert any("was read as" in note for note in plan.notes)


@pytest.mark.parametrize(
    "step", ["Open the cabinet.", "wash(hands)", "Touch the lamp shade.", "Grab the remote."]
)
def test_a_noun_of_several_objects_or_in_a_call_stands_for_none(step: str) -> None:
    names = eai.suite("household").task("studio-02").readable
    assert bind(read_answer(f"1. Walk to the sink.\n2. {step}", names), names).findings
