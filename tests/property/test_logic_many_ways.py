"""However a formula is evaluated, the verdict is the same: compiled, in a batch, often."""

from __future__ import annotations

import contextlib

from hypothesis import given, settings, strategies as st

from eai.errors import InputError, UnknownNameError
from eai.logic import Formula, Reading, compile_formula, evaluate, evaluate_all, to_linear
from list_trajectory import ListTrajectory
from strategies import (
    formulas,
    linear_formulas,
    propositional_formulas,
    traces,
    trajectories,
)

FEW = settings(max_examples=100, deadline=None)
READINGS: st.SearchStrategy[Reading | None] = st.sampled_from([None, "eai", "ltlf"])


@FEW
@given(propositional_formulas(), st.lists(traces(), min_size=1, max_size=4), READINGS)
def test_a_batch_of_traces(
    formula: Formula, many: list[ListTrajectory], reading: Reading | None
) -> None:
    expected = [evaluate(formula, each, reading=reading).holds for each in many]
    assert evaluate_all(formula, many, reading=reading) == expected


@FEW
@given(
    linear_formulas(depth=2, temporal=True),
    st.lists(trajectories(), min_size=1, max_size=3),
    READINGS,
)
def test_a_batch_of_trajectories(
    formula: Formula, many: list[ListTrajectory], reading: Reading | None
) -> None:
    expected = [evaluate(formula, each, reading=reading).holds for each in many]
    assert evaluate_all(formula, many, reading=reading) == expected


@FEW
@given(propositional_formulas(), traces())
def test_code_for_linear_temporal_logic(formula: Formula, trace: ListTrajectory) -> None:
    assert compile_formula(formula)(trace) == evaluate(formula, trace).holds


@FEW
@given(linear_formulas(depth=2, temporal=True) | formulas(depth=2), trajectories())
def test_code_for_anything(formula: Formula, trajectory: ListTrajectory) -> None:
    with contextlib.suppress(InputError):
        code = compile_formula(formula, objects=trajectory.objects)
        assert code(trajectory) == evaluate(formula, trajectory).holds


@FEW
@given(formulas(depth=2) | linear_formulas(depth=2, temporal=True), trajectories())
def test_a_translation_means_the_same(formula: Formula, trajectory: ListTrajectory) -> None:
    with contextlib.suppress(InputError):
        linear = to_linear(formula)
        assert evaluate(linear, trajectory, reading="ltlf").holds == (
            evaluate(formula, trajectory).holds
        )


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
