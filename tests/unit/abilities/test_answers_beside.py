"""Steps beside and below the plan that is read: none of them is lost in silence."""

from __future__ import annotations

import json

import pytest

from eai.answers import bind, read_plan
from eai.answers.reader import search_plan
from eai.task import Vocabulary

STEPS = [{"WALK": ["light.34"]}, {"SWITCHON": ["light.34"]}]
NAMED = [{"action": "WALK", "object": "light.34"}, {"action": "SWITCHON", "object": "light.34"}]
PLAN = json.dumps(STEPS)
READ = ["WALK(light.34)", "SWITCHON(light.34)"]
HOME = Vocabulary(
    actions={"walk": 1, "switchon": 1, "switchoff": 1, "standup": 0, "type": 1},
    predicates={},
    objects=frozenset({"light.34", "bed.10"}),
    classes={"light": ("light.34",), "bed": ("bed.10",)},
)

FLY = "'FLY(moon)' is a step outside the plan"


def problems(text: str) -> list[str]:
    return [problem.message for problem in read_plan(text).problems]


def steps(text: str) -> list[str]:
    return [str(step) for step in read_plan(text).steps]


def findings(text: str) -> list[str]:
    return [finding.message for finding in bind(read_plan(text), HOME).findings]


@pytest.mark.parametrize(
    "value",
    [
        {"FLY": ["moon"]},
        [{"FLY": ["moon"]}],
        {"action": "FLY", "object": "moon"},
        {"name": "FLY", "arguments": {"object": "moon"}},
        {"function": {"name": "FLY", "arguments": '{"object": "moon"}'}},
        [["FLY", "moon"]],
        "FLY(moon)",
        "FLY moon",
        ["FLY(moon)"],
        "[FLY] <moon>",
        '[{"FLY": ["moon"]}]',
        {"later": {"at night": [{"FLY": ["moon"]}]}},
    ],
)
@pytest.mark.parametrize("key", ["then", "next_steps", "alternative", "on success", "Then"])
def test_steps_under_another_key_are_a_problem(key: str, value: object) -> None:
    for whole in (
        {"plan": STEPS, key: value},
        {key: value, "plan": STEPS},
        {"output": {"steps": NAMED, key: value}},
        [{**NAMED[0], key: value}, NAMED[1]],
    ):
        text = json.dumps(whole)
        assert steps(text) == READ
        assert FLY in problems(text)
        assert f"not read: {key!r}" in read_plan(text).notes


@pytest.mark.parametrize("value", ['["moon"]', "[]", "{}", '"moon"', "[moon]"])
def test_a_key_in_capitals_beside_the_plan_is_a_step(value: str) -> None:
    assert len(problems(f'{{"plan": {PLAN}, "FLY": {value}}}')) == 1
    assert problems(f'{{"PLAN": {PLAN}, "ROOM": {value}}}') == []


@pytest.mark.parametrize(
    ("pair", "step"),
    [
        ('"switchoff": ["light.34"]', "switchoff(light.34)"),
        ('"Switch off": "light 34"', "Switch off(light, 34)"),
        ('"switchoff": "light"', "switchoff(light)"),
        ('"walk": ["moon"]', "walk(moon)"),
        ('"standup": []', "standup()"),
        ('"standup": null', "standup()"),
        ('"then": ["switchoff", "light.34"]', "switchoff(light.34)"),
        ('"then": "switchoff light 34"', "switchoff(light, 34)"),
    ],
)
def test_the_name_of_an_action_of_the_task_beside_the_plan_is_a_step(pair: str, step: str) -> None:
    text = f'{{"plan": {PLAN}, {pair}}}'
    assert problems(text) == []
    assert findings(text) == [f"{step!r} is a step outside the plan"]
    assert findings(f'{{"plan": [], {pair}}}') == [f"{step!r} is a step outside the plan"]


