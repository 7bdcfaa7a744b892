"""How deep formulas may be nested: as deep as that, everything works; deeper is an error."""

from __future__ import annotations

import copy
import inspect
import pickle
import sys
from collections.abc import Callable

import pytest
from list_trajectory import ListTrajectory

import eai.logic
from eai.errors import InputError, ParseError
from eai.logic import (
    NESTING_LIMIT,
    Always,
    And,
    Atom,
    Evaluation,
    Eventually,
    Exists,
    Formula,
    Implies,
    Monitor,
    Next,
    Not,
    Once,
    Or,
    Then,
    Until,
    Variable,
    automaton,
    conjuncts,
    equivalent,
    evaluate,
    explain,
    format_formula,
    parse_formula,
    truth_table,
)

ON = Atom("on", ("tv",))
EVENING = ListTrajectory(["tv", "cup"], [set(), {("on", "tv")}, {("on", "tv")}], [("GO",)] * 2)
WRAPS: list[Callable[[Formula], Formula]] = [
    Not,
    Always,
    Eventually,
    Once,
    lambda f: And((ON, f)),
    lambda f: Or((f, Atom("off"))),
    lambda f: Implies(f, ON),
    lambda f: Until(ON, f),
    lambda f: Until(f, ON),
]


def tower(wrap: Callable[[Formula], Formula], formula: Formula = ON) -> Formula:
    while formula.depth < NESTING_LIMIT:
        formula = wrap(formula)
    return formula


@pytest.mark.parametrize("wrap", [*WRAPS, lambda f: Exists((Variable("x"),), f)])
def test_a_representation_takes_one_frame_for_each_operator(
    wrap: Callable[[Formula], Formula],
) -> None:
    formula: Formula = Atom("on", ("tv",))
    text = repr(formula)
    for _ in range(90):
        formula = wrap(formula)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 90 + 20)
    try:
        shown = repr(formula)
    finally:
        sys.setrecursionlimit(limit)
    assert text in shown
    names = {name: getattr(eai.logic, name) for name in dir(eai.logic)}
    assert eval(shown, names) is formula


@pytest.mark.parametrize(
    "wrap",
    [
        pytest.param(wrap, marks=[pytest.mark.heavy] if number % 4 else [])
        for number, wrap in enumerate(WRAPS)
    ],
)
def test_the_deepest_formulas_can_be_used_for_everything(
    wrap: Callable[[Formula], Formula],
) -> None:
    formula = tower(wrap)
    holds = evaluate(formula, EVENING).holds
    assert parse_formula(format_formula(formula)) is formula
    assert pickle.loads(pickle.dumps(formula)) is formula
    assert copy.deepcopy(formula) is formula
    assert formula.substitute({"x": "tv"}) is formula
    assert explain(formula, EVENING).holds == holds
    assert explain(formula, EVENING).blamed is not None
    assert automaton(formula).accepts(automaton(formula).word(EVENING)) == holds
    assert equivalent(formula, formula)
    assert str(truth_table(formula, EVENING))
    monitor = Monitor(formula)
    for state in EVENING.states:
        monitor.push_facts([Atom(fact[0], fact[1:]) for fact in state])
    assert monitor.holds == holds


def test_the_deepest_goals_are_evaluated() -> None:
    goal = Then((ON, Atom("closed", ("box",))))
    for wrap in (Not, Always, WRAPS[4], WRAPS[6]):
        assert evaluate(tower(wrap, goal), EVENING).holds in (True, False)
    nested = tower(lambda f: Then((f, ON)))
    assert not evaluate(nested, EVENING)
    assert conjuncts(tower(lambda f: And((ON, f)))) == (ON,) * (NESTING_LIMIT + 1)


def test_many_quantifiers_inside_each_other() -> None:
    formula: Formula = ON
    for i in range(100):
        formula = Exists((Variable(f"x{i}"),), formula)
    assert evaluate(formula, EVENING)
    with pytest.raises(InputError, match="101 quantifiers"):
        Exists((Variable("x"),), formula)
    text = "exists x. (" * 99 + "on(x)" + ")" * 99
    assert evaluate(parse_formula(text), EVENING)


@pytest.mark.parametrize("wrap", WRAPS)
def test_one_level_more_is_refused(wrap: Callable[[Formula], Formula]) -> None:
    with pytest.raises(InputError, match="more than 250 levels deep") as caught:
        wrap(tower(wrap))
    assert "flat chains" in (caught.value.mend or "")


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("not " * 251 + "p", 1005),
        ("(" * 251 + "p" + ")" * 251, 251),
        ("p -> " * 251 + "p", 1251),
        ("within(90, within(90, p))", 1),
    ],
)
def test_a_text_that_is_nested_too_deeply_is_refused_where_it_is(text: str, column: int) -> None:
    with pytest.raises(ParseError, match="more than 250 levels deep") as caught:
        parse_formula(text)
    assert caught.value.column == column
    assert caught.value.mend


def test_copies_of_a_formula_need_no_work() -> None:
    assert Evaluation(EVENING).truth(ON) == 0b110
    assert And((ON, Next(ON))) is And((ON, Next(ON)))
