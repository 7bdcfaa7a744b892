"""Answers that say more of a step than that it is taken: returned, forbidden, added, failed."""

# ruff: noqa: E501 - an answer is easier to read on one line

from __future__ import annotations

import pytest

import eai
from eai.answers import bind, read_answer
from eai.diagnosis import ErrorKind
from eai.task import Vocabulary

NAMES = eai.suite("household").task("studio-02").readable
A, B, C = "WALK(fridge.40)", "OPEN(fridge.40)", "GRAB(juice.44)"
OTHER = "CLOSE(fridge.40)"
CALLS = ("walk('fridge.40')", "open('fridge.40')", "grab('juice.44')")
ROW = f"1. {A}\n2. {B}\n3. {C}"


def read(text: str) -> tuple[list[str], bool]:
    """Return the steps of an answer in small letters, and whether all of it was read."""
    reading = read_answer(text, NAMES)
    return [str(step).lower() for step in reading.steps], not reading.problems


def fenced(code: str, language: str = "python") -> str:
    """Return code in a fence, $A to $C in it replaced by calls."""
    for name, call in zip("ABC", CALLS, strict=True):
        code = code.replace(f"${name}", call)
    return f"```{language}\n{code}\n```"


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("def plan():\n    return [$A, $B, $C]", "python"),
        ("def plan():\n    return [\n        $A,\n        $B,\n        $C,\n    ]", "python"),
        ("def plan(env):\n    return (\n        $A,\n        $B,\n        $C,\n    )", "python"),
        ("function plan() {\n  return [$A, $B, $C];\n}", "js"),
        ("const plan = () => {\n  return [\n    $A,\n    $B,\n    $C\n  ];\n};", "js"),
        ("async def run():\n    return [await $A, await $B, await $C]", "python"),
        ("plan = lambda: [$A, $B, $C]", "python"),
        ("def plan():\n    $A\n    $B\n    return $C", "python"),
        ("def plan(r):\n    return r.$A and r.$B and r.$C", "python"),
    ],
)
def test_returned_calls_are_steps(code: str, language: str) -> None:
    steps, is_whole = read(fenced(code, language))
    assert (steps, is_whole) == ([A.lower(), B.lower(), C.lower()], True)


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("def plan():\n    $A\n    $B\n    return\n    $C\n\nplan()", "python"),
        ("def plan():\n    $A\n    $B\n    return True\n    $C", "python"),
        ("function plan() {\n  $A;\n  $B;\n  return;\n  $C;\n}\nplan();", "js"),
        ("def plan(env):\n    env.$A\n    env.$B\n    return env.done\n    env.$C", "python"),
        ("$A\n$B\nexit()\n$C", "python"),
        ("$A\n$B\nsys.exit(0)\n$C", "python"),
        ("def plan():\n    return [$A, $B]\n    return [$A, $B, $C]", "python"),
        ("def plan():\n    $A\n    $B\n    raise NotImplementedError\n    $C", "python"),
        ("def plan():\n    $A\n    $B\n    return  # done\n    $C", "python"),
        ("void plan() {\n    $A;\n    $B;\n    return;\n    $C;\n}", "c"),
        ("def plan():\n    $A\n    $B\n    return\n\n    # never run\n    $C", "python"),
    ],
)
def test_code_behind_the_end_of_a_run_is_no_step(code: str, language: str) -> None:
    steps, is_whole = read(fenced(code, language))
    assert (steps, is_whole) == ([A.lower(), B.lower()], True)


@pytest.mark.parametrize(
    "text",
    [
        f"{ROW}\n\nThe plan should not contain {B}.",
        f"The plan should not contain {B}.\n\n{ROW}",
        f"{ROW}\n\nThe robot must never do {B}.",
        f"The robot must never do {B}.\n\n{ROW}",
        f"{ROW}\n\nThe plan must not include `{B}`.",
        f"{ROW}\n\nNote that {B} is not part of the plan.",
        f"{ROW}\n\n{B} must not be executed.",
        f"{ROW}\n\nPlease leave out {B}.",
        f"{ROW}\n\nRemove {B} from the plan.",
        f"{ROW}\n\nNever call {B}!",
        f"{ROW}\n\nDo not {B}.",
        f"{ROW}\n\n{B} is forbidden.",
        f"{ROW}\n\nThe action {B} should be removed.",
        f"{ROW}\n\nNo plan may contain {B}.",
        f"{ROW}\n\nThe sequence shouldn't have {B} in it.",
        f"{ROW}\n\n{B} is not allowed.",
        f"{ROW}\n\nThe plan above does not contain {B}.",
        f"{ROW}\n\nOpening the fridge, i.e. {B}, is to be avoided.",
    ],
)
def test_a_plan_with_a_step_that_the_answer_forbids_is_not_clear(text: str) -> None:
    _, is_whole = read(text)
    assert not is_whole


