"""What a report costs, counted in calls of functions: the same on every machine."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from eai.diagnosis import Result
from eai.report import Record, Report, Setting


def calls(work: Callable[[], object]) -> int:
    """Return how many functions are called, those written in C included."""
    count = 0

    def counted(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        if event in ("call", "c_call"):
            count += 1

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def report_of(models: int) -> Report:
    setting = Setting("household", "1", "action_sequencing", "strict")
    names = [f"model-{number}" for number in range(models)]
    records = [
        Record(*setting, name, task, task, "", Result("evaluated", success=True), 0.0)
        for name in names
        for task in ("a", "b")
    ]
    return Report(records, [f"{name}: a note" for name in names], setting=setting)


def test_a_table_of_twice_the_models_costs_twice_as_much(tmp_path: Path) -> None:
    def written(models: int) -> int:
        report = report_of(models)
        return calls(lambda: report.to_csv(tmp_path / f"{models}.csv", force=True))

    written(5)  # what is imported is imported once
    assert written(160) < 2.5 * written(80)


@pytest.mark.parametrize(
    ("note", "about"),
    [
        ("model-1: said", ("model-1", "said")),
        ("model-1: model-0: said", ("model-1", "model-0: said")),
        ("model-1:said", ("", "model-1:said")),
        ("other: model-1: said", ("", "other: model-1: said")),
        (": said", ("", ": said")),
        ("said", ("", "said")),
    ],
)
def test_a_note_is_about_the_model_that_it_begins_with(note: str, about: tuple[str, str]) -> None:
    assert report_of(2).about(note) == about


def test_a_note_is_about_the_longest_name_that_it_begins_with() -> None:
    setting = Setting("household", "1", "action_sequencing", "strict")
    records = [
        Record(*setting, name, "a", "a", "", Result("evaluated"), 0.0) for name in ("m", "m: n")
    ]
    report = Report(records, setting=setting)
    assert report.about("m: n: said") == ("m: n", "said")
    assert report.about("m: o: said") == ("m", "o: said")
