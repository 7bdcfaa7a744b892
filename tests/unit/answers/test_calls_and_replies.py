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


def test_what_acts_in_a_program_is_declared() -> None:
    text = (
        '```cpp\nint main() {\n    Robot robot;\n    robot.WALK("fridge.40");\n'
        '    robot.OPEN("fridge.40");\n    return 0;\n}\n```'
    )
    assert steps(text) == PLAN
    assert not reading(text).problems


@pytest.mark.parametrize(
    "code",
    [
        'plan.add(new Action("WALK", "fridge.40"));\nplan.add(new Action("OPEN", "fridge.40"));',
        'var plan = List.of(new Step("WALK", "fridge.40"), new Step("OPEN", "fridge.40"));',
        'const plan = [\n  new Step("WALK", "fridge.40"),\n  new Step("OPEN", "fridge.40"),\n];',
    ],
)
def test_a_step_that_is_made_by_new_is_a_step(code: str) -> None:
    assert steps(code) == PLAN
    assert not reading(code).problems


def test_async_is_no_part_of_the_name_of_an_action() -> None:
    assert steps('await robot.WALKAsync("fridge.40");\nawait robot.OPENAsync("fridge.40");') == PLAN


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


@pytest.mark.parametrize(
    ("branch", "last"), [("\u251c\u2500\u2500", "\u2514\u2500\u2500"), ("|--", "`--")]
)
def test_the_last_branch_of_a_drawn_tree_is_a_step_though_it_is_taken_before(
    branch: str, last: str
) -> None:
    tree = "\n".join(f"{branch} {step}" for step in (*PLAN, "CLOSE(FRIDGE.40)"))
    assert steps(f"Plan\n{tree}\n{last} {PLAN[0]}")[-1] == PLAN[0]
