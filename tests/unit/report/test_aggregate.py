"""Counts, metrics and the published evaluator's summary."""

import pytest
from report_samples import EXCLUDED, GARBLED, MISSING, SOLVED, STOPPED

from eai.diagnosis import Condition, ErrorKind, Finding, Result
from eai.errors import InputError
from eai.report import Score, Tally, wilson
from eai.report.aggregate import tally
from eai.report.metrics.plans import PLANS

ALL = (SOLVED, STOPPED, GARBLED, MISSING, EXCLUDED)


def by_key(counts: Tally) -> dict[str, Score]:
    return {metric.key: metric for metric in PLANS.metrics(counts)}


def test_nothing_is_counted_for_excluded_tasks() -> None:
    assert tally([EXCLUDED]) == Tally(excluded=1, unread=1)


def test_a_missing_prediction_is_a_failed_task() -> None:
    counts = tally([MISSING])
    assert (counts.tasks, counts.missing, counts.success) == (1, 1, 0)
    assert counts.total == {"state": 1, "relation": 1, "action": 1}


def test_counts_of_a_small_run() -> None:
    assert tally(ALL) == Tally(
        tasks=4,
        missing=1,
        excluded=1,
        unread=1,
        success=1,
        executable=1,
        affected={"additional_step": 1, "hallucination": 1, "no_answer": 1, "wrong_order": 1},
        items={"additional_step": 1, "hallucination": 1, "no_answer": 1, "wrong_order": 1},
        occurrences={"additional_step": 1, "hallucination": 2, "no_answer": 1, "wrong_order": 1},
        met={"action": 1, "relation": 1, "state": 2},
        total={"action": 4, "relation": 4, "state": 4},
        readings={"clean": 3},
    )


def test_a_plan_can_run_to_its_end_without_solving_the_task() -> None:
    counts = tally([Result("evaluated", executable=True), Result("evaluated", success=True)])
    assert (counts.success, counts.executable) == (1, 1)
    counts = tally([Result("evaluated", executable=True)])
    assert (counts.success, counts.executable) == (0, 1)


def test_tallies_of_parts_add_up() -> None:
    assert tally(ALL[:2]) + tally(ALL[2:]) == tally(ALL)
    assert tally(ALL) + Tally() == tally(ALL)


def test_both_kinds_of_hallucination_in_one_answer_count_once() -> None:
    found = by_key(tally([GARBLED, SOLVED]))["hallucination"]
    assert (found.numerator, found.denominator, found.value) == (1, 2, 50.0)


def test_repeated_additional_steps_may_exceed_the_tasks() -> None:
    again = Finding(ErrorKind.ADDITIONAL_STEP, "again")
    found = by_key(tally([Result("evaluated", findings=(again, again, again))]))
    assert found["additional_step"].value == 300.0
    assert found["additional_step"].interval is None


def test_goal_rates_are_over_all_conditions_not_over_tasks() -> None:
    many = Result("evaluated", goals=(Condition("state", "on(x)", met=False),) * 9)
    one = Result("evaluated", goals=(Condition("state", "on(x)", met=True),))
    found = by_key(tally([many, one]))
    assert (found["state_goal"].numerator, found["state_goal"].denominator) == (1, 10)
    assert found["total_goal"].value == 10.0
    assert found["state_goal"].interval is None


def test_a_rate_out_of_nothing_is_undefined() -> None:
    assert {(m.value, m.interval) for m in PLANS.metrics(Tally())} == {(None, None)}


def test_metrics_come_in_the_order_of_the_groups() -> None:
    assert [(metric.group, metric.key) for metric in PLANS.metrics(Tally())] == [
        ("goal", "task_success_rate"),
        ("goal", "state_goal"),
        ("goal", "relation_goal"),
        ("goal", "action_goal"),
        ("goal", "total_goal"),
        ("trajectory", "execution_success_rate"),
        ("trajectory.grammar", "parsing"),
        ("trajectory.grammar", "hallucination"),
        ("trajectory.grammar", "predicate_argument_number"),
        ("trajectory.runtime", "wrong_order"),
        ("trajectory.runtime", "missing_step"),
        ("trajectory.runtime", "affordance_error"),
        ("trajectory.runtime", "additional_step"),
    ]


def test_the_published_summary_has_its_nesting_and_rounding() -> None:
    counts = Tally(
        tasks=305,
        success=218,
        executable=248,
        items={"parsing": 3, "hallucination": 6, "predicate_argument_number": 2},
        occurrences={"wrong_order": 1, "missing_step": 46, "additional_step": 7},
        met={"state": 242, "relation": 137, "action": 83},
        total={"state": 278, "relation": 180, "action": 148},
    )
    # The counts of the paper's row for GPT-4o (Tables 5 and 6, VirtualHome).
    assert PLANS.summary(counts) == {
        "goal_evaluation": {
            "task_success_rate": 71.4754,
            "state_goal": 87.0504,
            "relation_goal": 76.1111,
            "action_goal": 56.0811,
            "total_goal": 76.2376,
        },
        "trajectory_evaluation": {
            "execution_success_rate": 81.3,
            "grammar_error": {
                "parsing": 0.9836,
                "hallucination": 1.9672,
                "predicate_argument_number": 0.6557,
            },
            "runtime_error": {
                "wrong_order": 0.3279,
                "missing_step": 15.082,
                "affordance_error": 0.0,
                "additional_step": 2.2951,
            },
        },
    }


def test_a_summary_without_goals_of_a_kind_leaves_it_undefined() -> None:
    summary = PLANS.summary(tally([Result("evaluated")]))
    assert summary["goal_evaluation"]["action_goal"] is None
    assert summary["goal_evaluation"]["task_success_rate"] == 0.0


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        # Newcombe, Statistics in Medicine 17 (1998), Table I, method 3.
        (81, 263, 25.53, 36.62),
        (15, 148, 6.24, 16.05),
        (0, 20, 0.0, 16.11),
        (1, 29, 0.61, 17.18),
    ],
)
def test_wilson_intervals_agree_with_published_ones(
    successes: int, trials: int, low: float, high: float
) -> None:
    assert wilson(successes, trials) == pytest.approx((low, high), abs=0.005)


def test_wilson_bounds_are_percentages_that_hold_the_rate_however_they_are_rounded() -> None:
    for trials in range(1, 40):
        for successes in (0, 1e-15, 1.4e-15, 2.1e-15, 1, trials - 1e-15, trials):
            low, high = wilson(successes, trials)
            assert 0 <= low <= 100 * (successes / trials) <= high <= 100


@pytest.mark.parametrize(("successes", "trials"), [(0, 0), (-1, 3), (4, 3)])
def test_wilson_refuses_what_is_no_proportion(successes: int, trials: int) -> None:
    with pytest.raises(InputError, match="there is no interval"):
        wilson(successes, trials)
