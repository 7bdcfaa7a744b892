"""What an agent is told, level by level."""

from __future__ import annotations

from itertools import product

import pytest

from eai.agents import LEVELS, Assignment, format_plan, give_feedback
from eai.diagnosis import Condition, ErrorKind, Finding, Result
from eai.errors import UnknownNameError
from eai.world import Action

TASK = Assignment.of("household", "studio-05")


def evaluated(*steps: str) -> Result:
    plan = [Action(name, tuple(rest)) for name, *rest in map(str.split, steps)]
    return TASK.evaluate(format_plan("household", plan))


LAZY = evaluated("wakeup")
NEVER_NEAR = evaluated("switchoff alarm_clock.16")
NOT_THERE = evaluated("wakeup", "grab unicorn.1")


def test_the_first_level_tells_nothing_but_failure() -> None:
    told = {give_feedback(result, "verdict") for result in (LAZY, NEVER_NEAR, NOT_THERE)}
    assert len(told) == 1
    assert "does not solve the task" in told.pop()


def test_the_second_level_names_step_and_kind_but_no_condition() -> None:
    text = give_feedback(NEVER_NEAR, "kind")
    assert "Step 1, switchoff(alarm_clock.16): missing step" in text
    assert "next_to" not in text


def test_the_third_level_says_why() -> None:
    text = give_feedback(NEVER_NEAR, "reason")
    assert "next_to(character.5, alarm_clock.16)" in text or "near" in text
    assert "(missing step)" in text


def test_unmet_goals_are_counted_and_then_named() -> None:
    assert "unmet: 2 state." in give_feedback(LAZY, "kind")
    assert "alarm_clock" not in give_feedback(LAZY, "kind")
    assert "alarm_clock" in give_feedback(LAZY, "reason")


def test_of_a_text_that_could_not_be_read_no_goals_are_told() -> None:
    text = give_feedback(NOT_THERE, "reason")
    assert "unicorn" in text
    assert "goals are met" not in text


def test_a_solved_task_needs_no_advice() -> None:
    solved = Result("evaluated", success=True, executable=True)
    assert {give_feedback(solved, level) for level in LEVELS} == {"The plan solves the task."}


def test_the_form_of_the_paper_has_the_name_of_the_error_and_its_meaning() -> None:
    kind = give_feedback(NEVER_NEAR, "kind", form="paper")
    assert "switchoff(alarm_clock.16)" in kind
    assert "MISSING STEP" in kind
    reason = give_feedback(NEVER_NEAR, "reason", form="paper")
    assert reason.startswith(kind)
    assert "MISSING STEP means" in reason
    assert "next_to" not in reason


def test_the_form_of_the_paper_sorts_unmet_goals() -> None:
    result = Result(
        "evaluated",
        executable=True,
        goals=(
            Condition("state", "on(lamp.1)", met=False),
            Condition("state", "open(box.2)", met=True),
            Condition("relation", "ontop(cup.3, box.2)", met=False),
        ),
    )
    lines = give_feedback(result, form="paper").split("\n")
    assert lines[1:] == [
        "Node goals that are not reached: [on(lamp.1)]",
        "Edge goals that are not reached: [ontop(cup.3, box.2)]",
        "Action goals that are not reached: []",
    ]


def test_long_lists_are_cut() -> None:
    many = tuple(Finding(ErrorKind.STATE_GOAL, f"goal {i}") for i in range(100))
    text = give_feedback(Result("evaluated", executable=True, findings=many))
    assert "88 more goals" in text
    assert text.count("\n") < 20


@pytest.mark.parametrize("kind", ErrorKind)
def test_every_kind_of_error_can_be_told(kind: ErrorKind) -> None:
    result = Result("evaluated", findings=(Finding(kind, "message", step=1, action="act()"),))
    for level, form in product(LEVELS, ("chat", "paper")):
        assert give_feedback(result, level, form=form), (level, form)  # type: ignore[arg-type]


def test_unknown_levels_and_forms_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="level"):
        give_feedback(LAZY, "full")  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match="form"):
        give_feedback(LAZY, form="poem")  # type: ignore[arg-type]