def test_a_label_of_steps_is_noted_and_no_action_of_the_task() -> None:
    reading = read_plan(f'{{"first phase": {PLAN}, "FLY": [{{"GRAB": ["cup"]}}]}}')
    assert [str(step) for step in reading.steps] == [*READ, "GRAB(cup)"]
    assert reading.notes == ("not read: 'first phase', 'FLY'",)
    assert findings(f'{{"first phase": {PLAN}}}') == []
    assert len(findings(f'{{"switchoff": {PLAN}}}')) == 1


@pytest.mark.parametrize("key", ["3", "step 3", "action2", "step_3"])
@pytest.mark.parametrize("value", ["FLY moon", "FLY(moon)", [["FLY", "moon"]], {"FLY": "moon"}])
def test_a_number_beside_the_plan_is_that_of_a_step(key: str, value: object) -> None:
    assert FLY in problems(json.dumps({"plan": STEPS, key: value}))
    assert FLY in problems(json.dumps([NAMED[0], {**NAMED[1], key: value}]))
    told = problems(json.dumps({"plan": STEPS, key: "and so to bed"}))
    assert told == ["'and so to bed' is not a step"]


@pytest.mark.parametrize("second", ["plan", "actions", "steps", "final_plan"])
def test_two_plans_under_two_keys_are_a_problem(second: str) -> None:
    text = f'{{"plan": {PLAN}, "{second}": [{{"FLY": ["moon"]}}]}}'
    assert problems(text) == [f"{second!r} is a second plan besides 'plan'; write one plan"]
    assert problems(f'{{"plan": {PLAN}, "{second}": []}}') == []


EXPLANATIONS: list[object] = [
    {"thought": "I will WALK(light.34), for FLY(moon) is not possible.", "plan": STEPS},
    {"reasoning": ["The light is off.", "Walk there."], "steps": STEPS},
    {"reasoning": ["WALK(light.34)", "SWITCHON(light.34)"], "plan": STEPS},
    {"reasoning": [{**step, "why": "it is dark"} for step in NAMED], "plan": STEPS},
    {"reasoning": {"goal": "light on", "obstacles": []}, "plan": STEPS},
    {"task": "Turn on light", "goal": ["ON(light.34)"], "objects": ["light.34"], "plan": STEPS},
    {"plan": STEPS, "confidence": 0.9, "valid": True, "total_steps": 2, "error": None},
    {"objects": [{"name": "light.34", "id": 34}], "plan": STEPS},
    {"initial_state": {"light.34": ["OFF"]}, "plan": STEPS, "final_state": "ON(light.34)"},
    {"status": "SUCCESS", "type": "plan", "id": "studio-01", "plan": STEPS},
    {"available_actions": ["WALK", "SWITCHON", "GRAB"], "plan": STEPS},
    {"metadata": {"author": "me", "objects": ["light.34"], "tokens": 12}, "plan": STEPS},
    {"analysis": {"actions_needed": ["WALK", "SWITCHON"]}, "plan": STEPS},
    [{**step, "explanation": "it is needed", "step": i} for i, step in enumerate(NAMED)],
    [{**step, "preconditions": ["NEAR(it)"], "effects": {"on": ["it"]}} for step in NAMED],
    [{**step, "thought": "then SWITCHON(light.34)"} for step in NAMED],
    [{**step, "agent": "robot", "status": "pending", "type": "action"} for step in NAMED],
    [{**step, "explanation": "why", "note": "FLY(moon) would fail"} for step in STEPS],
    [{**step, "reasoning": ["It is dark.", "So there."]} for step in STEPS],
    [{"step": i, "justification": "x", **step} for i, step in enumerate(STEPS)],
]


@pytest.mark.parametrize("answer", EXPLANATIONS, ids=range(len(EXPLANATIONS)))
def test_explanations_beside_the_plan_are_no_steps(answer: object) -> None:
    text = json.dumps(answer)
    assert steps(text) == READ
    assert findings(text) == []


