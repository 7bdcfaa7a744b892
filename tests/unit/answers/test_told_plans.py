"""Plans told as people tell them: logs, letters, dialogues, scenarios, rows with descriptions."""

# ruff: noqa: RUF001 - answers in Chinese have signs that look like Latin ones

from __future__ import annotations

import pytest
from studio_answers import NAMES, PLAN, actions

import eai
from eai.answers import bind, read_answer

A, B = "WALK(light.34)", "SWITCHON(light.34)"


@pytest.mark.parametrize(
    "answer",
    [
        "Okay. I will walk to light.34.\nThen I will switch it on.",
        "1. Walk to light.34.\n2. It is dark. Switch on light.34.",
        f'The plan: "1. {A}\n2. {B}"',
        # names that say no more than that there is an object
        "WalkTo(light.34)\nSwitchOnObject(light.34)",
        '[{"do": "WALK_OBJECT", "id": "light.34"}, {"do": "switch_on_object", "id": "light.34"}]',
        # explanations in which the step stands as well
        f"1. {A} - As soon as I see it, walk to the light.\n2. {B} **-** Then switch on the light.",
        f"1. **WALK** (light.34): I am far away, so walk to light.34 now.\n2. {B}",
        # states of a machine
        "**State 1:**\n- **Action:** Walk to light.34\n- **Transition:** If it is near, walk to"
        " State 2.\n\n**State 2:**\n- **Action:** Switch on light.34",
        # dialogues
        "User: Please walk to light.34.\nRobot: Walking to light.34.\nUser: Switch on light.34!\n"
        "Robot: Switching on light.34.",
        f"**Owner:** Go to the light.\n\n**Agent:** {A}\n\n**Owner:** Turn it on.\n\n"
        f"**Agent:** {B}",
        f"Human: {A}\nRobot: Done.\nHuman: {B}\nRobot: Done.",
        # orders and told verbs in one line, and words for the plan around a step
        "The robot has to walk to light.34. Then it switches on light.34.",
        "It follows the plan to walk to light.34.\nIt then switches on light.34.",
        "Its first task is to walk to light.34.\nIt performs the action of switching on light.34.",
        "The robot follows the plan to walk to light.34. It walks to light.34. Then it switches on"
        " light.34.",
    ],
)
def test_no_sentence_or_turn_of_a_plan_is_lost_or_doubled(answer: str) -> None:
    assert actions(answer) == PLAN


@pytest.mark.parametrize(
    "sentence",
    [
        "After walking to light.34, the robot switches it on.",
        "After it walks to light.34, it switches light.34 on.",
        "Once it has walked to light.34, it switches light.34 on.",
        "When it has finished walking to light.34, it switches light.34 on.",
        "Upon walking to light.34, the robot switches light.34 on.",
        "It switches light.34 on after walking to the light.",
        "The robot switches on light.34 once it has walked to light.34.",
    ],
)
def test_step_taken_for_done_is_not_told_again(sentence: str) -> None:
    assert actions(f"1. The robot walks to light.34.\n2. {sentence}") == PLAN
    assert actions(f"The robot walks to light.34. {sentence}") == PLAN


def test_steps_are_taken_in_the_order_that_after_says() -> None:
    assert read_answer("1. Switch on light.34 after walking to light.34.", NAMES).problems
    assert actions("The robot switches on light.34 once it has walked to light.34.") == PLAN


@pytest.mark.parametrize(
    "lines",
    [
        "1. WALK zu der Lampe (WALK light.34)\n2. SWITCHON die Lampe (SWITCHON light.34)",
        "1. WALK a la l\u00e1mpara: WALK light.34\n2. SWITCHON la l\u00e1mpara: SWITCHON light.34",
        "1. WALK \u5230\u706f (WALK light.34)\n2. SWITCHON \u706f (SWITCHON light.34)",
        "- Walk to the light -> WALK light.34\n- Switch on the light -> SWITCHON light.34",
    ],
)
def test_step_in_the_names_of_the_task_counts_behind_other_words(lines: str) -> None:
    assert actions(lines) == PLAN


def test_unknown_object_before_an_arrow_is_not_dropped() -> None:
    reading = read_answer("1. WALK to the moon -> WALK light.34", NAMES)
    assert len(reading.steps) == 2


