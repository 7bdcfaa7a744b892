"""Answers about infinite trajectories agree with trying all short lassos."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given, settings, strategies as st

from eai.logic import (
    Always,
    And,
    Atom,
    Eventually,
    Formula,
    Next,
    Not,
    Or,
    Release,
    StrongRelease,
    Until,
    WeakUntil,
    equivalent,
    parse_formula,
    satisfiable,
)
from eai.logic.infinite import Lasso, holds_on

P, Q = Atom("p"), Atom("q")
LETTERS = [frozenset(), frozenset({P}), frozenset({Q}), frozenset({P, Q})]


def _formulas() -> st.SearchStrategy[Formula]:
    leaves = st.sampled_from([P, Q, Not(P), Not(Q)])

    def larger(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
        unary = st.builds(
            lambda kind, operand: kind(operand),
            st.sampled_from([Not, Next, Eventually, Always]),
            inner,
        )
        binary = st.builds(
            lambda kind, left, right: kind(left, right),
            st.sampled_from([Until, Release, WeakUntil, StrongRelease]),
            inner,
            inner,
        )
        chains = st.builds(
            lambda kind, left, right: kind((left, right)), st.sampled_from([And, Or]), inner, inner
        )
        return unary | binary | chains

    return st.recursive(leaves, larger, max_leaves=5)


def _ahead(lasso: Lasso, position: int) -> list[int]:
    """Return a position and all that come after it, each once."""
    ahead: list[int] = []
    while position not in ahead:
        ahead.append(position)
        position = position + 1 if position + 1 < len(lasso.letters) else lasso.loop
    return ahead


def _true(formula: Formula, lasso: Lasso, position: int) -> bool:
    """The definition, with every position that can be reached looked at once."""
    if isinstance(formula, Atom):
        return formula in lasso.letters[position]
    if isinstance(formula, Not):
        return not _true(formula.operands[0], lasso, position)
    if isinstance(formula, (And, Or)):
        join = all if isinstance(formula, And) else any
        return join(_true(operand, lasso, position) for operand in formula.operands)
    ahead = _ahead(lasso, position)
    if isinstance(formula, Next):
        after = ahead[1] if len(ahead) > 1 else position
        return _true(formula.operands[0], lasso, after)
    if isinstance(formula, (Eventually, Always)):
        join = all if isinstance(formula, Always) else any
        return join(_true(formula.operands[0], lasso, there) for there in ahead)
    return _until(formula, lasso, ahead)


def _until(formula: Formula, lasso: Lasso, ahead: list[int]) -> bool:
    left, right = formula.operands
    for there in ahead:
        values = _true(left, lasso, there), _true(right, lasso, there)
        if isinstance(formula, (Until, WeakUntil)):
            if values[1]:
                return True
            if not values[0]:
                return False
        elif not values[1]:
            return False
        elif values[0]:
            return True
    return isinstance(formula, (Release, WeakUntil))


def _lassos() -> Iterator[Lasso]:
    for size in range(1, 4):
        for letters in product(LETTERS, repeat=size):
            for loop in range(size):
                yield Lasso(letters, loop)


LASSOS = list(_lassos())


@settings(max_examples=150)
@given(_formulas(), st.sampled_from(LASSOS))
def test_a_formula_on_a_lasso_is_what_the_definition_says(formula: Formula, lasso: Lasso) -> None:
    assert holds_on(lasso, formula) is _true(formula, lasso, 0)


@pytest.mark.parametrize(
    "text",
    [
        "X X not p()",
        "F not p()",
        "F G not p()",
        "G F not p()",
        "G (not p() or X not p())",
        "not p() U q()",
        "p() W not q()",
        "X (not p() R q())",
        "F (p() and X X q())",
    ],
)
def test_a_formula_on_every_small_lasso_is_what_the_definition_says(text: str) -> None:
    formula = parse_formula(text)
    verdicts = [holds_on(lasso, formula) for lasso in LASSOS]
    assert verdicts == [_true(formula, lasso, 0) for lasso in LASSOS]
    assert set(verdicts) == {False, True}


@settings(max_examples=100)
@given(_formulas())
def test_a_formula_is_satisfiable_if_a_lasso_satisfies_it(formula: Formula) -> None:
    answer = satisfiable(formula, traces="infinite")
    if answer.word is not None:
        assert answer.loop is not None
        assert _true(formula, Lasso(answer.word, answer.loop), 0)
    else:
        assert not any(_true(formula, lasso, 0) for lasso in LASSOS)


@settings(max_examples=100)
@given(_formulas(), _formulas())
def test_formulas_are_equivalent_if_no_lasso_tells_them_apart(
    left: Formula, right: Formula
) -> None:
    answer = equivalent(left, right, traces="infinite")
    if answer:
        assert all(holds_on(lasso, left) is holds_on(lasso, right) for lasso in LASSOS)
    else:
        assert answer.word is not None
        assert answer.loop is not None
        lasso = Lasso(answer.word, answer.loop)
        assert _true(left, lasso, 0) is not _true(right, lasso, 0)
        assert answer.verdicts == (_true(left, lasso, 0), _true(right, lasso, 0))
