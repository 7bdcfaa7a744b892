"""Tasks that are solved by saying nothing: left out under strict, marked under official."""

from __future__ import annotations

from pathlib import Path

import pytest

import eai
from eai.agents import TRANSCRIPTS, interact, interact_all, replan, replan_all
from eai.contract.lint import lint_task
from eai.report import Report

TRIVIAL = "spatial_relationship/43"
OTHER = "spatial_relationship/42"


def report(semantics: str, answer: str = "[]") -> Report:
    answers = {"m": dict.fromkeys((TRIVIAL, OTHER), answer)}
    return eai.evaluate("eb-habitat", answers, tasks=[TRIVIAL, OTHER], semantics=semantics)


@pytest.mark.parametrize("answer", ["[]", "I cannot do this."])
def test_strict_leaves_out_tasks_that_are_solved_by_saying_nothing(answer: str) -> None:
    found = report("strict", answer)
    assert {r.task: r.result.status for r in found.records} == {
        TRIVIAL: "excluded",
        OTHER: "evaluated",
    }
    tally = found.tally("m")
    assert (tally.tasks, tally.excluded) == (1, 1)
    assert [note for note in found.notes if TRIVIAL in note]


def test_official_counts_and_marks_them() -> None:
    found = report("official")
    records = {r.task: r for r in found.records}
    assert records[TRIVIAL].result.success
    assert records[TRIVIAL].result.notes
    assert found.tally("m").tasks == 2
    assert [note for note in found.notes if TRIVIAL in note]
    assert not [note for note in found.notes if OTHER in note]


@pytest.mark.parametrize("semantics", ["strict", "official"])
def test_acting_counts_them_as_evaluating_the_transcripts_does(
    semantics: str, tmp_path: Path
) -> None:
    suite = eai.suite("eb-habitat")
    profile = suite.semantics(semantics)
    tasks = [TRIVIAL, OTHER]
    asked = interact_all(
        suite,
        tasks,
        lambda task: interact(suite, task, [], semantics=profile),
        semantics=profile,
        model="m",
        output=tmp_path,
    )
    acted = {record.task: record.result for record in asked.report.records}
    again = eai.evaluate(
        suite, tmp_path / TRANSCRIPTS, ability="interaction", tasks=tasks, semantics=semantics
    )
    assert {record.task: record.result.status for record in again.records} == {
        task: result.status for task, result in acted.items()
    }
    assert (acted[TRIVIAL].status == "excluded") is (semantics == "strict")
    assert [note for note in asked.report.notes if TRIVIAL in note]
    assert not [note for note in asked.report.notes if OTHER in note]


def test_replanning_leaves_them_out() -> None:
    suite = eai.suite("eb-habitat")
    strict = suite.semantics("strict")
    found = replan_all(
        [TRIVIAL], lambda task: replan(suite, task, ["[]"] * 3, semantics=strict, prompt="Plan.")
    ).report
    assert {record.result.status for record in found.records} == {"excluded"}
    assert [note for note in found.notes if TRIVIAL in note]


def test_lint_lists_them_once_with_all_abilities() -> None:
    suite = eai.suite("eb-habitat")
    [fault] = [f for f in lint_task(suite, suite.task(TRIVIAL)) if f.kind == "trivial"]
    assert all(ability in fault.message for ability in ("action_sequencing", "interaction"))
    assert not fault.grave
    assert not [f for f in lint_task(suite, suite.task(OTHER)) if f.kind == "trivial"]
