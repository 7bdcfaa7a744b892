"""Every operator below every quantifier: which objects are looked at changes no truth.

Trajectories that know which objects a proposition is ever true of are asked for these only.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from random import Random
from typing import Literal, get_args

import pytest
from definition import true_at
from list_trajectory import ListTrajectory

from eai.logic import (
    ActionAtom,
    Always,
    And,
    Atom,
    Count,
    Equal,
    Eventually,
    Exists,
    Forall,
    Formula,
    Historically,
    Iff,
    Implies,
    Next,
    Not,
    Once,
    Or,
    Previous,
    Release,
    Since,
    StrongRelease,
    Trace,
    Trigger,
    Until,
    Variable,
    WeakNext,
    WeakPrevious,
    WeakUntil,
    Xor,
    evaluate,
)

OBJECTS = ("cup.1", "box.2", "jar.3")
X, Y = Variable("x"), Variable("y")
CLEAN, DARK, NEAR = Atom("clean", (X,)), Atom("dark"), Atom("near", (X, "cup.1"))
GRAB, POUR = ActionAtom("GRAB", (X,)), ActionAtom("POUR", (X, "box.2"))

UNARY = [Next, WeakNext, Previous, WeakPrevious, Eventually, Always, Once, Historically, Not]
BINARY = [Until, Release, WeakUntil, StrongRelease, Since, Trigger, Implies, Iff, Xor]
PAIRS = [
    (CLEAN, NEAR),
    (CLEAN, DARK),
    (DARK, Not(CLEAN)),
    (GRAB, CLEAN),
    (Not(CLEAN), NEAR),
    (CLEAN, Not(NEAR)),
]


def bodies() -> dict[str, Formula]:
    found: list[Formula] = [CLEAN, GRAB, POUR, Equal(X, "cup.1")]
    found += [kind(each) for kind in UNARY for each in (CLEAN, Not(CLEAN), GRAB)]
    found += [kind(first, second) for kind in BINARY for first, second in PAIRS]
    found += [kind(pair) for kind in (And, Or) for pair in PAIRS]
    found += [
        Eventually(And((CLEAN, Next(NEAR)))),
        Always(Implies(GRAB, Next(CLEAN))),
        Exists((Y,), And((Atom("near", (X, Y)), Atom("clean", (Y,))))),
        Forall((Y,), Or((Atom("near", (X, Y)), Equal(X, Y)))),
        Exists((Y,), Until(Atom("near", (X, Y)), ActionAtom("GRAB", (Y,)))),
        Exists((X,), CLEAN),
        Count(1, Y, Atom("near", (X, Y)), "exactly"),
    ]
    return {str(each): each for each in found}


Quantity = Literal["exactly", "at least", "at most"]


def counting(number: int, comparison: Quantity) -> Callable[[Formula], Formula]:
    return lambda body: Count(number, X, body, comparison)


QUANTIFIERS: dict[str, Callable[[Formula], Formula]] = {
    "exists": partial(Exists, (X,)),
    "forall": partial(Forall, (X,)),
    **{
        f"{comparison} {number}": counting(number, comparison)
        for comparison in get_args(Quantity)
        for number in (0, 1, 2)
    },
}
BODIES = bodies()


@cache
def trajectories() -> list[ListTrajectory]:
    """Return trajectories in which some objects are never spoken of, and some always."""
    random, found = Random("quantified"), []
    facts = [("dark",), *(("clean", name) for name in OBJECTS)]
    facts += [("near", one, other) for one in OBJECTS for other in OBJECTS]
    steps = [("GRAB", "cup.1"), ("GRAB", "box.2"), ("POUR", "cup.1", "box.2"), ("wait",)]
    for length in (1, 2, 2, 3, 3, 4, 4, 4):
        likely = {fact: random.choice((0, 0, 0.5, 1)) for fact in facts}
        states = [[fact for fact in facts if random.random() < likely[fact]] for _ in range(length)]
        actions = [random.choice(steps) for _ in range(length - 1)]
        found.append(ListTrajectory(OBJECTS, states, actions))
    return found


def recorded(one: ListTrajectory) -> Trace:
    """Return the same trajectory as one that knows the objects of each proposition."""
    states = [[Atom(name, tuple(terms)) for name, *terms in state] for state in one.states]
    actions = [ActionAtom(name, tuple(terms)) for name, *terms in one.actions]
    return Trace.of_states(states, actions, objects=OBJECTS)


@pytest.mark.parametrize("name", BODIES)
def test_the_truth_is_that_of_every_object_in_turn(name: str) -> None:
    body = BODIES[name]
    for one in trajectories():
        trace = recorded(one)
        for quantify in QUANTIFIERS.values():
            for formula in (quantify(body), Eventually(Not(quantify(body)))):
                if formula.reading() == "ltlf":
                    expected = true_at(formula, one, 0, {})
                else:
                    expected = any(true_at(formula, one, at, {}) for at in range(one.length))
                assert evaluate(formula, trace).holds == expected
                assert evaluate(formula, one).holds == expected


@pytest.mark.parametrize("name", BODIES)
def test_a_negation_is_true_where_the_formula_is_not(name: str) -> None:
    for quantify in QUANTIFIERS.values():
        formula = quantify(BODIES[name])
        negations = {formula.negated(), Not(formula).negated().negated()}  # often the same
        for negation in negations:
            assert negation.is_temporal == formula.is_temporal
            assert negation.looks_back == formula.looks_back
            assert negation.free == frozenset()
        for one in trajectories():
            for at in range(one.length):
                truth = true_at(formula, one, at, {})
                for negation in negations:
                    assert true_at(negation, one, at, {}) != truth
