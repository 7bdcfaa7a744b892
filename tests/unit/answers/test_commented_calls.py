"""Calls without arguments, whose objects a comment, a printed text or a call before them names."""

from __future__ import annotations

import pytest
from studio_answers import NAMES, PLAN, actions

import eai
from eai.answers import bind, read_answer


@pytest.mark.parametrize(
    "program",
    [
        "```js\nfunction plan() {\n  // 1. Walk to the light\n  goThere();\n\n"
        "  // 2. Switch on the light\n  light();\n}\n```",
        "```bash\n# Walk to the light\nwalk\n\n# Turn on the light\nturn_on_light\n```",
        "```bash\n# Walk to the light\n\nwalk\n\n\n# Turn on the light\n\n  \nturn_on_light\n```",
        "```python\ndef main():\n    # Walk to the light\n    move()\n    # Turn on the light\n"
        "    press_button()\n\nmain()\n```",
        '```python\ndef walk():\n    print("Walking to the light")\n\ndef light_up():\n'
        '    print("Switching on the light")\n\nwalk()\nlight_up()\n```',
        '```sh\nWALK() {\n  echo "Walking to the light"\n}\nON() {\n'
        '  echo "Switching on the light"\n}\n# the first step\nWALK\n# the second step\nON\n```',
    ],
)
def test_comment_or_printed_text_says_the_step_of_a_call(program: str) -> None:
    assert actions(program) == PLAN


@pytest.mark.parametrize(
    "program",
    [
        "```bash\n# Walk to the light\nwalk\nswitchon\n```",
        "```bash\n\n\nwalk\n# Turn on the light\nturn_on_light\n```",
        "```bash\n# Walk to the light\nwalk\n# Now it is bright\nswitchon\n```",
        "```python\n# Walk to the desk\nwalk('light.34')\n# Switch on the light\nswitchon()\n```",
    ],
)
def test_call_without_a_step_above_lacks_its_object(program: str) -> None:
    bound = bind(read_answer(program, NAMES), NAMES)
    assert bound.findings


def test_a_call_of_a_whole_skill_with_a_long_comment_is_no_talk() -> None:
    suite = eai.suite("eb-alfred")
    task = suite.task("base/0")
    lines = [
        '  await robot.find("Ladle"); // nothing else has to happen before it',
        '  await robot.pick("Ladle"); // this is needed for what comes next',
        '  await robot.find("SinkBasin"); // the goal asks for it',
        '  await robot.put("SinkBasin"); // the rest needs it',
    ]
    program = "async function run(robot) {\n" + "\n".join(lines) + "\n}\n\nrun(robot);"
    answer = f"```javascript\n{program}\n```"
    result = suite.evaluate("action_sequencing", task, answer, suite.semantics("strict"))
    assert result.plan is not None
    assert len(result.plan) == len(lines)
