"""Constraints and preferences along plans with times."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from eai.errors import InputError
from eai.logic import Atom, Evaluation, Eventually, Formula, Rational, TimedMode, constraints
from eai.pddl import parse_domain, parse_problem
from eai.planning.timing import Timeline
from eai.suites.pddl import diagnose
from eai.suites.pddl.validation import Diagnosis
from eai.world import Action, Trajectory, world_of
from eai.world.trajectory import Step

SWITCHES = """
(define (domain switches) (:requirements :strips) (:predicates (p) (q))
  (:action p-on :parameters () :effect (p)) (:action p-off :parameters () :effect (not (p)))
  (:action q-on :parameters () :effect (q)) (:action q-off :parameters () :effect (not (q))))
"""
P, Q = Atom("p", ()), Atom("q", ())


def trajectory(p: list[bool], q: list[bool]) -> Trajectory:
    """Return a trajectory on which two facts are true at the given positions."""
    world = world_of(parse_domain(SWITCHES))
    start = world.state({}, [atom for atom, now in ((P, p[0]), (Q, q[0])) if now])
    state = start.begin()
    steps = []
    for number, now in enumerate(zip(p[1:], q[1:], strict=True), start=1):
        changes = []
        for name, value in zip("pq", now, strict=True):
            changes += world.apply(state, f"{name}-{'on' if value else 'off'}", ())
        steps.append(Step(Action("p-on"), number, changes))
    return Trajectory(world, start, steps, state)


def holds(mode: Formula, way: Trajectory, times: list[Rational]) -> bool:
    decided = Timeline(way, times).decide_timed_modes(mode)
    return bool(Evaluation(way).verdict(decided, reading="ltlf"))


truths = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=8)
bounds = st.integers(0, 9)


@given(truths, bounds, bounds)
def test_modes_at_whole_times_are_those_over_positions(
    truth: list[tuple[bool, bool]], first: int, second: int
) -> None:
    way = trajectory([p for p, _ in truth], [q for _, q in truth])
    begin, end = sorted((first, second))
    pairs = [
        (TimedMode("within", (first,), (P,)), constraints.within(first, P)),
        (TimedMode("always-within", (first,), (P, Q)), constraints.always_within(first, P, Q)),
        (TimedMode("hold-after", (first,), (P,)), constraints.hold_after(first, P)),
    ]
    if begin < end:
        during = constraints.hold_during(begin, end, P)
        pairs.append((TimedMode("hold-during", (begin, end), (P,)), during))
    times: list[Rational] = list(range(len(truth)))
    for timed, formula in pairs:
        expected = bool(Evaluation(way).verdict(formula, reading="ltlf"))
        assert holds(timed, way, times) is expected


@pytest.mark.parametrize(
    ("mode", "bounds", "p", "expected"),
    [
        ("within", (Fraction(5, 2),), [False, True, False], True),
        ("within", (Fraction(9, 4),), [False, True, False], False),
        ("hold-during", (1, 2), [True, False, False], True),
        ("hold-during", (1, Fraction(26, 10)), [True, False, False], False),
        ("hold-during", (3, 4), [True, False, True], False),
        ("hold-after", (Fraction(5, 2),), [False, False, True], True),
        ("hold-after", (9,), [False, False, True], True),
        ("hold-after", (1,), [True, False, True], False),
        ("hold-after", (4,), [True, True, False], False),
    ],
)
def test_modes_between_positions(
    mode: str, bounds: tuple[Rational, ...], p: list[bool], expected: bool
) -> None:
    way = trajectory(p, p)
    assert holds(TimedMode(mode, bounds, (P,)), way, [0, Fraction(5, 2), 4]) is expected


def test_modes_in_time_need_a_plan_with_times() -> None:
    way = trajectory([True], [True])
    with pytest.raises(InputError):
        Evaluation(way).verdict(Eventually(TimedMode("within", (1,), (P,))))


DOMAIN = """
(define (domain lamps) (:requirements :strips :durative-actions :constraints :preferences)
  (:types lamp) (:predicates (lit ?l - lamp) (free))
  (:durative-action light :parameters (?l - lamp) :duration (= ?duration 2)
    :condition (at start (free))
    :effect (and (at start (not (free))) (at end (free)) (at end (lit ?l)))))
"""
PROBLEM = """
(define (problem two) (:domain lamps) (:objects a b - lamp) (:init (free))
  (:goal (and (lit a) {soft}))
  (:constraints (and {constraints})) (:metric minimize (+ (total-time) (* 10 (is-violated k)))))
"""
ONE_AFTER_THE_OTHER = "0: (light a) [2]\n2.5: (light b) [2]"


def run(plan: str, *, soft: str = "", constraints: str = "") -> Diagnosis:
    domain = parse_domain(DOMAIN)
    text = PROBLEM.format(soft=soft, constraints=constraints)
    return diagnose(domain, parse_problem(text, domain=domain), plan)


@pytest.mark.parametrize(
    ("constraint", "kept"),
    [
        ("(within 4.5 (lit b))", True),
        ("(within 4.4 (lit b))", False),
        ("(forall (?l - lamp) (within 2 (lit ?l)))", False),
        ("(forall (?l - lamp) (within 1771.1 (lit ?l)))", True),
        ("(sometime-before (lit b) (lit a))", True),
        ("(sometime-before (lit a) (lit b))", False),
        ("(always-within 2.5 (lit a) (lit b))", True),
        ("(always-within 2.4 (lit a) (lit b))", False),
        ("(hold-during 2 2.5 (free))", True),
        ("(hold-during 2 2.6 (free))", False),
        ("(at-most-once (free))", False),
        ("(always (or (free) (not (lit b))))", True),
    ],
)
def test_constraint_along_a_plan_with_times(constraint: str, kept: bool) -> None:
    result = run(ONE_AFTER_THE_OTHER, soft="(preference k (lit b))", constraints=constraint)
    assert result.valid is kept
    if not kept:
        assert result.kind == "path_goal"
        assert len(result.reasons) == 1


def test_violations_along_a_plan_with_times_are_counted() -> None:
    late = "(forall (?l - lamp) (preference k (within 3 (lit ?l))))"
    result = run(ONE_AFTER_THE_OTHER, constraints=late)
    assert (result.valid, result.violated, result.cost) == (True, {"k": 1}, 14.5)
    only_a = run("0: (light a) [2]", soft="(preference k (lit b))")
    assert (only_a.violated, only_a.cost) == ({"k": 1}, 12)


def test_times_between_positions_of_a_plan_without_times() -> None:
    domain = parse_domain(SWITCHES.replace(":strips", ":strips :constraints"))
    text = (
        "(define (problem x) (:domain switches) (:init) (:goal (and))"
        " (:constraints (and ({} (p)))))"
    )
    plan = "(q-on)\n(p-on)\n(p-off)"
    for mode, kept in (
        ("within 2.9", True),
        ("within 1.9", False),
        ("hold-during 1.5 2.5", True),
        ("hold-during 1.5 3.5", False),
        ("within 100.5", None),
    ):
        written = text.format(mode)
        if kept is None:
            with pytest.raises(InputError):
                parse_problem(written, domain=domain)
            continue
        result = diagnose(domain, parse_problem(written, domain=domain), plan)
        assert result.valid is kept, mode