def test_state_of_something_else_is_no_step() -> None:
    assert actions("Walk to light.34. It is standing on desk.17. Switch on light.34.") == PLAN
    couch = "The robot walks to desk.17, where it will sit down."
    assert actions(couch) == ["walk(desk.17)", "sit(desk.17)"]


def test_object_that_is_moved_to_its_place_is_not_where_the_robot_goes() -> None:
    assert actions("1. Return to light.34.\n2. Switch it on.") == PLAN
    reading = read_answer("1. Return light.34 to its place.\n2. Switch on light.34.", NAMES)
    assert [str(step) for step in reading.steps] == ["Switch on(light.34)"]
    assert reading.problems


def test_request_that_the_robot_does_not_follow_is_a_problem() -> None:
    turns = f"User: {A}\nRobot: {A}\nUser: {B}\nUser: GRAB(novel.15)\nRobot: {B}"
    reading = read_answer(turns, NAMES)
    assert [str(step) for step in reading.steps] == [A, B]
    assert (reading.problems[0].written, reading.status) == ("GRAB(novel.15)", "partial")


def test_line_of_a_script_whose_object_is_not_clear_is_not_passed_over() -> None:
    script = 'echo "Walk to the cabinet"\necho "Switch on light.34"\necho "Walk to desk.17"'
    reading = read_answer(f"```bash\n{script}\n```", NAMES)
    assert reading.problems


def test_reason_in_brackets_is_no_part_of_the_step() -> None:
    answer = "First, you put novel.15 on desk.17 (so that the next step (read novel.15) is free)."
    assert actions(answer) == ["putback(novel.15, desk.17)"]


