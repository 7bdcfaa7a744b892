"""What is so before anything is done is no answer: in elements, behind labels, below headings."""

from __future__ import annotations

import pytest

from eai.abilities import GoalNames, read_goals, read_subgoals
from eai.answers import is_given_key
from eai.task import Vocabulary

NAMES = Vocabulary(
    actions={"drink": 1},
    predicates={"on": 1, "off": 1, "open": 1},
    objects=frozenset({"cup.2", "door.1", "tv.4"}),
    classes={"cup": ("cup.2",), "door": ("door.1",), "tv": ("tv.4",)},
)
GIVEN = [
    "<current_state>\n{0}\n</current_state>\n",
    "<initial_state>{0}</initial_state>\n",
    "<given>\n- {0}\n- {0}\n</given>\n",
    "Current state: {0}\n\n",
    "Current state:\n- {0}\n\n",
    "Initial state:\n{0}\n\n",
    "**Given:**\n- {0}\n- {0}\n\n",
    "## Current state of the environment\n\n- {0}\n\n## Answer\n\n",
    "Initial conditions:\n- {0}\nAnswer:\n",
    "Currently, {0} holds.\n\n",
]
LISTS = [
    '["open(door.1)", "drink(cup.2)"]',
    "1. open(door.1)\n2. drink(cup.2)",
    "- open(door.1)\n- drink(cup.2)",
]


@pytest.mark.parametrize("given", GIVEN)
@pytest.mark.parametrize("answer", LISTS)
def test_a_given_state_is_no_subgoal(given: str, answer: str) -> None:
    for text in (given.format("off(tv.4)") + answer, f"{answer}\n\n{given.format('off(tv.4)')}"):
        reading = read_subgoals(text, NAMES)
        assert [each.text for each in reading.subgoals] == ["open(door.1)", "drink(cup.2)"]


@pytest.mark.parametrize("given", GIVEN)
@pytest.mark.parametrize("answer", ["- ON(tv)\n- drink", "Node goals:\n- ON(tv)\n- OPEN(door)"])
def test_a_given_state_is_no_goal(given: str, answer: str) -> None:
    expected = [each.name for each in read_goals(answer, GoalNames(NAMES)).goals]
    reading = read_goals(given.format("OFF(tv)") + answer, GoalNames(NAMES))
    assert [each.name for each in reading.goals] == expected


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("current_state", True),
        ("Initial conditions", True),
        ("state of the world before", True),
        ("given", True),
        ("facts", True),
        ("goal_state", False),
        ("state", False),
        ("current", False),
        ("start", False),
        ("initial plan", False),
        ("given goals", False),
    ],
)
def test_words_tell_what_is_given(key: str, expected: bool) -> None:
    assert is_given_key(key) is expected


def test_a_part_that_is_given_ends_where_words_stand() -> None:
    reading = read_subgoals("Current state:\n- off(tv.4)\nI suggest\n- open(door.1)", NAMES)
    assert [each.text for each in reading.subgoals] == ["open(door.1)"]
