"""Steps that may happen at the same time have the same outcome in either order.

PDDL 2.1 calls two actions that happen at once free of interference if neither changes what the
other one reads or changes (Fox & Long 2003, definition 12). Then their order cannot matter.
"""

from __future__ import annotations

from random import Random

import pytest

from eai.errors import InputError
from eai.logic import Atom
from eai.pddl import parse_domain, parse_problem
from eai.world import Action
from eai.world.temporal import Schedule, Scheduler, TimedStep

DOMAIN = """
(define (domain d) (:requirements :adl :numeric-fluents) (:types thing)
  (:constants a b - thing)
  (:predicates (p ?x - thing) (q ?x - thing)) (:functions (f ?x - thing) (g))
  (:action first :parameters (?x - thing) :precondition {0} :effect (and {1} {2}))
  (:action second :parameters (?x - thing) :precondition {3} :effect (and {4} {5})))
"""
CONDITIONS = (
    "(and)",
    "(p ?x)",
    "(not (q ?x))",
    "(or (p ?x) (q b))",
    "(forall (?y - thing) (or (p ?y) (q ?y)))",
    "(exists (?y - thing) (and (p ?y) (not (q ?y))))",
    "(>= (g) 1)",
    "(<= (f ?x) (g))",
)
EFFECTS = (
    "(p ?x)",
    "(not (p ?x))",
    "(q ?x)",
    "(when (p ?x) (q ?x))",
    "(when (q b) (not (p ?x)))",
    "(forall (?y - thing) (when (p ?y) (not (q ?y))))",
    "(forall (?y - thing) (q ?y))",
    "(increase (f ?x) 1)",
    "(increase (f ?x) (g))",
    "(decrease (g) 1)",
    "(assign (g) (f ?x))",
    "(when (p ?x) (assign (g) 3))",
    "(when (< (g) 2) (increase (f ?x) 1))",
    "(when (q ?x) (scale-up (f ?x) 2))",
    "(forall (?y - thing) (when (q ?y) (increase (g) 1)))",
    "(forall (?y - thing) (increase (f ?y) 1))",
)
FACTS = ("(p a)", "(p b)", "(q a)", "(q b)")


def random_scheduler(random: Random) -> Scheduler:
    parts = []
    for _ in range(2):
        parts += [random.choice(CONDITIONS), *random.sample(EFFECTS, 2)]
    domain = parse_domain(DOMAIN.format(*parts))
    facts = " ".join(fact for fact in FACTS if random.random() < 0.5)
    values = " ".join(f"(= {term} {random.randint(0, 3)})" for term in ("(f a)", "(f b)", "(g)"))
    problem = f"(define (problem x) (:domain d) (:init {facts} {values}) (:goal (and)))"
    return Scheduler(domain, parse_problem(problem, domain=domain))


def end_of(schedule: Schedule) -> tuple[set[Atom], dict[Atom, object]]:
    """Return the facts and numbers at the end."""
    final = schedule.trajectory.final
    numbers = {term: value for term, value in final.numeric_facts() if term.terms or term == G}
    return set(final.atoms()), dict(numbers)


G = Atom("g")


@pytest.mark.parametrize("seed", range(3))
def test_steps_that_may_happen_at_once_have_one_outcome_in_either_order(seed: int) -> None:
    random = Random(f"at once {seed}")
    reasons = set()
    for _ in range(40):
        scheduler = random_scheduler(random)
        steps = [Action("first", (random.choice("ab"),)), Action("second", (random.choice("ab"),))]
        try:
            at_once = scheduler.run([TimedStep(0, step) for step in steps])
            alone = [scheduler.run([TimedStep(0, step)]) for step in steps]
        except InputError:  # an effect that contradicts itself is none
            continue
        failing = [number for number, one in enumerate(alone, 1) if one.failure is not None]
        if failing:
            assert at_once.failure is not None
            assert at_once.failure.step == failing[0]
            continue
        reasons.add(None if at_once.failure is None else at_once.failure.reason)
        if at_once.failure is not None:
            assert at_once.failure.reason == "interference"
            continue
        for order in (steps, steps[::-1]):
            apart = scheduler.run([TimedStep(time, step) for time, step in enumerate(order)])
            assert apart.failure is None
            assert end_of(apart) == end_of(at_once)
    assert reasons == {None, "interference"}
