"""Kinds of answers of language models, each with what a careful person reads in it."""

# ruff: noqa: RUF001 - answers in other languages have signs that look like Latin ones

from __future__ import annotations

import pytest

import eai
from eai.abilities.subgoals.reader import read_subgoals
from eai.answers import ActionForm, Surfaces, read_answer, read_with
from eai.suites.robobench.plans import read_answer as read_robobench

NAMES = eai.suite("household").task("studio-02").readable
PLAN = ["WALK(fridge.40)", "OPEN(fridge.40)"]
A, B = PLAN


def steps(text: str) -> list[str]:
    return [str(step) for step in read_answer(text, NAMES).steps]


@pytest.mark.parametrize(
    "text",
    [
        # code that looks at the result of each step
        f"```python\nif not {A}:\n    return False\nif not {B}:\n    return False\nexit()\n```",
        f"```python\nassert {A}\nassert {B}\n```",
        'plan.push_back("WALK(fridge.40)");\nplan.push_back("OPEN(fridge.40)");',
        # commented-out code before the code that counts
        f"```python\n# Old version, does not work:\n# run('{B}')\n\nrun('{A}')\nrun('{B}')\n```",
        # a table with a plan in each row
        f"| Candidate | Steps | Verdict |\n|---|---|---|\n| 1 | {B}; {A} | rejected |\n"
        f"| 2 | {A}; {B} | accepted |",
        f'{{"step_one": "{A}", "subsequent_steps": ["{B}"]}}',
        f"Q1: What first?\nA: {A}\nQ2: What next?\nA: {B}",
        f'[[1, "{A}"], [2, "{B}"]]',
        # names that the answer gives to objects, and variables of a loop
        '```python\nx = "fridge.40"\n\nWALK(x)\nOPEN(x)\n```',
        '```python\nplan = [("WALK", "fridge.40"), ("OPEN", "fridge.40")]\n'
        "for action, thing in plan:\n    robot.execute(action, thing)\n```",
        # calls that are handed over, in quotes, or behind a word that says nothing of them
        f"```tool_code\nprint(default_api.{A})\nprint(default_api.{B})\n```",
        f"Le plan : \u00ab {A} \u00bb, puis \u00ab {B} \u00bb.",
        f"Scenario: fridge\n  When {A}\n  And {B}\n  Then it is open",
        # headings with the number of the step below them
        f"**Step 1:** Go there.\n   Action: `{A}`\n\n**Step 2:** Go on.\n   Action: `{B}`",
        # labels of candidates, and what is only thought of
        f"Trial #1\n> {B}\nStatus: FAIL\nReflection: too early.\n\nTrial #2\n> {A}\n> {B}",
        f"Branch 1:\n1. {A}\n2. {B}\n\nBranch 2:\n1. {B}\n2. {A}\n\nSelected: branch 1",
        f"1. {A}\n2. {B}\n\nCheck: one might think of\n1. {B}\n2. {A}\nas well.",
        '{"plan": [{"action": "WALK", "args": ["fridge.40"]},'
        ' {"action": "OPEN", "args": ["fridge.40"]}',
    ],
)
def test_the_plan_is_read(text: str) -> None:
    assert steps(text) == PLAN


