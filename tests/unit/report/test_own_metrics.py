"""Metrics of one's own: one class, which stands in every table."""

from __future__ import annotations

from pathlib import Path

import pytest

from eai.errors import InputError
from eai.report import Record, Report
from eai.report.metric import Metric, Ratio
from report_samples import EXCLUDED, MISSING, SOLVED, STOPPED, record


class Executed(Metric):
    key, label = "executed", "Executed"

    def evaluate(self, record: Record) -> bool | None:
        return record.result.executable if record.result.executed else None


class Length(Metric):
    key, label, unit = "length", "Length", "means"

    def evaluate(self, record: Record) -> float:
        return len(record.result.plan) / 3


class Done(Metric):
    key, label, unit = "done", "Steps done", "steps"

    def evaluate(self, record: Record) -> Ratio:
        done = record.result.executed
        return Ratio(done.count("done"), len(done))


class Wrong(Metric):
    key, label = "wrong", "Wrong"

    def evaluate(self, record: Record) -> float:
        return 0.5 + len(record.task)


def report(*metrics: Metric) -> Report:
    results = (SOLVED, STOPPED, MISSING, EXCLUDED)
    records = [record(each, task=str(number)) for number, each in enumerate(results)]
    return Report(records, metrics=metrics)


def test_a_value_says_what_a_record_counts_for() -> None:
    found = {each.key: each for each in report(Executed(), Length(), Done()).metrics("alpha")}
    assert found["executed"].counts == "1/2"
    assert found["length"].counts == "3 tasks"
    assert found["length"].value == pytest.approx(100 * (2 / 3 + 4 / 3) / 3)
    assert found["done"].counts == "3/6"


def test_it_stands_in_every_rendering(tmp_path: Path) -> None:
    shown = report(Executed(), Done())
    shown.to_csv(tmp_path / "a.csv", intervals=True)
    assert "done.low" in (tmp_path / "a.csv").read_text()
    shown.to_latex(tmp_path / "a.tex")
    shown.to_markdown(tmp_path / "a.md")
    shown.to_html(tmp_path / "a.html")
    for text in (
        str(shown),
        *((tmp_path / name).read_text("utf-8") for name in ("a.tex", "a.md", "a.html")),
    ):
        assert "Executed" in text
        assert "50.0" in text
    assert shown.table().loc["alpha", "Executed"] == 50
    assert "executed" in {row["key"] for row in shown.intervals().rows}


def test_models_are_compared_by_it() -> None:
    records = [record(SOLVED, model="a"), record(STOPPED, model="b")]
    (found,) = Report(records, metrics=[Executed()]).compare(metrics="executed").differences
    assert found.difference == 100


def test_a_number_where_none_is_meant_is_refused() -> None:
    with pytest.raises(InputError, match="means"):
        report(Wrong()).metrics("alpha")
