"""Plans whose words lean on words before them: "it", a verb not said again, a plan told again."""

from __future__ import annotations

import pytest

import eai
from eai.answers import bind, read_answer
from eai.task import Vocabulary

HOUSEHOLD = eai.suite("household").task("flat-12").readable
SKILLS = eai.suite("eb-alfred").task("common_sense/14").readable


def actions(answer: str, names: Vocabulary) -> list[str]:
    reading = read_answer(answer, names)
    assert not reading.problems
    return [str(action) for action in bind(reading, names).actions]


@pytest.mark.parametrize(
    "answer",
    [
        "Find a KeyChain, pick it up, find a FloorLamp, and turn it on.",
        "1. Find a KeyChain\n2. Pick it up\n3. Find a FloorLamp\n4. Turn it on",
        "First find a KeyChain and pick it up. Then find a FloorLamp. Turn it on.",
    ],
)
def test_pronoun_means_the_object_in_the_name_of_the_skill_before(answer: str) -> None:
    plan = ["find(KeyChain)", "pick(KeyChain)", "find(FloorLamp)", "turn_on(FloorLamp)"]
    assert actions(answer, SKILLS) == plan


@pytest.mark.parametrize(
    "answer",
    [
        "Walk to the radio, then to the couch, and sit on the couch.",
        "Walk to the radio and then back to the couch. Sit on the couch.",
        "Walk to the radio. Then to the couch. Sit on the couch.",
        "Walk to the radio and to the couch, and sit on the couch.",
    ],
)
def test_next_place_has_the_verb_of_the_step_before(answer: str) -> None:
    plan = ["walk(radio.111)", "walk(couch.101)", "sit(couch.101)"]
    assert actions(answer, HOUSEHOLD) == plan


def test_next_place_behind_a_verb_without_a_direction_is_a_problem() -> None:
    answer = "Walk to the notebook, grab the notebook, then to the couch, and sit on the couch."
    assert read_answer(answer, HOUSEHOLD).problems


@pytest.mark.parametrize(
    "answer",
    [
        "Walk to the radio and the desk with it. Grab the notebook and the bowl with both hands.",
        "The robot walks to the radio and the desk. It takes the notebook and the bowl at once.",
        "Walk to the radio and the desk, grab the notebook in one hand and the bowl in the other.",
    ],
)
def test_verb_with_objects_and_how_it_is_done_is_a_step_for_each(answer: str) -> None:
    plan = ["walk(radio.111)", "walk(desk.501)", "grab(notebook.510)", "grab(bowl.218)"]
    assert actions(answer, HOUSEHOLD) == plan


@pytest.mark.parametrize(
    "answer",
    [
        "Walk to the couch so that you can find the radio, grab the notebook, and sit on it.",
        "The robot walks to the couch and sits.",
        "Walk to the couch, which lets you grab the notebook, and sit on it.",
    ],
)
def test_rest_of_a_sentence_is_not_passed_over(answer: str) -> None:
    assert read_answer(answer, HOUSEHOLD).problems


@pytest.mark.parametrize("second_step", ["Grab the notebook", "Sit on the couch"])
def test_step_that_is_only_a_purpose_is_noted_unless_the_plan_has_it(second_step: str) -> None:
    answer = f"1. Walk to the couch so that you can grab the notebook\n2. {second_step}"
    notes = read_answer(answer, HOUSEHOLD).notes
    assert any("grab(notebook" in note for note in notes) == (second_step != "Grab the notebook")


@pytest.mark.parametrize(
    "answer",
    [
        "1. Walk to the radio\n2. Walk to the desk and the couch\n3. Sit on the couch",
        "Walk to the radio, the desk and the couch. Sit on the couch.",
        "Walk to both the radio and the desk, walk to the couch, and sit on the couch.",
        "- Walk to the radio, desk & couch\n- Sit on the couch",
        "Walk to radio.111, then walk to the desk as well as the couch, then sit on it.",
    ],
)
def test_verb_with_several_objects_is_a_step_for_each(answer: str) -> None:
    plan = ["walk(radio.111)", "walk(desk.501)", "walk(couch.101)", "sit(couch.101)"]
    assert actions(answer, HOUSEHOLD) == plan


@pytest.mark.parametrize(
    "objects", ["the radio, the couch", "radio.111, couch.101", "radio, couch"]
)
def test_too_many_objects_of_one_step_are_a_problem(objects: str) -> None:
    assert read_answer(f"1. Walk to {objects}\n2. Sit on the couch", HOUSEHOLD).problems


def test_final_plan_counts_though_a_line_of_the_same_plan_above_is_not_understood() -> None:
    steps = ["Walk to the radio", "Walk to the couch", "Sit on the couch"]
    remark = "- Action: Use a tool to reach the couch."
    above = "\n".join(f"Step {number}: {step}\n{remark}" for number, step in enumerate(steps, 1))
    assert read_answer(above, HOUSEHOLD).problems
    final = "Final answer: Walk to the radio, walk to the couch and sit on the couch."
    plan = ["walk(radio.111)", "walk(couch.101)", "sit(couch.101)"]
    assert actions(f"{above}\n\n{final}", HOUSEHOLD) == plan


@pytest.mark.parametrize(
    "answer",
    [
        "Walk to the couch, next to the radio, and sit on the couch.",
        "Walk to the couch and the radio beside it, and sit on the couch.",
        "1. WALK(couch.101), couch\n2. SIT(couch.101), couch",
        "Walk to the couch, and then, to be near the radio, sit on the couch.",
    ],
)
def test_place_beside_a_step_is_no_step(answer: str) -> None:
    assert actions(answer, HOUSEHOLD) == ["walk(couch.101)", "sit(couch.101)"]


@pytest.mark.parametrize(
    "step",
    [
        "Walk to the radio or the couch",
        "Walk to the radio, or to the couch",
        "Walk to the sofa or the couch",
        "Walk to the radio/couch",
        "The robot walks to the radio and/or the couch",
    ],
)
def test_object_that_may_be_meant_instead_is_noted(step: str) -> None:
    notes = read_answer(f"1. {step}\n2. Sit on the couch", HOUSEHOLD).notes
    assert any("alternative" in note for note in notes)


def test_objects_without_an_alternative_are_not_noted_as_one() -> None:
    notes = read_answer("1. Walk to the radio for the couch\n2. Sit on it", HOUSEHOLD).notes
    assert not any("alternative" in note for note in notes)


@pytest.mark.parametrize(
    "answer",
    [
        "1. Find and grab the notebook\n2. Walk to and then sit on the couch",
        "Find and grab the notebook. Walk to, and sit on, the couch.",
        'Find and grab the notebook located at "notebook.510", walk to and sit on the couch.',
    ],
)
def test_verbs_with_one_object_are_a_step_each(answer: str) -> None:
    plan = ["find(notebook.510)", "grab(notebook.510)", "walk(couch.101)", "sit(couch.101)"]
    assert actions(answer, HOUSEHOLD) == plan


def test_verbs_without_any_object_get_none() -> None:
    reading = read_answer("1. Open and close\n2. Sit on the couch", HOUSEHOLD)
    assert bind(reading, HOUSEHOLD).findings