@pytest.mark.parametrize(
    "text",
    [
        f"An answer would have to look like this example:\n1. {A}\n2. {B}\nI do not know the plan.",
        f"The answer must have this form, for example:\n1. {A}\n2. {B}",
        f"1. {A}\n2. {B}\n\nI retract the plan above. I do not have an answer.",
        f"Did you mean the following?\n1. {A}\n2. {B}",
        f"If I were asked, I might have done this:\n1. {A}\n2. {B}\nBut I will do nothing.",
        f"You wrote:\n> 1. {A}\n> 2. {B}\n\nI won't give a plan.",
        f"```python\ndef plan():\n    # {A}  # disabled\n    # {B}  # disabled\n    pass\n```",
        f"1. {A}\n2. {B}\n\nI cannot suggest another one: it fails.",
        # taken back in the language of the answer
        f"1. {A}\n2. {B}\n\nNein, das ist falsch. Ich ziehe diesen Plan zur\u00fcck.",
        f"1. {A}\n2. {B}\n\nNon, ce plan est faux. Je le retire.",
        f"Alguien podr\u00eda hacer esto:\n1. {A}\n2. {B}\n\nPero es incorrecto, no lo ejecutes.",
        f"1. {A}\n2. {B}\n\n\u8fd9\u662f\u9519\u8bef\u7684\uff0c\u8bf7\u4e0d\u8981\u6267\u884c",
        # done by another, or only possible
        f"The robot already executed these actions:\n1. {A}\n2. {B}\n\nWhat remains is:\n[]",
        f"Available actions:\n- {A}\n- {B}\n\nPlan: none",
        f'{{"available_actions": ["{A}", "{B}"], "plan": []}}',
        '[{"action": "WALK", "args": ["fridge.40"], "status": "cancelled"}]',
        f"1. {A}\n2. {B}\n\nCorrection: skip step 1, and also step 2.",
        f"1. {A}\n2. {B}\n\nRemove steps 1-2.",
        f"1. {A}\n2. {B}\n\nSteps 1 and 2 should be removed.",
    ],
)
def test_what_is_not_meant_is_no_plan(text: str) -> None:
    assert steps(text) == []


def test_only_brackets_may_be_missing() -> None:
    whole = read_answer(f'["{A}", "{B}"', NAMES)
    assert ([str(step) for step in whole.steps], whole.problems) == (PLAN, ())
    assert "missing bracket" in whole.notes
    for cut in (f'["{A}", "{B}",', f'["{A}", "{B}', '[{"WALK": ["fridge.40"]}, {"OPEN": ["fri'):
        assert read_answer(cut, NAMES).problems


def test_a_step_that_is_cut_in_its_name_is_not_the_shorter_one() -> None:
    names = ["place at the counter", "place at the counter in the kitchen"]
    surfaces = Surfaces([(name, ActionForm(name, 0)) for name in names], [])
    assert not read_with(f"1. {names[0]}", surfaces).problems
    assert not read_with(f"1. {names[1]}", surfaces).problems
    assert read_with(f"1. {names[1][:-4]}", surfaces).problems


def test_a_bullet_below_a_subgoal_explains_it() -> None:
    reading = read_subgoals(
        "1. **ON(lamp.1)**\n   - It is dark.\n\n2. OPEN(door.2)\n   - To leave."
    )
    assert [each.text for each in reading.subgoals] == ["ON(lamp.1)", "OPEN(door.2)"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '[{"name": "cut", "args": {"object": "knife", "target": "bread", "third": "board"}}]',
            ["cut(knife, bread, board)"],
        ),
        ("1. Place the cup to the left of the box.", ["place(cup, left of box)"]),
        (
            "0.000: (move_to none apple)\n1.000: (grasp apple)",
            ["move_to(none, apple)", "grasp(apple)"],
        ),
        ("$ robot --action grasp --object apple", ["grasp(apple)"]),
        (
            '<step n="1"><left>grasp(tray)</left><right>hold(cup)</right></step>\n'
            '<step n="2"><left>place(tray, shelf)</left><right>no_ops</right></step>',
            ["left:grasp(tray)", "right:hold(cup)", "left:place(tray, shelf)", "right:no_ops"],
        ),
    ],
)
def test_plans_of_robobench(text: str, expected: list[str]) -> None:
    assert [str(step) for step in read_robobench(text).steps] == expected


