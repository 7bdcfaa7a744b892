"""What never holds together in the world of BEHAVIOR."""

from __future__ import annotations

import pytest

from eai.abilities.subgoals.achievers import obstacles
from eai.logic import And, Atom
from eai.planning import relevant
from eai.simulators.behavior import (
    AGENT,
    BehaviorObject,
    BehaviorScene,
    BehaviorSimulator,
    initial_state,
)

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
