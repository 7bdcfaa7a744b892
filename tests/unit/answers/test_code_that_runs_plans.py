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


@pytest.mark.parametrize("call", ["plan.run()", "env.close()", "sim.open()", "self.executor.run()"])
def test_a_method_of_what_runs_the_plan_is_no_step_at_its_ends(call: str) -> None:
    steps = "\n".join(f'env.step("{step}")' for step in PLAN)
    for code in (f"{steps}\n{call}", f"{call}\n{steps}"):
        bound = bind(read_answer(code, NAMES), NAMES)
        assert list(map(str, bound.actions)) == PLAN
        assert not bound.findings


@pytest.mark.parametrize("call", ["robot.close()", "door.open()", "lamp.switchon()"])
def test_a_method_of_an_agent_or_an_object_is_a_step_though_it_lacks_objects(call: str) -> None:
    code = 'robot.walk("fridge.40")\nrobot.open("fridge.40")\n' + call
    assert len(read_answer(code, NAMES).steps) == 3