@pytest.mark.parametrize(
    "text",
    [
        # the action with its preposition, wherever the action stands
        '[{"action": "walk_to", "object": "fridge.40"},'
        ' {"action": "open_up", "object": "fridge.40"}]',
        '[["walk_to", "fridge.40"], ["open", "fridge.40"]]',
        '[{"walk_to": ["fridge.40"]}, {"open": ["fridge.40"]}]',
        '<step action="walk_to" object="fridge.40"/>\n<step action="open" object="fridge.40"/>',
        # an action and its objects in the calls of a tool
        'await robot.execute({ id: "64", action: "WALK", object: "fridge.40" });\n'
        'await robot.execute({ id: "19", action: "OPEN", object: "fridge.40" });',
        'Action: execute\nAction Input: {"action": "WALK", "object": "fridge.40"}\n'
        'Action: execute\nAction Input: {"action": "OPEN", "object": "fridge.40"}',
        # facts of a logic program, with the times of their steps
        "occurs(walk(fridge.40),1). occurs(open(fridge.40),2).",
        "occurs(open(fridge.40),2).\noccurs(walk(fridge.40),1).",
        # clauses that say only that the step before is done
        "1. To begin, walk to the fridge.40.\n2. Once that is done, open the fridge.40.",
        "Walk to the fridge.40.\nOnce there, open the fridge.40.",
        # reasoning in each step is not the reasoning before the answer
        "<plan><step><reasoning>There.</reasoning><action>walk</action><object>fridge.40</object>"
        "</step>\n<step><reasoning>Now.</reasoning><action>open</action><object>fridge.40</object>"
        "</step></plan>",
        # a step that takes the place of another one
        f"1. {A}\n2. CLOSE(fridge.40)\n\nCorrection: step 2 is wrong. Step 2 should be: {B}",
        f"{A}\nCLOSE(fridge.40)\n\nReplace step 2 with:\n{B}",
        '[{"WALK": ["fridge.40"]}, {"CLOSE": ["fridge.40"]}]\n'
        'Step 2 should be {"OPEN": ["fridge.40"]}',
        # several speakers
        f"Planner: Proposed plan v1:\n{B}\nCritic: Rejected, it is too early.\n"
        f"Planner: Proposed plan v2:\n{A}\n{B}\nCritic: Approved.",
        # a key that says "plan" changes nothing of the heading above it
        f'## Final answer\n{{"plan": ["{A}", "{B}"]}}\n\n'
        f'## Appendix: old draft\n{{"plan": ["{B}"]}}',
    ],
)
def test_steps_are_read_in_parts(text: str) -> None:
    read = [str(step).lower() for step in read_answer(text, NAMES).steps]
    assert read == [step.lower() for step in PLAN]


@pytest.mark.parametrize(
    "text",
    [
        # a sentence that is going to look at an option decides for none
        f"I'll review the first plan to make sure it is correct.\n\nThe first plan:\n1. {B}\n\n"
        f"The second plan:\n1. {A}\n2. {B}",
        # to begin from scratch is no scratch
        f"1. {B}\n2. {A}\n\nNow the second scenario, from scratch.\n\n1. {A}\n2. {B}",
        # what is nearly correct is not the correct one
        f"Your plan is mostly correct:\n1. {B}\n2. {A}\n\nHere is mine:\n1. {A}\n2. {B}",
        f"1. {B}\n\nHmm, that can't work before the rest. Let me redo this from scratch:\n\n"
        f"1. {A}\n2. {B}",
        f"1. {A}\n2. {B}\n\nI verify: after step 1 it is there; after the last step it is open.",
        f"The correct plan can be shortened to:\n1. {B}\n2. {A}\n3. {B}\n\n"
        f"Or further shortened to:\n1. {A}\n2. {B}",
    ],
)
def test_the_last_plan_is_chosen(text: str) -> None:
    assert steps(text) == PLAN


def test_words_before_an_object_may_say_that_it_is_not_meant() -> None:
    assert steps(f'The format would look like this, not to be executed:\n{{"plan": ["{A}"]}}') == []


def test_a_step_that_is_changed_and_cannot_be_found_is_a_problem() -> None:
    reading = read_answer(f"1. {A}\n2. {B}\n\nStep 2 is wrong; step 2 must be {A}", NAMES)
    assert reading.status == "partial"


