"""Numbers in states: what plans do to them, and where they have no value."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from operator import add, mul, sub, truediv

import pytest

from eai.diagnosis import values_told
from eai.errors import InputError, UnknownNameError
from eai.logic import (
    Arithmetic,
    ArithmeticSign,
    Atom,
    Monitor,
    NumericCondition,
    equivalent,
    evaluate,
    explain,
    parse_formula,
)
from eai.pddl import parse_domain, parse_problem
from eai.suites.pddl.validation import Diagnosis, diagnose
from eai.world import Action, NumericChanges, Trajectory, UndefinedError, World
from eai.world.numbers import MAX_BITS, NumberChange, divided, multiplied
from eai.world.trajectory import Step

DOMAIN = """
(define (domain d) (:requirements :adl :numeric-fluents :derived-predicates) (:types thing)
  (:constants x y - thing)
  (:predicates (p) (q) (r ?v - thing) (rich))
  (:functions (f) (g) (h) (w ?v - thing))
  (:derived (rich) (>= (f) 10))
  (:action a :parameters () {a})
  (:action b :parameters (?u ?v - thing) {b}))
"""
PROBLEM = "(define (problem s) (:domain d) (:init {init}) (:goal {goal}) {metric})"


def run(
    plan: str, *, a: str = "", b: str = "", init: str = "", goal: str = "(and)", metric: str = ""
) -> Diagnosis:
    """Validate a plan of a small task."""
    domain = DOMAIN.format(a=a, b=b)
    return diagnose(domain, PROBLEM.format(init=init, goal=goal, metric=metric), plan)


def end(diagnosis: Diagnosis) -> str:
    """Return ``valid``, ``goal``, or the number of the step that fails."""
    if diagnosis.valid:
        return "valid"
    return "goal" if diagnosis.failed_step is None else str(diagnosis.failed_step)


STEPS = [
    # name, effect of a, initial values, goal, number of steps, how it ends
    ("increase", "(increase (f) 2)", "(= (f) 1)", "(= (f) 5)", 2, "valid"),
    ("decrease", "(decrease (f) 2)", "(= (f) 1)", "(= (f) -3)", 2, "valid"),
    ("assign", "(assign (f) (+ (g) 1))", "(= (g) 4)", "(= (f) 5)", 1, "valid"),
    ("scale up", "(scale-up (f) 3)", "(= (f) 2)", "(= (f) 18)", 2, "valid"),
    ("scale down", "(scale-down (f) 4)", "(= (f) 2)", "(= (f) 0.5)", 1, "valid"),
    ("decimals", "(increase (f) 0.1)", "(= (f) 0)", "(= (f) 0.3)", 3, "valid"),
    ("no rounding", "(increase (f) 0.1)", "(= (f) 0)", "(> (f) 0.3)", 3, "goal"),
    ("tenths up to one", "(increase (f) 0.1)", "(= (f) 0)", "(>= (f) 1)", 10, "valid"),
    ("a third", "(assign (f) (/ 1 3))", "", "(= (* (f) 3) 1)", 1, "valid"),
    ("strict", "(increase (f) 1)", "(= (f) 0)", "(> (f) 1)", 1, "goal"),
    ("nearly equal", "", "(= (f) 1.0000001)", "(= (f) 1)", 0, "goal"),
    ("beyond doubles", "(increase (f) 1)", "(= (f) 9007199254740992)",
     "(> (f) 9007199254740992)", 1, "valid"),
    ("exponent", "(increase (f) 1)", "(= (f) 1e3)", "(= (f) 1001)", 1, "valid"),
    ("no leading zero", "(increase (f) .5)", "(= (f) -.5)", "(= (f) 0)", 1, "valid"),
    ("three operands", "(increase (f) (+ 1 2 3))", "(= (f) 0)", "(= (f) (* 1 2 3))", 1, "valid"),
    ("changed sign", "(increase (f) (- 2))", "(= (f) 0)", "(= (f) -2)", 1, "valid"),
    ("state before", "(and (assign (f) (g)) (assign (g) (f)))", "(= (f) 1) (= (g) 2)",
     "(and (= (f) 2) (= (g) 1))", 1, "valid"),
    ("increases add up", "(and (increase (f) 1) (decrease (f) 3))", "(= (f) 0)",
     "(= (f) -2)", 1, "valid"),
    ("for all", "(forall (?v - thing) (increase (w ?v) 1))", "(= (w x) 1) (= (w y) 2)",
     "(and (= (w x) 2) (= (w y) 3))", 1, "valid"),
    ("sum over objects", "(forall (?v - thing) (increase (f) (w ?v)))",
     "(= (w x) 1) (= (w y) 2) (= (f) 0)", "(= (f) 3)", 1, "valid"),
    ("when", "(when (>= (f) 1) (increase (f) 1))", "(= (f) 0)", "(= (f) 0)", 2, "valid"),
    ("when it holds", "(when (>= (f) 1) (p))", "(= (f) 1)", "(p)", 1, "valid"),
    ("derived", "(increase (f) 5)", "(= (f) 0)", "(rich)", 2, "valid"),
    ("derived later", "(increase (f) 5)", "(= (f) 0)", "(rich)", 1, "goal"),
    ("quantifier", "(increase (w x) 1)", "(= (w x) 0) (= (w y) 3)",
     "(forall (?v - thing) (>= (w ?v) 1))", 1, "valid"),
    ("exists", "(increase (w x) 1)", "(= (w x) 0) (= (w y) 0)",
     "(exists (?v - thing) (> (w ?v) (f)))", 1, "goal"),
    # What has no value.
    ("undefined amount", "(increase (f) (g))", "(= (f) 0)", "(and)", 1, "1"),
    ("undefined target", "(increase (f) 1)", "", "(and)", 1, "1"),
    ("undefined goal", "", "", "(>= (f) 0)", 0, "goal"),
    ("undefined under not", "", "", "(not (>= (f) 0))", 0, "goal"),
    ("settled before", "", "", "(or (and) (>= (f) 0))", 0, "valid"),
    ("condition false", "(when (p) (increase (f) (g)))", "(= (f) 0)", "(and)", 1, "valid"),
    ("condition undefined", "(when (>= (g) 1) (p))", "", "(and)", 1, "1"),
    ("condition derived from no value", "(when (rich) (p))", "", "(and)", 1, "1"),
    ("derived under a false condition", "(when (and (p) (rich)) (p))", "", "(and)", 1, "valid"),
    ("no object needs it", "", "",
     "(forall (?v - thing) (imply (r ?v) (>= (f) 0)))", 0, "valid"),
    ("one object needs it", "", "(r y)",
     "(forall (?v - thing) (imply (r ?v) (>= (f) 0)))", 0, "goal"),
    ("no object needs it, derived", "", "",
     "(not (exists (?v - thing) (and (r ?v) (rich))))", 0, "valid"),
    ("no object adds it", "(forall (?v - thing) (when (r ?v) (increase (f) (g))))", "(= (f) 0)",
     "(and)", 1, "valid"),
    ("an object adds it", "(forall (?v - thing) (when (r ?v) (increase (f) (g))))",
     "(= (f) 0) (r y)", "(and)", 1, "1"),
    ("read before what is false", "", "",
     "(not (exists (?v - thing) (and (>= (f) 0) (r ?v))))", 0, "goal"),
    ("assign defines", "(assign (f) 1)", "", "(= (f) 1)", 1, "valid"),
    ("division by zero", "(assign (f) (/ 1 (g)))", "(= (g) 0)", "(and)", 1, "1"),
    ("scale down by zero", "(scale-down (f) (g))", "(= (f) 1) (= (g) 0)", "(and)", 1, "1"),
    # Two changes of one number.
    ("two assigns", "(and (assign (f) 1) (assign (f) 1))", "", "(and)", 1, "1"),
    ("assign and increase", "(and (assign (f) 1) (increase (f) 1))", "(= (f) 0)", "(and)", 1, "1"),
    ("scale and increase", "(and (scale-up (f) 2) (increase (f) 1))", "(= (f) 0)",
     "(and)", 1, "1"),
    ("two scalings", "(and (scale-up (f) 2) (scale-up (f) 2))", "(= (f) 1)", "(and)", 1, "1"),
    ("one of them under a false condition", "(and (assign (f) 1) (when (p) (assign (f) 2)))", "",
     "(= (f) 1)", 1, "valid"),
    ("both under true conditions",
     "(and (when (q) (assign (f) 1)) (when (not (p)) (assign (f) 2)))", "(q)", "(and)", 1, "1"),
    ("assigned for all", "(forall (?v - thing) (assign (f) (w ?v)))", "(= (w x) 1) (= (w y) 1)",
     "(and)", 1, "1"),
    ("each its own", "(forall (?u ?v - thing) (when (= ?u ?v) (assign (w ?u) 1)))", "",
     "(= (w y) 1)", 1, "valid"),
    ("each under two names", "(forall (?u ?v - thing) (assign (w ?u) 1))", "", "(and)", 1, "1"),
    ("each once", "(forall (?u - thing) (assign (w ?u) 1))", "", "(= (w y) 1)", 1, "valid"),
    ("all added up", "(forall (?u ?v - thing) (increase (w ?u) 1))", "(= (w x) 0) (= (w y) 0)",
     "(and (= (w x) 2) (= (w y) 2))", 1, "valid"),
]  # fmt: skip


@pytest.mark.parametrize("case", STEPS, ids=lambda case: case[0])
def test_steps_change_numbers_as_pddl_says(case: tuple[str, str, str, str, int, str]) -> None:
    _, effect, init, goal, steps, expected = case
    body = f":effect {effect}" if effect else ""
    assert end(run("(a)\n" * steps, a=body, init=init, goal=goal)) == expected


def test_step_without_its_condition_and_its_numbers_lacks_the_condition() -> None:
    body = ":precondition (q) :effect (and (p) (when (>= (g) 1) (q)))"
    found = run("(a)", a=body, b=":effect (and (q) (assign (g) 1))", init="(p)")
    assert (found.failed_step, found.kind) == (1, "missing_step")


def test_one_number_under_two_names_increases_twice() -> None:
    body = ":effect (and (increase (w ?u) 1) (increase (w ?v) 2))"
    found = run("(b x x)", b=body, init="(= (w x) 0)", goal="(= (w x) 3)")
    assert found.valid


def test_assign_and_increase_of_one_number_under_two_names_contradict_each_other() -> None:
    body = ":effect (and (assign (w ?u) 1) (increase (w ?v) 2))"
    init = "(= (w x) 0) (= (w y) 0)"
    assert end(run("(b x x)", b=body, init=init)) == "1"
    assert end(run("(b x y)", b=body, init=init)) == "valid"


def test_a_conflict_names_both_effects() -> None:
    found = run("(a)", a=":effect (and (assign (f) 1) (increase (f) 2))", init="(= (f) 0)")
    assert "(assign (f) 1)" in found.reasons[0]
    assert "(increase (f) 2)" in found.reasons[0]


def test_number_that_was_used_up_is_a_wrong_order_with_the_step_that_used_it() -> None:
    body = ":precondition (>= (f) 2) :effect (decrease (f) 2)"
    found = run("(a)\n(a)", a=body, init="(= (f) 3)")
    assert (found.failed_step, found.kind, found.destroyed_by) == (2, "wrong_order", 1)
    assert "1 >= 2" in found.reasons[0]
    assert "went from 3 to 1 at step 1" in found.reasons[0]


def test_number_that_was_never_there_is_a_missing_step() -> None:
    found = run("(a)", a=":precondition (>= (f) 2) :effect (increase (f) 1)", init="(= (f) 0)")
    assert (found.failed_step, found.kind) == (1, "missing_step")


def test_number_that_no_action_changes_is_an_affordance() -> None:
    found = run("(a)", a=":precondition (>= (g) 2) :effect (increase (f) 1)", init="(= (g) 0)")
    assert (found.failed_step, found.kind) == (1, "affordance")


def test_unmet_numeric_goal_is_told_with_its_values() -> None:
    found = run("(a)", a=":effect (increase (f) 1)", init="(= (f) 0)", goal="(>= (f) 5)")
    assert "1 >= 5" in found.reasons[0]


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        ("", 2),
        ("(:metric minimize (f))", 4),
        ("(:metric maximize (+ (* 3 (f)) (/ (g) 4)))", 12.25),
        ("(:metric minimize (+ (total-time) (f)))", 6),
        ("(:metric minimize total-time)", 2),
        ("(:metric minimize (h))", None),
        ("(:metric minimize (/ 1 (- (f) 4)))", None),
    ],
)
def test_value_of_a_metric(metric: str, value: float | None) -> None:
    found = run("(a)\n(a)", a=":effect (increase (f) 2)", init="(= (f) 0) (= (g) 1)", metric=metric)
    assert found.valid
    assert found.cost == value
    assert bool(found.reasons) == (value is None)


def test_numbers_that_grow_without_end_are_undefined_at_last() -> None:
    found = run("(a)\n" * 60, a=":effect (scale-up (f) (f))", init="(= (f) 1e308)")
    assert not found.valid
    assert found.failed_step is not None
    assert 2**found.failed_step * 1000 < 4 * MAX_BITS


@pytest.mark.parametrize("sign", [1, -1])
def test_a_number_has_up_to_ten_thousand_binary_digits(sign: int) -> None:
    largest = 2**10_000 - 1
    assert multiplied(largest, sign) == sign * largest
    assert divided(sign, largest) == Fraction(sign, largest)
    for too_large in (2**10_000, Fraction(2**10_000, 3)):
        with pytest.raises(UndefinedError):
            multiplied(too_large, sign)
        with pytest.raises(UndefinedError):
            divided(sign, too_large)


def world_and_start() -> tuple[World, Trajectory]:
    """Return the trajectory of two steps that spend a number."""
    domain = parse_domain(DOMAIN.format(a=":effect (and (p) (decrease (f) 2))", b=""))
    problem = parse_problem(
        PROBLEM.format(init="(= (f) 5) (= (w x) 0.5)", goal="(p)", metric=""), domain=domain
    )
    world = World(domain)
    start = world.state(problem.objects, problem.initial, problem.values)
    state = start.begin()
    steps = [Step(Action("a", ()), number, world.apply(state, "a", ())) for number in (1, 2)]
    return world, Trajectory(world, start, steps)


def test_formulas_of_temporal_logic_compare_numbers() -> None:
    _, trajectory = world_and_start()
    assert evaluate(parse_formula("G f >= 1"), trajectory)
    assert not evaluate(parse_formula("G f >= 2"), trajectory)
    assert evaluate(parse_formula("F (f < 2 and p)"), trajectory)
    assert evaluate(parse_formula("w(x) <= 0.5 U f() = 3"), trajectory)
    assert evaluate(parse_formula("exists v. (w(v) > 0)"), trajectory)


def test_broken_formula_is_explained_with_its_comparison() -> None:
    _, trajectory = world_and_start()
    told = explain(parse_formula("G f() >= 2"), trajectory)
    (blame,) = told.blamed
    assert (str(blame.atom), blame.position, blame.holds) == ("f() >= 2", 2, False)


def test_numeric_conditions_and_changes_can_be_pickled() -> None:
    _, trajectory = world_and_start()
    condition = parse_formula("F (f() < w(x) and p())")
    assert pickle.loads(pickle.dumps(condition)) is condition
    changes = trajectory.steps[0].changes
    assert pickle.loads(pickle.dumps(changes)) == changes


def test_automata_and_monitors_refuse_numbers() -> None:
    formula = parse_formula("G f() >= 2")
    for refused in (lambda: equivalent(formula, formula), lambda: Monitor(formula)):
        with pytest.raises(InputError):
            refused()


def test_a_replayed_step_has_its_numbers_again() -> None:
    world, trajectory = world_and_start()
    values = [world.value(state, Atom("f")) for state in trajectory.states()]
    assert values == [5, 3, 1]
    assert world.value(trajectory.final, Arithmetic("/", (Atom("f"), 3))) == Fraction(1, 3)


def test_a_derived_predicate_is_worked_out_anew_after_a_number_has_changed() -> None:
    domain = parse_domain(
        "(define (domain d) (:requirements :numeric-fluents :derived-predicates)"
        " (:predicates (above ?x ?y) (high ?x)) (:functions (f))"
        " (:derived (high ?x) (or (>= (f) 2) (exists (?y) (and (above ?x ?y) (high ?y)))))"
        " (:action a :parameters () :effect (increase (f) 1)))"
    )
    text = "(define (problem p) (:domain d) (:objects c) (:init (= (f) 0)) (:goal (high c)))"
    problem = parse_problem(text, domain=domain)
    world = World(domain)
    state = world.state(problem.objects, problem.initial, problem.values).begin()
    high = []
    for _ in range(3):
        high.append(world.holds(state, problem.goal))
        world.apply(state, "a", ())
    assert high == [False, False, True]


def test_a_comparison_of_numbers_is_no_connective() -> None:
    comparison = NumericCondition(">=", Atom("f"), 1)
    assert not comparison.is_derived
    assert not comparison.operands


def test_changes_between_states_are_those_of_facts_and_numbers() -> None:
    world, trajectory = world_and_start()
    changes = trajectory.start.changes_to(trajectory.final)
    assert isinstance(changes, NumericChanges)
    assert [(change.old, change.new) for change in changes.numbers] == [(5, 1)]
    again = trajectory.start.copy()
    again.apply(changes)
    assert world.value(again, Atom("f")) == 1
    assert world.value(trajectory.start, Atom("f")) == 5


def test_a_step_that_changes_numbers_only_changes_something() -> None:
    _, trajectory = world_and_start()
    second = trajectory.steps[1].changes
    assert not list(second)
    assert second


@pytest.mark.parametrize(
    ("effect", "init", "changes"),
    [
        ("(increase (f) 1)", "(= (f) 0)", True),
        ("(increase (f) 0)", "(= (f) 0)", False),
        ("(assign (f) 5)", "(= (f) 5)", False),
        ("(and (assign (f) 5) (p))", "(= (f) 5) (p)", False),
        ("(and (assign (f) 5) (p))", "(= (f) 5)", True),
        # nobody can say that such an effect holds already
        ("(increase (f) 1)", "", True),
        ("(increase (f) (g))", "(= (f) 0)", True),
        ("(and (assign (f) (/ 1 (g))) (p))", "(= (f) 0) (= (g) 0) (p)", True),
    ],
)
def test_an_action_changes_something_unless_its_effects_hold_already(
    effect: str, init: str, changes: bool
) -> None:
    domain = parse_domain(DOMAIN.format(a=f":effect {effect}", b=""))
    problem = parse_problem(PROBLEM.format(init=init, goal="(and)", metric=""), domain=domain)
    world = World(domain)
    state = world.state(problem.objects, problem.initial, problem.values)
    assert world.changes(state, "a", ()) is changes


@pytest.mark.parametrize(
    ("amount", "is_applicable"),
    [
        ("(g)", True),
        ("(+ 1 (g))", True),
        ("(* (g) (g))", False),
        ("(+ 1 (* (g) (g)))", False),
        ("(- (* (g) (g)) 1)", False),
        ("(+ (f) (- 1 (* 2 (* (g) (g)))))", False),
        ("(/ (f) (g))", True),
    ],
)
def test_an_action_whose_amount_has_too_many_digits_is_not_applicable(
    amount: str, is_applicable: bool
) -> None:
    half = 2 ** (MAX_BITS // 2 + 1)
    precondition = "(and (>= (f) 0) (>= (g) 0))"
    domain = parse_domain(
        DOMAIN.format(a=f":precondition {precondition} :effect (increase (h) {amount})", b="")
    )
    world = World(domain)
    state = world.state({}, [], {Atom("f"): 1, Atom("g"): half, Atom("h"): 0})
    assert (world.first_failure(state, "a", ()) < 0) is is_applicable
    if is_applicable:
        world.apply(state, "a", ())


@pytest.mark.parametrize(
    ("amount", "failures"),
    [
        ("1", 1),
        ("(g)", 1),
        ("(+ (g) 1)", 1),
        ("(- 1 (- (g) (+ (g) (g))))", 1),
        ("(* (g) 2)", 2),
        ("(+ 1 (- 2 (* (g) 2)))", 2),
        ("(h)", 2),
        ("(+ (g) (h))", 2),
    ],
)
def test_a_sum_of_numbers_that_the_precondition_compares_is_not_tested_again(
    amount: str, failures: int
) -> None:
    body = f":precondition (and (>= (f) 0) (>= (g) 0)) :effect (increase (f) {amount})"
    world = World(parse_domain(DOMAIN.format(a=body, b="")))
    state = world.state({}, [], {Atom("f"): 1})
    # The number (g) is missing. So its condition fails, and what else is needed for the effect.
    assert len(list(world.failures(state, "a", ()))) == failures


def test_value_without_definition_is_an_error_that_names_the_term() -> None:
    world, trajectory = world_and_start()
    with pytest.raises(UndefinedError):
        world.value(trajectory.final, Atom("w", ("y",)))
    condition = NumericCondition(">=", Atom("w", ("y",)), 1)
    assert "(w y)" in world.why_undefined(trajectory.final, condition)
    assert not world.holds(trajectory.final, condition)
    assert values_told(trajectory, condition) == ""


def by_definition(sign: ArithmeticSign, operands: Sequence[int]) -> Fraction:
    """Return the value of an operation, taken from left to right."""
    operations = {"+": add, "-": sub, "*": mul, "/": truediv}
    return reduce(operations[sign], map(Fraction, operands))


@pytest.mark.parametrize("number", [2, 3, 49, 50, 51, 52, 60, 130])
@pytest.mark.parametrize("sign", ["+", "-", "*", "/"])
def test_any_number_of_operands_is_taken_from_left_to_right(
    sign: ArithmeticSign, number: int
) -> None:
    operands = [7, *(1 + at % 2 for at in range(number - 1))]
    world = World(parse_domain(DOMAIN.format(a="", b="")))
    expression = Arithmetic(sign, tuple(map(Fraction, operands)))
    value = world.value(world.state({}, []), expression)
    assert value == by_definition(sign, operands)


@pytest.mark.parametrize("sign", ["+", "-", "*", "/"])
def test_operands_that_no_single_expression_of_python_could_have_are_calculated(
    sign: ArithmeticSign,
) -> None:
    operands = [5, *(1 + (at % 2 if sign in "+-" else 0) for at in range(10_000))]
    world = World(parse_domain(DOMAIN.format(a="", b="")))
    value = world.value(world.state({}, []), Arithmetic(sign, tuple(map(Fraction, operands))))
    assert value == by_definition(sign, operands)


NAMED = """
(define (domain named) (:requirements :adl :numeric-fluents) (:types thing)
  (:functions (weight ?x - thing) (total) (limit))
  (:action weigh :parameters (?other-y - thing)
    :effect (forall (?y - thing) (when (not (= ?y ?other-y)) (assign (total) (weight ?y))))))
