"""Partial orders: counting, sampling, and what is refused."""

from __future__ import annotations

from collections import Counter
from math import factorial

import pytest

from eai.errors import InputError
from eai.planning import Dice, PartialOrder


def test_steps_without_an_order_can_be_done_in_any() -> None:
    assert PartialOrder(range(1, 7), []).count() == factorial(6)


def test_a_chain_has_one_order() -> None:
    chain = PartialOrder([1, 2, 3], [(1, 2), (2, 3)])
    assert chain.count() == 1
    assert chain.sample(7) == (1, 2, 3)


def test_two_chains_are_interleaved() -> None:
    chains = PartialOrder([1, 2, 3, 4, 5], [(1, 3), (3, 5), (2, 4)])
    assert chains.count() == 10


def test_what_follows_from_other_pairs_is_no_edge() -> None:
    order = PartialOrder([1, 2, 3], [(1, 2), (2, 3), (1, 3)])
    assert order.edges == ((1, 2), (2, 3))
    assert order.precedes(1, 3)
    assert not order.precedes(3, 1)


def test_an_order_is_permitted_or_not() -> None:
    order = PartialOrder([1, 2, 3], [(1, 3)])
    assert order.permits([2, 1, 3])
    assert not order.permits([3, 1, 2])
    assert not order.permits([1, 3])


def test_no_steps_have_one_order() -> None:
    empty = PartialOrder([], [])
    assert (empty.count(), empty.sample(), empty.edges) == (1, (), ())


def test_a_pair_against_the_order_is_refused() -> None:
    with pytest.raises(InputError, match="step 2 cannot come before step 1"):
        PartialOrder([1, 2], [(2, 1)])


def test_a_pair_of_unknown_steps_is_refused() -> None:
    with pytest.raises(InputError, match="step 1 cannot come before step 9"):
        PartialOrder([1, 2], [(1, 9)])


def test_too_many_ideals_are_not_counted_but_sampled() -> None:
    # One component whose ideals are many: a step before twelve others.
    star = PartialOrder(range(13), [(0, i) for i in range(1, 13)])
    assert star.count() == factorial(12)
    assert star.count(most=100) is None
    assert star.permits(star.sample(3, most=100))


def test_samples_are_the_same_everywhere() -> None:
    order = PartialOrder(range(1, 9), [(1, 2), (1, 3), (4, 5)])
    assert order.sample(0) == (1, 8, 7, 2, 3, 6, 4, 5)
    assert order.sample(1) == order.sample(1) != order.sample(0)


def test_all_orders_are_equally_likely() -> None:
    # Drawing the next step evenly would give 2 first half of the time, not in two of three.
    order = PartialOrder([1, 2, 3], [(2, 3)])
    seen = Counter(order.sample(seed) for seed in range(1500))
    assert set(seen) == {(1, 2, 3), (2, 1, 3), (2, 3, 1)}
    assert all(430 < times < 570 for times in seen.values())


def test_large_numbers_are_drawn_below_their_bound() -> None:
    dice = Dice("large")
    assert all(dice.below(10**40) < 10**40 for _ in range(50))


def test_the_order_is_data() -> None:
    assert PartialOrder([1, 2, 3], [(1, 3)]).as_dict() == {"steps": [1, 2, 3], "edges": [[1, 3]]}
