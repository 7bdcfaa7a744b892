"""Predictions and submissions are checked, and evaluated, without losing a file or a row."""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import ZipFile

import pytest

import eai
from eai.errors import SameNameError
from eai.evaluation.coverage import coverage_of
from eai.evaluation.model_outputs import submission_name, submitted
from eai.evaluation.overview import evaluate_outputs
from eai.predictions import load_all
from eai.runs import left_out
from eai.runs.omissions import examples_of
from eai.suites.household import Household

TASKS = tuple(Household().task_ids())
PLANS = "action_sequencing"


def saved(path: Path, rows: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(rows), "utf-8")
    return path


def official(*tasks: str) -> list[dict[str, str]]:
    return [{"identifier": task, "llm_output": "FIND light.34"} for task in tasks]


@pytest.fixture
def submission(tmp_path: Path) -> Path:
    path = tmp_path / "team.zip"
    name = submission_name("household", PLANS)
    with ZipFile(path, "w") as archive:
        archive.writestr(f"sample_submission/{name}", json.dumps(official(*TASKS[:70])))
        archive.writestr("sample_submission/readme.md", "x")
        archive.writestr(f"__MACOSX/sample_submission/._{name}", "x")
    return path


def test_what_is_there_missing_doubled_and_unreadable_is_counted(tmp_path: Path) -> None:
    rows = [*official(*TASKS[:5], TASKS[0], "moon_1"), {"identifier": TASKS[9]}]
    [found] = coverage_of("household", saved(tmp_path / "m.json", rows))
    assert (found.model, found.tasks, len(found.missing)) == ("m", len(TASKS), len(TASKS) - 5)
    assert (found.doubled, found.unreadable, found.of_no_task) == (1, 1, ("moon_1",))
    assert len(found.left_out) == 3
    assert not found.is_complete


def test_predictions_for_every_task_are_complete(tmp_path: Path) -> None:
    [found] = coverage_of("household", saved(tmp_path / "m.json", official(*TASKS)))
    assert found.is_complete


def test_a_submission_is_checked_ability_by_ability(submission: Path) -> None:
    found = {each.ability: each for each in coverage_of("household", submission)}
    assert len(found[PLANS].missing) == len(TASKS) - 70
    assert found[PLANS].model == "team"
    assert {each.file for each in found.values()} == {"", *_files_of_others()}


def _files_of_others() -> set[str]:
    published = ("goal_interpretation", "subgoal_decomposition", "transition_modeling")
    there = set(Household().abilities)
    return {submission_name("household", name) for name in published if name in there}


def test_a_submission_is_evaluated_as_a_zip_and_as_a_folder(
    submission: Path, tmp_path: Path
) -> None:
    zipped = evaluate_outputs("household", submission, limit=3)
    with ZipFile(submission) as archive:
        archive.extractall(tmp_path / "team")
    for folder in (tmp_path / "team", tmp_path / "team" / "sample_submission"):
        assert set(submitted(folder)) == {("household", PLANS)}
        unpacked = evaluate_outputs("household", folder, limit=3)
        reports = [run.reports["household"][PLANS] for run in (zipped, unpacked)]
        assert reports[0].records[0].result == reports[1].records[0].result
    assert zipped.models == ("team",)
    assert [note for note in zipped.skipped if "readme.md" in note]


def test_a_model_is_added_with_the_settings_of_each_part(tmp_path: Path) -> None:
    root, run = tmp_path / "outputs", tmp_path / "run"
    saved(root / "household" / PLANS / "one.json", official(*TASKS[:3]))
    evaluate_outputs("household", root, output=run, semantics="strict", tasks=TASKS[:4])
    quirk = next(iter(sorted(Household().quirks)))
    evaluate_outputs("household", root, output=run, only=[quirk], tasks=TASKS[:4], force=True)
    saved(root / "household" / PLANS / "two.json", official(*TASKS[:3]))
    found = evaluate_outputs("household", root, output=run)
    report = found.reports["household"][PLANS]
    assert set(report.models) == {"one", "two"}
    assert f"+{quirk}" in report.setting.semantics
    assert report.tally("two").tasks == 4
    assert report.evaluated_now == 4


def test_everything_that_is_left_out_is_listed(tmp_path: Path) -> None:
    rows = [*official(*TASKS[:2], TASKS[0], "moon_1"), {"identifier": TASKS[9]}, 5]
    saved(tmp_path / "m.json", rows)
    (tmp_path / "notes.md").write_text("x")
    suite = Household()
    lines = left_out(suite, load_all(tmp_path))
    assert len(lines) == 5
    report = eai.evaluate(suite, tmp_path)
    counts = "1 of no task, 1 second answers, 2 without an answer"
    assert f"4 rows ({counts}) and 1 file" in " ".join(report.notes)


def test_many_identifiers_of_no_task_are_counted_by_pattern() -> None:
    scenes = [f"scene_2_{number}" for number in range(1158)]
    assert examples_of(scenes) == "1,158 such as scene_2_..."
    assert examples_of([f"{n}_{n}" for n in range(30)]) == "30 such as 0_0"
    assert examples_of(["a", "b"]) == "a, b"
    assert examples_of([f"{chr(97 + n)}x{'y' * n}" for n in range(25)]).endswith(", ...")


def test_a_model_that_two_files_name_has_to_be_named_whatever_the_files_are_called(
    tmp_path: Path,
) -> None:
    rows = [{"id": TASKS[0], "output": "x", "model": "m"}]
    paths = [saved(tmp_path / name / "m.json", rows) for name in ("a", "b")]
    with pytest.raises(SameNameError):
        load_all(paths)