@pytest.mark.parametrize("form", ["{}. **{}**\n", "**Step {}: {}**\n", "{}. {}, "])
def test_skills_and_their_objects_are_not_mixed_up(form: str) -> None:
    # "find a SoapBar" is a whole skill, and "SoapBar_2" another object.
    suite = eai.suite("eb-alfred")
    task = suite.task("base/12")
    calls = [f"{step.name.upper()}({', '.join(step.arguments)})" for step in task.plans[0]]
    text = "".join(form.format(number, call) for number, call in enumerate(calls, start=1))
    result = suite.evaluate("action_sequencing", task, text, suite.semantics("strict"))
    assert [str(step).upper() for step in result.plan] == [call.upper() for call in calls]


@pytest.mark.parametrize("verb", ["put", "Then I will put"])
def test_put_on_is_said_with_the_object_between(verb: str) -> None:
    read = read_answer(f"{verb} the milk.41 on the coffee_table.23.\nWalk to the fridge.40.", NAMES)
    assert [step.name.lower() for step in read.steps] == ["putback", "walk"]


@pytest.mark.parametrize("word", ["Undo", "Never", "Not", "Forbidden", "Goal", "def", "Expected"])
def test_a_word_before_a_call_may_make_it_no_step(word: str) -> None:
    assert steps(f"{word} {A}") != [A]


@pytest.mark.parametrize(
    ("answer", "subgoals"),
    [
        ("on(cup.2) and\n\ndrink(cup.3)", ["on(cup.2) and  drink(cup.3)"]),
        ("on(cup.2)\n\nand drink(cup.3)", ["on(cup.2)  and drink(cup.3)"]),
        ('[("subgoal_1", "a(x.1)"), ("subgoal_2", "b(x.2)")]', ["a(x.1)", "b(x.2)"]),
        ("1. a(x.1)\n- ~~b(x.2)~~ (not needed)\n2. c(x.3)", ["a(x.1)", "c(x.3)"]),
        ('{"output": "a(x.1)\\nb(x.2)"}', ["a(x.1)", "b(x.2)"]),
        ('{"or": ["a(x.1)", "b(x.2)"]}', ["a(x.1) or b(x.2)"]),
        ("1. If a(x.1), then b(x.2)\n2. c(x.3)", ["1. If a(x.1), then b(x.2)", "c(x.3)"]),
        ("a(x.1)\nnot: b(x.2)", ["a(x.1)", "not  b(x.2)"]),
    ],
)
def test_the_subgoals_are_read(answer: str, subgoals: list[str]) -> None:
    assert [subgoal.text for subgoal in read_subgoals(answer).subgoals] == subgoals


@pytest.mark.parametrize(
    "words",
    [
        # withdrawn
        "Never mind, that won't work and I have no alternative.",
        "Strike that.",
        "Wait, no. That's all wrong.",
        "These steps must not be executed.",
        "Nein, das ist falsch. Ich nehme das zurück.",
        "Non, ce plan n'est pas valide.",
        "Ignora lo anterior, por favor.",
        "Questo piano non funziona.",
        "Este plano está errado.",
        "Не выполняйте это.",
        "上面的计划是错误的。",
        "この計画は無視してください。",
        "이 계획은 유효하지 않습니다.",
        "لا، هذه الخطة خاطئة.",
        # only an example
        "(The above is only an illustration of the format.)",
        "Note: these are placeholders, not my plan.",
        "Das war nur ein Beispiel.",
        "Ce n'est qu'un exemple, pas ma réponse.",
        "以上只是一个示例，不是我的答案。",
        # refused
        "However, I cannot answer this.",
        "Leider kann ich diese Aufgabe nicht lösen.",
        "No tengo ningún plan.",
        "我无法回答。",
    ],
)
def test_words_behind_a_plan_take_it_back(words: str) -> None:
    assert read_answer(f"1. {A}\n2. {B}\n\n{words}", NAMES).status == "none"


