"""Findings about numbers name the values that were compared, and the steps that set them."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, strategies as st

from eai.diagnosis import (
    DomainRules,
    ErrorKind,
    Finding,
    Run,
    leads_to_numbers,
    runtime_finding,
    values_told,
)
from eai.logic import And, Atom, Exists, Forall, Formula, Not, NumericCondition, Or, Variable
from eai.pddl import parse_domain, parse_problem
from eai.world import Action, Step, Trajectory, World

WORLD = World(
    parse_domain("""(define (domain tank) (:requirements :adl :numeric-fluents)
    (:predicates (ready ?x) (open ?x) (low ?x) (lower ?x))
    (:functions (fuel ?x) (load ?x) (unknown ?x))
    (:derived (low ?x) (< (fuel ?x) 2))
    (:derived (lower ?x) (or (< (fuel ?x) 1) (lower ?x)))
    (:action fill :parameters (?me ?x) :effect (increase (fuel ?x) 2))
    (:action drain :parameters (?me ?x) :effect (decrease (fuel ?x) 1))
    (:action wait :parameters (?me) :effect (ready ?me))
    (:action go :parameters (?me ?x)
      :precondition (and (ready ?x) (>= (fuel ?x) 5)) :effect (assign (load ?x) 0)))""")
)
CAR, BUS = Atom("fuel", ("car",)), Atom("fuel", ("bus",))
OBJECTS = dict.fromkeys(("me", "car", "bus"), "object")
VALUES = {Atom("fuel", ("me",)): 9, CAR: 1, BUS: 4}


def trajectory_of(plan: list[tuple[str, ...]], numbers: list[int] | None = None) -> Trajectory:
    """Execute a plan; numbers are those of the steps in the answer."""
    start = WORLD.state(OBJECTS, [], VALUES)
    state, steps = start.begin(), []
    for number, (name, *arguments) in zip(numbers or range(1, 100), plan, strict=False):
        action = Action(name, tuple(arguments))
        given = WORLD.numbers(state, name, ("me", *arguments))
        steps.append(Step(action, number, WORLD.apply(state, name, given)))
    return Trajectory(WORLD, start, steps, state)


def told(trajectory: Trajectory, formula: Formula) -> list[str]:
    text = values_told(trajectory, formula)
    return text.split("; ") if text else []


@given(st.integers(0, 10**6), st.sampled_from(["<", "<=", "=", ">=", ">"]), st.integers(-2, 9))
def test_the_values_at_the_end_and_the_steps_that_set_them_are_told(
    seed: int, sign: str, bound: int
) -> None:
    random = Random(seed)
    values, last = {"car": 1, "bus": 4}, dict[str, tuple[int, int]]()
    plan, numbers = list[tuple[str, ...]](), list[int]()
    number = 0
    for _ in range(random.randint(0, 6)):
        number += random.randint(1, 3)  # steps between them failed
        name = random.choice(["fill", "drain", "wait"])
        numbers.append(number)
        if name == "wait":
            plan.append(("wait",))
            continue
        thing = random.choice(["car", "bus"])
        plan.append((name, thing))
        before = values[thing]
        values[thing] += 2 if name == "fill" else -1
        last[thing] = number, before
    trajectory = trajectory_of(plan, numbers)
    condition = NumericCondition(sign, CAR, bound)  # type: ignore[arg-type]
    comparisons = {
        "<": values["car"] < bound,
        "<=": values["car"] <= bound,
        "=": values["car"] == bound,
        ">=": values["car"] >= bound,
        ">": values["car"] > bound,
    }
    truth = str(comparisons[sign]).lower()
    expected = [f"{values['car']} {sign} {bound} is {truth}"]
    if "car" in last:
        step, before = last["car"]
        expected.append(f"fuel(car) went from {before} to {values['car']} at step {step}")
    assert told(trajectory, condition) == expected


def test_comparisons_that_decide_are_told_and_each_function_term_once() -> None:
    trajectory = trajectory_of([("fill", "car"), ("drain", "bus")])
    first, second = NumericCondition("<", CAR, BUS), NumericCondition(">", BUS, 1)
    third = NumericCondition("=", CAR, 4)
    assert told(trajectory, Or((And((first, second)), third))) == [
        "3 < 3 is false",
        "3 = 4 is false",
        "fuel(car) went from 1 to 3 at step 1",
        "fuel(bus) went from 4 to 3 at step 2",
    ]
    assert told(trajectory, Or((first, second, third)))[0] == "3 > 1 is true"
    assert told(trajectory, And((Not(first), second)))[:2] == ["3 < 3 is false", "3 > 1 is true"]


def test_comparisons_with_free_variables_or_without_values_are_left_out() -> None:
    trajectory = trajectory_of([])
    x = Variable("x")
    open_one = Exists((x,), NumericCondition(">", Atom("fuel", (x,)), 1))
    undefined = NumericCondition(">", Atom("unknown", ("car",)), 1)
    plain = NumericCondition(">", CAR, 1)
    assert told(trajectory, NumericCondition(">", Atom("fuel", (x,)), 1)) == []
    assert told(trajectory, open_one) == ["9 > 1 is true"]
    assert told(trajectory, undefined) == []
    assert told(trajectory, Atom("ready", ("car",))) == []
    assert told(trajectory, And((open_one, undefined, plain))) == ["1 > 1 is false"]


def test_derived_and_quantified_conditions_lead_to_the_comparisons_that_decide_them() -> None:
    trajectory = trajectory_of([("drain", "bus"), ("drain", "bus")])
    low = Atom("low", ("bus",))
    x = Variable("x", ("object",))
    assert told(trajectory, low) == ["2 < 2 is false", "fuel(bus) went from 3 to 2 at step 2"]
    every = Forall((x,), Or((Not(Atom("low", (x,))), Atom("ready", (x,)))))
    assert told(trajectory, every) == ["1 < 2 is true"]
    assert told(trajectory, Exists((x,), Atom("lower", (x,)))) == [
        "9 < 1 is false",
        "1 < 1 is false",
        "2 < 1 is false",
        "fuel(bus) went from 3 to 2 at step 2",
    ]


def test_a_number_that_had_no_value_became_what_it_is() -> None:
    plan: list[tuple[str, ...]] = [("go", "car"), ("fill", "car"), ("go", "car"), ("go", "bus")]
    trajectory = trajectory_of(plan, [2, 3, 5, 6])
    loads = NumericCondition(">", Atom("load", ("bus",)), Atom("fuel", ("car",)))
    assert told(trajectory, loads) == [
        "0 > 3 is false",
        "load(bus) became 0 at step 6",
        "fuel(car) went from 1 to 3 at step 3",
    ]
    # A value that is set once more, to what it is, did not change.
    assert told(trajectory, NumericCondition(">", Atom("load", ("car",)), 0)) == [
        "0 > 0 is false",
        "load(car) became 0 at step 2",
    ]


def test_of_many_comparisons_a_few_are_told() -> None:
    trajectory = trajectory_of([])
    many = Or(tuple(NumericCondition(">", CAR, bound) for bound in range(5, 12)))
    assert len(told(trajectory, many)) == 5
    assert told(trajectory, many)[-1] == "and others"


def test_function_terms_are_written_as_the_caller_wants() -> None:
    trajectory = trajectory_of([("fill", "car")])
    condition = NumericCondition(">", CAR, 1)
    found = values_told(trajectory, condition, write=lambda term: term.predicate.upper())
    assert found.endswith("FUEL went from 1 to 3 at step 1")


def failed(*plan: tuple[str, ...], ready: bool = True) -> Finding:
    """Return the finding of ``go car`` after a plan."""
    facts = [Atom("ready", ("car",))] if ready else []
    run = Run(WORLD, WORLD.state(OBJECTS, facts, VALUES), "me")
    for number, (name, *arguments) in enumerate(plan, start=1):
        DomainRules().take(run, Action(name, tuple(arguments)), number)
    outcome, finding = DomainRules().take(run, Action("go", ("car",)), len(plan) + 1)
    assert outcome == "failed"
    assert finding is not None
    return finding


def test_a_failed_step_tells_the_values_of_its_condition() -> None:
    message = failed(("fill", "car")).message
    assert ": 3 >= 5 is false; fuel(car) went from 1 to 3 at step 1" in message
    assert "fuel" not in failed(ready=False).message.split(":")[-1]


def test_a_failed_step_says_which_value_is_undefined() -> None:
    run = Run(WORLD, WORLD.state(OBJECTS, [Atom("ready", ("me",))], {}), "me")
    _, finding = DomainRules().take(run, Action("go", ("me",)), 1)
    assert finding is not None
    assert "(fuel me)" in finding.message


def test_the_first_of_several_unmet_conditions_is_explained() -> None:
    run = Run(WORLD, WORLD.state(OBJECTS, [], VALUES), "me")
    unmet = [Atom("open", ("car",)), NumericCondition(">=", CAR, 5)]
    for first, second in (unmet, unmet[::-1]):
        finding = runtime_finding(
            run, Action("go", ("car",)), 1, ErrorKind.MISSING_STEP, [first, second]
        )
        assert finding.conditions == (str(first), str(second))
        assert finding.evidence is not None
        assert finding.evidence.formula is first


@pytest.mark.parametrize("kind", [ErrorKind.WRONG_ORDER, ErrorKind.MISSING_STEP])
def test_only_a_condition_in_the_wrong_order_has_a_step_that_destroyed_it(kind: ErrorKind) -> None:
    run = Run(WORLD, WORLD.state(OBJECTS, [], {CAR: 6, BUS: 0}), "me")
    for number in (1, 2, 3):
        DomainRules().take(run, Action("drain", ("car",)), number)
    finding = runtime_finding(run, Action("go", ("car",)), 4, kind, [NumericCondition(">", CAR, 4)])
    if kind is ErrorKind.WRONG_ORDER:
        assert (finding.held_until, finding.destroyed_by) == (1, 2)
    else:
        assert (finding.held_until, finding.destroyed_by) == (None, None)


DERIVED = """
(define (domain d) (:requirements :numeric-fluents :derived-predicates)
  (:predicates (lit) (high) (highest) (seen) (dark)) (:functions (level))
  (:derived (highest) (and (high) (lit)))
  (:derived (high) (>= (level) 2))
  (:derived (seen) (not (dark)))
  (:action up :parameters () :effect (increase (level) 1)))
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(lit)", False),
        ("(seen)", False),
        ("(and (lit) (seen))", False),
        ("(high)", True),
        ("(highest)", True),
        ("(not (and (lit) (highest)))", True),
        ("(< (level) 1)", True),
    ],
)
def test_a_derived_predicate_compares_numbers_if_one_of_its_axioms_does(
    text: str, expected: bool
) -> None:
    domain = parse_domain(DERIVED)
    problem = f"(define (problem p) (:domain d) (:init (= (level) 0)) (:goal {text}))"
    goal = parse_problem(problem, domain=domain).goal
    assert leads_to_numbers(World(domain), goal) is expected
    without_numbers = DERIVED.replace("(:derived (high) (>= (level) 2))", "")
    without_numbers = without_numbers.replace("(:functions (level))", "").replace(
        "(increase (level) 1)", "(lit)"
    )
    if "level" not in text:
        assert not leads_to_numbers(World(parse_domain(without_numbers)), goal)
