"""The analyses of the appendix, on small records made by hand."""

import io
import math
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import call
from rich.console import Console

from eai.analyses import (
    compare_pipeline,
    dataset_statistics,
    error_breakdown,
    factor_correlations,
    factor_rates,
    part_rates,
)
from eai.diagnosis import Condition, ErrorKind, Finding, Result
from eai.errors import InputError, UnknownNameError
from eai.evaluation import evaluate
from eai.report import Record, Report
from eai.suites.household import Household, samples
from eai.table import Table

GOAL = Condition("state", "on(lamp)", met=True)
SOLVED = Result(
    "evaluated",
    success=True,
    executable=True,
    plan=("walk(lamp)",),
    executed=("done",),
    goals=(GOAL,),
)
FAILED = Result(
    "evaluated",
    plan=("walk(lamp)", "switchon(lamp)"),
    executed=("done", "failed"),
    findings=(
        Finding(ErrorKind.MISSING_STEP, "no plug", step=2),
        Finding(ErrorKind.MISSING_STEP, "no hand", step=2),
    ),
    goals=(replace(GOAL, met=False),),
)


def report(*results: Result, model: str = "m", ability: str = "action_sequencing") -> Report:
    return Report(
        Record("household", "1", ability, "strict", model, f"t{number}", "name", "", result)
        for number, result in enumerate(results)
    )


@pytest.fixture(scope="module")
def evaluated() -> Report:
    return evaluate("household", samples())


def cells(table: Table, **where: object) -> list[dict[str, object]]:
    return [
        dict(row) for row in table.rows if all(row[key] == value for key, value in where.items())
    ]


# ---- errors


def test_an_item_with_two_errors_of_a_kind_is_one_item() -> None:
    [row] = error_breakdown(report(SOLVED, FAILED)).rows
    assert (row["kind"], row["items"], row["occurrences"]) == ("missing_step", 1, 2)
    assert row["% of items"] == 50.0
    assert row["examples"] == "t1 step 2: no plug"


def test_excluded_items_are_not_counted() -> None:
    [row] = error_breakdown(report(FAILED, Result("excluded"))).rows
    assert row["% of items"] == 100.0


def test_an_unknown_model_is_an_error() -> None:
    with pytest.raises(UnknownNameError):
        error_breakdown(report(FAILED), "nobody")


# ---- pipeline


def test_only_tasks_of_both_reports_are_compared() -> None:
    table = compare_pipeline(report(SOLVED, SOLVED, FAILED), report(SOLVED, FAILED))
    [success] = cells(table, metric="Task SR")
    assert (success["M"], success["P"], success["P - M"]) == (100.0, 50.0, -50.0)
    [only] = cells(table, metric="Tasks that only this one solves")
    assert (only["M"], only["P"]) == (1, 0)
    assert table.notes == ("m: 2 tasks evaluated in both",)


def test_reports_of_different_abilities_are_not_compared() -> None:
    with pytest.raises(InputError, match="different runs"):
        compare_pipeline(report(SOLVED), report(SOLVED, ability="subgoal_decomposition"))


def test_reports_without_a_common_model_are_not_compared() -> None:
    with pytest.raises(InputError, match="no model in common"):
        compare_pipeline(report(SOLVED), report(SOLVED, model="other"))


# ---- factors


def test_longer_plans_succeed_less_often(evaluated: Report) -> None:
    table = factor_correlations(evaluated, Household())
    lengths = cells(table, factor="reference plan length")
    # Each model for itself: three answers to a task are not three tasks.
    assert [(row["model"], row["items"]) for row in lengths] == [(m, 76) for m in evaluated.models]
    assert "not independent" in table.notes[0]
    assert isinstance(lengths[0]["point-biserial r"], float)
    assert -1 < lengths[0]["point-biserial r"] < 0


def test_the_correlation_is_that_of_the_formula(evaluated: Report) -> None:
    suite = Household()
    model = evaluated.models[0]
    xs = [len(suite.task(record.task).plans[0]) for record in evaluated.of(model)]
    ys = [int(record.result.success) for record in evaluated.of(model)]
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    covariance = sum((x - mx) * (y - my) for x, y in zip(xs, ys, strict=True))
    spread = math.sqrt(sum((x - mx) ** 2 for x in xs) * sum((y - my) ** 2 for y in ys))
    table = factor_correlations(evaluated, suite, model=model)
    [found] = cells(table, factor="reference plan length")
    assert found["point-biserial r"] == pytest.approx(covariance / spread)


def test_rates_of_a_factor_cover_all_items(evaluated: Report) -> None:
    rows = cells(factor_rates(evaluated, Household()), factor="goal conditions")
    for model in evaluated.models:
        assert sum(int(str(row["items"])) for row in rows if row["model"] == model) == 76


def test_a_report_about_another_suite_is_refused() -> None:
    other = Report([Record("other", "1", "a", "strict", "m", "t", "n", "", SOLVED)])
    with pytest.raises(InputError, match="about the suite 'other'"):
        factor_rates(other, Household())


def test_actions_and_predicates_have_their_own_rates() -> None:
    table = part_rates(report(SOLVED, FAILED))
    assert cells(table, name="walk")[0]["success %"] == 100.0
    assert cells(table, name="switchon")[0] == {
        "part": "action",
        "name": "switchon",
        "tried": 1,
        "done": 0,
        "success %": 0.0,
    }
    assert cells(table, part="goal predicate", name="on")[0]["success %"] == 50.0


# ---- statistics and renderings


def test_statistics_count_tasks_goals_and_steps() -> None:
    table = dataset_statistics(Household())
    found = {row["what"]: row["number"] for row in table.rows}
    assert found["instructions"] == 76
    assert found["goal conditions"] == sum(
        int(str(found[f"- {kind}"])) for kind in ("state", "relation", "action")
    )


def test_a_table_is_shown_in_every_form(tmp_path: Path) -> None:
    table = Table("A <title>", [{"a": "<b>", "b": 0.5, "c": None}], ("a note",))
    console = Console(record=True, width=80, file=io.StringIO())
    console.print(table)
    shown = console.export_text()
    assert "<b>" in shown
    assert "0.500" in shown
    assert "a note" in shown
    assert "&lt;b&gt;" in table._repr_html_()
    assert table.table().attrs["title"] == "A <title>"
    table.to_csv(tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text() == "a,b,c\n<b>,0.5000,\n"


@pytest.mark.heavy
def test_every_analysis_has_a_command(tmp_path: Path) -> None:
    evaluate("household", samples()[:1], output=tmp_path / "run")
    run = str(tmp_path / "run")
    for arguments in (
        ["errors", run],
        ["factors", run],
        ["parts", run],
        ["pipeline", run, run],
        ["statistics", "household"],
    ):
        result = call("analyze", *arguments)
        assert result.exit_code == 0, (arguments, result.output)
        assert result.output.strip()
