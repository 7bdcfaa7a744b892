"""Repairs where a condition rests on recursive axioms, which lead along every path."""

import eai
from eai.logic.formula import Atom
from eai.planning.repair import Target, least_repair
from eai.world.transition import World

DOMAIN = """
(define (domain roads)
  (:requirements :adl :derived-predicates)
  (:types robot place)
  (:predicates (road ?a ?b - place) (way ?a ?b - place))
  (:derived (way ?a ?b - place)
    (or (road ?a ?b) (exists (?c - place) (and (road ?a ?c) (way ?c ?b)))))
  (:action build :parameters (?me - robot ?a ?b - place) :effect (road ?a ?b)))
"""


def test_many_paths_are_not_followed_one_by_one() -> None:
    world = World(eai.parse_domain(DOMAIN))
    places = [f"p{number}" for number in range(14)]
    joined = [Atom("road", (a, b)) for a in places for b in places if a != b]
    start = world.state({"me": "robot", "far": "place", **dict.fromkeys(places, "place")}, joined)
    goal = Target(final=((Atom("way", ("p0", "far")),),))
    found = least_repair(world, start, (), goal, agent="me")
    assert found.repaired is not None
    [step] = found.repaired
    assert step.name == "build"
    assert step.arguments[1] == "far"