"""


@pytest.mark.parametrize(("things", "is_defined"), [(["a", "b"], True), (["a", "b", "c"], False)])
def test_variables_of_any_name_are_told_apart_where_changes_contradict_each_other(
    things: list[str], is_defined: bool
) -> None:
    """All things but one set the total: that is one value if there are two of them."""
    world = World(parse_domain(NAMED))
    values = {Atom("weight", (name,)): number for number, name in enumerate(things)}
    state = world.state(dict.fromkeys(things, "thing"), [], values)
    numbers = world.numbers(state, "weigh", ("a",))
    assert (world.first_failure(state, "weigh", numbers) < 0) is is_defined
    if is_defined:
        world.apply(state, "weigh", numbers)
        assert world.value(state, Atom("total")) == 1


def test_a_state_lists_the_numbers_that_it_has_by_function_and_object() -> None:
    world = World(parse_domain(NAMED))
    values = {Atom("limit"): 2, Atom("weight", ("b",)): 0.5, Atom("weight", ("a",)): 3}
    state = world.state(dict.fromkeys("ba", "thing"), [], values)
    assert list(state.numeric_facts()) == [
        (Atom("weight", ("b",)), Fraction(1, 2)),
        (Atom("weight", ("a",)), 3),
        (Atom("limit"), 2),
    ]
    plain = World(parse_domain("(define (domain d) (:predicates (p)))")).state({}, [])
    assert list(plain.numeric_facts()) == []
    plain.set_numbers([])
    with pytest.raises(InputError):
        plain.set_numbers([NumberChange((0,), None, 1)])


@pytest.mark.parametrize(
    ("term", "error"),
    [
        (Atom("wait", ("a",)), UnknownNameError),
        (Atom("weight", ("d",)), UnknownNameError),
        (Atom("weight"), InputError),
        (Atom("limit", ("a",)), InputError),
    ],
)
def test_a_function_term_that_there_is_not_is_refused(term: Atom, error: type[InputError]) -> None:
    world = World(parse_domain(NAMED))
    state = world.state({"a": "thing"}, [], {Atom("limit"): 2})
    with pytest.raises(error):
        world.value(state, term)
    with pytest.raises(error):
        world.holds(state, NumericCondition(">", Atom("limit"), term))
    with pytest.raises(UnknownNameError):
        world.state({"a": "thing"}, [], {Atom("wait"): 2})


def test_values_of_more_expressions_than_are_kept_are_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("eai.world.transition._MAX_CONDITIONS", 2)
    world = World(parse_domain(NAMED))
    values = {Atom("weight", (name,)): number for number, name in enumerate("abc", start=1)}
    state = world.state(dict.fromkeys("abc", "thing"), [], values)
    for _ in range(2):
        for amount in (1, 2, 3):
            for number, name in enumerate("abc", start=1):
                sum_of_both = Arithmetic("+", (Atom("weight", (name,)), amount))
                assert world.value(state, sum_of_both) == number + amount
