"""Models compared on the tasks that they share."""

import csv
import io
import time
from dataclasses import replace
from itertools import chain, product
from pathlib import Path

import pytest
from report_samples import SOLVED, record, sample_report
from scipy.stats import binomtest, norm

from eai.diagnosis import Condition, Result
from eai.errors import InputError, UnknownNameError
from eai.report import Record, Report, wilson
from eai.report.aggregate import tally
from eai.report.comparison import compare, conclusion, smallest_visible
from eai.report.scoring import Metric
from eai.report.statistics import holm, mcnemar, newcombe

UNSOLVED = Result("scored", goals=(Condition("state", "on(lamp)", met=False),))


BOTH = ("task_success_rate", "execution_success_rate")


def outcomes(model: str, solved: str) -> list[Record]:
    """One record for each letter: + solved, - not, x excluded, ? missing."""
    evaluated = {
        "+": SOLVED,
        "-": UNSOLVED,
        "x": Result("excluded"),
        "?": Result("missing", goals=UNSOLVED.goals),
    }
    return [record(evaluated[each], model=model, task=f"t{n}") for n, each in enumerate(solved)]


def test_mcnemar_is_the_exact_binomial_test_of_the_pairs_that_differ() -> None:
    for first, second in product(range(12), repeat=2):
        expected = binomtest(first, first + second).pvalue if first + second else 1.0
        assert mcnemar((5, first, second, 7)) == pytest.approx(expected)


def test_holm_multiplies_the_smallest_most_and_keeps_the_order() -> None:
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([]) == []
    assert holm([0.9, 0.8]) == pytest.approx([1.0, 1.0])


def test_without_correlation_newcombes_interval_is_square_and_add() -> None:
    low, high = newcombe((20, 20, 20, 20))
    (one, other) = wilson(40, 80)
    half = ((50 - one) ** 2 + (other - 50) ** 2) ** 0.5
    assert (low, high) == pytest.approx((-half, half))


def test_newcombes_interval_knows_that_pairs_agree() -> None:
    apart = newcombe((0, 22, 20, 0))
    together = newcombe((40, 2, 0, 0))
    assert together[1] - together[0] < apart[1] - apart[0]


def test_two_models_of_a_report_are_compared_task_by_task() -> None:
    report = Report(outcomes("a", "++++++++++--") + outcomes("b", "++----------"))
    [success, executable] = report.compare(metrics=BOTH).differences
    assert (success.metric, executable.metric) == ("task_success_rate", "execution_success_rate")
    assert success.pairs == (2, 8, 0, 2)
    assert success.difference == pytest.approx(100 * 8 / 12)
    assert success.p_value == pytest.approx(2 / 2**8)
    assert success.effect == 0.5
    assert success.interval is not None
    assert success.interval[0] > 0


def test_what_cannot_be_told_apart_is_said_with_what_could_be() -> None:
    report = Report(outcomes("a", "+++-----") + outcomes("b", "++-+----"))
    comparison = report.compare(metrics=["task_success_rate"])
    [said] = comparison.conclusions
    assert said.startswith("a and b do not differ significantly in Task SR: 37.5 % against 37.5 %")
    assert "Minimum detectable difference at 80 % power" in said
    assert "a and b do not differ significantly" in str(comparison).replace("\n", " ")
    assert ">Task SR</bdi></th>" in comparison._repr_html_()
    assert comparison.table().loc[0, "only first"] == 1


def test_what_differs_is_said_with_who_has_more() -> None:
    report = Report(outcomes("a", "-" * 20) + outcomes("b", "+" * 20))
    [said] = report.compare(metrics=["task_success_rate"]).conclusions
    assert said.startswith("b has the higher Task SR (significant): 100.0 % against 0.0 %")
    assert "+100.0 points (95 % interval +" in said
    assert "p < 0.001" in said


def test_p_values_are_adjusted_for_all_comparisons_made() -> None:
    report = Report(outcomes("a", "+" * 9) + outcomes("b", "-" * 9) + outcomes("c", "+" * 9))
    found = report.compare(metrics=["task_success_rate"])
    values = [each.p_value for each in found.differences]
    assert values == pytest.approx([2 / 2**9, 1.0, 2 / 2**9])
    assert [d.adjusted for d in found.differences] == pytest.approx([6 / 2**9, 1.0, 6 / 2**9])
    assert "adjusted for 3 comparisons" in found.conclusions[0]


