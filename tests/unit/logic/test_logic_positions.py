"""What cannot be asked of positions by themselves."""

from itertools import product

import pytest
from list_trajectory import ListTrajectory

from eai.errors import InputError
from eai.logic import parse_formula
from eai.logic.algebra import _constant_stretches
from eai.logic.nodes import Binding
from eai.logic.positions import Positions

LIGHT = ListTrajectory({"tv": "device"}, [set(), {("on", "tv")}], [("SWITCH", "tv")])


def test_state_formulas_need_nothing_else() -> None:
    assert Positions(LIGHT).truth(parse_formula("not on(tv)"), Binding()) == 0b01


@pytest.mark.parametrize("text", ["F on(tv)", "exists x. (X on(x))", "not (on(tv) U on(tv))"])
def test_operators_of_time_need_a_timeline(text: str) -> None:
    with pytest.raises(InputError, match="need a timeline"):
        Positions(LIGHT).truth(parse_formula(text), Binding())


def test_a_chain_is_evaluated_on_parts_only() -> None:
    with pytest.raises(InputError, match="not true or false at a position"):
        Positions(LIGHT).truth(parse_formula("on(tv) then on(tv)"), Binding())


@pytest.mark.parametrize("length", [1, 2, 5])
def test_constant_stretches_are_the_longest_runs_on_which_nothing_changes(length: int) -> None:
    full = (1 << length) - 1
    for first, second in product(range(full + 1), repeat=2):
        expected: list[int] = []
        for position in range(length):
            values = first >> position & 1, second >> position & 1
            before = (first >> position - 1 & 1, second >> position - 1 & 1) if position else None
            if values == before:
                expected[-1] |= 1 << position
            else:
                expected.append(1 << position)
        assert list(_constant_stretches([first, second], full)) == expected
    assert list(_constant_stretches([], full)) == [full]
