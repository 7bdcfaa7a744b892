"""Metrics of one's own: one class, which stands in every table."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import call
from report_samples import EXCLUDED, MISSING, SOLVED, STOPPED, record

import eai
from eai.errors import InputError
from eai.report import Leaderboard, Record, Report
from eai.report.scoring import Metric, Ratio
from eai.suites.household import samples


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


def test_only_rates_over_tasks_have_ranges() -> None:
    ranged = report(Executed(), Length(), Done()).view.ranged
    assert {"executed", "length", "done"}.intersection(ranged) == {"executed"}


def test_models_are_compared_by_it() -> None:
    records = [record(SOLVED, model="a"), record(STOPPED, model="b")]
    (found,) = Report(records, metrics=[Executed()]).compare(metrics="executed").differences
    assert found.difference == 100


def test_a_number_where_none_is_meant_is_refused() -> None:
    with pytest.raises(InputError, match="means"):
        report(Wrong()).metrics("alpha")


@eai.metric
def answered_at_all(record: Record) -> bool:
    """Whether there is an answer."""
    return bool(record.output)


@eai.metric(key="size", label="Characters", unit="means")
def length_of_answer(record: Record) -> float:
    return float(len(record.output))


def test_a_function_is_a_metric() -> None:
    report = eai.evaluate("household", {"studio-01": "[]"}, tasks="answered")
    found = report.with_metrics([answered_at_all, length_of_answer])
    scores = {score.key: score for score in found.metrics(found.models[0])}
    assert (scores["answered_at_all"].label, scores["answered_at_all"].value) == (
        "Answered at all",
        100.0,
    )
    assert (scores["size"].label, scores["size"].value) == ("Characters", 200.0)


@eai.metric(unit="numbers")
def steps(record: Record) -> float | None:
    return len(record.result.plan) if record.result.status == "evaluated" else None


def test_a_mean_of_numbers_is_printed_as_it_is_and_no_percentage(tmp_path: Path) -> None:
    plans = {
        "short": dict.fromkeys(("studio-01", "studio-02"), '["FIND light.34"]'),
        "long": dict.fromkeys(("studio-01", "studio-02"), '["FIND light.34", "SWITCHON light.34"]'),
    }
    found = eai.evaluate("household", plans, tasks="answered").with_metrics([steps])
    assert "%" not in found.view.tables[-1].title
    assert "Steps (mean)" in str(found)
    assert found.table()["Steps"].to_dict() == {"short": 1, "long": 2}
    board = Leaderboard([found], ["steps"])
    assert board.rows.title == "Leaderboard"
    assert [str(row["value"]) for row in board.counts.rows] == ["1.0", "2.0"]
    assert [row["best"] for row in board.counts.rows] == [0, 0]
    compared = found.compare(metrics="steps")
    assert "1.00 against 2.00 over 2 tasks, -1.00 (95 %" in compared.conclusions[0]
    assert "points" not in compared.conclusions[0]
    assert "first value" in compared.rows.headings
    assert compared.matrices[0].rows[0]["-2"] == "+1.00"
    found.to_html(tmp_path / "page.html")
    assert "Steps (mean)" in (tmp_path / "page.html").read_text("utf-8")
    found.to_csv(tmp_path / "table.csv", intervals=True)
    assert ",2.0000," in (tmp_path / "table.csv").read_text("utf-8")


@pytest.mark.heavy
def test_the_command_line_names_it_by_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own_terse.py").write_text(
        "import eai\n@eai.metric\ndef terse(record):\n    return len(record.output) < 9\nx = 3\n"
    )
    eai.evaluate("household", samples(), output=tmp_path / "run")
    words = ("--metric", "own_terse:terse")
    for command in ("compare", "leaderboard", "report"):
        assert "Terse" in call(command, "run", *words).stdout
    assert "Terse" in (tmp_path / "run" / "report.html").read_text("utf-8")
    assert "no metric named 'oops'" in str(call("report", "run", "--metric", "oops").exception)
    error = call("compare", "run", "--metric", "own_terse:x").exception
    assert "is not a metric" in str(error)


def test_a_table_with_any_share_says_that_it_is_in_percent(tmp_path: Path) -> None:
    report(Executed(), steps).to_latex(tmp_path / "both.tex")
    report(steps).to_latex(tmp_path / "numbers.tex")
    captions = [
        [
            line
            for line in (tmp_path / name).read_text("utf-8").splitlines()
            if line.startswith("\\caption{More metrics")
        ]
        for name in ("both.tex", "numbers.tex")
    ]
    assert ["percent" in line or "%" in line for [line] in captions] == [True, False]
