"""Proofs are as small as can be, and prove what they say."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from eai.logic import evaluate
from eai.logic.formula import Formula, Then
from eai.logic.proof_check import check_proof
from eai.logic.proofs import prove
from list_trajectory import ListTrajectory
from smallest_proofs import NONE, smallest_at, smallest_on
from strategies import formulas, trajectories
from strategies_proofs import all_formulas, linear_formulas

FEW = settings(max_examples=120, deadline=None)


@FEW
@given(linear_formulas(), trajectories())
def test_sizes_at_a_position_are_those_of_the_smallest_proof(
    formula: Formula, trajectory: ListTrajectory
) -> None:
    whole = (0, trajectory.length)
    for position in range(trajectory.length):
        proof = prove(formula, trajectory, at=position)
        sizes = [smallest_at(formula, h, trajectory, whole, position, {}) for h in (True, False)]
        assert [proof.size if proof.holds is holds else NONE for holds in (True, False)] == sizes


@FEW
@given(
    all_formulas(depth=2) | st.lists(all_formulas(depth=1), max_size=3).map(tuple).map(Then),
    trajectories(longest=3),
)
def test_sizes_on_a_part_are_those_of_the_smallest_proof(
    formula: Formula, trajectory: ListTrajectory
) -> None:
    chain = Then((formula,))
    proof = prove(chain, trajectory)
    sizes = [smallest_on(chain, h, trajectory, 0, trajectory.length, {}) for h in (True, False)]
    assert [proof.size if proof.holds is holds else NONE for holds in (True, False)] == sizes


@FEW
@given(all_formulas() | linear_formulas(), trajectories())
def test_proofs_are_found_to_be_right(formula: Formula, trajectory: ListTrajectory) -> None:
    assert check_proof(prove(formula, trajectory), trajectory)


@FEW
@given(formulas(), trajectories())
def test_proofs_say_what_the_evaluation_says(formula: Formula, trajectory: ListTrajectory) -> None:
    assert prove(formula, trajectory).holds == evaluate(formula, trajectory).holds
