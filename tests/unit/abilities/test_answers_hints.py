"""What is offered for names that do not exist: synonyms, parts of names, numbers of objects."""

from __future__ import annotations

import pytest

from eai.answers import Binder, bind, likely_actions, read_answer
from eai.answers.names import likely_objects
from eai.suites.household import Household
from eai.task import Vocabulary

HOME = Household().task("studio-02").vocabulary


def messages(text: str, vocabulary: Vocabulary = HOME) -> list[str]:
    return [finding.message for finding in bind(read_answer(text, vocabulary), vocabulary).findings]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("TURNOFF", ["switchoff"]),
        ("TURN_ON", ["switchon"]),
        ("turn on", ["switchon"]),
        ("turn off the light", ["switchoff"]),
        ("goto", ["walk"]),
        ("Go to", ["walk"]),
        ("navigate_to", ["walk"]),
        ("pick up", ["grab"]),
        ("PickupObject", ["grab"]),
        ("take", ["grab"]),
        ("take off", ["putoff"]),
        ("put down", ["putback", "putin"]),
        ("place", ["putback", "putin"]),
        ("place inside", ["putin"]),
        ("unplug", ["plugout"]),
        ("plug", ["plugin", "plugout"]),
        ("stand up quickly", ["standup"]),
        ("clean", ["wash", "wipe"]),
        ("swichon", ["switchon", "switchoff"]),
        ("xyzzy", []),
        ("", []),
    ],
)
def test_actions_of_the_same_meaning_are_offered(written: str, meant: list[str]) -> None:
    assert likely_actions(written, HOME.actions)[:2] == meant


def test_each_domain_has_its_own_names() -> None:
    robot = ["navigate_to", "right_grasp", "left_grasp", "toggle_on", "left_place_ontop"]
    assert likely_actions("walk", robot) == ["navigate_to"]
    assert likely_actions("RIGHT_GRAB", robot) == ["left_grasp", "right_grasp"]
    assert likely_actions("TURNON", ["TOGGLE_ON", "TURN"]) == ["TOGGLE_ON"]
    assert likely_actions("PLACE_ON", robot) == ["left_place_ontop"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("lamp", ["table_lamp"]),
        ("desk lamp", ["desk", "table_lamp"]),
        ("counter", ["kitchen_counter"]),
        ("light_switch", ["light"]),
        ("tabel_lamp", ["table_lamp"]),
        ("teapot", []),
        ("sofa", ["couch"]),
        ("tap", ["faucet"]),
        ("person", ["character"]),
        ("refrigerator", ["fridge"]),
        ("TV", ["television"]),
        ("??", []),
    ],
)
def test_objects_with_the_same_words_are_offered(written: str, meant: list[str]) -> None:
    assert likely_objects(written, HOME.classes) == meant


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("TURNOFF(light.34)", "there is no action 'TURNOFF'; did you mean switchoff?"),
        ("light(light.34)", "there is no action 'light'; it is the name of an object"),
        (
            "walk(teapot, 49)",
            "there is no object 'teapot 49' in the task; 49 is the id of kettle.49",
        ),
        (
            "walk(lamp.49)",
            "there is no object 'lamp.49' in the task; 49 is the id of kettle.49; did you mean"
            " table_lamp?",
        ),
        ("walk(grab)", "there is no object 'grab' in the task; it is the name of an action"),
        (
            "walk(light.999)",
            "there is no object 'light.999' in the task; did you mean light.34 or light.84?",
        ),
    ],
)
def test_messages_say_what_may_be_meant(text: str, message: str) -> None:
    assert messages(text) == [message]


def test_all_actions_are_listed_once_if_nothing_is_near() -> None:
    first, second = messages("xyzzy(light.34)\nqwrtz(light.34)")
    assert first.startswith("there is no action 'xyzzy'; the actions are close, cut, drink, ")
    assert first.endswith(", watch, wipe")
    assert second == "there is no action 'qwrtz'"
    many = Vocabulary({f"do{number}": 1 for number in range(70)}, {}, frozenset(), {})
    assert messages("xyzzy()", many)[0].endswith(", do61, do62 and 10 more")


def test_nothing_is_compared_before_it_is_described(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def nothing(name: str, _: object) -> list[str]:
        asked.append(name)
        return []

    monkeypatch.setattr("eai.answers.names.likely_actions", nothing)
    binder, reading = Binder(HOME), read_answer("xyzzy(light.34)\nxyzzy(light.34)", HOME)
    assert binder.actions(reading) is None
    assert asked == []
    binder.bind(reading)
    assert asked == ["xyzzy"]


def test_an_answer_without_a_plan_is_shown_one_of_its_task() -> None:
    (message,) = messages("I cannot help with that.")
    advice, example = message.split(", such as ")
    assert advice == "there is no plan in the answer; a JSON list of steps is expected"
    assert example == '[{"WALK": ["alarm_clock.16"]}]'
    assert bind(read_answer(example, HOME), HOME).findings == ()


def test_no_example_is_made_up_where_no_action_takes_one_object() -> None:
    empty = Vocabulary({"wait": 0}, {}, frozenset(), {})
    assert messages("Sorry.", empty) == [
        "there is no plan in the answer; a JSON list of steps is expected"
    ]


@pytest.mark.parametrize(
    "text", ['["extinguish the light"]', "- extinguish the light\n- walk(light.34)"]
)
def test_a_step_in_words_is_shown_as_it_is_written(text: str) -> None:
    assert "switchoff(light.34)" in messages(text)[0]


def test_a_wrong_number_of_objects_is_shown_the_form() -> None:
    assert messages("walk(light.34, milk.41)\nstandup(light.34)") == [
        "walk takes 1 object, but 2 were given; write walk(object)",
        "standup takes no object, but 1 was given; write standup()",
    ]


def test_an_empty_answer_is_shown_a_plan() -> None:
    assert messages("") == [
        "the answer is empty; a JSON list of steps is expected, such as"
        ' [{"WALK": ["alarm_clock.16"]}]'
    ]


def test_an_unknown_name_is_explained_once() -> None:
    first, second = messages("walk(sofa)\nsit(sofa)")
    assert first == "there is no object 'sofa' in the task; did you mean couch?"
    assert second == "there is no object 'sofa' in the task"
