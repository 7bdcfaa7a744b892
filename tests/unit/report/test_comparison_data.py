"""What a comparison is made of: tasks, draws, notes, and matrices."""

from __future__ import annotations

import re
import sys
import tracemalloc
from dataclasses import replace
from itertools import chain

import numpy as np
import pytest
from report_samples import SOLVED, record

from eai.diagnosis import Condition, Result
from eai.errors import InputError, UnknownNameError
from eai.report import Record, Report, pair_tests
from eai.report.comparison import better_ones, compare
from eai.report.permutations import draw_exchange_sums
from eai.report.scoring import Metric, Ratio
from eai.table import Points

COMPARISON = sys.modules[compare.__module__]
UNSOLVED = Result("evaluated", goals=(Condition("state", "on(lamp)", met=False),))
OUTCOMES = {"+": SOLVED, "-": UNSOLVED, "x": Result("excluded"), "?": Result("missing")}


def outcomes(model: str, solved: str, *, first: int = 0) -> list[Record]:
    """One record for each letter: + solved, - not, x excluded, ? missing."""
    return [
        record(OUTCOMES[each], model=model, task=f"t{n}")
        for n, each in enumerate(solved, start=first)
    ]


def models(*solved: str, first: int = 0) -> list[Record]:
    return list(
        chain.from_iterable(
            outcomes(name, text, first=first * at)
            for at, (name, text) in enumerate(zip("abcdefgh", solved, strict=False))
        )
    )


class Executed(Metric):
    """A rate over the tasks that were answered."""

    key, label = "executed", "Executed"

    def evaluate(self, one: Record) -> bool | None:
        return None if one.result.status == "missing" else one.result.executable


class Steps(Metric):
    key, label, unit = "steps", "Steps", "numbers"

    def evaluate(self, one: Record) -> float:
        return len(one.result.plan)


class Goals(Metric):
    key, label, unit = "goals_met", "Goals met", "conditions"

    def evaluate(self, one: Record) -> Ratio:
        met = [goal.met for goal in one.result.goals]
        return Ratio(sum(met), len(met))


class Powers(Metric):
    """Numbers of which no two subsets have the same sum."""

    key, label, unit = "powers", "Powers", "conditions"

    def evaluate(self, one: Record) -> Ratio:
        return Ratio(7 ** int(one.task[1:]) * len(one.result.plan), 1)


def test_of_a_rate_over_tasks_those_count_of_which_it_is_asked() -> None:
    report = Report(models("+-??+", "-+?+?"), metrics=[Executed(), Goals()])
    found = compare(report, metrics=["executed", "goals_met"])
    rate, goals = found.differences
    assert rate.tasks == 4  # the third was answered by none
    assert goals.tasks == 5
    both = Report(models("+-+", "-++"), metrics=[Executed()])
    [asked] = compare(both, metrics=["executed"]).differences
    assert (asked.tasks, asked.pairs) == (3, (1, 1, 1, 0))


def test_missing_answers_count_unless_only_answered_tasks_are_asked_for() -> None:
    report = Report(models("++-?", "+--+"))
    [found] = compare(report).differences
    assert (found.tasks, found.pairs) == (4, (1, 1, 1, 1))
    [answered] = compare(report, answered=True).differences
    assert (answered.tasks, answered.pairs) == (3, (1, 1, 0, 1))


@pytest.mark.parametrize("answered", [False, True])
def test_without_a_common_task_only_missing_answers_have_a_remedy(answered: bool) -> None:
    report = Report(models("+?", "?+")) if answered else Report(models("+", "-", first=1))
    with pytest.raises(InputError) as caught:
        compare(report, answered=answered)
    assert (caught.value.mend is not None) is answered


def notes(report: Report, *, answered: bool = False) -> list[str]:
    return list(compare(report, answered=answered).notes)


def test_notes_count_what_the_models_do_not_share() -> None:
    seen = set()
    for answered, report, numbers in (
        (False, Report(models("+++++", "++++++", first=2)), ["5"]),  # t0, t1, and t5 to t7
        (True, Report(models("+++?", "+?++")), ["2"]),
        (False, Report(models("+++?", "+?++")), ["2", "4", "2"]),
    ):
        [note] = notes(report, answered=answered)
        assert [each for each in re.findall(r"\d+", note) if each != "1"] == numbers
        seen.add(re.sub(r"\d+|[ab]\b", "", note))
    assert len(seen) == 3


