"""Proofs of verdicts: sizes, what they rest on, and the check of them."""

from __future__ import annotations

from itertools import accumulate

import pytest

from eai.errors import InputError, UnknownNameError
from eai.logic.formula import (
    FALSE,
    TRUE,
    ActionAtom,
    Always,
    And,
    Atom,
    Count,
    Eventually,
    Exists,
    Forall,
    Formula,
    ForPairs,
    Implies,
    Next,
    Not,
    Or,
    Release,
    Since,
    Then,
    Until,
    Variable,
)
from eai.logic.proofs import Proof, prove
from eai.logic.proofs.check import check_proof
from list_trajectory import ListTrajectory

P, Q = Atom("p"), Atom("q")
X = Variable("x")
STEPS = ListTrajectory(
    {"a": "thing", "b": "thing", "c": "food"},
    [{("p",)}, {("p",), ("on", "a")}, {("p",), ("q",), ("on", "b")}, {("on", "b")}],
    [("GRAB", "a"), ("GRAB", "b"), ("GRAB", "c")],
)


@pytest.mark.parametrize(
    ("formula", "holds", "size"),
    [
        (P, True, 1 + 1),  # on the whole: at some position
        (Atom("r"), False, 1 + 4),
        (Always(P), False, 1 + 1),
        (Eventually(Q), True, 1 + 1),
        (Eventually(Atom("r")), False, 1 + 4),
        (Until(P, Q), True, 1 + 2 + 1),
        (Until(Q, P), True, 1 + 1),
        (Until(P, Atom("r")), False, 1 + 4 + 0),
        (Release(Q, P), True, 1 + 3 + 1),
        (Next(Next(Next(Next(P)))), False, 4 + 0),
        (Forall((X,), Eventually(Atom("on", (X,)))), False, 1 + (1 + 4)),
        (Exists((X,), Eventually(Atom("on", (X,)))), True, 1 + 1 + 1),
        (Count(2, X, Eventually(Atom("on", (X,)))), True, 1 + 2 + 2 + 5),
        (Count(1, X, Eventually(Atom("on", (X,)))), False, 1 + 2 + 2),
        (Count(3, X, Eventually(Atom("on", (X,)))), False, 1 + 5),
        (Then((P, Q)), True, 1 + 2 + 2),
        (Then((Q, P)), False, 1 + (1 + 2) + (1 + 1)),
        (Then((Q, Not(P), Q)), False, 1 + (1 + 3) + 1),
    ],
)
def test_sizes_can_be_counted_by_hand(formula: Formula, holds: bool, size: int) -> None:
    proof = prove(formula, STEPS)
    assert (proof.holds, proof.size) == (holds, size)
    assert sum(1 for _ in proof.nodes()) <= size
    assert check_proof(proof, STEPS)


def test_a_formula_may_be_judged_at_any_position() -> None:
    assert prove(P, STEPS, at=-1).blamed() == prove(P, STEPS, at=3).blamed()
    assert not prove(P, STEPS, at=-1).holds
    assert prove(Since(P, Atom("on", ("a",))), STEPS, at=2).size == 1 + 1 + 1
    for place in (4, -5):
        with pytest.raises(InputError, match="is not one of the trajectory's 4"):
            prove(P, STEPS, at=place)


def test_a_proof_rests_on_propositions_with_their_objects() -> None:
    (blame,) = prove(Exists((X,), Then((ActionAtom("GRAB", (X,)),))), STEPS).blamed()
    assert blame.atom == ActionAtom("GRAB", ("a",))
    assert (blame.position, blame.holds, blame.binding) == (0, True, (("x", "a"),))
    assert prove(TRUE, STEPS).blamed() == ()


def test_a_response_that_never_comes() -> None:
    proof = prove(Always(Implies(Atom("on", ("b",)), Eventually(Q))), STEPS)
    assert [(b.atom, b.position, b.holds) for b in proof.blamed()] == [
        (Atom("on", ("b",)), 3, True),
        (Q, 3, False),
    ]
    assert "Always is false at 0" in repr(proof)


def test_the_rest_of_a_chain_fails_after_the_last_match() -> None:
    proof = prove(Then((Atom("on", ("a",)), Atom("on", ("a",)))), STEPS)
    pieces = [(each.start, each.end, each.formula) for each in proof.premises]
    assert pieces == [(0, 1, Atom("on", ("a",))), (2, 4, Atom("on", ("a",)))]


def test_sizes_are_exact_however_large_they_are() -> None:
    length = 3_000
    still = ListTrajectory([], [{("p",)}] * length)
    formula: Formula = P
    sizes = [1] * length
    for _ in range(8):
        formula = Always(formula)
        sizes = [1 + total for total in accumulate(reversed(sizes))][::-1]
    assert prove(formula, still).size == sizes[0] > 1 << 64
    until = prove(Until(formula, Atom("r")), still)
    assert until.size == 1 + length
    both = prove(Until(P, And((formula, formula))), still)
    assert both.size == 1 + 1 + 2 * sizes[-1] + (length - 1)


def test_depth_is_no_limit_without_then() -> None:
    formula: Formula = P
    for _ in range(5_001):
        formula = Not(formula)
    proof = prove(formula, STEPS, at=3)
    assert proof.holds
    assert proof.size == 5_002
    assert check_proof(proof, STEPS)
    chain: Formula = Then((P, Q))
    for _ in range(5_001):
        chain = Not(chain)
    with pytest.raises(InputError, match="nested too deeply"):
        prove(chain, STEPS)