def test_what_was_not_read_is_noted() -> None:
    reading = read_plan(json.dumps({"thought": "x", "plan": STEPS, "fly": ["moon"]}))
    assert reading.notes == ("a wrapper around the plan", "not read: 'thought', 'fly'")
    many = {"plan": STEPS, **{f"key{i}": 1 for i in range(1000)}}
    assert read_plan(json.dumps(many)).notes[-1].endswith("'key9' and 990 more")


def test_steps_in_the_place_of_explanations_are_a_problem_unless_they_are_in_the_plan() -> None:
    assert problems(f'{{"thought": ["WALK(light.34)"], "plan": {PLAN}}}') == []
    assert problems(f'{{"thought": ["walk(light)"], "plan": {PLAN}}}') == []
    assert problems(f'{{"thought": ["FLY(moon)"], "plan": {PLAN}}}') == [FLY]
    assert steps('[{"WALK": ["light.34"]}, {"step": "SWITCHON(light.34)"}]') == READ


@pytest.mark.parametrize(
    "line",
    [
        "FLY(moon)",
        "then FLY(moon)",
        "**FLY**(moon)",
        "FLY(moon) because it is far",
        "Next: FLY(moon)",
        "<step>FLY(moon)</step>",
        "| 3 | FLY(moon) |",
        "🚀 FLY(moon)",
        "robot.FLY(moon)",
        "FLY(moon",
        "FLY moon 3",
        "...",
        "etc.",
        "(and so on)",
        "repeat the last step",
        "switchoff light.34",
        "3. Switch off light.34",
        "ҒLY(moon)",
    ],
)
@pytest.mark.parametrize(
    "text",
    [
        "{value}\n{line}",
        "{value}\n\n{line}",
        "{value} {line}",
        "{value}, {line}",
        "```json\n{value}\n```\n{line}",
        "```json\n{value}\n{line}\n```",
    ],
)
def test_a_step_behind_the_plan_is_a_problem(text: str, line: str) -> None:
    answer = text.format(value=PLAN, line=line)
    assert len(findings(answer)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "FLY(moon)\n\n{value}",
        "FLY(moon)\n```json\n{value}\n```",
        "```\nFLY(moon)\n```\n```json\n{value}\n```",
        "then FLY(moon), {value}",
    ],
)
def test_a_step_before_the_plan_is_a_problem(text: str) -> None:
    assert len(problems(text.format(value=PLAN))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Here it is:\n{value}\nIt walks to the light (34).",
        "Switch on light\n{value}",
        "JSON OUTPUT\n{value}\nEND",
        "Goal: ON(light.34)\n{value}",
        "I considered FLY(moon) but it is not possible.\n{value}",
        "{value}\n\nExplanation:\n1. WALK(light.34): go there.\n2. SWITCHON(light.34): done.",
        "{value}\n- `WALK` moves the agent to light.34",
    ],
)
def test_text_about_the_plan_is_no_step(text: str) -> None:
    assert findings(text.format(value=PLAN)) == []


def test_a_draft_in_lines_far_from_the_plan_is_noted() -> None:
    reading = read_plan(f"WALK(bed.10)\nThat is too short. Better:\n{PLAN}")
    assert reading.problems == ()
    assert "steps in the text around the plan were not read" in reading.notes
    fenced = read_plan("```\nFLY(moon)\n```\nThat is wrong.\n```\nWALK(light.34)\n```")
    assert "several plans, of which the last complete one was read" in fenced.notes
    tagged = read_plan(f"WALK(bed.10)\n<answer>{PLAN}</answer>")
    assert "text before the answer" in tagged.notes


