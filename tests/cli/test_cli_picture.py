"""The explanation of an item shows its goal formula over time."""

from __future__ import annotations

import dataclasses

import pytest

import eai
from eai.logic import TruthPicture
from eai.report import Explanation
from eai.suites.household import Household, samples


@pytest.fixture(scope="module")
def stories() -> list[Explanation]:
    report = eai.evaluate("household", samples()[:1])
    return [eai.explain(record) for record in report.records[::4]]


def test_short_goal_formulas_are_drawn(stories: list[Explanation]) -> None:
    drawn = [story for story in stories if story.picture is not None]
    assert drawn
    for story in drawn:
        assert isinstance(story.picture, TruthPicture)
        done = [c.number for c in story.steps if c.outcome == "done"]
        assert story.picture.labels == tuple(map(str, [0, *done]))
        assert "    after step" in str(story)
        assert (story.picture.rows[0].truth != 0) == story.record.result.formula_holds


def test_goals_without_a_formula_or_with_a_long_one_are_not(stories: list[Explanation]) -> None:
    suite = Household()
    others = [story for story in stories if story.picture is None]
    assert others
    for story in others:
        formula = suite.task(story.record.task).goal.formula
        done = any(step.outcome == "done" for step in story.steps)
        assert formula is None or not done or sum(1 for _ in formula.walk()) > 8
        assert "    after step" not in str(story)


def test_a_picture_can_be_left_out(stories: list[Explanation]) -> None:
    story = next(story for story in stories if story.picture is not None)
    assert "after step" not in str(dataclasses.replace(story, picture=None)).split("Formula:")[1]
