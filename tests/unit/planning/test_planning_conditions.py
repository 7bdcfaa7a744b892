"""Ground conditions: simplification keeps their meaning."""

from __future__ import annotations

import pytest

from eai.planning.conditions import (
    IMPOSSIBLE,
    NOTHING,
    Condition,
    Simplifier,
    complement,
    conjoin,
    disjoin,
    even,
    holds,
    literals_of,
    unmet,
)

P, Q, R = 1, 4, 16  # atoms 0, 1, 2; bits 2, 8, 32 are their negations


def test_literals_are_paired() -> None:
    assert even(3) == P | Q | R
    assert complement(P | Q << 1, even(3)) == P << 1 | Q
    assert even(0) == 0


def test_what_all_alternatives_ask_for_stands_outside() -> None:
    either = disjoin([Condition(P | Q), Condition(P | R)])
    assert either == Condition(P, (Q | R,))
    assert holds(either, P | R)
    assert not holds(either, Q | R)


def test_constants_disappear() -> None:
    assert disjoin([]) == IMPOSSIBLE
    assert disjoin([Condition(P), NOTHING]) == NOTHING
    assert disjoin([IMPOSSIBLE, Condition(P)]) == Condition(P)
    assert conjoin([Condition(P), IMPOSSIBLE]) == IMPOSSIBLE
    assert conjoin([]) == NOTHING


def test_an_alternative_that_is_a_conjunction_stays_one() -> None:
    either = disjoin([Condition(P | Q), Condition(R), Condition(Q << 1)])
    for state in range(1 << 6):
        expected = bool(state & P and state & Q) or bool(state & R) or bool(state & Q << 1)
        assert holds(either, state) == expected
    assert literals_of(either) == P | Q | R | Q << 1


def test_open_conjuncts_are_counted() -> None:
    goal = conjoin([Condition(P | Q), Condition(0, (R | P << 1,)), disjoin([Condition(P | R)])])
    assert unmet(goal, 0) == 3  # p, q, r: where r holds, so does the clause
    assert unmet(goal, P | Q | R) == 0


@pytest.mark.parametrize("always", [0, P, P | Q << 1])
@pytest.mark.parametrize("never", [0, R, Q])
def test_simplified_conditions_mean_the_same(always: int, never: int) -> None:
    condition = conjoin(
        [disjoin([Condition(P | Q), Condition(R)]), disjoin([Condition(Q << 1), Condition(P | R)])]
    )
    left = Simplifier(always, never).simplify(condition)
    for state in range(1 << 6):
        if state & always == always and not state & never:
            assert holds(left, state) == holds(condition, state)
    assert not literals_of(left) & (always | never)