@pytest.mark.parametrize(
    "answer",
    [
        # in the past
        "The robot walked to light.34. Then it switched it on.",
        "- Walked to light.34\n- Switched on light.34",
        "[09:00] Robot walked to light.34.\n[09:01] Robot switched light.34 on.",
        "The household robot walked to the light and switched it on.",
        "Dear Sam,\n\nyou asked how. I walked to light.34 and switched it on.\n\nBest,\nR",
        "Having walked to light.34, switch it on.",
        "1. Walk to light.34.\n2. Having walked to light.34, switch it on.",
        # behind words for the order of steps
        f"{A}, sodann {B}",
        f"Pour commencer, {A}.\nPour terminer, {B}.",
        # behind sentences that say nothing of steps
        "Sure thing! I'll walk to light.34, and after that I'm going to switch it on.",
        "Okay. I am going to walk to light.34. Then I'll just switch it on.",
        # as minutes, and as news
        "1. **Lamp.** It was agreed that the robot walks to light.34.\n"
        "2. **Power.** It was decided to switch on light.34.",
        "- The robot is walking to light.34.\n- It is now switching on light.34.",
        "1. The robot walks to light.34.\n2. It is now walking to light.34.\n3. It switches it on.",
        # with the name of the action in brackets
        "1. Gehe zur Lampe (WALK) light.34\n2. (SWITCHON) light.34",
        # a place that is named before
        "I will walk to light.34, where I will switch it on.",
        "The robot will walk to light.34 and switch them on.",
        "It's going to start by walking to light.34, then it's going to switch it on.",
        "The robot starts by walking to light.34. Then it switches it on.",
        "The robot begins its trip by walking to light.34. It will then proceed to switch it on.",
        "In the future, the household robot will walk to light.34. It will then go on to switch it"
        " on.",
        "Walk to light.34. Once that is done, switch it on.",
        "Walk to light.34. Once I have reached it, I will switch it on.",
        f"1. {A}\n2. Once I am near light.34, I will switch it on.",
        # items that are explained
        "1. **Walk to light.34**: After reaching it, move around the bed.20.\n"
        "2. **Switch on light.34** - Once there, use the lamp to see more.",
        # who speaks has a number, which counts no steps
        f"Robot 1: I will {A}\nRobot 2: Great. I will wait.\nRobot 1: Now I will {B}\n",
        f"A: What is the first step?\nB: {A}\nA: And then?\nB: {B}",
        f"\U0001f9f5 1/ {A} - on my way!\n\n2/ {B} - done!",
        # commits
        f"commit 1a2b3c\nAuthor: Robot <r@home.org>\nDate:   Mon Jan 1 09:00 2024\n\n    {A}\n\n"
        f"commit 2b3c4d\nAuthor: Robot <r@home.org>\nDate:   Mon Jan 1 09:01 2024\n\n    {B}",
        # messages in the panels of a terminal
        "\u256d\u2500 Tool \u2500\u256e\n\u2502 Using Tool: walk \u2502\n\u2570\u2500\u2500\u256f\n"
        '\u2502 {"object": "light.34"} \u2502\n\u256d\u2500 Tool \u2500\u256e\n'
        "\u2502 Using Tool: switchon \u2502\n\u2570\u2500\u256f\n"
        '\u2502 {"object": "light.34"} \u2502',
        # titles and states of scenarios
        "Feature: Light\n  Scenario: Walk to the light and switch it on\n"
        "    Given the light is off\n    When I walk to light.34\n    And I switch on light.34\n"
        "    Then the light is on",
        f"Scenario: {B}\n  Given I {A}\n  Then I {B}",
        # rows in which nothing but a description can be the step
        f'[{{"id": 1, "description": "Walk to light.34"}}, {{"id": 2, "description": "{B}"}}]',
        "| Note |\n|---|\n| Walk to light.34 |\n| Switch on light.34 |",
        '[{"id": "WALK", "description": "The robot goes to light.34."},'
        ' {"id": "SWITCHON", "description": "The robot turns the light.34 on."}]',
        "| # | Details |\n|---|---|\n| 1 | Walk to light.34 |\n| 2 | Switch on light.34 |",
        '[{"id": 1, "name": "WALK", "description": "Walk to light.34"},'
        ' {"id": 2, "name": "SWITCHON", "description": "Switch on light.34."}]',
        # what stands beside steps
        f"The tower from bottom to top will be a, b.\n\n{A}\n{B}",
        f"1. {A} [cost: 2, total: 2]\n2. {B} [cost: 3, total: 5]\n3. done()",
        f"{A}\n{B}\n\nAfter the last step, {B}, the goal holds.",
        "S0 --[walk to light.34]--> S1 --[switch on light.34]--> S2",
        f"You said that wrong answers cost points, so I checked twice.\n\n{A}\n{B}",
        f"As an AI I cannot move objects myself, but the robot can:\n{A}\n{B}",
        f"# Analysis\nThe state does not satisfy the goal.\n\n# Output\n{A}\n{B}",
        f"**Version 1**\n1. {B}\n2. {A}\n\nThe order above is wrong.\n\n"
        f"**Version 2 (final)**\n1. {A}\n2. {B}",
        # other ways to write a step
        "light_34.walk()\nlight_34.switchon()",
        "light.34.walk();\nlight.34.switchOn();",
        "```js\nasync function run() {\n  try {\n    await WALK('light.34'); // Walk to the light\n"
        "    const result = await SWITCHON('light.34'); // Switch on the light\n"
        "    await sleep(500);\n  } catch (error) {\n    console.error(`${error}`);\n  }\n}\n```",
        "```js\nconst robot = new Robot();\n\nasync function run() {\n"
        "  await robot.walk('light.34'); // Walk to the light\n"
        "  await robot.switchOn('light.34'); // Switch on the light\n}\n\nrun().catch(log);\n```",
        "- await light.34.walk()\n- await light.34.switchOn()",
        "light_34->walk();\nlight_34->switchon();",
        "```js\nasync function run() {\n  // Walk to the light\n  await light.34.walk();\n"
        "  // Switch on the light\n  await light.34.switchOn();\n}\n```",
        f"[ ] {A}\n[ ] {B}",
        f"| Done | Step |\n|---|---|\n| [ ] | {A} |\n| [ ] | {B} |",
        "| Done | Action | Object |\n|---|---|---|\n| [ ] | WALK | light.34 |\n"
        "| [ ] | SWITCHON | light.34 |",
        "Action 1 (WALK): light.34\nAction 2 (SWITCHON): light.34",
        'List.of(\n new Step(Action.WALK, "light.34"),\n new Step(Action.SWITCHON, "light.34"))',
        f"首先{A}，然后{B}。",
        f"| Phase | Steps |\n|---|---|\n| Start | {A}<br>{B} |",
        # what the world says to the agent
        '[{"role": "assistant", "content": [{"type": "tool_use", "name": "walk", "input":'
        ' {"object": "light.34"}}]}, {"role": "user", "content": [{"type": "tool_result",'
        ' "tool_use_id": "t0", "content": "success"}]}, {"role": "assistant", "content":'
        ' [{"type": "tool_use", "name": "switchon", "input": {"object": "light.34"}}]}]',
        # roles of objects in brackets
        '```\n(define (plan)\n  (walk (to "light.34"))\n  (switch-on (object "light.34")))\n```',
    ],
)
def test_told_plan_is_read(answer: str) -> None:
    assert actions(answer) == PLAN


