"""A run that was changed, cut or is not complete is shown, and every reader says so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import eai
from eai.report import Leaderboard, read_records, report_of
from eai.report.records import CHANGED, INCOMPLETE, UNCHECKED

Change = Callable[[Path], None]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run of two tasks, whose answers do nothing."""
    folder = tmp_path / "run"
    ids = eai.suite("household").task_ids()[:2]
    answers = {"one": dict.fromkeys(ids, "[]"), "two": dict.fromkeys(ids, "walk")}
    eai.evaluate("household", answers, tasks=ids, output=folder)
    return folder


def edit(folder: Path) -> None:
    path = folder / "records.jsonl"
    path.write_text(path.read_text().replace('"success":false', '"success":true', 1))


def leave_out(folder: Path) -> None:
    path = folder / "records.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[1:]))


def cut(folder: Path) -> None:
    path = folder / "records.jsonl"
    path.write_text(path.read_text()[:-40])


def test_a_whole_run_has_no_warning(run: Path) -> None:
    assert not read_records(run).warning
    assert not eai.read_run(run).notes
    assert not report_of(read_records(run)).warnings


@pytest.mark.parametrize("change", [edit, leave_out, cut])
def test_every_reader_says_that_records_were_changed(run: Path, change: Change) -> None:
    before = report_of(read_records(run))
    change(run)
    found = read_records(run)
    report = report_of(found)
    overview = eai.read_run(run)
    assert found.warning.startswith(CHANGED)
    assert report.warnings == (found.warning,)
    assert eai.Report(found).warnings == (found.warning,)
    assert report.of_models(["one"]).warnings == report.warnings
    assert any(CHANGED in note for note in overview.notes)
    assert any(CHANGED in note for note in Leaderboard([report]).rows.notes)
    assert any(CHANGED in note for note in before.compare(run).notes)
    assert found.warning in report.table().attrs["notes"]


def test_a_run_without_some_records_says_how_many_are_left(run: Path) -> None:
    leave_out(run)
    assert "3 of 4 records" in read_records(run).warning


def test_a_run_that_was_interrupted_says_so(run: Path) -> None:
    about = run / "run.json"
    about.write_text(about.read_text().replace('"complete": true', '"complete": false'))
    leave_out(run)
    assert report_of(read_records(run)).warnings[0].startswith(INCOMPLETE)


@pytest.mark.parametrize("about", [None, "{", "[]", "{}", '{"complete": true, "records": 4}'])
def test_a_run_that_cannot_be_checked_says_so(run: Path, about: str | None) -> None:
    (run / "run.json").unlink()
    if about is not None:
        (run / "run.json").write_text(about)
    edit(run)
    assert report_of(read_records(run)).warnings[0].startswith(UNCHECKED)


def test_a_record_file_that_is_of_no_run_has_no_warning(run: Path, tmp_path: Path) -> None:
    edit(run)
    file = tmp_path / "mine.jsonl"
    file.write_bytes((run / "records.jsonl").read_bytes())
    assert not read_records(file).warning


def test_a_rank_over_other_tasks_is_marked_with_its_number() -> None:
    ids = eai.suite("household").task_ids()[:4]
    answers = {name: dict.fromkeys(ids, "x") for name in ("one", "two", "part")}
    records = [
        replace(record, result=replace(record.result, status="excluded"))
        if record.model == "part" and record.task in ids[:2]
        else record
        for record in eai.evaluate("household", answers, tasks=ids).records
    ]
    board = Leaderboard([eai.Report(records)])
    rows = {str(row["model"]): row for row in board.rows.rows}
    [column] = [name for name in rows["part"] if name != "model"]
    assert "†" in rows["part"][column].mark  # type: ignore[union-attr]
    assert "†" not in rows["one"][column].mark  # type: ignore[union-attr]
    assert any("part (n = 2)" in note for note in board.rows.notes)
