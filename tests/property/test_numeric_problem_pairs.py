"""Problems with numbers are equivalent if and only if the definition, tried out, says so."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable, Mapping
from itertools import permutations, product
from typing import Union

import pytest

from eai.pddl import Problem, parse_domain, parse_problem
from eai.planning import equivalent_problems

COUNTERS = parse_domain(
    "(define (domain counters) (:requirements :typing :numeric-fluents) (:types counter)"
    " (:functions (value ?c - counter) (most ?c - counter) (total-cost))"
    " (:action up :parameters (?c - counter) :precondition (< (value ?c) (most ?c))"
    " :effect (and (increase (value ?c) 1) (increase (total-cost) 1)))"
    " (:action down :parameters (?c - counter) :precondition (> (value ?c) 0)"
    " :effect (and (decrease (value ?c) 1) (increase (total-cost) 1))))"
)
SIGNS: Mapping[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    ">=": operator.ge,
    ">": operator.gt,
}
ARITHMETIC: Mapping[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}
FIRST, SECOND = ("a", "b"), ("x", "y")

Tree = Union[int, str, tuple["Tree", ...]]
"""A number, a counter, or an operation with its operands."""
Values = Mapping[str, int]


def expression(dice: random.Random, depth: int = 1) -> Tree:
    chance = dice.random()
    if depth and chance < 0.3:
        return dice.choice("+-*"), expression(dice, 0), expression(dice, 0)
    return dice.choice(FIRST) if chance < 0.75 else dice.randrange(3)


def condition(dice: random.Random, depth: int = 1) -> Tree:
    chance = dice.random()
    if depth and chance < 0.3:
        return dice.choice(("and", "or")), condition(dice, 0), condition(dice, 0)
    if depth and chance < 0.4:
        return "not", condition(dice, 0)
    return dice.choice(sorted(SIGNS)), expression(dice), expression(dice)


def value_of(tree: Tree, values: Values) -> int:
    """Return the value of an expression, or the truth of a condition."""
    if isinstance(tree, int):
        return tree
    if isinstance(tree, str):
        return values[tree]
    head, *operands = tree
    numbers = [value_of(operand, values) for operand in operands]
    if head == "not":
        return not numbers[0]
    if head in ("and", "or"):
        return all(numbers) if head == "and" else any(numbers)
    function = {**SIGNS, **ARITHMETIC}[str(head)]
    return int(function(*numbers))


def renamed(tree: Tree, names: Mapping[str, str]) -> Tree:
    if isinstance(tree, tuple):
        return tree[0], *[renamed(operand, names) for operand in tree[1:]]
    return names.get(tree, tree) if isinstance(tree, str) else tree


def text_of(tree: Tree) -> str:
    if isinstance(tree, tuple):
        return f"({' '.join([str(tree[0]), *map(text_of, tree[1:])])})"
    return f"(value {tree})" if isinstance(tree, str) else str(tree)


def problem(goal: Tree, values: Values, most: Values) -> Problem:
    start = [
        f"(= (value {name}) {value}) (= (most {name}) {most[name]})"
        for name, value in values.items()
    ]
    return parse_problem(
        f"(define (problem p) (:domain counters) (:objects {' '.join(values)} - counter)"
        f" (:init {' '.join(start)} (= (total-cost) 0)) (:goal {text_of(goal)}))",
        domain=COUNTERS,
    )


def is_equivalent(goals: tuple[Tree, Tree], values: list[Values], most: list[Values]) -> bool:
    """Try out every renaming, and every state: a counter takes all values up to its most."""
    for order in permutations(SECOND):
        names = dict(zip(FIRST, order, strict=True))
        ranges = [range(most[0][name] + 1) for name in FIRST]
        states = [dict(zip(FIRST, state, strict=True)) for state in product(*ranges)]
        if any(values[0][one] != values[1][names[one]] for one in FIRST):
            continue
        if any(most[0][one] != most[1][names[one]] for one in FIRST):
            continue
        others = [{names[one]: value for one, value in state.items()} for state in states]
        truths = [bool(value_of(goals[0], state)) for state in states]
        if truths == [bool(value_of(goals[1], state)) for state in others]:
            return True
    return False


@pytest.mark.parametrize(
    "seed", [*range(4), *[pytest.param(n, marks=pytest.mark.heavy) for n in range(4, 60)]]
)
def test_random_pairs_are_told_apart_rightly(seed: int) -> None:
    dice = random.Random(seed)
    verdicts = set()
    for _ in range(50):
        most = {name: dice.choice((1, 2)) for name in FIRST}
        values = {name: dice.randrange(most[name] + 1) for name in FIRST}
        if dice.random() < 0.5:  # the counters are alike, so that both renamings do
            most["b"], values["b"] = most["a"], values["a"]
        names = dict(zip(FIRST, dice.sample(SECOND, 2), strict=True))
        goal = condition(dice)
        other_goal = renamed(goal if dice.random() < 0.5 else condition(dice), names)
        other_most = {names[one]: value for one, value in most.items()}
        other_values = {names[one]: value for one, value in values.items()}
        if dice.random() < 0.1:
            other_values["x"] = dice.randrange(other_most["x"] + 1)
        expected = is_equivalent((goal, other_goal), [values, other_values], [most, other_most])
        found = equivalent_problems(
            COUNTERS, problem(goal, values, most), problem(other_goal, other_values, other_most)
        )
        assert found.verdict == ("equivalent" if expected else "different")
        verdicts.add(found.verdict)
    assert len(verdicts) == 2
