"""Steps beside and below the plan that is read: none of them is lost in silence."""

from __future__ import annotations

import json

import pytest

from eai.answers import PlanReading, bind, read_answer
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


def read(text: str) -> PlanReading:
    return read_answer(text, HOME)


def steps(text: str) -> list[str]:
    return [str(step) for step in read(text).steps]


def is_clear(text: str) -> bool:
    """Whether nothing is wrong with an answer."""
    return not bind(read(text), HOME).findings


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
@pytest.mark.parametrize("key", ["then", "next_steps", "on success", "Then", "3", "step 3"])
def test_steps_under_another_key_are_a_problem(key: str, value: object) -> None:
    for whole in (
        {"plan": STEPS, key: value},
        {key: value, "plan": STEPS},
        {"output": {"steps": NAMED, key: value}},
        [{**NAMED[0], key: value}, NAMED[1]],
    ):
        text = json.dumps(whole)
        assert steps(text)[:2] == READ
        assert not is_clear(text)


@pytest.mark.parametrize("key", ["alternative", "rejected_plan", "draft"])
def test_a_key_that_rejects_its_steps_makes_the_plan_a_choice(key: str) -> None:
    reading = read(json.dumps({"plan": STEPS, key: [{"FLY": ["moon"]}, {"WALK": ["bed.10"]}]}))
    assert [str(step) for step in reading.steps] == READ
    assert (reading.status, reading.rule) == ("chosen", "not rejected")
    assert reading.problems == ()


@pytest.mark.parametrize("value", ['["moon"]', "[]", "{}", '["light.34"]', "[moon]"])
def test_an_unknown_key_in_capitals_beside_the_plan_is_a_step(value: str) -> None:
    assert not is_clear(f'{{"plan": {PLAN}, "FLY": {value}}}')


@pytest.mark.parametrize(
    "pair",
    [
        '"switchoff": ["light.34"]',
        '"Switch off": "light 34"',
        '"switchoff": "light"',
        '"walk": ["moon"]',
        '"standup": []',
        '"standup": null',
        '"then": ["switchoff", "light.34"]',
        '"then": "switchoff light 34"',
    ],
)
def test_the_name_of_an_action_of_the_task_beside_the_plan_is_a_step(pair: str) -> None:
    assert steps(f'{{"plan": {PLAN}, {pair}}}') == READ
    assert read(f'{{"plan": {PLAN}, {pair}}}').status == "partial"
    assert not is_clear(f'{{"plan": [], {pair}}}')


def test_steps_under_labels_of_their_own_are_one_plan() -> None:
    answer = {"first phase": STEPS, "second phase": [{"WALK": ["bed.10"]}]}
    assert steps(json.dumps(answer)) == [*READ, "WALK(bed.10)"]
    assert is_clear(json.dumps(answer))


@pytest.mark.parametrize("second", ["plan", "actions", "steps"])
def test_a_second_plan_with_an_unknown_step_is_a_problem(second: str) -> None:
    text = f'{{"plan": {PLAN}, "{second}": [{{"FLY": ["moon"]}}]}}'
    assert read(text).status == "partial"
    assert is_clear(f'{{"plan": {PLAN}, "{second}": []}}')


def test_the_final_plan_of_two_is_meant() -> None:
    reading = read(f'{{"plan": [{{"FLY": ["moon"]}}], "final_plan": {PLAN}}}')
    assert [str(step) for step in reading.steps] == READ
    assert (reading.status, reading.rule) == ("chosen", "final")
    wrong = read(f'{{"plan": {PLAN}, "final_plan": [{{"FLY": ["moon"]}}]}}')
    assert [str(step) for step in wrong.steps] == ["FLY(moon)"]


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
    assert is_clear(text)


def test_what_was_not_read_is_noted() -> None:
    reading = read(json.dumps({"thought": "x", "plan": STEPS, "fly": ["moon"]}))
    assert any("thought" in note and "fly" in note for note in reading.notes)
    many = {"plan": STEPS, **{f"key{i}": 1 for i in range(1000)}}
    assert sum(map(len, read(json.dumps(many)).notes)) < 500


def test_steps_in_the_place_of_explanations_are_told_not_taken() -> None:
    for told in ("WALK(light.34)", "walk(light)", "FLY(moon)"):
        text = f'{{"thought": ["{told}"], "plan": {PLAN}}}'
        assert steps(text) == READ
        assert is_clear(text)
    assert steps('[{"WALK": ["light.34"]}, {"step": "SWITCHON(light.34)"}]') == READ


@pytest.mark.parametrize(
    "line",
    [
        "etc.",
        "(and so on)",
        "repeat the last step",
        "switchoff light.34",
        "switchoff(light.34)",
        "3. Switch off light.34",
        "walk(moon",
        "FLY(light.34)",
        "robot.FLY(light.34)",
        "[FLY] <light> (34)",
    ],
)
@pytest.mark.parametrize(
    "text",
    [
        "{value}\n{line}",
        "{value}\n\n{line}",
        "```json\n{value}\n```\n{line}",
        "```json\n{value}\n{line}\n```",
    ],
)
def test_a_step_behind_the_plan_is_a_problem(text: str, line: str) -> None:
    answer = text.format(value=PLAN, line=line)
    assert steps(answer)[:2] == READ
    assert not is_clear(answer)


@pytest.mark.parametrize(
    "text",
    [
        "switchoff(light.34)\n\n{value}",
        "switchoff(light.34)\n```json\n{value}\n```",
        "```\nswitchoff(light.34)\n```\n```json\n{value}\n```",
    ],
)
def test_a_step_before_the_plan_is_a_problem(text: str) -> None:
    assert not is_clear(text.format(value=PLAN))


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
    assert steps(text.format(value=PLAN)) == READ
    assert is_clear(text.format(value=PLAN))


@pytest.mark.parametrize(
    "text",
    [
        "WALK(bed.10)\nThat is too short. Better:\n{value}",
        "```\nWALK(bed.10)\n```\nThat is wrong.\n```\n{value}\n```",
        "WALK(bed.10)\n<answer>{value}</answer>",
    ],
)
def test_a_draft_before_the_plan_makes_it_a_choice(text: str) -> None:
    reading = read(text.format(value=PLAN))
    assert [str(step) for step in reading.steps] == READ
    assert reading.problems == ()
    assert reading.status == "chosen"


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
    assert not is_clear(f"WALK(light.34)\n{line}\nSWITCHON(light.34)")


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
    assert is_clear(text)


def test_what_is_behind_the_limits_is_a_problem_of_the_whole_answer() -> None:
    assert read(PLAN + "[[1], [2]]" * 20_000 + ' [{"FLY": []}]').problems
    assert read(PLAN + " " + "[" * 100 + "]" * 100 + '[{"FLY": []}]').problems


def test_left_out_values_between_steps_are_a_problem() -> None:
    text = '{"WALK": ["light.34"]}\n...\n{"SWITCHON": ["light.34"]}'
    assert steps(text) == READ
    assert [problem.written for problem in read(text).problems] == ["..."]
