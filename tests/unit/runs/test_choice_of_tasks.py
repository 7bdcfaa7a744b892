"""Runs about some of a suite's tasks: those with an answer, or those that are named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import eai
from eai.errors import EaiError, InputError, UnknownNameError
from eai.suites.household import Household

IDS = Household().task_ids()
GOOD = "FIND(light.34)\nSWITCHON(light.34)"
ANSWERS = {
    "first": dict.fromkeys(IDS[:3], GOOD),
    "second": dict.fromkeys(IDS[2:6], "[]"),
}


@pytest.mark.parametrize("workers", [None, 1, 2])
def test_only_tasks_with_an_answer_count_if_that_is_asked_for(
    workers: int | None, tmp_path: Path
) -> None:
    report = eai.evaluate(
        "household", ANSWERS, tasks="answered", workers=workers, output=tmp_path / "run"
    )
    assert [record.task for record in report.of("first")] == list(IDS[:6])
    assert [report.tally(model).missing for model in report.models] == [3, 2]
    assert report.setting.semantics == "strict (answered tasks)"
    assert json.loads((tmp_path / "run" / "run.json").read_text())["tasks"] == list(IDS[:6])
    assert "answered tasks" in str(report)


@pytest.mark.parametrize("workers", [None, 1, 2])
def test_tasks_can_be_named(workers: int | None) -> None:
    named = [IDS[40], f" {IDS[0]}", IDS[0], *IDS[50:70]]
    report = eai.evaluate("household", ANSWERS, tasks=named, workers=workers)
    assert [r.task for r in report.of("second")] == [IDS[0], IDS[40], *IDS[50:70]]
    assert report.setting.semantics == "strict (22 chosen tasks)"


@pytest.mark.heavy
def test_the_same_bytes_are_written_however_a_choice_is_evaluated(tmp_path: Path) -> None:
    for workers in (1, 2):
        eai.evaluate(
            "household", ANSWERS, tasks=IDS[::2], output=tmp_path / str(workers), workers=workers
        )
    eai.evaluate("household", ANSWERS, tasks=IDS[::2], output=tmp_path / "0")
    written = [
        [file.read_bytes() for file in sorted((tmp_path / name).iterdir())] for name in "012"
    ]
    assert written[0] == written[1] == written[2]


def test_one_task_needs_no_list() -> None:
    report = eai.evaluate("household", ANSWERS, tasks=IDS[1], corrected=True)
    assert len(report.records) == 2
    assert report.setting.semantics == "strict (corrected annotations, 1 chosen task)"


@pytest.mark.parametrize("workers", [None, 1])
def test_a_run_of_other_tasks_does_not_resume(workers: int | None, tmp_path: Path) -> None:
    def stop(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    def run(tasks: object, **more: object) -> eai.Report:
        return eai.evaluate(
            "household",
            ANSWERS,
            tasks=tasks,  # type: ignore[arg-type]
            workers=workers,
            output=tmp_path,
            **more,  # type: ignore[arg-type]
        )

    with pytest.raises(KeyboardInterrupt):
        run(IDS[:40], progress=stop)
    for other in (IDS[1:41], "all"):
        with pytest.raises(EaiError, match="run"):
            run(other)
    assert len(run(IDS[:40]).records) == 80


def test_most_answers_missing_is_said_with_the_way_out() -> None:
    few = {"few": {IDS[0]: GOOD}, "all": dict.fromkeys(IDS, "[]")}
    note, *_ = eai.evaluate("household", few).notes
    assert note.startswith("few: more than half of the tasks have no answer and count as failed")
    assert "--tasks answered (in Python tasks='answered') leaves out those" in note
    note, *_ = eai.evaluate("household", few, tasks="answered").notes
    assert "report.compare(answered=True)" in note
    del few["all"]
    assert eai.evaluate("household", few, tasks="answered").notes == ()


@pytest.mark.parametrize(
    ("tasks", "told"),
    [
        ("studio_01", "there is no task named 'studio_01'"),
        ([], "no task is chosen"),
        (None, "no task is chosen"),
        ([3], "3 is not an identifier of a task"),
    ],
)
def test_what_is_no_choice(tasks: object, told: str) -> None:
    with pytest.raises(InputError, match=told) as caught:
        eai.evaluate("household", ANSWERS, tasks=tasks)  # type: ignore[arg-type]
    assert isinstance(caught.value, UnknownNameError) == (tasks == "studio_01")


@pytest.mark.parametrize("workers", [None, 1])
def test_answered_tasks_need_an_answer(workers: int | None) -> None:
    nothing = {"m": {IDS[0]: None}}
    with pytest.raises(InputError, match="no task has an answer"):
        eai.evaluate("household", nothing, tasks="answered", workers=workers)


@pytest.mark.heavy
def test_answers_that_can_hardly_be_read_raise_a_question() -> None:
    answers = {"m": dict.fromkeys(IDS, "I cannot say.")}
    note, *_ = eai.evaluate("household", answers, ability="goal_interpretation").notes
    assert note.startswith(
        "m: 76 of 76 answers could not be read as answers to goal_interpretation"
    )
    assert "are they answers to another ability (action_sequencing)?" in note
    slips = {"m": dict.fromkeys(IDS, GOOD) | dict.fromkeys(IDS[:20], "oops")}
    assert eai.evaluate("household", slips).notes == ()


@pytest.mark.parametrize("workers", [None, 1])
@pytest.mark.parametrize(
    "plan", [GOOD, '{"WALK": ["light", "34"], "SWITCHON": ["light", "34"]}', "WALK(light.34)"]
)
def test_plans_as_answers_to_another_ability_are_told_from_bad_ones(
    plan: str, workers: int | None
) -> None:
    plans = {"m": dict.fromkeys(IDS[:8], plan)}
    note, *_ = eai.evaluate(
        "household", plans, ability="goal_interpretation", tasks="answered", workers=workers
    ).notes
    assert note == (
        "m: no answer is right as answers to goal_interpretation, but they can be read as answers "
        "to action_sequencing: ability='action_sequencing' (eai evaluate household FILES --ability "
        "action_sequencing) evaluates them so"
    )


def test_wrong_goals_are_no_plans() -> None:
    goals = (
        '{"node goals": [{"name": "light", "state": "OFF"}], "edge goals": [], "action goals": []}'
    )
    answers = {"m": dict.fromkeys(IDS[:8], goals)}
    notes = eai.evaluate(
        "household", answers, ability="goal_interpretation", tasks="answered"
    ).notes
    assert not [note for note in notes if "can be read as" in note]
