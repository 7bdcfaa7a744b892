"""What a formula demands of the final state and of the actions."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from list_trajectory import ListTrajectory
from strategies import state_formulas, trajectories

from eai.errors import InputError
from eai.logic import (
    TRUE,
    ActionAtom,
    And,
    Atom,
    Formula,
    LogicVocabulary,
    Or,
    Then,
    atoms,
    final,
    format_formula,
    parse_formula,
)
from eai.task import Goal
from eai.task.goals import OPTION_LIMIT, goal_from_formula

WORDS = LogicVocabulary(
    {"on": 1, "off": 1, "open": 1, "dirty": 1, "ontop": 2, "inside": 2},
    {"GRAB": 1, "LOOKAT": 1, "WATCH": 1, "SLEEP": 0},
)


def goal(text: str) -> Goal:
    return goal_from_formula(parse_formula(text, vocabulary=WORDS), text)


def options(text: str) -> list[list[str]]:
    return [[format_formula(f) for _, f in option] for option in goal(text).final]


def actions(text: str) -> list[str]:
    return list(map(str, goal(text).actions))


def test_a_state_formula_describes_the_final_state() -> None:
    text = "on(a) and ontop(a, b) and not dirty(a)"
    assert options(text) == [["on(a)", "ontop(a, b)", "not dirty(a)"]]
    assert [kind for kind, _ in goal(text).final[0]] == ["state", "relation", "state"]
    assert actions(text) == []


def test_only_the_last_link_describes_the_final_state() -> None:
    assert options("open(a) then on(b) then off(b)") == [["off(b)"]]


def test_links_that_act_demand_actions_in_order() -> None:
    text = "GRAB(a) then exists x. (LOOKAT(x) or WATCH(x)) then SLEEP() then on(a)"
    assert actions(text) == ["GRAB", "LOOKAT|WATCH", "SLEEP"]
    assert options(text) == [["on(a)"]]


def test_states_beside_an_action_are_about_its_moment() -> None:
    text = "on(a) then (on(b) and exists x. (dirty(x) and GRAB(x)))"
    assert actions(text) == ["GRAB"]
    assert options(text) == [[]]


@pytest.mark.parametrize(
    "text",
    [
        "not GRAB(a)",
        "forall x. (dirty(x) -> GRAB(x))",
        "on(a) or GRAB(a)",
        "on(a) -> GRAB(a)",
        "forn 0. x. (GRAB(x))",
        "(GRAB(a) and LOOKAT(a)) or WATCH(a)",
        "on(b) and (GRAB(a) then on(a))",
    ],
)
def test_what_is_no_single_demand_is_left_to_the_formula(text: str) -> None:
    assert actions(text) == []
    assert options(text) == [[]]


def test_alternatives_are_listed_one_by_one() -> None:
    text = "on(a) and (ontop(a, b) or (inside(a, b) and off(b)))"
    assert options(text) == [["on(a)", "ontop(a, b)"], ["on(a)", "inside(a, b)", "off(b)"]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on(a) -> off(b)", [["not on(a)"], ["off(b)"]]),
        ("not (on(a) -> off(b))", [["on(a)", "not off(b)"]]),
        ("not (on(a) and off(b))", [["not on(a)"], ["not off(b)"]]),
        ("not (on(a) or off(b))", [["not on(a)", "not off(b)"]]),
        ("not not on(a)", [["on(a)"]]),
        ("on(a) and true", [["on(a)"]]),
        ("on(a) or false", [["on(a)"]]),
        ("on(a) and on(a)", [["on(a)"]]),
        ("on(a) or on(a)", [["on(a)"]]),
    ],
)
def test_connectives_are_resolved(text: str, expected: list[list[str]]) -> None:
    assert options(text) == expected


def test_a_quantified_conjunct_is_one_condition() -> None:
    text = "forall x. (dirty(x) -> inside(x, b)) and not exists x. (on(x)) and off(a)"
    assert options(text) == [
        ["forall x. (dirty(x) implies inside(x, b))", "not exists x. (on(x))", "off(a)"]
    ]
    assert [kind for kind, _ in goal(text).final[0]] == ["relation", "state", "state"]


def test_a_contradiction_is_its_own_condition() -> None:
    assert options("false") == [["false"]]
    assert options("on(a) and false") == [["on(a)", "false"]]


def test_nested_chains_are_flat() -> None:
    a, b, c = (Atom("on", (name,)) for name in "abc")
    assert Then((Then((a, b)), c)).links == (a, b, c)
    assert a.links == (a,)


def test_a_goal_without_text_is_printed() -> None:
    assert goal_from_formula(Atom("on", ("a",))).text == "on(a)"
    assert goal_from_formula(TRUE).final == ((),)


def test_a_chain_without_links_demands_nothing() -> None:
    assert goal_from_formula(Then(()), "nothing").final == ((),)


def choices(number: int) -> Formula:
    return And(tuple(Or((Atom(f"p{i}"), Atom(f"q{i}"))) for i in range(number)))


def test_as_many_alternatives_as_the_limit_are_listed() -> None:
    assert len(goal_from_formula(choices(8)).final) == OPTION_LIMIT


@pytest.mark.parametrize("number", [9, 300])
def test_more_alternatives_are_refused_early(number: int) -> None:
    with pytest.raises(InputError, match="more than 256 alternatives"):
        goal_from_formula(choices(number))


def test_repeated_alternatives_do_not_count() -> None:
    choice = Or((Atom("p"), Atom("q")))
    assert len(goal_from_formula(And((choice,) * 50)).final) == 3


@settings(max_examples=60)
@given(state_formulas(), trajectories())
def test_some_alternative_holds_at_the_end_exactly_if_the_formula_does(
    formula: Formula, trajectory: ListTrajectory
) -> None:
    try:
        derived = goal_from_formula(formula)
    except InputError:
        return
    if any(isinstance(atom, ActionAtom) for atom in atoms(formula)):
        assert derived.final == ((),)
        return
    some = any(all(final(f, trajectory) for _, f in option) for option in derived.final)
    assert some == final(formula, trajectory)
