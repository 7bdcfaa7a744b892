"""Repairs where a condition rests on axioms: recursive ones, and ones for some types only."""

import eai
from eai.logic import Atom, Not
from eai.planning import Target, least_repair
from eai.world import Action, World

ROADS = """
(define (domain roads)
  (:requirements :adl :derived-predicates)
  (:types robot place)
  (:predicates (road ?a ?b - place) (way ?a ?b - place))
  (:derived (way ?a ?b - place)
    (or (road ?a ?b) (exists (?c - place) (and (road ?a ?c) (way ?c ?b)))))
  (:action build :parameters (?me - robot ?a ?b - place) :effect (road ?a ?b)))
"""

SHELF = """
(define (domain shelf)
  (:requirements :adl :derived-predicates)
  (:types robot thing - object cup - thing)
  (:predicates (clean ?a - thing) (fit ?a - thing))
  (:derived (fit ?a - thing) (clean ?a))
  (:derived (fit ?a - cup) (and))
  (:action wash :parameters (?me - robot ?a - thing) :effect (clean ?a)))
"""


def test_a_rule_holds_only_for_what_is_of_its_type() -> None:
    world = World(eai.parse_domain(SHELF))
    start = world.state({"me": "robot", "plate": "thing", "mug": "cup"}, [])
    assert world.holds(start, Atom("fit", ("mug",)))
    goal = Target(final=((Atom("fit", ("plate",)),),))
    found = least_repair(world, start, (), goal, agent="me")
    assert [str(step) for step in found.repaired or ()] == ["wash(plate)"]


def test_many_paths_are_not_followed_one_by_one() -> None:
    world = World(eai.parse_domain(ROADS))
    places = [f"p{number}" for number in range(14)]
    joined = [Atom("road", (a, b)) for a in places for b in places if a != b]
    start = world.state({"me": "robot", "far": "place", **dict.fromkeys(places, "place")}, joined)
    goal = Target(final=((Atom("way", ("p0", "far")),),))
    found = least_repair(world, start, (), goal, agent="me")
    assert found.repaired is not None
    [step] = found.repaired
    assert step.name == "build"
    assert step.arguments[1] == "far"


SHELVES = """
(define (domain shelves)
  (:types robot thing)
  (:predicates (between ?a ?b ?c - thing) (held ?a - thing))
  (:action grasp :parameters (?me - robot ?a - thing) :effect (held ?a))
  (:action place :parameters (?me - robot ?a ?b ?c - thing)
    :precondition (held ?a) :effect (and (between ?a ?b ?c) (not (held ?a))))
  (:action clear :parameters (?me - robot ?a ?b ?c - thing)
    :precondition (between ?a ?b ?c) :effect (not (between ?a ?b ?c))))
"""


def test_relations_of_three_things_are_repaired() -> None:
    world = World(eai.parse_domain(SHELVES))
    start = world.state(
        {"me": "robot", **dict.fromkeys("abc", "thing")}, [Atom("between", ("c", "a", "b"))]
    )
    goal = Target(
        final=((Atom("between", ("a", "b", "c")), Not(Atom("between", ("c", "a", "b")))),)
    )
    for given, edits in (
        ([], 3),
        ([("grasp", "a")], 2),
        ([("grasp", "a"), ("place", "a", "b", "c")], 1),
        ([("grasp", "a"), ("place", "a", "c", "b"), ("clear", "c", "a", "b")], 1),
        ([("place", "a", "b", "c"), ("clear", "c", "a", "b")], 1),
    ):
        plan = [Action(name, tuple(things)) for name, *things in given]
        found = least_repair(world, start, plan, goal, agent="me")
        assert found.distance == edits, given
