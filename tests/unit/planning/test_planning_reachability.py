"""Facts that can be reached, and actions that static facts allow, are those of their definition."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from unittest.mock import patch

import pytest

from eai.logic import Atom, Variable, conjuncts
from eai.pddl import Domain, Operator, Problem, clauses, parse_domain, parse_problem
from eai.planning.lifting import Vocabulary
from eai.planning.reachability import reachable
from eai.planning.schemas import _MIN_IN_OCTETS, _mask, instances

DOMAIN = """
(define (domain towns)
  (:types town truck - object city - town ghost - truck)
  (:constants hub c d - city a b - town x y - truck)
  (:predicates (road ?a ?b - town) (toll ?a ?b ?c - town) (at ?t - truck ?p - town)
    (paid ?t - truck) (open) (seen ?p - town) (pair ?a ?b - town))
  {actions})
"""
PROBLEM = """
(define (problem p) (:domain towns)
  (:init (road a b) (road b c) (road c c) (road d a) (toll a b c) (toll b c hub) (toll a a a)
    (at x a) (at y hub) {facts})
  (:goal (open)))
"""
ACTIONS = {
    "a step along a road": """
      (:action go :parameters (?t - truck ?a ?b - town)
        :precondition (and (at ?t ?a) (road ?a ?b)) :effect (and (at ?t ?b) (not (at ?t ?a))))""",
    "a loop": """
      (:action turn :parameters (?t - truck ?a - town)
        :precondition (and (at ?t ?a) (road ?a ?a)) :effect (seen ?a))
      (:action go :parameters (?t - truck ?a ?b - town)
        :precondition (and (at ?t ?a) (road ?a ?b)) :effect (at ?t ?b))""",
    "a parameter that nothing binds": """
      (:action pay :parameters (?t - truck ?p - city) :precondition (at ?t a) :effect (seen ?p))
      (:action look :parameters (?a ?b - city) :precondition (seen ?a) :effect (pair ?a ?b))""",
    "a parameter without objects": """
      (:action haunt :parameters (?g - ghost ?p - town) :precondition (at x ?p)
        :effect (seen ?p))""",
    "a constant": """
      (:action fly :parameters (?t - truck) :precondition (at ?t hub)
        :effect (and (at ?t d) (paid ?t)))
      (:action ring :parameters () :precondition (paid y) :effect (open))""",
    "no condition": """
      (:action ring :parameters (?p - city) :precondition ()
        :effect (and (open) (seen ?p)))""",
    "facts of three objects": """
      (:action toll :parameters (?t - truck ?a ?b ?c - town)
        :precondition (and (at ?t ?a) (toll ?a ?b ?c)) :effect (and (at ?t ?c) (pair ?b ?c)))""",
    "effects under conditions": """
      (:action go :parameters (?t - truck ?b - town) :precondition (not (open))
        :effect (and (when (at ?t a) (seen ?b))
          (forall (?a - town) (when (and (at ?t ?a) (road ?a ?b)) (pair ?a ?b)))))""",
    "two facts that change": """
      (:action meet :parameters (?t ?u - truck ?a ?b - town)
        :precondition (and (at ?t ?a) (at ?u ?b)) :effect (pair ?a ?b))
      (:action mark :parameters (?a ?b - town)
        :precondition (and (pair ?a ?b) (pair ?b ?a) (road ?b c)) :effect (seen ?a))""",
    "additions that were reached before": """
      (:action go :parameters (?t - truck ?a ?b - town)
        :precondition (and (at ?t ?a) (road ?a ?b)) :effect (at ?t ?b))
      (:action mark :parameters (?t - truck ?a ?b - town)
        :precondition (and (at ?t ?a) (road ?a ?b) (road ?b ?b)) :effect (seen ?a))
      (:action ring :parameters (?a ?b - town)
        :precondition (and (seen ?a) (road ?b ?b)) :effect (open))""",
    "types that rule out": """
      (:action go :parameters (?t - truck ?a - town ?b - city)
        :precondition (and (at ?t ?a) (road ?a ?b)) :effect (at ?t ?b))
      (:action cross :parameters (?t - truck ?a - city) :precondition (at ?t ?a)
        :effect (seen ?a))""",
}

MORE_FACTS = "(at x d) (road d d) (at y c) (pair c b)"
WORK = {
    "a step along a road": (14, 24),
    "a loop": (21, 36),
    "a parameter that nothing binds": (32, 33),
    "a parameter without objects": (0, 0),
    "a constant": (12, 16),
    "no condition": (9, 9),
    "facts of three objects": (14, 19),
    "effects under conditions": (17, 29),
    "two facts that change": (22, 108),
    "additions that were reached before": (34, 52),
    "types that rule out": (9, 24),
}
"""Instances that are counted for each kind of action, without and with more facts."""


def task(actions: str, facts: str = "") -> tuple[Domain, Problem]:
    domain = parse_domain(DOMAIN.format(actions=actions))
    return domain, parse_problem(PROBLEM.format(facts=facts), domain=domain)


def vocabulary_of(domain: Domain, problem: Problem, counted: list[int]) -> Vocabulary:
    changing = {
        clause.atom.predicate
        for operator in domain.operators.values()
        for clause in clauses(operator.effect)
    }
    return Vocabulary(
        {**domain.constants, **problem.objects},
        domain.types,
        fluents=frozenset(changing),
        facts=problem.initial,
        count=counted.append,
    )


def every_binding(
    variables: tuple[Variable, ...], vocabulary: Vocabulary
) -> Iterator[dict[str, str]]:
    ranges = [vocabulary.objects(variable.types) for variable in variables]
    for names in product(*ranges):
        yield {v.name: name for v, name in zip(variables, names, strict=True)}


def ground(atom: Atom, binding: dict[str, str]) -> tuple[str, tuple[str, ...]]:
    terms = [binding[t.name] if isinstance(t, Variable) else str(t) for t in atom.terms]
    return atom.predicate, tuple(terms)


def relaxed(domain: Domain, problem: Problem, vocabulary: Vocabulary) -> set[tuple[str, object]]:
    """Return all facts that are reached if nothing is deleted, by trying every action."""
    facts = {ground(atom, {}) for atom in problem.initial}
    before = -1
    while before < len(facts):
        before = len(facts)
        for operator in domain.operators.values():
            for clause in clauses(operator.effect, [v.name for v in operator.parameters]):
                needed = [*conjuncts(operator.precondition), *conjuncts(clause.condition)]
                atoms = [part for part in needed if isinstance(part, Atom)]
                for binding in every_binding((*operator.parameters, *clause.variables), vocabulary):
                    if clause.added and all(ground(atom, binding) in facts for atom in atoms):
                        facts.add(ground(clause.atom, binding))
    return {fact for fact in facts if fact[0] in vocabulary.fluents}


@pytest.mark.parametrize("name", ACTIONS)
@pytest.mark.parametrize("facts", ["", MORE_FACTS])
def test_facts_are_reached_that_actions_without_deletions_reach(name: str, facts: str) -> None:
    domain, problem = task(ACTIONS[name], facts)
    counted: list[int] = []
    vocabulary = vocabulary_of(domain, problem, counted)
    with patch("eai.planning.reachability._FEW_BINDINGS", 0):
        found = reachable(domain.operators.values(), vocabulary, ())
    rows = {(predicate, row) for predicate, own in found.items() for row in own}
    assert rows == relaxed(domain, problem, vocabulary)
    # No join is made twice, nor for additions that were reached before.
    assert sum(counted) == WORK[name][bool(facts)]


def test_few_actions_are_not_looked_at_beforehand() -> None:
    domain, problem = task(ACTIONS["no condition"])
    operators, vocabulary = domain.operators.values(), vocabulary_of(domain, problem, [])
    number = sum(len(list(instances(each, vocabulary))) for each in operators)
    assert number == 3
    for few, is_looked_at in ((number - 1, True), (number, True), (number + 1, False)):
        with patch("eai.planning.reachability._FEW_BINDINGS", few):
            assert bool(reachable(operators, vocabulary, ())) is is_looked_at


def test_what_rules_make_true_is_not_asked_for_and_not_found() -> None:
    domain, problem = task("""
      (:derived (seen ?p - town) (at x ?p))
      (:action go :parameters (?t - truck ?a ?b - town)
        :precondition (and (at ?t ?a) (road ?a ?b) (seen ?b)) :effect (at ?t ?b))""")
    vocabulary = vocabulary_of(domain, problem, [])
    vocabulary.fluents |= {"seen"}
    with patch("eai.planning.reachability._FEW_BINDINGS", 0):
        found = reachable(domain.operators.values(), vocabulary, ("seen",))
    towns = ("a", "b", "c")
    assert found == {"at": {("y", "hub"), *(("x", town) for town in towns)}}


def allowed(operator: Operator, vocabulary: Vocabulary) -> set[tuple[str, ...]]:
    """Return the arguments of an operator that no static fact rules out."""
    static = [
        part
        for part in conjuncts(operator.precondition)
        if isinstance(part, Atom) and part.predicate not in vocabulary.fluents
    ]
    return {
        tuple(binding.values())
        for binding in every_binding(operator.parameters, vocabulary)
        if all(
            ground(atom, binding)[1] in vocabulary.static.get(atom.predicate, set())
            for atom in static
        )
    }


CONDITIONS = [
    "(road ?a ?b)",
    "(and (road ?a ?b) (road ?b ?c))",
    "(and (road ?a ?b) (road ?c ?c))",
    "(and (toll ?a ?b ?c) (road ?a ?b))",
    "(and (toll ?a ?b ?c) (road ?b ?b))",
    "(toll ?a ?a ?b)",
    "(toll ?a b ?c)",
    "(and (road d ?a) (road ?a ?c))",
    "(and (road ?a ?b) (not (road ?b ?c)))",
    "(or (road ?a ?b) (road ?b ?c))",
    "(and (seen ?a) (road ?a ?b))",
    "(and (pair ?a ?b) (road a b))",
    "(and (pair ?a ?b) (road b a))",
    "()",
]


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("types", ["town", "city", "object"])
def test_instances_are_those_that_static_facts_allow(condition: str, types: str) -> None:
    action = f"(:action act :parameters (?a ?b - town ?c - {types}) :precondition {condition}"
    domain, problem = task(f"{action} :effect (open))")
    vocabulary = vocabulary_of(domain, problem, [])
    operator = domain.operators["act"]
    found = [tuple(binding[:3]) for binding in instances(operator, vocabulary)]
    assert len(found) == len(set(found))
    expected = allowed(operator, vocabulary)
    if condition != "(and (pair ?a ?b) (road b a))":  # asked for when a parameter is bound
        assert set(found) == expected
    else:
        assert expected == set()


@pytest.mark.parametrize("count", [1, _MIN_IN_OCTETS - 1, _MIN_IN_OCTETS, 40])
def test_a_mask_has_a_bit_for_each_place(count: int) -> None:
    places = [7 * place % 101 for place in range(count)]
    assert _mask(places) == sum(1 << place for place in set(places))
