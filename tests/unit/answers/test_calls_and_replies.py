"""Calls of tools, their replies, and calls around a plan."""

from __future__ import annotations

import json

import pytest

import eai
from eai.answers import PlanReading, read_answer

NAMES = eai.suite("household").task("studio-02").readable
PLAN = ["WALK(FRIDGE.40)", "OPEN(FRIDGE.40)"]


def steps(text: str) -> list[str]:
    return [str(step).upper() for step in reading(text).steps]


def reading(text: str) -> PlanReading:
    return read_answer(text, NAMES)


@pytest.mark.parametrize(
    "text",
    [
        '(\n    Plan()\n    .WALK("fridge.40")\n    .OPEN("fridge.40")\n    .run()\n)',
    ],
)
def test_the_owner_of_steps_is_declared_and_run(text: str) -> None:
    assert steps(f"```python\n{text}\n```") == PLAN
    assert not reading(f"```python\n{text}\n```").problems


def test_another_declaration_may_be_a_step() -> None:
    assert reading(
        '```cpp\nint main() {\n    Door other;\n    robot.WALK("fridge.40");\n}\n```'
    ).problems


def test_an_unknown_action_at_the_end_of_a_list_of_steps_is_kept() -> None:
    text = '[{"WALK": ["fridge.40"]}, {"turn_round": ["box"]}]'
    assert steps(text) == ["WALK(FRIDGE.40)", "TURN_ROUND(BOX)"]


def test_calls_around_a_plan_are_left_out_with_a_note() -> None:
    text = "```python\nrobot.reset()\nrobot.WALK('fridge.40')\nrobot.OPEN('fridge.40')\n```"
    assert steps(text) == PLAN
    assert "not read: reset()" in reading(text).notes


def called(name: str) -> str:
    return json.dumps({"name": name, "arguments": {"object": "fridge.40"}})


SAID = '{"name": "open", "content": "the fridge.40 was opened"}'


@pytest.mark.parametrize(
    "reply",
    [
        f"<tool_response>\n{SAID}\n</tool_response>",
        f"<function_results>{SAID}</function_results>",
        "<tool_result><name>open</name><text>fridge.40</text></tool_result>",
        f"[TOOL_RESULTS]{SAID}[/TOOL_RESULTS]",
        f"<\uff5ctool\u2581outputs\u2581begin\uff5c>{SAID}<\uff5ctool\u2581outputs\u2581end\uff5c>",
        f"<start_function_response>{SAID}<end_function_response>",
        f'{{"tool_response": {SAID}}}',
        '{"call_id": "c7", "name": "open", "output": "fridge.40"}',
        '{"type": "function_call_output", "name": "open", "output": "fridge.40"}',
    ],
)
def test_what_a_tool_replies_between_calls_is_no_step(reply: str) -> None:
    text = f"{called('walk')}\n{reply}\n{called('open')}"
    assert steps(text) == PLAN
    assert not reading(text).problems


@pytest.mark.parametrize("key", ["tool_call", "tool_input", "response", "output"])
def test_steps_under_keys_of_calls_and_answers_are_read(key: str) -> None:
    assert steps(f'{{"{key}": [{called("walk")}, {called("open")}]}}') == PLAN


def test_a_call_with_an_id_is_a_step() -> None:
    call_with_id = '{"call_id": "c1", "name": "%s", "input": {"object": "fridge.40"}}'
    assert steps(f"[{call_with_id % 'walk'}, {call_with_id % 'open'}]") == PLAN
