"""What people call the actions of a task in sentences, beside their names."""

from __future__ import annotations

import pytest
from studio_answers import NAMES, actions

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


@pytest.mark.parametrize("call", ["turn_on(light.34)", "locate(light.34)", "take(cup.56)"])
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