def test_metrics_that_are_no_rates_over_tasks_are_resampled_by_task() -> None:
    report = Report(outcomes("a", "+-" * 20) + outcomes("b", "--" * 20))
    [goals] = report.compare(metrics=["total_goal"]).differences
    assert goals.pairs is None
    assert goals.difference is not None
    assert goals.interval is not None
    assert goals.interval[0] < goals.difference < goals.interval[1]
    assert goals.p_value is not None
    assert goals.p_value < 0.001
    again = report.compare(metrics=["total_goal"]).differences[0]
    assert again == goals


def test_two_reports_are_compared_where_they_share_models_and_tasks() -> None:
    before = Report(outcomes("a", "++--"))
    after = Report(outcomes("a", "+++") + outcomes("b", "---"))
    comparison = before.compare(after, metrics=["task_success_rate"])
    [found] = comparison.differences
    assert (found.first, found.second, found.tasks) == ("a (first)", "a (second)", 3)
    assert comparison.notes == ("Left out: 1 task that only one of a (first) and a (second) has.",)


def test_reports_without_a_common_model_are_compared_crosswise() -> None:
    found = Report(outcomes("a", "+-")).compare(Report(outcomes("b", "++")))
    assert {(d.first, d.second) for d in found.differences} == {("a", "b")}


def test_a_task_that_is_left_out_says_that_it_is_excluded_and_why() -> None:
    report = Report(outcomes("a", "+x+") + outcomes("b", "+++"))
    assert report.compare().notes == (
        "Left out: 1 task that only one of a and b has; 1 excluded for a (by the semantics).",
    )


def test_excluded_tasks_are_not_compared() -> None:
    report = Report(outcomes("a", "+x+") + outcomes("b", "++x"))
    comparison = report.compare()
    assert {each.tasks for each in comparison.differences} == {1}
    assert "over 1 task, " in comparison.conclusions[0]


def test_what_is_undefined_is_not_tested() -> None:
    report = Report(outcomes("a", "--") + outcomes("b", "--"))
    comparison = report.compare(metrics=["action_goal"])
    assert comparison.differences[0].p_value is None
    assert "it is undefined for one of them" in comparison.conclusions[0]


def test_answers_that_only_one_model_gave_are_counted_in_the_notes() -> None:
    report = Report(outcomes("full", "+" * 30) + outcomes("part", "+++---" + "?" * 24))
    comparison = report.compare(metrics=["task_success_rate"])
    assert comparison.notes == (
        "Only one of full and part answered 24 tasks of 30. Missing answers count as failures, "
        "so they are part of the differences; answered=True (--answered) compares the 6 tasks that "
        "both answered.",
    )
    assert comparison.notes[0][:40] in str(comparison)
    assert comparison.differences[0].tasks == 30
    same = Report(outcomes("a", "+??") + outcomes("b", "-??"))
    assert same.compare().notes == ()


@pytest.mark.parametrize("answered", [False, True])
def test_of_many_pairs_a_note_has_the_range_over_all(answered: bool) -> None:
    models = [outcomes(name, "+" * (20 - n) + "?" * n) for n, name in enumerate("abcde")]
    comparison = Report(chain(*models)).compare(answered=answered)
    [note] = comparison.notes
    assert "10 of 10 pairs" in note
    assert "1 to 4 tasks" in note
    assert note[:40] in str(comparison)


def test_models_are_compared_over_the_tasks_that_both_answered() -> None:
    report = Report(outcomes("full", "+" * 29 + "?") + outcomes("part", "+++---" + "?" * 24))
    comparison = report.compare(metrics=["task_success_rate"], answered=True)
    [found] = comparison.differences
    assert (found.tasks, found.pairs) == (6, (3, 3, 0, 0))
    assert comparison.notes == ("Left out: 24 tasks that full and part did not both answer.",)
    assert comparison.title.endswith(", tasks that both answered")
    apart = Report(outcomes("a", "+?") + outcomes("b", "?+"))
    with pytest.raises(InputError, match="a and b have answered no task in common"):
        apart.compare(answered=True)


