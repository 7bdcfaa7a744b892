"""What makes a metric one of pairs, and what of a difference is undefined."""

import math
from collections.abc import Sequence
from itertools import product
from random import Random
from statistics import mean, stdev
from unittest.mock import patch

import pytest
from report_samples import SOLVED, record

from eai.diagnosis import ErrorKind, Finding, Result
from eai.report import Report, Score, Tally, View, comparison, pair_tests, view_of
from eai.report.comparison import Difference
from eai.report.statistics import student

Counts = Sequence[tuple[int, int]]
"""Numerator and denominator in every task."""


def compared(
    first: Counts,
    second: Counts,
    *,
    unit: str = "tasks",
    draws: int = 200,
    seed: int = 0,
    below_zero: int = 0,
) -> Difference:
    """Compare two models by a metric of which these are the parts.

    Numerators are less by ``below_zero`` than they are written.
    """
    # Occurrences of an error stand for the numerator, those of another for the denominator.
    kinds = (ErrorKind.WRONG_ORDER, ErrorKind.MISSING_STEP)

    def evaluated(counts: tuple[int, int]) -> Result:
        errors = (
            Finding(kind, "wrong") for kind, n in zip(kinds, counts, strict=True) for _ in range(n)
        )
        return Result("evaluated", findings=tuple(errors))

    def metrics(counts: Tally) -> list[Score]:
        top, bottom = (counts.occurrences.get(str(kind.official_key), 0) for kind in kinds)
        return [Score("made", "made", "Made", top - below_zero, bottom, unit)]

    view: View = view_of("action_sequencing")._replace(metrics=metrics)
    records = [
        record(evaluated(counts), model=model, task=f"t{n}")
        for model, of_model in (("a", first), ("b", second))
        for n, counts in enumerate(of_model)
    ]
    report = Report(records, view=view)
    [found] = report.compare(metrics=["made"], draws=draws, seed=seed).differences
    return found


def test_pairs_are_both_only_the_first_only_the_second_and_neither() -> None:
    found = compared([(1, 1), (1, 1), (1, 1), (0, 1)], [(1, 1), (0, 1), (0, 1), (0, 1)])
    assert found.pairs == (1, 2, 0, 1)
    assert found.tasks == 4
    assert found.effect == 0.5
    swapped = compared([(1, 1), (0, 1), (0, 1), (0, 1)], [(1, 1), (1, 1), (1, 1), (0, 1)])
    assert swapped.pairs == (1, 0, 2, 1)
    assert swapped.effect == -0.5


def test_models_that_never_differ_have_an_effect_of_zero() -> None:
    same = [(1, 1), (0, 1)]
    assert compared(same, same).effect == 0.0


@pytest.mark.parametrize("unit", ["conditions", "matches", "means"])
def test_conditions_are_no_tasks_though_every_task_has_one(unit: str) -> None:
    found = compared([(1, 1), (1, 1), (0, 1)], [(0, 1), (1, 1), (0, 1)], unit=unit)
    assert found.pairs is None
    assert found.interval is not None


@pytest.mark.parametrize(
    "odd", [[(2, 1), (0, 1), (0, 1)], [(1, 2), (0, 1), (0, 1)], [(0, 0), (1, 1), (0, 1)]]
)
@pytest.mark.parametrize("unit", ["tasks", "occurrences"])
def test_tasks_that_count_twice_or_not_at_all_make_no_pairs(unit: str, odd: Counts) -> None:
    even = [(1, 1), (0, 1), (0, 1)]
    assert compared(odd, even, unit=unit).pairs is None
    assert compared(even, odd, unit=unit).pairs is None
    assert compared(even, even, unit=unit).pairs == (1, 0, 0, 2)


