"""What one action needs to make a condition true, and searches over such halfway conditions."""

from __future__ import annotations

import sys

import pytest

from eai.abilities.subgoals.exclusion import exclusive
from eai.abilities.subgoals.means import means
from eai.abilities.subgoals.width import WidthSearch, _finish, _Turns
from eai.budget import Budget
from eai.logic import Atom, Formula, format_formula, parse_formula
from eai.pddl import parse_domain
from eai.world import State, World

WORLD = World(
    parse_domain(
        """
(define (domain laundry)
  (:requirements :adl :derived-predicates)
  (:predicates (held ?c ?x) (full ?c) (on ?x ?y) (above ?x ?y) (basin ?y) (running ?y) (wet ?x)
               (tool ?x) (fixed ?x) (clean ?x) (watered ?x))
  (:derived (full ?c) (exists (?x) (held ?c ?x)))
  (:derived (above ?x ?y) (or (on ?x ?y) (exists (?z) (and (on ?x ?z) (above ?z ?y)))))
  (:derived (watered ?x) (exists (?y) (and (on ?x ?y) (or (watered ?y)
                                                          (and (basin ?y) (running ?y))))))
  (:action take :parameters (?c ?x)
    :precondition (and (not (full ?c)) (not (fixed ?x)))
    :effect (and (held ?c ?x) (forall (?y) (not (on ?x ?y)))))
  (:action put :parameters (?c ?x ?y)
    :precondition (and (held ?c ?x) (not (= ?x ?y)))
    :effect (and (not (held ?c ?x)) (on ?x ?y)))
  (:action turn :parameters (?c ?y)
    :precondition (and (basin ?y) (not (full ?c)) (not (running ?y))) :effect (running ?y))
  (:action soak :parameters (?c ?x)
    :precondition (and (not (full ?c)) (watered ?x)) :effect (wet ?x))
  (:action scrub :parameters (?c ?x)
    :precondition (exists (?t) (and (tool ?t) (held ?c ?t) (wet ?t))) :effect (clean ?x)))
"""
    )
)
OPERATORS = tuple(WORLD.domain.operators)
NAMES = ("me", "floor", "sink", "cloth", "wall")
SETUP = ("basin sink", "fixed sink", "fixed floor", "fixed wall", "tool cloth", "tool wall")


def state(*facts: str, names: tuple[str, ...] = NAMES) -> State:
    atoms = [Atom(name, tuple(terms)) for name, *terms in map(str.split, (*SETUP, *facts))]
    return WORLD.state(dict.fromkeys(names, "object"), atoms)


def ways(condition: str, *facts: str) -> list[set[str]]:
    listed = means(
        WORLD,
        state(*facts),
        parse_formula(condition),
        agent="me",
        operators=OPERATORS,
        meter=Budget.unlimited().meter(),
    )
    return [set(map(format_formula, way)) for way in listed]


def test_an_action_needs_what_is_open_of_its_precondition() -> None:
    assert ways("wet(cloth)") == [{"watered(cloth)"}]
    assert ways("wet(cloth)", "held me floor") == [{"not full(me)", "watered(cloth)"}]
    assert ways("running(sink)", "held me floor") == [{"not full(me)"}]


def test_a_rule_needs_what_is_open_of_its_body() -> None:
    assert ways("watered(cloth)") == [{"on(cloth, sink)", "running(sink)"}]
    assert ways("watered(cloth)", "on cloth sink") == [{"running(sink)"}]


def test_ways_over_what_never_holds_are_left_out() -> None:
    # The wall is a tool as well, but nobody takes it in hand.
    assert ways("clean(floor)") == [{"held(me, cloth)", "wet(cloth)"}]


def test_what_one_action_reaches_needs_nothing() -> None:
    assert ways("held(me, cloth)") == []
    assert ways("clean(floor)", "held me cloth", "wet cloth") == []


def test_negations_and_alternatives_are_taken_apart() -> None:
    assert ways("not held(me, cloth)", "held me cloth") == []
    assert ways("not full(me)", "held me cloth") == [{"not held(me, cloth)"}]
    assert ways("clean(floor) or wet(cloth)") == [{"clean(floor)"}, {"wet(cloth)"}]


@pytest.mark.parametrize(("most_parts", "is_taken_apart"), [(3, True), (2, False)])
def test_a_condition_of_too_many_parts_is_not_taken_apart(
    most_parts: int, is_taken_apart: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The parts are the disjunction and its two sides.
    monkeypatch.setattr(sys.modules[means.__module__], "_MAX_PARTS", most_parts)
    found = ways("clean(floor) or wet(cloth)")
    assert found == ([{"clean(floor)"}, {"wet(cloth)"}] if is_taken_apart else [])


def test_halfway_conditions_alone_lead_to_a_clean_floor() -> None:
    others = tuple(f"thing{number}" for number in range(40))
    start, goal = state(names=(*NAMES, *others)), parse_formula("clean(floor)")
    search = WidthSearch(WORLD, "me", operators=OPERATORS)
    reached = _finish(_Turns(search, WORLD, start, goal)._by_means())
    assert reached is not None
    now = start.copy()
    for action in reached.plan:
        numbers = WORLD.numbers(now, action.name, ("me", *action.arguments))
        assert WORLD.first_failure(now, action.name, numbers) < 0
        WORLD.apply(now, action.name, numbers)
    assert WORLD.holds(now, goal)
    # Things that no halfway condition names are not looked at.
    assert search.meter.instances < 60_000


def excluded(condition: str, *facts: str) -> list[str]:
    parts = exclusive(
        WORLD,
        state(*facts),
        parse_formula(condition),
        agent="me",
        operators=OPERATORS,
        is_never_true=lambda _: False,
        meter=Budget.unlimited().meter(),
    )
    return list(map(format_formula, parts))


def test_what_is_in_a_hand_lies_nowhere() -> None:
    both = "held(me, cloth) and on(cloth, sink)"
    assert excluded(both) == [both]
    assert excluded("held(me, cloth) and above(cloth, sink)")
    assert excluded("held(me, cloth) and wet(cloth)") == []
    # It holds at the start, so it can hold.
    assert excluded(both, "held me cloth", "on cloth sink") == []


def test_nothing_lies_on_two_things_unless_it_did_at_the_start() -> None:
    both = "on(cloth, sink) and on(cloth, floor)"
    assert excluded(both) == [both]
    assert excluded(both, "on cloth sink", "on cloth floor") == []


def test_a_condition_and_its_negation_exclude_each_other() -> None:
    assert excluded("wet(cloth) and not wet(cloth)") == ["wet(cloth) and not wet(cloth)"]


FILLING = World(
    parse_domain(
        """
(define (domain filling)
  (:requirements :adl)
  (:predicates (inside ?x) (marked ?c))
  (:action fill :parameters (?c ?x)
    :effect (and (marked ?c) (forall (?z) (not (inside ?z))) (inside ?x))))
"""
    )
)


def test_what_one_action_deletes_and_adds_again_excludes_nothing() -> None:
    start = FILLING.state({"me": "object", "cup": "object", "pan": "object"}, [])

    def proved(condition: str) -> tuple[Formula, ...]:
        return exclusive(
            FILLING,
            start,
            parse_formula(condition),
            agent="me",
            operators=("fill",),
            is_never_true=lambda _: False,
            meter=Budget.unlimited().meter(),
        )

    assert proved("marked(me) and inside(cup)") == ()
    assert proved("inside(pan) and inside(cup)") != ()