@pytest.mark.parametrize(
    "sentence", ["I put the radio on the shelf.", "The robot walked to the bed.20."]
)
def test_sentence_behind_a_list_is_no_step(sentence: str) -> None:
    reading = read_answer(f"1. {A}\n2. {B}\n\n{sentence}", NAMES)
    assert [str(action) for action in bind(reading, NAMES).actions] == PLAN
    assert any("not read" in note for note in reading.notes)


@pytest.mark.parametrize(
    "answer",
    [
        "The light.34 was walked to.",
        "Did you mean the following steps?\n" + A,
        '[{"id": 1, "reason": "Walk to light.34"}]',
    ],
)
def test_what_tells_no_step_is_none(answer: str) -> None:
    assert not read_answer(answer, NAMES).steps


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("You asked whether I would suggest this:\n", "\n\nNo, I would not."),
        ("```python\nif False:\n    ", "\n```"),
        ("", "\n\nCorrection: the right answer is the empty plan []."),
        ("All of these except step 2:\n", ""),
        ("Read this list from bottom to top:\n", ""),
    ],
)
def test_what_stands_around_may_make_it_another_plan(before: str, behind: str) -> None:
    indent = "    " if "if False" in before else ""
    reading = read_answer(f"{before}{A}\n{indent}{B}{behind}", NAMES)
    assert reading.problems or len(reading.steps) < 2


def test_phases_of_a_table_follow_each_other() -> None:
    reading = read_answer(
        f"| Phase | Steps |\n|---|---|\n| 1 | {A}; {B} |\n| 2 | {B}; {A} |", NAMES
    )
    assert [str(step) for step in reading.steps] == [A, B, B, A]


def test_description_that_is_no_step_is_a_problem() -> None:
    answer = '[{"id": 1, "description": "Walk to light.34"}, {"id": 2, "description": "Wait"}]'
    assert [problem.written for problem in read_answer(answer, NAMES).problems] == ["Wait"]


@pytest.mark.parametrize(
    "answer",
    [
        "[navigate to] <table 2>\n[pick up] <banana>\n[navigate to] <sofa>\n[place at] <sofa>",
        'table = "table 2"\nnavigate_to(table)\npick_up("banana")\nnavigate_to("sofa")\n'
        'place_at("sofa")',
        "robot navigate table 2\nrobot pick up banana\nrobot navigate sofa\nrobot place sofa",
    ],
)
def test_verb_and_object_of_a_skill_are_read(answer: str) -> None:
    suite = eai.suite("eb-habitat")
    task = suite.task("base/42")
    assert suite.evaluate("action_sequencing", task, answer, suite.semantics("strict")).success


@pytest.mark.parametrize(
    "answer",
    [
        # an explanation of each step beside it, and then the whole answer
        f'{{"steps": [{{"explanation": "First.", "output": "{A}"}}, {{"explanation": "Last.",'
        f' "output": "{B}"}}], "final_answer": "{A}, {B}"}}',
        f'{{"steps": ["{A}", "{B}"], "final_answer": "With this the light will shine."}}',
        # one plan told under two keys
        f'{{"sequence": ["{A}", "{B}"], "step_texts": ["walk to light.34", "switch on light.34"]}}',
        # the step in hand
        f"PLAN: {A}; {B}\nREASONING: nothing was done so far\nCURRENT STEP: {A}",
        # phases of which one may begin like the one before
        f"**Phase 1 - Go**\n1. {A}\n\n**Phase 2 - Act** (then)\n1. {B}",
        # what a program says
        f"speak('Here I go.')\n{A}\n{B}\nspeak('Done.')",
        # who acts is one of a list
        "def do(robots):\n    Walk(robots[1], 'light.34')\n    SwitchOn(robots[1], 'light.34')",
        # where a plan begins and ends
        f"0. (Start: nothing is done)\n1. {A}\n2. {B}\n3. (Final state)",
        # the form of the answer before it
        f'I answer with a list, such as `["ACT(thing)"]`.\n\n["{A}", "{B}"]',
    ],
)
def test_what_frames_explains_or_repeats_a_plan_is_no_step(answer: str) -> None:
    assert [action.lower() for action in actions(answer)] == PLAN


