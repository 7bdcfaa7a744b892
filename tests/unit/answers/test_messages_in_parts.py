"""Messages that an interface gives in parts are read as a whole."""

from __future__ import annotations

import json

import pytest

import eai
from eai.answers import PlanReading, read_answer
from eai.answers.protobuf import with_plain_calls
from eai.answers.streams import join_message_parts

NAMES = eai.suite("household").task("studio-02").readable
PLAN = ["WALK(FRIDGE.40)", "OPEN(FRIDGE.40)"]


def steps(text: str) -> list[str]:
    return [str(step).upper() for step in reading(text).steps]


def reading(text: str) -> PlanReading:
    return read_answer(text, NAMES)


def chunk(**delta: object) -> str:
    return "data: " + json.dumps({"choices": [{"index": 0, "delta": delta}]}) + "\n\n"


def call(index: int, arguments: str, name: str | None = None) -> str:
    function = {"arguments": arguments} | ({"name": name} if name else {})
    return chunk(tool_calls=[{"index": index, "function": function}])


CALLS = (
    call(0, "", "walk")
    + call(0, '{"object": "frid')
    + call(0, 'ge.40"}')
    + call(1, "", "open")
    + call(1, '{"object": "fridge.40"}')
)
WORDS = (
    chunk(content="1. WALK(fri") + chunk(content="dge.40)\n2. OP") + chunk(content="EN(fridge.40)")
)


def block(index: int, name: str, *pieces: str) -> str:
    start = {"type": "content_block_start", "index": index, "content_block": {"name": name}}
    events = [start] + [
        {"type": "content_block_delta", "index": index, "delta": {"partial_json": piece}}
        for piece in pieces
    ]
    return "".join(f"event: {each['type']}\ndata: {json.dumps(each)}\n\n" for each in events)


@pytest.mark.parametrize(
    "text",
    [
        CALLS,
        CALLS + "data: [DONE]\n",
        WORDS,
        f"The log of the stream:\n\n{CALLS}\nThat was all.",
        block(0, "walk", '{"object": "fri', 'dge.40"}')
        + block(1, "open", '{"object": "fridge.40"}'),
        "<|assistant|>walk\n```python\ntool_call(object='fridge.40')\n```\n"
        "<|assistant|>open\n```python\ntool_call(object='fridge.40')\n```\n",
        "".join(
            f'parts {{\n function_call {{\n name: "{name}"\n args {{\n fields {{\n key: "object"\n'
            ' value {\n string_value: "fridge.40"\n }\n }\n }\n }\n}\n'
            for name in ("walk", "open")
        ),
    ],
)
def test_parts_are_one_message(text: str) -> None:
    assert steps(text) == PLAN


@pytest.mark.parametrize("text", [CALLS, WORDS])
def test_a_stream_that_ends_amid_an_event_is_cut(text: str) -> None:
    assert reading(text[:-20]).problems


@pytest.mark.parametrize(
    "text",
    [
        'data: {"plan": ["WALK(fridge.40)"]}',
        "event: start\nid: 3",
        "parts { function_call { name",
        "",
    ],
)
def test_other_answers_stay_as_they_are(text: str) -> None:
    assert with_plain_calls(join_message_parts(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        'int main() {\n  Robot robot;\n  robot.WALK("fridge.40");\n  robot.OPEN("fridge.40");\n}',
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
