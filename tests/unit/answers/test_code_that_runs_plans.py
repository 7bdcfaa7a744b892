"""Code behind a list of steps that runs it, in tasks that have an action RUN or WATCH."""

from __future__ import annotations

import pytest

import eai
from eai.answers import bind, read_answer

NAMES = eai.suite("household").task("studio-01").readable
LIST = 'todo = ["walk(fridge.40)", "open(fridge.40)"]\n'
PLAN = ["walk(fridge.40)", "open(fridge.40)"]


@pytest.mark.parametrize(
    "code",
    [
        "run(todo)",
        "robot.run(todo)",
        "todo.run()",
        "todo.forEach(run);",
        "run()",
        "robot.watch()",
        "map(run, todo)",
        "for step in todo: run(step)",
    ],
)
def test_a_call_that_runs_a_list_is_no_step(code: str) -> None:
    bound = bind(read_answer(LIST + code, NAMES), NAMES)
    assert list(map(str, bound.actions)) == PLAN
    assert not bound.findings


@pytest.mark.parametrize("code", ["run(other)", "run(moon)", "run()"])
def test_other_calls_are_steps_still(code: str) -> None:
    answer = f"{LIST}{code}" if "(other)" in code else "\n".join([*PLAN, code])
    assert bind(read_answer(answer, NAMES), NAMES).findings