def test_of_many_pairs_each_kind_of_note_has_its_range() -> None:
    seen = set()
    for answered, report in (
        (False, Report(models(*["+" * 8] * 5, first=1))),
        (True, Report(models("+++?", "+?++", "++?+", "++++", "+???"))),
        (False, Report(models("+++?", "+?++", "++?+", "++++", "+???"))),
    ):
        [note] = notes(report, answered=answered)
        assert "of 10 pairs" in note
        seen.add(re.sub(r"\d+( to \d+)?", "", note))
    assert len(seen) == 3
    refused = Report([*models("+-", "-+", "++", "--"), *outcomes("e", "+", first=50)])
    for answered in (False, True):
        last = notes(refused, answered=answered)[-1]
        assert "4 of 10 pairs" in last
        assert ("answered" in last) is answered
        seen.add(last)
    assert len(seen) == 5


def test_a_matrix_has_the_best_models_and_counts_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    report = Report(models("----", "+---", "++--", "+++-", "++++"))
    monkeypatch.setattr(COMPARISON, "_MAX_MODELS", 5)
    [whole] = compare(report).matrices
    assert [row["model"] for row in whole.rows] == list("edcba")
    assert [row["%"] for row in whole.rows] == [100, 75, 50, 25, 0]
    assert len(whole.notes) == 1
    assert str(whole.rows[0]["-5"]) == "+100"
    assert str(whole.rows[4]["-1"]) == "-100"
    assert [str(whole.rows[at][f"-{at + 1}"]) for at in range(5)] == [""] * 5
    monkeypatch.setattr(COMPARISON, "_MAX_MODELS", 3)
    [short] = compare(report).matrices
    assert [row["model"] for row in short.rows] == list("edc")
    assert len(short.notes) == 2
    assert "2 more models" in short.notes[1]


def test_a_mean_of_numbers_has_two_decimals_in_a_matrix() -> None:
    report = Report(models("++-", "---", "+--", "+++"), metrics=[Steps()])
    [matrix] = compare(report, metrics=["steps"]).matrices
    assert [row["mean"] for row in matrix.rows] == pytest.approx([2, 4 / 3, 2 / 3, 0])
    assert str(matrix.rows[0]["-2"]) == "+0.67"
    assert str(matrix.rows[2]["-1"]) == "-1.33"


@pytest.mark.parametrize(("most", "drawn"), [(800, 200), (799, 10)])
def test_more_is_drawn_where_the_number_of_tests_asks_for_more(
    most: int, drawn: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pair_tests, "_MAX_STEPS", 0)
    monkeypatch.setattr(COMPARISON, "_MAX_DRAWN", most)
    report = Report(models("++++", "----"), metrics=[Powers()])
    [found] = compare(report, metrics=["powers"], draws=10).differences
    assert found.draws == drawn
    [more] = compare(report, metrics=["powers"], draws=500).differences
    assert more.draws == 500
    # No p-value is below one out of the draws and the observed order.
    assert found.p_value is not None
    assert found.p_value >= 1 / (drawn + 1)


def test_all_pairs_are_tested_alike_whichever_would_be_cheap_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pair_tests, "exchange_steps", lambda _difference: 700.0)
    monkeypatch.setattr(pair_tests, "_MAX_STEPS", 1_000)
    alone = Report(models("++++", "----"), metrics=[Powers()])
    [difference] = compare(alone, metrics=["powers"], draws=10).differences
    assert difference.draws == 0  # all ways are counted
    three = Report(models("++++", "----", "+-+-"), metrics=[Powers()])
    differences = compare(three, metrics=["powers"], draws=10).differences
    assert [difference.draws for difference in differences] == [600, 600, 600]


@pytest.mark.parametrize(
    ("first", "second", "effect"),
    [
        ("++++", "++--", 0.5),
        ("+++-", "-+++", 0.0),
        ("++++---", "-++++--", 0.0),
        ("++++-", "---++", 0.25),
    ],
)
def test_the_effect_is_the_share_of_wins_above_one_half(
    first: str, second: str, effect: float
) -> None:
    [found] = compare(Report(models(first, second))).differences
    assert found.effect == pytest.approx(effect)
    [other] = compare(Report(models(second, first))).differences
    assert other.effect == pytest.approx(-effect)


def test_few_sums_are_all_counted() -> None:
    report = Report(models("++-+", "---+"), metrics=[Goals()])
    [found] = compare(report, metrics=["goals_met"]).differences
    assert found.draws == 0
    # Three tasks differ; of the eight ways to exchange them two are as far apart.
    assert found.p_value is not None
    assert found.effect is not None


