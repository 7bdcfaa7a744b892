"""Ends of reference plans are ruled out only where they do not lead to the goal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, strategies as st

from eai.diagnosis import DomainRules
from eai.rewards.attempts import SOLVED, Attempt
from eai.rewards.progress import Progress, RememberedProgress
from eai.rewards.reference_ends import ReferenceEnds
from eai.simulators import Symbolic, execute
from eai.suites.pddl import Pddl
from eai.task import ActionGoal, Task
from eai.world import Action

DOMAIN = """
(define (domain depot)
  (:requirements :adl :numeric-fluents :derived-predicates)
  (:predicates (at ?x) (loaded ?x) (open ?x) (clean ?x) (near ?x))
  (:functions (fuel))
  (:derived (near ?x) (or (at ?x) (loaded ?x)))
  (:action go :parameters (?x) :precondition (>= (fuel) 1)
    :effect (and (forall (?y) (not (at ?y))) (at ?x) (decrease (fuel) 1)))
  (:action fill :parameters (?x) :precondition (at ?x) :effect (increase (fuel) 2))
  (:action open :parameters (?x) :precondition (and (near ?x) (not (open ?x))) :effect (open ?x))
  (:action shut :parameters (?x) :precondition (and (near ?x) (open ?x))
    :effect (and (not (open ?x)) (when (loaded ?x) (clean ?x))))
  (:action load :parameters (?x) :precondition (and (at ?x) (open ?x))
    :effect (and (loaded ?x) (forall (?y) (when (clean ?y) (not (clean ?y)))))))
"""
WITHOUT_NUMBERS = (
    DOMAIN.replace("(:functions (fuel))", "")
    .replace(":precondition (>= (fuel) 1)", "")
    .replace("(decrease (fuel) 1)", "")
    .replace("(increase (fuel) 2)", "(clean ?x)")
)
GOALS = {
    "state": "(and (clean a) (loaded b))",
    "either": "(or (and (clean a) (open b)) (and (near c) (loaded a)))",
    "number": "(and (loaded a) (>= (fuel) 1))",
}
PLAN = ("go(a)", "open(a)", "load(a)", "fill(a)", "go(b)", "open(b)", "load(b)", "shut(a)")


def step(text: str) -> Action:
    name, _, argument = text.rstrip(")").partition("(")
    return Action(name, (argument,))


@cache
def depot(goal: str, *, has_numbers: bool) -> Task:
    domain = DOMAIN if has_numbers else WITHOUT_NUMBERS
    fuel = "(= (fuel) 2)" if has_numbers else ""
    problem = (
        "(define (problem p) (:domain depot) (:objects a b c)"
        f" (:init (clean c) {fuel}) (:goal {GOALS[goal]}))"
    )
    task = Pddl.from_texts("depot", domain, {"task": problem}).task("task")
    return replace(task, plans=(tuple(map(step, PLAN)),))


TASKS = [("state", True), ("state", False), ("either", True), ("either", False), ("number", True)]
steps = st.builds(
    Action,
    st.sampled_from(["go", "fill", "open", "shut", "load"]),
    st.tuples(st.sampled_from(["a", "b", "c"])),
)
plans = st.lists(steps, max_size=8) | st.builds(
    lambda cut, more: [*map(step, PLAN[:cut]), *more],
    st.integers(0, 8),
    st.lists(steps, max_size=3),
)


def plainly(task: Task, plan: Sequence[Action]) -> Attempt:
    """The attempt of a plan that is run from the start, as nothing is remembered."""
    progress = Progress(task, task.world)
    simulator = Symbolic(task.world, DomainRules(described=False, skip=task.skips))
    execution = execute(simulator, task.start, plan, agent=task.agent)
    if execution.completed and progress.reached(execution.trajectory):
        return SOLVED
    return progress.measure(execution)


@pytest.mark.parametrize(("goal", "has_numbers"), TASKS)
def test_attempts_are_those_of_plans_run_from_the_start(goal: str, has_numbers: bool) -> None:
    task = depot(goal, has_numbers=has_numbers)
    remembered = RememberedProgress(task, graded=True)

    @given(st.lists(plans, min_size=1, max_size=3))
    def check(several: list[list[Action]]) -> None:
        for plan in several:
            numbers = [remembered.number(action) for action in plan]
            assert remembered.attempt(numbers) == plainly(task, plan)

    check()


def test_conditions_that_no_step_of_an_end_changes_rule_it_out() -> None:
    task = depot("state", has_numbers=False)
    progress = Progress(task, task.world)
    ends = ReferenceEnds(task, progress.goal, progress.plans[0])
    # At the start nothing is near, open or loaded, so most ends lack what the steps before them do.
    # The end of four steps begins with go(b); that shut(a) fails in it is told by the trial alone,
    # since open(b) changes the predicate that it needs.
    assert ends.possible(task.start, 0) == 1 << 8 | 1 << 4


def test_conditions_behind_one_that_never_changes_rule_out_ends_as_well() -> None:
    task = depot("state", has_numbers=False)
    fixed = WITHOUT_NUMBERS.replace("(near ?x))\n", "(near ?x) (fixed ?x))\n", 1)
    fixed = fixed.replace(":precondition (and ", ":precondition (and (fixed ?x) ")
    facts = "(clean c) (fixed a) (fixed b)"
    problem = (
        "(define (problem p) (:domain depot) (:objects a b c)"
        f" (:init {facts}) (:goal {GOALS['state']}))"
    )
    guarded = Pddl.from_texts("depot", fixed, {"task": problem}).task("task")
    guarded = replace(guarded, plans=task.plans)
    possible = []
    for each in (task, guarded):
        progress = Progress(each, each.world)
        ends = ReferenceEnds(each, progress.goal, progress.plans[0])
        possible.append(ends.possible(each.start, 0))
    assert possible[0] == possible[1]


LAMPS = """
(define (domain lamps)
  (:requirements :adl :numeric-fluents)
  (:predicates (at ?x) (dry) (lit ?x) (fixed ?x))
  (:action go :parameters (?x) :effect (and (forall (?y) (not (at ?y))) (at ?x)))
  (:action soak :parameters (?x) :effect (not (dry)))
  (:action wave :parameters (?x))
  (:action light :parameters (?x) :precondition (and (fixed ?x) (at ?x) (dry)) :effect (lit ?x)))
