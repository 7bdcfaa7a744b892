"""Domains are told apart as by a walk through both at once, and renamed ones are the same."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf
from random import Random

import pytest
from strategies_planning import random_task
from strategies_world import random_scene
from world_distances import WorldDistances, facts_of

from eai.logic import TRUE, Atom, Count, Exists, Formula, Not, Variable
from eai.pddl import (
    AndEffect,
    Clause,
    Domain,
    Operator,
    Problem,
    clauses,
    format_domain,
    parse_domain,
)
from eai.planning import DomainWitness, equivalent_domains, in_names_of, validate

SEEDS = 16
"""Number of random domains of each kind."""

MAX_STATES = 60
"""Maximum number of pairs of states that are walked through."""

# Alterations of a domain that keep its names.


def _clauses(operator: Operator) -> list[Clause]:
    return list(clauses(operator.effect, [variable.name for variable in operator.parameters]))


def _with_effects(operator: Operator, changed: Sequence[Clause]) -> Operator:
    return replace(operator, effect=AndEffect(tuple(clause.effect for clause in changed)))


def _with_denied_leaf(formula: Formula, random: Random) -> Formula:
    """Return a formula with a negation before one of its atoms."""
    leaves = [node for node in formula.walk() if isinstance(node, Atom)]
    if not leaves:
        return Not(formula)
    chosen = random.choice(leaves)
    return formula.map_leaves(lambda leaf: Not(leaf) if leaf is chosen else leaf)


def _altered_operator(operator: Operator, random: Random) -> Operator:
    changed = _clauses(operator)
    kind = random.choice(["condition", "condition", "drop", "flip", "range", "order"])
    if kind == "condition" or not changed:
        return replace(operator, precondition=_with_denied_leaf(operator.precondition, random))
    position = random.randrange(len(changed))
    if kind == "drop":
        del changed[position]
    elif kind == "flip":
        changed[position] = changed[position]._replace(added=not changed[position].added)
    elif kind == "range" and operator.parameters:
        return _with_wider_range(operator)
    else:
        changed.reverse()  # the order of effects says nothing
    return _with_effects(operator, changed)


def _with_wider_range(operator: Operator) -> Operator:
    """Return an operator whose last parameter may be any object."""
    last = operator.parameters[-1]
    wide = {last.name: Variable(last.name, ("object",))}
    changed = []
    for clause in _clauses(operator):
        if any(variable.name == last.name for variable in clause.variables):
            changed.append(clause)
            continue
        condition, atom = clause.condition.substitute(wide), clause.atom.substitute(wide)
        assert isinstance(atom, Atom)
        changed.append(clause._replace(condition=condition, atom=atom))
    parameters = (*operator.parameters[:-1], wide[last.name])
    condition = operator.precondition.substitute(wide)
    return _with_effects(replace(operator, parameters=parameters, precondition=condition), changed)


def _altered(domain: Domain, random: Random) -> Domain:
    if domain.axioms and random.random() < 0.3:
        rules = list(domain.axioms)
        del rules[random.randrange(len(rules))]
        heads = {rule.head.predicate for rule in rules}
        if heads == {rule.head.predicate for rule in domain.axioms}:
            return replace(domain, axioms=tuple(rules))
    name = random.choice(sorted(domain.operators))
    operator = _altered_operator(domain.operators[name], random)
    return replace(domain, operators={**domain.operators, name: operator})


# The definition: the shortest plan at whose end the domains differ.


def _shared(first: Domain, second: Domain) -> set[str]:
    """Return the predicates whose facts both domains state."""
    return {name for name in first.predicates if name in second.predicates} - (
        first.derived | second.derived
    )


def _difference(first: Domain, second: Domain, problem: Problem) -> float | None:
    """Return the length of a shortest plan that tells domains apart; None if there is none.

    Infinite if there are too many states to say so.
    """
    sides = WorldDistances(first, problem), WorldDistances(second, problem)
    shared = _shared(first, second)
    names = {node.predicate for node in problem.goal.walk() if isinstance(node, Atom)}
    actions = list(dict.fromkeys((*sides[0].actions, *sides[1].actions)))
    start = sides[0].start, sides[1].start
    pending = deque([(start, 0)])
    seen = {tuple(map(facts_of, start))}
    while pending:
        states, length = pending.popleft()
        goals = [w.world.holds(s, problem.goal) for w, s in zip(sides, states, strict=True)]
        if goals[0] != goals[1] and not names <= shared:
            return length
        for action in actions:
            after = [
                side.after(state, *action) if action in side.actions else None
                for side, state in zip(sides, states, strict=True)
            ]
            facts = [frozenset() if state is None else facts_of(state) for state in after]
            is_same = all(atom.predicate not in shared for atom in facts[0] ^ facts[1])
            if after.count(None) == 1 or not is_same:
                return length + 1
            if after[0] is None or after[1] is None or tuple(facts) in seen:
                continue
            if len(seen) == MAX_STATES:
                return inf
            seen.add(tuple(facts))
            pending.append(((after[0], after[1]), length + 1))
    return None


def _is_shown(first: Domain, second: Domain, witness: DomainWitness) -> bool:
    """Return whether a plan is valid in the domain that its witness names, and there only."""
    valid = [validate(domain, witness.problem, witness.plan).valid for domain in (first, second)]
    return valid == [witness.works_in == "first", witness.works_in == "second"]


def _random_problem(random: Random, kind: str) -> tuple[Domain, Problem]:
    if kind == "untyped":
        return random_task(random)
    scene = random_scene(random)
    while any(isinstance(node, Count) for node in _formulas(scene.domain)):
        scene = random_scene(random)  # PDDL has no word for it
    derived = sorted(scene.domain.derived)
    goal: Formula = TRUE
    if derived:
        predicate = scene.domain.predicates[random.choice(derived)]
        goal = Exists(predicate.parameters, Atom(predicate.name, predicate.parameters))
    return scene.domain, Problem("typed", "small", scene.objects, scene.facts, goal)


@pytest.mark.parametrize("kind", ["untyped", "typed"])
@pytest.mark.parametrize("seed", range(SEEDS))
def test_altered_domains_are_told_apart_as_by_the_definition(seed: int, kind: str) -> None:
    random = Random(f"{seed} {kind}")
    first, problem = _random_problem(random, kind)
    second = _altered(first, random)
    expected = _difference(first, second, problem)
    found = equivalent_domains(first, second, [problem], states=MAX_STATES)
    assert dict(found.names.renamed()) == {}
    if found.witness is not None:
        assert _is_shown(first, second, found.witness)
        assert len(found.witness.plan) == expected
        assert found.verdict == "different"
    elif found.names.is_proof or expected is None:
        assert found.verdict == "equivalent"
        assert expected in (None, inf)
    else:
        assert (found.verdict, expected) == ("undecided", inf)


# Names.


def _formulas(domain: Domain) -> Iterator[Formula]:
    """Yield every part of the conditions of a domain."""
    for operator in domain.operators.values():
        yield from operator.precondition.walk()
        for clause in _clauses(operator):
            yield from clause.condition.walk()
            yield clause.atom
    for rule in domain.axioms:
        yield rule.head
        yield from rule.body.walk()


def _types_in_use(domain: Domain) -> set[str]:
    """Return the types of variables and constants, and those above them, but the root."""
    variables = [v for node in _formulas(domain) for v in (*node.variables, *node.terms)]
    for operator in domain.operators.values():
        variables += operator.parameters
        for clause in _clauses(operator):
            variables += clause.variables
    pending = [*domain.constants.values()]
    for variable in variables:
        if isinstance(variable, Variable):
            pending += variable.types
    used = set[str]()
    while pending:
        kind = pending.pop()
        if kind not in used | {"object"}:
            used.add(kind)
            pending.append(domain.types.get(kind, "object"))
    return used


def _renamed(domain: Domain, random: Random) -> Domain:
    """Return a domain with other names, and with its parameters in another order."""
    operators = {}
    for operator in domain.operators.values():
        parameters = tuple(random.sample(operator.parameters, len(operator.parameters)))
        operators[operator.name] = replace(operator, parameters=parameters)
    text = format_domain(replace(domain, operators=operators))
    symbol = re.compile(r"[\w?:-]+")
    # What is declared only is matched by its spelling, so it keeps its name.
    used = {node.predicate for node in _formulas(domain) if isinstance(node, Atom)}
    used |= _types_in_use(domain)
    names = [*sorted(used), *domain.constants, *domain.operators]
    new_names = random.sample([f"n{number}" for number in range(len(names))], len(names))
    by_name = dict(zip(names, new_names, strict=True))
    text = symbol.sub(lambda match: by_name.get(match[0], match[0]), text)
    return parse_domain(text)


@pytest.mark.parametrize("kind", ["untyped", "typed"])
@pytest.mark.parametrize("seed", range(SEEDS))
def test_renamed_domains_are_the_same_under_the_names_that_are_found(seed: int, kind: str) -> None:
    random = Random(f"{seed} {kind} renamed")
    first, problem = _random_problem(random, kind)
    first = parse_domain(format_domain(first))
    second = _renamed(first, random)
    found = equivalent_domains(first, second)
    assert found.verdict == "equivalent"
    assert found.names.is_proof
    again = in_names_of(first, second, found.names)
    assert again.types == first.types
    assert again.constants == first.constants
    assert {n: p.arity for n, p in again.predicates.items()} == {
        n: p.arity for n, p in first.predicates.items()
    }
    for name, operator in first.operators.items():
        types = [variable.types for variable in operator.parameters]
        assert [variable.types for variable in again.operators[name].parameters] == types
    assert _difference(first, again, problem) in (None, inf)


@pytest.mark.parametrize("kind", ["untyped", "typed"])
@pytest.mark.parametrize("seed", range(SEEDS))
def test_made_problems_tell_domains_apart(seed: int, kind: str) -> None:
    random = Random(f"{seed} {kind} made")
    first, problem = _random_problem(random, kind)
    second = _altered(first, random)
    found = equivalent_domains(first, second)
    if found.names.is_proof:
        assert _difference(first, second, problem) in (None, inf)
        return
    if found.witness is None:
        # No proof, but where reachable states differ after some step, made ones do, too.
        assert found.verdict == "undecided"
        assert _difference(first, second, problem) in (None, 0, inf)
        return
    assert found.is_made
    assert len(found.witness.plan) == 1
    assert _is_shown(first, second, found.witness)
