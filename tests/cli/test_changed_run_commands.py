"""Every command that reads a run says that its records were changed."""

from __future__ import annotations

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
