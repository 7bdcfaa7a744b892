"""Hypothesis strategies for planning: small tasks in which actions build on each other."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from eai.logic import And, Atom, Exists, Forall, Formula, Implies, Not, Or, Variable
from eai.pddl import (
    MINIMAL_COST,
    AddEffect,
    AndEffect,
    Axiom,
    CostEffect,
    DeleteEffect,
    Domain,
    Effect,
    ForallEffect,
    Function,
    Operator,
    Predicate,
    Problem,
    WhenEffect,
    parse_domain,
    parse_problem,
)

__all__ = ["planning_tasks", "random_task", "task_of_switches"]

_X, _Y, _Z = Variable("x"), Variable("y"), Variable("z")
_STORED = {"at": 1, "lit": 1, "kept": 1, "road": 2, "tied": 2}
_OBJECTS = ("a", "b", "c")


def planning_tasks() -> st.SearchStrategy[tuple[Domain, Problem]]:
    """Domains with a problem each; about half of them need some steps."""
    return st.randoms(use_true_random=False).map(random_task)


def random_task(random: Random) -> tuple[Domain, Problem]:
    """Make a task by throwing dice."""
    operators = {f"op{i}": _operator(random, f"op{i}") for i in range(random.randint(3, 5))}
    derived = {"linked": 2, "dull": 1}
    arities = {**_STORED, **derived}
    domain = Domain(
        "random",
        predicates={n: Predicate(n, (_X, _Y)[:arity]) for n, arity in arities.items()},
        functions={"total-cost": Function("total-cost")},
        axioms=(
            Axiom(Atom("linked", (_X, _Y)), Atom("tied", (_X, _Y))),
            Axiom(
                Atom("linked", (_X, _Y)),
                Exists((_Z,), Atom("tied", (_X, _Z)) & Atom("linked", (_Z, _Y))),
            ),
            Axiom(Atom("dull", (_X,)), ~Exists((_Y,), Atom("linked", (_X, _Y)))),
        ),
        operators=operators,
    )
    objects = _OBJECTS[: random.choice([2, 2, 3])]
    facts = {_ground(random, objects) for _ in range(random.randint(2, 6))}
    goal = And(tuple(_literal(random, objects) for _ in range(random.randint(1, 3))))
    return domain, Problem(
        "random",
        "random",
        objects=dict.fromkeys(objects, "object"),
        initial=tuple(sorted(facts, key=repr)),
        goal=goal,
        metric=MINIMAL_COST if random.random() < 0.5 else None,
    )


def _ground(random: Random, objects: tuple[str, ...]) -> Atom:
    name = random.choice(sorted(_STORED))
    return Atom(name, tuple(random.choice(objects) for _ in range(_STORED[name])))


def _literal(random: Random, terms: tuple[str | Variable, ...]) -> Formula:
    name = random.choice([*sorted(_STORED), "linked", "dull"])
    arity = _STORED.get(name, 2 if name == "linked" else 1)
    atom = Atom(name, tuple(random.choice(terms) for _ in range(arity)))
    return atom if random.random() < 0.7 else Not(atom)


def _condition(random: Random, terms: tuple[str | Variable, ...]) -> Formula:
    one, other = _literal(random, terms), _literal(random, terms)
    inner = _literal(random, (*terms, _Z, _Z))
    return random.choice(
        [
            one,
            one,
            And((one, other)),
            Or((one, other)),
            Or((And((one, Not(other))), Not(one))),
            Exists((_Z,), inner),
            Forall((_Z,), Implies(inner, other)),
        ]
    )


def _operator(random: Random, name: str) -> Operator:
    parameters = (_X, _Y)[: random.randint(1, 2)]
    effects = [_effect(random, parameters) for _ in range(random.randint(1, 3))]
    effects.append(CostEffect(float(random.randint(0, 3))))
    return Operator(name, parameters, _condition(random, parameters), AndEffect(tuple(effects)))


def _effect(random: Random, terms: tuple[Variable, ...]) -> Effect:
    kind = random.choice(["plain", "plain", "plain", "when", "forall"])
    if kind == "forall":
        body = WhenEffect(_literal(random, (*terms, _Z)), _change(random, (*terms, _Z, _Z)))
        return ForallEffect((_Z,), body)
    if kind == "when":
        return WhenEffect(_condition(random, terms), _change(random, terms))
    return _change(random, terms)


def _change(random: Random, terms: tuple[Variable, ...]) -> Effect:
    name = random.choice(sorted(_STORED))
    atom = Atom(name, tuple(random.choice(terms) for _ in range(_STORED[name])))
    return AddEffect(atom) if random.random() < 0.65 else DeleteEffect(atom)


SWITCHES = 4
"""Number of facts in a task of switches."""


def task_of_switches(random: Random) -> tuple[Domain, Problem]:
    """Make a task without any object: facts without arguments, and actions that change them."""

    def literals(count: int, sign: float) -> str:
        chosen = random.sample(range(SWITCHES), count)
        return " ".join(f"(p{i})" if random.random() < sign else f"(not (p{i}))" for i in chosen)

    actions = []
    for number in range(5):
        needed, changed = literals(random.randint(1, 2), 0.7), literals(random.randint(1, 2), 0.6)
        actions.append(
            f"(:action a{number} :parameters () :precondition (and {needed})"
            f" :effect (and {changed}))"
        )
    predicates = " ".join(f"(p{i})" for i in range(SWITCHES))
    domain = parse_domain(
        "(define (domain switches) (:requirements :negative-preconditions)"
        f" (:predicates {predicates}) {' '.join(actions)})"
    )
    initial = " ".join(f"(p{i})" for i in range(SWITCHES) if random.random() < 0.4)
    goal = literals(random.randint(1, 2), 0.8)
    text = f"(define (problem p) (:domain switches) (:init {initial}) (:goal (and {goal})))"
    return domain, parse_problem(text, domain=domain)
