"""Plans with times: durative actions and timed literals."""

from __future__ import annotations

from fractions import Fraction

import pytest

from eai.errors import InputError
from eai.logic import Atom
from eai.pddl import DURATION, format_domain, parse_domain, parse_problem
from eai.planning import Outcome, plan
from eai.suites.pddl.validation import Diagnosis, Validator
from eai.world import Action
from eai.world.temporal import Scheduler, TimedStep

DOMAIN = """
(define (domain d) (:requirements :adl :durative-actions :numeric-fluents)
  (:predicates (p) (q) (r) (s))
  (:functions (f) (g))
  (:durative-action a :parameters () :duration {duration}
    :condition (and {a_condition}) :effect (and {a_effect}))
  (:durative-action b :parameters () :duration (= ?duration 2)
    :condition (and {b_condition}) :effect (and {b_effect}))
  (:action now :parameters () :precondition (p) :effect (q)))
"""
PROBLEM = """
(define (problem x) (:domain d) (:init (= (f) 0) (= (g) 5) {init}) (:goal (and {goal})) {metric})
"""


def run(text: str, **parts: str) -> Diagnosis:
    """Validate a plan of a small task; parts that are not given are empty."""
    names = ("a_condition", "a_effect", "b_condition", "b_effect", "init", "goal", "metric")
    filled = {**dict.fromkeys(names, ""), "duration": "(= ?duration 5)", **parts}
    return Validator(DOMAIN.format(**filled), PROBLEM.format(**filled)).diagnose(text)


def end(diagnosis: Diagnosis) -> str:
    """Return ``valid``, ``goal``, or the number of the step that fails."""
    if diagnosis.valid:
        return "valid"
    return "goal" if diagnosis.failed_step is None else str(diagnosis.failed_step)


