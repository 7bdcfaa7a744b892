"""Programs that name whoever acts, and nodes or tasks with names of their own."""

from __future__ import annotations

import pytest

import eai
from eai.answers import bind, read_answer
from eai.answers.braced_code import with_functions_in_place
from eai.answers.unrolled_code import with_unrolled_code
from eai.diagnosis import ErrorKind

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
        "for name, args in [('walk', ['light.34']), ('switchon', ['light.34'])]:\n"
        "    getattr(robot, name)(*args)",
        "plan = [['walk', 'light.34'], ['switchon', 'light.34']]\nfor act in plan:\n"
        "    robot.perform(act[0], act[1])",
        "plan = [('walk', 'light.34'), ('switchon', 'light.34')]\nfor act in plan:\n"
        "    robot.execute(act.verb, act.thing)",
        # functions that only tell what is done
        "def walk(x):\n    print(f'Walking to {x}')\n\ndef switchon(x):\n"
        "    print('Switching on ' + x)\n\nwalk('light.34')\nswitchon('light.34')",
        "def do(name, x):\n    robot.run(f'{name}({x})')\n\ndo('walk', 'light.34')\n"
        "do('switchon', 'light.34')",
    ],
)
def test_loops_and_helpers_of_a_program_are_written_out(program: str) -> None:
    reading = read_answer(f"```python\n{program}\n```", NAMES)
    assert not reading.problems
    assert [str(action) for action in bind(reading, NAMES).actions] == PLAN


@pytest.mark.parametrize(
    "program",
    [
        # functions and methods that each end in a return, and are called in their order
        "def go():\n    walk('light.34')\n    return True\n\ndef use():\n    switchon('light.34')\n"
        "    return True\n\nif go():\n    use()",
        "class Plan:\n    def run(self):\n        self.go()\n        self.use('light.34')\n\n"
        "    def use(self, x):\n        if not self.robot.switchon(x):\n            return False\n"
        "        return True\n\n    def go(self):\n        self.robot.walk('light.34')\n"
        "        return True\n\nPlan().run()",
        "async def use():\n    await switchon('light.34')\n\nasync def main():\n    try:\n"
        "        await walk('light.34')\n        return await use()\n    except RobotError:\n"
        "        raise\n\nasyncio.run(main())",
        # functions whose names only number them
        "class Plan:\n    def step_1(self):\n        walk('light.34')\n\n"
        "    def step_2(self):\n        switchon('light.34')",
    ],
)
def test_program_with_branches_or_without_a_begin_is_a_problem(program: str) -> None:
    assert read_answer(f"```python\n{program}\n```", NAMES).problems


def test_loop_over_a_list_of_objects_in_javascript_is_no_step() -> None:
    script = (
        "let todo = [{verb: 'WALK', on: 'light.34'}, {verb: 'SWITCHON', on: 'light.34'}];\n"
        "todo.forEach(async (item) => {\n  await api.perform(item.verb, item.on);\n});"
    )
    reading = read_answer(f"```js\n{script}\n```", NAMES)
    assert not reading.problems
    assert [str(action) for action in bind(reading, NAMES).actions] == PLAN


def test_objects_that_matter_are_no_step_beside_a_plan() -> None:
    context = '{"wish": "light", "involved_objects": ["light.34", "fridge.40"]}'
    plan = '["WALK(light.34)", "SWITCHON(light.34)"]'
    reading = read_answer(f"Context:\n{context}\n\nPlan:\n{plan}", NAMES)
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
        "def go():\n    walk('light.34')\n\ndef use():\n    switchon('light.34')\n\nuse()",
        "def plan_1():\n    walk('light.34')\n\ndef plan_2():\n    switchon('light.34')",
        *(
            f"for x in [('light.34', 'bed.20')]:\n    walk(x[{index}])"
            for index in ("'a'", "1.0", "-1", "2", "None", "'a':", "1.0:", "-1:")
        ),
    ],
)
def test_program_that_depends_on_more_than_constants_stays_as_it_is(program: str) -> None:
    assert with_unrolled_code(program) == program


