"""The leaderboard at its edges: no value, numbers beside shares, long names, published rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from eai.diagnosis import ErrorKind, Finding, Result
from eai.report import Leaderboard, Published, Record, Report
from eai.report.scoring import Metric, Ratio

SOLVED, FAILED = Result("evaluated", success=True, executable=True), Result("evaluated")
EXCLUDED, MISSING = Result("excluded"), Result("missing")


class Asked(Metric):
    """A rate over the tasks of which something is asked: here the solved ones."""

    key, label = "asked", "Asked"

    def evaluate(self, record: Record) -> bool | None:
        return record.result.executable if record.result.success else None


class Halves(Metric):
    """A rate over the two halves of each task."""

    key, label = "halves", "Halves"

    def evaluate(self, record: Record) -> Ratio:
        return Ratio(2 if record.result.success else 1, 2)


class Bonus(Metric):
    """Points for each task, which may be more than one."""

    key, label = "bonus", "Bonus"

    def evaluate(self, record: Record) -> Ratio:
        return Ratio(3 if record.result.success else 1, 1)


class Steps(Metric):
    """A mean of numbers."""

    key, label, unit = "steps", "Steps", "numbers"

    def evaluate(self, record: Record) -> float:
        return 2.5 if record.result.success else 1.5


def report(**models: list[Result]) -> Report:
    found = Report(
        Record("world", "1", "action_sequencing", "strict", model, str(n), "name", "text", result)
        for model, results in models.items()
        for n, result in enumerate(results)
    )
    return found.with_metrics([Asked(), Steps()])


def order(board: Leaderboard) -> list[str]:
    return [str(row["model"]) for row in board.rows.rows]


def test_a_model_without_a_value_stands_behind_one_with_0_percent() -> None:
    solved_but_not_run = replace(SOLVED, executable=False)
    some = report(none=[FAILED] * 3, zero=[solved_but_not_run] * 3, all=[SOLVED] * 3)
    board = Leaderboard([some], ["asked"])
    assert board.models == ("all", "zero", "none")
    assert [row["value"] for row in board.counts.rows] == [None, 0.0, 100.0]
    # The next column decides where the first does not.
    two = report(b=[FAILED, SOLVED], a=[SOLVED, FAILED], c=[SOLVED, SOLVED])
    assert Leaderboard([two], ["asked", "task_success_rate"]).models == ("c", "b", "a")


@pytest.mark.parametrize(
    ("metrics", "title"),
    [
        (["steps"], "Leaderboard"),
        (["asked"], "Leaderboard (%)"),
        (["steps", "asked"], "Leaderboard (%)"),
        (["asked", "steps"], "Leaderboard (%)"),
    ],
)
def test_any_share_makes_it_a_table_of_percent(metrics: list[str], title: str) -> None:
    assert Leaderboard([report(a=[SOLVED], b=[FAILED])], metrics).rows.title == title


@pytest.mark.parametrize(
    ("label", "lines"),
    [
        ("Asked", ["Asked"]),
        ("Asked tasks", ["Asked", "tasks"]),
        ("Asked tasks solved", ["Asked", "tasks solved"]),
        ("Tasks asked and solved", ["Tasks", "asked and solved"]),
    ],
)
def test_a_heading_has_a_line_for_each_word_of_its_setting_and_two_for_the_metric(
    label: str, lines: list[str]
) -> None:
    class Labelled(Asked):
        pass

    Labelled.label = label
    records = report(a=[SOLVED, FAILED]).records
    board = Leaderboard([Report(records).with_metrics([Labelled()])], ["asked"])
    [_, column] = board.rows.columns
    assert column.short.split("\n") == [
        "world",
        "Action",
        "Sequencing",
        *lines,
        "strict",
        "n=1",
    ]


def test_the_mean_is_over_shares_and_only_where_all_are_there() -> None:
    some = report(a=[SOLVED, FAILED], b=[FAILED, FAILED])
    board = Leaderboard([some], ["asked", "task_success_rate", "steps"], average=True)
    means = {str(row["model"]): row["average"].value for row in board.rows.rows}  # type: ignore[union-attr]
    assert means == {"a": 75.0, "b": None}
    assert [column.key for column in board.rows.columns][-1] == "average"
    alone = Leaderboard([some], ["steps"], average=True)
    assert {row["average"].value for row in alone.rows.rows} == {None}  # type: ignore[union-attr]


def test_numbers_are_not_marked_as_best() -> None:
    some = report(a=[SOLVED] * 40, b=[FAILED] * 40)
    board = Leaderboard([some], ["task_success_rate", "steps"])
    assert [(row["model"], row["metric"], row["best"]) for row in board.counts.rows] == [
        ("a", "task_success_rate", 1),
        ("b", "task_success_rate", 0),
        ("a", "steps", 0),
        ("b", "steps", 0),
    ]


@pytest.mark.parametrize(("length", "is_cut"), [(200, False), (201, True)])
def test_names_of_models_are_shown_up_to_two_hundred_characters(length: int, is_cut: bool) -> None:
    name = "m" * length
    (shown,) = order(Leaderboard([report(**{name: [SOLVED]})]))
    assert (shown != name) is is_cut
    assert shown.startswith("m" * 190)


def published(model: str = "old", value: float = 50.0, **changed: Any) -> Published:
    one = Published(model, "world", "action_sequencing", "task_success_rate", value, "strict", "P")
    return one._replace(**changed)


def test_published_rows_stand_below_and_only_in_their_columns() -> None:
    some = report(a=[SOLVED])
    rows = [
        published(),
        published(metric="asked", value=10.0),
        published("other", semantics="lenient"),
        published("lost", suite="moon"),
        published("lost", ability="goal_interpretation"),
        published("lost", metric="length"),
        published(source="Q"),
    ]
    board = Leaderboard([some], ["task_success_rate", "asked"], published=rows, average=True)
    assert order(board) == ["a", "old [P]", "other [P]", "old [Q]"]
    keys = [column.key for column in board.rows.columns[1:]]
    cells = [[row[key] for key in keys] for row in board.rows.rows[1:]]
    assert [[cell.value for cell in row] for row in cells] == [  # type: ignore[union-attr]
        [50.0, 10.0, None],
        [50.0, None, None],
        [50.0, None, None],
    ]
    marks = [row[0].mark for row in cells]  # type: ignore[union-attr]
    assert marks[0] == marks[2] == ""
    assert marks[1] != ""


def test_names_and_sources_of_published_rows_are_cut() -> None:
    some = report(a=[SOLVED])
    for name, source in (("m" * 100, "s" * 60), ("m" * 101, "s" * 61)):
        board = Leaderboard([some], published=[published(name, source=source)])
        is_whole = len(name) == 100
        assert (order(board)[1] == f"{name} [{source}]") is is_whole


def unread() -> Result:
    finding = Finding(ErrorKind.PARSING, "not read")
    return Result("evaluated", findings=(finding,))


def test_counts_name_the_setting_of_each_column() -> None:
    board = Leaderboard([report(a=[SOLVED, FAILED, MISSING, EXCLUDED])])
    (row,) = board.counts.rows
    assert (row["suite"], row["version"], row["ability"], row["semantics"]) == (
        "world",
        "1",
        "action_sequencing",
        "strict",
    )
    assert (row["counts"], row["tasks"], row["best"]) == ("1/3", 3, 0)
    low, high = row["low"], row["high"]
    assert low is not None
    assert high is not None
    assert 0 < float(str(low)) < 100 / 3 < float(str(high)) < 100  # Wilson's interval


def test_the_interval_of_no_tasks_is_none() -> None:
    board = Leaderboard([report(a=[FAILED], b=[SOLVED])], ["asked"])
    row = board.counts.rows[0]
    assert (row["model"], row["value"], row["low"], row["high"]) == ("a", None, None, None)


def test_unanswered_tasks_are_counted_from_the_fewest_to_the_most() -> None:
    some = report(a=[SOLVED] * 3, b=[SOLVED, MISSING, MISSING], c=[MISSING, SOLVED, SOLVED])
    notes = " ".join(Leaderboard([some]).rows.notes)
    assert "2 unanswered: b; 1 unanswered: c" in notes
    assert "0 unanswered" not in notes
    assert "left out" not in notes


def test_a_value_is_what_the_tasks_add_over_what_they_are_out_of() -> None:
    some = report(few=[SOLVED] * 3, many=[SOLVED] * 9 + [FAILED], none=[FAILED] * 2)
    keys = [score.key for score in some.view.scores()]
    for key, values in {
        "task_success_rate": {"few": 1.0, "many": 0.9, "none": 0.0},
        "asked": {"few": 1.0, "many": 1.0, "none": None},
        "steps": {"few": 2.5, "many": 2.4, "none": 1.5},
    }.items():
        index = keys.index(key)
        assert {name: side.value(index) for name, side in some.sides.items()} == values


@pytest.mark.parametrize("is_sampled", [False, True])
@pytest.mark.parametrize("solved", [[3, 0], [2, 1], [3, 3]])
def test_a_model_has_the_same_interval_alone_and_beside_another(
    solved: list[int], is_sampled: bool
) -> None:
    results = []
    for count in solved:
        results += [SOLVED] * count + [FAILED] * (3 - count)
    records = []
    for one in report(a=results, b=results).records:
        answer = int(one.task)
        sample = replace(one, task=str(answer // 3), epoch=answer % 3 + 1)
        records.append(sample if is_sampled else one)
    own = [Asked(), Halves(), Bonus(), Steps()]
    metrics = ["task_success_rate", "total_goal", *["pass@1", "pass@3"] * is_sampled]
    metrics += [metric.key for metric in own]
    cells = []
    for models in ({"a"}, {"a", "b"}):
        some = Report(one for one in records if one.model in models)
        rows = Leaderboard([some.with_metrics(own)], metrics).counts.rows
        cells.append([(row["metric"], row["value"], row["low"], row["high"]) for row in rows])
    assert cells[0] == cells[1][::2] == cells[1][1::2]


def test_costs_are_a_column_of_their_own_where_any_answer_states_some() -> None:
    usage = {"a": {"cost": 0.25}, "b": {"tokens": 3.0}}
    without = report(a=[SOLVED, FAILED], b=[FAILED, FAILED])
    stated = Report(replace(one, usage=usage[one.model]) for one in without.records)
    published = Published("c", "world", "action_sequencing", "task_success_rate", 50, "", "paper")
    board = Leaderboard([stated], published=[published])
    assert [column.key for column in board.rows.columns][-1] == "cost"
    assert [str(row["cost"]) for row in board.rows.rows] == ["0.5", "None", "None"]
    counts = [(row["usage.cost"], row["usage.cost.answers"]) for row in board.counts.rows]
    assert [(str(cost), answers) for cost, answers in counts] == [("0.5", 2), ("None", 0)]
    assert [row["answers"] for row in board.counts.rows] == [2, 2]
    for board in (Leaderboard([without], published=[published]), Leaderboard([without])):
        assert "cost" not in [column.key for column in board.rows.columns]
        assert not any("cost" in row for row in board.rows.rows)
        assert not any("usage.cost" in row for row in board.counts.rows)