@pytest.mark.parametrize(
    "answer",
    [
        # the plan again, with words for the places of its steps
        f"1. {A}\n2. {B}\n\n**Summary:**\n- **First step:** {A}\n- **Second step:** {B}",
        # words behind a call, which name an action as well
        f"- **{A}**: Turn to light.34.\n- **{B}**: Touch light.34.",
        # a reason that speaks of the step once more
        "1. Walk to light.34\n   - **Reasoning**: You are away. Walking to light.34 brings you"
        " there.\n2. Switch on light.34",
    ],
)
def test_what_tells_the_steps_of_a_plan_again_adds_and_takes_none(answer: str) -> None:
    assert [action.lower() for action in actions(answer)] == PLAN


@pytest.mark.parametrize(
    "answer",
    [
        f"This solves another problem:\n1. {A}\n2. {B}\n\nFor yours I have no plan.",
        f"Assessment of the plan that was submitted\n1. {A}\n2. {B}\n\nAssessment: wrong.",
        f"Reference answer (not my own plan):\n1. {A}\n2. {B}\n\nMine: I do not know.",
    ],
)
def test_a_plan_of_somebody_else_is_not_the_answer(answer: str) -> None:
    assert not read_answer(answer, NAMES).steps


@pytest.mark.parametrize("said", ["null", '"none"', '"This plan does not work at all."'])
def test_a_final_answer_that_is_none_leaves_the_steps_before_it_in_doubt(said: str) -> None:
    answer = f'{{"steps": ["{A}", "{B}"], "final_answer": {said}}}'
    assert read_answer(answer, NAMES).problems


@pytest.mark.parametrize(
    "answer",
    [
        "In the past, a robot walked to light.34 and then turned it on.",
        "Once upon a time, a robot moved to light.34. There it switched on the light.",
        "Yesterday I walked to light.34. Then I switched it on.",
        "I remember walking to light.34 and switching it on.",
        "The robot had walked to light.34, where it switched on the light.",
    ],
)
def test_plan_in_a_story_is_read(answer: str) -> None:
    assert actions(answer) == PLAN


def test_step_amid_a_later_sentence_is_not_passed_over() -> None:
    answer = "The robot walks to light.34. Much to our joy it switches on light.34."
    assert read_answer(answer, NAMES).problems


def test_names_of_states_before_a_step_are_no_steps() -> None:
    answer = (
        "### Transitions\n1. **Idle** -> **Walking**: The robot walks to light.34.\n"
        "2. **Walking** -> **Switching On**: Then the robot switches on light.34."
    )
    assert actions(answer) == PLAN


def test_transition_without_a_step_behind_it_is_not_put_together_from_its_names() -> None:
    answer = f"1. {A}\n2. **Putting** -> **Switching On**: The coat.31 is bright then."
    assert all(step.name.lower() != "puton" for step in read_answer(answer, NAMES).steps)


def test_letter_that_tells_the_steps_of_its_list_again_adds_none() -> None:
    letter = f"Dear colleague,\n\nmy plan is:\n\n1. {A}\n2. {B}\n\n"
    letter += "First, I will walk to the light. Then I will turn on the light.\n\nBest regards"
    assert actions(letter) == PLAN


def test_letter_that_tells_another_step_below_its_list_is_not_passed_over() -> None:
    letter = f"My plan is:\n\n1. {A}\n2. {B}\n\nThen I will walk to the desk."
    reading = read_answer(letter, NAMES)
    assert [str(step).lower() for step in reading.steps][-1:] == ["walk(desk)"] or reading.problems


