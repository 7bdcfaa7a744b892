"""Programs that name whoever acts, and nodes or tasks with names of their own."""

from __future__ import annotations

import pytest

import eai
from eai.answers import bind, read_answer
from eai.answers.unrolled_code import with_unrolled_code

NAMES = eai.suite("household").task("studio-01").readable
ALFRED = eai.suite("eb-alfred")
PLAN = ["walk(light.34)", "switchon(light.34)"]

AGENT_ARGUMENT = """```js
async function doTask(bot) {
  await walk(bot, "light.34");
  await switchon(bot, "light.34");
}
```"""
NAMED_NODES = """<root><Sequence>
<walk name="n1" object="light.34"/>
<switchon name="n2" object="light.34"/>
</Sequence></root>"""
PLAYBOOK = """- hosts: robot
  tasks:
    - name: Go to the light
      walk:
        object: light.34
    - name: Turn it on
      switchon:
        object: light.34"""
RANGES = "t=0s\u20135s: walk(light.34)\nt=5s\u201310s: switchon(light.34)"


@pytest.mark.parametrize("answer", [AGENT_ARGUMENT, NAMED_NODES, PLAYBOOK, RANGES])
def test_names_that_are_no_objects_are_not_read_as_such(answer: str) -> None:
    reading = read_answer(answer, NAMES)
    assert not reading.problems
    assert [str(action) for action in bind(reading, NAMES).actions] == PLAN


def test_unknown_first_object_of_one_call_is_no_agent() -> None:
    reading = read_answer("walk(lamp_9, light.34)\nswitchon(light.34)", NAMES)
    assert reading.steps[0].arguments[0] == "lamp_9"


@pytest.mark.parametrize(
    "answer",
    [
        "The plan: $\\boxed{\\text{find(Newspaper), pick(Newspaper), find(Sofa), put(Sofa)}}$.",
        "```python\nif not robot.find('Newspaper'):\n    return False\n"
        "if not robot.pick('Newspaper'):\n    return False\n"
        "if not robot.find('Sofa'):\n    return False\n"
        "if not robot.put('Sofa'):\n    return False\n```",
        "t=0s-5s: find(Newspaper)\nt=5s-10s: pick(Newspaper)\nt=10s-15s: find(Sofa)\n"
        "t=15s-20s: put(Sofa)",
    ],
)
def test_skill_with_its_object_is_a_call_as_any_other(answer: str) -> None:
    task = ALFRED.task("common_sense/12")
    assert ALFRED.evaluate("action_sequencing", task, answer, ALFRED.semantics("strict")).success


@pytest.mark.parametrize(
    "program",
    [
        "def use(x):\n    walk(x)\n    switchon(x)\n\nuse('light.34')",
        "def go(x, fast=False):\n    '''Go there.'''\n    robot.walk(x)\n    return True\n\n"
        "lamp = 'light.34'\n\ndef main(robot):\n    go(lamp)\n    robot.switchon(lamp)\n\n"
        "if __name__ == '__main__':\n    main(Robot())",
        "for name, thing in [('walk', 'light.34'), ('switchon', 'light.34')]:\n"
        "    robot.act(name, thing)",
        "for i in range(1):\n    walk('light.34')\n    done = switchon('light.34')",
    ],
)
def test_loops_and_helpers_of_a_program_are_written_out(program: str) -> None:
    reading = read_answer(f"```python\n{program}\n```", NAMES)
    assert not reading.problems
    assert [str(action) for action in bind(reading, NAMES).actions] == PLAN


@pytest.mark.parametrize(
    "program",
    [
        "def use(x):\n    if is_dark():\n        walk(x)\n\nuse('light.34')",
        "for x in find_all():\n    walk(x)",
        "def use(x):\n    use(x)\n\nuse('light.34')",
        "for i in range(10**9):\n    pass",
        "for i in range(999999):\n    for j in range(999999):\n        pass",
        "def use(x):\n    walk(x)",
    ],
)
def test_program_that_depends_on_more_than_constants_stays_as_it_is(program: str) -> None:
    assert with_unrolled_code(program) == program
