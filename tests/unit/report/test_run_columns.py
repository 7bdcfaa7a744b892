"""Tables over the abilities of a run: columns, weighted means, and what was not measured."""

from __future__ import annotations

import pytest
from report_samples import GARBLED, SOLVED, record

from eai.errors import UnknownNameError
from eai.report import Report, RunColumn, RunTable, metric_value, run_table

RATE = "task_success_rate"
COLUMNS = (
    RunColumn("first", RATE, "First", "SR", weight=1.0),
    RunColumn("second", RATE, "Second", "SR", weight=3.0),
    RunColumn("second", "execution_success_rate", "Second", "ESR"),
)
TABLE = RunTable("a table", COLUMNS)


def report(solved: str, model: str = "alpha") -> Report:
    kinds = {"+": SOLVED, "-": GARBLED}
    return Report([record(kinds[s], task=f"t{n}", model=model) for n, s in enumerate(solved)])


REPORTS = {
    "suite": {"first": report("+---"), "second": report("++")},
    "other": {"first": report("+-"), "second": report("--", "beta")},
}


@pytest.mark.parametrize(
    ("suite", "ability", "model", "value"),
    [
        ("suite", "first", "alpha", 25.0),
        ("suite", "second", "alpha", 100.0),
        ("suite", "third", "alpha", None),
        ("nowhere", "first", "alpha", None),
        ("suite", "first", "beta", None),
        ("other", "second", "beta", 0.0),
    ],
)
def test_a_metric_is_in_percent_or_was_not_measured(
    suite: str, ability: str, model: str, value: float | None
) -> None:
    assert metric_value(REPORTS, suite, ability, RATE, model=model) == value


def test_the_mean_is_weighted_and_undefined_if_one_is_missing() -> None:
    assert TABLE.mean(REPORTS, "suite", "alpha") == (25 + 3 * 100) / 4
    assert TABLE.mean(REPORTS, "other", "alpha") is None
    assert TABLE.mean(REPORTS, "suite", "beta") is None


def test_a_row_has_every_column_for_every_suite_and_the_means_last() -> None:
    row = TABLE.row(REPORTS, "alpha")
    assert row == {
        ("First", "SR", "suite"): 25.0,
        ("First", "SR", "other"): 50.0,
        ("Second", "SR", "suite"): 100.0,
        ("Second", "SR", "other"): None,
        ("Second", "ESR", "suite"): 100.0,
        ("Second", "ESR", "other"): None,
        ("Average", "Module SR", "suite"): 81.25,
        ("Average", "Module SR", "other"): None,
    }
    assert list(row)[-2:] == [("Average", "Module SR", "suite"), ("Average", "Module SR", "other")]


def test_tables_are_found_by_name_and_the_first_by_default() -> None:
    table = run_table()
    assert isinstance(table, RunTable)
    assert table.columns
    with pytest.raises(UnknownNameError):
        run_table("no such table")
