"""What models and their tools write around a plan: tokens, calls, tables, programs, scenarios."""

from __future__ import annotations

import json

import pytest

from eai.answers import read_answer
from eai.task import Vocabulary

HOUSE = Vocabulary(
    {"walk": 1, "grab": 1, "putin": 2, "sleep": 0, "sit": 1},
    {},
    frozenset(["hall.1", "cup.2", "bed.4"]),
    {"hall": ("hall.1",), "cup": ("cup.2",), "bed": ("bed.4",)},
)
WORDS = Vocabulary({"find a cup": 0, "pick up the cup": 0}, {}, frozenset(), {})
PLAN = ["walk(hall.1)", "grab(cup.2)", "sleep()"]


def steps(text: str, names: Vocabulary = HOUSE) -> list[str]:
    reading = read_answer(text, names)
    if reading.problems:
        return []
    return [
        f"{s.name}({', '.join(a.replace('_', '.') for a in s.arguments)})" for s in reading.steps
    ]


def call(name: str, **arguments: str) -> str:
    return json.dumps({"name": name, "arguments": arguments})


@pytest.mark.parametrize(
    "text",
    [
        # elements of calls behind the name of a model or a namespace
        '<ns:invoke name="walk"><ns:parameter name="object">hall_1</ns:parameter></ns:invoke>\n'
        '<ns:invoke name="grab"><ns:parameter name="object">cup_2</ns:parameter></ns:invoke>\n'
        '<ns:invoke name="sleep"></ns:invoke>',
        "<invoke>\n<tool_name>walk</tool_name>\n<parameters>\n<object>hall_1</object>\n"
        "</parameters>\n</invoke>\n<invoke>\n<tool_name>grab</tool_name>\n<parameters>\n<object>cup_2</object>\n"
        "</parameters>\n</invoke>\n<invoke>\n<tool_name>sleep</tool_name>\n<parameters>\n"
        "</parameters>\n</invoke>",
        # calls in braces, one without objects
        '<|tool_call>call:walk{object:<|"|>hall_1<|"|>}<tool_call|><|tool_call>call:grab{object:'
        '<|"|>cup_2<|"|>}<tool_call|><|tool_call>call:sleep{}<tool_call|>',
        "<start_function_call>call:walk{object:<escape>hall_1<escape>}<end_function_call>"
        "<start_function_call>call:grab{object:<escape>cup_2<escape>}<end_function_call>"
        "<start_function_call>call:sleep{}<end_function_call>",
        # the first step behind a token on its line
        "<|START_THINKING|>Go.<|END_THINKING|><|START_RESPONSE|>1. walk(hall_1)\n2. grab(cup_2)\n"
        "3. sleep()<|END_RESPONSE|>",
        "<|channel>thought\nI go.\n<channel|>1. walk(hall_1)\n2. grab(cup_2)\n3. sleep()",
        "analysisI go there.assistantfinal1. walk(hall_1)\n2. grab(cup_2)\n3. sleep()",
        "step    0: WALK hall_1\n        1: GRAB cup_2\n        2: SLEEP\n\ntime spent: 0.00",
        # thoughts between the steps
        "<think>One.</think>\nwalk(hall_1)\n<think>Two.</think>\ngrab(cup_2)\n"
        "<think>Three.</think>\nsleep()",
        # heads of sections
        "[[ ## reasoning ## ]]\nI go.\n\n[[ ## plan ## ]]\n"
        '["walk(hall_1)", "grab(cup_2)", "sleep()"]\n\n[[ ## completed ## ]]',
        # calls in one list
        json.dumps(
            {
                "tool_uses": [
                    {"recipient_name": "functions.walk", "parameters": {"object": "hall_1"}},
                    {"recipient_name": "functions.grab", "parameters": {"object": "cup_2"}},
                    {"recipient_name": "functions.sleep", "parameters": {}},
                ]
            }
        ),
        # a name before a call that has it as well
        f"walk {call('walk', object='hall_1')}\ngrab {call('grab', object='cup_2')}\n"
        f"sleep {call('sleep')}",
        # the end of a protocol
        '```\n{"action": "walk", "action_input": {"object": "hall_1"}}\n```\n'
        '```\n{"action": "grab", "action_input": {"object": "cup_2"}}\n```\n'
        '```\n{"action": "sleep", "action_input": {}}\n```\n'
        '```\n{"action": "Final Answer", "action_input": "done"}\n```',
        # programs
        '```py\nresult = walk("hall_1")\nresult = grab("cup_2")\nresult = sleep()\n```',
        '```py\nhall_1 = env.get("hall_1")\ncup_2 = env.get("cup_2")\nwalk(hall_1)\ngrab(cup_2)\n'
        "sleep()\n```",
        "01: CALL walk(hall_1)\n02: CALL grab(cup_2)\n03: CALL sleep()\n04: RETURN success",
        "```console\n$ robot walk hall_1\nok\n$ robot grab cup_2\nok\n$ robot sleep\nok\n```",
        # lists, records and scenarios
        "[walk, hall_1]\n[grab, cup_2]\n[sleep]",
        "---\nsteps:\n- action: walk\n  objects:\n    - hall_1\n- action: grab\n  objects:\n"
        "    - cup_2\n- action: sleep\n  objects: []\n...",
        "Given a cup,\nWhen I walk to the hall (1) and then grab the cup (2),\nThen I sleep",
        "Scenario: rest\n  Given the house\n  When I walk to the hall (1)\n"
        "  And I grab the cup (2)\n  And I sleep\n  Then all is well",
        json.dumps(
            {
                "candidates": [
                    {"id": "A", "plan": ["grab(cup_2)", "sleep()"], "verdict": "rejected"},
                    {"id": "B", "plan": ["walk(hall_1)", "grab(cup_2)"], "verdict": "rejected"},
                ],
                "final_plan": ["walk(hall_1)", "grab(cup_2)", "sleep()"],
            }
        ),
    ],
)
def test_a_plan_is_read_whole_amid_marks(text: str) -> None:
    assert [step.lower() for step in steps(text)] == PLAN