@pytest.mark.parametrize(
    "text",
    [
        f"{ROW}\n\nThe plan should not contain {OTHER}.",
        f"The robot must never do {OTHER}.\n\n{ROW}",
        f"{ROW}\n\nDo not {OTHER}.",
        f"{ROW}\n\n{OTHER} is not needed.",
        f"{ROW}\n\nNote that {OTHER} is not part of the plan.",
    ],
)
def test_a_forbidden_step_that_is_not_taken_changes_nothing(text: str) -> None:
    assert read(text) == ([A.lower(), B.lower(), C.lower()], True)


@pytest.mark.parametrize(
    "text",
    [
        f"{ROW}\n\nAfter step 2, insert {A}.",
        f"{ROW}\n\nafter step 2, insert: {A}",
        f"{ROW}\n\nInsert {OTHER} after step 3.",
        f"{ROW}\n\nBefore step 3, add {A}.",
        f"{ROW}\n\nAdd `{A}` between steps 2 and 3.",
        f"{ROW}\n\nCorrection: put {A} after step 2.",
        f"{ROW}\n\nStep 2 should be followed by {A}.",
        f"{ROW}\n\nRepeat step 1 after step 2.",
        f"{ROW}\n\nAfter step 2 there should be another {A}.",
        f"{ROW}\n\nI forgot {A} after step 2.",
        f"{ROW}\n\n{A} is missing after step 2.",
        f"{ROW}\n\nOne more {A} is needed before step 3.",
        f"{ROW}\n\nBefore step 1, do {OTHER}.",
        f"{ROW}\n\nPlease insert after step 2:\n{A}",
        f"{ROW}\n\nInsert between 2 and 3: {A}",
        f"{ROW}\n\nSwap steps 2 and 3.",
        f"{ROW}\n\nStart with {OTHER} instead.",
    ],
)
def test_an_addition_to_a_plan_is_not_passed_over(text: str) -> None:
    _, is_whole = read(text)
    assert not is_whole


@pytest.mark.parametrize(
    "text",
    [
        f"> {A}\nok\n> {B}\nError: the door is stuck\n> {C}\nok",
        f"Action: {A}\nObservation: success\nAction: {B}\nObservation: failed\nAction: {C}\nObservation: success",
        f"Action: {A}\nResult: OK\nAction: {B}\nResult: FAILED (no free hand)\nAction: {C}\nResult: OK",
        f"[INFO] {A} -> success\n[ERROR] {B} -> failed\n[INFO] {C} -> success",
        f"{A} ... ok\n{B} ... FAILED\n{C} ... ok",
        f"✔ {A}\n✘ {B}\n✔ {C}",
        f"✅ {A}\n❌ {B}\n✅ {C}",
        f'[{{"action": "{A}", "result": "success"}}, {{"action": "{B}", "result": "error: refused"}}, {{"action": "{C}", "result": "success"}}]',
        f"| Step | Action | Status |\n|---|---|---|\n| 1 | {A} | ok |\n| 2 | {B} | failed |\n| 3 | {C} | ok |",
        f"1. {A} (succeeded)\n2. {B} (failed)\n3. {C} (succeeded)",
        f"$ {A}\nexit code 0\n$ {B}\nexit code 1\n$ {C}\nexit code 0",
        f"Tool call: {A}\nTool result: true\nTool call: {B}\nTool result: false\nTool call: {C}\nTool result: true",
        f"2024-01-01 10:00:00 INFO {A} done\n2024-01-01 10:00:05 ERROR {B} failed\n2024-01-01 10:00:09 INFO {C} done",
        f"PASS {A}\nFAIL {B}\nPASS {C}",
    ],
)
def test_a_step_that_failed_is_not_taken_for_done(text: str) -> None:
    _, is_whole = read(text)
    assert not is_whole


