"""The costs of ground actions in every state are what the domain says."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from eai.pddl import parse_domain, parse_problem
from eai.planning import Limits, ground
from eai.planning.conditions import holds
from eai.planning.task import GroundTask, Successors

ATOMS = 4
Literal = tuple[int, bool]
Costs = list[tuple[list[Literal], int]]
"""The conditions under which an amount is added, and the amounts."""


def literals(random: Random, most: int) -> list[Literal]:
    chosen = random.sample(range(ATOMS), random.randint(0, most))
    return [(atom, random.random() < 0.6) for atom in chosen]


def conjunction(parts: list[Literal]) -> str:
    texts = [f"(p{atom})" if value else f"(not (p{atom}))" for atom, value in parts]
    return f"(and {' '.join(texts)})"


def random_task(random: Random) -> tuple[GroundTask, dict[str, Costs], set[int]]:
    """Return a task over a few atoms, the costs of its actions, and the atoms true at its start."""
    costs: dict[str, Costs] = {}
    actions = []
    for number in range(5):
        name = f"a{number}"
        costs[name] = [(literals(random, 2), random.randint(0, 4)) for _ in range(3)]
        effects = [f"(p{random.randrange(ATOMS)})"]
        if random.random() < 0.6:
            effects.append(f"(not (p{random.randrange(ATOMS)}))")
        for condition, amount in costs[name]:
            increase = f"(increase (total-cost) {amount})"
            effects.append(f"(when {conjunction(condition)} {increase})" if condition else increase)
        precondition = conjunction(literals(random, 2))
        effect = f"(and {' '.join(effects)})"
        actions.append(f"(:action {name} :precondition {precondition} :effect {effect})")
    predicates = " ".join(f"(p{atom})" for atom in range(ATOMS))
    domain = parse_domain(
        "(define (domain d) (:requirements :adl :action-costs)"
        f" (:predicates {predicates}) (:functions (total-cost)) {' '.join(actions)})"
    )
    true = {atom for atom in range(ATOMS) if random.random() < 0.4}
    initial = " ".join(f"(p{atom})" for atom in sorted(true))
    goal = conjunction([(random.randrange(ATOMS), True)])
    problem = parse_problem(
        f"(define (problem p) (:domain d) (:init {initial} (= (total-cost) 0))"
        f" (:goal {goal}) (:metric minimize (total-cost)))",
        domain=domain,
    )
    return ground(domain, problem, limits=Limits()), costs, true


def reached(task: GroundTask) -> list[int]:
    successors = Successors(task)
    states = [task.initial]
    for state in states:
        for action in successors.applicable(state):
            after = task.successor(state, action)
            if after not in states:
                states.append(after)
    return states


@settings(max_examples=100)
@given(st.integers(0, 10**9))
def test_an_action_costs_what_arises_in_the_state(seed: int) -> None:
    task, costs, initial = random_task(Random(seed))
    numbers = {atom.predicate: number for number, atom in enumerate(task.atoms)}

    def is_true(atom: int, state: int) -> bool:
        # An atom that the task does not have keeps the value that it has at the start.
        number = numbers.get(f"p{atom}")
        return atom in initial if number is None else state >> 2 * number & 1 == 1

    for state in reached(task):
        for action in task.actions:
            if not holds(action.condition, state):
                continue
            total = action.cost
            for condition, amount in action.conditional_costs:
                total += amount if holds(condition, state) else 0
            expected = 0
            for parts, amount in costs[action.action.name]:
                if all(is_true(atom, state) is value for atom, value in parts):
                    expected += amount
            assert total == expected


def test_costs_under_one_condition_add_up() -> None:
    domain = parse_domain("""(define (domain d) (:requirements :adl :action-costs)
      (:predicates (p) (q) (ever) (never)) (:functions (total-cost))
      (:action b :effect (and (p) (increase (total-cost) 1)
        (when (q) (increase (total-cost) 2)) (when (q) (increase (total-cost) 4))
        (when (ever) (increase (total-cost) 8)) (when (never) (increase (total-cost) 16))))
      (:action c :effect (and (not (q)) (increase (total-cost) 32)))
      (:action d :precondition (p) :effect (q)))""")
    problem = parse_problem(
        "(define (problem p) (:domain d) (:init (q) (ever)) (:goal (p))"
        " (:metric minimize (total-cost)))",
        domain=domain,
    )
    task = ground(domain, problem, limits=Limits())
    [action] = [action for action in task.actions if action.action.name == "b"]
    assert action.cost == pytest.approx(1 + 8)
    assert [amount for _, amount in action.conditional_costs] == [2 + 4]