LIST = '["walk(hall_1)", "grab(cup_2)", "sleep()"]'


@pytest.mark.parametrize("text", [f"{LIST}\n\n...", f'{{"plan": {LIST}}}\n\u2026'])
def test_dots_below_a_closed_list_leave_out_nothing(text: str) -> None:
    assert [step.lower() for step in steps(text)] == PLAN


@pytest.mark.parametrize(
    "text",
    [
        "1. walk(hall_1)\n2. grab(cup_2)\n...",
        '"walk(hall_1)"\n"grab(cup_2)"\n...',
        '["walk(hall_1)", "grab(cup_2)", ...]',
        f"{LIST}\netc.",
    ],
)
def test_dots_in_place_of_steps_leave_some_out(text: str) -> None:
    assert steps(text) == []


def test_objects_in_elements_of_an_action_are_its_own() -> None:
    text = "<walk><object>hall_1</object></walk>"
    text += "\n<putin><object>cup_2</object><to>bed_4</to></putin>"
    assert steps(text) == ["walk(hall.1)", "putin(cup.2, bed.4)"]


@pytest.mark.parametrize(
    "text",
    [
        'execute(9, "find a cup")\nexecute(12, "pick up the cup")',
        '[execute(9, "find a cup"), execute(12, "pick up the cup")]',
    ],
)
def test_a_step_in_words_is_read_out_of_its_call(text: str) -> None:
    assert steps(text, WORDS) == ["find a cup()", "pick up the cup()"]


@pytest.mark.parametrize(
    "text",
    [
        "Should I walk to the hall (1)?\nShould I grab the cup (2)?\nPlease confirm.",
        "Allowed actions: walk(hall_1), grab(cup_2)\nWhich goal is meant?",
    ],
)
def test_questions_and_what_is_allowed_are_no_plan(text: str) -> None:
    assert steps(text) == []


def test_the_end_of_a_contraction_begins_no_name() -> None:
    assert len(steps("1. Walk to the hall (1).\nAnd that's it!")) == 1


def test_a_draft_of_several_lines_between_thoughts_is_no_part_of_the_plan() -> None:
    text = "<think>a</think>\n1. grab(cup_2)\n2. walk(hall_1)\n<think>No.</think>\n1. walk(hall_1)"
    assert steps(text) == ["walk(hall.1)"]


def test_an_action_in_quotes_on_a_line_of_its_own_layout_is_in_doubt() -> None:
    text = '(setq plan \'((:action "sleep" :objects ())\n  (:action "walk" :objects ("hall_1"))'
    assert steps(f'{text}\n  (:action "grab" :objects ("cup_2"))))') == []


def test_bullets_behind_code_that_never_runs_are_no_part_of_it() -> None:
    text = "- walk(hall_1)\n  Preconditions:\n  - the cup is there\n- grab(cup_2)\n"
    text += "  if False:\n    grab(bed_4)\n  - sleep()"
    assert steps(text) == PLAN


@pytest.mark.parametrize(
    "prompt",
    [
        "<s>[INST] <<SYS>> You may sleep(). <</SYS>> Which steps? [/INST]",
        "<|im_start|>user\nDo not sleep()!<|im_end|>\n<|im_start|>assistant\n",
        "<start_of_turn>user\nWhich steps?<end_of_turn>\n<start_of_turn>model ",
        "<|begin_of_text|><|start_header_id|>user<|end_header_id|> For example: grab(cup.2) and"
        " sleep()<|eot_id|><|start_header_id|>assistant<|end_header_id|> ",
        "<\uff5cUser\uff5c>Which steps?<\uff5cAssistant\uff5c>",
    ],
)
def test_repeated_prompt_before_the_answer_is_passed_over(prompt: str) -> None:
    assert steps(f"{prompt} 1. walk(hall.1)\n2. grab(cup.2)\n3. sleep() </s>") == PLAN


def test_answer_behind_the_end_of_a_prompt_begins_a_line() -> None:
    assert steps("Which? [/INST] 1. walk(hall.1)\n2. grab(cup.2)\n3. sleep()") == PLAN


def test_turns_behind_the_first_end_of_a_prompt_stay() -> None:
    text = "[INST] First? [/INST] walk(hall.1)</s>[INST] Then? [/INST] grab(cup.2)</s>"
    assert steps(f"{text}[INST] And last? [/INST] sleep()") == PLAN


def test_prompt_without_an_answer_holds_no_plan() -> None:
    assert steps("[INST] Is it walk(hall.1), sleep()? [/INST]") == []


def test_the_first_call_stands_behind_words_in_its_line() -> None:
    call = (
        "<|tool_call_begin|>functions.{}:{}<|tool_call_argument_begin|>"
        '{{"object": "light.34"}}<|tool_call_end|>'
    )
    calls = call.format("walk", 0) + call.format("switchon", 1)
    answer = f"Sure, I do it.<|tool_calls_section_begin|>{calls}<|tool_calls_section_end|>"
    names = Vocabulary({"walk": 1, "switchon": 1}, {}, frozenset(["light.34"]), {})
    assert [step.name for step in read_answer(answer, names).steps] == ["walk", "switchon"]
