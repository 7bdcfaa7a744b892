"""What a person does not see in an answer does not decide, and a note says that it was dropped."""

from __future__ import annotations

import json

import pytest

from eai.abilities import read_goals, read_subgoals
from eai.answers import UNSEEN, PlanReading, bind, read_answer, remove_invisible
from eai.task import Vocabulary

MARKS = ["\0", "\x1b", "\x1b[31m", "\x1b]0;title\x07", "\u202a", "\u202e", "\ud800", "\u200b"]
MARKS += ["\ufeff", "\u00ad", "\ufe0f", "\U000e0041", "\x07", "\x85"[:0] + "\x9b"]
PLANS = ['[{"WALK": ["light", "411"]}, {"SWITCHON": ["light.411"]}]', "WALK(light)\nSWITCHON(x)"]
SUBGOALS = ['["on(cup.2)", "drink(cup.2)"]', "on(cup.2)\ndrink(cup.2)"]
GOALS = '{"node goals": [{"name": "cup", "state": "ON"}], "edge goals": []}'
HOME = Vocabulary(
    {"walk": 1, "switchon": 1},
    {},
    frozenset({"light.411", "a", "x"}),
    {"light": ("light.411",)},
)


def read_plan(text: str) -> PlanReading:
    return read_answer(text, HOME)


def marked(text: str, mark: str) -> list[str]:
    amid = len(text) // 2
    return [mark + text, text + mark, f"{mark}\n{text}\n{mark}", text[:amid] + mark + text[amid:]]


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("text", PLANS)
def test_a_plan_is_read_as_it_is_seen(mark: str, text: str) -> None:
    plain = bind(read_plan(text), HOME).actions
    for answer in marked(text, mark):
        reading = read_plan(answer)
        assert bind(reading, HOME).actions == plain
        assert len(plain) == 2
        assert not reading.problems
        assert UNSEEN in reading.notes


@pytest.mark.parametrize("mark", MARKS)
def test_subgoals_and_goals_are_read_as_they_are_seen(mark: str) -> None:
    for text in SUBGOALS:
        for answer in marked(text, mark):
            found = read_subgoals(answer)
            assert [each.text for each in found.subgoals] == ["on(cup.2)", "drink(cup.2)"]
            assert UNSEEN in found.notes
    for answer in marked(GOALS, mark):
        reading = read_goals(answer)
        assert list(map(str, reading.goals)) == ["ON(cup)"]
        assert UNSEEN in reading.notes


def test_places_are_those_of_the_answer() -> None:
    text = "\x1b[31m<think>?</think>\0[\u202a\n" + '"WALK(a)", "\0fly to the moon"]'
    (step,), (problem,) = read_plan(text).steps, read_plan(text).problems
    assert text[step.position :].startswith('"WALK')
    assert text[problem.position :].startswith('"\0fly')
    (goal,) = read_goals("\0\0" + GOALS).goals
    assert goal.position == ("\0\0" + GOALS).index('{"name')


def test_blanks_beyond_the_longest_answer_do_not_decide() -> None:
    blanks = " \n" * 150_000
    for text in (PLANS[0] + blanks, blanks + PLANS[0], PLANS[0].replace(", {", f",{blanks}{{")):
        reading = read_plan(text)
        assert not reading.problems
        assert [step.name for step in reading.steps] == ["WALK", "SWITCHON"]
        assert text[reading.steps[1].position :].startswith('"SWITCHON')
    assert read_plan("x " * 150_000).problems


def test_goals_in_a_string_are_opened() -> None:
    answer = json.dumps({"output": GOALS})
    (goal,) = read_goals(answer).goals
    assert str(goal) == "ON(cup)"
    assert goal.position is not None
    assert answer[goal.position :].startswith('"{')


def test_ordinary_texts_are_left_as_they_are() -> None:
    for text in ("", "WALK(a)\r\n\tGRAB(b)", "caf\u00e9 \u2603 \U0001f600", "x" * 2_000_000):
        assert remove_invisible(text) == (text, [])
