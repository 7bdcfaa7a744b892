"""The dynamic programme agrees with the definition on small cases."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from definition import holds, true_at
from eai.logic import Evaluation, evaluate, final, truth
from eai.logic.formula import Formula, Not, Then
from list_trajectory import ListTrajectory
from strategies import (
    formulas,
    positive_formulas,
    quantified_formulas,
    state_formulas,
    trajectories,
)

FEW = settings(max_examples=100, deadline=None)


@FEW
@given(formulas(depth=2), trajectories())
def test_verdict_is_that_of_the_definition(formula: Formula, trajectory: ListTrajectory) -> None:
    assert evaluate(formula, trajectory).holds == holds(
        formula, trajectory, 0, trajectory.length, {}
    )


@FEW
@given(st.lists(formulas(depth=1), max_size=3).map(tuple).map(Then), trajectories())
def test_negated_and_nested_then_follow_the_definition(
    chain: Then, trajectory: ListTrajectory
) -> None:
    formula = Then((Not(chain), chain, Not(Then((chain, chain)))))
    assert evaluate(formula, trajectory).holds == holds(
        formula, trajectory, 0, trajectory.length, {}
    )


@settings(FEW, max_examples=60)
@given(quantified_formulas(), trajectories(longest=3))
def test_quantifiers_follow_the_definition(formula: Formula, trajectory: ListTrajectory) -> None:
    assert evaluate(formula, trajectory).holds == holds(
        formula, trajectory, 0, trajectory.length, {}
    )


@FEW
@given(formulas(depth=2), trajectories())
def test_ends_are_those_of_all_parts(formula: Formula, trajectory: ListTrajectory) -> None:
    evaluation = Evaluation(trajectory)
    length = trajectory.length
    for start in range(length + 1):
        expected = sum(
            1 << end
            for end in range(start, length + 1)
            if holds(formula, trajectory, start, end, {})
        )
        assert evaluation.ends(formula, start) == expected


@FEW
@given(state_formulas(), trajectories())
def test_truth_is_that_of_every_position(formula: Formula, trajectory: ListTrajectory) -> None:
    positions = range(trajectory.length)
    expected = [true_at(formula, trajectory, position, {}) for position in positions]
    vector = truth(formula, trajectory)
    assert [bool(vector >> position & 1) for position in positions] == expected
    assert vector >> trajectory.length == 0
    assert final(formula, trajectory) == expected[-1]


@FEW
@given(positive_formulas(depth=2), trajectories())
def test_position_is_the_end_of_the_shortest_trajectory_that_will_do(
    formula: Formula, trajectory: ListTrajectory
) -> None:
    shortest = next(
        (end for end in range(trajectory.length + 1) if holds(formula, trajectory, 0, end, {})),
        None,
    )
    expected = None if shortest is None else max(shortest - 1, 0)
    assert evaluate(formula, trajectory).position == expected
