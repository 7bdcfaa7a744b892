"""Steps behind words that say nothing of a plan, and names that a program or a task gives."""

from __future__ import annotations

import pytest
from studio_answers import NAMES, actions

from eai.answers import bind, read_answer
from eai.task import Vocabulary

ALL = ["walk(light.34)", "switchon(light.34)", "walk(bed.10)", "touch(bed.10)"]


@pytest.mark.parametrize(
    "answer",
    [
        "Okay! Let's walk to the light. Let's switch on the light. Let's walk to the bed. "
        "Let's touch the bed.",
        "- Walk to the light.\n- Having arrived, I switch on the light.\n"
        "- Having done this, I walk to the bed.\n- The idea is to touch the bed.",
        "1. Walk to the light.\n2. There I **switch on the light**.\n"
        "3. With the light on I **walk to the bed**.\n4. Touch the bed.",
        "**Q: What do you do first?**\nA: I walk to the light.\n\n**Q: And then?**\n"
        "A: Yes, I switch on the light.\n\n**Q: And then?**\nA: I walk to the bed.\n\n"
        "**Q: And last?**\nA: Well, I touch the bed.",
        "The light is off. Therefore, walk to the light.\n\nOnce the robot has arrived, switch on "
        "the light.\n\nThe bed is near. Walk to the bed.\n\nTo finish the job, touch the bed.",
    ],
)
def test_a_sentence_laid_out_like_the_steps_that_may_be_one_is_a_problem(answer: str) -> None:
    assert read_answer(answer, NAMES).problems


@pytest.mark.parametrize(
    "sentence",
    [
        "The goal is to touch the bed.",
        "This lets you touch the bed.",
        "Perhaps I need to touch the bed.",
        "Never touch the bed.",
        "Should I touch the bed?",
    ],
)
def test_a_sentence_that_only_talks_is_no_step(sentence: str) -> None:
    answer = f"Walk to the light. {sentence} Switch on the light."
    plan = bind(read_answer(answer, NAMES), NAMES)
    assert "touch(bed.10)" not in map(str, plan.actions)


@pytest.mark.parametrize(
    "remark",
    [
        "There is no need to touch the bed.",
        "This makes it possible to touch the bed later.",
        "That way nobody has to touch the bed.",
        "You need not touch the bed.",
    ],
)
def test_a_remark_behind_a_numbered_step_is_no_step(remark: str) -> None:
    answer = f"1. Walk to the light. {remark}\n2. Switch on the light."
    assert actions(answer) == ALL[:2]


def test_a_step_behind_unknown_words_is_unclear() -> None:
    answer = "1. Walk to the light. My neighbour used to touch the bed.\n2. Switch on the light."
    reading = read_answer(answer, NAMES)
    assert (len(reading.steps), reading.status) == (2, "partial")


def test_one_sentence_beside_a_told_plan_is_unclear() -> None:
    answer = (
        "In the room with the two lights the tall robot will touch the bed.\n\nWalk to the light."
    )
    assert read_answer(answer, NAMES).status == "partial"


@pytest.mark.parametrize(
    "answer",
    [
        "First, I walk to the light. Then I paint the light red. Once that is done, I switch on "
        "the light.",
        "The robot walks to the light. It then paints the light red. It then switches it on.",
        "The way is free. Walk to the light.\n\nThis is simple. Paint the light red.\n\n"
        "The room is quiet. Switch on the light.",
        "The robot should first walk to the light.\n\nNext, it should throw the light out of the "
        "window.\n\nFinally, it should switch on the light.",
        "Step one: walk to the light.\nStep two: dance with the light.\n"
        "Step three: switch on the light.",
        "Okay! Let's walk to the light. Let's paint the light red. Let's switch on the light.",
        "Walk to the light. With all in place, ask someone to repair the light. Switch it on.",
        "Walk to the light.\n\nBecause of the goal, paint the light red.\n\nSwitch on the light.",
        "I walk to the light. I switch on the light. I paint the bed red.",
        "First, paint the bed red. Then walk to the light. Then switch on the light.",
        "The right sequence is walk to the light, paint the light red and switch on the light.",
    ],
)
def test_a_told_step_of_an_unknown_action_is_not_dropped(answer: str) -> None:
    assert read_answer(answer, NAMES).status == "partial"


