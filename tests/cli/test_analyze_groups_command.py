"""``eai analyze groups``, ``eai analyze intervals`` and ``eai analyze runs``."""

import json
from pathlib import Path

from command_line import call
from report_samples import write_records

from eai.diagnosis import Result
from eai.report import Record


def records() -> list[Record]:
    """Two models on three tasks of two families; the first solves two of them."""
    solved = {("a", "1"), ("a", "3")}
    return [
        Record(
            "suite",
            "1",
            "interaction",
            "strict",
            model,
            task,
            family,
            "",
            Result("evaluated", success=(model, task) in solved, groups=(family,)),
        )
        for model in ("a", "b")
        for task, family in (("1", "coffee"), ("2", "coffee"), ("3", "toast"))
    ]


def test_success_by_group_and_metrics_over_runs(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    write_records(path, records())
    shown = call("analyze", "groups", path, "--model", "a", "--csv", tmp_path / "groups.csv")
    assert shown.exit_code == 0, shown.output
    assert "coffee" in shown.stdout
    assert (tmp_path / "groups.csv").read_text().splitlines()[1].startswith("coffee,2,1,50.0")
    over = call("analyze", "runs", path)
    assert over.exit_code == 0, over.output
    assert "Task SR" in over.stdout


def test_intervals_of_every_metric(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    write_records(path, records())
    done = call("analyze", "intervals", path, "--model", "a", "--json")
    assert done.exit_code == 0, done.output
    (table,) = json.loads(done.stdout)["tables"]
    first = table["rows"][0]
    assert (first["key"], first["counts"], first["interval"]) == (
        "task_success_rate",
        "2/3",
        "Wilson",
    )
    assert {row["interval"] for row in table["rows"]} == {"Wilson", None}
