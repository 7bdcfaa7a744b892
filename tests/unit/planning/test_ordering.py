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


def test_a_step_does_not_come_before_itself() -> None:
    with pytest.raises(InputError):
        PartialOrder([1, 2], [(2, 2)])


@pytest.mark.parametrize("pair", [(9, 1), (1, 9), (9, 8)])
def test_both_steps_of_a_pair_are_known(pair: tuple[int, int]) -> None:
    with pytest.raises(InputError):
        PartialOrder([1, 2], [pair])


def test_as_many_ideals_as_are_allowed_are_looked_at() -> None:
    # The ideals of a star with three rays: none, the middle, and it with any of the rays.
    star = PartialOrder(range(4), [(0, 1), (0, 2), (0, 3)])
    assert star.count(most=9) == 6
    assert star.count(most=8) is None
    # Each component has its own ideals: of two chains of two steps there are three each.
    chains = PartialOrder(range(4), [(0, 1), (2, 3)])
    assert chains.count(most=3) == 6
    assert chains.count(most=2) is None


def test_dice_fall_the_same_everywhere() -> None:
    """The numbers are those of the Mersenne Twister, which are the same in every language."""
    dice = Dice(0)
    assert [dice.below(6) for _ in range(10)] == [5, 4, 2, 1, 3, 2, 4, 1, 2, 3]
    items = list("abcdefg")
    dice.shuffle(items)
    drawn = ["".join(items), dice.choice("xyz"), dice.below(10**40), dice.below(1), dice.below(9)]
    assert drawn == ["caefbdg", "z", 9827854760376530940391148760681971907615, 0, 8]
    weights = {3: 1, 5: 0, 7: 4}
    assert [dice.pick(weights) for _ in range(12)] == [7, 7, 7, 7, 7, 3, *[7] * 6]


def test_dice_reach_every_number_and_no_other() -> None:
    dice = Dice(5)
    for bound in (1, 2, 7):
        assert {dice.below(bound) for _ in range(150)} == set(range(bound))


def test_keys_are_picked_by_weight() -> None:
    dice = Dice(3)
    times = Counter(dice.pick({1: 1, 2: 0, 4: 3}) for _ in range(1000))
    assert set(times) == {1, 4}
    assert 700 < times[4] < 800


def test_samples_of_too_many_ideals_are_the_same_everywhere() -> None:
    order = PartialOrder(range(1, 9), [(1, 2), (1, 3), (4, 5), (6, 7), (7, 8)])
    assert order.sample(0, most=2) == (1, 6, 7, 3, 2, 8, 4, 5)
    assert order.sample(1, most=2) == (1, 4, 6, 5, 3, 7, 8, 2)
    assert order.sample(2) == (6, 1, 7, 2, 3, 4, 8, 5)


def test_an_order_is_shown_and_compared_by_its_edges() -> None:
    order = PartialOrder([3, 1, 2], [(3, 1), (1, 2), (3, 2)])
    assert repr(order) == "PartialOrder([3, 1, 2], [(3, 1), (1, 2)])"
    assert order == PartialOrder([3, 1, 2], [(3, 1), (1, 2)])
    assert hash(order) == hash(PartialOrder([3, 1, 2], [(3, 1), (1, 2)]))
    assert order != PartialOrder([3, 1, 2], [(3, 1)])
