"""What cannot be asked of positions by themselves."""

import pytest
from list_trajectory import ListTrajectory

from eai.errors import InputError
from eai.logic import parse_formula
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
