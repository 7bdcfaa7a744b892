"""What never holds together in the world of BEHAVIOR."""

from __future__ import annotations

import pytest

from eai.abilities.subgoals import exclusion
from eai.abilities.subgoals.achievers import obstacles
from eai.logic import And, Atom
from eai.pddl import parse_domain
from eai.planning import relevant
from eai.simulators.behavior import (
    AGENT,
    BehaviorObject,
    BehaviorScene,
    BehaviorSimulator,
    initial_state,
)
from eai.world import World

OBJECTS = (
    BehaviorObject("floor", "room_floor.n.01_1", floor=True),
    BehaviorObject("rag", "rag.n.01_1"),
    BehaviorObject("table", "table.n.02_1"),
)
SCENE = BehaviorScene(OBJECTS, (("onfloor", "rag", "floor"), ("onfloor", "table", "floor")))


@pytest.mark.parametrize("held", ["holds_rh", "holds_lh"])
@pytest.mark.parametrize("relation", ["ontop", "inside"])
def test_what_is_in_a_hand_lies_on_or_in_nothing(held: str, relation: str) -> None:
    world = BehaviorSimulator().world
    condition = And((Atom(relation, ("rag", "table")), Atom(held, (AGENT, "rag"))))
    operators = relevant(world, condition).operators
    start = initial_state(SCENE)
    assert obstacles(world, start, condition, agent=AGENT, operators=operators) == (condition,)


def test_what_is_beside_something_may_be_in_a_hand() -> None:
    world = BehaviorSimulator().world
    condition = And((Atom("nextto", ("rag", "table")), Atom("holds_rh", (AGENT, "rag"))))
    operators = relevant(world, condition).operators
    start = initial_state(SCENE)
    assert obstacles(world, start, condition, agent=AGENT, operators=operators) == ()


NESTED = """
(define (domain nested) (:requirements :adl :derived-predicates)
  (:predicates (put ?x ?y) (laid ?x ?y) (placed ?x ?y) (in ?x ?y) (held ?x))
  (:derived (placed ?x ?y) (or (put ?x ?y) (laid ?x ?y)))
  (:derived (in ?x ?y) (or (put ?x ?y) (exists (?z) (and (placed ?x ?z) (in ?z ?y)))))
  (:action take :parameters (?me ?x)
    :effect (and (held ?x) (forall (?y) (and (not (put ?x ?y)) {leaves}))))
  (:action put :parameters (?me ?x ?y) :precondition (held ?x)
    :effect (and (put ?x ?y) (not (held ?x))))
  (:action lay :parameters (?me ?x ?y) :precondition (held ?x)
    :effect (and (laid ?x ?y) (not (held ?x)))))
"""


@pytest.mark.parametrize(("leaves", "is_excluded"), [("(not (laid ?x ?y))", True), ("", False)])
def test_what_is_in_something_by_what_it_lies_on_is_examined_as_well(
    leaves: str, is_excluded: bool
) -> None:
    """A cup in a box may lie on a tray in the box; what is held may still lie where it was laid."""
    world = World(parse_domain(NESTED.format(leaves=leaves)))
    condition = And((Atom("in", ("cup", "box")), Atom("held", ("cup",))))
    start = world.state(dict.fromkeys(("me", "cup", "tray", "box"), "object"), [])
    kept = obstacles(world, start, condition, agent="me", operators=world.domain.operators)
    assert kept == ((condition,) if is_excluded else ())


STOVE = """
(define (domain stove) (:predicates (hot ?x) (cold ?x))
  (:action move-heat :parameters (?me ?from ?to)
    :effect (and (hot ?to) (not (cold ?to)) {cools}))
  (:action cool :parameters (?me ?x) :effect (and (cold ?x) (not (hot ?x)))))
"""


@pytest.mark.parametrize(
    ("cools", "is_excluded"),
    [
        ("", True),
        ("(cold ?from)", False),
        ("(cold ?from) (not (hot ?from))", False),
        ("(when (hot ?from) (cold ?from))", False),
        ("(when (and (hot ?from) (cold ?from)) (cold ?from))", True),
    ],
)
def test_what_an_action_deletes_it_may_add_again(cools: str, is_excluded: bool) -> None:
    """Heat that moves from a plate to the same plate leaves it hot and cold: adding wins."""
    world = World(parse_domain(STOVE.format(cools=cools)))
    condition = And((Atom("hot", ("plate",)), Atom("cold", ("plate",))))
    start = world.state({"me": "object", "plate": "object"}, [])
    kept = obstacles(world, start, condition, agent="me", operators=world.domain.operators)
    assert kept == ((condition,) if is_excluded else ())


