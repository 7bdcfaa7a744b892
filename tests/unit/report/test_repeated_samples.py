"""Several answers to each task: rates over samples, ranges over tasks, and pass@k."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from report_samples import SOLVED, STOPPED, record

from eai.diagnosis import Measure, Result
from eai.errors import InputError, UnknownNameError
from eai.report import Record, Report


def sampled(right: dict[str, list[bool]], model: str = "alpha") -> list[Record]:
    """Return a record for each answer to each task."""
    return [
        replace(record(SOLVED if solved else STOPPED, task=task, model=model), epoch=epoch)
        for task, solutions in right.items()
        for epoch, solved in enumerate(solutions)
    ]


HALF = {"t1": [True, False], "t2": [True, True], "t3": [False, False], "t4": [False, True]}


def test_rates_are_over_samples_and_their_ranges_over_tasks() -> None:
    report = Report(sampled(HALF))
    scores = {score.key: score for score in report.metrics("alpha")}
    solved = scores["task_success_rate"]
    assert (solved.numerator, solved.denominator, solved.unit) == (4, 8, "samples")
    assert solved.counts == "4/8"
    assert solved.interval == solved.bounds
    assert solved.interval is not None
    low, high = solved.interval
    assert low < 50 < high
    assert scores["wrong_order"].unit == "occurrences"
    assert scores["wrong_order"].interval is None
    assert report.metrics("alpha") == report.metrics("alpha")


def test_tasks_that_are_all_alike_have_no_range() -> None:
    alike = Report(sampled({f"t{number}": [True, False] for number in range(4)}))
    assert {each.interval for each in alike.metrics("alpha") if each.unit == "samples"} <= {
        None,
        (50.0, 50.0),
        (0.0, 0.0),
        (100.0, 100.0),
    }


def test_pass_at_k_is_the_chance_that_one_of_k_answers_is_right() -> None:
    scores = {score.key: score for score in Report(sampled(HALF)).metrics("alpha")}
    assert scores["pass@1"].value == pytest.approx(50.0)
    assert scores["pass@2"].value == pytest.approx(75.0)
    assert scores["pass@1"].counts == scores["pass@2"].counts == "4 tasks"
    assert scores["pass@2"].interval is None
    three = {"t1": [True, False, False], "t2": [True, True, False], "t3": [False] * 3}
    scores = {score.key: score for score in Report(sampled(three)).metrics("alpha")}
    assert scores["pass@3"].value == pytest.approx(100 * 2 / 3)
    assert "pass@2" not in scores


def test_k_is_what_all_models_have() -> None:
    three = {task: [*solved, True] for task, solved in HALF.items()}
    report = Report([*sampled(HALF), *sampled(three, "beta")])
    assert (report.samples("alpha"), report.samples("beta")) == (2, 3)
    keys = [score.key for score in report.metrics("beta")]
    assert [key for key in keys if key.startswith("pass")] == ["pass@1", "pass@2"]
    uneven = Report(sampled({"t1": [True, True, True], "t2": [True, False]}))
    assert uneven.samples("alpha") == 2


def test_one_answer_to_each_task_has_no_pass_at_k() -> None:
    once = {task: solved[:1] for task, solved in HALF.items()}
    report = Report([*sampled(once), *sampled(HALF, "beta")])
    keys = {score.key for score in report.metrics("alpha")}
    assert keys == {score.key for score in report.metrics("beta")}
    assert {key for key in keys if key.startswith("pass")} == {"pass@1", "pass@2"}
    assert report.samples("alpha") == 1
    assert {s.unit for s in report.metrics("alpha")} == {
        "tasks",
        "conditions",
        "occurrences",
        "means",
    }
    alone = Report(sampled(once))
    assert not any(score.key.startswith("pass") for score in alone.metrics("alpha"))


def test_excluded_answers_are_no_samples_of_pass_at_k() -> None:
    records = sampled(HALF)
    records[0] = replace(records[0], result=Result("excluded"))
    scores = {score.key: score for score in Report(records).metrics("alpha")}
    assert scores["pass@1"].value == pytest.approx(100 * (0 + 1 + 0 + 0.5) / 4)
    assert scores["pass@2"].counts == "3 tasks"
    assert scores["pass@2"].value == pytest.approx(100 * 2 / 3)


def test_two_records_of_one_answer_are_refused() -> None:
    records = sampled(HALF)
    with pytest.raises(InputError):
        Report([*records, records[-1]])
    assert Report([*records, replace(records[-1], epoch=2)]).samples("alpha") == 2


def path_goal(*amounts: int | None) -> Report:
    return Report(
        record(
            replace(SOLVED, measures=() if amount is None else (Measure("path_goal", amount, 1),)),
            task=f"t{number}",
        )
        for number, amount in enumerate(amounts)
    )


def test_path_goals_are_a_metric_of_the_tasks_that_have_one() -> None:
    scores = {score.key: score for score in path_goal(1, 0, None, 1).metrics("alpha")}
    found = scores["path_goal"]
    assert (found.numerator, found.denominator, found.unit) == (2, 3, "tasks")
    assert "path_goal" not in {score.key for score in path_goal(None, None).metrics("alpha")}


@pytest.mark.parametrize("name", ["beta", None, 3])
def test_a_model_that_is_not_there_is_refused_everywhere(name: str) -> None:
    report = Report(sampled(HALF))
    for ask in (report.of, report.samples, report.tally, report.metrics, report.official_summary):
        with pytest.raises(UnknownNameError):
            ask(name)


@pytest.mark.parametrize(
    ("note", "about"),
    [
        ("alpha: no answers", ("alpha", "no answers")),
        ("alpha: 2: no answers", ("alpha: 2", "no answers")),
        ("alpha: no: answers", ("alpha", "no: answers")),
        ("beta: no answers", ("", "beta: no answers")),
        ("alpha no answers", ("", "alpha no answers")),
        (": alpha: x", ("", ": alpha: x")),
    ],
)
def test_a_note_is_about_the_model_that_it_begins_with(note: str, about: tuple[str, str]) -> None:
    report = Report([*sampled(HALF), *sampled(HALF, "alpha: 2")], notes=[note, "of all"])
    assert report.about(note) == about
    assert report.notes_of("alpha") == [
        each for each in (note, "of all") if report.about(each)[0] in ("", "alpha")
    ]


def test_what_is_no_report_is_refused() -> None:
    for wrong in ("run.jsonl", 3, [*sampled(HALF), 3]):
        with pytest.raises(InputError):
            Report(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("models", "denominator"),
    [
        ({"alpha": HALF}, "n = 4 tasks, with 2 samples each"),
        ({"alpha": {"t1": [True], "t2": [False]}}, "n = 2 tasks ("),
        (
            {"alpha": HALF, "beta": {name: [*right, True] for name, right in HALF.items()}},
            "n = 4 tasks, with 2 to 3 samples each",
        ),
    ],
)
def test_tables_for_papers_count_tasks_and_samples_apart(
    tmp_path: Path, models: dict[str, dict[str, list[bool]]], denominator: str
) -> None:
    records = [one for name, right in models.items() for one in sampled(right, model=name)]
    path = tmp_path / "tables.tex"
    Report(records).to_latex(path)
    assert denominator in path.read_text("utf-8")
