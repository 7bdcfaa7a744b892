"""Trajectory constraints of PDDL 3 in brackets."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st
from list_trajectory import ListTrajectory

from eai.errors import ParseError
from eai.logic import (
    LAST,
    TRUE,
    Always,
    And,
    Atom,
    Equal,
    Eventually,
    Exists,
    Forall,
    Formula,
    Implies,
    Not,
    Or,
    Variable,
    constraints as sugar,
    evaluate,
)
from eai.pddl import parse_pddl3

A, B = Atom("a"), Atom("b")
FOOD = Variable("x", ("food", "drink"))

CASES = [
    ("(always (a))", Always(A)),
    ("(sometime (or (a) (b)))", Eventually(Or((A, B)))),
    ("(at-end (a))", Eventually(And((LAST, A)))),
    ("(at-most-once (a))", sugar.at_most_once(A)),
    ("(sometime-after (a) (b))", sugar.sometime_after(A, B)),
    ("(sometime-before (a) (b))", sugar.sometime_before(A, B)),
    ("(within 3 (a))", sugar.within(3, A)),
    ("(always-within 2 (a) (b))", sugar.always_within(2, A, B)),
    ("(hold-during 2 5 (a))", sugar.hold_during(2, 5, A)),
    ("(hold-during 0 2 (a))", sugar.hold_during(0, 2, A)),
    ("(hold-after 0 (a))", sugar.hold_after(0, A)),
    ("(hold-after 3 (a))", sugar.hold_after(3, A)),
    (
        "(forall (?x - (either food drink)) (always (not (in ?x bin.1))))",
        Forall((FOOD,), Always(Not(Atom("in", (FOOD, "bin.1"))))),
    ),
    (
        "(and (always (imply (a) (b))) (sometime (exists (?x - (either food drink)) (= ?x cup))))",
        And((Always(Implies(A, B)), Eventually(Exists((FOOD,), Equal(FOOD, "cup"))))),
    ),
    ("(and)", TRUE),
]


@pytest.mark.parametrize(("text", "formula"), CASES)
def test_constraints_are_read(text: str, formula: Formula) -> None:
    assert parse_pddl3(text) == formula


def test_other_ways_to_write_them() -> None:
    assert parse_pddl3("(:constraints (and (AT END (a))))") == And((sugar.at_end(A),))
    x = Variable("x")
    assert parse_pddl3("(forall (?x) (p ?x))") == Forall((x,), Atom("p", (x,)))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("(always)", "followed by 0"),
        ("(within x (a))", "not a number of steps"),
        ("(within 100000 (a))", "not a number of steps"),
        ("(always a)", "found 'a'"),
        ("(p ?x)", "nothing binds"),
        ("(forall ?x (p))", "found"),
        ("(forall (x) (p))", "found 'x'"),
        ("(p (q))", "brackets"),
        ("(always (a)", "not closed"),
    ],
)
def test_what_cannot_be_read_says_why(text: str, what: str) -> None:
    with pytest.raises(ParseError, match=what):
        parse_pddl3(text)


@pytest.mark.parametrize(
    ("formula", "verdicts"),
    [
        # a is true at positions 1 and 2 of 4; the trace is cut to 1, 2, 3 and 4 positions
        (sugar.at_end(A), "0110"),
        (sugar.at_most_once(A), "1111"),
        (sugar.at_most_once(Not(A)), "1110"),
        (sugar.within(1, A), "0111"),
        (sugar.within(0, A), "0000"),
        (sugar.hold_during(1, 3, A), "0111"),
        (sugar.hold_during(2, 9, A), "0110"),
        (sugar.hold_after(0, A), "0110"),
        (sugar.hold_after(2, Not(A)), "1001"),
        (sugar.sometime_before(A, B), "1000"),
        (sugar.sometime_before(B, A), "1111"),
        (sugar.sometime_after(A, B), "1001"),
        (sugar.always_within(1, A, B), "1000"),
        (sugar.always_within(2, A, B), "1001"),
    ],
)
def test_constraints_mean_what_pddl3_says(formula: Formula, verdicts: str) -> None:
    states: list[list[tuple[str, ...]]] = [[], [("a",)], [("a",)], [("b",)]]
    for length, verdict in enumerate(verdicts, 1):
        trace = ListTrajectory([], states[:length])
        assert evaluate(formula, trace, reading="ltlf").holds == (verdict == "1"), length


def _meant(mode: str, at: list[bool], then: list[bool], low: int, high: int) -> bool:
    """A mode of PDDL 3 on the states of a plan, as Gerevini et al. (2009) define it."""
    last = len(at) - 1
    if mode == "within":
        return any(at[: low + 1])
    if mode == "always-within":
        return all(any(then[i : i + low + 1]) for i in range(last + 1) if at[i])
    if mode == "hold-after":
        return all(at[low + 1 :]) if last > low else at[last]
    if mode == "hold-during":
        return all(at[low:high]) if last > low else at[last]
    if mode == "at-most-once":
        return sum(at[i] and not (i and at[i - 1]) for i in range(last + 1)) <= 1
    if mode == "sometime-after":
        return all(any(then[i:]) for i in range(last + 1) if at[i])
    return all(any(then[:i]) for i in range(last + 1) if at[i])


@settings(max_examples=200)
@given(
    st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=6),
    st.integers(0, 6),
    st.integers(0, 6),
)
def test_constraints_mean_what_their_definition_says(
    states: list[tuple[bool, bool]], low: int, high: int
) -> None:
    trace = ListTrajectory(
        [], [[(n,) for n, on in zip("ab", s, strict=True) if on] for s in states]
    )
    at, then = map(list, zip(*states, strict=True))
    for mode, formula in {
        "within": sugar.within(low, A),
        "always-within": sugar.always_within(low, A, B),
        "hold-after": sugar.hold_after(low, A),
        "hold-during": sugar.hold_during(low, high, A),
        "at-most-once": sugar.at_most_once(A),
        "sometime-after": sugar.sometime_after(A, B),
        "sometime-before": sugar.sometime_before(A, B),
    }.items():
        held = evaluate(formula, trace, reading="ltlf").holds
        assert held == _meant(mode, at, then, low, high), mode


@pytest.mark.parametrize("text", ["(sitting (a))", "(sometimes (a))", "(witin 3 (a))"])
def test_a_misspelt_mode_is_an_error(text: str) -> None:
    with pytest.raises(ParseError, match=r"sometime|within|sitting"):
        parse_pddl3(text)
