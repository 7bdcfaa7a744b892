"""What never holds together in the world of BEHAVIOR."""

from __future__ import annotations

import pytest

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
def test_what_is_in_a_hand_lies_on_nothing(held: str) -> None:
    world = BehaviorSimulator().world
    condition = And((Atom("ontop", ("rag", "table")), Atom(held, (AGENT, "rag"))))
    operators = relevant(world, condition).operators
    start = initial_state(SCENE)
    assert obstacles(world, start, condition, agent=AGENT, operators=operators) == (condition,)


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
