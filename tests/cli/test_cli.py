"""The command line, as a user meets it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from eai.cli import main
from eai.files import FILES
from eai.suites.household import samples

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["eai", *map(str, arguments)])
        try:
            main()
            code: object = 0
        except SystemExit as stop:
            code = stop.code or 0
        out, err = capsys.readouterr()
        assert isinstance(code, int)
        return code, out, err

    return call


@pytest.fixture(scope="module")
def household_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import eai

    folder = tmp_path_factory.mktemp("runs") / "household"
    eai.evaluate("household", samples(), output=folder)
    return folder


def test_the_version_is_printed(run: Run) -> None:
    from eai import __version__

    assert run("--version") == (0, __version__ + "\n", "")


def test_suites_lists_what_there_is(run: Run) -> None:
    code, out, _ = run("suites")
    assert code == 0
    assert "household" in out
    assert "virtualhome" in out


def test_evaluate_without_files_takes_the_samples(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("evaluate", "household", "--output", tmp_path / "run")
    assert code == 0
    assert "semantics strict" in out
    written = sorted(path.name for path in (tmp_path / "run").iterdir())
    assert written == ["records.jsonl", "report.html", "run.json", "table.csv", "table.tex"]


def test_several_files_are_several_models(run: Run) -> None:
    code, out, _ = run("evaluate", "household", *samples())
    assert code == 0
    assert all(name in out.replace("\n", "") for name in ("careful", "chatty", "hasty"))


def test_quiet_prints_nothing(run: Run, tmp_path: Path) -> None:
    words = ("evaluate", "household", samples()[0], "-q", "-o", tmp_path / "run")
    assert run(*words) == (0, "", "")


def test_quiet_still_says_that_something_was_left_out(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text('{"id": "stud\n' + samples()[0].read_text("utf-8"), "utf-8")
    code, out, err = run("evaluate", "household", path, "-q")
    assert (code, out) == (0, "")
    assert err.startswith("eai: 1 note on this run, in full without --quiet: mine: mine.jsonl:1: ")
    assert len(err.splitlines()) == 1
    _, _, err = run("evaluate", "household", path, "-q", "-o", tmp_path / "run")
    assert f"in full in {tmp_path / 'run' / 'run.json'}: " in err
    assert run("evaluate", "household", path, "-q", "--json")[2] == ""


def test_what_was_written_is_named_with_what_shows_it(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    last = run("evaluate", "household", samples()[0], "-o", folder)[1].splitlines()[-1]
    assert last.startswith(f"written to {folder}: run.json, records.jsonl, table.csv, ")
    assert last.endswith(f"; look at it: eai view {folder}")
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)


@pytest.mark.heavy
def test_a_complete_run_is_kept_as_it_is(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    assert run("evaluate", "household", "-q", "-o", folder)[0] == 0
    before = (folder / "records.jsonl").read_bytes()
    assert run("evaluate", "household", "-q", "-o", folder)[0] == 0
    assert (folder / "records.jsonl").read_bytes() == before
    assert run("evaluate", "household", "-q", "-o", folder, "--force")[0] == 0


def test_an_unknown_suite_is_an_error_with_a_suggestion(run: Run) -> None:
    code, _, err = run("evaluate", "houshold")
    assert code == 3
    assert "did you mean 'household'" in err


def test_an_unreadable_file_is_named(run: Run, tmp_path: Path) -> None:
    code, _, err = run("evaluate", "household", tmp_path / "absent.jsonl")
    assert code == 3
    assert "absent.jsonl" in err


def test_absent_data_says_how_to_get_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EAI_CACHE", str(tmp_path))
    answers = tmp_path / "model.jsonl"
    answers.write_text('{"id": "27_2", "output": "[]"}\n')
    code, _, err = run("evaluate", "virtualhome", answers)
    assert code == 3
    assert "eai data fetch eai" in err


def test_explain_tells_the_story_of_a_failure(run: Run, household_run: Path) -> None:
    lines = (household_run / "records.jsonl").read_text().splitlines()
    destroyed = next(
        record
        for record in map(json.loads, lines)
        if any(f["destroyed_by"] and f["step"] for f in record["result"]["findings"])
    )
    code, out, _ = run("explain", household_run, destroyed["task"], "--model", destroyed["model"])
    assert code == 0
    assert "Verdict: not solved, not executable" in out
    assert "made it so [" in out
    assert "[not reached]" in out or "[failed]" in out


def test_explain_asks_which_record(run: Run, household_run: Path) -> None:
    code, _, err = run("explain", household_run)
    assert code == 3
    assert "which of the" in err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [(("nowhere-1",), "no task named"), (("flat-01", "--model", "nobody"), "no model named")],
)
def test_explain_refuses_unknown_names(
    run: Run, household_run: Path, arguments: tuple[str, ...], told: str
) -> None:
    code, _, err = run("explain", household_run, *arguments)
    assert code == 3
    assert told in err


@pytest.mark.heavy
def test_every_record_can_be_explained(household_run: Path) -> None:
    from eai import explain, read_records

    records = read_records(household_run / "records.jsonl").records
    unread = [record for record in records if "not reached" in record.result.executed]
    for record in (*records[::8], *unread[::4]):
        assert str(explain(record)).startswith("household ")