def test_what_is_done_if_a_condition_fails_is_no_step() -> None:
    program = """def light_up():
    # 0: walk to the light
    walk('light.34')
    # 1: switch on the light
    assert('close' to 'light.34')
        else: walk('bed.20')
    switchon('light.34')
    # 2: done"""
    reading = read_answer(program, NAMES)
    assert not reading.problems
    assert [str(action) for action in bind(reading, NAMES).actions] == PLAN


@pytest.mark.parametrize(
    "written", ["light.999", "light (999)", "<light> (999)", "the light (999)"]
)
def test_id_that_no_object_has_is_not_passed_over(written: str) -> None:
    bound = bind(read_answer(f"1. walk to {written}\n2. switchon(light.34)", NAMES), NAMES)
    assert [finding.kind for finding in bound.findings] == [ErrorKind.OBJECT_HALLUCINATION]


@pytest.mark.parametrize(
    "script",
    [
        'walk() {\n  echo "Walking to $1"\n}\nswitch_on() { echo "on: $1"; }\n\n'
        "walk light.34\nswitch_on light.34",
        "step_1() {\n  robot walk light.34\n}\nfunction step_2() {\n  robot switchon light.34\n}\n"
        "\nmain() {\n  step_1\n  step_2\n}\nmain",
        'go() {\n  local target="$1"\n  robot walk "$target"\n  robot switchon ${target}\n}\n'
        'go "light.34"',
        'go_there() {\n  echo "WALK(light.34)"\n}\n\nuse() {\n  echo "SWITCHON(light.34)"\n}\n\n'
        "go_there\nuse",
        "function go(x) {\n  walk(x);\n  return true;\n}\n\nfunction use() {\n"
        "  switchon('light.34');\n  return true;\n}\n\ngo('light.34');\nuse();",
    ],
)
def test_functions_in_braces_are_written_out(script: str) -> None:
    reading = read_answer(f"```bash\n{script}\n```", NAMES)
    assert not reading.problems
    assert [str(action) for action in bind(reading, NAMES).actions] == PLAN


@pytest.mark.parametrize(
    "script",
    [
        "go() {\n  walk light.34\n}\nuse() {\n  switchon light.34\n}\nuse",
        "go() {\n  walk light.34\n  go\n  go\n}\n" * 2,
        'plan = {"steps": []}',
    ],
)
def test_script_with_functions_that_nobody_calls_stays_as_it_is(script: str) -> None:
    assert with_functions_in_place(script) == script


def test_calls_of_calls_are_bounded() -> None:
    script = "".join(f"f{n}() {{\n{f'f{n + 1};' * 50}\n}}\n" for n in range(50)) + "f0"
    assert with_functions_in_place(script) == script


def test_list_that_a_class_keeps_is_not_lost() -> None:
    program = (
        "class Plan:\n    def __init__(self):\n        self.steps = [\n"
        '            "WALK(light.34)",\n            "SWITCHON(light.34)",\n        ]\n\n'
        "    def run(self):\n        for step in self.steps:\n            print(step)\n\n"
        "Plan().run()"
    )
    reading = read_answer(f"```python\n{program}\n```", NAMES)
    assert [str(action) for action in bind(reading, NAMES).actions] == PLAN


@pytest.mark.parametrize("quotes", ['"' * 3, "'" * 3])
def test_text_that_says_what_a_function_does_is_no_step(quotes: str) -> None:
    code = (
        f"def light_up():\n    {quotes}Switch on light.34.\n\n    Walk to desk.17.\n    {quotes}\n"
        '    walk("light.34")\n    switchon("light.34")'
    )
    reading = read_answer(f"```python\n{code}\n```", NAMES)
    assert [step.name.lower() for step in reading.steps] == ["walk", "switchon"]
    assert not reading.problems