@pytest.mark.parametrize(
    "remark",
    [
        "The light stands near the bed.",
        "Only the light remains.",
        "That brings the light closer.",
        "It lights the bed.",
        "Remember where the light is.",
        "Besides the bed, the room holds a light.",
        "The task says nothing about the bed.",
    ],
)
def test_a_remark_that_names_an_object_is_no_step(remark: str) -> None:
    assert actions(f"Walk to the light. {remark} Switch on the light.") == ALL[:2]


def test_a_sentence_before_the_plan_tells_what_it_is_for() -> None:
    answer = "I will illuminate the bed.\n\n1. Walk to the light.\n2. Switch on the light."
    assert actions(answer) == ALL[:2]


@pytest.mark.parametrize("step", ["(levitate a)", "(levitate a b)", "(pick-up a b)", "(levitate)"])
@pytest.mark.parametrize("form", ["{0}\n{1}\n{2}", "{1}\n{0}\n{2}", "{0}\n{2}\n{1}"])
def test_an_unknown_action_in_pddl_is_a_step_whatever_its_objects_are_called(
    step: str, form: str
) -> None:
    names = Vocabulary({"go": 1}, {}, frozenset(["a", "b", "lamp", "desk"]))
    answer = form.format("(go lamp)", step, "(go desk)")
    kinds = [finding.kind for finding in bind(read_answer(answer, names), names).findings]
    assert kinds == ["action_hallucination"]


def test_a_function_that_prints_its_own_call_is_a_step_where_it_is_called() -> None:
    answer = (
        "```cpp\n#include <iostream>\nvoid WALK(std::string x);\n\n"
        'void WALK(std::string x) {\n    std::cout << "WALK(" << x << ")" << std::endl;\n}\n\n'
        'void SWITCHON(std::string x) {\n    std::cout << "SWITCHON(" << x << ")";\n}\n\n'
        'int main() {\n    WALK("light.34");\n    SWITCHON("light.34");\n    return 0;\n}\n```'
    )
    assert actions(answer) == ALL[:2]


@pytest.mark.parametrize("ending", ["ToLocation", "_to_location", "ToPosition", "ToTarget"])
def test_a_name_may_say_that_its_object_is_a_place(ending: str) -> None:
    assert actions(f'robot.walk{ending}("light.34")\nrobot.switchon("light.34")') == ALL[:2]


def test_what_the_robot_can_do_is_no_plan() -> None:
    answer = "- The robot can walk, touch and switch on.\n\n1. Walk to the light.\n2. Touch it."
    assert actions(answer) == ["walk(light.34)", "touch(light.34)"]


@pytest.mark.parametrize(
    "form",
    [
        "- Question: What comes next? Answer: {0}.\n",
        "**Q{1}: What is step {1}?**\n**A{1}:** {0}\n\n",
        "What is the next step? {0}.\n",
    ],
)
def test_questions_and_their_answers_are_one_plan(form: str) -> None:
    steps = ["Walk to the light", "Switch on the light", "Walk to the bed", "Touch the bed"]
    answer = "".join(form.format(step, number) for number, step in enumerate(steps, 1))
    assert actions(answer) == ALL


@pytest.mark.parametrize("edges", ["    A0 -- A1;\n", "    A0 -> A1;\n"])
def test_a_graph_without_directions_is_read_down_the_page(edges: str) -> None:
    head = "digraph" if ">" in edges else "graph"
    nodes = '    A0 [label="WALK(light.34)"];\n    A1 [label="SWITCHON(light.34)"];\n'
    assert actions(f"```dot\n{head} G {{\n{nodes}{edges}}}\n```") == ALL[:2]


@pytest.mark.parametrize("tag", ["<br>", "<br/>", "<hr>"])
def test_a_line_break_in_an_element_does_not_hide_its_step(tag: str) -> None:
    steps = [("walk", "light.34"), ("switchon", "light.34")]
    elements = [
        f"<action>{tag}<name>{name}</name>{tag}<object>{target}</object></action>"
        for name, target in steps
    ]
    assert actions(f"<plan>{''.join(elements)}</plan>") == ALL[:2]


def test_the_address_of_a_link_is_no_object() -> None:
    answer = (
        "1. [Walk](https://example.org/bed.10) to the light\n"
        '2. [Switch on the light](https://example.org/wiki "touch the bed")'
    )
    assert actions(answer) == ALL[:2]
