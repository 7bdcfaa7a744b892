"""Plans in lines of text: no line that begins like a step is left out amid the steps."""

from __future__ import annotations

import pytest

from eai.answers import PlanReading, bind, read_answer
from eai.diagnosis import ErrorKind
from eai.rewards import reward
from eai.task import Vocabulary

LIT = "walk(light.34)\nswitchon(light.34)\n"
LIGHT = Vocabulary(
    {"walk": 1, "switchon": 1}, {}, frozenset({"light.34"}), {"light": ("light.34",)}
)


def read(text: str) -> PlanReading:
    return read_answer(text, LIGHT)


def steps(text: str) -> list[str]:
    return [str(step) for step in read(text).steps]


def unread(text: str) -> list[str]:
    return [problem.written for problem in read(text).problems]


def kinds(text: str) -> set[ErrorKind]:
    return {finding.kind for finding in bind(read(text), LIGHT).findings}


@pytest.mark.parametrize(
    "text",
    [
        "walk(light.34)\nswitch on(light.34)",
        "walk (light.34)\nswitch on (light.34).",
        "1. walk(light.34)\n2. switch on(light.34)",
        "(1) walk(light.34)\n(2) switch on(light.34)",
        "a) walk(light.34)\nb) switch on(light.34)",
        "**1. walk(light.34)**\n**2. switch on(light.34)**",
        "**Step 1:** walk(light.34)\n**Step 2:** switch on(light.34)",
        "First, walk(light.34)\nThen switch on(light.34)",
        "walk(light.34) and then switch on(light.34)",
        "[WALK] <light> (34)\n[SWITCH ON] <light> (34)",
        "WALK light 34\nSWITCH ON light 34",
        "walk light.34\nswitch on light.34",
        "1. walk light\n2. switch on light",
        "WALK: light, 34\nSWITCH ON: light, 34",
        '["walk(light.34)", "switch on(light.34)"]',
        '["walk light", "switch on light"]',
        "[walk(light.34), switch on(light.34)]",
    ],
)
def test_a_name_may_have_blanks_in_every_form(text: str) -> None:
    plan = bind(read(text), LIGHT)
    assert [str(action) for action in plan.actions] == ["walk(light.34)", "switchon(light.34)"]
    assert plan.findings == ()


@pytest.mark.parametrize(
    ("line", "step"),
    [
        ("turn on(fridge.40)", "turn on(fridge.40)"),
        ("fly to(moon),", "fly to(moon)"),
        ("fly quickly(moon);", "fly quickly(moon)"),
        ("fly(moon)", "fly(moon)"),
        ("TURN OFF fridge.40", "TURN OFF(fridge.40)"),
    ],
)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_an_unknown_name_in_the_form_of_a_step_is_a_hallucination(
    line: str, step: str, place: int
) -> None:
    lines = LIT.splitlines()
    text = "\n".join([*lines[:place], line, *lines[place:]])
    if line.isupper() or "TURN" in line:  # it is written in another form than the steps
        assert kinds(text) & {ErrorKind.ACTION_HALLUCINATION, ErrorKind.PARSING}
        return
    assert steps(text)[place] == step
    assert len(steps(text)) == 3
    assert ErrorKind.ACTION_HALLUCINATION in kinds(text)


@pytest.mark.parametrize(
    "line",
    [
        "turn on (fridge.40)",
        "- light up the light(34).",
        "Power the light (34)",
        "turn it on: [fridge.40]",
        'turn it on: ["fridge.40"]',
        "put cup.3 in sink.4",
        "walk(light.34",
        "[turn it on] <fridge> (40)",
        "GRAB the cup",
    ],
)
def test_a_line_amid_steps_that_begins_like_one_is_no_part_of_a_right_plan(line: str) -> None:
    text = f"walk(light.34)\n{line}\n{LIT}"
    assert kinds(text) & {ErrorKind.ACTION_HALLUCINATION, ErrorKind.PARSING}


def test_no_plan_succeeds_because_a_step_was_not_read() -> None:
    texts = [LIT, f"{LIT}fly to(moon)", f"{LIT}turn on(fridge.40)", f"fly to(moon)\n{LIT}"]
    assert reward("household", "studio-01", texts) == [1.0, 0.0, 0.0, 0.0]


def test_a_line_without_an_id_is_a_title_before_the_first_step_only() -> None:
    assert read(f"GRAB the cup\n{LIT}").problems == ()
    assert unread(f"{LIT}GRAB the cup") == ["GRAB the cup"]


