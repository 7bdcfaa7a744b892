"""Tests and intervals of a report against their definitions, spelled out the long way."""

from __future__ import annotations

import math
from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, example, given, settings, strategies as st
from report_samples import EXCLUDED, GARBLED, MISSING, SOLVED, STOPPED, record

from eai.errors import InputError
from eai.report import Record, Report, rate_interval, wilson
from eai.report.aggregate import PARTS
from eai.report.comparison import compare
from eai.report.intervals import contributions, interval_of, intervals, rows_of
from eai.report.permutations import draw_exchange_sums, exchange_distribution, exchange_steps
from eai.report.scoring import PassAt
from eai.report.statistics import (
    ROUNDING,
    Z_95,
    check_draws,
    exchange_bounds,
    holm,
    mcnemar,
    newcombe,
    ratio_interval,
    student,
)

counts = st.integers(0, 12)
pairs = st.tuples(counts, counts, counts, counts).filter(any)
parts = st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=6)


@settings(max_examples=150)
@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_bounds_of_wilson_solve_his_equation(given_counts: tuple[int, int]) -> None:
    successes, trials = given_counts
    rate = successes / trials
    for bound in wilson(successes, trials):
        q = bound / 100
        assert (rate - q) ** 2 == pytest.approx(Z_95**2 * q * (1 - q) / trials, abs=1e-12)
    wide, narrow = wilson(successes, trials, z=3.0), wilson(successes, trials, z=1.0)
    assert wide[0] <= narrow[0] <= 100 * rate <= narrow[1] <= wide[1]


@pytest.mark.parametrize(("successes", "trials"), [(0, 0), (-1, 3), (4, 3), (3, 0), (-0.5, 1)])
def test_there_is_no_interval_without_trials(successes: float, trials: int) -> None:
    with pytest.raises(InputError):
        wilson(successes, trials)


def by_the_book(table: tuple[int, int, int, int]) -> tuple[float, float]:
    """Newcombe's method 10, line by line, in shares."""
    e, f, g, h = table
    n = sum(table)
    one, two = (e + f) / n, (e + g) / n
    l1, u1 = (bound / 100 for bound in wilson(e + f, n))
    l2, u2 = (bound / 100 for bound in wilson(e + g, n))
    a, b, c, d = e + f, g + h, e + g, f + h
    phi = 0.0
    if a * b * c * d:
        top = float(e * h - f * g)
        if top > 0:
            top = max(top - n / 2, 0)
        phi = top / math.sqrt(a * b * c * d)
    down = (one - l1) ** 2 - 2 * phi * (one - l1) * (u2 - two) + (u2 - two) ** 2
    up = (u1 - one) ** 2 - 2 * phi * (u1 - one) * (two - l2) + (two - l2) ** 2
    theta = one - two
    return 100 * (theta - math.sqrt(max(down, 0))), 100 * (theta + math.sqrt(max(up, 0)))


@settings(max_examples=200)
@given(pairs)
@example((0, 0, 3, 4))
@example((0, 3, 0, 4))
@example((4, 3, 0, 0))
@example((4, 0, 3, 0))
@example((9, 0, 0, 5))
@example((0, 5, 0, 0))
def test_the_interval_of_a_difference_is_that_of_the_book(
    table: tuple[int, int, int, int],
) -> None:
    low, high = newcombe(table)
    assert (low, high) == pytest.approx(by_the_book(table), abs=1e-9)
    both, first, second, neither = table
    assert newcombe((both, second, first, neither)) == pytest.approx((-high, -low), abs=1e-9)
    # Failures differ as successes do.
    assert newcombe((neither, first, second, both)) == pytest.approx((low, high), abs=1e-9)


def test_no_items_have_no_difference() -> None:
    with pytest.raises(InputError):
        newcombe((0, 0, 0, 0))


@settings(max_examples=100)
@given(counts, counts)
def test_the_p_value_counts_all_ways_to_win(first: int, second: int) -> None:
    differ, fewer = first + second, min(first, second)
    ways = sum(math.comb(differ, wins) for wins in range(fewer + 1))
    expected = min(1.0, 2 * ways / 2**differ)
    assert mcnemar((3, first, second, 4)) == mcnemar((0, second, first, 0)) == expected