def test_a_failed_attempt_that_is_made_again_is_left_out() -> None:
    attempts = [(A, "ok"), (B, "failed"), (B, "ok")]
    log = "\n".join(f"Action: {step}\nObservation: {result}" for step, result in attempts)
    assert read(log) == ([A.lower(), B.lower()], True)


@pytest.mark.parametrize(
    "text",
    [
        "1. WALK(fridge.40)\n2. OPEN(fridge.40)\n3. Take hold of the juice from the fridge.\n4. GRAB(juice.44)",
        "1. WALK(fridge.40)\n2. OPEN(fridge.40)\n3. Inspect the kitchen counter.\n4. GRAB(juice.44)",
        "1. WALK(fridge.40)\n2. OPEN(fridge.40)\n3. Seize the drinking glass.\n4. GRAB(juice.44)",
        "1. WALK(fridge.40)\n2. OPEN(fridge.40)\n3. Have a sip of the juice.\n4. GRAB(juice.44)",
        "1. WALK(fridge.40)\n2. OPEN(fridge.40)\n3. Let the juice flow into the glass.\n4. GRAB(juice.44)",
        "1. WALK(fridge.40)\n2. OPEN(fridge.40)\n3. Bring the juice to the counter.\n4. GRAB(juice.44)",
        "1. WALK(fridge.40)\n2. OPEN(fridge.40)\n3. Fetch the glass from the cabinet.\n4. GRAB(juice.44)",
        "1. WALK(fridge.40)\n2. OPEN(fridge.40)\n3. Turn the fridge light on.\n4. GRAB(juice.44)",
        "1. WALK(fridge.40)\n2. OPEN(fridge.40)\n3. Put everything back.\n4. GRAB(juice.44)",
        "1. WALK(fridge.40)\n2. OPEN(fridge.40)\n3. Remove the juice from the fridge and place it on the counter.\n4. GRAB(juice.44)",
        "1. WALK(fridge.40)\n2. OPEN(fridge.40)\n3. Carry the glass over to the table.\n4. GRAB(juice.44)",
        "1. WALK(fridge.40)\n2. OPEN(fridge.40)\n3. Heat the juice.\n4. GRAB(juice.44)",
        "1. WALK(fridge.40)\n2. OPEN(fridge.40)\n3. The robot lifts the juice.\n4. GRAB(juice.44)",
        "1. WALK(fridge.40)\n2. OPEN(fridge.40)\n3. Wait until the fridge is cold.\n4. GRAB(juice.44)",
        "1. WALK(fridge.40)\n2. OPEN(fridge.40)\n3. Clean the table.\n4. GRAB(juice.44)",
        "1. WALK(fridge.40)\n2. OPEN(fridge.40)\n3. Take hold of the juice from the fridge.",
        "1. WALK(fridge.40)\n2. OPEN(fridge.40)\n3. Inspect the kitchen counter.",
        "1. WALK(fridge.40)\n2. OPEN(fridge.40)\n3. Seize the drinking glass.",
        "1. WALK(fridge.40)\n2. OPEN(fridge.40)\n3. Have a sip of the juice.",
        "1. WALK(fridge.40)\n2. OPEN(fridge.40)\n3. Heat the juice.",
        "1. WALK(fridge.40)\n2. OPEN(fridge.40)\n3. Bring the juice to the counter.",
        "1. Take hold of the juice from the fridge.\n2. WALK(fridge.40)\n3. OPEN(fridge.40)",
        "1. Inspect the kitchen counter.\n2. WALK(fridge.40)\n3. OPEN(fridge.40)",
        "1. Seize the drinking glass.\n2. WALK(fridge.40)\n3. OPEN(fridge.40)",
        "1. Have a sip of the juice.\n2. WALK(fridge.40)\n3. OPEN(fridge.40)",
        "1. Heat the juice.\n2. WALK(fridge.40)\n3. OPEN(fridge.40)",
        "1. Bring the juice to the counter.\n2. WALK(fridge.40)\n3. OPEN(fridge.40)",
        "1. Walk to fridge.40.\n2. Open fridge.40.\n3. Take hold of the juice from the fridge.\n4. Grab juice.44.",
        "1. Walk to fridge.40.\n2. Open fridge.40.\n3. Inspect the kitchen counter.\n4. Grab juice.44.",
        "1. Walk to fridge.40.\n2. Open fridge.40.\n3. Seize the drinking glass.\n4. Grab juice.44.",
        "1. Walk to fridge.40.\n2. Open fridge.40.\n3. Have a sip of the juice.\n4. Grab juice.44.",
        "1. Walk to fridge.40.\n2. Open fridge.40.\n3. Heat the juice.\n4. Grab juice.44.",
        "1. Walk to fridge.40.\n2. Open fridge.40.\n3. Bring the juice to the counter.\n4. Grab juice.44.",
        "1. Walk to fridge.40.\n2. Open fridge.40.\n3. Put everything back.\n4. Grab juice.44.",
        "1. Walk to fridge.40.\n2. Open fridge.40.\n3. Clean up.\n4. Grab juice.44.",
    ],
)
def test_a_numbered_step_in_an_unknown_wording_is_unread(text: str) -> None:
    _, is_whole = read(text)
    assert not is_whole


