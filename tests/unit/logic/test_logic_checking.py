"""Names and types of a formula against a vocabulary, all problems at once."""

from __future__ import annotations

import pytest

from eai.errors import ParseError
from eai.logic import (
    ActionAtom,
    And,
    Atom,
    Equal,
    Eventually,
    Exists,
    Forall,
    Formula,
    LogicVocabulary,
    Not,
    NumericCondition,
    Variable,
    atoms,
    check_formula,
    parse_formula,
)

HOME = LogicVocabulary(
    predicates={"on": 1, "inside": 2, "dark": 0},
    actions={"GRAB": 1},
    objects={"tv.1": "device", "cup.2": "cup", "box.3": "container"},
    types={"device": "object", "thing": "object", "cup": "thing", "container": "thing"},
    parameters={"on": [("device",)], "inside": [("thing",), ("container",)]},
)


def found(text: str) -> list[tuple[str, int | None, tuple[str, ...]]]:
    return [(each.kind, each.position, each.suggestions) for each in check_formula(text, HOME)]


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("on(tv.1) and exists x:cup. (GRAB(x) then inside(x, box.3))", []),
        ("onn(tv.1) U grap(cup.2)", [
            ("unknown-primitive", 0, ("on",)), ("unknown-primitive", 12, ("GRAB",))]),
        ("on(tv.1, cup.2)", [("arity", 0, ())]),
        ("on(tv.2)", [("unknown-object", 3, ("tv.1",))]),
        ("on(cup.2)", [("argument-type", 3, ())]),
        ("exists x:cup. (on(x))", [("argument-type", 18, ())]),
        ("exists x:thing. (inside(x, x))", []),
        ("exists x:device. (inside(tv.1, box.3) and dark())", [
            ("argument-type", 25, ()), ("unused-variable", 7, ())]),
        ("exists x:cupp. (GRAB(x))", [("unknown-type", 9, ("cup",))]),
        ("exists x, x. (GRAB(x))", [("repeated-variable", 10, ())]),
        ("exists x. (GRAB(x)) then on(x)", [("unknown-object", 28, ())]),
        ("forall x. (exists x. (GRAB(x)))", [("unused-variable", 7, ())]),
        ("inside(cup.2, tv.1) & x = y", [
            ("argument-type", 14, ()), ("unknown-object", 22, ()), ("unknown-object", 26, ())]),
    ],
)  # fmt: skip
def test_all_problems_of_a_text_are_found(
    text: str, problems: list[tuple[str, int | None, tuple[str, ...]]]
) -> None:
    assert found(text) == problems


def test_positions_are_those_of_the_text_as_it_was_written() -> None:
    assert found("“dark”() ∧ onn(tv.1)") == [("unknown-primitive", 11, ("on",))]


def test_a_tree_is_checked_without_positions() -> None:
    x = Variable("x", ("cup",))
    tree = And((Exists((x,), Atom("on", (x,))), ActionAtom("GRAB", (x,)), Atom("GRAB", ("tv.1",))))
    problems = check_formula(tree, HOME)
    assert [each.kind for each in problems] == [
        "argument-type",
        "unbound-variable",
        "unknown-primitive",
    ]
    assert {each.position for each in problems} == {None}
    assert not check_formula(parse_formula("GRAB(tv.1)", vocabulary=HOME), HOME)


FUEL = LogicVocabulary({"on": 1}, {"GRAB": 1}, {"a": "cup"}, functions={"fuel": 1, "time": 0})


@pytest.mark.parametrize(
    ("tree", "kinds"),
    [
        (NumericCondition(">", Atom("fuel", ("a",)), Atom("time")), []),
        (NumericCondition(">", Atom("fuell", ("a",)), 1), ["unknown-primitive"]),
        (NumericCondition(">", Atom("fuel"), Atom("on", ("a",))), ["arity", "unknown-primitive"]),
        (NumericCondition("=", 1, Atom("fuel", ("b",))), ["unknown-object"]),
        (Equal("a", "a"), []),
        (Equal("a", "b"), ["unknown-object"]),
        (Equal(Variable("x"), "a"), ["unbound-variable"]),
        (Not(ActionAtom("GRAB", ("b",))), ["unknown-object"]),
        (ActionAtom("on", ("a",)), ["unknown-primitive"]),
    ],
)
def test_numbers_and_equal_objects_of_a_tree_are_checked(tree: Formula, kinds: list[str]) -> None:
    assert [problem.kind for problem in check_formula(tree, FUEL)] == kinds


