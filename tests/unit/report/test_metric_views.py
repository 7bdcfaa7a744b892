"""What reports show of the abilities that compare an answer with the ground truth."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

import eai
from eai.diagnosis import Condition, ErrorKind, Finding, Match, Result, RuleVerdict
from eai.report import Record, Report, Tally, record_from_json, record_to_json, view_of
from eai.report.aggregate import tally
from eai.report.metrics.matches import INTERPRETED_GOALS, OPERATORS
from eai.report.metrics.plans import ANSWERS, PLANS
from eai.report.rule_counts import rule_counts
from eai.report.scoring import RulesKept, SafeSuccess
from eai.report.tables import markdown_text

GOALS = Result("evaluated", matches=(Match("state", 3, 1, 0), Match("relation", 1, 0, 3)))
CREDITED_TWICE = Result("evaluated", matches=(Match("action", 2, 0, -1),))
OPERATOR = Result(
    "evaluated",
    success=True,
    matches=(Match("object_states", 2, 0, 2), Match("spatial_relations", 2, 2, 0)),
    groups=("object_states", "spatial_relations"),
    outcome="solved",
)
UNREADABLE = Result("evaluated", findings=(Finding(ErrorKind.PARSING, "this is no JSON"),))


def record(result: Result, ability: str, task: str = "1") -> Record:
    return Record("suite", "1", ability, "strict", "model", task, "name", "text", result)


def values(results: list[Result], ability: str) -> dict[str, float | None]:
    return {m.key: m.value for m in view_of(ability).metrics(tally(results))}


def test_precision_recall_and_f1_of_a_kind() -> None:
    found = values([GOALS], "goal_interpretation")
    assert (found["state_precision"], found["state_recall"]) == (75.0, 100.0)
    assert found["relation_f1"] == pytest.approx(100 * 2 / 5)
    assert found["action_precision"] is None


@pytest.mark.parametrize(
    ("matches", "numbers"),
    [
        ((Match("state", 3, 1, 0), Match("relation", 1, 0, 3)), [7, 3, 4, 0]),
        ((Match("action", 0, 2, 1),), [1, 0, 0, 1]),
        ((), [0, 0, 0, 0]),
    ],
)
def test_annotated_conditions_are_those_that_were_found_or_missed(
    matches: tuple[Match, ...], numbers: list[int]
) -> None:
    basis = INTERPRETED_GOALS.basis(tally([Result("evaluated", matches=matches)]))
    assert [int(number) for number in re.findall(r"\d+", basis)] == numbers


def test_kinds_and_tasks_are_averaged_by_their_counts() -> None:
    found = values([GOALS, GOALS], "goal_interpretation")
    assert found["overall_precision"] == pytest.approx(100 * 8 / 10)
    assert found["overall_recall"] == pytest.approx(100 * 8 / 14)


def test_a_goal_credited_twice_is_a_negative_miss_and_is_kept() -> None:
    counts = tally([CREDITED_TWICE])
    assert counts.fn == {"action": -1}
    assert (counts + tally([GOALS])).fn == {"action": -1, "relation": 3}


def test_an_unreadable_answer_is_counted_as_such() -> None:
    assert values([GOALS, UNREADABLE], "goal_interpretation")["parsing"] == 50.0


def test_planner_success_counts_a_task_in_each_of_its_categories() -> None:
    failed = replace(OPERATOR, success=False, groups=("object_states",), outcome="unsolvable")
    found = values([OPERATOR, failed], "transition_modeling")
    assert found["planner_object_states"] == 50.0
    assert found["planner_overall"] == pytest.approx(100 * 2 / 3)
    assert found["planner_tasks"] == 50.0


def test_how_the_searches_ended_is_said() -> None:
    assert "1 solved" in OPERATORS.basis(tally([OPERATOR]))


@pytest.mark.parametrize("ability", ["goal_interpretation", "transition_modeling"])
def test_every_column_is_a_metric_and_every_metric_has_a_heading(ability: str) -> None:
    view = view_of(ability)
    metrics = view.metrics(Tally())
    assert len({metric.key for metric in metrics}) == len(metrics)
    assert len({metric.label for metric in metrics}) == len(metrics)
    assert {column.key for table in view.tables for column in table.columns} <= {
        metric.key for metric in metrics
    }
    assert list(dict.fromkeys(metric.group for metric in metrics)) == list(view.groups)


@pytest.mark.parametrize(
    ("ability", "result"), [("goal_interpretation", GOALS), ("transition_modeling", OPERATOR)]
)
def test_a_report_is_rendered_in_every_form(ability: str, result: Result, tmp_path: Path) -> None:
    report = Report([record(result, ability)])
    assert "66.7" in str(report)  # overall F1 of both
    report.to_csv(tmp_path / "a.csv")
    assert "overall_f1" in (tmp_path / "a.csv").read_text()
    report.to_latex(tmp_path / "a.tex")
    assert r"\multicolumn{3}{c}{Overall} \\" in (tmp_path / "a.tex").read_text()
    report.to_html(tmp_path / "a.html")
    assert "Overall F1" in (tmp_path / "a.html").read_text()
    assert report.table().loc["model", "Overall F1"] == pytest.approx(200 / 3)


def test_the_summary_nests_by_kind() -> None:
    assert INTERPRETED_GOALS.summary(tally([GOALS]))["state"] == {
        "precision": 75.0,
        "recall": 100.0,
        "f1": 85.7143,
    }


def test_a_record_with_matches_is_read_back() -> None:
    for result in (CREDITED_TWICE, OPERATOR):
        written = record(result, "transition_modeling")
        assert record_from_json(record_to_json(written)) == written


def test_redundant_steps_of_subgoals_count_tasks_and_those_of_plans_count_steps() -> None:
    twice = Result("evaluated", findings=(Finding(ErrorKind.ADDITIONAL_STEP, "again", step=1),) * 2)
    assert values([twice, twice], "action_sequencing")["additional_step"] == 200.0
    assert values([twice, twice], "subgoal_decomposition")["additional_step"] == 100.0
    uncounted = replace(twice, findings=tuple(replace(f, times=0) for f in twice.findings))
    assert values([twice, uncounted], "subgoal_decomposition")["additional_step"] == 50.0
    summary = view_of("subgoal_decomposition").summary(tally([twice]))
    assert summary["trajectory_evaluation"]["runtime_error"] == {
        "wrong_order": 0.0,
        "missing_step": 0.0,
        "affordance_error": 0.0,
        "additional_step": 100.0,
    }


def test_the_basis_counts_annotated_clauses_and_ends_of_searches() -> None:
    basis = OPERATORS.basis(tally([OPERATOR, OPERATOR]))
    clauses = sum(tally([OPERATOR]).tp.values()) + sum(tally([OPERATOR]).fn.values())
    assert min(sum(tally([OPERATOR]).tp.values()), sum(tally([OPERATOR]).fn.values())) > 0
    assert [int(number) for number in re.findall(r"\d+", basis)] == [2 * clauses, 2]


def test_a_suite_that_is_announced_shows_its_own_view() -> None:
    longact = eai.suite("longact")
    assert view_of("interaction", "longact") is view_of("interaction", longact)
    assert view_of("interaction", "longact") is not view_of("interaction")
    # Others, and abilities that the suite has not, have the view of the ability.
    for name in ("", "no-such-suite", "household"):
        assert view_of("interaction", name) is view_of("interaction")
    assert view_of("goal_interpretation", "longact") is INTERPRETED_GOALS


def test_rates_of_whole_tasks_have_ranges() -> None:
    metrics = {each.key: each for each in OPERATORS.metrics(tally([OPERATOR]))}
    assert [metrics[key].unit for key in OPERATORS.ranged] == ["tasks"]
    assert PLANS.ranged == ["task_success_rate", "execution_success_rate"]
    assert ANSWERS.ranged == ["task_success_rate"]


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ("-", (1, 0, 1, 0)),
        ("+", (1, 1, 0, 0)),
        ("0", (0, 0, 0, 1)),
        ("--+0", (3, 1, 2, 1)),
        ("00", (0, 0, 0, 2)),
    ],
)
def test_answers_are_counted_by_what_became_of_a_rule(
    verdicts: str, expected: tuple[int, int, int, int]
) -> None:
    """A rule is broken (-), kept (+), or never at stake (0)."""
    results = [
        Result(
            "evaluated",
            rules=(RuleVerdict("dry", kept=sign != "-", step=1, at_stake=sign != "0"),),
        )
        for sign in verdicts
    ]
    assert rule_counts(tally(results)) == {"dry": expected}


def test_a_rate_out_of_no_task_is_not_compared() -> None:
    records = [
        replace(record(OPERATOR, "transition_modeling"), model=model) for model in ("a", "b")
    ]
    [absent] = Report(records).compare(metrics=["planner_object_orientation"]).differences
    assert absent.values == (None, None)
    assert (absent.interval, absent.p_value, absent.effect) == (None, None, None)


@pytest.mark.parametrize(
    ("solved", "verdicts", "is_kept", "is_safe"),
    [
        (True, "", None, None),
        (False, "", None, None),
        (True, "+", True, True),
        (True, "+-", False, False),
        (False, "++", True, False),
        (False, "-", False, False),
    ],
)
def test_only_answers_with_rules_count_among_safe_ones(
    solved: bool, verdicts: str, is_kept: bool | None, is_safe: bool | None
) -> None:
    rules = tuple(RuleVerdict(f"rule {n}", sign == "+") for n, sign in enumerate(verdicts))
    one = record(Result("evaluated", success=solved, rules=rules), "action_sequencing")
    assert RulesKept().evaluate(one) is is_kept
    assert SafeSuccess().evaluate(one) is is_safe


@pytest.mark.parametrize(
    ("count", "words"), [(1, "1 goal condition (1 state"), (2, "2 goal conditions (2 state")]
)
def test_goal_conditions_are_counted_in_words(count: int, words: str) -> None:
    goals = tuple(Condition("state", f"on(lamp_{number})", met=True) for number in range(count))
    one = record(Result("evaluated", success=True, goals=goals), "action_sequencing")
    assert words in markdown_text(Report([one]))
