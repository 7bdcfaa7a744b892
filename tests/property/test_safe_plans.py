"""Shortest safe plans in random small worlds, against trying everything."""

import random
from collections import deque
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from eai.logic import ActionAtom, Atom, Trace, automaton, evaluate, parse_formula
from eai.pddl import Domain, Problem, parse_domain, parse_problem
from eai.planning import (
    Outcome,
    PlanningResult,
    Scope,
    names_of,
    safe_plan,
    scopes_of,
    smallest_conflict,
)
from eai.world import Action

OBJECTS = ("a", "b")
FACTS = ("p", "q", "r")


def a_literal(dice: random.Random, term: str) -> str:
    fact = f"({dice.choice(FACTS)} {term})"
    return fact if dice.random() < 0.6 else f"(not {fact})"


def a_world(dice: random.Random) -> tuple[str, str]:
    """Return a random domain and problem with two objects, as PDDL."""
    actions = []
    for number in range(5):
        precondition = a_literal(dice, "?x") if dice.random() < 0.4 else "(and)"
        effect = a_literal(dice, "?x")
        if dice.random() < 0.4:
            effect += f" (when {a_literal(dice, '?x')} {a_literal(dice, dice.choice(OBJECTS))})"
        actions.append(
            f"(:action act{number} :parameters (?x) :precondition {precondition} "
            f":effect (and {effect}))"
        )
    facts = " ".join(f"({name} ?x)" for name in FACTS)
    domain = f"(define (domain d) (:constants a b) (:predicates {facts}) {' '.join(actions)})"
    initial = []
    for name, object_ in product(FACTS, OBJECTS):
        if dice.random() < 0.3:
            initial.append(f"({name} {object_})")
    goal = f"(and {a_literal(dice, 'a')})"
    problem = f"(define (problem t) (:domain d) (:init {' '.join(initial)}) (:goal {goal}))"
    return domain, problem


def a_formula(dice: random.Random, depth: int, term: str) -> str:
    if depth == 0 or dice.random() < 0.1:
        if dice.random() < 0.3:
            return f"act{dice.randrange(5)}({term})"
        return f"{dice.choice(FACTS)}({term})"
    kind = dice.choice(("!", "X", "F", "G", "and", "or", "->", "U", "W"))
    first = a_formula(dice, depth - 1, term)
    if len(kind) == 1 and kind not in "UW":
        return f"{kind} ({first})"
    return f"(({first}) {kind} ({a_formula(dice, depth - 1, term)}))"


def a_rule(dice: random.Random) -> str:
    kind = dice.random()
    if kind < 0.25:
        return f"forall x. (G ({a_formula(dice, 2, 'x')}))"
    if kind < 0.7:
        return f"forall x. (F ({a_formula(dice, 1, 'x')}))"
    return f"G ({a_formula(dice, 2, dice.choice(OBJECTS))})"


class Product:
    """The world and the rules' automata, stepped by the definition."""

    def __init__(self, domain: Any, problem: Any, rules: list[Any]) -> None:
        self.task = ground_by_hand(domain)
        self.problem = problem
        self.machines = [automaton(rule, objects=OBJECTS, reading="ltlf") for rule in rules]
        self.start = frozenset(problem.initial)

    def shortest(self) -> list[ActionAtom] | None:
        """Return a shortest plan that keeps all rules, found by looking at every state."""
        first = (self.start, tuple(0 for _ in self.machines))
        ways: dict[Any, list[ActionAtom]] = {first: []}
        waiting = deque([first])
        while waiting:
            node = waiting.popleft()
            state, inner = node
            ends = [m.step(q, m.letter(state)) for m, q in zip(self.machines, inner, strict=True)]
            accepted = [q in m.accepting for m, q in zip(self.machines, ends, strict=True)]
            if all(accepted) and true_in(self.problem.goal, state):
                return ways[node]
            for action, condition, effects in self.task:
                if not true_in(condition, state):
                    continue
                letters = [*state, action]
                following = tuple(
                    m.step(q, m.letter(letters)) for m, q in zip(self.machines, inner, strict=True)
                )
                after = (result_of(effects, state), following)
                if after not in ways:
                    ways[after] = [*ways[node], action]
                    waiting.append(after)
        return None


