"""Explanations are true of the trajectory that they explain."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from definition import holds, true_at
from eai.logic import evaluate, explain
from eai.logic.formula import Formula, Then
from list_trajectory import ListTrajectory
from strategies import formulas, positive_formulas, state_formulas, trajectories

FEW = settings(max_examples=100, deadline=None)


@FEW
@given(formulas(depth=2), trajectories())
def test_the_verdict_is_the_same_and_there_is_a_sentence(
    formula: Formula, trajectory: ListTrajectory
) -> None:
    found = explain(formula, trajectory)
    assert found.holds == evaluate(formula, trajectory).holds
    assert found.text.endswith(".")


@FEW
@given(state_formulas(depth=2), trajectories())
def test_the_part_of_a_state_formula_fails_or_holds_as_said(
    formula: Formula, trajectory: ListTrajectory
) -> None:
    found = explain(formula, trajectory)
    if found.holds:
        assert found.position is not None
        assert true_at(found.part, trajectory, found.position, {})
        assert not holds(formula, trajectory, 0, found.position, {})
    else:
        assert not holds(found.part, trajectory, 0, trajectory.length, {})
        if found.position is not None:
            assert any(true_at(part, trajectory, found.position, {}) for part in found.missing)


@FEW
@given(positive_formulas(depth=2), trajectories())
def test_the_witness_of_a_lasting_formula_is_where_it_was_first_met(
    formula: Formula, trajectory: ListTrajectory
) -> None:
    found = explain(formula, trajectory)
    verdict = evaluate(formula, trajectory)
    if verdict.position is not None and found.position is not None:
        assert found.position >= verdict.position
        assert holds(formula, trajectory, 0, found.position + 1, {})


@FEW
@given(st.lists(formulas(depth=2), min_size=2, max_size=3).map(tuple).map(Then), trajectories())
def test_a_chain_that_holds_is_cut_where_the_explanation_says(
    chain: Then, trajectory: ListTrajectory
) -> None:
    found = explain(chain, trajectory)
    if found.holds:
        ends = [0, *(place + 1 for place in found.reached[:-1]), trajectory.length]
        for link, start, end in zip(chain.operands, ends, ends[1:], strict=False):
            assert holds(link, trajectory, start, end, {})
