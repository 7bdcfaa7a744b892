"""Conditions on masks of literals, against their truth in every state."""

from __future__ import annotations

from itertools import product
from random import Random

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
    size_of,
    unmet,
)

ATOMS = 4
POSITIVE = even(ATOMS)
LITERALS = [1 << bit for bit in range(2 * ATOMS)]
STATES = [
    sum(1 << 2 * atom + (not true) for atom, true in enumerate(truth))
    for truth in product([False, True], repeat=ATOMS)
]


def literal(random: Random) -> Condition:
    return Condition(random.choice(LITERALS))


def condition(random: Random, depth: int = 3) -> Condition:
    """A condition that is put together by chance."""
    if not depth or random.random() < 0.2:
        return random.choice([literal(random), literal(random), NOTHING, IMPOSSIBLE])
    join = random.choice([conjoin, disjoin])
    return join([condition(random, depth - 1) for _ in range(random.randint(0, 3))])


def true_in(one: Condition) -> list[bool]:
    return [holds(one, state) for state in STATES]


def test_positive_literals_are_the_even_ones() -> None:
    assert [even(atoms) for atoms in range(4)] == [0, 0b1, 0b101, 0b10101]


def test_the_complement_swaps_a_literal_with_its_opposite() -> None:
    for literals in range(1 << 2 * ATOMS):
        swapped = 0
        for atom in range(ATOMS):
            pair = literals >> 2 * atom & 3
            swapped |= (pair >> 1 | (pair & 1) << 1) << 2 * atom
        assert complement(literals, POSITIVE) == swapped


def test_constants_hold_everywhere_and_nowhere() -> None:
    assert all(true_in(NOTHING))
    assert not any(true_in(IMPOSSIBLE))
    assert conjoin([]) == NOTHING
    assert disjoin([]) == IMPOSSIBLE
    assert disjoin([IMPOSSIBLE, Condition(1)]) == Condition(1)
    assert disjoin([NOTHING, Condition(1)]) == NOTHING
    assert conjoin([IMPOSSIBLE, Condition(1)]) == IMPOSSIBLE


def test_parts_are_joined_as_in_logic() -> None:
    random = Random(1)
    for _ in range(400):
        parts = [condition(random) for _ in range(random.randint(0, 3))]
        truths = [true_in(part) for part in parts]
        assert true_in(conjoin(parts)) == [all(t[at] for t in truths) for at in range(len(STATES))]
        assert true_in(disjoin(parts)) == [any(t[at] for t in truths) for at in range(len(STATES))]


def test_a_disjunction_of_literals_is_one_clause_and_shared_literals_stand_outside() -> None:
    assert disjoin([Condition(1), Condition(8)]) == Condition(0, (9,))
    assert disjoin([Condition(1), Condition(0, (8 | 2,))]) == Condition(0, (11,))
    outside = disjoin([Condition(1 | 4), Condition(1 | 8)])
    assert (outside.every, outside.clauses) == (1, (4 | 8,))
    mixed = disjoin([Condition(1), Condition(4 | 16), Condition(64)])
    assert mixed.every == 0
    assert not mixed.clauses
    [choice] = mixed.choices
    assert {each.every or each.clauses for each in choice} == {4 | 16, (1 | 64,)}


def test_what_a_literal_makes_true_is_left_out_of_a_conjunction() -> None:
    assert conjoin([Condition(1), Condition(0, (1 | 4,)), Condition(0, (4 | 8,))]) == Condition(
        1, (4 | 8,)
    )
    assert conjoin([Condition(0, (5,)), Condition(0, (5,))]) == Condition(0, (5,))


def test_unmet_conjuncts_are_counted() -> None:
    random = Random(2)
    for _ in range(300):
        one = condition(random)
        for state in STATES:
            every, clauses, choices = one
            expected = sum(1 for each in LITERALS if every & each and not state & each)
            expected += sum(1 for clause in clauses if not clause & state)
            expected += sum(1 for some in choices if not any(holds(each, state) for each in some))
            assert unmet(one, state) == expected
            assert (unmet(one, state) == 0) is holds(one, state)
    assert unmet(Condition(1 | 4, (2 | 8, 16)), 0) == 4
    assert unmet(Condition(0, (2 | 8, 16)), 8) == 1


def test_size_and_literals_are_those_of_all_parts() -> None:
    assert size_of(NOTHING) == 1
    assert size_of(Condition(7, (1, 2))) == 3
    nested = disjoin([Condition(4 | 16), Condition(64 | 1, (2 | 8,))])
    assert size_of(nested) == 1 + 1 + 2
    assert literals_of(nested) == 4 | 16 | 64 | 1 | 2 | 8
    assert literals_of(conjoin([nested, Condition(128)])) == 4 | 16 | 64 | 1 | 2 | 8 | 128


@pytest.mark.parametrize("seed", range(30))
def test_what_is_left_says_the_same_where_something_is_settled(seed: int) -> None:
    random = Random(seed)
    settled = {atom: random.random() < 0.5 for atom in range(ATOMS) if random.random() < 0.4}
    always = sum(1 << 2 * atom + (not true) for atom, true in settled.items())
    never = complement(always, POSITIVE)
    simplifier = Simplifier(always, never)
    for _ in range(20):
        one = condition(random)
        left = simplifier.simplify(one)
        for state in STATES:
            if state & always == always:
                assert holds(left, state) is holds(one, state)
        mentioned = literals_of(left)
        assert not mentioned & (always | never)
        # A clause of one literal is that literal.
        assert all(clause & (clause - 1) for clause in left.clauses if left != IMPOSSIBLE)


def test_a_condition_that_nothing_settles_stays_as_it_is() -> None:
    one = Condition(1, (4 | 8,))
    assert Simplifier(16, 32).simplify(one) is one
    assert Simplifier(1, 2).simplify(one) == Condition(0, (4 | 8,))
    assert Simplifier(4, 8).simplify(one) == Condition(1)
    assert Simplifier(16, 8).simplify(one) == Condition(1 | 4)
    assert Simplifier(2, 1).simplify(one) == IMPOSSIBLE