def test_a_difference_needs_both_values() -> None:
    nothing, something = [(0, 0), (0, 0)], [(1, 1), (0, 1)]
    for first, second in ((nothing, something), (something, nothing), (nothing, nothing)):
        found = compared(first, second, unit="conditions")
        assert found.difference is None
        assert (found.interval, found.p_value, found.effect) == (None, None, None)
    assert compared(something, nothing).values == (50.0, None)
    assert compared([(1, 1), (1, 2)], something, unit="matches").difference == pytest.approx(
        100 * 2 / 3 - 50
    )


def test_an_exchange_that_is_exactly_as_far_counts() -> None:
    """One task decides alone, so every exchange is as far as what was observed."""
    assert compared([(3, 4), (1, 2)], [(1, 4), (1, 2)], unit="conditions").p_value == 1.0


def test_an_exchange_that_is_almost_as_far_does_not_count() -> None:
    """Of the four exchanges two are as far; the others are a tenth of a point nearer."""
    found = compared([(500, 500), (1, 500)], [(0, 500), (0, 500)], unit="conditions")
    assert found.difference == pytest.approx(50.1)
    assert found.p_value is not None
    assert 0.3 < found.p_value < 0.7


@pytest.mark.parametrize("seed", range(6))
def test_a_p_value_is_the_share_of_all_exchanges_that_are_as_far(seed: int) -> None:
    random = Random(seed)
    models = [
        [(top, random.randint(max(1, top), 6)) for top in random.choices(range(5), k=8)]
        for _ in range(2)
    ]

    def apart(exchanged: Sequence[bool]) -> float:
        chosen = [
            [
                two[place ^ swap]
                for two, swap in zip(zip(*models, strict=True), exchanged, strict=True)
            ]
            for place in (0, 1)
        ]
        one, other = (sum(a for a, _ in of) / sum(b for _, b in of) for of in chosen)
        return float(abs(one - other))

    every = [apart(exchanged) for exchanged in product((False, True), repeat=8)]
    as_far = sum(each >= every[0] - 1e-12 for each in every)
    found = compared(*models, unit="matches")
    assert found.p_value == pytest.approx(as_far / len(every))
    assert found.draws == 0


def test_what_can_be_counted_has_no_least_p_value() -> None:
    """Nearly every task is worse: far below one out of the number of draws."""
    found = compared([(1, 9)] * 40, [(8, 9)] * 40, unit="matches", draws=10)
    assert found.p_value == pytest.approx(2 / 2**40)


def test_where_ways_must_be_drawn_there_are_enough_or_it_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pair_tests, "exchange_steps", lambda _parts: math.inf)
    parts = [(1, 9)] * 40, [(8, 9)] * 40
    found = compared(*parts, unit="matches", draws=10)
    assert (found.draws, found.p_value) == (200, 1 / 201)
    monkeypatch.setattr(comparison, "_MAX_DRAWN", 0)
    found = compared(*parts, unit="matches", draws=10)
    assert (found.draws, found.p_value) == (10, 1 / 11)
    said = comparison.conclusion(found)
    assert "None of 10 permutations drawn gives as large a difference, so p is at most this" in said


def test_an_interval_of_a_difference_takes_two_tasks() -> None:
    assert compared([(1, 2)], [(0, 2)], unit="matches").interval is None
    # A task that adds nothing for either model is none.
    assert compared([(1, 2), (0, 0)], [(0, 2), (0, 0)], unit="matches").interval is None
    # Models that do not differ in any task do not differ.
    assert compared([(1, 2)] * 3, [(1, 2)] * 3, unit="matches").interval == (0.0, 0.0)


def test_the_interval_of_a_difference_is_that_of_the_shares_of_the_tasks() -> None:
    """By hand: shares of 1/2, 0 and 1/2, of which one deviation is the square root of 1/12."""
    found = compared([(1, 2), (2, 2), (2, 2)], [(0, 2), (2, 2), (1, 2)], unit="conditions")
    half = 100 * student(2) * (1 / 12) ** 0.5 / 3**0.5
    assert found.interval == pytest.approx((100 / 3 - half, 100.0))  # no more than 100 points
    numbers = compared([(4, 1), (0, 1)], [(0, 1), (0, 1)], unit="means")
    assert numbers.interval == pytest.approx((200 - 200 * student(1), 200 + 200 * student(1)))


