"""Repairs of plans with numbers have as few edits as trying all edited plans finds."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import pytest
from repair_scripts import check_repair

from eai.pddl import Problem, parse_domain, parse_problem
from eai.planning import Repair, RepairBounds, Target, least_repair, validate
from eai.world import Action, World, world_of

sys.path.append(str(Path(__file__).parents[2] / "benchmarks" / "agreement"))
from numeric_plans import OBJECTS, Writer

ACTIONS = [Action(f"act{number}", (name,)) for number, name in product(range(3), OBJECTS)]


def repaired(world: World, problem: Problem, plan: Sequence[Action]) -> Repair:
    """Return the least repair of a plan, with at most two edits."""
    return least_repair(
        world,
        world.state(problem.objects, problem.initial, problem.values),
        plan,
        Target(((problem.goal,),)),
        agent="",
        skip=False,
        bounds=RepairBounds(edits=2),
    )


@pytest.mark.parametrize(
    "seed", [*range(40), *[pytest.param(n, marks=pytest.mark.heavy) for n in range(40, 400)]]
)
def test_repairs_have_the_fewest_edits(seed: int) -> None:
    case = Writer(random.Random(seed)).case()
    domain = parse_domain(case.domain)
    problem = parse_problem(case.problem, domain=domain)
    repair = repaired(world_of(domain.with_numbers), problem, case.plans[0][:3])
    check_repair(repair, lambda steps: validate(domain, problem, steps).valid, ACTIONS, most=2)


def test_a_step_that_comes_too_early_is_moved_behind_the_others() -> None:
    domain = parse_domain("""(define (domain cans) (:requirements :numeric-fluents)
      (:predicates (poured)) (:functions (n))
      (:action pour :parameters () :precondition (>= (n) 3) :effect (poured))
      (:action fill :parameters () :precondition (= (n) 0) :effect (increase (n) 1))
      (:action top :parameters () :precondition (= (n) 1) :effect (increase (n) 2)))""")
    text = "(define (problem p) (:domain cans) (:init (= (n) 0)) (:goal (poured)))"
    problem = parse_problem(text, domain=domain)
    world = world_of(domain.with_numbers)
    pour, fill, top = Action("pour"), Action("fill"), Action("top")

    def works(steps: tuple[Action, ...]) -> bool:
        return validate(domain, problem, steps).valid

    for plan in ((pour, fill, top), (fill, pour, top), (top, pour, fill)):
        repair = repaired(world, problem, plan)
        assert repair.repaired == (fill, top, pour)
        check_repair(repair, works, (pour, fill, top), most=2)


@pytest.mark.parametrize("name", ["a", "b"])
def test_objects_without_a_value_are_not_put_in(name: str) -> None:
    domain = parse_domain("""(define (domain cans) (:requirements :numeric-fluents)
      (:predicates (poured) (clean ?x)) (:functions (n ?x))
      (:action wash :parameters (?x) :precondition (>= (n ?x) 3) :effect (clean ?x))
      (:action pour :parameters (?x) :precondition (and (clean ?x) (>= (n ?x) 3))
        :effect (poured)))""")
    text = """(define (problem p) (:domain cans) (:objects a b c)
      (:init (= (n {}) 3)) (:goal (poured)))"""
    problem = parse_problem(text.format(name), domain=domain)
    world = world_of(domain.with_numbers)
    wash, pour = Action("wash", (name,)), Action("pour", (name,))
    for plan in ((), (wash,), (pour,)):
        repair = repaired(world, problem, plan)
        assert repair.repaired == (wash, pour)
