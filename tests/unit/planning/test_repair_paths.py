"""Repairs of plans that reach their goal in a way that a condition on the path forbids."""

from __future__ import annotations

import pytest

from eai.logic import LogicVocabulary, parse_formula
from eai.pddl import Problem, parse_domain, parse_problem
from eai.planning import Repair, RepairBounds, Target, least_repair
from eai.world import Action, World

DOMAIN = parse_domain("""(define (domain hospital) (:requirements :strips :typing)
  (:types robot room item)
  (:predicates (at ?r - robot ?w - room) (link ?a ?b - room) (clean ?r - robot)
    (basin ?w - room) (in ?i - item ?w - room) (has ?r - robot ?i - item))
  (:action move :parameters (?r - robot ?a ?b - room)
    :precondition (and (at ?r ?a) (link ?a ?b)) :effect (and (not (at ?r ?a)) (at ?r ?b)))
  (:action pick :parameters (?r - robot ?i - item ?a - room)
    :precondition (and (at ?r ?a) (in ?i ?a))
    :effect (and (has ?r ?i) (not (in ?i ?a)) (not (clean ?r))))
  (:action drop :parameters (?r - robot ?i - item ?a - room)
    :precondition (and (at ?r ?a) (has ?r ?i)) :effect (and (in ?i ?a) (not (has ?r ?i))))
  (:action disinfect :parameters (?r - robot ?a - room)
    :precondition (and (at ?r ?a) (basin ?a)) :effect (clean ?r)))""")

ROOMS = ("w1", "w2", "w3", "sluice", "store", "lab")

PLAN = (
    Action("pick", ("rob", "box", "store")),
    Action("move", ("rob", "store", "hall")),
    Action("move", ("rob", "hall", "w1")),
    Action("drop", ("rob", "box", "w1")),
)

CLEAN = "G(at(rob, w1) -> clean(rob))"


def problem() -> Problem:
    links = " ".join(f"(link hall {room}) (link {room} hall)" for room in ROOMS)
    return parse_problem(
        f"""(define (problem p) (:domain hospital)
          (:objects rob - robot hall {" ".join(ROOMS)} - room box - item)
          (:init (at rob store) (in box store) (basin sluice) (basin lab) {links})
          (:goal (in box w1)))"""
    )


def repaired(formula: str, *, bounds: RepairBounds | None = None) -> Repair:
    given, world = problem(), World(DOMAIN)
    return least_repair(
        world,
        world.state(given.objects, given.initial),
        PLAN,
        Target(((given.goal,),), (), parse_formula(formula)),
        agent="",
        skip=False,
        bounds=bounds,
    )


def test_path_condition_is_met_by_a_detour_of_three_steps() -> None:
    found = repaired(CLEAN)
    assert (found.distance, found.bound, found.optimal) == (3, 3, True)
    assert found.edits is not None
    assert [str(edit.kind) for edit in found.edits] == ["insert"] * 3
    assert [edit.new.name for edit in found.edits if edit.new] == ["move", "disinfect", "move"]
    assert not found.untried


def test_detour_keeps_to_the_other_path_conditions() -> None:
    found = repaired(f"{CLEAN} and G(not at(rob, sluice))")
    assert found.edits is not None
    assert found.edits[0].new == Action("move", ("rob", "hall", "lab"))


def test_plan_that_meets_its_path_condition_needs_nothing() -> None:
    assert repaired("G(at(rob, w1) -> not clean(rob))").distance == 0


def test_missing_repair_says_that_not_all_was_tried() -> None:
    found = repaired(f"{CLEAN} and G(not at(rob, sluice)) and G(not at(rob, lab))")
    assert (found.found, found.bound) == (False, 3)
    assert "40 plans" in found.untried
    assert found.untried in str(found)


def test_missing_repair_says_that_the_budget_ended() -> None:
    found = repaired(CLEAN, bounds=RepairBounds(actions=40))
    assert not found.found
    assert "40 actions" in found.untried


def test_nothing_is_untried_where_few_edits_are_proved_not_to_be_enough() -> None:
    found = repaired(CLEAN, bounds=RepairBounds(edits=2))
    assert (found.found, found.bound) == (False, 3)
    assert not found.untried


@pytest.mark.parametrize("formula", ["X(at(rob, store))", "G(not clean(rob))"])
def test_working_plan_stops_nowhere(formula: str) -> None:
    assert repaired(formula).distance == 0


BELLS = parse_domain("""(define (domain bells) (:requirements :strips) (:predicates (rung) (lit))
  (:action ring :parameters () :effect (rung))
  (:action chime :parameters () :effect (rung))
  (:action toll :parameters () :effect (rung))
  (:action light :parameters () :effect (lit)))""")
"""Three of the actions do the same."""
BELL_NAMES = LogicVocabulary({"rung": 0, "lit": 0}, dict.fromkeys(BELLS.operators, 0))


@pytest.mark.parametrize("order", [("ring", "chime"), ("chime", "ring"), ("toll", "light", "ring")])
@pytest.mark.parametrize("asks", ["actions", "rules", "formula"])
def test_of_actions_that_do_the_same_all_that_are_demanded_are_put_in(
    order: tuple[str, ...], asks: str
) -> None:
    world = World(BELLS)
    text = "true"
    for name in reversed(order):
        text = f"F({name} and {text})"
    demanded = parse_formula(text, vocabulary=BELL_NAMES)
    targets = {
        "actions": Target(actions=tuple((name,) for name in order)),
        "rules": Target(rules=(demanded,)),
        "formula": Target(formula=demanded),
    }
    found = least_repair(world, world.state({}, []), (), targets[asks], agent="", skip=False)
    assert found.repaired is not None
    assert [action.name for action in found.repaired] == [*order]


@pytest.mark.parametrize("name", ["ring", "chime", "toll"])
def test_of_actions_that_do_the_same_one_that_no_rule_forbids_is_put_in(name: str) -> None:
    world = World(BELLS)
    others = sorted({"ring", "chime", "toll"} - {name})
    rules = [parse_formula(f"G(not {other})", vocabulary=BELL_NAMES) for other in others]
    target = Target(final=((parse_formula("rung"),),), rules=tuple(rules))
    found = least_repair(world, world.state({}, []), (), target, agent="", skip=False)
    assert found.repaired == (Action(name),)
