"""Causes through numbers: idle steps can go, and any order that is left open works."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from itertools import permutations
from pathlib import Path

import pytest

from eai.diagnosis import DomainRules, Run, goal_conditions
from eai.diagnosis.causes import causes
from eai.suites.pddl import Validator
from eai.task import Task
from eai.world import Action

sys.path.append(str(Path(__file__).parents[2] / "benchmarks" / "agreement"))
from numeric_plans import OBJECTS, Case, Writer

Outcome = tuple[bool, tuple[bool, ...], int]
"""Whether all steps can be done, which conditions of the goal are met, and how many were done."""


class RicherWriter(Writer):
    """Writes tasks with derived predicates, missing values, scaling, and effects on all objects."""

    def case(self) -> Case:
        """Return a random task with random plans, of which many steps can be done."""
        case = super().case()
        axiom = f"(:derived (r ?x - thing) {self.condition(('?x',), depth=1)})"
        domain = case.domain.replace("(q ?x - thing)", "(q ?x - thing) (r ?x - thing)", 1)
        domain = domain.replace("(:action", f"{axiom} (:action", 1)
        return Case(domain, case.problem, case.plans)

    def action(self, name: str) -> str:
        """Return an action with one parameter; half of them have no precondition."""
        condition = ""
        if self.dice.random() < 0.5:
            condition = self.dice.choice((self.condition(("?x",), depth=1), "(r ?x)"))
        count = self.dice.randrange(1, 4)
        effects = " ".join(self.effects(count))
        return (
            f"(:action {name} :parameters (?x - thing)"
            f" :precondition (and {condition}) :effect (and {effects}))"
        )

    def initial(self) -> Iterator[str]:
        """Yield the facts and values at the start; some terms have no value."""
        for fact in super().initial():
            if self.dice.random() < 0.95:
                yield fact

    def effects(self, count: int) -> Iterator[str]:
        """Yield effects; some scale a number or change that of every object."""
        for effect in super().effects(count):
            chance = self.dice.random()
            if chance < 0.1 and effect.startswith("(assign"):
                yield effect.replace("assign", "scale-up", 1)
            elif chance < 0.3 and effect.startswith("(increase (w"):
                inner = effect.replace("?x", "?z")
                yield f"(forall (?z - thing) (when {self.condition(('?z',), depth=0)} {inner}))"
            else:
                yield effect

    def plan(self) -> tuple[Action, ...]:
        """Return a random plan of five or six steps."""
        steps = []
        for _ in range(self.dice.randrange(5, 7)):
            name = f"act{self.dice.randrange(3)}"
            steps.append(Action(name, (self.dice.choice(OBJECTS),)))
        return tuple(steps)


def outcome(task: Task, plan: Sequence[Action]) -> Outcome:
    rules = DomainRules(skip=task.skips)
    run = Run(task.world, task.start, task.agent)
    can_be_done = True
    for number, action in enumerate(plan, start=1):
        if rules.take(run, action, number)[0] == "failed":
            can_be_done = False
            break
    goals = goal_conditions(task.goal, run.trajectory)
    return can_be_done, tuple([goal.met for goal in goals]), len(run.steps)


def check(task: Task, plan: Sequence[Action]) -> tuple[int, int]:
    """Try out what the causes of a plan promise; return the numbers of idle steps and orders."""
    found = causes(task, plan)
    before = outcome(task, plan)
    for step in found.idle:
        assert outcome(task, found.without(step))[:2] == before[:2]
    assert outcome(task, found.needed())[:2] == before[:2]
    failed_and_later = () if found.failure is None else plan[found.failure.step - 1 :]
    orders = 0
    for order in permutations(found.order.steps):
        if found.order.permits(order):
            orders += 1
            again = (*[plan[number - 1] for number in order], *failed_and_later)
            assert outcome(task, again) == before
    for each in found.steps:
        assert all(link.maker < each.number for link in each.uses)
    assert str(found)
    return len(found.idle), orders


@pytest.mark.parametrize(
    "seed", [*range(30), *[pytest.param(n, marks=pytest.mark.heavy) for n in range(30, 600)]]
)
def test_idle_steps_can_go_and_open_orders_work(seed: int) -> None:
    case = RicherWriter(random.Random(f"causes {seed}")).case()
    validator = Validator(case.domain, case.problem)
    for plan in case.plans:
        check(validator.task, plan)


def test_random_plans_have_idle_steps_and_other_orders() -> None:
    idle, orders, plans = 0, 0, 0
    for seed in range(30):
        case = RicherWriter(random.Random(f"causes {seed}")).case()
        task = Validator(case.domain, case.problem).task
        for plan in case.plans[:3]:
            own_idle, own_orders = check(task, plan)
            idle += own_idle
            orders += own_orders
            plans += 1
    assert idle > plans / 4
    assert orders > 2 * plans
