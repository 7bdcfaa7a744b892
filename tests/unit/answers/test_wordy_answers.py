"""Plans amid the words, code and layouts in which answers wrap them."""

from __future__ import annotations

import pytest
from studio_answers import NAMES, PLAN, actions

import eai
from eai.answers import bind, read_answer

SINK = eai.suite("household").task("studio-07").readable
FLAT = eai.suite("household").task("flat-04").readable


@pytest.mark.parametrize(
    "program",
    [
        "walkToLight();\nswitchOnLight();",
        "def walk_to_light():\n    # WALK(light.34)\n    pass\n\n"
        "def switch_on_light():\n    # SWITCHON(light.34)\n    pass\n\n"
        "walk_to_light()\nswitch_on_light()",
        "```js\nasync function go() {\n  await approachIt();  // WALK(light.34)\n"
        "  await pressIt();  // SWITCHON(light.34)\n}\ngo();\n```",
        '```js\nfunction go() {\n  // WALK(light.34)\n  console.log("Walking to light.34");\n'
        '  // SWITCHON(light.34)\n  console.log("Switching on light.34");\n}\n```',
        '```bash\nact() {\n  echo "Executing $1 on $2"\n  robot_cli "$1" "$2"\n}\n'
        "act WALK light.34\nact SWITCHON light.34\n```",
        '```java\nList<Step> plan = List.of(\n  new Step("WALK", "light.34"),\n'
        '  new Step("SWITCHON", "light.34")\n);\nfor (Step step : plan) {\n  run(step);\n}\n```',
        "(walk robot light.34)\n(switchon robot light.34)",
        "1: procedure Light\n2:     WALK(light.34)\n3:     SWITCHON(light.34)\n4: end procedure",
    ],
)
def test_program_that_only_tells_its_steps_is_read(program: str) -> None:
    assert actions(program) == PLAN


def test_name_of_an_action_and_an_object_in_one_is_unknown() -> None:
    bound = bind(read_answer("walkLight(34);\nswitchon(light.34);", NAMES), NAMES)
    assert [finding.kind for finding in bound.findings] == ["action_hallucination"]


def test_name_of_a_call_with_other_words_is_no_step() -> None:
    reading = read_answer("walkToLightBehindCurtains();\nswitchOnLight();", NAMES)
    assert [str(action) for action in bind(reading, NAMES).actions] != PLAN


@pytest.mark.parametrize(
    "value",
    [
        '<Sequence name="watch_tv">\n<Action ID="WALK" target="light.34"/>\n'
        '<Action ID="SWITCHON" target="light.34"/>\n</Sequence>',
        '<Sequence>\n<Action name="WALK"><Parameter key="object" value="light.34"/></Action>\n'
        '<Action name="SWITCHON"><Parameter key="object" value="light.34"/></Action>\n</Sequence>',
        '[{"name": "WALK", "parameters": [{"name": "lamp", "value": "light.34"}]},'
        ' {"name": "SWITCHON", "parameters": [{"name": "lamp", "value": "light.34"}]}]',
        '[{"name": "WALK", "arguments": {"light.34": {}}},'
        ' {"name": "SWITCHON", "arguments": {"light.34": {}}}]',
        "step,action,object1,object2,comment\n1,WALK,light.34,,walk to the light\n"
        "2,SWITCHON,light.34,,and switch it on",
        '"action","object"\n"WALK","light.34"\n"SWITCHON","light.34"',
        "```mermaid\ngraph LR\n  A[Start] --> B{At the light?}\n  B -->|No| C[WALK light.34]\n"
        "  C --> D[SWITCHON light.34]\n```",
    ],
)
def test_objects_of_a_step_are_found_in_its_layout(value: str) -> None:
    assert actions(value) == PLAN


def test_no_action_beside_an_object_is_a_problem() -> None:
    answer = '[{"action": "WALK", "object": "light.34"}, {"action": null, "object": "light.34"}]'
    assert bind(read_answer(answer, NAMES), NAMES).findings


@pytest.mark.parametrize(
    "answer",
    [
        "## Step 1: WALK(light.34)\n- Move the robot to light.34.\n\n"
        "## Step 2: SWITCHON(light.34)\n- Switch on light.34.\n\n"
        "## Step 3: LOOKAT(light.34)\n- Look at light.34.",
        "- WALK(light.34)\n  - Action: Walk to the light\n  - Object: light.34\n"
        "- SWITCHON(light.34)\n  - Action: Switch on the light\n  - Object: light.34\n"
        "- LOOKAT(light.34)\n  - Action: Look at the light\n  - Object: light.34",
        "**STANDUP**\n- The robot will use its legs.\n\n**LOOKAT(light.34)**\n"
        "- The robot will use its eyes.",
    ],
)
def test_what_explains_a_step_below_it_is_no_other_step(answer: str) -> None:
    reading = read_answer(answer, NAMES)
    assert reading.problems == ()
    expected = ["standup()"] if "STANDUP" in answer else PLAN
    assert [str(action) for action in bind(reading, NAMES).actions] == [
        *expected,
        "lookat(light.34)",
    ]


