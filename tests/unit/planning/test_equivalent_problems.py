"""Problems that are the same but for names, and what tells others apart."""

from __future__ import annotations

import pytest
from pddl_blocks import DOMAIN

from eai.errors import InputError
from eai.pddl import parse_domain, parse_problem
from eai.planning import ProblemComparison, equivalent_problems, validate

BLOCKS = parse_domain(DOMAIN)
TWO = "(ontable a) (clear a) (ontable b) (clear b) (handempty)"


def _compared(
    one: tuple[str, str, str], other: tuple[str, str, str], *, states: int = 20_000
) -> ProblemComparison:
    texts = []
    for objects, start, goal in (one, other):
        text = (
            f"(define (problem p) (:domain blocks) (:objects {objects})"
            f" (:init {start}) (:goal {goal}))"
        )
        texts.append(parse_problem(text, domain=BLOCKS))
    return equivalent_problems(BLOCKS, texts[0], texts[1], states=states)


def test_names_make_no_difference() -> None:
    other = TWO.replace("a)", "red)").replace("b)", "blue)")
    found = _compared(("a b", TWO, "(on a b)"), ("blue red", other, "(on red blue)"))
    assert found
    assert found.renaming == {"a": "red", "b": "blue"}


@pytest.mark.parametrize(
    "goal",
    [
        "(and (on a b) (ontable b))",
        "(and (on a b) (clear a) (handempty))",
        "(and (not (clear b)) (not (holding b)) (handempty))",
        "(exists (?x) (on ?x b))",
        "(on b a)",  # the start is symmetric: a renaming makes it the same
    ],
)
def test_what_follows_from_a_goal_may_be_said_or_not(goal: str) -> None:
    assert _compared(("a b", TWO, "(on a b)"), ("a b", TWO, goal))


@pytest.mark.parametrize(
    "goal", ["(clear a)", "(holding a)", "(and (on a b) (on b a))", "(not (on a b))"]
)
def test_other_goals_differ_and_a_plan_shows_it(goal: str) -> None:
    found = _compared(("a b", TWO, "(on a b)"), ("a b", TWO, goal))
    assert found.verdict == "different"
    assert {difference.kind for difference in found.differences} == {"goal"}
    assert found.plan is not None
    first, second = [
        parse_problem(
            f"(define (problem p) (:domain blocks) (:objects a b) (:init {TWO}) (:goal {text}))",
            domain=BLOCKS,
        )
        for text in ("(on a b)", goal)
    ]
    assert validate(BLOCKS, first, found.plan).valid != validate(BLOCKS, second, found.plan).valid


def test_other_starts_differ() -> None:
    found = _compared(("a b", TWO, "(on a b)"), ("a b", TWO.replace("(clear b)", ""), "(on a b)"))
    assert found.verdict == "different"
    assert [(d.kind, d.text, d.missing) for d in found.differences] == [
        ("initial fact", "(clear b)", True)
    ]


def test_missing_and_additional_objects_are_named() -> None:
    more = f"{TWO} (ontable c) (clear c)"
    found = _compared(("a b", TWO, "(on a b)"), ("a b c", more, "(on a b)"))
    kinds = {(d.kind, d.missing) for d in found.differences}
    assert kinds == {("object", False), ("initial fact", False)}
    lacking = _compared(("a b c", more, "(on a b)"), ("a b", TWO, "(on a b)"))
    assert ("object", True) in {(d.kind, d.missing) for d in lacking.differences}


def test_goals_beyond_the_states_are_searched_for() -> None:
    same = _compared(("a b", TWO, "(on a b)"), ("a b", TWO, "(on b a)"), states=2)
    assert same
    differs = _compared(("a b", TWO, "(on a b)"), ("a b", TWO, "(holding a)"), states=2)
    assert differs.verdict == "different"
    open_pair = _compared(
        ("a b", TWO, "(on a b)"), ("a b", TWO, "(and (on a b) (clear a))"), states=2
    )
    assert open_pair.verdict == "undecided"
    assert open_pair.reason


def test_two_goals_that_nothing_fulfils_are_equivalent() -> None:
    assert _compared(
        ("a b", TWO, "(and (on a b) (on b a))"), ("a b", TWO, "(and (holding a) (handempty))")
    )


def test_the_number_of_states_is_positive() -> None:
    with pytest.raises(InputError):
        _compared(("a b", TWO, "(on a b)"), ("a b", TWO, "(clear a)"), states=0)


def test_another_initial_value_is_named() -> None:
    domain = parse_domain(
        "(define (domain tank) (:requirements :typing :numeric-fluents) (:types truck)"
        " (:predicates (done ?t - truck)) (:functions (fuel ?t - truck))"
        " (:action go :parameters (?t - truck) :precondition (>= (fuel ?t) 2)"
        " :effect (and (done ?t) (decrease (fuel ?t) 2))))"
    )
    problems = []
    for name, value in (("t", "5"), ("lorry", "2.5")):
        text = (
            f"(define (problem p) (:domain tank) (:objects {name} - truck)"
            f" (:init (= (fuel {name}) {value})) (:goal (done {name})))"
        )
        problems.append(parse_problem(text, domain=domain))
    found = equivalent_problems(domain, problems[0], problems[1])
    assert found.verdict == "different"
    described = {(each.kind, each.text, each.missing) for each in found.differences}
    assert described == {
        ("initial fact", "(= (fuel t) 5)", True),
        ("initial fact", "(= (fuel t) 2.5)", False),
    }
