"""A monitor says at every position what the whole trajectory up to there would say."""

from __future__ import annotations

import contextlib

from hypothesis import given, settings, strategies as st
from list_trajectory import ListTrajectory
from strategies import (
    formulas,
    linear_formulas,
    positive_formulas,
    propositional_formulas,
    traces,
    trajectories,
)
from strategies_formulas import all_formulas

from eai.errors import InputError
from eai.logic import Atom, Formula, Monitor, Reading, Then, evaluate

FEW = settings(max_examples=100)
READINGS: st.SearchStrategy[Reading | None] = st.sampled_from([None, "eai", "ltlf"])


def watch(formula: Formula, trajectory: ListTrajectory, reading: Reading | None) -> None:
    monitor = Monitor(formula, objects=trajectory.objects, reading=reading)
    decided = "open"
    for end in range(1, trajectory.length + 1):
        prefix = ListTrajectory(
            trajectory.types, trajectory.states[:end], trajectory.actions[: end - 1]
        )
        state = trajectory.states[end - 1]
        step = trajectory.actions[end - 1] if end <= len(trajectory.actions) else None
        status = monitor.push(
            lambda name, arguments, state=state: (name, *arguments) in state,  # type: ignore[misc]
            None if step is None else (step[0], step[1:]),
        )
        if not trajectory.actions:
            assert monitor.holds == evaluate(formula, prefix, reading=reading).holds
        if decided == "open":
            decided = status
        assert status == decided
    holds = evaluate(formula, trajectory, reading=reading).holds
    assert monitor.holds == holds
    assert decided in ("open", str(holds).lower())


@settings(FEW, max_examples=200)
@given(propositional_formulas(), traces(), READINGS)
def test_linear_temporal_logic(
    formula: Formula, trace: ListTrajectory, reading: Reading | None
) -> None:
    watch(formula, trace, reading)


@FEW
@given(linear_formulas(depth=2), trajectories())
def test_linear_temporal_logic_with_objects(formula: Formula, trajectory: ListTrajectory) -> None:
    watch(formula, trajectory, None)


@FEW
@given(formulas(depth=2) | linear_formulas(depth=2, temporal=True), trajectories())
def test_goals(formula: Formula, trajectory: ListTrajectory) -> None:
    watch(formula, trajectory, None)


@FEW
@given(all_formulas(depth=2), trajectories(longest=4), READINGS)
def test_goals_with_every_operator(
    formula: Formula, trajectory: ListTrajectory, reading: Reading | None
) -> None:
    watch(Then((formula, Atom("dark"))), trajectory, reading)


@FEW
@given(positive_formulas(depth=2), trajectories())
def test_a_goal_without_negation_is_true_as_soon_as_it_is_met(
    formula: Formula, trajectory: ListTrajectory
) -> None:
    with contextlib.suppress(InputError):
        monitor = Monitor(formula, objects=trajectory.objects)
        position = evaluate(formula, trajectory).position
        for end, state in enumerate(trajectory.states):
            step = trajectory.actions[end] if end < len(trajectory.actions) else None
            status = monitor.push(
                lambda name, arguments, state=state: (name, *arguments) in state,  # type: ignore[misc]
                None if step is None else (step[0], step[1:]),
            )
            if position is not None and formula.has_then:
                assert (status == "true") == (end >= position)
