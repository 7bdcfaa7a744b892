"""Rows by model and group, and Markdown."""

from __future__ import annotations

from pathlib import Path

import pytest
from report_samples import SOLVED, golden, record, sample_report

import eai
from eai.diagnosis import GOAL_KINDS, Match, Result
from eai.errors import InputError, OutputExistsError, UnknownNameError
from eai.report import Report, length_bins
from eai.report.frames import By, frame, group_records, range_text
from eai.text import markdown


def household() -> Report:
    suite = eai.suite("household")
    plans = {task: suite.task(task).plans[0] for task in suite.task_ids()[:20]}
    answers = {task: "\n".join(map(str, plan)) for task, plan in plans.items()}
    return eai.evaluate(suite, {"gold": answers, "none": {next(iter(answers)): "no"}})


@pytest.mark.parametrize("by", ["category", "goal_kind", lambda r: r.task[:5]])
def test_the_rows_of_a_model_add_up_to_its_tasks(by: By) -> None:
    report = household()
    frame = report.table(by)
    assert list(frame.index.names) == ["model", by if isinstance(by, str) else "group"]
    assert frame.groupby("model")["Tasks"].sum().to_dict() == {"gold": 76, "none": 76}
    solved = (frame["Task SR"] * frame["Tasks"] / 100).groupby("model").sum()
    assert solved["gold"] == pytest.approx(20)
    assert solved["none"] == 0


def test_excluded_tasks_are_counted_apart() -> None:
    frame = sample_report().table("category")
    assert list(frame["Tasks"]) == [4, 5]
    assert list(frame["Excluded"]) == [1, 0]


def test_groups_of_a_function_keep_their_order_and_none_is_left_out() -> None:
    records = [record(SOLVED, task=str(number)) for number in (3, 10, 7)]
    frame = Report(records).table(lambda each: int(each.task) if each.task != "7" else None)
    assert list(frame.index) == [("alpha", 3), ("alpha", 10)]
    mixed = Report(records).table(lambda each: 3 if each.task == "3" else "b")
    assert list(mixed.index) == [("alpha", 3), ("alpha", "b")]


@pytest.mark.parametrize("lengths", [[], [2], [1, 1, 1, 5], list(range(40)), [1] * 9 + [7, 30]])
def test_bins_hold_every_length_once(lengths: list[int]) -> None:
    bins = length_bins(lengths)
    assert [sum(first <= each <= last for first, last in bins) for each in lengths] == [1] * len(
        lengths
    )
    assert len(bins) <= 6


def test_what_cannot_be_grouped_is_said() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'category'"):
        sample_report().table("categories")
    with pytest.raises(InputError, match="no item belongs to a group"):
        sample_report().table(lambda _: None)


def test_the_markdown_file_is_the_stored_one(tmp_path: Path) -> None:
    sample_report().to_markdown(tmp_path / "table.md")
    text = (tmp_path / "table.md").read_text("utf-8")
    assert golden("table.md", text) == text
    with pytest.raises(OutputExistsError):
        sample_report().to_markdown(tmp_path / "table.md")


def test_markdown_shows_names_as_they_are() -> None:
    assert markdown("a|b*c*\n<img>`x` [l](u) \u202e") == (
        r"a\|b\*c\*" + r" \<img\>\`x\` \[l\](u) \<U+202E\>"
    )


def test_a_report_without_records_in_markdown(tmp_path: Path) -> None:
    Report([]).to_markdown(tmp_path / "none.md")
    assert (tmp_path / "none.md").read_text("utf-8").endswith("- There are no records.\n")


def test_intervals_are_shown_if_they_are_asked_for() -> None:
    report = sample_report()
    plain, ranged = frame(report), frame(report, with_intervals=True)
    assert set(plain.columns) < set(ranged.columns)


def test_a_bin_is_named_by_its_ends() -> None:
    assert range_text(3, 3) == "3"
    assert range_text(4, 6) == "4-6"


def test_a_group_of_goal_kinds_is_what_is_annotated() -> None:
    def of(*matches: Match) -> object:
        report = Report([record(Result("evaluated", matches=matches))])
        [groups] = group_records(report, "goal_kind").values()
        return list(groups)

    state, relation, action = GOAL_KINDS
    assert of(Match(state, 1, 0, 2), Match(relation, 0, 3, 0), Match(action, 1, 1, 0)) == [
        f"{state} + {action}"
    ]
    assert of(Match(state, 1, 0, 1), Match(relation, 0, 0, 1)) == [f"{state} + {relation}"]
