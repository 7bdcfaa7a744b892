"""The dynamic programme agrees with the definition on small cases."""

from __future__ import annotations

from itertools import product

import pytest
from definition import holds, true_at
from hypothesis import given, settings, strategies as st
from list_trajectory import Fact, ListTrajectory
from strategies import (
    formulas,
    linear_formulas,
    positive_formulas,
    propositional_formulas,
    quantified_formulas,
    state_formulas,
    traces,
    trajectories,
)
from strategies_formulas import BINARY, UNARY

from eai.logic import Atom, Evaluation, Formula, Not, Then, evaluate, final, truth

FEW = settings(max_examples=100)


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


@pytest.mark.parametrize("kind", [*UNARY, *BINARY], ids=lambda kind: kind.__name__)
def test_every_operator_follows_the_definition_on_all_short_traces(kind: type[Formula]) -> None:
    facts: list[list[Fact]] = [[("p",)], [("q",)], [("p",), ("q",)], []]
    parts = (Atom("p"), Atom("q"))[: 1 if kind in UNARY else 2]
    formula = kind(*parts)
    for states in (states for n in (1, 2, 3) for states in product(facts, repeat=n)):
        trajectory = ListTrajectory((), states)
        expected = [true_at(formula, trajectory, i, {}) for i in range(trajectory.length)]
        vector = truth(formula, trajectory)
        assert [bool(vector >> i & 1) for i in range(trajectory.length)] == expected
        assert evaluate(formula, trajectory, reading="ltlf").holds == expected[0]


@settings(FEW, max_examples=300)
@given(propositional_formulas(), traces())
def test_linear_temporal_logic_follows_the_definition(
    formula: Formula, trajectory: ListTrajectory
) -> None:
    expected = [true_at(formula, trajectory, i, {}) for i in range(trajectory.length)]
    vector = truth(formula, trajectory)
    assert [bool(vector >> i & 1) for i in range(trajectory.length)] == expected
    assert evaluate(formula, trajectory, reading="ltlf").holds == expected[0]


@FEW
@given(linear_formulas(depth=2), trajectories())
def test_linear_temporal_logic_with_objects_follows_the_definition(
    formula: Formula, trajectory: ListTrajectory
) -> None:
    vector = truth(formula, trajectory)
    for position in range(trajectory.length):
        assert bool(vector >> position & 1) == true_at(formula, trajectory, position, {})


@FEW
@given(linear_formulas(depth=2, temporal=True), trajectories())
def test_chains_and_linear_temporal_logic_mix_as_defined(
    formula: Formula, trajectory: ListTrajectory
) -> None:
    length = trajectory.length
    if formula.has_then or not formula.has_linear:
        assert evaluate(formula, trajectory).holds == holds(formula, trajectory, 0, length, {})
    evaluation = Evaluation(trajectory)
    for start in range(length + 1):
        ends = evaluation.ends(formula, start)
        for end in range(start, length + 1):
            assert bool(ends >> end & 1) == holds(formula, trajectory, start, end, {})


class Knowing(ListTrajectory):
    """Knows for which objects an atom is ever true."""

    def ever(
        self, predicate: str, arguments: tuple[str | None, ...], place: int
    ) -> frozenset[str] | None:
        return frozenset(
            fact[place + 1]
            for state in self.states
            for fact in state
            if fact[0] == predicate
            and all(want in (None, has) for want, has in zip(arguments, fact[1:], strict=True))
        )


@settings(FEW, max_examples=60)
@given(quantified_formulas() | linear_formulas(depth=2, temporal=True), trajectories(longest=3))
def test_what_is_known_of_extents_changes_no_verdict(
    formula: Formula, trajectory: ListTrajectory
) -> None:
    knowing = Knowing(trajectory.types, trajectory.states, trajectory.actions)
    assert evaluate(formula, knowing) == evaluate(formula, trajectory)


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
