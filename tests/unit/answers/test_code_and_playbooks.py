"""Programs that name whoever acts, and nodes or tasks with names of their own."""

from __future__ import annotations

import pytest

import eai
from eai.answers import bind, read_answer

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
