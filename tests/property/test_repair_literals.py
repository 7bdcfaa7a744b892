"""Of the literals that a repair has to bring about, one is true wherever the condition is."""

from __future__ import annotations

from itertools import product

import pytest
from causes_worlds import WORLD
from hypothesis import given, settings, strategies as st
from strategies_workshop import OBJECTS, formulas, some_atoms, truth

from eai.budget import Budget
from eai.logic import TRUE, Atom, Formula, parse_formula
from eai.pddl import parse_domain
from eai.planning import Target
from eai.planning.repair.landmarks import Disjunctions
from eai.planning.repair.task import RepairTask
from eai.world import State, World, changed_literals


def task_in(state: State, world: World = WORLD) -> RepairTask:
    """Return a task whose plan is empty: only what actions can bring about is asked of it."""
    return RepairTask(
        world,
        state,
        (),
        Target(((TRUE,),)),
        agent="robot",
        skip=True,
        meter=Budget.unlimited().meter(),
    )


@settings(max_examples=250)
@given(formulas, some_atoms, st.lists(some_atoms, min_size=12, max_size=12))
def test_one_of_the_literals_holds_wherever_the_condition_has_changed(
    formula: Formula, true: set[Atom], others: list[set[Atom]]
) -> None:
    state = WORLD.state(OBJECTS, true)
    task = task_in(state)
    want = not truth(formula, state)
    disjunctions = Disjunctions(task)
    assert disjunctions.landmark(formula, {}, state, not want) == frozenset()
    literals = disjunctions.landmark(formula, {}, state, want)
    for p, numbers, value in literals:
        assert state.test(p, numbers) is not value
        assert task.weight((p, numbers, value))
    for atoms in others:
        other = state.copy()
        for literal in changed_literals(
            state.changes_to(WORLD.state(OBJECTS, atoms)), WORLD.layout
        ):
            if task.weight(literal):
                other.put(*literal)
        if truth(formula, other) is want:
            assert any(other.test(p, numbers) is value for p, numbers, value in literals)


SEVERAL_RULES = World(
    parse_domain("""(define (domain lights) (:requirements :adl :derived-predicates)
        (:predicates (lamp ?x) (candle ?x) (burning ?x) (light ?x) (cosy ?x))
        (:derived (light ?x) (lamp ?x))
        (:derived (light ?x) (and (candle ?x) (burning ?x)))
        (:derived (cosy ?x) (and (candle ?x) (light ?x)))
        (:derived (cosy ?x) (and (burning ?x) (not (lamp ?x))))
        (:action put :parameters (?r ?x) :effect (and (lamp ?x) (candle ?x) (burning ?x)))
        (:action take :parameters (?r ?x)
            :effect (and (not (lamp ?x)) (not (candle ?x)) (not (burning ?x)))))""")
)


@pytest.mark.parametrize("text", ["light(hall)", "cosy(hall)", "light(hall) and not cosy(hall)"])
def test_one_of_the_literals_holds_where_one_of_several_rules_does(text: str) -> None:
    world, condition = SEVERAL_RULES, parse_formula(text)
    names = ("lamp", "candle", "burning")
    states = []
    for values in product([False, True], repeat=len(names)):
        facts = [Atom(name, ("hall",)) for name, value in zip(names, values, strict=True) if value]
        states.append(world.state({"robot": "object", "hall": "object"}, facts))
    for state in states:
        want = not world.holds(state, condition)
        task = task_in(state, world)
        literals = Disjunctions(task).landmark(condition, {}, state, want)
        assert literals
        for other in states:
            if world.holds(other, condition) is want:
                assert any(other.test(p, numbers) is value for p, numbers, value in literals)