@pytest.mark.parametrize(
    "words",
    [
        "None of these steps can be skipped.",
        "Do not use any other steps.",
        "Otherwise, it does not work.",
        "It is impossible to do it in fewer steps.",
        "Don't worry, this is right.",
        "Es gibt keine andere Lösung.",
        "Das Licht funktioniert nicht.",
        "N'oubliez pas de fermer la porte.",
        "No olvides cerrar la puerta.",
        "Лампа не работает.",
        "不要忘记关灯。",
        "この計画で全部です。",
    ],
)
def test_words_behind_a_plan_may_defend_it(words: str) -> None:
    assert steps(f"1. {A}\n2. {B}\n\n{words}") == PLAN


@pytest.mark.parametrize(
    "words",
    [
        "Don't worry, here is the plan:",
        "Caution: never leave the appliance unattended.\n",
        "To avoid the mistake of the first attempt, do this:",
        "The given example was wrong; the right plan is:",
        "My earlier attempt failed, so here is what to do:",
        "The following plan cannot fail:",
        "注意：不要遗漏任何步骤。\n",
        "Nach dem Beispiel formatiert:",
        "根据示例的格式，我的计划是：",
    ],
)
def test_negative_words_before_a_plan_need_not_deny_it(words: str) -> None:
    assert steps(f"{words}\n1. {A}\n2. {B}") == PLAN


@pytest.mark.parametrize(
    "words",
    [
        "Other models may answer:",
        "Placeholders:",
        "Do not execute this:",
        "Ejemplo del formato:",
        "Bereits ausgeführt:",
        "N'exécutez pas ceci :",
        "可用动作：",
        "間違った計画：",
        "Non eseguire questo:",
    ],
)
def test_words_before_a_list_may_say_that_it_is_not_meant(words: str) -> None:
    assert read_answer(f"{words}\n1. {A}\n2. {B}", NAMES).status == "none"
    assert steps(f"{words}\n1. {A}\n2. {B}\n\nMy plan:\n1. {B}\n2. {A}") == [B, A]


@pytest.mark.parametrize(
    "words",
    [
        "Final answer: []",
        "**Final answer:** None",
        '```json\n{"plan": []}\n```',
        "Plan: none",
        "So the plan is empty.",
        "<answer>[]</answer>",
        "最终答案：[]",
        "Endgültige Antwort: keine",
        "Réponse finale : aucune",
    ],
)
def test_an_explicit_empty_answer_is_the_plan(words: str) -> None:
    read = read_answer(f"1. {A}\n2. {B}\n\n{words}", NAMES)
    assert (read.steps, read.status, read.problems) == ((), "chosen", ())


@pytest.mark.parametrize("words", ["Remaining: none", "What remains is:\n[]", "Nothing is left."])
@pytest.mark.parametrize(
    "heading", ["The robot has already executed these actions:", "Available actions:"]
)
def test_nothing_is_left_behind_steps_that_are_done(heading: str, words: str) -> None:
    read = read_answer(f"{heading}\n- {A}\n- {B}\n\n{words}", NAMES)
    assert (read.steps, read.status) == ((), "chosen")


@pytest.mark.parametrize(
    "text",
    [
        f'{{"available_actions": ["{A}"], "plan": []}}',
        f'{{"executed": ["{A}"], "remaining": []}}',
        f'{{"history": ["{A}"], "actions": []}}',
    ],
)
def test_an_empty_list_beside_what_is_done_is_the_plan(text: str) -> None:
    read = read_answer(text, NAMES)
    assert (read.steps, read.problems) == ((), ())