@pytest.mark.parametrize(
    "mark",
    [
        "(skip this step)",
        "-- not needed, leave out",
        "(not part of the plan)",
        "(do not do this)",
        "(to be left out)",
        "(ignore)",
        "\u2014 omit this step",
        "(this step is not needed)",
        "(unnecessary)",
        "[not executed]",
    ],
)
def test_a_step_that_is_marked_as_skipped_is_not_taken(mark: str) -> None:
    assert read(f"1. {A} {mark}\n2. {B}") == ([B.lower()], True)


@pytest.mark.parametrize(
    "mark", ["SKIP:", "not needed:", "Skipped:", "[skip]", "Do not do:", "N/A:"]
)
def test_a_mark_before_a_step_takes_it_out_as_well(mark: str) -> None:
    assert read(f"1. {mark} {A}\n2. {B}") == ([B.lower()], True)


@pytest.mark.parametrize("status", ["dropped", "not needed", "left out", "Cancelled"])
def test_a_status_takes_the_step_of_a_row_out(status: str) -> None:
    rows = f"| 1 | {A} | {status} |\n| 2 | {B} | planned |"
    assert read(f"| No | Step | Status |\n|---|---|---|\n{rows}") == ([B.lower()], True)


def test_what_is_not_needed_besides_takes_no_step_out() -> None:
    rows = f"| 1 | {A} | not needed |\n| 2 | {B} | not needed |"
    read_steps, _ = read(f"| No | Step | Gloves |\n|---|---|---|\n{rows}")
    assert read_steps == [A.lower(), B.lower()]


@pytest.mark.parametrize(
    "before",
    [
        "This follows the original plan.",
        "The steps are in the order of the original plan, with the same verbs.",
        "Plan A: ask somebody else to do it, which is not possible here.\n\nPlan B:",
        "Carrying both is not possible, so:",
    ],
)
def test_words_that_reject_something_else_leave_the_plan(before: str) -> None:
    assert read(f"{before}\n\n1. {A}\n2. {B}") == ([A.lower(), B.lower()], True)


@pytest.mark.parametrize(
    "name",
    [
        "the window (window.312)",
        "the window `window.312`",
        "the window, window.312",
        "the window [window.312]",
        "the window with id 312",
        "the window with the id 312",
        "the window (i.e. window.312)",
        "the window named window.312",
        "the window (ID window.312)",
        "window window.312",
    ],
)
def test_an_object_and_its_name_behind_it_are_one_object(name: str) -> None:
    names = eai.suite("household").task("flat-13").readable
    actions = bind(read_answer(f"1. Walk to {name}\n2. Close {name}", names), names).actions
    assert [str(action) for action in actions] == ["walk(window.312)", "close(window.312)"]


def test_an_object_of_a_script_is_no_tag_of_html() -> None:
    names = Vocabulary(
        actions={"walk": 1, "open": 1},
        predicates={},
        objects=frozenset({"table.226"}),
        classes={"table": ("table.226",)},
    )
    steps = read_answer("[WALK] <table> (226)\n[OPEN] <table> (226)", names).steps
    assert [str(step) for step in steps] == ["WALK(table.226)", "OPEN(table.226)"]


