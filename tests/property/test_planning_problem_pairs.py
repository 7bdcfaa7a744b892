"""Problems are equivalent if a renaming makes them so: random pairs against the definition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from strategies_planning import random_task
from world_distances import WorldDistances

from eai.logic import And, Formula, Not, conjuncts
from eai.pddl import Domain, Problem, parse_domain, parse_problem
from eai.planning import ProblemComparison, equivalent_problems
from eai.world import Action

thorough = settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def renamed(problem: Problem, names: Mapping[str, str]) -> Problem:
    """Return a problem with other names of its objects, which come in another order."""

    def leaf(formula: Formula) -> Formula:
        return formula.with_terms([names.get(str(term), term) for term in formula.terms])

    objects = {names[name]: kind for name, kind in reversed(list(problem.objects.items()))}
    initial = [atom.map_leaves(leaf) for atom in reversed(problem.initial)]
    goal = problem.goal.map_leaves(leaf)
    return replace(problem, objects=objects, initial=tuple(initial), goal=goal)  # type: ignore[arg-type]


def altered(problem: Problem, random: Random) -> Problem:
    """Return a problem with another goal, or another start."""
    parts = [*conjuncts(problem.goal)]
    kind = random.choice(["drop a fact", "drop a goal", "deny a goal", "add a fact", "nothing"])
    if kind == "drop a fact" and problem.initial:
        gone = random.choice(problem.initial)
        return replace(problem, initial=tuple(a for a in problem.initial if a is not gone))
    if kind == "add a fact" and problem.initial:
        some = random.choice(problem.initial)
        terms = [random.choice(list(problem.objects)) for _ in some.terms]
        added = some.with_terms(terms)
        return replace(problem, initial=tuple(dict.fromkeys([*problem.initial, added])))
    if kind == "drop a goal" and parts:
        parts.pop(random.randrange(len(parts)))
    if kind == "deny a goal" and parts:
        place = random.randrange(len(parts))
        parts[place] = Not(parts[place])
    return replace(problem, goal=And(tuple(parts)))


def goal_states(domain: Domain, problem: Problem) -> set[object] | None:
    """Return the reachable states in which the goal holds; None if there are many states."""
    plain = WorldDistances(domain, problem)
    if not plain.is_small:
        return None
    return {key for key, steps in plain.steps.items() if steps == 0}


def are_equivalent(domain: Domain, first: Problem, second: Problem) -> bool | None:
    """Return whether two problems are equivalent, by trying every renaming."""
    expected = goal_states(domain, first)
    if expected is None:
        return None
    for order in permutations(first.objects):
        again = renamed(second, dict(zip(second.objects, order, strict=True)))
        if set(again.initial) != set(first.initial) or again.objects != first.objects:
            continue
        if goal_states(domain, again) == expected:
            return True
    return False


def random_pair(random: Random, *, is_altered: bool) -> tuple[Domain, Problem, Problem]:
    """Return a problem, and the same with other names, perhaps altered."""
    domain, first = random_task(random)
    first = replace(first, metric=None)
    names = random.sample(["p", "q", "r"], len(first.objects))
    second = renamed(first, dict(zip(first.objects, names, strict=True)))
    if is_altered:
        second = altered(second, random)
    return domain, first, second


@thorough
@given(st.integers(0, 10**9))
def test_searches_that_see_few_states_are_never_wrong(seed: int) -> None:
    random = Random(seed)
    domain, first, second = random_pair(random, is_altered=True)
    if random.random() < 0.5:
        # The same start, and a goal about other objects.
        names = random.sample([*first.objects], len(first.objects))
        goal = renamed(first, dict(zip(first.objects, names, strict=True))).goal
        second = replace(first, goal=goal)
    expected = are_equivalent(domain, first, second)
    if expected is None:
        return
    found = equivalent_problems(domain, first, second, states=1)
    assert found.verdict in ("equivalent" if expected else "different", "undecided")


@thorough
@given(st.integers(0, 10**9), st.booleans())
def test_verdicts_are_those_of_the_definition(seed: int, is_altered: bool) -> None:
    domain, first, second = random_pair(Random(seed), is_altered=is_altered)
    expected = are_equivalent(domain, first, second)
    if expected is None:
        return
    found = equivalent_problems(domain, first, second)
    assert found.verdict == ("equivalent" if expected else "different")
    assert bool(found) is expected
    assert sorted(found.renaming) == sorted(first.objects)
    assert sorted(found.renaming.values()) == sorted(second.objects)
    back = renamed(second, {new: old for old, new in found.renaming.items()})
    if expected:
        assert set(back.initial) == set(first.initial)
        assert found.differences == ()
        return
    lacking = {f.text for f in found.differences if f.kind == "initial fact" and f.missing}
    excess = {f.text for f in found.differences if f.kind == "initial fact" and not f.missing}
    assert len(lacking) == len(set(first.initial) - set(back.initial))
    assert len(excess) == len(set(back.initial) - set(first.initial))
    if found.plan is not None:
        assert holds_after(domain, first, found.plan) != holds_after(domain, back, found.plan)


def holds_after(domain: Domain, problem: Problem, plan: tuple[Action, ...]) -> bool:
    plain = WorldDistances(domain, problem)
    state = plain.start
    for action in plan:
        numbers = plain.world.numbers(state, action.name, action.arguments)
        following = plain.after(state, action.name, numbers)
        assert following is not None
        state = following
    return plain.distance(state) == 0


TYPED = parse_domain("""(define (domain d) (:requirements :typing :numeric-fluents)
  (:types cup pan) (:constants table - cup) (:predicates (on ?x ?y) (wet ?x)) (:functions (w ?x))
  (:action wash :parameters (?x) :effect (wet ?x)))""")


def compared(first: str, second: str) -> ProblemComparison:
    problems = []
    for text in (first, second):
        objects, start, goal = [part.strip() for part in text.split("|")]
        problems.append(
            parse_problem(
                f"(define (problem p) (:domain d) (:objects {objects}) (:init {start})"
                f" (:goal {goal}))",
                domain=TYPED,
            )
        )
    return equivalent_problems(TYPED, *problems)


@pytest.mark.parametrize(
    ("first", "second", "verdict", "differences"),
    [
        ("a - cup b - pan | | (wet a)", "x - pan y - cup | | (wet y)", "equivalent", []),
        ("a - cup | | (wet a)", "a - pan | | (wet a)", "different", [("type", "a - cup", True)]),
        # A constant keeps its name.
        (
            "a - cup | (wet a) | (wet table)",
            "b - cup | (wet table) | (wet table)",
            "different",
            [("initial fact", "(wet a)", True), ("initial fact", "(wet table)", False)],
        ),
        ("a - cup | (on a table) | (wet a)", "b - cup | (on b table) | (wet b)", "equivalent", []),
        # The places of objects in a fact say something.
        (
            "a - cup | (on a table) | (wet a)",
            "a - cup | (on table a) | (wet a)",
            "different",
            [("initial fact", "(on a table)", True), ("initial fact", "(on table a)", False)],
        ),
        (
            "a b - cup | (on a b) | (wet a)",
            "a c - cup | (on a c) | (wet c)",
            "different",
            [("goal", "(wet a)", True), ("goal", "(wet b)", False)],
        ),
    ],
)
def test_types_constants_and_places_say_something(
    first: str, second: str, verdict: str, differences: list[tuple[str, str, bool]]
) -> None:
    found = compared(first, second)
    assert found.verdict == verdict
    assert [(d.kind, d.text, d.missing) for d in found.differences] == differences
    lines = str(found).splitlines()
    assert lines[0].startswith(verdict)
    for line, (kind, text, missing) in zip(lines[1:], differences, strict=False):
        assert line.split(": ") == [f"  {kind} {'missing' if missing else 'in excess'}", text]


def test_an_equivalent_problem_is_told_with_the_names_that_differ() -> None:
    same = compared("a b - cup | (on a b) | (wet a)", "a b - cup | (on a b) | (wet a)")
    other = compared("a b - cup | (on a b) | (wet a)", "a c - cup | (on a c) | (wet a)")
    assert str(same) == "equivalent"
    assert str(other) == "equivalent: b is c"


def test_objects_that_occur_alike_are_taken_for_each_other() -> None:
    found = compared(
        "a b c - cup | (on a b) (wet c) | (wet a)",
        "x y z - cup | (on x z) (wet y) (wet z) | (wet x)",
    )
    assert found.verdict == "different"
    assert found.renaming == {"a": "x", "b": "z", "c": "y"}
    assert [(d.text, d.missing) for d in found.differences] == [("(wet b)", False)]
