"""What is struck out or commented out is not read, and everything around it is."""

from __future__ import annotations

import pytest

from eai.abilities import GoalNames, read_goals, read_subgoals
from eai.answers import open_document
from eai.task import Vocabulary

NAMES = Vocabulary(
    actions={"drink": 1},
    predicates={"on": 1, "open": 1},
    objects=frozenset({"lamp.1", "cup.2"}),
    classes={"lamp": ("lamp.1",), "cup": ("cup.2",)},
)
MARKS = ["~~{}~~", "<!-- {} -->", "/* {} */"]


def subgoals(answer: str) -> list[str]:
    reading = read_subgoals(answer, NAMES)
    assert reading.problems == ()
    return [" ".join(subgoal.text.split()) for subgoal in reading.subgoals]


def goals(answer: str) -> list[str]:
    reading = read_goals(answer, GoalNames(NAMES))
    return [f"{goal.name}({', '.join(goal.arguments)})" for goal in reading.goals]


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize(
    "answer",
    [
        "on(lamp.1)\n{}\nopen(cup.2)",
        "{}\non(lamp.1)\nopen(cup.2)",
        "on(lamp.1)\nopen(cup.2)\n{}",
        "on(lamp.1)\n\n{}\n\nopen(cup.2)",
        "on(lamp.1)\n{} open(cup.2)",
        "{} on(lamp.1)\nopen(cup.2)",
        "on(lamp.1) {}\nopen(cup.2)",
    ],
)
def test_what_stands_around_a_struck_literal_is_read(answer: str, mark: str) -> None:
    struck = answer.format(mark.format("on(cup.2)"))
    assert subgoals(struck) == goals(struck) == ["on(lamp.1)", "open(cup.2)"]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("1. ~~on(cup.2)~~ on(lamp.1)\n2. open(cup.2)", ["on(lamp.1)", "open(cup.2)"]),
        ("1. on(lamp.1), ~~on(cup.2)~~\n2. open(cup.2)", ["on(lamp.1)", "open(cup.2)"]),
        ("1. on(lamp.1) ~~or on(cup.2)~~\n2. open(cup.2)", ["on(lamp.1)", "open(cup.2)"]),
        ("1. on(lamp.1) ~~or on(cup.2)~~ and open(lamp.1)", ["on(lamp.1) and open(lamp.1)"]),
        ("1. ~~on cup.2~~ on lamp.1\n2. open(cup.2)", ["on(lamp.1)", "open(cup.2)"]),
        ("1. ~~<on>cup.2</on>~~\n2. open(cup.2)\n3. on(lamp.1)", ["open(cup.2)", "on(lamp.1)"]),
        ("<step>~~on(cup.2)~~ on(lamp.1)</step><step>open(cup.2)</step>", None),
        ("<step>\n~~on(cup.2)~~\non(lamp.1)\n</step>\n<step>open(cup.2)</step>", None),
        ("<step>on(lamp.1)</step>\n<step>~~on(cup.2)~~</step>\n<step>open(cup.2)</step>", None),
        ("~~[on(cup.2)]~~\n[on(lamp.1), open(cup.2)]", None),
    ],
)
def test_struck_parts_of_lines_elements_and_values_are_no_subgoals(
    answer: str, expected: list[str] | None
) -> None:
    assert subgoals(answer) == (expected or ["on(lamp.1)", "open(cup.2)"])


@pytest.mark.parametrize(
    "answer",
    ["~~on(cup.2)~~", "~~on(cup.2)~~.", "<!-- on(cup.2) -->\n", "~~on(cup.2)\nopen(cup.2)~~"],
)
def test_an_answer_that_is_struck_out_as_a_whole_says_nothing(answer: str) -> None:
    assert read_subgoals(answer, NAMES).subgoals == ()
    assert goals(answer) == []
    assert all(block.is_struck for block in open_document(answer).blocks)


@pytest.mark.parametrize("mark", MARKS)
def test_words_behind_a_struck_literal_speak_of_the_list_before_it(mark: str) -> None:
    answer = f'["on(lamp.1)"]\n{mark.format("on(cup.2)")}\nI have no answer.'
    assert read_subgoals(answer, NAMES).subgoals == ()
    assert len(read_subgoals(answer, NAMES).problems) == 1