def test_a_name_that_stands_for_an_action_is_compared_with_actions_only() -> None:
    names = LogicVocabulary({"grabs": 1}, {"GRAB": 1}, ["a"])
    (action,) = check_formula(ActionAtom("GRABS", ("a",)), names)
    (predicate,) = check_formula(Atom("grab", ("a",)), names)
    assert (action.suggestions, predicate.suggestions) == (("GRAB",), ("grabs",))


def test_an_oddity_is_no_error() -> None:
    (problem,) = check_formula(Forall((Variable("x"),), Atom("dark")), HOME)
    assert not problem.is_error
    assert str(problem) == "nothing inside the quantifier mentions x"


def test_a_problem_reads_well() -> None:
    (problem,) = check_formula("on(tv.2)", HOME)
    assert str(problem) == "4: there is no object named 'tv.2'; did you mean tv.1?"


def test_without_types_nothing_is_said_about_them() -> None:
    plain = LogicVocabulary(predicates={"on": 1}, objects=["tv.1"])
    assert not check_formula("exists x:anything. (on(x))", plain)
    parameters = {"on": [("device",)]}
    untyped = LogicVocabulary(predicates={"on": 1}, objects=["tv.1"], parameters=parameters)
    assert not check_formula("on(tv.1)", untyped)
    unchecked = LogicVocabulary(predicates={"on": 1}, parameters=parameters)
    assert not check_formula("on(lamp)", unchecked)


def test_a_text_that_is_no_formula_is_an_error() -> None:
    with pytest.raises(ParseError):
        check_formula("on(", HOME)


RESERVED = LogicVocabulary({"next": 2, "F": 1, "p": 0, "until": 1, "r": 1}, objects=["cup", "box"])


@pytest.mark.parametrize("text", ["next(cup, box)", "p and F(cup)", "not F(cup) or next(box)"])
def test_an_error_says_that_a_name_is_an_operator(text: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_formula(text, vocabulary=RESERVED)
    name = "next" if text.startswith("next") else "F"
    assert caught.value.mend == (
        f'without quotes {name!r} is an operator; write "{name}"(...) for the name'
    )


def test_quoted_names_may_be_called_like_operators() -> None:
    text = '"next"(cup, box) and F "F"(cup) and R(cup)'
    assert check_formula(text, RESERVED) == []
    formula = parse_formula(text, vocabulary=RESERVED)
    names = [atom.predicate for atom in atoms(formula) if isinstance(atom, Atom)]
    assert names == ["next", "F", "r"]


def test_an_operator_that_could_be_a_name_is_odd() -> None:
    (problem,) = check_formula("p and F(p)", RESERVED)
    assert (problem.kind, problem.name, problem.position) == ("reserved-word", "F", 6)
    assert not problem.is_error
    assert parse_formula("p and F(p)", vocabulary=RESERVED) == And(
        (Atom("p"), Eventually(Atom("p")))
    )


def test_of_many_wrong_names_all_are_told_and_the_first_are_compared() -> None:
    problems = found(" and ".join(f"on(cup.{number})" for number in range(100, 300)))
    assert len(problems) == 200
    assert problems[0][2] == ("cup.2",)
    assert problems[-1] == ("unknown-object", 3187, ())


def test_a_name_that_is_like_none_counts_once_among_the_first() -> None:
    problems = found(" and ".join(["zzzzq(cup.2)"] * 9 + ["onn(cup.2)"]))
    assert len(problems) == 10
    assert problems[-1][2] == ("on",)
