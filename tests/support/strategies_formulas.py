"""Formulas with every operator that there is, small enough for slow definitions."""

from __future__ import annotations

from hypothesis import strategies as st

from eai.logic import (
    FALSE,
    FIRST,
    LAST,
    TRUE,
    ActionAtom,
    Always,
    And,
    Atom,
    Count,
    Equal,
    Eventually,
    Exists,
    Forall,
    Formula,
    ForPairs,
    Historically,
    Iff,
    Implies,
    Next,
    Not,
    Once,
    Or,
    Previous,
    Release,
    Since,
    StrongRelease,
    Then,
    Trigger,
    Until,
    Variable,
    WeakNext,
    WeakPrevious,
    WeakUntil,
    Xor,
)

__all__ = ["BINARY", "UNARY", "all_formulas", "linear_formulas", "rising_formulas"]

UNARY = (
    Not,
    Next,
    WeakNext,
    Eventually,
    Always,
    Previous,
    WeakPrevious,
    Once,
    Historically,
)
BINARY = (Iff, Implies, Xor, Until, Release, WeakUntil, StrongRelease, Since, Trigger)
_X, _Y = Variable("x", ("food", "thing")), Variable("y")


def linear_formulas(*, depth: int = 3) -> st.SearchStrategy[Formula]:
    """Closed formulas of linear temporal logic, with quantifiers and without ``then``."""
    return _formulas((), depth, chains=False)


def all_formulas(*, depth: int = 3) -> st.SearchStrategy[Formula]:
    """Closed formulas with every operator, ``then`` included."""
    return _formulas((), depth, chains=True)


def rising_formulas() -> st.SearchStrategy[Formula]:
    """Closed formulas that facts can only make true: no negation, no action propositions."""
    facts = st.sampled_from([Atom("dark"), Atom("clean", ("cup.1",)), Atom("clean", ("box.2",))])
    found = facts | st.sampled_from([TRUE, LAST, FIRST, Exists((_X,), Atom("clean", (_X,)))])
    return st.recursive(
        found,
        lambda part: st.one_of(
            st.builds(lambda kind, a: kind(a), st.sampled_from(UNARY[1:]), part),
            st.builds(lambda kind, a, b: kind(a, b), st.sampled_from(BINARY[3:]), part, part),
            st.lists(part, min_size=1, max_size=3).map(tuple).map(And),
            st.lists(part, min_size=1, max_size=3).map(tuple).map(Or),
            st.lists(part, min_size=2, max_size=3).map(tuple).map(Then),
        ),
        max_leaves=6,
    )


def _formulas(
    scope: tuple[Variable, ...], depth: int, *, chains: bool
) -> st.SearchStrategy[Formula]:
    leaves = _leaves(scope)
    if depth == 0:
        return leaves
    part = st.deferred(lambda: _formulas(scope, depth - 1, chains=chains))
    body_x = st.deferred(lambda: _formulas((*scope, _X), depth - 1, chains=chains))
    body_xy = st.deferred(lambda: _formulas((*scope, _X, _Y), depth - 1, chains=chains))
    comparisons = st.sampled_from(["exactly", "at least", "at most"])
    parts = st.lists(part, max_size=3).map(tuple)
    options: list[st.SearchStrategy[Formula]] = [
        leaves,
        parts.map(And),
        parts.map(Or),
        st.builds(lambda kind, operand: kind(operand), st.sampled_from(UNARY), part),
        st.builds(lambda kind, a, b: kind(a, b), st.sampled_from(BINARY), part, part),
        st.builds(lambda kind, a, b: kind(a, b), st.sampled_from(BINARY[3:]), part, part),
        st.builds(lambda body: Forall((_X,), body), body_x),
        st.builds(lambda body: Exists((_X, _Y), body), body_xy),
        st.builds(Count, st.integers(0, 4), st.just(_X), body_x, comparisons),
        st.builds(ForPairs, st.just(_X), st.just(_Y), body_xy, st.none() | st.integers(0, 2)),
    ]
    if chains:
        options += [parts.map(Then), parts.map(Then)]
    return st.one_of(options)


def _leaves(scope: tuple[Variable, ...]) -> st.SearchStrategy[Formula]:
    term = st.sampled_from([*scope, "cup.1", "box.2"])
    return st.one_of(
        st.just(Atom("dark")),
        st.builds(Atom, st.just("clean"), st.tuples(term)),
        st.builds(Atom, st.just("near"), st.tuples(term, term)),
        st.builds(ActionAtom, st.just("GRAB"), st.tuples(term)),
        st.sampled_from([TRUE, FALSE, FIRST, LAST]) | st.builds(Equal, term, term),
    )
