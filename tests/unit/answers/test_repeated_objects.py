"""Values that say a step in words and its objects again, or hold more than the objects."""

from __future__ import annotations

import json

import pytest
from studio_answers import PLAN, actions

import eai

SUITE = eai.suite("eb-habitat")
TASK = SUITE.task("base/33")
WORDS = ["navigate to the left counter in the kitchen", "pick up the hammer"]
STEPS = ["nav(left_counter)", "pick_hammer(hammer.1)"]


def skills(answer: str) -> list[str]:
    """Return the steps of an answer in which nothing is left unread."""
    result = SUITE.evaluate("action_sequencing", TASK, answer, SUITE.semantics("strict"))
    assert "parsing" not in [str(finding.kind) for finding in result.findings]
    return [str(step) for step in result.plan]


@pytest.mark.parametrize(
    "rows",
    [
        [(WORDS[0], "left counter"), (WORDS[1], "hammer")],
        [(WORDS[0], None), (WORDS[1], None)],
    ],
)
def test_tuple_names_the_object_of_its_skill_again(rows: list[tuple[str, str | None]]) -> None:
    assert skills(f"```python\n{rows!r}\n```") == STEPS


def test_plan_to_execute_counts_beside_one_in_words() -> None:
    written = [{"action": "navigate", "object": "left counter", "location": "unknown"}]
    written += [{"action": "pick up", "object": "hammer", "location": "n/a"}]
    told = ["Ask where the hammer is.", "Pick up the hammer."]
    assert skills(json.dumps({"language_plan": told, "executable_plan": written})) == STEPS


def test_plan_in_words_counts_without_another() -> None:
    assert skills(json.dumps({"language_plan": WORDS})) == STEPS


@pytest.mark.parametrize("more", [{"timeout": 10}, {"speed": "slow", "retries": 3}])
def test_parameter_that_is_no_object_is_left_out(more: dict[str, object]) -> None:
    steps = [
        {"name": name, "params": {**more, "target": "light.34"}} for name in ("WALK", "SWITCHON")
    ]
    assert actions(json.dumps(steps)) == PLAN


def test_bullets_below_a_skill_name_its_verb_and_object_again() -> None:
    lines = [
        f"- **{WORDS[0].capitalize()}**\n  - **Action:** Navigate\n  - **Object:** Left counter",
        f"- **{WORDS[1].capitalize()}**\n  - **Action:** Pick up\n  - **Object:** Hammer",
    ]
    assert skills("\n".join(lines)) == STEPS


@pytest.mark.parametrize("named", ["object in hand", "the object in hand", "object_in_hand"])
def test_object_in_hand_is_no_object_of_its_own(named: str) -> None:
    suite = eai.suite("eb-alfred")
    task = suite.task("complex_instruction/43")
    steps = [("find", "Cup_4"), ("pick up", "Cup_4"), ("find", "SinkBasin"), ("put down", named)]
    answer = json.dumps([{"action": action, "object": name} for action, name in steps])
    result = suite.evaluate("action_sequencing", task, answer, suite.semantics("strict"))
    assert [str(step) for step in result.plan][-1] == "put(SinkBasin)"


def test_skill_that_a_dispatcher_asks_for_by_verb_and_object_is_taken() -> None:
    turns = [f'Operator: "Okay, I\'ll ask you to {words}."\nRobot: "I {words}."' for words in WORDS]
    assert skills("\n\n".join(turns)) == STEPS


@pytest.mark.parametrize("step", ["walk light.34", "Walk to light.34", "WALK(light.34)"])
def test_same_step_twice_in_a_list_is_two_steps(step: str) -> None:
    assert actions(json.dumps([step, step])) == ["walk(light.34)"] * 2


@pytest.mark.parametrize("objects", [("light.34", "light.34"), ("light", "light")])
def test_a_column_may_name_the_objects_of_the_steps_again(objects: tuple[str, str]) -> None:
    rows = "\n".join(f"| {step} | {name} |" for step, name in zip(PLAN, objects, strict=True))
    assert actions(f"| Step | Object |\n|---|---|\n{rows}") == PLAN
