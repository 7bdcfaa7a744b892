"""Supports of conditions against their truth in every state that agrees with them."""

from __future__ import annotations

from causes_worlds import WORLD
from hypothesis import HealthCheck, given, settings, strategies as st
from strategies_workshop import OBJECTS, STORED, formulas, some_atoms, truth

from eai.logic import Atom, Formula
from eai.planning import Bound, Support
from eai.world import State


def put(state: State, atoms: set[Atom], volatile: set[Atom]) -> State:
    """Another state, in which the volatile atoms are as given."""
    other = state.copy()
    for atom in volatile:
        change = other.add if atom in atoms else other.remove
        change(atom.predicate, tuple(map(str, atom.terms)))
    return other


@settings(max_examples=120)
@given(formulas, some_atoms, some_atoms, st.lists(some_atoms, min_size=6, max_size=6))
def test_a_support_suffices_whatever_the_other_atoms_are(
    formula: Formula, true: set[Atom], volatile: set[Atom], others: list[set[Atom]]
) -> None:
    state = WORLD.state(OBJECTS, true)
    support = Support(WORLD, state, WORLD.state(OBJECTS, volatile))
    support.move(state)
    want = truth(formula, state)
    assert support.of(formula, {}, not want) is None
    reads = support.of(formula, {}, want)
    assert reads is not None
    literals = [each for each in reads if not isinstance(each, Bound)]
    assert all(support.is_true(each) and support.is_volatile(each) for each in literals)
    for atoms in others:
        other = put(state, atoms, volatile)
        for p, numbers, value in literals:
            other.put(p, numbers, value)
        assert truth(formula, other) is want


@settings(max_examples=40)
@given(formulas, some_atoms)
def test_nothing_rests_on_atoms_that_do_not_change(formula: Formula, true: set[Atom]) -> None:
    state = WORLD.state(OBJECTS, true)
    support = Support(WORLD, state, WORLD.state(OBJECTS, ()))
    assert support.of(formula, {}, truth(formula, state)) == frozenset()


# Most random conditions rest on nothing that changes alone.
@settings(max_examples=40, suppress_health_check=[HealthCheck.filter_too_much])
@given(formulas, some_atoms, st.sampled_from(STORED))
def test_what_changes_alone_is_what_a_condition_rests_on(
    formula: Formula, true: set[Atom], one: Atom
) -> None:
    state = WORLD.state(OBJECTS, true)
    other = state.copy()
    (other.remove if one in true else other.add)(one.predicate, tuple(map(str, one.terms)))
    support = Support(WORLD, state, WORLD.state(OBJECTS, [one]))
    reads = support.of(formula, {}, truth(formula, state))
    assert reads is not None
    assert len(reads) >= (truth(formula, state) is not truth(formula, other))
    assert len(reads) <= 1