def test_what_cannot_be_proved_is_an_error() -> None:
    with pytest.raises(InputError, match="variable 'x' is not bound"):
        prove(Atom("on", (X,)), STEPS)
    many = ListTrajectory([f"o{i}" for i in range(300)], [set()])
    with pytest.raises(InputError, match="would have to try 330,791,175 sets"):
        prove(ForPairs(X, Variable("y"), FALSE, 5), many)
    names = tuple(Variable(name) for name in "xyz")
    with pytest.raises(InputError, match="27,000,000 cases"):
        prove(Forall(names, Atom("on", names)), many)
    split = And(tuple(Atom("on", (name,)) for name in names))
    with pytest.raises(InputError, match="27,000,000 cases"):
        prove(Forall(names, split), many)


class Strict(ListTrajectory):
    def history(self, predicate: str, arguments: tuple[str, ...]) -> int:
        if predicate not in ("q", "on"):
            raise UnknownNameError("predicate", predicate, ["q", "on"])
        return super().history(predicate, arguments)


JAR, APPLE = Variable("jar", ("jar",)), Variable("apple", ("apple",))


def filled(*pairs: str) -> ListTrajectory:
    """Three jars and three apples; "12" puts the second apple into the first jar."""
    types = {f"jar{i}": "jar" for i in "123"} | {f"apple{i}": "apple" for i in "123"}
    return ListTrajectory(types, [{("in", f"apple{p[1]}", f"jar{p[0]}") for p in pairs}])


@pytest.mark.parametrize(
    ("number", "pairs", "holds", "size"),
    [
        (None, ("11", "22", "33", "12", "13"), True, 1 + 3),
        (2, ("11", "12", "21"), True, 1 + 2),
        (None, ("11", "12", "13", "21", "31"), False, 1 + 4),  # without jar 1 and apple 1
        (2, ("11", "12", "13"), False, 1 + 6),  # without jar 1
        (1, (), False, 1 + 9),
        (4, ("11", "22", "33"), False, 1 + 0),  # without the jars
        (0, (), True, 1 + 0),
    ],
)
def test_pairs_rest_on_a_matching_or_on_a_cover(
    number: int | None, pairs: tuple[str, ...], holds: bool, size: int
) -> None:
    formula = ForPairs(JAR, APPLE, Atom("in", (APPLE, JAR)), number)
    proof = prove(formula, filled(*pairs), at=0)
    assert (proof.holds, proof.size) == (holds, size)
    assert check_proof(proof, filled(*pairs))
    jars = {dict(blame.binding)["jar"] for blame in proof.blamed()}
    assert len(jars) == len(proof.premises) or not holds


def test_three_friends_do_not_make_two_pairs() -> None:
    friends = [("a", "b"), ("b", "c"), ("c", "a")]
    party = ListTrajectory(["a", "b", "c", "d"], [{("near", *pair) for pair in friends}])
    y = Variable("y")
    proof = prove(ForPairs(X, y, Atom("near", (X, y)), 2), party)
    # No single friend explains it: what is shown is that nobody else is near anybody.
    assert (proof.holds, len(proof.premises[0].premises)) == (False, 9)
    assert check_proof(proof, party)


def test_unknown_names_are_errors() -> None:
    with pytest.raises(UnknownNameError):
        prove(P, Strict([], [set()]))


def leaf(
    holds: bool, position: int | None, formula: Formula = P, *, start: int = 0, end: int = 4
) -> Proof:
    return Proof(formula, holds, start=start, end=end, position=position)


@pytest.mark.parametrize(
    "proof",
    [
        leaf(False, 0),  # p is true there
        leaf(True, 3),
        leaf(True, 4),  # no such position
        leaf(True, 0, end=9),
        leaf(True, 2, end=2),
        leaf(True, None),  # on the whole needs a premise
        leaf(True, 0, Not(Q)),
        leaf(True, 0, Always(P)),
        leaf(False, 0, Or((P, Q))),
    ],
)
def test_leaves_that_are_wrong_are_found_out(proof: Proof) -> None:
    assert not check_proof(proof, STEPS)


@pytest.mark.parametrize(
    ("formula", "holds", "premises"),
    [
        (Always(P), True, [leaf(True, i) for i in range(3)]),  # the last position is missing
        (Until(P, Q), True, [leaf(True, 1), leaf(True, 2, Q)]),  # begins too late
        (Eventually(Q), True, [leaf(True, 1)]),  # another formula
        (And((P, P)), True, [leaf(True, 0)]),
        (Next(P), True, [leaf(True, 2)]),
        (Count(1, X, P), True, [leaf(True, 0)]),  # not of an instance
        (Then((P, Q)), True, [leaf(True, None, P, end=1), leaf(True, None, Q, start=2)]),
    ],
)
def test_premises_that_do_not_suffice_are_found_out(
    formula: Formula, holds: bool, premises: list[Proof]
) -> None:
    size = 1 + len(premises)
    place = None if isinstance(formula, Then) else 0
    proof = Proof(
        formula, holds, start=0, end=4, position=place, size=size, premises=tuple(premises)
    )
    assert not check_proof(proof, STEPS)
