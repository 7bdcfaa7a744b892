"""What reports show of acting step by step."""

from dataclasses import replace

import pytest

from eai.diagnosis import Measure, Result
from eai.errors import SchemaError
from eai.report import Record, Report, Score, record_from_json, record_to_json, view_of
from eai.report.aggregate import PARTS, tally
from eai.report.metrics.episodes import EPISODES

SOLVED = Result(
    "evaluated",
    success=True,
    groups=("coffee",),
    outcome="success",
    measures=(Measure("step_ratio", 12, 10), Measure("undoable", 1, 12), Measure("valid", 11, 12)),
)
STUCK = Result(
    "evaluated",
    groups=("coffee",),
    outcome="max_repeats",
    measures=(Measure("undoable", 8, 8), Measure("valid", 0, 8)),
)


def record(result: Result, task: str, model: str = "model") -> Record:
    return Record("suite", "1", "interaction", "strict", model, task, "coffee", "", result)


def metrics(*results: Result) -> dict[str, Score]:
    return {metric.key: metric for metric in EPISODES.metrics(tally(results))}


def test_acting_has_a_view_of_its_own() -> None:
    assert view_of("interaction") is EPISODES


def test_every_episode_counts_alike_in_the_mean_of_a_ratio() -> None:
    found = metrics(SOLVED, STUCK)
    assert found["undoable"].value == pytest.approx(100 * (1 / 12 + 1) / 2)
    assert found["valid"].value == pytest.approx(100 * (11 / 12) / 2)
    assert found["undoable"].counts == "2 tasks"


def test_the_step_ratio_is_of_the_solved_ones_and_may_exceed_one() -> None:
    found = metrics(SOLVED, STUCK)
    assert found["step_ratio"].value == pytest.approx(120.0)
    assert found["step_ratio"].counts == "1 task"


def test_success_and_ends_are_rates_over_tasks_with_an_interval() -> None:
    found = metrics(SOLVED, STUCK)
    assert found["task_success_rate"].interval is not None
    assert found["end_max_repeats"].numerator == 1
    assert found["undoable"].interval is None


def test_details_that_no_model_has_are_left_out_of_tables() -> None:
    measured = replace(STUCK, measures=(*STUCK.measures, Measure("undoable_other", 1, 8)))
    shown = str(Report([record(measured, "1"), record(STUCK, "1", "another")]))
    assert "Why turns" in shown
    assert "Sink" not in shown
    assert "Step" in shown  # the main table has all columns
    assert "Why turns" not in str(Report([record(STUCK, "1")]))


def test_what_was_not_measured_is_undefined() -> None:
    assert metrics(STUCK)["step_ratio"].value is None


def test_counts_of_parts_add_up_to_those_of_the_whole() -> None:
    assert tally([SOLVED]) + tally([STUCK]) == tally([SOLVED, STUCK])


def test_sums_do_not_depend_on_the_order() -> None:
    thirds = [Result("evaluated", measures=(Measure("valid", k, 3),)) for k in (1, 2, 1)]
    assert tally(thirds).amounts == tally(thirds[::-1]).amounts
    assert abs(tally(thirds).amounts["valid"] * 3 - 4 * PARTS) <= 3


def test_the_small_print_says_how_many_of_each_family_were_solved() -> None:
    report = Report([record(SOLVED, "1"), record(STUCK, "2")])
    assert "coffee 1 of 2" in " ".join(str(report).split())


def test_two_models_are_compared_task_by_task() -> None:
    records = [record(SOLVED, str(i), "a") for i in range(8)]
    records += [record(STUCK, str(i), "b") for i in range(8)]
    compared = Report(records).compare(metrics=["task_success_rate", "undoable"], draws=100)
    success, undoable = compared.differences
    assert success.pairs == (0, 8, 0, 0)
    assert success.difference == 100.0
    assert undoable.difference == pytest.approx(100 * (1 / 12 - 1))


def test_a_record_keeps_its_measures() -> None:
    first = record(SOLVED, "1")
    assert record_from_json(record_to_json(first)) == first


def test_a_measure_out_of_nothing_is_refused() -> None:
    line = record_to_json(record(SOLVED, "1")).replace('"base":10', '"base":0')
    with pytest.raises(SchemaError, match=r"measures\[0\].base"):
        record_from_json(line)
