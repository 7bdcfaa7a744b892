"""The leaderboard: rows, marks, conditions, and what other programs read of it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from docs_pages import ROOT
from needs import package

import eai
from eai.contract import extension, needed_extension
from eai.diagnosis import Condition, ErrorKind, Finding, Match, Result
from eai.errors import InputError, UnknownNameError
from eai.evaluation.overview import Overview
from eai.report import Leaderboard, Published, Record, Report, merged, read_published
from eai.report.scoring import Metric
from eai.table import plain

SOLVED, FAILED = Result("evaluated", success=True, executable=True), Result("evaluated")


def report(ability: str, semantics: str = "strict", **models: list[Result]) -> Report:
    return Report(
        Record("world", "1", ability, semantics, model, str(n), "name", "text", result)
        for model, results in models.items()
        for n, result in enumerate(results)
    )


def plans(**solved: int) -> Report:
    """Of each model so many of 40 tasks are solved."""
    models = {name: [SOLVED] * n + [FAILED] * (40 - n) for name, n in solved.items()}
    return report("action_sequencing", "strict", **models)


def shown(board: Leaderboard) -> dict[str, list[str]]:
    keys = [column.key for column in board.rows.columns[1:]]
    return {
        str(row["model"]): [row[key].text() for key in keys]  # type: ignore[union-attr]
        for row in board.rows.rows
    }


def test_models_stand_in_the_order_of_the_first_column() -> None:
    board = Leaderboard([plans(low=4, high=40, middle=20)])
    assert shown(board) == {"high": ["100.0*"], "middle": ["50.0"], "low": ["10.0"]}


def test_the_best_are_marked_only_if_another_is_significantly_worse() -> None:
    assert shown(Leaderboard([plans(a=21, b=20)])) == {"a": ["52.5"], "b": ["50.0"]}
    assert shown(Leaderboard([plans(a=40, b=39, c=2)])) == {
        "a": ["100.0*"],
        "b": ["97.5*"],  # not significantly worse
        "c": ["5.0"],
    }
    assert shown(Leaderboard([plans(alone=40)])) == {"alone": ["100.0"]}


def test_each_ability_has_its_headline_metric_and_its_conditions() -> None:
    goals = report(
        "goal_interpretation",
        "official (v1)",
        a=[Result("evaluated", matches=(Match("state", 1, 1, 0),))],
    )
    board = Leaderboard([plans(a=40), goals])
    assert shown(board)["a"] == ["100.0", "66.7"]
    assert [column.label for column in board.rows.columns[1:]] == [
        "action sequencing, Task SR (strict, n=40)",
        "goal interpretation, Overall F1 (official, n=1)",
    ]
    assert [column.key for column in Leaderboard([goals], ["exact_match"]).rows.columns] == [
        "model",
        "world goal_interpretation exact_match",
    ]


def test_n_counts_goal_conditions_where_a_score_is_out_of_them() -> None:
    goals = (Condition("state", "on(a)", True), Condition("state", "on(b)", False))
    result = Result("evaluated", goals=goals)
    for key, size in {"task_success_rate": "n = 3", "total_goal": "n = 6"}.items():
        board = Leaderboard([report("action_sequencing", a=[result] * 3)], [key])
        assert size in board.latex()
        assert size.replace(" ", "") in board.rows.columns[1].label
        assert board.counts.rows[0]["tasks"] == 3


def test_an_ability_is_named_once_where_its_unanswered_tasks_are_counted() -> None:
    missing = report("action_sequencing", a=[Result("missing")] * 2 + [SOLVED])
    board = Leaderboard([missing], ["task_success_rate", "execution_success_rate", "total_goal"])
    [note] = [line for line in board.latex().splitlines() if "Unanswered" in line]
    assert note.partition("Unanswered")[2].count("world action sequencing") == 1


def test_there_is_no_mean_unless_it_is_asked_for() -> None:
    reports = [plans(a=40, b=20), report("subgoal_decomposition", a=[FAILED])]
    assert shown(Leaderboard(reports))["a"] == ["100.0*", "0.0"]
    asked = shown(Leaderboard(reports, average=True))
    assert asked["a"] == ["100.0*", "0.0", "50.0"]
    assert asked["b"] == ["50.0", "-", "-"]  # none over some of the columns


def test_runs_under_the_same_conditions_share_a_column() -> None:
    other = plans(a=4, c=30)
    strange = report("action_sequencing", "official", a=[SOLVED])
    [first, second] = merged([plans(a=40, b=20), other, strange])
    assert first.models == ("a", "b", "a (2)", "c")
    assert second.models == ("a",)


def test_what_was_printed_elsewhere_stands_below_and_is_marked() -> None:
    same = Published(
        "x", "world", "action_sequencing", "task_success_rate", 70, "strict", "Paper 1"
    )
    board = Leaderboard([plans(a=40)], published=[same, same._replace(model="y", semantics="")])
    assert shown(board) == {"a": ["100.0"], "x [Paper 1]": ["70.0"], "y [Paper 1]": ["70.0†"]}
    assert any("not comparable" in note for note in board.rows.notes)


def test_printed_numbers_are_read_from_csv(tmp_path: Path) -> None:
    path = tmp_path / "printed.csv"
    path.write_text("model,suite,ability,metric,value,semantics,source\nx,w,a,m,70.5,strict,P\n")
    assert read_published(path) == [Published("x", "w", "a", "m", 70.5, "strict", "P")]
    path.write_text("model,value\nx,70\n")
    with pytest.raises(InputError, match="no column 'suite'"):
        read_published(path)
    path.write_text("model,suite,ability,metric,value,semantics,source\nx,w,a,m,high,,P\n")
    with pytest.raises(InputError, match=r"printed.csv:2"):
        read_published(path)


def test_an_unknown_metric_and_nothing_at_all_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="no metric named 'oops'"):
        str(Leaderboard([plans(a=40)], ["oops"]))
    with pytest.raises(InputError, match="nothing to rank"):
        str(Leaderboard([]))


def test_a_narrow_terminal_has_all_columns_and_says_where_the_intervals_are() -> None:
    reports = [plans(a=40)] + [replace_ability(plans(a=n), f"ability_{n}") for n in range(1, 8)]
    board = Leaderboard(reports)
    narrow, wide = board.fitting(80), board.fitting(200)
    assert len(narrow.columns) == len(wide.columns) == 1 + 8
    assert narrow.notes[0].startswith("No intervals are shown: with them the 8")
    needed = int(re.search(r"need (\d+)", narrow.notes[0])[1])  # type: ignore[index]
    assert board.fitting(needed) == wide
    text = plain([board], width=80)
    assert all(len(line) <= 80 for line in text.splitlines())
    assert all(f" {2.5 * n:.1f}" in text for n in range(1, 8))


def replace_ability(given: Report, ability: str) -> Report:
    return Report(replace(record, ability=ability) for record in given.records)


def test_the_data_frame_has_a_column_for_each_metric() -> None:
    package("pandas", extra="pandas")
    frame = Leaderboard([plans(a=4, b=40)]).table()
    assert list(frame.index) == ["b", "a"]
    assert frame["world", "action_sequencing", "strict", "task_success_rate"].tolist() == [
        100.0,
        10.0,
    ]


def test_files(tmp_path: Path) -> None:
    board = Leaderboard([plans(a_b=40, c=4)])
    for kind in ("csv", "markdown", "html", "latex"):
        getattr(board, f"to_{kind}")(tmp_path / kind)
    lines = (tmp_path / "csv").read_text().splitlines()
    assert (
        lines[0] == "model,suite,version,ability,semantics,metric,value,low,high,counts,tasks,best"
    )
    assert lines[1].startswith("a_b,world,1,action_sequencing,strict,task_success_rate,100.0000,")
    assert lines[1].endswith(",40/40,40,1")
    assert r"| a\_b | 100.0\* (91.2-100.0) |" in (tmp_path / "markdown").read_text()
    assert "<b>100.0*</b>" in (tmp_path / "html").read_text()


def test_a_report_without_records_names_no_empty_suite() -> None:
    assert str(Report([])).splitlines()[0].startswith("Evaluated by eai ")


def published(name: str) -> list[Published]:
    suite = eai.suite(name)
    return [*needed_extension("eai.published", suite)(suite)]


def test_suites_bring_what_was_printed_of_them() -> None:
    rows = published("virtualhome")
    plans = ("GPT-4o", "virtualhome", "action_sequencing", "task_success_rate")
    assert [row.value for row in rows if row[:4] == plans] == [71.5]
    printed = json.loads(
        (ROOT / "benchmarks" / "agreement" / "paper_tables_printed.json").read_text()
    )
    for name in ("virtualhome", "behavior"):
        tables = [t for t in printed["tables"] if t["table"] == 3 and t["suite"] == name]
        expected = {
            (model, table["ability"], key): value
            for table in tables
            for model, values in table["rows"].items()
            for key, value in zip(table["columns"], values, strict=True)
            if value is not None
        }
        brought = {(r.model, r.ability, r.metric): r.value for r in published(name)}
        assert brought == expected
    assert extension("eai.published", eai.suite("household")) is None
    assert {row.suite for row in published("eb-alfred")} == {"eb-alfred"}


def test_printed_numbers_of_other_conditions_are_not_comparable() -> None:
    record = Record(
        "virtualhome",
        "1",
        "action_sequencing",
        "official (eai-eval 1.0.5)",
        "a",
        "1",
        "n",
        "",
        SOLVED,
    )
    run = Overview({"virtualhome": {"action_sequencing": Report([record])}})
    found = shown(run.leaderboard(published="suite"))
    assert found["a"] == ["100.0"]
    assert found["GPT-4o [Li et al. 2024, Table 3]"] == ["71.5†"]


def columns(board: Leaderboard) -> list[str]:
    return [column.key for column in board.rows.columns]


def test_the_legend_explains_stars_only_where_there_are_some() -> None:
    ties, apart = Leaderboard([plans(a=21, b=20)]), Leaderboard([plans(a=40, b=2)])
    assert "*" not in ties.rows.notes[0]
    assert apart.rows.notes[0].startswith("* ")


def test_notes_say_how_the_mean_was_made_and_what_numbers_are_out_of() -> None:
    reports = [plans(a=40), report("subgoal_decomposition", a=[FAILED])]
    metrics = ["task_success_rate", "total_goal"]
    plain, mean = Leaderboard(reports, metrics), Leaderboard(reports, metrics, average=True)
    assert len(mean.rows.notes) == len(plain.rows.notes) + 1
    assert set(plain.rows.notes) < set(mean.rows.notes)
    notes = [line for line in plain.latex().splitlines() if ", n = " in line]
    assert ["conditions" in line for line in notes] == ["total_goal" in line for line in notes]


def test_a_mean_stands_behind_all_columns_in_print_too() -> None:
    goals = report("subgoal_decomposition", a=[FAILED])
    board = Leaderboard([plans(a=40), goals], average=True)
    assert columns(board)[-1] == "average"
    plain_board = Leaderboard([plans(a=40), goals])
    ampersands = [
        max(line.count("&") for line in each.latex().splitlines()) for each in (board, plain_board)
    ]
    assert ampersands == [3, 2]


def counted_sizes(*metrics: str) -> str:
    goals = (Condition("state", "on(a)", True), Condition("state", "on(b)", False))
    result = Result("evaluated", goals=goals)
    board = Leaderboard([report("action_sequencing", a=[result] * 3)], metrics)
    [line] = [line for line in board.latex().splitlines() if "n: number of" in line]
    return line.partition("n: number of")[2]


def test_n_is_explained_by_what_it_counts() -> None:
    tasks = counted_sizes("task_success_rate")
    conditions = counted_sizes("total_goal", "state_goal")
    both = counted_sizes("task_success_rate", "total_goal")
    assert "condition" not in tasks
    assert "tasks" not in conditions.partition(".")[0]
    assert "condition" in both
    assert "tasks" in both
    assert "Total Goal" in both


def conditions_of(*reports: Report) -> list[tuple[str, str]]:
    text = Leaderboard(list(reports)).latex()
    found = re.findall(r"([\w ,]+): semantics (\w+)", text.replace("\\", ""))
    return [(of.strip(), semantics) for of, semantics in found]


def test_a_suite_is_named_once_unless_its_abilities_differ_in_semantics() -> None:
    goals = report("goal_interpretation", "strict", a=[SOLVED])
    assert conditions_of(plans(a=4), goals) == [("world", "strict")]
    other = report("goal_interpretation", "official", a=[SOLVED])
    assert conditions_of(plans(a=4), other) == [
        ("world action sequencing", "strict"),
        ("world goal interpretation", "official"),
    ]


@pytest.mark.parametrize("name", ["a", "m" * 22, "m" * 40])
def test_a_table_needs_twelve_characters_for_each_column(name: str) -> None:
    models = {name: 40}
    board = Leaderboard([plans(**models), replace_ability(plans(**models), "other")])
    needed = max(1, min(22, len(name))) + 12 * 2
    assert board.fitting(needed).notes == board.rows.notes
    narrow = board.fitting(needed - 1)
    assert len(narrow.notes) == len(board.rows.notes) + 1
    assert not any(column.ranged for column in narrow.columns)
    assert str(needed) in narrow.notes[0]


def test_a_model_over_other_tasks_is_marked_with_their_number() -> None:
    records = [
        *report("action_sequencing", a=[SOLVED] * 4, b=[SOLVED] * 4).records,
        *report("action_sequencing", few=[SOLVED] * 2).records,
    ]
    board = Leaderboard([Report(records)])
    assert shown(board)["few"] == ["100.0†"]
    assert shown(board)["a"] == ["100.0"]
    [note] = [note for note in board.rows.notes if note.startswith("†")]
    assert "few (n = 2)" in note
    assert "a (n" not in note
    assert {row["model"]: row["tasks"] for row in board.counts.rows} == {"a": 4, "b": 4, "few": 2}
    assert "n=2-4" in board.rows.columns[1].label


def test_tasks_that_are_left_out_are_counted_where_models_differ_in_them() -> None:
    excluded = Result("excluded")
    alike = report("action_sequencing", a=[SOLVED, excluded], b=[FAILED, excluded])
    assert not any("left out" in note for note in Leaderboard([alike]).rows.notes)
    apart = report(
        "action_sequencing", a=[SOLVED] * 3, b=[SOLVED] * 3, c=[SOLVED, excluded, Result("missing")]
    )
    [note] = [note for note in Leaderboard([apart]).rows.notes if "left out" in note]
    assert "(1 unanswered: c; 1 left out: c)." in note


class Asked(Metric):
    """A rate over the tasks with an even number."""

    key, label = "asked", "Asked"

    def evaluate(self, record: Record) -> bool | None:
        return record.result.success if int(record.task) % 2 == 0 else None


def test_a_rate_over_some_tasks_is_out_of_these() -> None:
    found = report("action_sequencing", a=[SOLVED] * 5).with_metrics([Asked()])
    rows = Leaderboard([found], ["asked", "total_goal"]).counts.rows
    assert [row["tasks"] for row in rows] == [3, 5]
    assert rows[0]["counts"] == "3/3"


def test_long_names_of_marked_models_are_cut() -> None:
    name = "m" * 61
    records = report("action_sequencing", a=[SOLVED] * 4, b=[SOLVED] * 4).records
    for length in (60, 61):
        other = [replace(records[0], model=name[:length])]
        notes = Leaderboard([Report([*records, *other])]).rows.notes
        [note] = [note for note in notes if note.startswith("†")]
        assert (f"{'m' * length} (n = 1)" in note) is (length == 60)
        assert "m" * 60 in note


def test_print_has_a_comment_on_each_column_and_on_nothing_else() -> None:
    goals = report("subgoal_decomposition", a=[FAILED, SOLVED])
    for boards in ([plans(a=40, b=2)], [plans(a=40, b=2), goals]):
        board = Leaderboard(boards)
        comments = [line for line in board.latex().splitlines() if line.startswith("% world")]
        assert len(comments) == len(boards)
        for line, each in zip(comments, boards, strict=True):
            assert each.setting.ability.replace("_", "") in re.sub(r"[\\_ ]", "", line)


def test_reports_that_are_put_together_are_shown_as_the_first_of_them() -> None:
    asked = plans(a=4).with_metrics([Asked()])
    [both] = merged([asked, plans(b=3)])
    assert both.models == ("a", "b")
    assert "asked" in [score.key for score in both.view.scores()]
    [other] = merged([plans(b=3), asked])
    assert "asked" not in [score.key for score in other.view.scores()]
    [alone] = merged([asked])
    assert alone is asked


def test_answers_that_were_not_read_are_told_where_they_count_in_no_rate() -> None:
    unread = Result("excluded", findings=(Finding(ErrorKind.PARSING, "odd"),))
    read = report("action_sequencing", a=[SOLVED] * 3, b=[SOLVED] * 3)
    assert not [note for note in Leaderboard([read]).rows.notes if "could not be read" in note]
    some = report("action_sequencing", a=[SOLVED] * 3, b=[SOLVED, unread, unread])
    [note] = [note for note in Leaderboard([some]).rows.notes if "could not be read" in note]
    assert "b (read 1 of 3)" in note
    assert "a (" not in note