def ground_by_hand(domain: Any) -> list[Any]:
    from eai.pddl import clauses

    grounded = []
    for operator in domain.operators.values():
        for name in OBJECTS:
            binding = {operator.parameters[0].name: name}
            effects = [
                (each.condition.substitute(binding), each.added, each.atom.substitute(binding))
                for each in clauses(operator.effect, [operator.parameters[0].name])
            ]
            action = ActionAtom(operator.name, (name,))
            grounded.append((action, operator.precondition.substitute(binding), effects))
    return grounded


def true_in(condition: Any, state: frozenset[Atom]) -> bool:
    return bool(evaluate(condition, Trace.of_states([state], objects=OBJECTS)))


def result_of(effects: list[Any], state: frozenset[Atom]) -> frozenset[Atom]:
    happening = [(added, atom) for condition, added, atom in effects if true_in(condition, state)]
    removed = {atom for added, atom in happening if not added}
    return (state - removed) | {atom for added, atom in happening if added}


def compare(seed: int) -> str:
    """Compare one world and its rules; return how the search ended."""
    dice = random.Random(seed)
    texts = a_world(dice)
    domain = parse_domain(texts[0])
    problem = parse_problem(texts[1], domain=domain)
    names = names_of(domain, problem)
    rules = [parse_formula(a_rule(dice), vocabulary=names) for _ in range(dice.randint(1, 3))]
    wanted = Product(domain, problem, rules).shortest()
    found = safe_plan(domain, problem, rules, engine="eai-optimal")
    told = (seed, [str(rule) for rule in rules], wanted, found)
    if wanted is None:
        assert found.outcome is Outcome.UNSOLVABLE, told
        named = {str(number): rule for number, rule in enumerate(rules)}
        conflict = smallest_conflict(domain, problem, named)
        assert conflict is not None
        chosen = [named[name] for name in conflict]
        assert Product(domain, problem, chosen).shortest() is None, told
        for name in conflict:
            fewer = [named[other] for other in conflict if other != name]
            assert Product(domain, problem, fewer).shortest() is not None, told
        return "none"
    assert found.plan is not None, told
    assert len(found.plan) == len(wanted), told
    assert_is_safe(domain, problem, rules, found.plan)
    return "plan"


def assert_is_safe(domain: Any, problem: Any, rules: list[Any], plan: Any) -> None:
    """Run a plan by hand, and evaluate the rules on its trajectory."""
    task = {action: rest for action, *rest in ground_by_hand(domain)}
    states = [frozenset(problem.initial)]
    actions = [ActionAtom(step.name, step.arguments) for step in plan]
    for action in actions:
        condition, effects = task[action]
        assert true_in(condition, states[-1])
        states.append(result_of(effects, states[-1]))
    assert true_in(problem.goal, states[-1])
    trace = Trace.of_states(states, actions, objects=OBJECTS)
    for rule in rules:
        assert evaluate(rule, trace, reading="ltlf")


def test_a_scope_proves_nothing_and_finds_safe_plans_only() -> None:
    outcomes = set()
    for seed in range(200, 260):
        dice = random.Random(seed)
        texts = a_world(dice)
        domain = parse_domain(texts[0])
        problem = parse_problem(texts[1], domain=domain)
        names = names_of(domain, problem)
        rules = [parse_formula(a_rule(dice), vocabulary=names)]
        scope = Scope(frozenset(), frozenset(dice.sample(sorted(domain.operators), 3)))
        found = safe_plan(domain, problem, rules, scope=scope)
        outcomes.add(found.outcome)
        if found.plan is not None:
            assert_is_safe(domain, problem, rules, found.plan)
            assert {step.name for step in found.plan} <= scope.operators
    assert outcomes == {Outcome.SOLVED, Outcome.INCOMPLETE}


def test_safe_plans_are_the_shortest() -> None:
    ends = [compare(seed) for seed in range(25)]
    assert {"plan", "none"} == set(ends)


@pytest.mark.heavy
def test_safe_plans_are_the_shortest_in_many_worlds() -> None:
    ends = [compare(seed) for seed in range(1_000, 1_500)]
    assert ends.count("plan") > 100
    assert ends.count("none") > 100


