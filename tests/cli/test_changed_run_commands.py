"""Every command that reads a run says that its records were changed."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from command_line import call

import eai
from eai.report.records import CHANGED


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with one word of its records changed."""
    folder = tmp_path_factory.mktemp("changed") / "run"
    ids = eai.suite("household").task_ids()[:2]
    answers = {"one": dict.fromkeys(ids, "[]"), "two": dict.fromkeys(ids, "walk")}
    eai.evaluate("household", answers, tasks=ids, output=folder)
    records = folder / "records.jsonl"
    records.write_text(records.read_text().replace('"success":false', '"success":true', 1))
    return folder


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("report", ()),
        ("leaderboard", ()),
        ("compare", ()),
        ("explain", ("TASK", "--model", "one")),
        ("analyze errors", ()),
        ("export", ("--organization", "me", "--output", "OUTPUT")),
    ],
)
def test_a_command_says_that_records_were_changed(
    run: Path, tmp_path: Path, command: str, options: tuple[str, ...]
) -> None:
    names = {"TASK": eai.suite("household").task_ids()[0], "OUTPUT": str(tmp_path / "out")}
    arguments = [names.get(option, option) for option in options]
    done = call(*command.split(), str(run), *arguments)
    assert CHANGED in done.stderr


def test_files_of_a_leaderboard_say_which_models_were_changed(run: Path, tmp_path: Path) -> None:
    ids = eai.suite("household").task_ids()[:2]
    whole = tmp_path / "whole"
    eai.evaluate("household", {"two": dict.fromkeys(ids, "[]")}, tasks=ids, output=whole)
    csv_file = tmp_path / "board.csv"
    done = call("leaderboard", str(whole), str(run), "--csv", csv_file, "--json")
    warnings = {row["model"]: row["warning"] for row in json.loads(done.stdout)["rows"]}
    # Models of the same name are numbered, as their answers are others.
    assert {model for model, warning in warnings.items() if CHANGED in warning} == {
        "one",
        "two (2)",
    }
    assert warnings["two"] == ""
    with csv_file.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert {row["model"]: row["warning"] for row in rows} == warnings
    table = call("leaderboard", str(whole), str(run)).stdout
    assert CHANGED in " ".join(table.split())


def test_a_leaderboard_of_whole_runs_has_no_column_of_warnings(tmp_path: Path) -> None:
    ids = eai.suite("household").task_ids()[:2]
    whole = tmp_path / "whole"
    eai.evaluate("household", {"two": dict.fromkeys(ids, "[]")}, tasks=ids, output=whole)
    done = call("leaderboard", str(whole), "--json")
    assert "warning" not in json.loads(done.stdout)["rows"][0]


def test_published_numbers_of_no_column_are_said_to_be_left_out(run: Path, tmp_path: Path) -> None:
    published = tmp_path / "published.csv"
    heading = "model,suite,ability,metric,value,semantics,source\n"
    row = "x,household,action_sequencing,{metric},{value},strict,A paper\n"
    published.write_text(heading + row.format(metric="task_success_rate", value=50), "utf-8")
    assert "left out" not in call("leaderboard", run, "--published", published).stderr
    published.write_text(heading + row.format(metric="nothing", value=50), "utf-8")
    assert "left out: 1 published number" in call("leaderboard", run, "--published", published).told
    published.write_text(heading + row.format(metric="task_success_rate", value="nan"), "utf-8")
    assert call("leaderboard", run, "--published", published).exit_code == 3
