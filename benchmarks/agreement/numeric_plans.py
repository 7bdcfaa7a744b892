"""Compare verdicts on plans with numbers with unified-planning's own validator.

    python benchmarks/agreement/numeric_plans.py --tasks 1000 --seed 1

Random numeric domains (conditions and effects of every kind, small numbers) get a random problem
and random plans. Both libraries read the same PDDL text. Every difference in verdict or in the
number of the failing step is printed with the texts. What unified-planning does not read or judge
is counted apart: it refuses updates that contradict each other, and has no undefined values.
"""

from __future__ import annotations

import argparse
import random
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Union

from eai.pddl import parse_domain, parse_problem
from eai.planning import validate
from eai.world import Action

OBJECTS = ("a", "b")
FUNCTIONS = {"f": 0, "g": 0, "w": 1, "v": 1}
PLANS = 10
"""Number of plans for each task: to read a task takes longer than to validate a plan."""
SIGNS = ("<", "<=", "=", ">=", ">")
UPDATES = ("increase", "decrease", "assign")


@dataclass(frozen=True)
class Case:
    """A task as text, and plans for it."""

    domain: str
    problem: str
    plans: tuple[tuple[Action, ...], ...]


class Writer:
    """Writes random parts of a task.

    Args:
        dice: The source of chance.
    """

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice

    def case(self) -> Case:
        """Return a random task with random plans."""
        actions = [self.action(f"act{number}") for number in range(3)]
        domain = (
            "(define (domain d) (:requirements :adl :numeric-fluents) (:types thing)"
            " (:constants a b - thing)"
            " (:predicates (p) (q ?x - thing)) (:functions (f) (g) (w ?x - thing) (v ?x - thing))"
            f" {' '.join(actions)})"
        )
        goal = self.condition((), depth=2)
        problem = (
            "(define (problem x) (:domain d)"
            f" (:init {' '.join(self.initial())}) (:goal (and {goal})))"
        )
        return Case(domain, problem, tuple([self.plan() for _ in range(PLANS)]))

    def plan(self) -> tuple[Action, ...]:
        """Return a random plan of up to five steps."""
        steps = []
        for _ in range(self.dice.randrange(6)):
            name = f"act{self.dice.randrange(3)}"
            steps.append(Action(name, (self.dice.choice(OBJECTS),)))
        return tuple(steps)

    def initial(self) -> Iterator[str]:
        """Yield the facts and values at the start; every term has a value."""
        for name, arity in FUNCTIONS.items():
            for argument in OBJECTS if arity else ("",):
                yield f"(= ({name} {argument}) {self.number()})"
        if self.dice.random() < 0.5:
            yield "(p)"
        for argument in OBJECTS:
            if self.dice.random() < 0.5:
                yield f"(q {argument})"

    def number(self) -> str:
        """Return a small number, often with a decimal."""
        return self.dice.choice(("0", "1", "2", "3", "0.5", "1.5", "0.1", "0.2"))

    def action(self, name: str) -> str:
        """Return an action with one parameter."""
        condition = self.condition(("?x",), depth=2)
        count = self.dice.randrange(1, 4)
        effects = " ".join(self.effects(count))
        return (
            f"(:action {name} :parameters (?x - thing)"
            f" :precondition (and {condition}) :effect (and {effects}))"
        )

    def effects(self, count: int) -> Iterator[str]:
        """Yield effects, at most one on each function, so that none contradicts another."""
        names = self.dice.sample(sorted(FUNCTIONS), count)
        for name in names:
            update = self.dice.choice(UPDATES)
            amount = self.expression(("?x",), depth=1)
            effect = f"({update} {self.term(name, ('?x',))} {amount})"
            if self.dice.random() < 0.3:
                effect = f"(when {self.condition(('?x',), depth=1)} {effect})"
            yield effect
        yield self.dice.choice(("(p)", "(not (p))", "(q ?x)", "(not (q ?x))"))

    def condition(self, terms: Sequence[str], *, depth: int) -> str:
        """Return a condition over some terms."""
        kind = self.dice.random()
        if depth and kind < 0.35:
            head = self.dice.choice(("and", "or"))
            parts = [self.condition(terms, depth=depth - 1) for _ in range(2)]
            return f"({head} {' '.join(parts)})"
        if depth and kind < 0.45:
            return f"(not {self.condition(terms, depth=depth - 1)})"
        if depth and kind < 0.55:
            head = self.dice.choice(("forall", "exists"))
            return f"({head} (?y - thing) {self.condition((*terms, '?y'), depth=depth - 1)})"
        if kind < 0.7:
            argument = self.dice.choice((*terms, *OBJECTS)) if terms else self.dice.choice(OBJECTS)
            return self.dice.choice(("(p)", f"(q {argument})"))
        left = self.expression(terms, depth=1)
        right = self.expression(terms, depth=1)
        return f"({self.dice.choice(SIGNS)} {left} {right})"

    def expression(self, terms: Sequence[str], *, depth: int) -> str:
        """Return an expression over some terms."""
        kind = self.dice.random()
        if depth and kind < 0.35:
            sign = self.dice.choice("+-*")
            parts = [self.expression(terms, depth=depth - 1) for _ in range(2)]
            return f"({sign} {' '.join(parts)})"
        if kind < 0.55:
            return self.number()
        return self.term(self.dice.choice(sorted(FUNCTIONS)), terms)

    def term(self, name: str, terms: Sequence[str]) -> str:
        """Return a function term."""
        if not FUNCTIONS[name]:
            return f"({name})"
        argument = self.dice.choice(terms) if terms else self.dice.choice(OBJECTS)
        return f"({name} {argument})"


