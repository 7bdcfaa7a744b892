"""``eai check-predictions``, and what ``eai evaluate`` says of rows and files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import call

from eai.suites.household import Household

TASKS = tuple(Household().task_ids())


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    path = tmp_path / "m.jsonl"
    rows = [{"custom": task, "reply": {"text": "FIND light.34"}, "by": "g"} for task in TASKS]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


FIELDS = ("--id-field", "custom", "--field", "reply.text", "--model-field", "by")


def test_complete_predictions_end_with_0(answers: Path) -> None:
    done = call("check-predictions", "household", answers, *FIELDS)
    assert done.exit_code == 0
    assert f"{len(TASKS)} of {len(TASKS)}" in done.stdout


def test_missing_predictions_end_with_1(answers: Path) -> None:
    answers.write_text("\n".join(answers.read_text().splitlines()[:5]) + "\nno row\n")
    done = call("check-predictions", "household", answers, *FIELDS, "--show-left-out")
    assert done.exit_code == 1
    assert f"{answers}:6" in done.stdout.replace("\n", "")


def test_counts_as_a_document(answers: Path) -> None:
    done = call("check-predictions", "household", answers, *FIELDS, "--json")
    [found] = json.loads(done.stdout)["models"]
    assert (found["model"], found["answered"], found["missing"]) == ("g", len(TASKS), [])


def test_rows_that_are_left_out_are_listed_with_the_table(answers: Path) -> None:
    answers.write_text(answers.read_text() + "no row\n")
    options = ("--limit", "2", "--show-left-out")
    done = call("evaluate", "household", answers, *FIELDS, *options)
    assert done.exit_code == 0
    assert f"{answers}:{len(TASKS) + 1}: the line is not JSON" in done.stdout


def test_a_document_stays_one_where_rows_are_listed(answers: Path) -> None:
    answers.write_text(answers.read_text() + "no row\n")
    options = ("--limit", "2", "--show-left-out", "--json")
    done = call("evaluate", "household", answers, *FIELDS, *options)
    assert json.loads(done.stdout)["suite"] == "household"
    assert "the line is not JSON" in done.stderr