@pytest.mark.parametrize(
    "story",
    [
        "In the past tense, the robot walked to the light and switched it on.",
        "Dear diary, this morning I walked to the light. I switched it on.",
        "(The robot walks to the light.)\n(The robot switches on the light.)",
        "ROBOT\n(cheerfully)\nHere I go!\n\nThe robot walks to the light.\n"
        "The robot switches on the light.",
        "I'm walking to the light :walking:\nNow I'm switching on the light :bulb:",
        "**Robot:** Sure thing! I will walk to the light.\n**Robot:** I switch on the light.",
        "Alice: It is dark here.\nRobot: I will walk to the light.\nAlice: Turn it on, please.\n"
        "Robot: I switch on the light.",
        "Once upon a time there was a robot. It walked to the light. Then it switched it on.",
        "Q: What is your plan?\nA: Walk to the light. Switch it on.\nQ: Thank you!",
        "1. Go there\n   a. Walk to the light\n2. Finish the job\n   a. Switch on the light",
        "First, we walk to the light. Can you see it? Next, we switch on the light. Hooray!",
    ],
)
def test_story_or_chat_is_read(story: str) -> None:
    assert actions(story) == PLAN


def test_pair_is_called_without_its_number() -> None:
    reading = read_answer("Walk to the sink. Wash your hands.", SINK)
    assert [str(action) for action in bind(reading, SINK).actions] == [
        "walk(sink.50)",
        "wash(hands_both.6)",
    ]


@pytest.mark.parametrize("noun", ["the potatoes", "its whiskers"])
def test_action_with_an_unknown_noun_is_not_passed_over(noun: str) -> None:
    sentence = f"The robot walks to the sink, washes {noun} and switches off the faucet."
    assert read_answer(sentence, SINK).problems


def test_heading_that_says_what_the_plan_would_be_announces_it() -> None:
    plan = "1. WALK(light.34)\n2. SWITCHON(light.34)"
    assert actions(f"In the past tense, the plan would be:\n\n{plan}") == PLAN
    assert read_answer(f"A wrong plan would be:\n\n{plan}", NAMES).steps == ()


@pytest.mark.parametrize(
    "plan",
    [
        "1. Walk to the light.\n2. Look at the light.\n3. Switch on the light.",
        "- Walk to the light.\n- Look at the light.\n- Switch on the light.",
        "WALK(light.34)\nLOOKAT(light.34)\nSWITCHON(light.34)",
        "Walk to the light. Look at the light. Switch on the light.",
    ],
)
@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("To switch on the light, follow these steps:", ""),
        ("Here is how to switch on the light:", ""),
        ("Task: Switch on the light", ""),
        ("Let's switch on the light!", ""),
        ("The goal is to switch on the light.", ""),
        ("", "With these steps, you can switch on the light."),
        ("", "Now the robot can switch on the light."),
        ("", "Once the robot looks at the light, it can switch on the light."),
    ],
)
def test_goal_before_or_behind_a_plan_is_no_step(plan: str, before: str, behind: str) -> None:
    expected = ["walk(light.34)", "lookat(light.34)", "switchon(light.34)"]
    assert actions(f"{before}\n\n{plan}\n\n{behind}".strip()) == expected


@pytest.mark.parametrize(
    "answer",
    [
        "1. WALK(light.34)\n2. SWITCHON(light.34)\n3. WALK(desk.17)\n\nThen walk to the light.",
        "Walk to the light.\nSwitch on the light.\nWalk to the desk.\nWalk to the light.",
        "First, I walk to the light. Next, I look at the light. Then I walk to the desk. After that"
        " I walk to the light.",
        "You will carry out these steps. Walk to the light. Then look at the light. Next, walk to"
        " the desk. Then walk to the light.",
        "### 1.\n- Action: `walk to the light`\n\n### 2.\n- Action: `look at the light`\n\n"
        "### 3.\n- Action: `walk to the desk`\n\n### 4.\n- Action: `walk to the light`",
    ],
)
def test_step_that_is_taken_again_behind_the_others_counts(answer: str) -> None:
    reading = read_answer(answer, NAMES)
    assert len(reading.steps) == 4 or reading.problems


def test_purpose_before_a_step_is_no_step_but_is_noted_if_the_plan_lacks_it() -> None:
    reading = read_answer("To open the curtain, walk to the light and switch it on.", NAMES)
    assert [step.name for step in reading.steps] == ["walk", "switchon"]
    assert any("open" in note for note in reading.notes)
    assert actions("To switch on the light, you have to walk to it and switch it on.") == PLAN


def test_sentence_that_says_its_step_again_has_one_step() -> None:
    answer = "Walk to the light. Use your legs to walk to the light.\n"
    answer += "Switch on the light. Use your hand to switch on the light."
    assert actions(answer) == PLAN
    assert actions("1. WALK(light.34), it walks to the light\n2. SWITCHON(light.34)") == PLAN


def test_finding_out_is_no_finding() -> None:
    answer = "- Walk to the light.\n- Look at the light to find out whether it is warm."
    assert [step.name.lower() for step in read_answer(answer, NAMES).steps] == ["walk", "look at"]


def test_skills_in_brackets_below_each_other_are_one_plan() -> None:
    suite = eai.suite("eb-alfred")
    text = "[find a Statue_4]\n   |\n   v\n[find a DeskLamp]\n   |\n   v\n[turn on the DeskLamp]"
    semantics = suite.semantics("strict")
    result = suite.evaluate("action_sequencing", suite.task("spatial/42"), text, semantics)
    assert len(result.plan or ()) == 3
