"""What prompts leave out can never happen, whatever is done from the start."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest
from reachable_states import STARTS, YARD, formula, ground_actions, reachable, state
from strategies_planning import task_of_switches

from eai.abilities.possible import Possible, possible_from
from eai.logic import FALSE, Atom, Formula, Variable
from eai.pddl import parse_domain
from eai.world import World

EMPTY = "fixed saw"
"""Nothing is sharp here, so nothing is ever cut."""


@pytest.mark.parametrize("facts", [*STARTS, EMPTY])
def test_actions_and_effects_that_are_left_out_never_happen(facts: str) -> None:
    possible, states = Possible(state(facts)), reachable(facts)
    done = {
        name
        for each in states
        for name, numbers in ground_actions()
        if YARD.first_failure(each, name, numbers) < 0
    }
    left_out = set()
    for name, operator in YARD.domain.operators.items():
        found = possible.operator(operator)
        if found is None:
            assert name not in done
            left_out.add(name)
            continue
        # What is left of its precondition says the same as all of it.
        named = [each.name for each in operator.parameters]
        for each in states[:60]:
            for other, numbers in ground_actions():
                if other == name:
                    arguments = [each.universe.names[number] for number in numbers]
                    left = found.precondition.substitute(dict(zip(named, arguments, strict=True)))
                    assert YARD.holds(each, left) is (YARD.first_failure(each, name, numbers) < 0)
        kept = {(clause.atom.predicate, clause.added) for clause in possible.effects(found)}
        for each in states[:200]:
            for other, numbers in ground_actions():
                if other == name and YARD.first_failure(each, name, numbers) < 0:
                    after = each.copy()
                    changes = YARD.apply(after, name, numbers)
                    changed = {(YARD.layout.names[p], value) for p, _, _, _, value in changes}
                    assert changed <= kept
    assert ("cut" in left_out) is (facts == EMPTY or "sharp" not in facts)


@pytest.mark.parametrize("facts", [*STARTS, EMPTY])
def test_a_simplified_condition_is_true_in_the_same_states(facts: str) -> None:
    possible, states = Possible(state(facts)), reachable(facts)
    simpler = 0
    for text in (
        "cut(box)",
        "not cut(box)",
        "sharp(saw)",
        "cut(box) and lit()",
        "cut(box) or lit()",
        "not (cut(box) or lit())",
        "exists x - thing. (sharp(x) and cut(x))",
        "forall x - thing. (not sharp(x) or cut(x))",
        "exists x - thing. (in(x, can))",
        "ready() or held(robot, can)",
        "tidy(box) and dry_all()",
        "not full(robot)",
    ):
        condition = formula(text)
        found = possible.simplified(condition)
        simpler += found != condition
        for each in states[:150]:
            assert YARD.holds(each, found) is YARD.holds(each, condition), text
    assert simpler or facts != EMPTY


def test_what_can_never_hold_is_false_and_what_always_does_is_left_out() -> None:
    possible = Possible(state(EMPTY))
    assert possible.simplified(formula("cut(box)")) == FALSE
    assert possible.simplified(formula("cut(box) and lit()")) == FALSE
    assert possible.simplified(formula("cut(box) or lit()")) == formula("lit()")
    assert possible.simplified(formula("not cut(box) and lit()")) == formula("lit()")
    assert possible.simplified(formula("lit()")) == formula("lit()")


def test_derived_predicates_grow_with_what_they_are_made_of() -> None:
    """Only what actions can bring about comes up in rules, however many steps that takes."""
    possible = Possible(state("sharp saw"))
    for name in ("full", "tidy", "dry_all", "ready"):
        variables = tuple(
            Variable(f"v{at}", each.types)
            for at, each in enumerate(YARD.domain.predicates[name].parameters)
        )
        atom: Formula = Atom(name, variables)
        assert possible.simplified(atom) != FALSE


def test_each_effect_is_kept_or_left_out_for_itself() -> None:
    effects = [
        "(when (never) (lit))",
        "(open)",
        "(not (never))",
        "(when (not (never)) (not (open)))",
        "(when (and (open) (never)) (not (lit)))",
    ]
    happens = {1: ("open", True), 3: ("open", False)}
    for order in permutations(range(len(effects))):
        domain = parse_domain(f"""(define (domain room) (:requirements :adl)
            (:predicates (lit) (open) (never))
            (:action do :parameters () :effect (and {" ".join(effects[at] for at in order)})))""")
        possible = Possible(World(domain).state({}, []))
        clauses = possible.effects(domain.operators["do"])
        kept = [(clause.atom.predicate, clause.added) for clause in clauses]
        assert kept == [happens[at] for at in order if at in happens]


@pytest.mark.parametrize("seed", range(60))
def test_without_objects_nothing_is_left_out_that_happens(seed: int) -> None:
    domain, problem = task_of_switches(Random(seed))
    world = World(domain)
    start = world.state({}, problem.initial)
    possible = Possible(start)
    states, waiting = {frozenset(start.facts())}, [start]
    while waiting:
        before = waiting.pop()
        for name, operator in domain.operators.items():
            if world.first_failure(before, name, ()) >= 0:
                continue
            after = before.copy()
            changes = world.apply(after, name, ())
            left = possible.operator(operator)
            assert left is not None
            kept = {(clause.atom.predicate, clause.added) for clause in possible.effects(left)}
            assert {(world.layout.names[p], value) for p, _, _, _, value in changes} <= kept
            if frozenset(after.facts()) not in states:
                states.add(frozenset(after.facts()))
                waiting.append(after)


def test_equal_starts_share_what_is_possible_and_changed_ones_do_not() -> None:
    start = state(STARTS[0])
    first = possible_from(start)
    assert possible_from(state(STARTS[0])) is first
    for predicate, numbers in list(start.facts()):
        start.remove(predicate, [start.universe.names[number] for number in numbers])
    second = possible_from(start)
    assert second is not first
    assert possible_from(state(STARTS[0])) is first
    assert possible_from(start) is second


def test_what_is_said_of_actions_is_computed_once_for_equal_starts() -> None:
    computed: list[int] = []

    def compute() -> int:
        computed.append(len(computed))
        return len(computed)

    first, other = possible_from(state(STARTS[0])), possible_from(state(STARTS[1]))
    key = "a key of this test", 1
    assert first.once(key, compute) == possible_from(state(STARTS[0])).once(key, compute) == 1
    assert other.once(key, compute) == 2
    # Both begin in one domain, and some results depend on nothing else.
    assert first.once_for_domain(key, compute) == other.once_for_domain(key, compute) == 3
    assert len(computed) == 3
