"""No step is dropped without a word: it is read, reported as unread, or at least noted."""

from __future__ import annotations

import pytest

import eai
from eai.answers import bind, read_answer
from eai.diagnosis import ErrorKind

NAMES = eai.suite("household").task("studio-01").readable
PLAN = ["walk(light.34)", "switchon(light.34)"]


def actions(answer: str) -> list[str]:
    reading = read_answer(answer, NAMES)
    assert not reading.problems
    return [str(action) for action in bind(reading, NAMES).actions]


@pytest.mark.parametrize(
    "answer",
    [
        "WALK(light.34); DUST(novel.15); SWITCHON(light.34)",
        "WALK(light.34) -> DUST(novel.15) -> SWITCHON(light.34)",
        "1. WALK(light.34) 2. DUST(novel.15) 3. SWITCHON(light.34)",
        "walk(light.34), then dust(novel.15), then switchon(light.34)",
        "(walk light.34) (dust novel.15) (switchon light.34)",
        "[WALK] <light> (34) [DUST] <novel> (15) [SWITCHON] <light> (34)",
    ],
)
def test_unknown_action_in_a_row_of_steps_is_a_hallucination(answer: str) -> None:
    bound = bind(read_answer(answer, NAMES), NAMES)
    assert [str(action) for action in bound.actions] == PLAN
    assert [(found.kind, found.step) for found in bound.findings] == [
        (ErrorKind.ACTION_HALLUCINATION, 2)
    ]


def test_unknown_action_at_the_end_of_a_row_of_steps_is_a_hallucination() -> None:
    bound = bind(read_answer("WALK(light.34); DUST(novel.15)", NAMES), NAMES)
    assert [found.kind for found in bound.findings] == [ErrorKind.ACTION_HALLUCINATION]


@pytest.mark.parametrize(
    "program",
    [
        'ok = robot.dust("novel.15")\nok = robot.walk("light.34")\nprint(ok)',
        'done = dust("novel.15")\nwalk("light.34")',
    ],
)
def test_step_whose_result_is_kept_is_no_object_that_is_looked_up(program: str) -> None:
    steps = read_answer(f"```python\n{program}\n```", NAMES).steps
    assert [step.name for step in steps] == ["dust", "walk"]


def test_object_that_is_looked_up_and_used_is_no_step() -> None:
    program = 'lamp = scene.get("light.34")\nwalk(lamp)\nswitchon(lamp)'
    assert actions(f"```python\n{program}\n```") == PLAN


@pytest.mark.parametrize(
    ("answer", "unread"),
    [
        ("walk light.34, dust novel.15, switch on light.34", "dust novel.15"),
        ("Walk to light.34, then dust the novel.15, then switch on light.34.", "dust the novel.15"),
        ("walk light.34;dust novel.15;switch on light.34", "dust novel.15"),
        ("I travel to light.34.\nI switch on light.34.", "I travel to light.34."),
        (
            "I walk to light.34.\nI tinker with novel.15.\nI switch it on.",
            "I tinker with novel.15.",
        ),
        (
            "I walk to light.34. I tinker with novel.15. I switch on light.34.",
            "tinker with novel.15",
        ),
        ("Once you have gone to light.34, switch it on.", "Once you have gone to light.34"),
        ("1. Once we have gone to light.34, switch it on.", "Once we have gone to light.34"),
    ],
)
def test_words_with_an_unknown_verb_and_an_object_are_unread(answer: str, unread: str) -> None:
    problems = read_answer(answer, NAMES).problems
    assert [problem.written for problem in problems] == [unread]


def test_sentences_with_unknown_verbs_before_the_steps_leave_no_plan() -> None:
    assert read_answer("I head for light.34. I switch on light.34.", NAMES).steps == ()


@pytest.mark.parametrize(
    "answer",
    [
        "I see the novel.15. I walk to light.34. I switch on light.34.",
        "Walk to the light, near the novel, and switch on the light.",
        "1. Once you have walked to light.34, switch it on.",
    ],
)
def test_sentences_that_tell_no_step_do_no_harm(answer: str) -> None:
    assert actions(answer) == PLAN


def test_clause_that_takes_the_object_of_a_step_above_for_reached_tells_no_step() -> None:
    assert actions("Walk to light.34.\nOnce you have got to light.34, switch it on.") == PLAN


@pytest.mark.parametrize(
    ("answer", "note"),
    [
        ("WALK(light.34) - open novel.15", "not read: 'open novel.15'"),
        ("1. WALK(light.34) - open novel.15", "not read: 'open novel.15'"),
        ("- Walk to light.34: turn to it", "not read: 'turn to it'"),
    ],
)
def test_step_in_an_explanation_is_noted(answer: str, note: str) -> None:
    reading = read_answer(answer, NAMES)
    assert [step.name.lower() for step in reading.steps] == ["walk"]
    assert note in reading.notes


def test_explanation_that_says_the_step_again_needs_no_note() -> None:
    assert read_answer("1. WALK(light.34) - walk to light.34", NAMES).notes == ()


def test_call_behind_nor_is_denied() -> None:
    assert read_answer("Do not WALK(light.34)\nnor SWITCHON(light.34)", NAMES).steps == ()
