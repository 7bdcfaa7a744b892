"""Tasks that count for no model: a note says which, and why."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

import eai
from eai.contract import Ability
from eai.diagnosis import ErrorKind, Finding, Result
from eai.semantics import Semantics
from eai.suites.household import Household
from eai.task import Task

TASKS = Household().task_ids()[:6]
UNREAD = Finding(ErrorKind.PARSING, "unreadable")
REASONS = {TASKS[0]: "no goal", TASKS[1]: "no plan", TASKS[2]: "no goal"}
WITH_MANY_REASONS = {task: f"reason {number}" for number, task in enumerate(TASKS[:5])}


def suite_excluding(reasons: Mapping[str, str]) -> Household:
    """Return a suite that excludes tasks, and the answer "unread" to any other."""

    def evaluate(task: Task, answer: str | None, _semantics: Semantics) -> Result:
        if task.id in reasons:
            return Result("excluded", notes=(reasons[task.id],))
        if answer == "unread":
            return Result("excluded", findings=(UNREAD,), notes=("it cannot be read",))
        return Result("evaluated", success=answer == "x")

    class Excluding(Household):
        abilities: Mapping[str, Ability] = {
            "action_sequencing": Household.abilities["action_sequencing"]._replace(
                evaluate=evaluate
            )
        }

    return Excluding()


def notes(reasons: Mapping[str, str], *models: Mapping[str, str]) -> list[str]:
    """Return the notes about exclusions."""
    answers = {f"model {number}": answered for number, answered in enumerate(models)}
    report = eai.evaluate(suite_excluding(reasons), answers, tasks=TASKS)
    return [note for note in report.notes if "excluded" in note]


@pytest.mark.parametrize("number_of_models", [1, 2])
def test_a_note_says_which_tasks_are_excluded_and_why(number_of_models: int) -> None:
    answers = dict.fromkeys(TASKS, "x")
    first, second = notes(REASONS, *[answers] * number_of_models)
    assert all(part in first for part in ("2 tasks", TASKS[0], TASKS[2], "no goal"))
    assert all(part in second for part in ("1 task", TASKS[1], "no plan"))
    assert TASKS[3] not in first + second


def test_many_reasons_are_summed() -> None:
    *first, last = notes(WITH_MANY_REASONS, dict.fromkeys(TASKS, "x"))
    assert len(first) == 3
    assert all(part in last for part in ("2 tasks", TASKS[3], TASKS[4]))


def test_an_answer_that_cannot_be_counted_excludes_no_task() -> None:
    assert notes({}, {**dict.fromkeys(TASKS, "x"), TASKS[0]: "unread"}) == []


def test_without_any_task_that_counts_the_first_reason_is_enough() -> None:
    assert notes(dict.fromkeys(TASKS, "no goal"), dict.fromkeys(TASKS, "x")) == []


@pytest.mark.official
def test_tasks_without_a_goal_are_named_where_their_goals_are_asked_for() -> None:
    suite = eai.suite("virtualhome")
    report = eai.evaluate(suite, {"27_2": "[]"}, ability="goal_interpretation", semantics="strict")
    excluded = [record.task for record in report.records if record.result.status == "excluded"]
    [note] = [note for note in report.notes if "excluded" in note]
    assert all(task in note for task in excluded)
