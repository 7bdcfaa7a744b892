"""Partial orders against the orders themselves, all of them."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given, settings, strategies as st

from eai.planning import PartialOrder

Pairs = list[tuple[int, int]]

pairs: st.SearchStrategy[Pairs] = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(lambda pair: pair[0] < pair[1]),
    max_size=8,
)


def possible(size: int, before: Pairs) -> list[tuple[int, ...]]:
    return [
        order
        for order in permutations(range(size))
        if all(order.index(a) < order.index(b) for a, b in before)
    ]


@settings(max_examples=60)
@given(pairs, st.integers(0, 5))
def test_counts_samples_and_permissions_are_those_of_all_orders(before: Pairs, seed: int) -> None:
    order = PartialOrder(range(6), before)
    every = possible(6, before)
    assert order.count() == len(every)
    assert order.sample(seed) in every
    assert order.sample(seed, most=3) in every
    assert [each for each in permutations(range(6)) if order.permits(each)] == every


@settings(max_examples=60)
@given(pairs)
def test_edges_say_the_same_with_no_pair_to_spare(before: Pairs) -> None:
    order = PartialOrder(range(6), before)
    edges = list(order.edges)
    assert possible(6, edges) == possible(6, before)
    for edge in edges:
        rest = [other for other in edges if other != edge]
        assert len(possible(6, rest)) > len(possible(6, before))
