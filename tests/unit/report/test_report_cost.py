"""What a report costs, counted in calls of functions: the same on every machine."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from report_samples import write_records

import eai
from eai.answers import PlanReading, answer_plans
from eai.contract import write_plan
from eai.diagnosis import Result
from eai.report import Record, Report, Setting, read_records, report_of as report_from_file
from eai.suites.household import Household


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


def test_pages_of_the_same_answers_read_each_answer_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = Household()
    ids = list(suite.task_ids())[:4]
    tasks = [suite.task(name) for name in ids]
    plans = [write_plan(suite, task.plans[0]) for task in tasks]
    answers = {name: f"I do this:\n{plan}" for name, plan in zip(ids, plans, strict=True)}
    path = tmp_path / "records.jsonl"
    write_records(path, eai.evaluate(suite, {"model": answers}).records)
    read: list[str] = []
    read_with = answer_plans.read_with

    def counted(text: str, *arguments: Any) -> PlanReading:
        read.append(text)
        return read_with(text, *arguments)

    monkeypatch.setattr(answer_plans, "read_with", counted)
    answer_plans._KEPT.clear()
    pages = []
    for number in range(2):
        page = tmp_path / f"{number}.html"
        # Records from a file have no evidence, so their answers are run again.
        report_from_file(read_records(path)).to_html(page)
        pages.append(page.read_bytes())
    assert pages[0] == pages[1]
    assert sorted(read) == sorted(answers.values())


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
