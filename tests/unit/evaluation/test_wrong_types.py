"""What is said where a value of another type is given than a public function takes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from report_samples import sample_report

import eai
from eai.analyses import (
    annotation_faults,
    compare_pipeline,
    dataset_statistics,
    error_breakdown,
    factor_rates,
    group_rates,
    part_rates,
    run_statistics,
)
from eai.errors import InputError, UnknownNameError
from eai.plots import plot_abilities, plot_errors
from eai.report import Report

ANSWERS = {"studio-01": "no plan"}
OTHERS = (3, b"a", ["a"], {"a": 1}, object())


@pytest.mark.parametrize("other", OTHERS)
def test_a_model_of_another_type_is_unknown(other: object) -> None:
    report = sample_report()
    asks: list[Callable[..., object]] = [report.of, report.tally, report.failures, report.intervals]
    for ask in asks:
        with pytest.raises(UnknownNameError, match="there is no model named"):
            ask(other)
    with pytest.raises(UnknownNameError, match="there is no group named"):
        report.table(other)  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match="there is no ability named"):
        eai.evaluate("household", ANSWERS, ability=other)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("function", "name", "meant"),
    [
        (eai.evaluate, "task", "tasks"),
        (eai.evaluate_outputs, "model", "models"),
        (sample_report().compare, "metric", "metrics"),
        (eai.interact, "action", "actions"),
        (eai.load_predictions, "models", "model"),
    ],
)
def test_an_unknown_argument_is_answered_with_those_that_there_are(
    function: Callable[..., object], name: str, meant: str
) -> None:
    with pytest.raises(UnknownNameError) as raised:
        function(**{name: "x"})
    error = raised.value
    assert (error.kind, error.name) == ("argument", name)
    assert meant in error.suggestions
    assert "self" not in error.known


@pytest.mark.parametrize("other", [None, *OTHERS])
def test_what_is_no_path_is_told_so(other: object) -> None:
    report = sample_report()
    for write in (report.to_csv, report.to_latex, report.to_markdown, report.to_html):
        with pytest.raises(InputError, match="is not a path"):
            write(other)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="is not a path"):
        eai.read_records(other)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="is not a path"):
        eai.evaluate_outputs("household", other)  # type: ignore[arg-type]


def test_a_folder_of_another_type_is_told_so() -> None:
    with pytest.raises(InputError, match=r"type bool is not a path.*\n.*the path of a folder"):
        eai.evaluate("household", ANSWERS, output=True)  # type: ignore[arg-type]


@pytest.mark.parametrize("other", [None, "run.jsonl", *OTHERS])
def test_what_are_no_records_make_no_report(other: object) -> None:
    with pytest.raises(InputError, match="is not a record"):
        Report(other)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "analyse",
    [error_breakdown, group_rates, part_rates, run_statistics, plot_errors],
)
def test_an_analysis_takes_a_report(analyse: Callable[[object], object]) -> None:
    with pytest.raises(InputError, match="'run' is not a report"):
        analyse("run")


def test_what_is_no_report_is_not_compared() -> None:
    report = sample_report()
    with pytest.raises(InputError, match="is not a report"):
        report.compare(3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="is not a report"):
        compare_pipeline(report, "run")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="is not an overview"):
        plot_abilities(report, "household")  # type: ignore[arg-type]


def test_a_name_stands_for_its_suite() -> None:
    assert dataset_statistics("household").rows == dataset_statistics(eai.suite("household")).rows
    report = eai.evaluate("household", ANSWERS)
    assert factor_rates(report, "household").rows
    with pytest.raises(UnknownNameError, match="no suite named 'houshold'"):
        annotation_faults(["houshold"])
    with pytest.raises(InputError, match="type int is not a suite"):
        dataset_statistics(3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="type int is not a name of a suite"):
        eai.suite(3)  # type: ignore[arg-type]


@pytest.mark.parametrize("other", [3, None])
def test_names_of_quirks_are_texts(other: object) -> None:
    with pytest.raises(UnknownNameError, match=f"no quirk named {other}"):
        eai.evaluate("virtualhome", {}, without=other)  # type: ignore[arg-type]


def test_one_metric_may_be_named_alone() -> None:
    report = sample_report()
    one = report.compare(metrics="task_success_rate")
    assert one.differences == report.compare(metrics=["task_success_rate"]).differences
    with pytest.raises(UnknownNameError, match="no metric named 3"):
        report.compare(metrics=3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="'many' draws"):
        report.compare(draws="many")  # type: ignore[arg-type]


def test_a_story_is_told_under_semantics_by_name() -> None:
    [record] = eai.evaluate("household", ANSWERS, tasks="answered").records
    assert str(eai.explain(record, semantics="strict")) == str(eai.explain(record))
    with pytest.raises(UnknownNameError, match="no semantics named"):
        eai.explain(record, semantics="strct")
