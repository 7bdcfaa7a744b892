"""Whole steps that are keys of an object, or stand under the names of their actions."""

from __future__ import annotations

import pytest
from studio_answers import NAMES, PLAN, actions

from eai.answers import read_answer


@pytest.mark.parametrize(
    "answer",
    [
        '{"plan": {"WALK(light.34)": "I go there.", "SWITCHON(light.34)": "Now I see."}}',
        '{"WALK(light.34)": {"thought": "It is dark.", "action": "The robot rolls to the lamp."},'
        ' "SWITCHON(light.34)": {"thought": "Now I can switch on light.34."}}',
        '{"plan": {"walk": "walk(light.34)", "switchon": "switchon(light.34)"}}',
        '{"WALK(light.34)": [], "SWITCHON(light.34)": {}}',
    ],
)
def test_keys_and_the_values_that_explain_them_are_steps(answer: str) -> None:
    assert actions(answer) == PLAN


@pytest.mark.parametrize(
    "answer",
    [
        '{"WALK(light.34)": true, "SWITCHON(light.34)": false}',
        '{"scores": {"WALK(light.34)": 0.1, "SWITCHON(light.34)": 0.9}}',
        '{"WALK(light.34)": "optional", "SWITCHON(light.34)": "if it is dark"}',
        '{"WALK(light.34)": "skipped", "SWITCHON(light.34)": "done"}',
        '{"WALK(light.34)": ["SWITCHON(light.34)"]}',
        '{"WALK(light.34)": {"action": "SWITCHON", "object": "light.34"}}',
    ],
)
def test_values_that_rate_condition_or_hold_other_steps_are_a_problem(answer: str) -> None:
    assert read_answer(answer, NAMES).problems


@pytest.mark.parametrize(
    "answer",
    [
        '{"WALK(light.34)": "I go.", "SWITCHON(light.34)": "Do not do this."}',
        '{"WALK(light.34)": {"why": "I go."}, "SWITCHON(light.34)": {"skip": true}}',
        "1. WALK(light.34): go there\n2. SWITCHON(light.34): do not do this",
    ],
)
def test_a_step_that_its_explanation_takes_out_is_none(answer: str) -> None:
    reading = read_answer(answer, NAMES)
    assert [str(step) for step in reading.steps] == ["WALK(light.34)"] or reading.problems


def test_an_answer_cut_in_a_remark_behind_its_list_has_the_whole_plan() -> None:
    plan = '"plan": ["WALK(light.34)", "SWITCHON(light.34)"]'
    assert actions("{" + plan + ', "summary": "The robot walks and') == PLAN
    assert read_answer('{"plan": ["WALK(light.34)", "SWITCHON(light.3', NAMES).problems
    assert read_answer('{"plan": ["WALK(light.34)"], "steps_left": "SWITCH', NAMES).problems


def test_a_remark_that_says_the_step_of_its_row_is_no_second_name_of_it() -> None:
    rows = (
        "| 1 | WALK(light.34) | light.34 | Walk to it. |\n| 2 | SWITCHON(light.34) | light.34 | x |"
    )
    head = "| Step | Action | Objects | Remark |\n|---|---|---|---|\n"
    assert actions(head + rows) == PLAN


@pytest.mark.parametrize("key", ["s", "a", "turn_", "command "])
def test_keys_that_number_steps_in_other_words_are_numbers(key: str) -> None:
    answer = f'{{"{key}1": "WALK(light.34)", "{key}2": "SWITCHON(light.34)"}}'
    assert actions(answer) == PLAN
