"""What a story adds to a verdict: objects that the formula asks for, where names are listed."""

from __future__ import annotations

import pytest
from small_subgoals import subgoal_task
from small_virtualhome import SmallHomes

import eai
from eai.task import Task

NOTE = "note: eai tasks household studio-02 lists the objects"


def story_of(task: str, plan: str) -> str:
    report = eai.evaluate("household", {"m": {task: plan}}, tasks="answered")
    return str(eai.explain(report.records[0]))


@pytest.mark.parametrize(
    ("task", "asked"), [("studio-02", "DRINK(drinking_glass.59)"), ("studio-03", "READ(novel.15)")]
)
def test_an_action_that_was_not_done_is_told_with_its_objects(task: str, asked: str) -> None:
    assert f"\n        the formula asks for {asked}\n" in story_of(task, "walk(fridge.40)")


def test_an_action_of_which_any_object_will_do_has_none() -> None:
    suite = eai.suite("household")
    task = next(
        name for name in suite.task_ids() if "exists x. (EAT(x))" in suite.task(name).goal.text
    )
    assert "the formula asks for EAT" not in story_of(task, "[]")


def test_the_objects_of_the_task_are_pointed_to_once_where_one_is_unknown() -> None:
    assert story_of("studio-02", "walk(xqzzv)\nwalk(qqwwx)").count(NOTE) == 1
    assert story_of("studio-02", "walk(sofa)\nsit(sofa)").count(NOTE) == 1
    assert NOTE not in story_of("studio-02", "walk(fridge.40)")


class OneTask(SmallHomes):
    """A suite of one task, whose goal is a formula."""

    name = "one-task"
    version = "1"

    def __init__(self, formula: str) -> None:
        self._task = subgoal_task(actions=["pour"], formula=formula)

    def task_ids(self) -> tuple[str, ...]:
        return (self._task.id,)

    def task(self, task_id: str) -> Task:
        return {self._task.id: self._task}[task_id]


@pytest.mark.parametrize(
    ("formula", "asked"),
    [
        ("POUR(cup.11, box.12)", "POUR(cup.11, box.12)"),
        (
            "POUR(cup.11, box.12) or POUR(cup.11, lamp.8)",
            "POUR(cup.11, box.12) or POUR(cup.11, lamp.8)",
        ),
        ("exists x. (POUR(x, box.12)) or POUR(cup.11, lamp.8)", "POUR(cup.11, lamp.8)"),
        ("exists x. (POUR(x, box.12))", ""),
        ("exists x, y. (POUR(x, y))", ""),
    ],
)
def test_only_actions_without_variables_are_told(formula: str, asked: str) -> None:
    suite = OneTask(formula)
    answers = {suite.task_ids()[0]: '{"WALK": ["lamp", "8"]}'}
    report = eai.evaluate(suite, {"m": answers})
    story = str(eai.explain(report.records[0], suite=suite))
    told = [line.strip() for line in story.splitlines() if "the formula asks for" in line]
    assert told == [f"the formula asks for {asked}"] * bool(asked)
