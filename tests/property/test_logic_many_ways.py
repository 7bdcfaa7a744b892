"""However often a formula is evaluated, the verdict is the same."""

from __future__ import annotations

import contextlib

from hypothesis import given, settings, strategies as st
from list_trajectory import ListTrajectory
from strategies import (
    formulas,
    linear_formulas,
    propositional_formulas,
    traces,
    trajectories,
)

from eai.errors import UnknownNameError
from eai.logic import Formula, Reading, evaluate

FEW = settings(max_examples=100)
READINGS: st.SearchStrategy[Reading | None] = st.sampled_from([None, "eai", "ltlf"])


@FEW
@given(
    propositional_formulas() | formulas(depth=2) | linear_formulas(depth=2, temporal=True),
    st.lists(trajectories(), min_size=1, max_size=2) | st.lists(traces(), min_size=1, max_size=2),
    READINGS,
)
def test_what_is_evaluated_often_is_evaluated_the_same(
    formula: Formula, many: list[ListTrajectory], reading: Reading | None
) -> None:
    with contextlib.suppress(UnknownNameError):
        expected = [evaluate(formula, each, reading=reading) for each in many]
        for _ in range(50):
            assert [evaluate(formula, each, reading=reading) for each in many] == expected
