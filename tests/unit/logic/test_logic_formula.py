"""The tree itself: equality, hashes and walks, at any depth."""

from __future__ import annotations

import copy
import pickle

import pytest

import eai.logic.formula
from eai.logic.formula import (
    FALSE,
    FIRST,
    LAST,
    TRUE,
    Always,
    And,
    Atom,
    Count,
    Equal,
    Exists,
    First,
    Forall,
    Formula,
    Iff,
    Last,
    Next,
    Not,
    Once,
    Or,
    Since,
    Then,
    Until,
    Variable,
    WeakNext,
    Xor,
    atoms,
    bottom_up,
    children,
    conjuncts,
    free_variables,
    generalize,
    has_linear,
    has_then,
    is_temporal,
    map_atoms,
    objects_of,
    substitute,
    with_children,
)

X, Y = Variable("x"), Variable("y")
P, Q = Atom("p", (X,)), Atom("q", ("cup",))


def tower(height: int, top: Formula = P) -> Formula:
    for _ in range(height):
        top = Exists((Y,), Next(Not(top)))
    return top


def test_operators_build_formulas() -> None:
    assert Xor(P, Q) == P ^ Q
    assert (And((P, Q)), Or((P, Q))) == (P & Q, P | Q)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (Next(P), WeakNext(P)),
        (Until(P, Q), Until(Q, P)),
        (TRUE, FALSE),
        (LAST, FIRST),
        (And((P,)), And((P, P))),
        (And(()), Or(())),
        (Count(1, X, P), Count(1, X, P, "at least")),
        (Forall((X,), P), Forall((X, Y), P)),
        (Equal("a", "b"), Equal("b", "a")),
        (P, "p(x)"),
    ],
)
def test_different_formulas_are_unequal(left: Formula, right: object) -> None:
    assert left != right


def test_equal_formulas_have_equal_hashes() -> None:
    assert {Since(P, Iff(Q, Last())), Since(P, Iff(Q, Last()))} == {Since(P, Iff(Q, LAST))}
    assert hash(First()) == hash(FIRST)


def test_depth_is_no_limit() -> None:
    high, same = tower(5000), tower(5000)
    assert high == same
    assert hash(high) == hash(same)
    assert high != tower(5000, Q)
    assert free_variables(high) == {X}
    ground = substitute(high, {"x": "cup"})
    assert objects_of(ground) == {"cup"}
    assert generalize(ground, {"cup": X}) == high
    assert next(atoms(map_atoms(high, {"p": "r"}))) == Atom("r", (X,))
    assert len(bottom_up(high)) == 15001


def test_a_copy_from_another_process_has_its_own_hash() -> None:
    hash(P)
    assert pickle.loads(pickle.dumps(And((P, Q)))) == And((P, Q))


def test_what_is_not_replaced_is_kept() -> None:
    formula = And((Always(P), Once(Q)))
    found = substitute(formula, {"x": "cup"})
    assert children(found)[1] is children(formula)[1]
    assert substitute(formula, {"y": "cup"}) is formula
    assert with_children(formula, formula.operands) is formula


def test_a_bound_variable_is_not_replaced() -> None:
    formula = Or((Exists((X,), P), P, Count(2, X, P, "at most")))
    assert substitute(formula, {"x": "cup"}) == Or(
        (Exists((X,), P), Atom("p", ("cup",)), Count(2, X, P, "at most"))
    )
    assert free_variables(formula) == {X}


def test_kinds_of_time() -> None:
    assert (has_then(Then((P, Q))), has_linear(Then((P, Q)))) == (True, False)
    assert (has_then(Not(Once(P))), has_linear(Not(Once(P)))) == (False, True)
    assert [is_temporal(each) for each in (Then((P,)), LAST, Not(P))] == [True, True, False]


def test_conjuncts_of_a_deep_conjunction() -> None:
    formula: Formula = P
    for _ in range(5000):
        formula = And((formula, TRUE, Q))
    assert len(conjuncts(formula)) == 5001


def test_depth_is_no_limit_for_representations_and_copies() -> None:
    formula: Formula = P
    for _ in range(10_000):
        formula = Count(2, X, Then((Not(formula),)), "at most")
    assert pickle.loads(pickle.dumps(formula)) == formula
    assert copy.deepcopy(formula) is formula
    assert repr(formula).startswith("Count(number=2, variable=Variable(")


def test_what_is_shared_is_pickled_once() -> None:
    formula: Formula = P
    for _ in range(50):
        formula = And((formula, formula))
    again = pickle.loads(pickle.dumps(formula))
    assert isinstance(again, And)
    assert again.operands[0] is again.operands[1]


def test_a_representation_is_python() -> None:
    formula = Or((Forall((X,), P), Equal("a", "b"), And(()), Not(TRUE), Until(FIRST, Q), LAST))
    assert eval(repr(formula), vars(eai.logic.formula)) == formula