@pytest.mark.parametrize(
    "text",
    [
        f"1. {A}\n2. {B}\n\nRemaining problems: none.",
        f"1. {A}\n2. {B}\n\nRemaining steps: none.",
        f"Initial plan: []\n\nFinal plan:\n1. {A}\n2. {B}",
        f'{{"plan": ["{A}", "{B}"], "remaining": [], "executed": []}}',
    ],
)
def test_an_empty_list_of_something_else_is_not_the_plan(text: str) -> None:
    assert steps(text) == PLAN


def test_an_empty_plan_is_not_the_objects_of_the_step_before_it() -> None:
    names = Surfaces([("rest", ActionForm("rest", 0)), ("walk", ActionForm("walk", 1))], [])
    assert read_with('1. walk(hall)\n2. rest()\n\n```json\n{"plan": []}\n```', names).steps == ()


def test_a_number_in_brackets_is_an_identifier_unless_steps_are_numbered_so() -> None:
    listed = read_answer("39. [WALK] <fridge> (40)\n40. [OPEN] <fridge> (40)", NAMES)
    assert [str(step) for step in listed.steps] == PLAN
    inline = read_answer("(1) walk to the fridge (2) open the fridge", NAMES)
    assert [(step.name, step.arguments) for step in inline.steps] == [
        ("walk", ("fridge",)),
        ("open", ("fridge",)),
    ]


@pytest.mark.parametrize(
    "text",
    [
        # what would be done if things were otherwise
        f"If there were a key, one might try:\n1. {A}\n2. {B}",
        f"If the arm had a gripper, I would propose this:\n1. {A}\n2. {B}\n\nAs it is, I wait.",
        f"1. {A}\n2. {B}\n\nThe power is out, so nothing can be done.",
        # alternatives
        f"Choose exactly one of these, whichever you like, but never both:\n- {A}\n- {B}",
        f"Any of these actions is enough:\n- {A}\n- {B}",
    ],
)
def test_steps_that_are_no_sequence_to_take_are_not_read(text: str) -> None:
    assert steps(text) == []


@pytest.mark.parametrize(
    "text",
    [
        f"1. {A}\n2. {B}\n\nPlease execute just the first step.",
        f"1. {A}\n2. {B}\n\nOnly the last action should be performed.",
        f"1. {A}\n2. {B}\n\nThe robot halts after step 1.",
        f"We stop after the first move.\n1. {A}\n2. {B}",
    ],
)
def test_a_plan_that_is_ended_before_its_last_step_has_a_problem(text: str) -> None:
    reading = read_answer(text, NAMES)
    assert (reading.status, len(reading.problems)) == ("partial", 1)


@pytest.mark.parametrize(
    "text",
    [
        f"1. {A}\n2. {B}\n\nThe robot stops after step 2.",
        f"1. {A}\n2. {B}\n\nOnly do the last step if the door is closed.",
        f"1. {A}\n2. {B}\n\nNothing can be done about the noise.",
        f"One of these plans is mine:\n1. {A}\n2. {B}",
    ],
)
def test_remarks_that_shorten_nothing_are_no_problem(text: str) -> None:
    reading = read_answer(text, NAMES)
    assert (steps(text), reading.problems) == (PLAN, ())


@pytest.mark.parametrize(
    "text",
    [
        f"Your previous attempt was invalid because it began too late.\n1. {A}\n2. {B}",
        f"The run you described fails at once, as it is locked. The list below works:\n{A}\n{B}",
        f"Critic: is {B} first?\nActor: no, never. The plan we settled on is:\n1. {A}\n2. {B}",
        f"Anna: must it begin with {B}?\nBen: no, that is wrong. We agreed on this:\n{A}\n{B}",
        f"If it were locked, that would fail. So:\n1. {A}\n2. {B}",
    ],
)
def test_words_about_something_before_the_plan_take_nothing_back(text: str) -> None:
    assert steps(text) == PLAN


@pytest.mark.parametrize(
    "heading",
    [
        "You tried the following, which failed.",
        "Your previous attempt was:",
        "The agreed plan fails:",
        "Nobody agreed on this wrong plan:",
        "The plan that we do not follow is:",
    ],
)
def test_words_that_deny_the_plan_below_them_still_do(heading: str) -> None:
    assert steps(f"{heading}\n1. {A}\n2. {B}") == []