def test_only_differences_of_proportions_are_at_most_100_points() -> None:
    """By hand: differences of -1 and 0, of which one deviation is the square root of 1/2."""
    parts = [(0, 1), (1, 1)], [(1, 1), (1, 1)]
    half = 100 * student(1) / 2
    proportions = compared(*parts, unit="means")
    assert half > 100
    assert proportions.interval == pytest.approx((-100, 100))
    negative = compared(*parts, unit="means", below_zero=5)
    assert negative.interval == pytest.approx((-50 - half, -50 + half))


def test_the_effect_is_the_mean_over_the_deviation_of_what_tasks_add() -> None:
    """By hand: differences of 1/2, 0 and 1/2; then of 0.375 and -0.875, shares linearised."""
    even = compared([(1, 2), (2, 2), (2, 2)], [(0, 2), (2, 2), (1, 2)], unit="conditions")
    assert even.effect == pytest.approx((1 / 3) / (1 / 12) ** 0.5)
    odd = compared([(1, 1), (1, 3)], [(0, 1), (3, 3)], unit="conditions")
    assert odd.effect == pytest.approx(-0.25 / (0.78125) ** 0.5)
    assert compared([(1, 2)], [(0, 2)], unit="conditions").effect is None


def effect(first: Counts, second: Counts) -> float:
    """The mean over the deviation of the differences of shares, by their definition."""
    shares = []
    for counts in (first, second):
        total = sum(bottom for _, bottom in counts)
        ratio = sum(top for top, _ in counts) / total
        shares.append([ratio + (x - ratio * y) * len(counts) / total for x, y in counts])
    differences = [one - other for one, other in zip(*shares, strict=True)]
    return float(mean(differences) / stdev(differences))


def test_only_a_rate_over_tasks_leaves_out_tasks_for_which_it_is_undefined() -> None:
    first, second = [(1, 1), (1, 1), (0, 1), (1, 1)], [(0, 1), (1, 1), (0, 1), (0, 0)]
    more_first, more_second = [*first, (0, 0)], [*second, (0, 0)]
    rate = compared(more_first, more_second, unit="tasks")
    assert rate.pairs is None
    assert rate.effect == pytest.approx(effect(first, second))
    ratio = compared(more_first, more_second, unit="conditions")
    assert ratio.effect == pytest.approx(effect(more_first, more_second))
    assert ratio.effect != pytest.approx(rate.effect)


def test_the_effect_of_shares_that_are_the_same_is_undefined() -> None:
    assert compared([(1, 2), (2, 2)], [(0, 2), (1, 2)], unit="conditions").effect is None


def test_nothing_is_left_out_where_both_answered_everything() -> None:
    report = Report([record(SOLVED, model=name, task=f"t{n}") for name in "ab" for n in range(3)])
    assert report.compare(answered=True).notes == ()
    missing = record(Result("missing"), model="b", task="t3")
    gap = Report([*report.records, record(SOLVED, model="a", task="t3"), missing])
    [said] = gap.compare(answered=True).notes
    assert "1 task that a and b did not both answer" in said


@pytest.mark.parametrize("seed", range(3))
def test_drawn_exchanges_are_as_far_as_often_as_all_exchanges_are(seed: int) -> None:
    random = Random(seed)
    parts = [[(random.randint(0, 3), random.randint(1, 9)) for _ in range(9)] for _ in range(2)]
    exact = compared(*parts, unit="matches")
    with patch("eai.report.pair_tests.exchange_steps", return_value=math.inf):
        drawn = compared(*parts, unit="matches", draws=4000)
    assert (exact.draws, drawn.draws) == (0, 4000)
    assert drawn.p_value == pytest.approx(exact.p_value, abs=0.04)
