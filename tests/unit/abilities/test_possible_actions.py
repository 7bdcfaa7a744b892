"""What prompts leave out can never happen, whatever is done from the start."""

from __future__ import annotations

import pytest
from reachable_states import STARTS, YARD, formula, ground_actions, reachable, state

from eai.abilities.possible import Possible
from eai.logic import FALSE, Atom, Formula, Variable

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