@settings(max_examples=100)
@given(st.lists(st.floats(0, 1), max_size=7))
def test_adjusted_p_values_are_those_of_the_definition(values: list[float]) -> None:
    found = holm(values)
    order = sorted(values)
    for value, adjusted in zip(values, found, strict=True):
        before = order[: order.index(value) + 1]
        scaled = [min(1.0, p * (len(values) - rank)) for rank, p in enumerate(before)]
        assert adjusted >= max(scaled) - 1e-12
        assert value <= adjusted <= 1
    assert sorted(found) == [found[at] for at in sorted(range(len(values)), key=values.__getitem__)]


@settings(max_examples=60)
@given(parts)
def test_all_ways_to_exchange_are_counted(rows: list[tuple[int, int]]) -> None:
    array = np.array(rows, dtype=np.int64)
    expected: dict[tuple[int, int], float] = {}
    for chosen in product((0, 1), repeat=len(rows)):
        total = tuple((np.array(chosen) @ array).tolist())
        expected[total] = expected.get(total, 0.0) + 1 / 2 ** len(rows)
    numerators, denominators, chances = exchange_distribution(array)
    sums = list(product(numerators.tolist(), denominators.tolist()))
    found: dict[tuple[int, int], float] = {}
    for total, chance in zip(sums, chances.ravel().tolist(), strict=True):
        if chance:
            assert total not in found
            found[total] = chance
    assert found == pytest.approx(expected)
    assert 0 < exchange_steps(array) + 1 <= 1 + len(rows) * len(sums)


