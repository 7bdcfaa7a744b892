"""What is gained of a goal, and how much of the way to it is left, on tiny tasks."""

from __future__ import annotations

from dataclasses import replace

import pytest
from causes_worlds import steps, workshop_task
from small_virtualhome import AGENT, action, small_task

import eai
from eai.diagnosis import DomainRules
from eai.rewards.progress import Progress
from eai.simulators import Execution, Symbolic, VirtualHomeSimulator, execute
from eai.suites.pddl import Pddl
from eai.task import Task

SIMULATOR = VirtualHomeSimulator()
SCENE = (
    "off lamp.8; off tv.9; open fridge.10; near lamp.8; near tv.9; near fridge.10; "
    + "; ".join(
        f"{word} {name}" for name in ("lamp.8", "tv.9") for word in ("has_switch", "plugged_in")
    )
)
PLAN = ["switchon lamp.8", "switchon tv.9", "touch fridge.10"]


def task(*, actions: list[str], plan: list[str] = PLAN) -> Task:
    states = ["on lamp.8", "on tv.9", "open fridge.10"]
    return small_task(f"{SCENE}; can_open fridge.10", states=states, actions=actions, plan=plan)


def run(found: Task, *steps: str) -> Execution:
    return execute(SIMULATOR, found.start, list(map(action, steps)), agent=AGENT)


def progress(found: Task) -> Progress:
    return Progress(found, SIMULATOR.world)


def test_only_what_has_to_be_done_is_in_the_denominator() -> None:
    found = task(actions=["TOUCH|PUSH"])
    shares = [
        progress(found).measure(run(found, *PLAN[:count])).goals for count in range(len(PLAN))
    ]
    assert shares == [0.0, 1 / 3, 2 / 3]
    assert progress(found).measure(run(found, "close fridge.10", PLAN[0])).goals == 0.0


def test_the_demanded_actions_belong_to_what_is_demanded() -> None:
    found = task(actions=["TOUCH|PUSH"])
    assert progress(found).reached(run(found, *PLAN).trajectory)
    assert not progress(found).reached(run(found, *PLAN[:2]).trajectory)
    assert progress(found).measure(run(found, *PLAN[:2])).way == 2 / 3


def test_demanded_actions_count_in_their_order() -> None:
    found = task(actions=["TOUCH", "PUSH"])
    assert progress(found).measure(run(found, "push fridge.10", "touch fridge.10")).goals == 1 / 4
    assert progress(found).measure(run(found, "touch fridge.10", "push fridge.10")).goals == 2 / 4


def test_without_a_reference_plan_that_works_there_is_no_way() -> None:
    found = task(actions=[], plan=["switchon lamp.8"])
    attempt = progress(found).measure(run(found, "switchon lamp.8", "grab fridge.10"))
    assert (attempt.goals, attempt.way, attempt.left) == (1 / 2, 0.0, 1 / 3)
    unknown = task(actions=[], plan=["fly lamp.8"])
    assert progress(unknown).measure(run(unknown, "switchon lamp.8")).way == 0.0


def test_leaving_the_way_again_is_not_rewarded_and_not_below_zero() -> None:
    found = task(actions=[])
    assert progress(found).measure(run(found, "close fridge.10")).way == 0.0
    assert progress(found).measure(run(found, PLAN[0], "switchoff lamp.8")).way == 0.0


@pytest.mark.parametrize(
    ("initially", "condition", "plan"),
    [
        # the first, the second and the only precondition of the last step is made true on the way
        ([], "painted(box)", "open_door; paint box"),
        (["wet box", "door_open"], "painted(box)", "dry; paint box"),
        (["wet box"], "painted(box)", "open_door; dry; paint box"),
        (["in box can", "in can pot"], "in(can, box)", "take box can; take can pot; put can box"),
    ],
)
def test_every_step_of_the_way_counts_the_same(
    initially: list[str], condition: str, plan: str
) -> None:
    reference = steps(plan)
    found = replace(workshop_task(condition, initially=initially), plans=(reference,))
    simulator = Symbolic(found.world, DomainRules())
    measured = Progress(found, simulator.world)
    length = len(reference)
    for done in range(length):
        execution = execute(simulator, found.start, reference[:done], agent=found.agent)
        assert measured.measure(execution).way == done / length


def test_the_nearest_of_several_reference_plans_counts() -> None:
    plans = (steps("open_door; press; paint box"), steps("open_window; paint box"))
    found = replace(workshop_task("painted(box)"), plans=plans)
    simulator = Symbolic(found.world, DomainRules())
    measured = Progress(found, simulator.world)
    assert measured.length == 2
    for first in ("open_window", "open_door"):
        execution = execute(simulator, found.start, steps(first), agent=found.agent)
        assert measured.measure(execution).way == 1 / 2


def test_demanded_actions_are_a_way_of_their_own() -> None:
    found = small_task(f"{SCENE}; can_open fridge.10", actions=["TOUCH", "PUSH"], plan=[])
    for final in ((), ((),)):
        assert progress(replace(found, goal=replace(found.goal, final=final))).length == 2
    attempt = progress(found).measure(run(found, "touch fridge.10", "grab fridge.10"))
    assert (attempt.goals, attempt.way, attempt.left) == (1 / 2, 0.0, 1 / 2)


@pytest.mark.parametrize("first", ["not wet(box)", "not wet(box) and not lit()"])
def test_an_alternative_that_asks_for_nothing_new_does_not_hide_the_others(first: str) -> None:
    """What holds from the start, but was lost, is no gain; the other alternative may be."""
    found = workshop_task(first, otherwise=["painted(can)", "door_open()"])
    simulator = Symbolic(found.world, DomainRules())
    execution = execute(simulator, found.start, steps("soak box; open_door"), agent=found.agent)
    assert Progress(found, simulator.world).measure(execution).goals == 1 / 2


COUNTER = """
(define (domain counter) (:requirements :numeric-fluents :constraints)
  (:predicates (on) (done)) (:functions (level))
  (:action up :parameters () :effect (increase (level) 1))
  (:action down :parameters () :effect (decrease (level) 1))
  (:action switch :parameters () :effect (on))
  (:action finish :parameters () :precondition (on) :effect (done)))
"""
RAISED_BEFORE = """
(define (problem p) (:domain counter) (:init (= (level) 0)) (:goal (done))
  (:constraints (sometime-before (done) (>= (level) 2))))
"""


@pytest.mark.parametrize(
    ("plan", "solved"),
    [
        ("switch finish", False),
        ("up switch finish", False),
        ("up up switch finish", True),
        ("up up down down switch finish", True),
        ("up switch up finish", True),
        ("switch finish up up", False),
        ("up up switch", False),
    ],
)
def test_numbers_on_the_way_count_beside_facts(plan: str, solved: bool) -> None:
    suite = Pddl.from_texts("counter", COUNTER, {"p": RAISED_BEFORE})
    steps = "\n".join(f"({name})" for name in plan.split())
    for kind in ("graded", "binary"):
        [value] = eai.reward(suite, "p", [steps], kind=kind)
        assert (value == 1) is solved