def test_an_interval_that_seems_to_contradict_the_p_value_is_explained() -> None:
    # One comparison alone would be sure; three are not.
    models = [outcomes("a", "+" * 7 + "-" * 13), outcomes("b", "-" * 20), outcomes("c", "-" * 20)]
    report = Report([each for of_model in models for each in of_model])
    [one, *_] = report.compare(metrics=["task_success_rate"]).differences
    alone = replace(one, p_value=0.03, adjusted=0.09)
    said = conclusion(alone, 3)
    assert "do not differ significantly" in said
    assert "excludes 0, as does p = 0.030 before it is adjusted" in said
    assert "Newcombe's method) excludes 0" in conclusion(replace(one, adjusted=0.06, p_value=0.06))
    across = replace(one, interval=(-1.0, 60.0), adjusted=0.01, pairs=None)
    assert "(linearization) contains 0 and the p-value (a permutation test)" in conclusion(across)
    assert "interval (" not in conclusion(one).replace("95 % interval", "")


def test_small_p_values_are_not_zero_in_print(tmp_path: Path) -> None:
    report = Report(outcomes("a", "-" * 40) + outcomes("b", "+" * 40))
    found = report.compare(metrics=["task_success_rate"])
    assert "< 0.001" in str(found)
    assert " 0.000" not in str(found)
    found.to_csv(tmp_path / "c.csv")
    [row] = csv.DictReader(io.StringIO((tmp_path / "c.csv").read_text("utf-8")))
    assert float(row["p"]) == pytest.approx(2 / 2**40, rel=1e-3)


def test_models_without_a_common_task_are_left_out_of_a_comparison(tmp_path: Path) -> None:
    apart = [replace(each, task=f"other {each.task}") for each in outcomes("c", "+-")]
    report = Report([*outcomes("a", "+-"), *outcomes("b", "--"), *apart])
    found = report.compare(metrics=["task_success_rate"])
    assert [(each.first, each.second) for each in found.differences] == [("a", "b")]
    assert "a and c have no task in common: left out." in found.notes
    alone = Report([*outcomes("a", "+-"), *apart])
    alone.to_html(tmp_path / "page.html")
    assert "a and c have no task in common" in (tmp_path / "page.html").read_text()


@pytest.mark.heavy
def test_three_hundred_models_are_compared_in_seconds() -> None:
    begin = time.process_time()
    records = (
        outcomes(f"m{n}", f"{n:010b}".replace("0", "-").replace("1", "+")) for n in range(300)
    )
    found = Report(chain.from_iterable(records)).compare(metrics=BOTH)
    assert len(found.differences) == 300 * 299
    assert "260 more models: to_csv, --csv or --json lists all." in str(found)
    assert time.process_time() - begin < 60


def test_clear_errors() -> None:
    one = Report(outcomes("a", "+"))
    with pytest.raises(InputError, match="one model only"):
        one.compare()
    with pytest.raises(UnknownNameError, match="task_success_rate"):
        one.compare(Report(outcomes("b", "+")), metrics=["task_succes_rate"])
    with pytest.raises(InputError, match="no task in common"):
        one.compare(Report([record(SOLVED, model="b", task="other")]))
    other = Report([replace(each, ability="goal_interpretation") for each in one.records])
    with pytest.raises(InputError, match="the first report is of the ability"):
        one.compare(other)


def test_the_smallest_visible_difference_has_the_power_it_says() -> None:
    report = Report(outcomes("a", "+-" * 50) + outcomes("b", "-+" * 50))
    [found] = report.compare(metrics=["task_success_rate"]).differences
    visible = smallest_visible(found)
    assert visible is not None
    # All of 100 pairs differ: a normal approximation of the test on the share of wins.
    share, error = visible / 100, (1 - (visible / 100) ** 2) ** 0.5 / 10
    power = 1 - norm.cdf((norm.ppf(0.975) / 10 - share) / error)
    assert power == pytest.approx(0.8, abs=0.01)
    assert conclusion(found).endswith(f"difference at 80 % power: {visible:.0f} points.")


@pytest.mark.parametrize("pairs", [(3, 1, 1, 4), (20, 5, 2, 30), (0, 60, 40, 100), (5, 2, 900, 0)])
def test_the_smallest_visible_difference_solves_its_equation(pairs: tuple[int, ...]) -> None:
    report = Report(outcomes("a", "+-" * 50) + outcomes("b", "-+" * 50))
    [found] = report.compare(metrics=["task_success_rate"]).differences
    both, first, second, neither = pairs
    tasks = sum(pairs)
    visible = smallest_visible(replace(found, tasks=tasks, pairs=(both, first, second, neither)))
    assert visible is not None
    share, differ = visible / 100, (first + second) / tasks
    within = norm.ppf(0.975) * differ**0.5 + norm.ppf(0.8) * (differ - share**2) ** 0.5
    assert within / tasks**0.5 == pytest.approx(share, rel=1e-4)