OVEN = """
(define (domain oven) (:requirements :adl) (:constants plate cup)
  (:predicates (hot ?x) (cold ?x) (weak ?x) (wet ?x))
  (:action heat :parameters (?me ?x) :precondition {needs} :effect (and (hot ?x) {cools}))
  (:action soak :parameters (?me ?x) :effect (wet ?x))
  (:action cool :parameters (?me ?x) :effect (and (cold ?x) (not (hot ?x)))))
"""


@pytest.mark.parametrize(
    ("needs", "cools", "are_excluded"),
    [
        ("()", "(not (cold ?x))", (True, True)),
        ("()", "(when (weak ?x) (not (cold ?x)))", (False, True)),
        ("()", "(when (weak cup) (not (cold ?x)))", (False, False)),
        ("()", "(when (wet ?x) (not (cold ?x)))", (False, False)),
        ("(wet ?x)", "(when (wet ?x) (not (cold ?x)))", (True, True)),
        ("(not (wet ?x))", "(when (not (wet ?x)) (not (cold ?x)))", (True, True)),
        ("(weak ?x)", "(when (weak ?x) (not (cold ?x)))", (True, True)),
        ("()", "(when (and) (not (cold ?x)))", (True, True)),
        ("()", "(when (or) (not (cold ?x)))", (False, False)),
        ("()", "(forall (?y) (not (cold ?y)))", (True, True)),
        ("()", "(forall (?y) (when (= ?x ?y) (not (cold ?y))))", (True, True)),
        ("()", "(forall (?y) (when (weak ?y) (not (cold ?y))))", (False, True)),
        ("()", "(when (exists (?z) (weak ?z)) (not (cold ?x)))", (False, True)),
        ("()", "(when (exists (?z) (not (weak ?z))) (not (cold ?x)))", (True, True)),
        ("()", "(when (forall (?z) (weak ?z)) (not (cold ?x)))", (False, False)),
        ("(exists (?y) (= ?y ?x))", "", (False, False)),
        ("(exists (?y) (= ?y plate))", "(not (cold ?x))", (True, True)),
        ("(and (= ?x plate) (exists (?y ?z) (= ?y ?z)))", "", (False, False)),
        ("()", "(when (exists (?y) (= ?y ?x)) (not (cold ?x)))", (True, True)),
        # Another deletion of the same predicate decides where one says nothing.
        ("()", "(not (cold cup)) (not (cold ?x))", (True, True)),
        ("()", "(forall (?z) (when (weak ?z) (not (cold ?x))))", (False, False)),
        ("()", "(forall (?z) (when (weak ?z) (not (cold ?x)))) (not (cold ?x))", (True, True)),
        ("()", "(wet ?x) (not (weak ?x)) (not (cold ?x))", (True, True)),
    ],
)
def test_what_is_deleted_under_a_condition_is_excluded_where_the_condition_holds(
    needs: str, cools: str, are_excluded: tuple[bool, bool]
) -> None:
    """Without and with a weak plate; no cup is weak."""
    world = World(parse_domain(OVEN.format(needs=needs, cools=cools)))
    condition = And((Atom("hot", ("plate",)), Atom("cold", ("plate",))))
    objects = dict.fromkeys(("me", "plate", "cup"), "object")
    for weak, is_excluded in zip(([], [Atom("weak", ("plate",))]), are_excluded, strict=True):
        start = world.state(objects, weak)
        kept = obstacles(world, start, condition, agent="me", operators=world.domain.operators)
        assert bool(kept) is is_excluded


@pytest.mark.parametrize("bound", ["_MAX_STEPS", "_MAX_PAIRS"])
def test_what_is_not_proved_within_the_bounds_is_not_excluded(
    bound: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(parse_domain(OVEN.format(needs="()", cools="(not (cold ?x))")))
    condition = And((Atom("hot", ("plate",)), Atom("cold", ("plate",))))
    start = world.state(dict.fromkeys(("me", "plate", "cup"), "object"), [])
    operators = world.domain.operators
    assert obstacles(world, start, condition, agent="me", operators=operators) == (condition,)
    monkeypatch.setattr(exclusion, bound, 0)
    other = World(parse_domain(OVEN.format(needs="()", cools="(not (cold ?x))")))
    begin = other.state(dict.fromkeys(("me", "plate", "cup"), "object"), [])
    assert obstacles(other, begin, condition, agent="me", operators=operators) == ()
