"""Several runs of one model taken together."""

import pytest

from eai.analyses.reports import run_statistics
from eai.diagnosis import Measure, Result
from eai.errors import InputError, UnknownNameError
from eai.report import Record, Report


def record(task: int, run: str, *, solved: bool) -> Record:
    measures = (Measure("step_ratio", task + 1, 1),) if solved else ()
    result = Result("evaluated", success=solved, measures=measures)
    return Record("suite", "1", "interaction", "strict", run, str(task), "x", "", result)


REPORT = Report(
    [
        record(task, run, solved=task < n)
        for run, n in (("a", 1), ("b", 2), ("c", 4), ("d", 0))
        for task in range(4)
    ]
)


def test_median_mean_and_spread_of_success() -> None:
    row = run_statistics(REPORT, ["a", "b", "c"]).rows[0]
    assert (row["metric"], row["runs"]) == ("Task SR", 3)
    assert (row["median"], row["least"], row["most"]) == (50.0, 25.0, 100.0)
    assert row["mean"] == pytest.approx(175 / 3)
    assert row["sd"] == pytest.approx(38.188, abs=0.001)


def test_a_run_in_which_a_metric_is_undefined_does_not_count_in_it() -> None:
    rows = {row["metric"]: row for row in run_statistics(REPORT).rows}
    assert rows["Task SR"]["runs"] == 4
    assert rows["Step ratio"]["runs"] == 3
    assert rows["Step ratio"]["median"] == 150.0


def test_one_run_has_no_spread() -> None:
    row = run_statistics(REPORT, ["a"]).rows[0]
    assert (row["median"], row["sd"]) == (25.0, None)


def test_what_is_no_run_is_refused() -> None:
    with pytest.raises(UnknownNameError):
        run_statistics(REPORT, ["e"])
    with pytest.raises(InputError, match="no runs"):
        run_statistics(Report([]))
