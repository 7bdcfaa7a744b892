"""What is out of reach, and why."""

from __future__ import annotations

import pytest
from small_subgoals import evaluated, listed, meaning, subgoal_task

from eai.abilities.subgoals.achievers import obstacles
from eai.logic import Atom, format_formula, parse_formula
from eai.pddl import parse_domain
from eai.world import World

WORLD = World(
    parse_domain(
        """
(define (domain kitchen)
  (:requirements :adl :derived-predicates)
  (:predicates (near ?c ?x) (holds ?c ?x) (full ?c) (liquid ?x) (sharp ?x) (cut ?x) (soaked ?x))
  (:derived (full ?c) (exists (?x) (holds ?c ?x)))
  (:action go :parameters (?c ?x) :effect (near ?c ?x))
  (:action take :parameters (?c ?x)
    :precondition (and (near ?c ?x) (not (full ?c)) (not (liquid ?x)))
    :effect (holds ?c ?x))
  (:action drop :parameters (?c ?x) :precondition (holds ?c ?x) :effect (not (holds ?c ?x)))
  (:action cut :parameters (?c ?x)
    :precondition (exists (?k) (and (holds ?c ?k) (sharp ?k)))
    :effect (cut ?x))
  (:action soak :parameters (?c ?x)
    :effect (forall (?x) (when (liquid ?x) (soaked ?x)))))
"""
    )
)


def reasons(condition: str, *facts: str) -> list[str]:
    objects = dict.fromkeys(("me", "milk", "knife", "cup"), "object")
    atoms = [Atom(name, tuple(terms)) for name, *terms in map(str.split, facts)]
    state = WORLD.state(objects, [Atom("liquid", ("milk",)), *atoms])
    names = tuple(WORLD.domain.operators)
    kept = obstacles(WORLD, state, parse_formula(condition), agent="me", operators=names)
    return list(map(format_formula, kept))


def test_what_no_action_is_about_keeps_itself_away() -> None:
    assert reasons("liquid(cup)") == ["liquid(cup)"]
    assert reasons("not near(me, cup)", "near me cup") == ["not near(me, cup)"]


def test_a_static_condition_keeps_all_that_needs_it_away() -> None:
    assert reasons("holds(me, milk)") == ["not liquid(milk)"]
    assert reasons("holds(me, cup)") == []
    assert reasons("holds(me, milk) or holds(me, cup)") == []
    assert reasons("cut(cup)") == ["exists k. (holds(me, k) and sharp(k))"]
    assert reasons("cut(cup)", "sharp knife") == []


def test_what_a_rule_needs_keeps_what_it_defines_away() -> None:
    assert reasons("full(cup)")
    assert reasons("full(cup)", "holds cup milk") == []
    assert reasons("full(me)") == []
    assert reasons("not full(me)", "holds me knife") == []


def test_what_needs_two_things_in_one_hand_is_out_of_reach() -> None:
    both = "holds(me, cup) and holds(me, knife)"
    assert reasons(both) == [both]
    # Who holds two things at the start still takes another only with nothing in hand.
    assert reasons(both, "holds me milk", "holds me knife") == [both]
    assert reasons(both, "holds me cup", "holds me knife") == []


def test_quantified_variables_may_have_the_names_of_parameters() -> None:
    assert reasons("soaked(milk)") == []
    assert reasons("soaked(cup)") == ["liquid(cup)"]


@pytest.mark.parametrize(
    ("subgoals", "success"),
    [(("ON(cup.11) or ON(lamp.8)",), True), (("ON(cup.11)", "ON(lamp.8)"), False)],
)
def test_a_subgoal_out_of_reach_matters_if_there_is_no_other_way(
    subgoals: tuple[str, ...], success: bool
) -> None:
    task = subgoal_task(states=["on lamp.8"], formula="ON(lamp.8)")
    result = evaluated(task, listed(*subgoals), meaning("strict"))
    assert result.success is success
    if not success:
        assert result.outcome == "unreachable"
        assert "has_switch(cup.11) never holds" in result.findings[0].message


SHELVES = World(
    parse_domain(
        """
(define (domain shelves)
  (:requirements :adl)
  (:constants table - object)
  (:predicates (on ?x ?y) (locked ?y) (clean ?x))
  (:action lay :parameters (?c ?x) :precondition (clean ?x) :effect (on ?x table))
  (:action clear :parameters (?c ?x ?y)
    :precondition (not (locked ?y))
    :effect (and (not (on ?x ?y)) (when (locked table) (clean ?x)))))
"""
    )
)


@pytest.mark.parametrize(
    ("condition", "facts", "expected"),
    [
        ("on(cup, table)", ["clean cup"], []),
        ("on(cup, shelf)", ["clean cup"], ["on(cup, shelf)"]),
        ("on(cup, table)", [], ["clean(cup)"]),
        ("clean(cup)", [], ["locked(table)"]),
        ("clean(cup)", ["locked table"], []),
        ("not on(cup, table)", ["on cup table", "locked table"], ["not locked(table)"]),
        ("not on(cup, shelf)", ["on cup shelf", "locked table"], []),
    ],
)
def test_an_effect_on_a_constant_is_about_no_other_object(
    condition: str, facts: list[str], expected: list[str]
) -> None:
    objects = dict.fromkeys(("me", "cup", "shelf", "table"), "object")
    atoms = [Atom(name, tuple(terms)) for name, *terms in map(str.split, facts)]
    state = SHELVES.state(objects, atoms)
    kept = obstacles(
        SHELVES, state, parse_formula(condition), agent="me", operators=SHELVES.domain.operators
    )
    assert list(map(format_formula, kept)) == expected