Verdict = tuple[bool, Union[int, None]]
"""Whether a plan is valid, and the number of its failing step."""


def ours(case: Case) -> list[Verdict]:
    """Return our verdicts on the plans of a task."""
    domain = parse_domain(case.domain)
    problem = parse_problem(case.problem, domain=domain)
    results = [validate(domain, problem, plan) for plan in case.plans]
    return [(result.valid, result.step) for result in results]


def theirs(case: Case) -> list[Verdict]:
    """Return unified-planning's verdicts on the plans of a task."""
    import unified_planning.shortcuts as up
    from unified_planning.engines.plan_validator import SequentialPlanValidator
    from unified_planning.io import PDDLReader
    from unified_planning.plans import ActionInstance, SequentialPlan

    environment = up.get_environment()
    environment.credits_stream = None
    problem = PDDLReader(environment).parse_problem_string(case.domain, case.problem)
    manager = environment.expression_manager
    validator: Any = SequentialPlanValidator(environment=environment)
    verdicts: list[Verdict] = []
    for plan in case.plans:
        instances = []
        for step in plan:
            objects = [manager.ObjectExp(problem.object(name)) for name in step.arguments]
            instances.append(ActionInstance(problem.action(step.name), objects))
        result = validator.validate(problem, SequentialPlan(instances, environment))
        failed = None
        for number, instance in enumerate(instances, start=1):
            if instance is result.inapplicable_action:
                failed = number
        verdicts.append((bool(result), failed))
    return verdicts


def compare(tasks: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Return how many plans ended how, and the texts of those that differ.

    Args:
        tasks: Number of tasks, with :data:`PLANS` plans each.
        seed: Seed of the first; each task has its own.
    """
    counts: Counter[str] = Counter()
    differences = []
    for number in range(tasks):
        case = Writer(random.Random(f"{seed}/{number}")).case()  # noqa: S311
        own = ours(case)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                others = theirs(case)
        except Exception as error:  # noqa: BLE001 - it raises whatever comes
            counts[f"not judged by it: {type(error).__name__}"] += len(own)
            continue
        for plan, verdict, other in zip(case.plans, own, others, strict=True):
            counts["valid" if verdict[0] else "invalid"] += 1
            if verdict != other:
                counts["different"] += 1
                differences.append(f"{verdict} {other}\n{case.domain}\n{case.problem}\n{plan}")
    return counts, differences


def main() -> None:
    """Compare, and print what differs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--tasks", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    counts, differences = compare(chosen.tasks, chosen.seed)
    for text in differences[:5]:
        print(text, end="\n\n")
    for what, number in counts.most_common():
        print(f"{number:7,} {what}")


if __name__ == "__main__":
    main()