@pytest.mark.parametrize(
    "answer",
    [
        "States:\n- State 1: Walk to the light\n- State 2: Switch on the light\n\n"
        "Transitions:\n- State 1 -> State 2: when the robot is there",
        "1. **State: Start**\n   - Transition: walk to light.34 -> State: At the light\n"
        "2. **State: At the light**\n   - Transition: switch on light.34 -> State: End",
        f"- S0 -> S1: {A}\n- S1 -> S2: {B}",
    ],
)
def test_states_of_a_machine_are_read(answer: str) -> None:
    assert actions(answer) == PLAN


@pytest.mark.parametrize(
    "answer",
    [
        "The robot should walk to light.34, then it needs to switch on light.34.",
        "Start by walking to light.34 and finish by switching on light.34.",
        "The robot started by walking to light.34. It then carefully switched on light.34.",
        "The robot is supposed to walk to light.34 and proudly switch on light.34.",
        "With a smile, the robot walked to light.34. At the lamp, it switched on light.34.",
        "To do this, the robot walks to the light. There it switches the light on.",
    ],
)
def test_words_around_the_verbs_of_a_plan_hide_no_step(answer: str) -> None:
    assert actions(answer) == PLAN


def test_pronoun_means_the_object_that_was_spoken_of_last() -> None:
    answer = "The robot walked to desk.17. It saw the laptop and switched it on."
    assert actions(answer) == ["walk(desk.17)", "switchon(laptop.19)"]


def test_step_of_a_sentence_in_doubt_is_not_passed_over() -> None:
    answer = "Walk to light.34, and possibly switch on light.34."
    reading = read_answer(answer, NAMES)
    assert reading.status != "clean" or any("switch on" in note for note in reading.notes)


@pytest.mark.parametrize(
    "offer",
    ["Repeat these steps if necessary.", "Repeat as needed.", "These steps can be repeated."],
)
def test_offer_to_repeat_the_steps_changes_nothing(offer: str) -> None:
    assert actions(f"1. {A}\n2. {B}\n\n{offer}") == PLAN


@pytest.mark.parametrize(
    "order", ["Repeat these steps twice.", "Then do all of this again.", "Perform the steps twice."]
)
def test_order_to_repeat_the_steps_is_a_problem(order: str) -> None:
    assert read_answer(f"1. {A}\n2. {B}\n\n{order}", NAMES).problems


def test_step_that_is_only_taken_for_done_is_told_once() -> None:
    answer = "1. The robot walks to light.34.\n2. After walking to light.34, it switches it on."
    assert actions(answer) == PLAN


@pytest.mark.parametrize(
    "answer",
    [
        "Could you please walk to light.34 and then turn it on?",
        "Hi! Can you please help me with this? First, walk to light.34. Then switch it on.",
        f"Could you help me with this?\n\n1. {A}\n2. {B}\n\nThanks!",
    ],
)
def test_polite_request_is_read(answer: str) -> None:
    assert actions(answer) == PLAN


def test_question_whether_a_plan_is_meant_is_no_request() -> None:
    assert read_answer(f"Did you mean the following?\n1. {A}\n2. {B}", NAMES).status == "none"


def test_list_of_calls_below_its_sentences_is_the_plan() -> None:
    answer = (
        "### Transitions\n1. The robot walks to light.34.\n2. When it is there, the robot turns to"
        f" light.34.\n\n### Actions\n- **{A}**: go to the light.\n- **{B}**: light it up."
    )
    assert actions(answer) == PLAN


@pytest.mark.parametrize(
    "answer",
    [
        "It's going to start by going to the sofa, then it's going to pick up the cleanser, and"
        " finally, it's going to go to the sink and put the cleanser there.",
        "1. Go to the sofa.\n2. Pick up the cleanser.\n3. Go to the sink.\n4. Put it there.",
        "I will go to the sofa and pick up the cleanser. Then I will go to the sink and place the"
        " cleanser on it.",
        "I'm going to walk to the sofa, where I will pick up the cleanser. After picking up the"
        " cleanser, I'm going to walk to the sink and put it down there.",
    ],
)
def test_there_is_the_place_to_which_the_robot_went(answer: str) -> None:
    suite = eai.suite("eb-habitat")
    task = suite.task("common_sense/9")
    result = suite.evaluate("action_sequencing", task, answer, suite.semantics("strict"))
    assert result.success
    assert [str(action) for action in result.plan][-1] == "place(sink)"