"""


@pytest.mark.parametrize(
    ("facts", "done", "ends"),
    [
        # The ends of "go(a), light(a)" take no step, one or two; a mask with a bit for each.
        ("(at a) (dry) (fixed a)", "", {1, 2}),
        ("(at b) (dry) (fixed a)", "", {2}),
        # What held at the start and does not any more rules out as well.
        ("(at a) (dry) (fixed a)", "go(b)", {2}),
        ("(at a) (dry) (fixed a)", "soak(a)", set()),
        ("(at b) (dry) (fixed a)", "soak(a)", set()),
        ("(at b) (dry) (fixed a)", "go(a)", {1, 2}),
        # What no step changes decides once and for all.
        ("(at a) (dry)", "", set()),
        ("(at a) (dry) (fixed a) (lit a)", "", {0, 1, 2}),
    ],
)
@pytest.mark.parametrize("has_numbers", [False, True])
def test_ends_are_ruled_out_by_what_does_not_hold_now(
    facts: str, done: str, ends: set[int], has_numbers: bool
) -> None:
    domain = LAMPS
    if has_numbers:  # what a comparison depends on is not known; it rules out nothing
        domain = LAMPS.replace("(lit ?x) (fixed ?x))", "(lit ?x) (fixed ?x)) (:functions (fuel))")
        domain = domain.replace(":precondition (and ", ":precondition (and (>= (fuel) 1) ")
        facts += " (= (fuel) 2)"
    problem = f"(define (problem p) (:domain lamps) (:objects a b) (:init {facts}) (:goal (lit a)))"
    task = Pddl.from_texts("lamps", domain, {"task": problem}).task("task")
    task = replace(task, plans=((step("go(a)"), step("light(a)")),))
    progress = Progress(task, task.world)
    state = task.start.begin()
    for action in map(step, filter(None, [done])):
        numbers = task.world.numbers(state, action.name, action.arguments)
        task.world.apply(state, action.name, numbers)
    possible = ReferenceEnds(task, progress.goal, progress.plans[0]).possible(state, 0)
    assert {length for length in range(3) if possible >> length & 1} == ends


@pytest.mark.parametrize(("matched", "ends"), [(0, {2, 3}), (1, {1, 2, 3}), (2, {0, 1, 2, 3})])
@pytest.mark.parametrize("conditions", [0, 1])
def test_ends_take_the_demanded_actions_that_are_left(
    matched: int, ends: set[int], conditions: int
) -> None:
    problem = (
        "(define (problem p) (:domain lamps) (:objects a b)"
        " (:init (at a) (dry) (fixed a)) (:goal (at a)))"
    )
    task = Pddl.from_texts("lamps", LAMPS, {"task": problem}).task("task")
    goal = replace(
        task.goal,
        actions=(ActionGoal(("wave",)), ActionGoal(("light", "go"))),
        final=tuple(option[:conditions] for option in task.goal.final),
    )
    task = replace(task, goal=goal, plans=((step("go(a)"), step("wave(a)"), step("light(a)")),))
    progress = Progress(task, task.world)
    possible = ReferenceEnds(task, progress.goal, progress.plans[0]).possible(task.start, matched)
    assert {length for length in range(4) if possible >> length & 1} == ends