@pytest.mark.parametrize("end", ["3. END", "Step 3: stop", "3. [finish]", "3. done()", "- end"])
def test_a_last_item_may_mark_the_end(end: str) -> None:
    reading = read_answer(f"1. {A}\n2. {B}\n{end}", NAMES)
    assert ([str(step) for step in reading.steps], reading.problems) == (PLAN, ())


@pytest.mark.parametrize("mark", ["stop", "start"])
def test_a_mark_of_either_end_amid_a_plan_is_a_problem(mark: str) -> None:
    assert len(read_answer(f"1. {A}\n2. {mark}\n3. {B}", NAMES).problems) == 1


@pytest.mark.parametrize("start", ["- Start", "1. START", "Step 0: begin", "* [Start]"])
def test_a_first_item_may_mark_the_begin(start: str) -> None:
    reading = read_answer(f"{start}\n- {A}\n- {B}", NAMES)
    assert ([str(step) for step in reading.steps], reading.problems) == (PLAN, ())


@pytest.mark.parametrize(
    "text",
    [
        f"1. Walk to the fridge.40 ({A})\n2. Make sure that its door is ajar ({B})",
        f"- Go near the fridge.40 ({A})\n- Give its door a good tug ({B}).",
        f"Walk to the fridge ({A}), then open the fridge ({B})",
        f"1. {A}\n2. {B}\n\nThe first step ({A}) is needed because the robot is elsewhere.",
    ],
)
def test_words_around_a_call_are_no_step_of_their_own(text: str) -> None:
    reading = read_answer(text, NAMES)
    assert ([str(step) for step in reading.steps], reading.problems) == (PLAN, ())


def test_a_call_in_brackets_that_says_something_else_is_a_problem() -> None:
    assert len(read_answer(f"1. {A}\n2. Close the fridge.40 ({B})", NAMES).problems) == 1


def test_a_call_in_brackets_that_is_denied_is_no_step() -> None:
    assert steps(f"1. {A}\n2. {B}\n3. Leave it as it is (not {A})") == PLAN


@pytest.mark.parametrize(
    "text",
    [
        f"Anfangs {A}. Zum Abschluss {B}.",
        f"1. Zunächst {A}\n2. Am Ende {B}",
        f"D'abord {A}. En dernier lieu {B}.",
        f"- En primer lugar: {A}\n- A continuación, {B}",
        f"Per prima cosa {A}, alla fine {B}.",
        f"Em primeiro lugar {A}. A seguir {B}.",
        f"Сначала {A}, наконец {B}.",
        f"先{A}，随后{B}。",
        f"最初に{A}、続いて{B}。",
        f"먼저 {A}. 끝으로 {B}.",
        f"أولا {A} ثم {B}",
        f"Primero {A} y al final {B}.",
        f"{A} und {B}",
        f"{A} et {B}.",
        f"{A}和{B}",
    ],
)
def test_words_for_the_place_of_a_step_are_passed_over_in_every_language(text: str) -> None:
    reading = read_answer(text, NAMES)
    assert ([str(step) for step in reading.steps], reading.problems) == (PLAN, ())


@pytest.mark.parametrize(
    "text",
    [f"Zum Schluss nicht {B}.", f"Prima di {B}: {A}", f"Depois de {B}, {A}", f"En fin, nunca {B}."],
)
def test_denied_steps_and_steps_in_another_order_are_not_run_in_any_language(text: str) -> None:
    assert steps(text) == []


def test_a_denied_call_behind_a_step_is_no_unknown_action() -> None:
    assert steps(f"{A}. Nunca {B}") == [A]


def test_a_step_behind_a_late_ordinal_is_read() -> None:
    assert steps(f"Tenth step - {A}\nEleventh step - stand up") == [A, "stand up()"]
