"""Formulas on infinite trajectories: what is equivalent, and the lassos that tell others apart."""

from __future__ import annotations

import pytest

from eai.errors import InputError
from eai.logic import (
    ActionAtom,
    And,
    Atom,
    Not,
    Or,
    entails,
    equivalent,
    parse_formula,
    satisfiable,
    valid,
)

P, Q = Atom("p"), Atom("q")


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("G F p() and G F q()", "G (F p() and F q())"),
        ("F G p() and F G q()", "F G (p() and q())"),
        ("p() U q()", "q() or (p() and X (p() U q()))"),
        ("p() W q()", "(p() U q()) or G p()"),
        ("p() R q()", "not (not p() U not q())"),
        ("p() M q()", "q() U (p() and q())"),
        ("X p()", "WX p()"),
        ("X not p()", "not X p()"),
        ("G F G p()", "F G p()"),
        ("last", "false"),
        # Operators of which a side is constant.
        ("p() U true", "true"),
        ("p() U false", "false"),
        ("false U p()", "p()"),
        ("true U p()", "F p()"),
        ("p() R true", "true"),
        ("p() R false", "false"),
        ("true R p()", "p()"),
        ("false R p()", "G p()"),
        ("p() W false", "G p()"),
        ("X true", "true"),
        ("WX false", "false"),
        ("forall x:cup. (G clean(x))", "G (forall x:cup. (clean(x)))"),
    ],
)
def test_laws(left: str, right: str) -> None:
    objects = {"cup.1": "cup", "cup.2": "cup"}
    one, other = parse_formula(left), parse_formula(right)
    answer = equivalent(one, other, objects=objects, traces="infinite")
    assert answer
    assert answer.word is None
    assert str(answer) == "equivalent on infinite trajectories."


@pytest.mark.parametrize(
    ("left", "right", "verdicts"),
    [
        ("G F p()", "F G p()", (True, False)),
        ("G F p()", "F p()", (False, True)),
        ("F G p() or F G q()", "F G (p() or q())", (False, True)),
        ("p() U q()", "p() W q()", (False, True)),
        ("G (p() -> F q())", "G (p() -> X F q())", (True, False)),
    ],
)
def test_a_lasso_tells_formulas_apart(left: str, right: str, verdicts: tuple[bool, bool]) -> None:
    answer = equivalent(parse_formula(left), parse_formula(right), traces="infinite")
    assert not answer
    assert answer.verdicts == verdicts
    assert answer.word
    assert answer.loop is not None
    assert 0 <= answer.loop < len(answer.word)


def test_the_same_formulas_agree_on_finite_trajectories() -> None:
    again, settled = parse_formula("G F p()"), parse_formula("F G p()")
    assert equivalent(again, settled)
    assert not equivalent(again, settled, traces="infinite")


def test_the_loop_is_shown() -> None:
    answer = satisfiable(parse_formula("not p() and X G p()"), traces="infinite")
    assert answer.word == (frozenset(), frozenset({P}))
    assert answer.loop == 1
    assert "repeats" in str(answer).splitlines()[2]


def test_every_until_is_met_in_the_loop() -> None:
    formula = parse_formula("G F p() and G F not p() and F G q()")
    answer = satisfiable(formula, traces="infinite")
    assert answer.word is not None
    looped = answer.word[answer.loop :]
    assert {P in letter for letter in looped} == {True, False}
    assert all(Q in letter for letter in looped)


def test_validity_and_entailment() -> None:
    assert valid(parse_formula("G F p() or F G not p()"), traces="infinite")
    assert entails(parse_formula("F G p()"), parse_formula("G F p()"), traces="infinite")
    assert not entails(parse_formula("G F p()"), parse_formula("F G p()"), traces="infinite")
    assert not satisfiable(parse_formula("G p() and F not p()"), traces="infinite")


def test_one_action_at_a_position() -> None:
    both = ActionAtom("grab", ("cup.1",)) & ActionAtom("put", ("cup.1",))
    assert not satisfiable(both, traces="infinite")
    assert satisfiable(both | P, traces="infinite")


@pytest.mark.parametrize(
    "text",
    [
        "p() then q()",
        "O p()",
        "p() S q()",
        "H p()",
        "Y p()",
        "first",
        "exactly 2 x:cup. (clean(x))",
    ],
)
def test_what_infinite_trajectories_do_not_have_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        satisfiable(parse_formula(text), objects={"cup.1": "cup"}, traces="infinite")


def test_wrong_options_are_refused() -> None:
    with pytest.raises(InputError):
        equivalent(P, Q, traces="infinite", reading="eai")
    with pytest.raises(InputError):
        equivalent(P, Q, traces="endless")  # type: ignore[arg-type]
    with pytest.raises(InputError):
        satisfiable(P, traces="infinite", limit=0)


def test_the_limit_is_kept() -> None:
    parts = [f"G F p{i}()" for i in range(12)]
    hard = parse_formula(" and ".join(parts))
    with pytest.raises(InputError):
        equivalent(hard, parse_formula("G F q()"), traces="infinite", limit=3)


def test_pairs_of_covers_count_though_they_contradict_each_other() -> None:
    q = Atom("q")
    first = Or(tuple(And((q, Atom(f"a{i}"))) for i in range(64)))
    second = Or(tuple(And((Not(q), Atom(f"b{i}"))) for i in range(64)))
    # A limit of n states allows 1,000 * n pairs: 4,096 of both lists, and about 2,000 in each list
    # alone, which is looked at when it is made and when it is simplified.
    assert not satisfiable(And((first, second)), traces="infinite", limit=12)
    with pytest.raises(InputError):
        satisfiable(And((first, second)), traces="infinite", limit=9)
