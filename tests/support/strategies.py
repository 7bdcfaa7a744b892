"""Hypothesis strategies for what the package works on; every new feature extends them."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import strategies as st
from list_trajectory import ListTrajectory

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
    Counting,
    Equal,
    Eventually,
    Exists,
    Forall,
    Formula,
    ForPairs,
    Historically,
    Iff,
    Implies,
    LogicVocabulary,
    Next,
    Not,
    Once,
    Or,
    Previous,
    Release,
    Since,
    StrongRelease,
    Term,
    Then,
    Trigger,
    Until,
    Variable,
    WeakNext,
    WeakPrevious,
    WeakUntil,
    Xor,
)

__all__ = [
    "OBJECTS",
    "VOCABULARY",
    "formulas",
    "linear_formulas",
    "names",
    "positive_formulas",
    "propositional_formulas",
    "quantified_formulas",
    "state_formulas",
    "traces",
    "trajectories",
]

OBJECTS = {"cup.1": "food", "box.2": "thing", "agent.3": "character"}
"""Object name to its type."""

VOCABULARY = LogicVocabulary(
    predicates={"clean": 1, "near": 2, "dark": 0}, actions={"GRAB": 1, "POUR": 2}, objects=OBJECTS
)

_COMPARISONS: st.SearchStrategy[Counting] = st.sampled_from(["exactly", "at least", "at most"])
_TYPES = st.sampled_from([("object",), ("food",), ("thing", "character"), ("nothing",)])


def names() -> st.SearchStrategy[str]:
    """Names of objects, predicates and actions, most of them odd."""
    words = st.from_regex(r"[a-z_0-9]{1,4}([-.][a-z0-9]{1,3}){0,2}", fullmatch=True)
    keywords = st.sampled_from(
        [
            "then",
            "NOT",
            "notebook",
            "F",
            "X",
            "until",
            "last",
            "\uff50",
            "at-end",
            "U",
            "or-else",
            "true",
            "forn",
            "x",
            "x0",
        ]
    )
    return words | keywords | st.text(max_size=4)


def formulas(
    *, depth: int = 3, temporal: bool = True, negative: bool = True, odd_names: bool = False
) -> st.SearchStrategy[Formula]:
    """Closed formulas over :data:`VOCABULARY` whose connectives have two operands or more.

    Args:
        depth: Largest nesting of connectives.
        temporal: Whether ``then`` may occur.
        negative: Whether negation, implication and counting may occur.
        odd_names: Names of any kind instead of the vocabulary's (every primitive an atom).
    """
    return _formulas((), depth, _Wanted(temporal, negative, odd_names))


def state_formulas(*, depth: int = 3) -> st.SearchStrategy[Formula]:
    """Closed formulas without ``then``."""
    return formulas(depth=depth, temporal=False)


def positive_formulas(*, depth: int = 3) -> st.SearchStrategy[Formula]:
    """Closed formulas without negation, implication and counting."""
    return formulas(depth=depth, negative=False)


def linear_formulas(
    *, depth: int = 3, temporal: bool = False, odd_names: bool = False
) -> st.SearchStrategy[Formula]:
    """Closed formulas of linear temporal logic, with everything else but perhaps ``then``."""
    return _formulas((), depth, _Wanted(temporal, True, odd_names, linear=True))


def propositional_formulas(*, depth: int = 4) -> st.SearchStrategy[Formula]:
    """Formulas of linear temporal logic over three propositions without arguments."""
    leaves = st.sampled_from([*map(Atom, "abc"), TRUE, FALSE, LAST, FIRST])

    def grown(part: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
        return st.one_of(*_linear(part), st.tuples(part, part).map(And), part.map(Not))

    found: st.SearchStrategy[Formula] = leaves
    for _ in range(depth):
        found = leaves | grown(found)
    return found


def traces(*, longest: int = 7) -> st.SearchStrategy[ListTrajectory]:
    """Traces of the propositions of :func:`propositional_formulas`."""
    letters = st.sets(st.sampled_from("abc")).map(lambda found: [(each,) for each in found])
    return st.lists(letters, min_size=1, max_size=longest).map(
        lambda states: ListTrajectory([], states)
    )


def _linear(part: st.SearchStrategy[Formula]) -> list[st.SearchStrategy[Formula]]:
    ones = [Next, WeakNext, Eventually, Always, Previous, WeakPrevious, Once, Historically]
    twos = [Until, Release, WeakUntil, StrongRelease, Since, Trigger, Iff, Xor]
    return [
        st.builds(lambda kind, f: kind(f), st.sampled_from(ones), part),
        st.builds(lambda kind, f, g: kind(f, g), st.sampled_from(twos), part, part),
    ]


def quantified_formulas() -> st.SearchStrategy[Formula]:
    """Formulas that begin with two quantifiers and speak mostly of their variables."""
    anything = _Wanted(temporal=True, negative=True, odd_names=False)
    return st.tuples(_variables(), _variables()).flatmap(
        lambda pair: _quantified(
            pair[0],
            _quantified(pair[1], _formulas(tuple({v.name: v for v in pair}.values()), 2, anything)),
        )
    )


def _quantified(variable: Variable, body: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    return st.one_of(
        body.map(lambda inner: Exists((variable,), inner)),
        body.map(lambda inner: Forall((variable,), inner)),
        st.builds(Count, st.integers(0, 2), st.just(variable), body, _COMPARISONS),
    )


class _Wanted(NamedTuple):
    temporal: bool
    negative: bool
    odd_names: bool
    linear: bool = False


def _formulas(
    scope: tuple[Variable, ...], depth: int, wanted: _Wanted
) -> st.SearchStrategy[Formula]:
    leaves = _primitives(scope, wanted)
    if depth == 0:
        return leaves

    def deeper(*bound: Variable) -> st.SearchStrategy[Formula]:
        hidden = {variable.name for variable in bound}
        inner = (*(v for v in scope if v.name not in hidden), *bound)
        return _formulas(inner, depth - 1, wanted)

    part = st.deferred(deeper)
    parts = st.lists(part, min_size=2, max_size=3).map(tuple)
    binders = st.lists(_variables(), min_size=1, max_size=2, unique_by=lambda v: v.name).map(tuple)
    options: list[st.SearchStrategy[Formula]] = [
        leaves,
        parts.map(And),
        parts.map(Or),
        binders.flatmap(lambda bound: deeper(*bound).map(lambda body: Exists(bound, body))),
        binders.flatmap(lambda bound: deeper(*bound).map(lambda body: Forall(bound, body))),
    ]
    if wanted.temporal:
        options.append(parts.map(Then))
    if wanted.linear:
        options += _linear(part)
        options.append(
            _pairs().flatmap(
                lambda head: deeper(*head[:2]).map(lambda f: ForPairs(head[0], head[1], f, head[2]))
            )
        )
    if wanted.negative:
        options.append(part.map(Not))
        options.append(st.builds(Implies, part, part))
        options.append(
            st.tuples(st.integers(0, 4), _variables(), _COMPARISONS).flatmap(
                lambda head: deeper(head[1]).map(
                    lambda body: Count(head[0], head[1], body, head[2])
                )
            )
        )
    return st.one_of(options)


def _pairs() -> st.SearchStrategy[tuple[Variable, Variable, int | None]]:
    sides = st.lists(_variables(), min_size=2, max_size=2, unique_by=lambda v: v.name)
    numbers = st.none() | st.integers(0, 2)
    return st.tuples(sides, numbers).map(lambda head: (head[0][0], head[0][1], head[1]))


def _variables() -> st.SearchStrategy[Variable]:
    return st.builds(Variable, st.sampled_from(["x", "y", "x0"]), _TYPES)


def _terms(scope: tuple[Variable, ...], wanted: _Wanted) -> st.SearchStrategy[Term]:
    known: st.SearchStrategy[Term] = st.sampled_from(sorted(OBJECTS))
    objects = names() if wanted.odd_names else known
    return st.sampled_from(scope) | objects if scope else objects


def _primitives(scope: tuple[Variable, ...], wanted: _Wanted) -> st.SearchStrategy[Formula]:
    term = _terms(scope, wanted)
    ends = [LAST, FIRST] if wanted.linear else []
    constants = st.sampled_from([TRUE, FALSE, *ends]) | st.builds(Equal, term, term)
    if wanted.odd_names:
        return constants | st.builds(Atom, names(), st.lists(term, max_size=3).map(tuple))
    return st.one_of(
        st.just(Atom("dark")),
        st.builds(Atom, st.just("clean"), st.tuples(term)),
        st.builds(Atom, st.just("near"), st.tuples(term, term)),
        st.builds(ActionAtom, st.just("GRAB"), st.tuples(term)),
        st.builds(ActionAtom, st.just("POUR"), st.tuples(term, term)),
        constants,
    )


def trajectories(*, longest: int = 4) -> st.SearchStrategy[ListTrajectory]:
    """Trajectories over :data:`OBJECTS` and :data:`VOCABULARY`."""
    name = st.sampled_from(sorted(OBJECTS))
    facts = st.one_of(
        st.just(("dark",)),
        st.tuples(st.just("clean"), name),
        st.tuples(st.just("near"), name, name),
    )
    steps = st.tuples(st.just("GRAB"), name) | st.tuples(st.just("POUR"), name, name)
    return st.integers(1, longest).flatmap(
        lambda length: st.builds(
            ListTrajectory,
            st.just(OBJECTS),
            st.lists(st.sets(facts, max_size=4), min_size=length, max_size=length),
            st.lists(steps, min_size=length - 1, max_size=length - 1),
        )
    )
