"""Messages that frameworks of agents print, and calls in special tokens."""

from __future__ import annotations

import json

import pytest

import eai
from eai.answers import read_answer

NAMES = eai.suite("household").task("studio-01").readable

AUTOGEN = """planner (to executor):

***** Suggested tool call (call_0): walk *****
Arguments:
{"object": "light.34"}
**********************************************

executor (to planner):

***** Response from calling tool (call_0) *****
ok
***********************************************

planner (to executor):

***** Suggested tool call (call_1): switchon *****
Arguments:
{"object": "light.34"}
**************************************************"""

LANGGRAPH = """================================ Human Message =================================

Do not walk(fridge.40).
================================== Ai Message ==================================
Tool Calls:
  walk (call_0)
 Call ID: call_0
  Args:
    object: light.34
================================= Tool Message =================================
Name: walk

ok
================================== Ai Message ==================================
Tool Calls:
  switchon (call_1)
 Call ID: call_1
  Args:
    object: light.34"""

FUNCTION_CALLS = (
    "FunctionCall(id='c0', arguments='{\"object\": \"light.34\"}', name='walk')\n"
    "FunctionCall(id='c1', arguments='{\"object\": \"light.34\"}', name='switchon')"
)
MESSAGES = (
    "[HumanMessage(content='walk(fridge.40) first?'), "
    "AIMessage(content='1. walk(light.34)\\n2. switchon(light.34)', additional_kwargs={})]"
)
TEXT_MESSAGE = (
    "TextMessage(source='planner', models_usage=None, "
    "content=\"1. walk(light.34)\\n2. switchon(light.34)\", type='TextMessage')"
)
TOKENS = "".join(
    f'<|open|>call tool="{name}" index="{number}"<|sep|><|open|>argument key="object" '
    'type="string"<|sep|>light.34<|close|>argument<|sep|><|close|>call<|sep|>'
    for number, name in enumerate(("walk", "switchon"), 1)
)
CHUNKS = "\n".join(
    json.dumps({"model": "m", "message": {"content": piece}, "done": piece == ""})
    for piece in ("1. walk(li", "ght.34)\n2. switch", "on(light.34)", "")
)
EVENTS = "".join(
    "data: " + json.dumps({"choices": [{"delta": {"content": piece}}]}) + "\n\n"
    for piece in ("1. walk(li", "ght.34)\n2. switch", "on(light.34)")
)
PROTOBUF = (
    'parts {\n function_call {\n name: "walk"\n args {\n fields {\n key: "object"\n'
    ' value {\n string_value: "light.34"\n }\n }\n }\n }\n}\n'
)
WIKI = "{|\n! Step !! Action\n|-\n| 1 || walk(light.34)\n|-\n| 2 || switchon(light.34)\n|}"
SQL = "INSERT INTO plan (action, object) VALUES ('walk', 'light.34'), ('switchon', 'light.34');"
THOUGHTS = json.dumps(
    {"thoughts": {"text": "ok", "plan": "- walk(light.34)\n- switchon(light.34)"}}
)


def test_plan_among_thoughts_is_read() -> None:
    reading = read_answer(THOUGHTS, NAMES)
    assert not reading.problems
    assert [str(step) for step in reading.steps] == ["walk(light.34)", "switchon(light.34)"]


@pytest.mark.parametrize("log", [FUNCTION_CALLS, MESSAGES, TEXT_MESSAGE])
def test_messages_that_python_prints_are_a_problem_that_names_them(log: str) -> None:
    assert any(
        "which is not read" in problem.message for problem in read_answer(log, NAMES).problems
    )


@pytest.mark.parametrize("log", [AUTOGEN, LANGGRAPH, TOKENS, CHUNKS, EVENTS, PROTOBUF, WIKI, SQL])
def test_logs_that_are_not_read_are_a_problem_that_names_them(log: str) -> None:
    reading = read_answer(log, NAMES)
    assert any("which is not read" in problem.message for problem in reading.problems)
    assert reading.status in ("partial", "none")


@pytest.mark.parametrize(
    "answer",
    [
        "def go(x): y = walk(x)\n\ngo('light.34')\nswitchon('light.34')",
        'data: {"type": "plan", "steps": ["walk(light.34)", "switchon(light.34)"]}',
        '{"done": true, "plan": ["walk(light.34)", "switchon(light.34)"]}',
    ],
)
def test_what_only_looks_like_a_log_is_none(answer: str) -> None:
    problems = read_answer(answer, NAMES).problems
    assert not any("which is not read" in problem.message for problem in problems)


def test_a_log_in_the_reasoning_is_none_of_the_answer() -> None:
    plan = "1. walk(light.34)\n2. switchon(light.34)"
    assert not read_answer(f"<think>{WIKI}\n</think>\n{plan}", NAMES).problems


def test_plan_among_thoughts_is_not_read_beside_an_answer() -> None:
    answer = {"thoughts": {"plan": "- walk(light.34)"}, "command": {"name": "walk", "args": {}}}
    answer["command"] = {"name": "switchon", "args": {"object": "light.34"}}
    reading = read_answer(json.dumps(answer), NAMES)
    assert [str(step) for step in reading.steps] == ["switchon(light.34)"]


def test_number_behind_a_closed_bracket_is_not_that_of_an_object() -> None:
    answer = "\u2460 walk(fridge) \u2461 open(fridge)"
    assert [str(s) for s in read_answer(answer, NAMES).steps] == ["walk(fridge)", "open(fridge)"]


def test_number_behind_a_skill_is_not_that_of_its_object() -> None:
    suite = eai.suite("eb-alfred")
    answer = "\u2460 find(Cabinet) \u2461 open(Cabinet) \u2462 close(Cabinet)"
    result = suite.evaluate(
        "action_sequencing", suite.task("base/2"), answer, suite.semantics("strict")
    )
    assert len({step.partition("(")[2] for step in result.plan}) == 1
