"""Goals with a remark behind them, and talk that only looks like a goal."""

from __future__ import annotations

import pytest

from eai.abilities import GoalNames, read_goals
from eai.abilities.goal_interpretation.words import is_head
from eai.task import Vocabulary

NAMES = GoalNames(
    Vocabulary({"watch": 1}, {"on": 1, "open": 1, "facing": 2}, frozenset({"lamp", "cup", "chair"}))
)


def read(text: str) -> tuple[list[str], bool]:
    """Return the goals of a text, and whether all of it was read."""
    reading = read_goals(text, NAMES)
    is_whole = all(goal.name for goal in reading.goals)
    goals = [f"{goal.name}({', '.join(goal.arguments)})".lower() for goal in reading.goals]
    return goals, is_whole


@pytest.mark.parametrize(
    "remark",
    [
        "as the user wants to see",
        "because nobody should stumble",
        "must be so in the end",
        "(since it gets dark soon)",
        "is needed for that",
    ],
)
def test_a_remark_behind_the_last_goal_leaves_it_a_goal(remark: str) -> None:
    assert read(f"ON(lamp)\nOPEN(cup)\nFACING(chair, lamp) {remark}") == (
        ["on(lamp)", "open(cup)", "facing(chair, lamp)"],
        True,
    )


@pytest.mark.parametrize(
    "remark",
    ["was omitted", "is true from the beginning, so nobody needs it", "holds already at the start"],
)
def test_a_goal_that_may_be_left_out_is_reported(remark: str) -> None:
    goals, is_whole = read(f"ON(lamp)\nOPEN(cup)\nFACING(chair, lamp) {remark}")
    assert goals[:2] == ["on(lamp)", "open(cup)"]
    assert "facing(chair, lamp)" not in goals
    assert not is_whole


@pytest.mark.parametrize(
    "talk",
    ["The chair insists on silence.", "2. Her chair counts on us.", "A lamp hangs on chains."],
)
def test_a_preposition_of_a_verb_is_no_state(talk: str) -> None:
    assert read(f"{talk}\n\nON(lamp)\nOPEN(cup)") == (["on(lamp)", "open(cup)"], True)


@pytest.mark.parametrize(
    "sentence",
    ["The lamp is on.", "The lamp is still on when we leave.", "Keep the lamp on today."],
)
def test_a_preposition_of_a_state_is_one(sentence: str) -> None:
    assert read(sentence) == (["on(lamp)"], True)


@pytest.mark.parametrize(
    "answer",
    [
        "1. The room matters, therefore: ON(lamp)\n2. Nothing else is needed, therefore: WATCH",
        "1. The lamp comes first: ON(lamp)\n2. The chair comes last, hence -> **WATCH**",
        "In the end `ON(lamp)` and `WATCH` must hold.",
    ],
)
def test_an_action_beside_goals_is_a_goal(answer: str) -> None:
    assert read(answer) == (["on(lamp)", "watch()"], True)


@pytest.mark.parametrize(
    "remark",
    ["2. It is never needed here, so no: WATCH", "2. It may also see `WATCH` somewhere else."],
)
def test_an_action_in_a_remark_is_no_goal(remark: str) -> None:
    assert read(f"1. The lamp comes first: ON(lamp)\n{remark}")[0] == ["on(lamp)"]


def test_an_item_of_a_list_of_goals_that_is_not_read_is_reported() -> None:
    goals, is_whole = read("1. ON(lamp)\n2. The lamp flurbs the cup.\n3. OPEN(cup)")
    assert (goals, is_whole) == (["on(lamp)", "()", "open(cup)"], False)
    assert read("1. ON(lamp)\n2. That is all, really.\n3. OPEN(cup)") == (
        ["on(lamp)", "open(cup)"],
        True,
    )


@pytest.mark.parametrize(("term", "is_whole"), [("(chair, lamp)", False), ("(chair, sofa)", True)])
def test_a_sentence_below_a_list_is_reported_if_it_begins_with_a_term(
    term: str, is_whole: bool
) -> None:
    sentence = f"FACING{term} is what I thought of first, because the person would be near it."
    goals, found = read(f"- ON(lamp)\n- OPEN(cup)\n{sentence}")
    assert (goals[:2], found) == (["on(lamp)", "open(cup)"], is_whole)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("name,state", True),
        ("object name,goal state", True),
        ("from name,relation,to name", True),
        ("the object name,state", False),
        ("name,state,because", False),
        ("name", False),
    ],
)
def test_the_head_of_a_table_has_keys_of_two_words_at_most(text: str, expected: bool) -> None:
    assert is_head(text) is expected
