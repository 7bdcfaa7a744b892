"""Corners of formulas: intervals that are empty, values without a timeline, long names."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random

import pytest

from eai.errors import InputError
from eai.logic import And, Atom, Formula, LogicVocabulary, Not, Or, Trace, evaluate, parse_formula
from eai.logic.algebra import Bits, Timeline
from eai.logic.constraints import hold_after, hold_during, within

P = Atom("p")


@pytest.mark.parametrize(("start", "end"), [(0, 0), (1, 1), (2, 1), (3, 0)])
def test_during_an_empty_interval_only_the_end_matters(start: int, end: int) -> None:
    formula = hold_during(start, end, P)
    for length in range(1, 6):
        for truth in product([False, True], repeat=length):
            trace = Trace.of_states([[P] if now else [] for now in truth])
            expected = truth[-1] if length <= start + 1 else True
            assert evaluate(formula, trace, reading="ltlf").holds is expected


def test_an_interval_begins_and_ends_where_it_says() -> None:
    for start, end in ((0, 1), (1, 3), (2, 5)):
        for length in range(1, 7):
            for truth in product([False, True], repeat=length):
                trace = Trace.of_states([[P] if now else [] for now in truth])
                inside = [truth[min(at, length - 1)] for at in range(start, end)]
                assert evaluate(hold_during(start, end, P), trace, reading="ltlf").holds is all(
                    inside
                )
                later = [truth[min(at, length - 1)] for at in range(start + 1, length + start + 1)]
                assert evaluate(hold_after(start, P), trace, reading="ltlf").holds is all(later)
                soon = truth[: start + 1]
                assert evaluate(within(start, P), trace, reading="ltlf").holds is any(soon)


def test_values_at_one_place_have_no_order_of_time() -> None:
    bits = Bits(0b11)
    asked: tuple[Callable[[], int], ...] = (
        lambda: bits.next(1, weak=False),
        lambda: bits.previous(1, weak=False),
        lambda: bits.lasting(1, 1, weak=False),
        lambda: bits.looking_back(1, 1, weak=False),
    )
    for ask in asked:
        with pytest.raises(InputError):
            ask()
    with pytest.raises(InputError):
        Timeline(0)
    assert Timeline(1).next(1, weak=False) == 0


def matching(edges: list[tuple[str, str]]) -> int:
    """The largest number of pairs without a common object, by trying all."""
    if not edges:
        return 0
    (first, second), *rest = edges
    apart = [edge for edge in rest if not {first, second} & {*edge}]
    return max(matching(rest), 1 + matching(apart))


def test_pairs_are_formed_wherever_they_can_be() -> None:
    random = Random(1)
    names = "abcdef"
    for _ in range(150):
        edges = [
            (one, other)
            for one in names
            for other in names
            if one != other and random.random() < 0.25
        ]
        best = matching(edges)
        for number in range(-1, 5):
            found = Bits(0b11).paired(dict.fromkeys(edges, 0b10), number)
            assert found == (0b10 if best >= number else 0) | (0b01 if number <= 0 else 0)


KNOWN = LogicVocabulary({"on": 1}, {}, frozenset({"lamp"}))


@pytest.mark.parametrize("length", [79, 80, 81, 200])
def test_long_unknown_names_are_cut(length: int) -> None:
    name = "n" * length
    with pytest.raises(InputError) as caught:
        parse_formula(f"on({name})", vocabulary=KNOWN)
    text = str(caught.value)
    assert (repr(name) in text) is (length <= 80)
    assert (f"'{'n' * 77}...'" in text) is (length > 80)


def test_a_state_formula_is_true_where_its_parts_are() -> None:
    traces = [Trace.of_states([[P] if now else []]) for now in (False, True)]
    for formula, truth in ((P, [False, True]), (Not(P), [True, False]), (And(()), [True, True])):
        assert [evaluate(formula, trace).holds for trace in traces] == truth
    empty: Formula = Or(())
    assert [evaluate(empty, trace).holds for trace in traces] == [False, False]