def test_words_before_the_first_step_do_not_hide_it() -> None:
    text = "To begin, you need to walk to the fridge.\n\nOnce that is done, you need to open it."
    assert [step.name for step in read_answer(text, NAMES).steps] == ["walk", "open"]


@pytest.mark.parametrize(
    "line",
    ["[WALK] <fridge> (999)", "1. walk to fridge.999", "1. Walk to the fridge (fridge.999)"],
)
def test_an_id_that_no_object_has_is_not_passed_over(line: str) -> None:
    bound = bind(read_answer(line, NAMES), NAMES)
    assert bound.actions == ()
    assert [finding.kind for finding in bound.findings] == [ErrorKind.OBJECT_HALLUCINATION]


@pytest.mark.parametrize(
    "sentence",
    [
        "`WALK(light.34)` comes first because the next step needs it.",
        "WALK(light.34) brings the robot near; without it, SWITCHON(light.34) would fail.",
        "The step WALK(light.34) is needed.",
        "After SWITCHON(light.34), the goal holds.",
        "- WALK(light.34) is first.\n- SWITCHON(light.34) completes the task.",
    ],
)
def test_a_sentence_about_a_call_of_the_plan_is_no_step(sentence: str) -> None:
    reading = read_answer(f"1. WALK(light.34)\n2. SWITCHON(light.34)\n\n{sentence}", NAMES)
    assert [str(step) for step in reading.steps] == ["WALK(light.34)", "SWITCHON(light.34)"]
    assert not reading.problems


def test_a_plan_of_sentences_about_calls_has_a_step_for_each() -> None:
    answer = "WALK(light.34) is first\nSWITCHON(light.34) comes next\nWALK(light.34) is last"
    assert len(read_answer(answer, NAMES).steps) == 3


@pytest.mark.parametrize(
    "line",
    [
        f"Rather than {OTHER}, do nothing",
        f"Rather than {OTHER}, GRAB(milk.42)",
        "Rather than close the fridge, walk to the hall.",
        f"Instead of {OTHER}, zap the milk.",
        f"In place of {OTHER} do nothing",
        f"As opposed to {OTHER}, do nothing",
    ],
)
def test_a_line_about_a_step_that_is_not_taken_loses_no_step_below_it(line: str) -> None:
    steps = [A.lower(), B.lower(), C.lower()]
    for answer in (
        f"{A}\n{line}\n{B}\n{C}",
        f"1. {A}\n2. {line}\n3. {B}\n4. {C}",
        f"1. {A}\n\n{line}\n\n2. {B}\n3. {C}",
    ):
        assert read(answer) == (steps, False)


def test_a_sentence_about_a_step_that_is_not_taken_is_noted() -> None:
    sentence = "Rather than close the fridge, I leave it open."
    reading = read_answer(f"{A}\n{sentence}\n{B}\n{C}", NAMES)
    assert not reading.problems
    assert len(reading.steps) == 3
    assert any(sentence in note for note in reading.notes)


@pytest.mark.parametrize(
    "line",
    [
        f"{B} Close the fridge",
        f"{B} (close the fridge)",
        f"`{B}` close it",
        f"{B} - drop.",
        f"{B} (remove it)",
        f"{B}: drop it",
        f"{B} # drop",
        f"Remove: {B}",
    ],
)
def test_words_beside_a_call_that_may_be_another_step_or_none_are_a_problem(line: str) -> None:
    for answer in (f"{A}\n{line}\n{C}", f"1. {A}\n2. {line}\n3. {C}"):
        assert not read(answer)[1]


@pytest.mark.parametrize(
    "line", [f"{B} Open the fridge", f"**{B}** open it", f"{B} (open the fridge)", f"{B} {C}"]
)
def test_words_right_behind_a_call_that_say_its_step_are_no_step(line: str) -> None:
    steps = [A.lower(), B.lower(), C.lower()]
    answer = f"{A}\n{line}" if C in line else f"{A}\n{line}\n{C}"
    assert read(answer) == (steps, True)


def test_a_step_told_in_words_under_a_number_of_its_own_is_taken_twice() -> None:
    assert read(f"1. {A}\n2. walk to fridge.40\n3. {B}")[0] == [
        A.lower(),
        "walk(fridge.40)",
        B.lower(),
    ]
    assert read(f"1. {A}\n   walk to fridge.40\n2. {B}")[0] == [A.lower(), B.lower()]
