"""Distances of steps against brute force: every state of small worlds, entered in the plain way.

    python benchmarks/agreement/step_distances.py --plans 10000

The plain way runs all actions in the world itself, without grounding, masks or pruning, and
searches backward from the states in which the goal holds.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import deque
from collections.abc import Iterator
from itertools import product
from math import inf
from pathlib import Path
from random import Random

from eai.pddl import parse_domain, parse_problem
from eai.rewards import StepJudge
from eai.suites.pddl import Pddl
from eai.world import Action, State, world_of

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "support"))
from pddl_blocks import DOMAIN

_FIXTURES = Path(__file__).parents[2] / "tests" / "fixtures" / "pddl"
FOUR_BLOCKS = """(define (problem four) (:domain blocks) (:objects a b c d)
(:init (ontable a) (on b a) (ontable c) (on d c) (clear b) (clear d) (handempty))
(:goal (and (on a b) (on b d))))"""
MATCHES = """(define (domain matches) (:predicates (unused ?m) (lit) (dark ?r) (fixed ?r))
(:action light :parameters (?m) :precondition (unused ?m) :effect (and (lit) (not (unused ?m))))
(:action fix :parameters (?r) :precondition (and (lit) (dark ?r))
 :effect (and (fixed ?r) (not (lit)) (not (dark ?r))))
(:action blow :parameters () :precondition (lit) :effect (not (lit))))"""
"""A world with dead ends: a match that was wasted is gone."""
THREE_MATCHES = """(define (problem three) (:domain matches) (:objects m1 m2 m3 r1 r2)
(:init (unused m1) (unused m2) (unused m3) (dark r1) (dark r2))
(:goal (and (fixed r1) (fixed r2))))"""
RING = """(define (domain ring) (:requirements :adl) (:predicates (at ?x) (next ?x ?y) (on ?x))
(:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y))
 :effect (and (at ?y) (not (at ?x))))
(:action flip :parameters (?x) :precondition (at ?x)
 :effect (and (when (on ?x) (not (on ?x))) (when (not (on ?x)) (on ?x)))))"""
"""Conditional effects."""
FIVE_LAMPS = """(define (problem five) (:domain ring) (:objects a b c d e)
(:init (at a) (next a b) (next b c) (next c d) (next d e) (next e a) (on b))
(:goal (forall (?x) (on ?x))))"""


def worlds() -> dict[str, tuple[str, str]]:
    """Return the domain and the problem of each small world."""
    return {
        "blocks": (DOMAIN, FOUR_BLOCKS),
        "matches": (MATCHES, THREE_MATCHES),
        "ring": (RING, FIVE_LAMPS),
        "gripper": _fixture("gripper"),
        "briefcase": _fixture("briefcase"),
    }


def _fixture(name: str) -> tuple[str, str]:
    domain = (_FIXTURES / f"{name}.pddl").read_text("utf-8")
    return domain, (_FIXTURES / f"{name}-problem.pddl").read_text("utf-8")


class BruteForce:
    """All states of a world, with distances to the goal.

    Args:
        domain: The domain.
        problem: The problem.
    """

    def __init__(self, domain: str, problem: str) -> None:
        model = parse_domain(domain)
        task = parse_problem(problem, domain=model)
        self.world = world_of(model)
        self.start = self.world.state(task.objects, task.initial)
        self.actions: list[tuple[Action, tuple[int, ...]]] = []
        for operator in model.operators.values():
            ranges = [self.start.universe.of_types(v.types) for v in operator.parameters]
            for arguments in product(*ranges):
                action = Action(operator.name, arguments)
                numbers = self.world.numbers(self.start, action.name, arguments)
                self.actions.append((action, numbers))
        self.states = {self.key(self.start): self.start}
        before: dict[frozenset[object], list[frozenset[object]]] = {self.key(self.start): []}
        pending = deque([self.start])
        while pending:
            state = pending.popleft()
            for _, after in self.successors(state):
                key = self.key(after)
                if key not in before:
                    before[key] = []
                    self.states[key] = after
                    pending.append(after)
                before[key].append(self.key(state))
        self.steps = {k: 0 for k, s in self.states.items() if self.world.holds(s, task.goal)}
        ends = deque(self.steps)
        while ends:
            key = ends.popleft()
            for earlier in before[key]:
                if earlier not in self.steps:
                    self.steps[earlier] = self.steps[key] + 1
                    ends.append(earlier)

    def key(self, state: State) -> frozenset[object]:
        """Return what tells a state from others."""
        return frozenset(state.facts())

    def successors(self, state: State) -> Iterator[tuple[Action, State]]:
        """Yield the actions that can be done, with the states after them."""
        for action, numbers in self.actions:
            if self.world.first_failure(state, action.name, numbers) < 0:
                after = state.copy()
                self.world.apply(after, action.name, numbers)
                yield action, after

    def distance(self, state: State) -> float:
        """Return the distance of a state."""
        return self.steps.get(self.key(state), inf)


def compare(name: str, plans: int, random: Random) -> tuple[int, int]:
    """Judge random plans in both ways; return the numbers of steps and of differences."""
    domain, problem = worlds()[name]
    brute = BruteForce(domain, problem)
    judge = StepJudge(Pddl.from_texts(name, domain, {"task": problem}))
    steps = wrong = 0
    for _ in range(plans):
        state = brute.start
        plan, expected = [], []
        failed = False
        for _ in range(random.randint(1, 15)):
            successors = list(brute.successors(state))
            before = brute.distance(state)
            if not successors or random.random() < 0.05:
                able = {action for action, _ in successors}
                action = random.choice(brute.actions)[0]
                if action not in able:
                    plan.append(action)
                    expected.append(("failed", before, before))
                    failed = True
                    break
            if not successors:
                break
            action, state = random.choice(successors)
            plan.append(action)
            expected.append(("done", before, brute.distance(state)))
        text = "\n".join(f"({' '.join((a.name, *a.arguments))})" for a in plan)
        judged = judge("task", text).steps
        found = [(step.outcome, step.before, step.after) for step in judged]
        steps += len(expected)
        if found != expected or any(step.bound != "exact" for step in judged):
            wrong += 1
            print(f"{name}: {text!r}: {found} instead of {expected} {failed}")
    return steps, wrong


def main() -> None:
    """Compare, and print a line for each world."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plans", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random = Random(options.seed)  # noqa: S311
    names = list(worlds())
    for name in names:
        start = time.process_time()
        steps, wrong = compare(name, options.plans // len(names), random)
        seconds = time.process_time() - start
        print(f"{name}: {steps:,} steps, {wrong} plans differ, {seconds:.1f} s of processor time")


if __name__ == "__main__":
    main()
