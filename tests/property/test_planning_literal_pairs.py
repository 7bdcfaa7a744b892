"""Pairs of literals that may be true together, against their definition."""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from random import Random

import pytest
from strategies_planning import random_task, task_of_switches

from eai.logic import And, Atom, Formula, Not, conjuncts
from eai.pddl import Domain, parse_domain, parse_problem
from eai.planning import Limits, ground
from eai.planning.conditions import Condition, holds
from eai.planning.pairs import LiteralPairs, close_by_pairs
from eai.planning.task import GroundTask
from eai.world.bits import bits

Pair = frozenset[int]


def _defined_pairs(task: GroundTask) -> set[Pair]:
    """Return all pairs by Haslum & Geffner 2000: the least set that every action keeps.

    An action with a condition that is a conjunction keeps a pair possible that it makes true, or
    of which it makes one true and leaves the other as it is.
    """
    pairs = {frozenset(pair) for pair in combinations_with_replacement(bits(task.initial), 2)}
    literals = range(2 * len(task.atoms))
    while True:
        new = set[Pair]()
        for action in task.actions:
            needed, effect = list(bits(action.condition.every)), list(bits(action.effect))
            if not {frozenset(p) for p in combinations_with_replacement(needed, 2)} <= pairs:
                continue
            for one, other in combinations_with_replacement(literals, 2):
                sides = [side for side in (one, other) if side not in effect]
                if len(sides) == 2 or any(side ^ 1 in effect for side in sides):
                    continue
                before = product(sides, [*needed, *sides])
                if {frozenset(pair) for pair in before} <= pairs:
                    new.add(frozenset((one, other)))
        if new <= pairs:
            return pairs
        pairs |= new


def _pairs_of(task: GroundTask) -> LiteralPairs:
    pairs = LiteralPairs(task, Limits())
    while not pairs.are_complete:
        for _ in pairs.extend_by_all_actions():
            pass
    return pairs


def _reachable(task: GroundTask) -> set[int]:
    seen, pending = {task.initial}, [task.initial]
    while pending:
        state = pending.pop()
        for action in task.actions:
            after = task.successor(state, action) if holds(action.condition, state) else state
            if after not in seen:
                seen.add(after)
                pending.append(after)
    return seen


@pytest.mark.parametrize("seed", range(80))
def test_pairs_are_the_least_set_that_every_action_keeps(seed: int) -> None:
    task = ground(*task_of_switches(Random(seed)), whole=True)
    pairs, found = _pairs_of(task), set[Pair]()
    for literal in bits(pairs.reached):
        partners = pairs.possible_with(Condition(1 << literal), pairs.reached)
        assert partners is not None
        found |= {frozenset((literal, partner)) for partner in bits(partners)}
    assert found == _defined_pairs(task)


@pytest.mark.parametrize("seed", range(40))
def test_what_is_true_together_in_a_reachable_state_is_a_pair(seed: int) -> None:
    """Also of actions with effects under conditions, and of conditions with alternatives."""
    domain, problem = random_task(Random(f"pairs {seed}"))
    task = ground(_without_rules(domain), problem)
    if not task.reachable:
        return
    pairs = _pairs_of(task)
    for state in _reachable(task):
        conditions = [Condition(state)]
        conditions += [a.condition for a in task.actions if holds(a.condition, state)]
        for condition in conditions:
            possible = pairs.possible_with(condition, pairs.reached)
            assert possible is not None
            assert not state & ~possible


def _without_rules(domain: Domain) -> Domain:
    return Domain(
        domain.name,
        predicates=domain.predicates,
        functions=domain.functions,
        operators=domain.operators,
    )


@pytest.mark.parametrize("seed", range(40))
def test_a_closed_goal_holds_in_the_same_reachable_states(seed: int) -> None:
    domain, problem = task_of_switches(Random(f"closed {seed}"))
    task = ground(domain, problem, whole=True)
    states = _reachable(task)
    defined = _defined_pairs(task)
    atoms: dict[Formula, int] = {atom: number for number, atom in enumerate(task.atoms)}
    goals = [And((Not(atom),)) for atom in atoms] + [And((atom,)) for atom in atoms]
    closed = close_by_pairs(domain, problem, goals, Limits().meter)
    assert closed is not None
    for goal, formula in zip(goals, closed, strict=True):
        (wanted,) = _literals(And((goal,)), atoms)
        literals = _literals(formula, atoms)
        assert {s for s in states if s >> wanted & 1} == {
            s for s in states if all(s >> literal & 1 for literal in literals)
        }
        if frozenset((wanted,)) not in defined:
            assert literals == set(range(2 * len(atoms)))  # it is never true
            continue
        # What excludes the opposite of a literal implies it.
        for literal in range(2 * len(atoms)):
            if frozenset((wanted, literal ^ 1)) not in defined:
                assert literal in literals


def _literals(formula: Formula, atoms: dict[Formula, int]) -> set[int]:
    """Return the literals of a conjunction that actions can change."""
    literals = set()
    for part in conjuncts(formula):
        is_denied = isinstance(part, Not)
        atom = part.operands[0] if is_denied else part
        if atom in atoms:
            literals.add(2 * atoms[atom] + is_denied)
    return literals


def test_facts_that_never_change_are_true_or_make_a_goal_impossible() -> None:
    domain = parse_domain("""(define (domain d) (:predicates (p) (q) (fixed) (missing))
      (:action a :parameters () :precondition (fixed) :effect (p))
      (:action b :parameters () :precondition (missing) :effect (q)))""")
    text = "(define (problem x) (:domain d) (:init (fixed)) (:goal (p)))"
    problem = parse_problem(text, domain=domain)
    p, fixed, missing = Atom("p"), Atom("fixed"), Atom("missing")
    goals = [
        And((p,)),
        And((p, fixed)),
        And((p, Not(missing))),
        And((p, missing)),
        And((p, Not(fixed))),
    ]
    closed = close_by_pairs(domain, problem, goals, Limits().meter)
    assert closed is not None
    assert closed[0] == closed[1] == closed[2]
    assert closed[3] == closed[4]
    assert {*conjuncts(closed[0])} == {p, fixed}
    assert {*conjuncts(closed[3])} == {p, Not(p), fixed}


class NotingLimits(Limits):
    """No limits, and the masks that count as memory."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[int] = []

    def keep(self, mask: int) -> None:
        self.kept.append(mask)


def test_the_mask_of_partners_counts_as_memory_once_for_each_new_literal() -> None:
    domain = parse_domain("""(define (domain d) (:requirements :adl) (:predicates (p) (q) (r))
      (:action a :parameters () :precondition (p) :effect (q))
      (:action b :parameters () :precondition (q) :effect (r)))""")
    text = "(define (problem x) (:domain d) (:init (p)) (:goal (r)))"
    task = ground(domain, parse_problem(text, domain=domain))
    limits = NotingLimits()
    pairs = LiteralPairs(task, limits)
    while not pairs.are_complete:
        list(pairs.extend_by_all_actions())
    new_literals = pairs.reached & ~task.initial
    assert len(limits.kept) == new_literals.bit_count() == 2
