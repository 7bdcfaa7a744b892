"""The search for a repair ends at its limit, however much an action takes to be tested."""

from __future__ import annotations

import pytest
from repair_scripts import check_repair

from eai.budget import Budget
from eai.pddl import parse_domain, parse_problem
from eai.planning import least_repair, validate
from eai.planning.repair import task as repair_task
from eai.planning.repair.task import RepairTask, Target
from eai.suites.pddl import Validator
from eai.world import Action, world_of

DOMAIN = """
(define (domain d) (:requirements :adl) (:predicates (p ?x) (r ?x ?y))
  (:action a :parameters ({parameters}) :precondition {condition} :effect (p ?a)))
"""
OBJECTS = " ".join(f"o{number}" for number in range(40))
PROBLEM = f"""
(define (problem q) (:domain d) (:objects {OBJECTS})
  (:init (r o1 o2)) (:goal (and (p o1) (p o2) (p o3) (p o4))))
"""
CHAIN = " ".join(f"(r ?v{number} ?v{number + 1})" for number in range(5))
NESTED = f"(exists (?v0 ?v1 ?v2 ?v3 ?v4 ?v5) (and {CHAIN}))"


@pytest.mark.parametrize(
    ("parameters", "condition"),
    [
        ("?a ?b ?c ?d", NESTED),
        ("?a", "(forall () (not (p ?a)))"),
    ],
)
def test_a_search_ends_at_its_limit_and_says_so(parameters: str, condition: str) -> None:
    domain = parse_domain(DOMAIN.format(parameters=parameters, condition=condition))
    diagnosis = Validator(domain, parse_problem(PROBLEM, domain=domain)).diagnose(
        [Action("a", ("o1",) * len(parameters.split()))], repair=True
    )
    assert not diagnosis.valid
    assert diagnosis.repair or diagnosis.repair_reason


def test_tests_of_actions_that_cannot_be_done_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repair_task, "_FREE_TESTS", 0)
    used = []
    for condition in ("(p ?a)", NESTED):
        domain = parse_domain(DOMAIN.format(parameters="?a", condition=condition))
        start = Validator(domain, parse_problem(PROBLEM, domain=domain)).task.start
        world = world_of(domain)
        meter = Budget.unlimited().meter()
        task = RepairTask(world, start, [], Target(), agent="", skip=False, meter=meter)
        before = meter.instances
        for _ in range(64):
            task.is_applicable(start, "a", (0,))
        used.append(meter.instances - before)
    flat, nested = used
    assert 0 < flat < 64 < nested


@pytest.mark.parametrize(("needed", "is_repaired"), [(0, True), (1, True), (3, True), (4, False)])
def test_repairs_of_plans_with_numbers_have_at_most_three_edits(
    needed: int, is_repaired: bool
) -> None:
    domain = parse_domain("""(define (domain d) (:requirements :numeric-fluents)
      (:predicates (done)) (:functions (oil))
      (:action fill :parameters () :effect (increase (oil) 1))
      (:action start :parameters () :precondition (>= (oil) 4) :effect (done)))""")
    problem = parse_problem(
        f"(define (problem p) (:domain d) (:init (= (oil) {4 - needed})) (:goal (done)))",
        domain=domain,
    )
    diagnosis = Validator(domain, problem).diagnose([Action("start")], repair=True)
    assert diagnosis.valid is (needed == 0)
    if is_repaired and needed:
        assert len(diagnosis.repair or ()) == needed
        assert diagnosis.proved
    else:
        assert diagnosis.repair is None
        assert bool(diagnosis.repair_reason) is (needed > 0)


OIL = parse_domain("""(define (domain oil) (:requirements :numeric-fluents)
  (:predicates (done) (hot)) (:functions (oil))
  (:action fill :parameters () :effect (increase (oil) 1))
  (:action drain :parameters () :effect (and (decrease (oil) 1) (hot)))
  (:action start :parameters () :precondition (>= (oil) 4) :effect (done)))""")


@pytest.mark.parametrize(
    ("oil", "goal", "plan", "edits"),
    [
        (3, "(done)", "start fill", 1),
        (4, "(done)", "drain start", 1),
        (3, "(done)", "drain start", 1),
        (2, "(done)", "drain start", 2),
        (4, "(and (done) (hot))", "drain start", 1),
        (3, "(and (done) (>= 4 (oil)))", "start fill", 1),
        (4, "(and (done) (= (oil) 2))", "start drain drain drain", 1),
        (4, "(hot)", "start", 1),
        (4, "(done)", "start", 0),
    ],
)
def test_plans_with_numbers_are_repaired_with_the_fewest_edits(
    oil: int, goal: str, plan: str, edits: int
) -> None:
    text = f"(define (problem p) (:domain oil) (:init (= (oil) {oil})) (:goal {goal}))"
    problem = parse_problem(text, domain=OIL)
    world = world_of(OIL.with_numbers)
    start = world.state(problem.objects, problem.initial, problem.values)
    steps = [Action(name) for name in plan.split()]
    target = Target(((problem.goal,),))
    repair = least_repair(world, start, steps, target, agent="", skip=False)
    assert len(repair.edits or ()) == edits
    check_repair(
        repair,
        lambda steps: validate(OIL, problem, steps).valid,
        [Action(name) for name in OIL.operators],
        most=2,
    )


@pytest.mark.parametrize("tool", ["o0", "o3", "o6"])
@pytest.mark.parametrize("effect", ["(done)", "(p ?t)"])
def test_any_object_may_stand_for_the_last_parameter(tool: str, effect: str) -> None:
    domain = parse_domain(f"""(define (domain tools) (:requirements :adl)
      (:predicates (tool ?t) (done) (p ?t))
      (:action make :parameters (?t) :precondition (tool ?t) :effect {effect}))""")
    goal = "(exists (?t) (p ?t))" if effect == "(p ?t)" else effect
    problem = parse_problem(
        f"""(define (problem t) (:domain tools) (:objects {" ".join(f"o{n}" for n in range(7))})
          (:init (tool {tool})) (:goal {goal}))""",
        domain=domain,
    )
    world = world_of(domain)
    start = world.state(problem.objects, problem.initial)
    repair = least_repair(world, start, [], Target(((problem.goal,),)), agent="", skip=False)
    assert repair.repaired == (Action("make", (tool,)),)