def test_the_best_and_those_that_are_not_worse() -> None:
    report = Report(models("+" * 12, "+" * 11 + "-", "-" * 12))
    sides = [*report.sides.values()]
    assert better_ones(report.view, 0, sides) == {"a", "b"}
    assert better_ones(report.view, 0, sides[:2]) == frozenset()
    assert better_ones(report.view, 0, sides[:1]) == frozenset()
    assert better_ones(report.view, 0, []) == frozenset()
    other = Report([*report.records, *outcomes("d", "+" * 12, first=100)])
    assert better_ones(other.view, 0, [*other.sides.values()]) == {"a", "b", "d"}


def test_clear_differences_need_no_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    report = Report(models("+" * 200, "-" * 200, "+-" * 100), metrics=[Goals()])
    sides = [*report.sides.values()]
    [index] = [i for i, score in enumerate(report.view.scores()) if score.key == "goals_met"]
    best = better_ones(report.view, index, sides)
    assert best == {"a"}

    def fail(*_: object, **__: object) -> None:
        pytest.fail("a test was made")

    monkeypatch.setattr("eai.report.pair_tests.exchange_distribution", fail)
    monkeypatch.setattr("eai.report.pair_tests.draw_exchange_sums", fail)
    assert better_ones(report.view, index, sides) == best


def test_bounds_and_tests_find_the_same_differences_significant() -> None:
    report = Report(models("+" * 60, "-" * 60, "+-" * 30, "-+" * 30, "++-" * 20), metrics=[Goals()])
    with_tests = compare(report, metrics=["goals_met"])
    by_bounds = compare(report, metrics=["goals_met"], only_significance=True)
    assert [one.significant for one in by_bounds.differences] == [
        one.significant for one in with_tests.differences
    ]
    assert {one.significant for one in by_bounds.differences} == {True, False}
    assert by_bounds.matrices == with_tests.matrices
    # Models of which bounds do not tell whether they differ are tested.
    undecided = Report(models("++-+++-+", "-+--+-++"), metrics=[Goals()])
    [tested] = compare(undecided, metrics=["goals_met"], only_significance=True).differences
    [difference] = compare(undecided, metrics=["goals_met"]).differences
    assert tested.p_value == difference.p_value
    assert (tested.interval, tested.effect) == (None, None)


def test_several_answers_to_each_task_have_pass_at_1_and_at_their_number() -> None:
    def keys(number: int) -> list[str]:
        sampled = [
            replace(one, epoch=epoch) for epoch in range(1, number + 1) for one in models("+-")
        ]
        return [score.key for score in Report(sampled).view.scores() if "pass@" in score.key]

    assert keys(1) == []
    assert keys(2) == ["pass@1", "pass@2"]
    assert keys(3) == ["pass@1", "pass@3"]


def test_a_metric_is_named_by_its_key() -> None:
    report = Report(models("+-", "-+"))
    [found] = compare(report, metrics="task_success_rate").differences
    assert found.metric == "task_success_rate"
    with pytest.raises(UnknownNameError):
        compare(report, metrics=["oops"])


def test_pairs_without_a_difference_leave_the_cells_of_others() -> None:
    """The first model was never answered, so that only the other two can be compared."""
    report = Report(models("???", "+-+", "---")).with_metrics([Executed()])
    [matrix] = compare(report, metrics=["executed"]).matrices
    by_model = {row["model"]: row for row in matrix.rows}
    numbers = {row["model"]: row["#"] for row in matrix.rows}
    assert by_model["b"][f"-{numbers['c']}"] != Points()
    assert by_model["c"][f"-{numbers['b']}"] != Points()
    for other in "bc":
        assert by_model["a"][f"-{numbers[other]}"] == Points()
        assert by_model[other][f"-{numbers['a']}"] == Points()


def test_random_exchanges_are_made_in_parts_and_the_same_with_every_size() -> None:
    parts = np.arange(20.0).reshape(10, 2)
    draws = 30_000
    tracemalloc.start()
    sums = draw_exchange_sums(parts, draws=draws, seed=3)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # All random numbers at once would take eight bytes for each task and draw.
    assert peak < 8 * draws * len(parts)
    chosen = np.random.default_rng(3).integers(0, 2, size=(draws, len(parts)))
    assert np.array_equal(sums, chosen @ parts)
