"""What a story adds to a verdict: objects that the formula asks for, where names are listed."""

from __future__ import annotations

import pytest

import eai

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
