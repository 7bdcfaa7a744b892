"""An interval for every metric: which method, what it is worth, and where it is shown."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest
from report_samples import EXCLUDED, SOLVED, STOPPED, record, sample_report

from eai.diagnosis import Condition, Result
from eai.errors import UnknownNameError
from eai.report import Record, Report, wilson
from eai.report.intervals import intervals
from eai.report.scoring import Metric


class PlanLength(Metric):
    key, label, unit = "length", "Length", "numbers"

    def evaluate(self, record: Record) -> float:
        return len(record.result.plan)


def with_goals(*met: bool, task: str) -> Record:
    goals = tuple(Condition("state", "lit(a)", met=each) for each in met)
    return record(Result("evaluated", success=all(met), executable=True, goals=goals), task=task)


def test_every_metric_has_its_counts_and_its_method() -> None:
    rows = {row["key"]: row for row in sample_report().intervals("alpha").rows}
    assert rows["task_success_rate"]["interval"] == "Wilson"
    assert (rows["task_success_rate"]["low"], rows["task_success_rate"]["high"]) == wilson(1, 4)
    assert rows["total_goal"]["interval"] == "linearization"
    assert rows["total_goal"]["counts"] == "4/12"
    # one error of the kind in one of four tasks: a rate over tasks, whatever its unit
    assert (rows["wrong_order"]["low"], rows["wrong_order"]["high"]) == wilson(1, 4)


def test_whole_tasks_count_not_conditions() -> None:
    """Ten conditions of a task say as much as one if they are met together."""
    single = [with_goals(number % 2 == 0, task=str(number)) for number in range(40)]
    tenfold = [
        replace(each, result=replace(each.result, goals=each.result.goals * 10)) for each in single
    ]
    view = Report(single).view
    assert intervals(view, single)["state_goal"] == pytest.approx(
        intervals(view, tenfold)["state_goal"]
    )
    low, high, _ = intervals(view, tenfold)["state_goal"]
    naive_low, naive_high = wilson(200, 400)
    assert high - low > 2.5 * (naive_high - naive_low)


def test_excluded_tasks_change_nothing() -> None:
    records = [record(SOLVED), record(STOPPED, task="t2")]
    view = Report(records).view
    assert intervals(view, [*records, record(EXCLUDED, task="t3")]) == intervals(view, records)


def test_what_does_not_vary_or_is_undefined_has_none() -> None:
    records = [with_goals(True, True, task=str(number)) for number in range(5)]
    found = intervals(Report(records).view, records)
    assert "state_goal" not in found
    assert "relation_goal" not in found
    assert found["task_success_rate"].high == 100
    assert intervals(Report([]).view, []) == {}


def test_a_model_that_is_not_there() -> None:
    with pytest.raises(UnknownNameError, match="alhpa"):
        sample_report().intervals("alhpa")


def test_intervals_in_the_frame() -> None:
    frame = sample_report().table(intervals=True)
    alpha = frame.loc["alpha"].to_dict()
    assert alpha["Task SR low"] == pytest.approx(wilson(1, 4)[0])
    assert alpha["Total Goal low"] < alpha["Total Goal"] < alpha["Total Goal high"]
    assert "Task SR low" not in sample_report().table().columns


def test_intervals_in_the_csv_file(tmp_path: Path) -> None:
    sample_report().to_csv(tmp_path / "few.csv")
    sample_report().to_csv(tmp_path / "all.csv", intervals=True)
    few, every = (
        next(csv.DictReader((tmp_path / name).read_text("utf-8").splitlines()))
        for name in ("few.csv", "all.csv")
    )
    assert few == {key: value for key, value in every.items() if key in few}
    assert set(every) - set(few) >= {"total_goal.low", "wrong_order.high"}
    assert float(every["total_goal.low"]) < float(every["total_goal"])


def test_the_column_of_the_values_says_percent_where_all_are_shares() -> None:
    shares = sample_report().intervals("alpha")
    assert "%" in shares.rows[0]
    assert "value" not in shares.rows[0]
    numbers = sample_report().with_metrics([PlanLength()]).intervals("alpha")
    assert "value" in numbers.rows[0]
    assert "%" not in numbers.rows[0]


def test_as_many_samples_count_as_every_task_has() -> None:
    records = [
        replace(record(SOLVED, task=task), epoch=epoch) for task in "ab" for epoch in range(1, 4)
    ]
    assert Report(records).samples("alpha") == 3
    assert Report(records[:-1]).samples("alpha") == 2
    assert Report(records[2:-1]).samples("alpha") == 1