@pytest.mark.parametrize(
    "line",
    [
        "FLY(moon) because it is far",
        "| 2 | FLY | moon |",
        "<FLY>moon</FLY>",
        "action: FLY",
        "Finally: FLY(moon)!",
        "result = robot.FLY(moon)",
        ", ".join(["FLY(moon)"] * 60) + " and back",
        "# FLY(moon)",
        "repeat the last step",
        "...",
        "ҒLY(moon)",
        "WALK(bed.10) - FLY(moon)",
        "WALK(bed.10) or FLY(moon)",
        "FLY(moon)... WALK(bed.10)",
        "GRAB " + "x" * 100_000,
    ],
)
def test_no_line_amid_the_steps_is_lost(line: str) -> None:
    assert findings(f"WALK(light.34)\n{line}\nSWITCHON(light.34)")


@pytest.mark.parametrize(
    "text",
    [
        "Step 1: WALK(light.34); Step 2: SWITCHON(light.34)",
        "1. WALK(light.34) 2. SWITCHON(light.34)",
        "Plan: WALK(light.34)\nSWITCHON(light.34)",
        "<step>WALK(light.34)</step>\n<step>SWITCHON(light.34)</step>",
        "| 1 | WALK(light.34) |\n| 2 | SWITCHON(light.34) |",
        "- [ ] WALK(light.34)\n- [x] SWITCHON(light.34)",
        "• WALK(light.34)\n• SWITCHON(light.34)",
        '{"name": "submit_plan", "arguments": {"plan": %s}}' % PLAN,  # noqa: UP031 - braces
        '```json\n{"WALK": ["light.34"]}\n```\n```json\n{"SWITCHON": ["light.34"]}\n```',
        '<tool_call>\n{"name": "WALK", "arguments": {"object": "light.34"}}\n</tool_call>\n'
        '<tool_call>\n{"name": "SWITCHON", "arguments": {"object": "light.34"}}\n</tool_call>',
        json.dumps(
            [
                {"type": "tool_use", "id": "t1", "name": name, "input": {"object": "light.34"}}
                for name in ("WALK", "SWITCHON")
            ]
        ),
        json.dumps(
            {
                "tool_calls": [
                    {
                        "id": "call_1",
                        "type": "function",
                        "function": {"name": name, "arguments": '{"object": "light.34"}'},
                    }
                    for name in ("WALK", "SWITCHON")
                ]
            }
        ),
    ],
)
def test_calls_of_tools_and_marked_steps_are_read_in_full(text: str) -> None:
    assert steps(text) == READ
    assert findings(text) == []


def test_what_is_behind_the_limits_is_a_problem_of_the_whole_answer() -> None:
    assert "more than 30,000 words" in problems(PLAN + "[[1], [2]]" * 20_000 + ' [{"FLY": []}]')[0]
    assert "nested too deeply" in problems(PLAN + " " + "[" * 100 + "]" * 100 + '[{"FLY": []}]')[0]


def test_left_out_values_between_steps_are_a_problem() -> None:
    text = '{"WALK": ["light.34"]}\n...\n{"SWITCHON": ["light.34"]}'
    assert problems(text) == ["'...' is not a step"]


@pytest.mark.parametrize("behind", ["", "\nDone.", "\nwalk there...", "\nAnd so on."])
def test_the_fast_way_looks_at_the_text_behind_the_plan_as_well(behind: str) -> None:
    fast, tolerant = read_plan(PLAN + behind), search_plan(PLAN + behind)
    assert fast == tolerant


@pytest.mark.parametrize(
    "answer",
    [
        {"reasoning": "It is dark.", "plan": STEPS},
        {"thought": "a", "explanation": "b", "thought ": "c", "steps": STEPS},
        {"plan": STEPS, "reasoning": "It is dark."},
        {"reasoning": ["It is dark."], "plan": STEPS},
        {"reasoning": "It is dark.", "plan": []},
        {"goal": "FLY(moon)", "plan": STEPS},
        {"then": "FLY(moon)", "plan": STEPS},
        {**{f"note {i}": "x" for i in range(12)}, "plan": STEPS},
    ],
)
def test_the_fast_way_reads_explanations_before_the_plan_alike(answer: object) -> None:
    for text in (json.dumps(answer), json.dumps(answer).replace('"', "'")):
        assert read_plan(text) == search_plan(text)
