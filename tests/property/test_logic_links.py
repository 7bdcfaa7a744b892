"""Chains with links of linear temporal logic mean the same however they are computed.

On a short trajectory such a link is looked at backwards, on a long one its automaton is run. Both
are compared with the definition on trajectories that are short enough for it.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from definition import holds
from hypothesis import given, settings, strategies as st
from list_trajectory import ListTrajectory
from strategies import trajectories
from strategies_formulas import all_formulas

import eai.logic.evaluation
from eai.logic import (
    Always,
    And,
    Atom,
    Count,
    Evaluation,
    Eventually,
    Exists,
    Forall,
    Formula,
    ForPairs,
    Monitor,
    Next,
    Not,
    Once,
    Or,
    Then,
    Until,
    Variable,
    Xor,
    evaluate,
)

NEVER = 1 << 30
X, Y = Variable("x"), Variable("y")
P, Q = Atom("clean", (X,)), Atom("near", (X, Y))
FEW = settings(max_examples=100)


@pytest.fixture(params=[0, NEVER], ids=["automata", "backwards"], scope="module", autouse=True)
def way(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(eai.logic.evaluation, "_MIN_LENGTH_FOR_AUTOMATON", request.param)
        yield


LINKS = st.sampled_from(
    [
        P,
        Q,
        Eventually(P),
        Always(Q),
        Next(P),
        Until(Not(P), Q),
        And((Eventually(P), Not(Q))),
        Eventually(And((Q, Once(P)))),
        Always(Or((P, Once(Q)))),
        Eventually(Then((P, Q))),
        Not(Then((Eventually(P), Q))),
        And((Then((Always(P), Q)), Then((Eventually(Q), P)))),
        Exists((Y,), Always(Q)),
        Forall((Y,), Then((Eventually(Q), P))),
        Forall((X,), Eventually(P)),
    ]
)
CHAINS = st.lists(LINKS, min_size=1, max_size=3).map(tuple).map(Then)
BODIES = st.one_of(
    CHAINS,
    st.lists(CHAINS, min_size=2, max_size=3).map(tuple).map(And),
    st.lists(CHAINS, min_size=2, max_size=3).map(tuple).map(Or),
    st.builds(Xor, CHAINS, CHAINS),
    CHAINS.map(Not),
)
GOALS = st.one_of(
    BODIES.map(lambda body: Forall((X, Y), body)),
    BODIES.map(lambda body: Exists((X,), Forall((Y,), body))),
    BODIES.map(lambda body: Exists((Y,), Count(1, X, body))),
    BODIES.map(lambda body: ForPairs(X, Y, body, 1)),
)


@FEW
@given(GOALS, trajectories(longest=3))
def test_a_quantified_chain_holds_on_the_parts_that_the_definition_says(
    goal: Formula, trajectory: ListTrajectory
) -> None:
    evaluation = Evaluation(trajectory)
    for start in range(trajectory.length + 1):
        ends = evaluation.ends(goal, start)
        for end in range(start, trajectory.length + 1):
            assert bool(ends >> end & 1) == holds(goal, trajectory, start, end, {})


@FEW
@given(
    all_formulas(depth=2),
    trajectories(longest=3),
    st.integers(0, 15),
)
def test_a_link_ends_where_it_holds_after_some_cut(
    link: Formula, trajectory: ListTrajectory, cuts: int
) -> None:
    length = trajectory.length
    starts = [start for start in range(length + 1) if cuts >> start & 1]
    found = Evaluation(trajectory).link(link, cuts & (2 << length) - 1)
    for end in range(length + 1):
        expected = any(holds(link, trajectory, start, end, {}) for start in starts if start <= end)
        assert bool(found >> end & 1) == expected


@settings(FEW, max_examples=60)
@given(GOALS, trajectories(longest=4))
def test_a_monitor_of_a_quantified_chain_follows_the_verdicts(
    goal: Formula, trajectory: ListTrajectory
) -> None:
    monitor = Monitor(goal, objects=trajectory.objects)
    for end, state in enumerate(trajectory.states, 1):
        prefix = ListTrajectory(trajectory.types, trajectory.states[:end])
        monitor.push(lambda name, arguments, state=state: (name, *arguments) in state)  # type: ignore[misc]
        holds_so_far = evaluate(goal, prefix).holds
        assert monitor.holds == holds_so_far
        assert monitor.status in ("open", str(holds_so_far).lower())
