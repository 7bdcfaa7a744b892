"""Success by group of tasks."""

import pytest

from eai.analyses import factor_correlations, group_rates
from eai.diagnosis import Result
from eai.errors import UnknownNameError
from eai.report import Record, Report, rate_interval, wilson


def record(task: str, model: str, family: str, *, solved: bool) -> Record:
    result = Result("evaluated", success=solved, groups=(family,))
    return Record("suite", "1", "interaction", "strict", model, task, family, "", result)


REPORT = Report(
    [
        record("1", "a", "coffee", solved=True),
        record("2", "a", "coffee", solved=False),
        record("3", "a", "toast", solved=True),
        record("1", "b", "coffee", solved=False),
    ]
)


def test_one_row_for_each_group_of_a_model() -> None:
    rows = group_rates(REPORT, "a").rows
    assert [(row["group"], row["items"], row["solved"]) for row in rows] == [
        ("coffee", 2, 1),
        ("toast", 1, 1),
    ]
    low, high = rows[0]["low"], rows[0]["high"]
    assert isinstance(low, float)
    assert isinstance(high, float)
    assert (round(low), round(high)) == (9, 91)


def test_several_models_are_named_in_their_rows() -> None:
    table = group_rates(REPORT)
    assert [row["model"] for row in table.rows] == ["a", "a", "b"]
    assert "semantics strict" in table.notes[0]


def test_tasks_of_a_suite_without_groups_are_grouped_by_their_names() -> None:
    results = Result("evaluated", success=True), Result("evaluated"), Result("excluded")
    about = ("suite", "1", "action_sequencing", "strict", "a")
    records = [Record(*about, str(n), "wash", "", result) for n, result in enumerate(results)]
    table = group_rates(Report([*records, Record(*about, "9", "cook", "", results[0])]))
    rows = [(row["group"], row["items"], row["solved"]) for row in table.rows]
    assert rows == [("cook", 1, 1), ("wash", 2, 1)]
    assert "groups are categories: tasks of the same name" in table.notes


def test_an_unknown_model_is_refused() -> None:
    with pytest.raises(UnknownNameError):
        group_rates(REPORT, "c")


def sampled(*outcomes: bool, name: str = "wash") -> list[Record]:
    """Two answers to each task, of which both succeed or both fail."""
    about = ("household", "1.0", "action_sequencing", "strict", "a")
    return [
        Record(*about, f"studio-{n:02}", name, "", Result("evaluated", success=won), epoch=epoch)
        for n, won in enumerate(outcomes, 1)
        for epoch in (1, 2)
    ]


def test_tasks_are_drawn_with_all_their_answers() -> None:
    [row] = group_rates(Report(sampled(*[True, False] * 8))).rows
    assert (row["items"], row["solved"], row["%"]) == (32, 16, 50)
    bounds = [float(str(row[side])) for side in ("low", "high")]
    assert bounds == pytest.approx(wilson(8, 16), abs=4)
    # Thirty-two independent answers would have a narrower one.
    assert wilson(16, 32)[0] > bounds[0] + 3


def test_a_rate_of_all_or_nothing_has_the_interval_of_its_tasks() -> None:
    assert rate_interval([("a", True), ("a", True), ("b", True)]) == wilson(2, 2)
    assert rate_interval([("a", False), ("a", False), ("b", False)]) == wilson(0, 2)


def test_correlations_count_a_task_once() -> None:
    once = [each for each in sampled(True, False, False, True) if each.epoch == 1]
    twice = factor_correlations(Report(sampled(True, False, False, True)), "household")
    assert twice.rows == factor_correlations(Report(once), "household").rows