@pytest.mark.parametrize(("pairs", "visible"), [((0, 1, 0, 0), 100.0), ((0, 1, 1, 0), 100.0)])
def test_no_difference_is_larger_than_a_hundred_points(
    pairs: tuple[int, int, int, int], visible: float
) -> None:
    report = Report(outcomes("a", "+-") + outcomes("b", "-+"))
    [found] = report.compare(metrics=["task_success_rate"]).differences
    assert smallest_visible(replace(found, tasks=sum(pairs), pairs=pairs)) == visible


@pytest.mark.parametrize("model", ["alpha", "beta & co"])
def test_parts_of_tasks_add_up_to_the_metrics_of_all(model: str) -> None:
    report = sample_report()
    records = report.of(model)
    columns = zip(*(report.view.scores((each,)) for each in records), strict=True)
    whole = report.view.metrics(tally(each.result for each in records))
    for metric, parts in zip(whole, columns, strict=True):
        assert metric.numerator == sum(part.numerator for part in parts)
        assert metric.denominator == sum(part.denominator for part in parts)


def test_of_many_pairs_a_matrix_is_shown() -> None:
    report = Report(
        chain(
            outcomes("a", "+" * 40),
            outcomes("b", "-" * 40),
            outcomes("c", "+" * 39 + "-"),
            outcomes("d", "-" * 40),
        )
    )
    shown = str(report.compare())
    assert "Intervals and conclusions are shown for two models" in shown
    assert "do not differ significantly" not in shown
    [matrix] = report.compare().matrices
    assert [row["model"] for row in matrix.rows][:2] == ["a", "c"]
    assert [matrix.rows[0][f"-{number}"] for number in (1, 2, 3)] == ["", "+2", "+100*"]
    assert "adjusted for 6 comparisons" in matrix.notes[0]


def test_in_a_matrix_models_without_a_value_are_last() -> None:
    class Solved(Metric):
        """The mean of 1 for each solved task and 0 for others; none for some models."""

        key, label, unit = "solved", "Solved", "numbers"

        def evaluate(self, record: Record) -> float | None:
            return None if record.model.startswith("no") else float(record.result.success)

    models = {"no_a": "+-", "zero": "--", "half": "+-", "no_b": "++", "all": "++"}
    report = Report(chain.from_iterable(outcomes(*each) for each in models.items()))
    [matrix] = report.with_metrics([Solved()]).compare(metrics=["solved"]).matrices
    assert [row["model"] for row in matrix.rows] == ["all", "half", "zero", "no_b", "no_a"]


def test_a_conclusion_states_which_difference_is_ruled_out() -> None:
    [said] = Report(chain(outcomes("a", "++-+++"), outcomes("b", "+++-++"))).compare().conclusions
    [difference] = (
        Report(chain(outcomes("a", "++-+++"), outcomes("b", "+++-++"))).compare().differences
    )
    assert difference.interval is not None
    assert f"more than {max(map(abs, difference.interval)):.1f} points." in said


def test_too_few_tasks_to_tell_anything_apart_are_said_to_be_too_few() -> None:
    [said] = Report(chain(outcomes("a", "+++++"), outcomes("b", "-----"))).compare().conclusions
    assert "With fewer than 6 tasks no difference can be significant." in said
    assert "rules out" not in said
    [said] = Report(chain(outcomes("a", "++++++"), outcomes("b", "------"))).compare().conclusions
    assert said.startswith("a has the higher Task SR (significant)")


@pytest.mark.parametrize("wrong", ["runs/first", None, 3, [record(SOLVED)]])
def test_only_reports_are_compared(wrong: object) -> None:
    report = Report([*outcomes("a", "+-"), *outcomes("b", "-+")])
    with pytest.raises(InputError) as caught:
        compare(wrong)  # type: ignore[arg-type]
    assert caught.value.expected == "what eai.evaluate returns"
    if wrong is not None:
        with pytest.raises(InputError) as caught:
            compare(report, wrong)  # type: ignore[arg-type]
        assert caught.value.expected == "what eai.evaluate returns"