HOUSE = parse_domain("""(define (domain house) (:requirements :typing)
  (:types robot thing room - object)
  (:constants tap - thing)
  (:predicates (at ?r - robot ?x - room) (on ?x ?y - thing) (inside ?x - thing ?y - room)
    (next_to ?x ?y - object) (clean ?x - thing) (warm ?x - thing))
  (:action scrub :parameters (?r - robot ?x - thing) :effect (clean ?x))
  (:action heat :parameters (?r - robot ?x - thing) :effect (warm ?x))
  (:action cool :parameters (?r - robot ?x - thing) :effect (not (warm ?x)))
  (:action go :parameters (?r - robot ?x - room) :effect (at ?r ?x)))""")
KITCHEN = parse_problem(
    """(define (problem t) (:domain house)
  (:objects me - robot cup table lamp box far - thing kitchen hall - room)
  (:init (on cup table) (inside table kitchen) (inside far hall) (on lamp table)
    (next_to lamp box) (next_to box lamp) (at me hall))
  (:goal (clean cup)))""",
    domain=HOUSE,
)


def test_scopes_are_what_the_goal_and_the_plans_name_and_what_holds_it() -> None:
    rule = parse_formula("G (warm(lamp) -> clean(tap))", vocabulary=names_of(HOUSE, KITCHEN))
    small, large = scopes_of(HOUSE, KITCHEN, [], [[Action("scrub", ("cup",))]], agent="me")
    assert small == Scope(
        frozenset({"me", "cup", "table", "kitchen", "hall"}), frozenset({"scrub"})
    )
    # No fact tells of the cup or of the robot together with anything else.
    assert large == small
    small, large = scopes_of(HOUSE, KITCHEN, [rule], [], agent="me")
    # Cooling makes nothing true that the rule speaks of.
    assert small.operators == {"scrub", "heat"}
    assert small.objects == {"me", "cup", "table", "kitchen", "lamp", "hall"}
    # Being next to each other leads both ways, so nothing is in a box; a fact tells of it, though.
    assert large.objects == {*small.objects, "box"}


def test_a_task_within_a_scope_has_its_objects_and_facts_only() -> None:
    scope = Scope(frozenset({"me", "cup"}), frozenset({"scrub", "heat"}))
    found = safe_plan(HOUSE, KITCHEN, [], scope=scope)
    assert found.plan == (Action("scrub", ("me", "cup")),)
    assert not found.optimal
    without = safe_plan(HOUSE, KITCHEN, [], scope=replace(scope, operators=frozenset({"heat"})))
    assert (without.outcome, without.plan) == (Outcome.INCOMPLETE, None)
    nobody = safe_plan(HOUSE, KITCHEN, [], scope=replace(scope, objects=frozenset({"cup"})))
    assert nobody.outcome is Outcome.INCOMPLETE


class Unsure:
    """An engine that ends without a plan and without a proof, and keeps what it was asked."""

    name = "unsure"
    version = "1"

    def __init__(self) -> None:
        self.asked: list[tuple[Domain, Problem]] = []

    def solve(self, domain: Domain, problem: Problem, **_limits: object) -> PlanningResult:
        self.asked.append((domain, problem))
        return PlanningResult.of(self, Outcome.INCOMPLETE, "nothing was found")


def test_rules_that_no_plan_broke_are_added_where_nothing_is_found_without_them() -> None:
    names = names_of(HOUSE, KITCHEN)
    rule = parse_formula("G !warm(lamp)", vocabulary=names)
    rounds = {}
    scope = Scope(frozenset(KITCHEN.objects), frozenset(HOUSE.operators))
    for name, rules, within in (
        ("none", [], None),
        ("one", [rule], None),
        ("scope", [rule], scope),
    ):
        engine = Unsure()
        found = safe_plan(HOUSE, KITCHEN, rules, engine=engine, scope=within)
        assert found.outcome is Outcome.INCOMPLETE
        rounds[name] = len(engine.asked)
    assert rounds == {"none": 1, "one": 2, "scope": 1}