@pytest.mark.parametrize("cells", [1, 2, 7, 50])
def test_sums_are_the_same_however_many_are_added_at_once(
    cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = np.array([[1, 0], [2, 3], [-1, 2], [3, -2], [0, 5], [2, 2]], dtype=np.int64)
    expected = exchange_distribution(rows)
    monkeypatch.setattr("eai.report.permutations._CELLS_AT_ONCE", cells)
    for found, known in zip(exchange_distribution(rows), expected, strict=True):
        assert found.tolist() == known.tolist()


@settings(max_examples=200)
@given(st.lists(st.tuples(counts, counts, counts, counts), min_size=1, max_size=7))
def test_every_p_value_is_between_its_bounds(rows: list[tuple[int, int, int, int]]) -> None:
    models = np.array(rows, dtype=np.int64).reshape(-1, 2, 2)
    models[:, :, 1] += models[:, :, 0]  # shares: no numerator is above its denominator
    assume(models[:, :, 1].sum(axis=0).all())

    def difference(exchanged: tuple[int, ...]) -> float:
        swaps = np.array(exchanged)
        kept, swapped = models[swaps == 0], models[swaps == 1]
        sums = kept.sum(axis=0) + swapped[:, ::-1].sum(axis=0)
        if not sums[:, 1].all():
            return -1.0
        first, second = sums[:, 0] / sums[:, 1]
        return float(abs(first - second))

    differences = [difference(exchanged) for exchanged in product((0, 1), repeat=len(rows))]
    observed = differences[0] - ROUNDING
    p_value = sum(value >= observed for value in differences) / len(differences)
    tasks = Counter((a, b, c, d) for a, b, c, d in models.reshape(-1, 4).tolist())
    lower, upper = exchange_bounds(tasks)
    assert 0 <= lower <= p_value <= upper <= 1


def test_a_clear_difference_has_a_small_upper_bound() -> None:
    # By hand: all ranges are 9 * 2000, and the distance is 0.9 * 1000 ** 2.
    by_hand = 2 * math.exp(-2 * (0.9 * 1000**2) ** 2 / (100 * (9 * 2000) ** 2))
    lower, upper = exchange_bounds({(10, 10, 1, 10): 100})
    assert lower == 0
    assert upper == pytest.approx(by_hand)
    assert by_hand < 1e-9


def test_a_small_difference_has_a_large_lower_bound() -> None:
    # By hand: two of 102 tasks decide for the first; each of the 100 others moves one point.
    tasks = {(1, 1, 0, 1): 51, (0, 1, 1, 1): 49, (1, 1, 1, 1): 2}
    variance = 100 * (2 * 102) ** 2 / 4
    share = (2 / 102 * 102**2) ** 2 / variance
    lower, upper = exchange_bounds(tasks)
    assert lower == pytest.approx((1 - share) ** 2 / 3)
    assert lower > 0.05
    assert upper == 1


def test_the_bounds_of_models_that_are_equal_are_one() -> None:
    assert exchange_bounds({(1, 2, 1, 2): 3, (0, 1, 0, 1): 1}) == (1, 1)
    assert exchange_bounds({(1, 2, 0, 2): 3, (0, 2, 1, 2): 3}) == (1, 1)


def test_nothing_is_ruled_out_where_a_denominator_may_become_zero() -> None:
    assert exchange_bounds({(1, 1, 0, 0): 1, (0, 0, 1, 3): 1}) == (0, 1)


def test_subsets_of_many_tasks_are_counted() -> None:
    """Their number, 2**1100, is no float."""
    tasks = 1100
    _, _, chances = exchange_distribution(np.array([[1, 0]] * tasks, dtype=np.int64))
    middle = math.comb(tasks, tasks // 2) / 2**tasks
    assert chances[tasks // 2, 0] == pytest.approx(middle)
    assert chances.sum() == pytest.approx(1)


def test_too_many_sums_are_not_counted() -> None:
    wide = np.array([[10**4, 1], [1, 10**4]], dtype=np.int64)
    assert exchange_steps(wide) == math.inf
    # What all parts have in common counts once: these are as few as ones.
    alike = np.array([[10**6, 10**6]] * 3, dtype=np.int64)
    assert exchange_steps(alike) == 3 * 4 * 4
    assert exchange_steps(np.array([[1999, 0], [0, 1999]], dtype=np.int64)) == 2 * 2 * 2
    assert exchange_steps(np.array([[1998, 1], [1, 1998]], dtype=np.int64)) == 2 * 2000 * 2000
    assert exchange_steps(np.array([[1999, 1], [1, 1998]], dtype=np.int64)) == math.inf


@settings(max_examples=40)
@given(parts, st.integers(1, 40), st.integers(0, 5))
def test_draws_are_sums_over_subsets(rows: list[tuple[int, int]], draws: int, seed: int) -> None:
    array = np.array(rows, dtype=np.float64)
    marked = np.hstack([array, np.eye(len(rows))])
    found = draw_exchange_sums(marked, draws=draws, seed=seed)
    assert found.shape == (draws, 2 + len(rows))
    # The tasks that were drawn explain the sums.
    assert np.allclose(found[:, 2:] @ array, found[:, :2])
    assert set(np.unique(found[:, 2:])) <= {0, 1}
    assert (draw_exchange_sums(marked, draws=draws, seed=seed) == found).all()


def test_draws_are_as_likely_as_they_say() -> None:
    found = draw_exchange_sums(np.eye(4), draws=4_000, seed=1)
    assert found.mean(axis=0) == pytest.approx([0.5] * 4, abs=0.05)


@pytest.mark.parametrize(("draws", "seed"), [(0, 0), (-1, 0), (1.5, 0), (1, -1), (1, 0.5)])
def test_draws_and_seeds_are_whole_numbers(draws: int, seed: int) -> None:
    with pytest.raises(InputError):
        check_draws(draws, seed)
    # They are refused even where nothing has to be drawn.
    pair = [record(SOLVED, model=model) for model in ("one", "other")]
    with pytest.raises(InputError):
        compare(Report(pair), draws=draws, seed=seed)
    check_draws(1, 0)


def test_draws_in_several_goes_are_all_there(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    whole = draw_exchange_sums(np.eye(3), draws=5, seed=0)
    monkeypatch.setattr(sys.modules[draw_exchange_sums.__module__], "_MAX_RANDOM", 7)
    assert (draw_exchange_sums(np.eye(3), draws=5, seed=0) == whole).all()
    assert draw_exchange_sums(np.eye(9), draws=3, seed=0).shape == (3, 9)


# ---- ratios of sums over tasks


def test_students_quantile_is_that_of_the_tables() -> None:
    for degrees, quantile in ((2, 4.3027), (3, 3.1824), (5, 2.5706), (10, 2.2281), (30, 2.0423)):
        assert student(degrees) == pytest.approx(quantile, rel=0.008 if degrees == 2 else 0.002)
    assert student(10**9) == pytest.approx(Z_95)
    wide_to_narrow = [student(degrees) for degrees in range(1, 40)]
    assert wide_to_narrow == sorted(wide_to_narrow, reverse=True)


shares = st.lists(
    st.integers(0, 6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), max_size=12
)


@settings(max_examples=150)
@given(shares)
@example([(0, 1), (1, 1)])
@example([(0, 10**9), (1, 10**9), (0, 0)])
@example([(10**9, 10**9), (10**9 - 1, 10**9)])
def test_the_interval_of_a_proportion_is_a_proportion(rows: list[tuple[int, int]]) -> None:
    bounds = ratio_interval(Counter(rows))
    asked = [(of_task, out_of) for of_task, out_of in rows if out_of]
    ratios = {of_task / out_of for of_task, out_of in asked}
    assert (bounds is None) is (len(ratios) < 2)
    if bounds is None:
        return
    low, high = bounds
    ratio = sum(of_task for of_task, _ in asked) / sum(out_of for _, out_of in asked)
    assert 0 <= low < ratio < high <= 1
    # What is right for one is wrong for the other.
    mirrored = ratio_interval(Counter((out_of - of_task, out_of) for of_task, out_of in rows))
    assert mirrored == pytest.approx((1 - high, 1 - low))
    # Tasks that are ten times as large say as much.
    larger = ratio_interval(Counter((10 * of_task, 10 * out_of) for of_task, out_of in rows))
    assert larger == pytest.approx(bounds)


@settings(max_examples=100)
@given(st.lists(st.tuples(st.integers(-9, 9), st.just(1)), min_size=2, max_size=9))
def test_the_interval_of_a_mean_is_students(rows: list[tuple[int, int]]) -> None:
    """With one unit a task, a ratio is a mean: the interval is that of the textbook."""
    numbers = [number for number, _ in rows]
    mean, deviation = float(np.mean(numbers)), float(np.std(numbers, ddof=1))
    bounds = ratio_interval(Counter(rows))
    if not deviation:
        assert bounds is None
        return
    if all(number in (0, 1) for number in numbers):
        return  # a proportion: see above
    half = student(len(rows) - 1) * deviation / math.sqrt(len(rows))
    lowest = -math.inf if min(numbers) < 0 else 0.0
    assert bounds == pytest.approx((max(lowest, mean - half), mean + half))


def test_the_interval_of_a_proportion_by_hand() -> None:
    """Residuals 1 - 1/2 * 1, 1 - 1/2 * 3 and 2 - 1/2 * 4: r = 1/2, D = 8, squares add to 1/2."""
    error = math.sqrt(3 / 2 * 0.5) / 8
    half = student(2) * error / (0.5 * 0.5)
    expected = 1 / (1 + math.exp(half)), 1 / (1 + math.exp(-half))
    assert ratio_interval(Counter([(1, 1), (1, 3), (2, 4)])) == pytest.approx(expected)


@pytest.mark.heavy
@pytest.mark.parametrize("tasks", [5, 20, 80])
def test_the_interval_covers_the_truth_as_often_as_it_says(tasks: int) -> None:
    """Tasks differ in their size and in how hard they are; 600 samples, 2.5 deviations allowed."""
    generator = np.random.default_rng(tasks)
    covered = defined = 0
    for _ in range(600):
        sizes = generator.choice((1, 3, 8), tasks)
        right = generator.binomial(sizes, generator.beta(1, 3, tasks))
        bounds = ratio_interval(Counter(zip(right.tolist(), sizes.tolist(), strict=True)))
        if bounds is None:
            continue
        defined += 1
        covered += bounds[0] <= 0.25 <= bounds[1]
    # Without an interval are samples in which all tasks have the same share, such as 0.
    assert defined > 570
    assert covered / defined > 0.95 - 2.5 * math.sqrt(0.95 * 0.05 / 600)


# ---- rates over tasks with several answers


def answers(*shares: str) -> list[tuple[str, bool]]:
    """The outcomes of tasks, a letter an answer: ``"+-"``."""
    return [(str(task), each == "+") for task, text in enumerate(shares) for each in text]


def test_with_one_answer_a_task_a_rate_has_wilsons_interval() -> None:
    for right in range(6):
        found = rate_interval(answers(*("+" * right + "-" * (5 - right))))
        assert found == wilson(right, 5)


def test_with_several_answers_whole_tasks_count() -> None:
    tasks = ["++--", "+---", "----", "++++", "+-"] * 4
    low, high = rate_interval(answers(*tasks))
    rows = [(text.count("+"), len(text)) for text in tasks]
    bounds = ratio_interval(Counter(rows))
    assert bounds is not None
    assert (low, high) == (100 * bounds[0], 100 * bounds[1])
    rate = 100 * sum(top for top, _ in rows) / sum(bottom for _, bottom in rows)
    assert low < rate < high
    # Answers that are all alike say no more than one of them.
    single = ["+", "-"] * 10
    fourfold = [text * 4 for text in single]
    assert rate_interval(answers(*fourfold))[0] == pytest.approx(wilson(10, 20)[0], abs=5)


def test_where_all_tasks_are_alike_the_interval_holds_their_share() -> None:
    for text, share in (("+-", 50), ("+---", 25), ("++-", 200 / 3), ("++", 100), ("--", 0)):
        for tasks in (1, 2, 20):
            low, high = rate_interval(answers(*[text] * tasks))
            assert low <= share <= high
            assert (low, high) == wilson(tasks * text.count("+") / len(text), tasks)


# ---- intervals of the metrics of a report


def records() -> list[Record]:
    results = (SOLVED, STOPPED, GARBLED, MISSING, EXCLUDED, SOLVED, STOPPED, STOPPED)
    return [record(each, task=f"t{number}") for number, each in enumerate(results)]


def test_an_interval_of_one_metric_is_that_among_all() -> None:
    report = Report(records())
    [side] = report.sides.values()
    together = intervals(report.view, records())
    for place, score in enumerate(report.metrics("alpha")):
        assert interval_of(score, side.contributions(place)) == together.get(score.key)
        rows = rows_of(report.view, report.by_task())
        assert side.contributions(place) == contributions(rows, place)
    assert {each.method for each in together.values()} == {"Wilson", "linearization"}


# ---- the chance that one of k answers is right


@settings(max_examples=60)
@given(st.lists(st.lists(st.booleans(), min_size=1, max_size=5), min_size=1, max_size=4))
def test_pass_at_k_is_the_share_of_draws_with_a_right_answer(tasks: list[list[bool]]) -> None:
    from itertools import combinations

    made = [
        record(SOLVED if right else STOPPED, task=f"t{number}")
        for number, several in enumerate(tasks)
        for right in several
    ]
    made.append(record(EXCLUDED, task="t0"))
    for k in (1, 2, 3):
        chances = [
            np.mean([any(drawn) for drawn in combinations(several, k)])
            for several in tasks
            if len(several) >= k
        ]
        score = PassAt(k).score(made)
        assert score.key == score.label == f"pass@{k}"
        assert score.denominator == PARTS * len(chances)
        if chances:
            assert score.value == pytest.approx(100 * float(np.mean(chances)), abs=1e-4)
        else:
            assert score.value is None


@pytest.mark.parametrize("k", [0, -1])
def test_pass_at_less_than_one_is_refused(k: int) -> None:
    with pytest.raises(InputError) as caught:
        PassAt(k)
    assert caught.value.expected