@pytest.mark.parametrize(
    "text",
    [
        "1. walk(light.34)\n2. take a rest on it",
        "1. walk(light.34)\n\n2. Take a rest.",
        "- walk(light.34)\n- take a rest on it",
        "1. take a rest on it\n2. walk(light.34)",
        "- take a rest on it\n- walk(light.34)",
    ],
)
def test_an_item_of_the_list_of_steps_that_is_none_is_a_problem(text: str) -> None:
    (line,) = unread(text)
    assert "rest" in line
    assert steps(text) == ["walk(light.34)"]
    assert read(text).status == "partial"


@pytest.mark.parametrize(
    "prose",
    [
        "I will walk to the light (34)",
        "I will walk to the light (34).",
        "This turns on the light (light.34).",
        "The light (light.34) is on",
        "Turn on the light (34).",
        "Turn on the lamp (it is dark)",
        "Goal achieved (light is on)",
        "Plan (final):",
        "Explanation: light.34 is near",
        "Good luck",
        "Expected result: light.34 is on",
        "Initial state: light.34 off",
        "Given light.34 is off",
        "Now light.34 has power",
        "Robot is near light (34)",
        "That is all: the light (light.34) shines.",
        "# approach light (34)",
    ],
)
@pytest.mark.parametrize(
    "text", ["{prose}\n{lit}", "walk(light.34)\n{prose}\n{lit}", "{lit}{prose}"]
)
def test_sentences_around_and_between_steps_are_none(text: str, prose: str) -> None:
    reading = read(text.format(prose=prose, lit=LIT))
    assert reading.problems == ()
    assert {step.name for step in reading.steps} == {"walk", "switchon"}


@pytest.mark.parametrize(
    "text",
    [
        f"Morning routine (kitchen)\n{LIT}",
        f"{LIT}\nNotes:\n1. The light is a lamp\n2. It is on",
        f"{LIT}\n- Based on observation",
        f"1. {LIT}\nIn short:\n2. It is dark",
    ],
)
def test_titles_and_lists_that_stand_apart_are_no_steps(text: str) -> None:
    assert unread(text) == []
    assert steps(text) == ["walk(light.34)", "switchon(light.34)"]


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        ("Walk to the light (34)", ["walk(light.34)"]),
        (
            "1. Walk to the light (34)\n2. Switch it on (34)",
            ["walk(light.34)", "switchon(light.34)"],
        ),
    ],
)
def test_sentences_with_names_of_the_task_are_steps(text: str, plan: list[str]) -> None:
    assert [str(action) for action in bind(read(text), LIGHT).actions] == plan
    assert read(text).problems == ()


def test_problems_and_steps_have_their_places() -> None:
    text = "1. walk(light.34)\n2. rest a while on it\n3. turn on(light.34)"
    reading = read(text)
    assert [text[step.position :][:4] for step in reading.steps] == ["walk", "turn"]
    assert text[reading.problems[0].position :].startswith("2. rest")


def test_a_huge_number_before_a_line_is_no_error() -> None:
    assert steps(f"{LIT}{'9' * 5000}. walk(light.34)") == ["walk(light.34)", "switchon(light.34)"]


@pytest.mark.parametrize("line", ["walk(light.35)", "- switchon(light.34)", "3. walk (kettle.49)"])
@pytest.mark.parametrize("text", ["{line}\n{value}", "{value}\n{line}", "{value},\n{line}\n"])
def test_a_step_of_the_task_right_beside_a_plan_of_another_form_is_a_problem(
    text: str, line: str
) -> None:
    answer = text.format(line=line, value='[{"WALK": ["light.34"]}]')
    assert len(unread(answer)) == 1
    assert steps(answer) == ["WALK(light.34)"]


@pytest.mark.parametrize(
    "text",
    [
        "plan = {value}\nprint(plan)",
        "import json\nplan = {value}\nprint(json.dumps(plan))",
        "Plan (final)\n{value}\nNote(s)",
        "{value}\nThis walks to the light (34).",
        "{value}\n\nwalk(light.34) brings the agent to the light.",
        "walk(light.34) comes first:\n```json\n{value}\n```\nwalk(light.34): there it is",
    ],
)
def test_code_and_sentences_beside_a_plan_are_none_of_its_steps(text: str) -> None:
    answer = text.format(value='[{"WALK": ["light.34"]}]')
    assert unread(answer) == []
    assert [step.lower() for step in steps(answer)] == ["walk(light.34)"]


@pytest.mark.heavy
@pytest.mark.parametrize("step", ["walk(light.34)\n", '{"WALK": ["light.34"]}\n'])
def test_a_plan_of_thousands_of_steps_is_none(step: str) -> None:
    assert read(step * 1_500).problems == ()
    assert len(read(step * 1_501).problems) == 1
    assert len(steps(step * 1_501)) == 1_500
