"""Supports of conditions against their truth in every state that agrees with them."""

from __future__ import annotations

from causes_worlds import THINGS, WORLD
from hypothesis import HealthCheck, given, settings, strategies as st

from eai.logic import (
    And,
    Atom,
    Count,
    Equal,
    Exists,
    Forall,
    Formula,
    ForPairs,
    Iff,
    Implies,
    Not,
    Or,
    Variable,
    Xor,
    evaluate,
)
from eai.planning import Bound, Support
from eai.world import State, Trajectory

STORED = [Atom("lit"), Atom("door_open"), Atom("window_open")]
STORED += [Atom(name, (thing,)) for name in ("painted", "wet") for thing in THINGS]
STORED += [Atom("in", (one, other)) for one in THINGS for other in THINGS]
X, Y = Variable("x", ("thing",)), Variable("y", ("thing",))

terms = st.sampled_from([*THINGS, X, Y])
leaves: st.SearchStrategy[Formula] = st.one_of(
    st.sampled_from([Atom("lit"), Atom("aired")]),
    st.builds(lambda p, t: Atom(p, (t,)), st.sampled_from(["painted", "wet"]), terms),
    st.builds(lambda p, t, u: Atom(p, (t, u)), st.sampled_from(["in", "nested"]), terms, terms),
    st.builds(Equal, terms, terms),
)


def larger(parts: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    several = st.lists(parts, min_size=1, max_size=3).map(tuple)
    variables = st.sampled_from([(X,), (Y,), (X, Y)])
    compare = st.sampled_from(["exactly", "at least", "at most"])
    return st.one_of(
        st.builds(Not, parts),
        st.builds(And, several),
        st.builds(Or, several),
        st.builds(Implies, parts, parts),
        st.builds(Iff, parts, parts),
        st.builds(Xor, parts, parts),
        st.builds(Exists, variables, parts),
        st.builds(Forall, variables, parts),
        st.builds(Count, st.integers(0, 3), st.sampled_from([X, Y]), parts, compare),
        st.builds(lambda body, number: ForPairs(X, Y, body, number), parts, st.integers(0, 2)),
    )


def closed(formula: Formula) -> Formula:
    free = sorted(formula.free, key=str)
    return Exists(tuple(free), formula) if free else formula


formulas = st.recursive(leaves, larger, max_leaves=6).map(closed)
some_atoms = st.sets(st.sampled_from(STORED))
OBJECTS = {"robot": "robot", **dict.fromkeys(THINGS, "thing")}


def truth(formula: Formula, state: State) -> bool:
    return evaluate(formula, Trajectory(WORLD, state, (), state)).holds


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
