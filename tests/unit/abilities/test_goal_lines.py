"""Lines of goals: their labels, their elements, and which are headings or remarks."""

from __future__ import annotations

import pytest

from eai.abilities import GoalNames, read_goals
from eai.abilities.goal_interpretation.lines import Line
from eai.answers import open_document
from eai.task import Vocabulary

NAMES = GoalNames(
    Vocabulary({"read": 1, "grab": 1}, {"on": 1, "open": 1}, frozenset({"lamp.1", "cup.2"}))
)


def lines(answer: str) -> list[Line]:
    return [Line.of(block) for block in open_document(answer).blocks if block.value is None]


@pytest.mark.parametrize(
    ("text", "is_heading"),
    [
        ("**Node goals**", True),
        ("## Node goals", True),
        ("Node goals:", True),
        ("*Node goals:*", True),
        ("**lamp** has to be on", False),
        ("it has to be **on**", False),
        ("ON(lamp.1)", False),
    ],
)
def test_headings_are_bold_or_end_with_a_colon(text: str, is_heading: bool) -> None:
    (line,) = lines(text)
    assert line.is_heading is is_heading


@pytest.mark.parametrize(
    ("answer", "elements"),
    [
        ("ON(lamp.1)", [""]),
        ("<goals>\n<action>\nFLY\n</action>\nON(lamp.1)\n</goals>", ["action", "goals"]),
        ("```\nON(lamp.1)\n```", [""]),
        ("<goals>\n~~ON(lamp.1)~~\n</goals>", ["goals"]),
    ],
)
def test_the_innermost_element_of_a_line_is_known(answer: str, elements: list[str]) -> None:
    found = [line for line in lines(answer) if any(map(str.isalnum, line.text))]
    assert [line.element for line in found] == elements
    assert [line.is_in_tag for line in found] == [bool(name) for name in elements]


@pytest.mark.parametrize(
    ("answer", "is_comment"),
    [
        ("// ON(lamp.1)", True),
        ("# ON(lamp.1)", False),
        ("```python\n# ON(lamp.1)\n```", True),
        ("```\n# ON(lamp.1)\n```", False),
        ("```markdown\n# ON(lamp.1)\n```", False),
        ("```python\n# Node goals\n```", False),
        ("// Node goals", False),
        ("```python\nON(lamp.1)\n```", False),
    ],
)
def test_comments_of_code_are_no_goals(answer: str, is_comment: bool) -> None:
    (line,) = lines(answer)
    assert line.is_comment is is_comment
    goals = read_goals(answer, NAMES).goals
    assert [goal.name for goal in goals if goal.name] == (
        ["ON"] if "ON" in answer and not is_comment else []
    )


@pytest.mark.parametrize(
    ("answer", "actions"),
    [
        ("<action>FLY</action>", ["FLY"]),
        ("<action>\nFLY\n</action>", ["FLY"]),
        ("<goals>\n<action>\nREAD\n</action>\n<action>\nfly high\n</action>\n</goals>", None),
        ("<node>\nFLY\n</node>", []),
    ],
)
def test_what_an_element_of_an_action_holds_is_an_action(
    answer: str, actions: list[str] | None
) -> None:
    found = read_goals(answer, NAMES).goals
    expected = ["READ", "fly high"] if actions is None else actions
    assert [goal.name for goal in found if goal.kind == "action"] == expected


@pytest.mark.parametrize(
    ("answer", "goals"),
    [
        (
            "- ON(lamp.1)\n- OPEN(cup.2)\n\nIn short the lamp and the cup matter.\n\n"
            "- ON(lamp.1)\n- OPEN(cup.2)\n- READ(cup.2)",
            ["ON(lamp.1)", "OPEN(cup.2)", "READ(cup.2)"],
        ),
        (
            "ON(lamp.1)\nOPEN(cup.2)\nHmm, the cup.\nON(lamp.1)\nOPEN(lamp.1)",
            ["ON(lamp.1)", "OPEN(lamp.1)"],
        ),
        # the second list has nothing of the first one
        (
            "- ON(lamp.1)\n- OPEN(cup.2)\n\nBeside that the lamp matters.\n\n"
            "- ON(cup.2)\n- OPEN(lamp.1)",
            ["ON(lamp.1)", "OPEN(cup.2)", "ON(cup.2)", "OPEN(lamp.1)"],
        ),
    ],
)
def test_goals_that_are_told_again_take_the_place_of_the_first_ones(
    answer: str, goals: list[str]
) -> None:
    found = [
        f"{goal.name}({', '.join(goal.arguments)})" for goal in read_goals(answer, NAMES).goals
    ]
    assert found == goals