CASES = [
    # name, parts of the task, plan, how it ends
    ("an end effect is not there at its time",
     {"a_effect": "(at end (p))", "b_condition": "(at start (p))"},
     "0: (a) [5]\n5: (b) [2]", "2"),
    ("it is there after it",
     {"a_effect": "(at end (p))", "b_condition": "(at start (p))"},
     "0: (a) [5]\n5.001: (b) [2]", "valid"),
    ("reading what another deletes at once",
     {"a_effect": "(at start (not (p)))", "b_condition": "(at start (p))", "init": "(p)"},
     "0: (a) [5]\n0: (b) [2]", "2"),
    ("reading what another adds at once, though it holds",
     {"a_effect": "(at start (p))", "b_condition": "(at start (p))", "init": "(p)"},
     "0: (a) [5]\n0: (b) [2]", "2"),
    ("adding one fact at once", {"a_effect": "(at start (p))", "b_effect": "(at start (p))"},
     "0: (a) [5]\n0: (b) [2]", "valid"),
    ("adding and deleting at once",
     {"a_effect": "(at start (p))", "b_effect": "(at start (not (p)))"},
     "0: (a) [5]\n0: (b) [2]", "2"),
    ("increasing one number at once",
     {"a_effect": "(at start (increase (f) 1))", "b_effect": "(at start (increase (f) 2))",
      "goal": "(= (f) 3)"}, "0: (a) [5]\n0: (b) [2]", "valid"),
    ("assigning what another increases",
     {"a_effect": "(at start (assign (f) 1))", "b_effect": "(at start (increase (f) 2))"},
     "0: (a) [5]\n0: (b) [2]", "2"),
    ("reading a number that another changes",
     {"a_effect": "(at start (increase (f) 1))", "b_condition": "(at start (>= (f) 0))"},
     "0: (a) [5]\n0: (b) [2]", "2"),
    ("an invariant that its own start makes true",
     {"a_condition": "(over all (p))", "a_effect": "(at start (p))"}, "0: (a) [5]", "valid"),
    ("an invariant that is not there",
     {"a_condition": "(over all (p))"}, "0: (a) [5]", "1"),
    ("an invariant that another breaks",
     {"a_condition": "(over all (p))", "b_effect": "(at end (not (p)))", "init": "(p)"},
     "0: (a) [5]\n1: (b) [2]", "1"),
    ("an invariant that its own end breaks",
     {"a_condition": "(over all (p))", "a_effect": "(at end (not (p)))", "init": "(p)"},
     "0: (a) [5]", "valid"),
    ("an invariant that breaks after it",
     {"a_condition": "(over all (p))", "b_effect": "(at end (not (p)))", "init": "(p)"},
     "0: (a) [5]\n4: (b) [2]", "valid"),
    ("a duration nearly right", {}, "0: (a) [5.0005]", "valid"),
    ("a wrong duration", {}, "0: (a) [5.002]", "1"),
    ("a duration that is not given", {}, "0: (a)", "1"),
    ("a duration between bounds",
     {"duration": "(and (>= ?duration 2) (<= ?duration 4))"}, "0: (a) [3]", "valid"),
    ("a duration beyond a bound", {"duration": "(<= ?duration 4)"}, "0: (a) [4.5]", "1"),
    ("a duration from a number", {"duration": "(= ?duration (g))"}, "0: (a) [5]", "valid"),
    ("a duration in an effect",
     {"a_effect": "(at end (increase (f) (* 2 ?duration)))", "goal": "(= (f) 10)"},
     "0: (a) [5]", "valid"),
    ("steps that are not sorted",
     {"a_effect": "(at end (p))", "b_condition": "(at start (p))"},
     "6: (b) [2]\n0: (a) [5]", "valid"),
    ("an instant action beside them", {"a_effect": "(at end (p))", "goal": "(q)"},
     "0: (a) [5]\n6: (now)", "valid"),
    ("a fact that comes by itself", {"b_condition": "(at start (s))", "init": "(at 3 (s))"},
     "4: (b) [2]", "valid"),
    ("not before its time", {"b_condition": "(at start (s))", "init": "(at 3 (s))"},
     "2: (b) [2]", "1"),
    ("not at its time", {"b_condition": "(at start (s))", "init": "(at 3 (s))"},
     "3: (b) [2]", "1"),
    ("a fact that goes at the time at which it is read",
     {"b_condition": "(at start (s))", "init": "(s) (at 3 (not (s)))"},
     "3: (b) [2]", "1"),
    ("a fact that goes at the time at which a later step reads it",
     {"b_condition": "(at start (s))", "init": "(s) (at 9 (not (s)))"},
     "0: (a) [5]\n9: (b) [2]", "2"),
    ("a fact that goes by itself", {"goal": "(s)", "init": "(s) (at 9 (not (s)))"},
     "0: (b) [2]", "goal"),
    ("a condition at the end", {"a_condition": "(at end (p))", "b_effect": "(at end (p))"},
     "0: (a) [5]\n1: (b) [2]", "valid"),
    ("an effect under a condition",
     {"a_effect": "(when (at start (p)) (at start (q)))", "init": "(p)", "goal": "(q)"},
     "0: (a) [5]", "valid"),
    ("an action that there is not", {}, "0: (a) [5]\n6: (c) [1]", "2"),
    ("an argument too many", {}, "0: (a x) [5]", "1"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_plans_with_times(case: tuple[str, dict[str, str], str, str]) -> None:
    _, parts, text, expected = case
    assert end(run(text, **parts)) == expected


def test_value_of_total_time_is_the_end_of_the_last_action() -> None:
    found = run("0: (a) [5]\n1: (b) [2]", metric="(:metric minimize (+ (total-time) (g)))")
    assert (found.cost, found.measure) == (10, "value")
    assert run("0: (a) [5]\n1: (b) [2]").cost == 5


def test_failing_step_has_its_line_and_the_value_that_is_missing() -> None:
    text = "; a plan\n\n0: (a) [5]\n6: (b) [2]"
    effect = "(at start (decrease (g) 4))"
    found = run(text, a_effect=effect, b_condition="(at start (>= (g) 3))")
    assert (found.failed_step, found.line, found.kind) == (2, 4, "wrong_order")
    assert "1 >= 3" in found.reasons[0]
    assert "at step 1" in found.reasons[0]


def test_effect_at_the_very_time_is_a_wrong_order_that_names_its_step() -> None:
    effect, condition = "(at end (p))", "(at start (p))"
    found = run("0: (a) [5]\n5: (b) [2]", a_effect=effect, b_condition=condition)
    assert (found.failed_step, found.kind) == (2, "wrong_order")
    assert "step 1" in found.reasons[0]


@pytest.mark.parametrize("line", ["(a)", "-1: (a) [5]", "0: a [5]", "0: (a) [five]"])
def test_line_without_a_time_is_a_parsing_error_with_its_place(line: str) -> None:
    found = run(f"0: (b) [2]\n{line}")
    assert (found.valid, found.kind, found.line) == (False, "parsing", 2)


def test_tasks_with_times_are_not_planned_and_not_written() -> None:
    names = ("a_condition", "a_effect", "b_condition", "b_effect", "init", "goal", "metric")
    parts = {**dict.fromkeys(names, ""), "duration": "(= ?duration 5)"}
    domain = parse_domain(DOMAIN.format(**parts))
    problem = parse_problem(PROBLEM.format(**parts), domain=domain)
    assert plan(domain, problem).outcome is Outcome.REJECTED
    with pytest.raises(InputError):
        format_domain(domain)


def test_preferences_of_preconditions_in_plans_with_times_are_refused() -> None:
    names = ("a_condition", "a_effect", "b_condition", "b_effect", "init", "goal", "metric")
    parts = {**dict.fromkeys(names, ""), "duration": "(= ?duration 5)"}
    instant = "(:action c :parameters () :precondition (preference k (p)) :effect (q)) (:predicates"
    text = DOMAIN.format(**parts).replace("(:predicates", instant, 1)
    domain = parse_domain(text)
    with pytest.raises(InputError):
        Validator(domain, parse_problem(PROBLEM.format(**parts), domain=domain))


OBJECTS_DOMAIN = """
(define (domain d) (:requirements :adl :durative-actions :numeric-fluents) (:types thing)
  (:constants a b - thing)
  (:predicates (on ?x - thing) (off ?x - thing))
  (:functions (f ?x - thing) (limit))
  (:durative-action look :parameters () :duration (= ?duration 2)
    :condition (at start {condition}) :effect (at end (increase (limit) 1)))
  (:durative-action set :parameters (?x - thing) :duration (<= ?duration 5)
    :effect (and {effect})))
"""
OBJECTS_PROBLEM = """
(define (problem x) (:domain d)
  (:init (on a) (on b) (= (f a) 1) (= (f b) 2) (= (limit) 5)) (:goal (and {goal})))
"""


def run_with_objects(text: str, *, condition: str, effect: str, goal: str = "") -> str:
    domain = OBJECTS_DOMAIN.format(condition=condition, effect=effect)
    return end(Validator(domain, OBJECTS_PROBLEM.format(goal=goal)).diagnose(text))


OFF = "(at start (not (on ?x)))"
MORE = "(at start (increase (f ?x) 1))"


@pytest.mark.parametrize(
    ("condition", "effect", "expected"),
    [
        # What is read of some object is changed of one at the same time.
        ("(forall (?y - thing) (on ?y))", OFF, "2"),
        ("(exists (?y - thing) (on ?y))", OFF, "2"),
        ("(forall (?y - thing) (not (off ?y)))", OFF, "valid"),
        ("(on b)", OFF, "valid"),
        ("(on a)", OFF, "2"),
        ("(not (and (on a) (off b)))", OFF, "2"),
        ("(forall (?y - thing) (<= (f ?y) (limit)))", MORE, "2"),
        ("(<= (f a) (limit))", MORE, "2"),
        ("(<= (f b) (limit))", MORE, "valid"),
        ("(<= 1 (limit))", "(at start (assign (f ?x) (limit)))", "valid"),
        # Both change something else.
        ("(on b)", "(forall (?y - thing) (at start (off ?y)))", "valid"),
        ("(on b)", "(forall (?y - thing) (at start (not (on ?y))))", "2"),
        ("(on b)", "(at start (when (off a) (not (on b))))", "valid"),
    ],
)
def test_what_one_step_reads_no_other_changes_at_once(
    condition: str, effect: str, expected: str
) -> None:
    plan_text = "0: (look) [2]\n0: (set a) [3]"
    assert run_with_objects(plan_text, condition=condition, effect=effect) == expected
    # One after the other there is nothing to interfere.
    apart = "0: (look) [2]\n0.5: (set a) [3]"
    assert run_with_objects(apart, condition=condition, effect=effect) == "valid"


def test_a_step_without_duration_does_not_interfere_with_itself() -> None:
    effect = "(at start (not (on ?x))) (at end (on ?x))"
    found = run_with_objects("0: (set a) [0]", condition="(on a)", effect=effect, goal="(on a)")
    assert found == "valid"


def test_amounts_that_are_read_interfere_with_their_changes() -> None:
    effect = "(at start (assign (f ?x) (limit)))"
    # The end of look changes the limit at the time at which set reads it.
    at_once = "0: (look) [2]\n2: (set a) [3]"
    later = "0: (look) [2]\n2.5: (set a) [3]"
    assert run_with_objects(at_once, condition="(on a)", effect=effect) == "2"
    assert run_with_objects(later, condition="(on a)", effect=effect, goal="(= (f a) 6)") == "valid"


@pytest.mark.parametrize("duration", ["5", "5.001", "4.999"])
def test_a_duration_may_differ_by_the_tolerance(duration: str) -> None:
    assert end(run(f"0: (a) [{duration}]")) == "valid"


@pytest.mark.parametrize("duration", ["5.1", "4.9", "0"])
def test_another_duration_is_refused(duration: str) -> None:
    assert end(run(f"0: (a) [{duration}]")) == "1"


def test_a_duration_without_a_value_is_no_duration() -> None:
    domain_parts = {"duration": "(= ?duration (h))"}
    names = ("a_condition", "a_effect", "b_condition", "b_effect", "init", "goal", "metric")
    parts = {**dict.fromkeys(names, ""), **domain_parts}
    domain = DOMAIN.format(**parts).replace("(:functions (f) (g))", "(:functions (f) (g) (h))")
    found = Validator(domain, PROBLEM.format(**parts)).diagnose("0: (a) [5]")
    assert (found.valid, found.failed_step) == (False, 1)


def test_a_step_without_a_duration_ends_when_it_starts() -> None:
    duration = "(>= ?duration 0)"
    parts = {"duration": duration, "a_effect": "(at end (p))", "b_condition": "(at start (p))"}
    assert end(run("0: (a)\n0.5: (b) [2]", **parts)) == "valid"
    assert end(run("0: (a)\n0: (b) [2]", **parts)) == "2"
    assert end(run("0: (a)\n0.5: (b) [2]")) == "1"  # it has to take five units


def test_a_domain_needs_no_numbers_for_durations() -> None:
    domain = """(define (domain plain) (:requirements :durative-actions) (:predicates (p) (q))
      (:durative-action a :parameters () :duration () :condition (at start (q))
        :effect (at end (p))))"""
    problem = "(define (problem x) (:domain plain) (:init (q)) (:goal (p)))"
    assert end(Validator(domain, problem).diagnose("0: (a) [5]")) == "valid"


def test_a_domain_needs_no_numbers_for_facts_that_change_at_a_time() -> None:
    domain = parse_domain("""(define (domain plain) (:requirements :timed-initial-literals)
      (:predicates (p) (q)) (:action now :parameters () :precondition (q) :effect (p)))""")
    text = "(define (problem x) (:domain plain) (:init (at 2 (q)) (at 4 (not (q)))) (:goal (p)))"
    scheduler = Scheduler(domain, parse_problem(text, domain=domain))
    for time, works in ((1, False), (3, True), (5, False)):
        failure = scheduler.run([TimedStep(time, Action("now"))]).failure
        assert (failure is None) is works


@pytest.mark.parametrize(
    ("duration", "reason"),
    [("5", "condition"), ("5.001", "condition"), ("4.999", "condition"), ("5.1", "duration")],
)
@pytest.mark.parametrize("bounds", ["(= ?duration 5)", "(and (>= ?duration 5) (<= ?duration 5))"])
def test_a_duration_that_is_nearly_right_excuses_nothing_else(
    duration: str, reason: str, bounds: str
) -> None:
    scheduler = _scheduler(duration=bounds, a_condition="(at start (p))")
    failure = scheduler.run([TimedStep(0, Action("a"), Fraction(duration))]).failure
    assert failure is not None
    assert (failure.step, failure.reason) == (1, reason)


@pytest.mark.parametrize(
    ("parts", "steps", "reason", "other"),
    [
        ({"duration": "(= ?duration 5)"}, [("a", 0)], "duration", 0),
        ({"a_condition": "(at start (p))"}, [("a", 0)], "condition", 0),
        ({"a_condition": "(over all (p))"}, [("a", 0)], "invariant", 0),
        (
            {"a_condition": "(at start (p))", "b_effect": "(at start (p))"},
            [("b", 0), ("a", 0)],
            "condition",
            1,
        ),
        (
            {"a_effect": "(at start (p))", "b_effect": "(at start (not (p)))"},
            [("a", 0), ("b", 0)],
            "interference",
            1,
        ),
    ],
)
def test_a_failure_names_the_other_step_if_there_is_one(
    parts: dict[str, str], steps: list[tuple[str, int]], reason: str, other: int
) -> None:
    plan_with_times = [TimedStep(time, Action(name), 2) for name, time in steps]
    failure = _scheduler(**parts).run(plan_with_times).failure
    assert failure is not None
    assert (failure.reason, failure.other) == (reason, other)


def _scheduler(**more: str) -> Scheduler:
    names = ("a_condition", "a_effect", "b_condition", "b_effect", "init", "goal", "metric")
    parts = {**dict.fromkeys(names, ""), "duration": "(>= ?duration 0)", **more}
    domain = parse_domain(DOMAIN.format(**parts))
    return Scheduler(domain, parse_problem(PROBLEM.format(**parts), domain=domain))


@pytest.mark.parametrize(("time", "duration"), [(-1, 5), (0, -1), (-1, None), (-1, -1)])
def test_a_negative_time_or_duration_is_refused(time: int, duration: int | None) -> None:
    with pytest.raises(InputError):
        _scheduler().run([TimedStep(time, Action("a"), duration)])


def test_a_schedule_ends_with_the_last_of_its_steps() -> None:
    scheduler = _scheduler()
    assert scheduler.run([]).end == 0
    steps = [TimedStep(0, Action("a"), 5), TimedStep(2, Action("a"), 1), TimedStep(4, Action("a"))]
    assert scheduler.run(steps).end == 5
    assert scheduler.run(steps[1:]).end == 4


def test_all_that_happens_at_a_time_is_one_step_of_the_happenings() -> None:
    scheduler = _scheduler(
        a_effect="(at start (p)) (at start (increase (f) 1)) (at end (not (q)))",
        b_effect="(at start (q)) (at start (increase (g) 2)) (at end (r))",
    )
    schedule = scheduler.run([TimedStep(1, Action("a"), 2), TimedStep(1, Action("b"), 2)])
    assert schedule.failure is None
    assert len(schedule.trajectory.steps) == 4  # two starts and two ends
    joint, times = schedule.happenings()
    assert times == [0, 1, 3]
    assert [step.number for step in joint.steps] == [1, 1]
    p, q, r = (Atom(name) for name in "pqr")
    changed = [joint.changed(position) for position in (1, 2)]
    assert [(set(added), set(deleted)) for added, deleted in changed] == [
        ({p, q}, set()),
        ({r}, {q}),
    ]
    numbers = [(term, new) for term, _, new in joint.changed_numbers(1)]
    assert {(Atom("f"), 1), (Atom("g"), 7)} <= set(numbers)
    assert not {term for term, _, _ in joint.changed_numbers(2)} & {Atom("f"), Atom("g")}
    *_, last = joint.states()
    assert set(last.atoms()) == set(schedule.trajectory.final.atoms()) == {p, r}


@pytest.mark.parametrize(
    ("steps", "init", "duration"),
    [
        ([TimedStep(0, Action("a"), 5)], "", 5),
        ([TimedStep(0, Action("a"), 5), TimedStep(6, Action("now"))], "(p)", 0),
        ([TimedStep(0, Action("a"), 5)], "(at 6 (s))", 0),
        ([TimedStep(0, Action("a"), 5), TimedStep(1, Action("b"), 2)], "(at 4 (s))", 5),
    ],
)
def test_the_duration_is_that_of_the_last_event(
    steps: list[TimedStep], init: str, duration: int
) -> None:
    schedule = _scheduler(init=init).run(steps)
    assert schedule.failure is None
    assert dict(schedule.trajectory.final.numeric_facts())[DURATION] == duration
