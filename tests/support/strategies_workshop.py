"""Hypothesis strategies for the workshop: conditions of every kind, and sets of its facts."""

from __future__ import annotations

from causes_worlds import THINGS, WORLD
from hypothesis import strategies as st

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
from eai.world import State, Trajectory

__all__ = ["OBJECTS", "STORED", "formulas", "some_atoms", "truth"]

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
    """Return formulas that are made of smaller ones."""
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
    """Return a formula with quantifiers for its free variables."""
    free = sorted(formula.free, key=str)
    return Exists(tuple(free), formula) if free else formula


formulas = st.recursive(leaves, larger, max_leaves=6).map(closed)
some_atoms = st.sets(st.sampled_from(STORED))
OBJECTS = {"robot": "robot", **dict.fromkeys(THINGS, "thing")}


def truth(formula: Formula, state: State) -> bool:
    """Return whether a condition holds in a state."""
    return evaluate(formula, Trajectory(WORLD, state, (), state)).holds
