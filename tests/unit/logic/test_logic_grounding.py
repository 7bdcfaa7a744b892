"""Quantifiers: hidden variables, and objects that must not be left out of the search."""

from __future__ import annotations

import pytest
from definition import holds, true_at
from list_trajectory import ListTrajectory

from eai.logic import Evaluation, Formula, LogicVocabulary, evaluate, parse_formula, truth

HOME = LogicVocabulary(
    predicates={"on": 1, "near": 2}, actions={"GRAB": 1, "POUR": 2, "DROP": 1}, objects="abc"
)
BUSY = ListTrajectory(
    "abc",
    [
        {("on", "a")},
        {("near", "a", "b"), ("near", "b", "c"), ("near", "c", "a")},
        {("near", "a", "b"), ("near", "b", "c"), ("on", "c")},
        {("on", "b")},
    ],
    [("GRAB", "b"), ("POUR", "b", "c"), ("GRAB", "c")],
)


def goal(text: str) -> Formula:
    return parse_formula(text, vocabulary=HOME)


@pytest.mark.parametrize(
    "text",
    [
        # What is remembered of an inner search depends on the outer variables.
        "forall x. (exists y. (near(x, y)))",
        "exists x. (forall y. (near(x, y) or on(y)))",
        "exists x. (on(x) and exists y. (near(y, x) and GRAB(x)))",
        "exists x, y. (near(x, y) and POUR(x, y))",
        # A variable that hides another, while the other is bound.
        "exists x. (exists y. (not on(x) and exists x. (POUR(x, y))))",
        "exists x. (exists y. (exists x. (POUR(x, y)) and not on(x)))",
        "forall x. (exists y. (exists x. (near(x, y)) and near(x, y)))",
        "forn 1. x. (on(x) and exists x. (GRAB(x)))",
        "forn 3. x. (on(x) or exists x. (POUR(x, c) or GRAB(x)))",
        # What an action says of the objects, under every connective.
        "exists x. (GRAB(x) or POUR(x, c))",
        "exists x. (GRAB(x) or on(x))",
        "exists x. (not (GRAB(x) implies on(x)))",
        "exists x. (GRAB(x) implies on(x))",
        "forall x. (GRAB(x) implies on(x))",
        "forall x. (not GRAB(x) or on(x))",
        "forall x. (GRAB(x))",
        "forall x. (forall y. (POUR(x, y) implies x = b))",
        "exists x. (x = b and GRAB(x))",
        "exists x. (exists y. (x = y and GRAB(y)))",
        "exists x. (not x = b and GRAB(x))",
        "exists x. (POUR(x, x))",
        "forn 0. x. (GRAB(x))",
        "exists x. (forn 1. y. (POUR(x, y)))",
        "exists x. (forall y. (POUR(x, y)))",
    ],
)
def test_truth_is_that_of_the_definition(text: str) -> None:
    formula = goal(text)
    expected = sum(1 << i for i in range(BUSY.length) if true_at(formula, BUSY, i, {}))
    assert truth(formula, BUSY) == expected


@pytest.mark.parametrize(
    "text",
    [
        "exists x. (on(x) then exists x. (GRAB(x)))",
        "exists x. (on(x) then exists x. (GRAB(x) then on(x)))",
        "exists x. (exists y. (on(x) then exists x. (POUR(x, y) then GRAB(y))))",
        "exists x. (GRAB(x) then near(x, c))",
        "exists x. ((GRAB(x) then on(x)) or (POUR(x, c) then on(x)))",
        "exists x. (not (GRAB(x) then on(x)))",
        "forall x. (GRAB(x) then on(x))",
        "forn 2. x. (GRAB(x) then on(x))",
        "forn 1. x. ((not GRAB(x)) then GRAB(x))",
        # A state formula fails on an empty part, for whatever object.
        "exists x. ((not DROP(x)) implies (DROP(x) then DROP(x)))",
        "exists x. (not ((not DROP(x)) and (not (DROP(x) then DROP(x)))))",
        "forn 3. x. ((not DROP(x)) implies (DROP(x) then DROP(x)))",
    ],
)
def test_every_part_is_evaluated_as_the_definition_says(text: str) -> None:
    formula = goal(text)
    assert formula.is_temporal
    evaluation = Evaluation(BUSY)
    for start in range(BUSY.length + 1):
        ends = range(start, BUSY.length + 1)
        expected = sum(1 << end for end in ends if holds(formula, BUSY, start, end, {}))
        assert evaluation.ends(formula, start) == expected


def test_one_evaluation_serves_many_formulas() -> None:
    evaluation = Evaluation(BUSY)
    for text in ["exists x. (GRAB(x))", "exists x. (GRAB(x) then on(x))", "forall x. (on(x))"] * 20:
        formula = goal(text)
        assert evaluation.verdict(formula) == evaluate(formula, BUSY)
