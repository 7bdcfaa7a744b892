"""How far a goal is reached: which share of its conditions, and whether altogether."""

from __future__ import annotations

from dataclasses import replace

import pytest
from causes_worlds import steps, workshop_task

from eai.diagnosis import Condition, DomainRules, GoalStatus, GoalTests, Result, goal_status
from eai.simulators import Symbolic, execute


def conditions(*met: bool) -> tuple[Condition, ...]:
    return tuple(Condition("state", f"lit({number})", met=each) for number, each in enumerate(met))


@pytest.mark.parametrize(
    ("met", "share", "reached"),
    [
        ([], 1.0, True),
        ([True], 1.0, True),
        ([False], 0.0, False),
        ([True, False, False, False], 1 / 4, False),
        ([True, True], 1.0, True),
    ],
)
def test_the_share_is_that_of_the_conditions(met: list[bool], share: float, reached: bool) -> None:
    status = GoalStatus.of(conditions(*met))
    assert (status.share, status.reached) == (share, reached)


def test_without_conditions_the_share_says_whether_the_goal_is_reached() -> None:
    assert GoalStatus(reached=True).share == 1.0
    assert GoalStatus(reached=False).share == 0.0


@pytest.mark.parametrize(
    ("plan", "reached", "met", "formula_holds"),
    [
        ("open_door; paint box", True, (True,), True),
        ("open_window; paint box", False, (True,), False),
        ("open_door", False, (False,), True),
        ("", False, (False,), False),
    ],
)
def test_a_goal_is_reached_if_its_conditions_are_met_and_its_formula_holds(
    plan: str, reached: bool, met: tuple[bool, ...], formula_holds: bool
) -> None:
    task = workshop_task("painted(box)", formula="F door_open()")
    simulator = Symbolic(task.world, DomainRules())
    trajectory = execute(simulator, task.start, steps(plan), agent="robot").trajectory
    status = goal_status(task.goal, trajectory)
    assert status.reached is reached
    assert tuple(condition.met for condition in status.conditions) == met
    assert status.formula_holds is formula_holds


def test_conditions_are_counted_by_their_kind() -> None:
    goals = (
        Condition("state", "lit(a)", met=True),
        Condition("state", "lit(b)", met=False),
        Condition("relation", "on(a, b)", met=True),
    )
    result = Result("evaluated", goals=goals)
    assert [result.count(kind) for kind in ("state", "relation", "action")] == [
        (1, 2),
        (1, 1),
        (0, 0),
    ]


@pytest.mark.parametrize(
    ("plan", "matched", "reached"),
    [
        ("open_door; press; paint box", 2, True),
        ("press; open_door; paint box", 1, False),  # press has to follow
        ("open_door; press", 2, False),
        ("open_door; paint box", 1, False),
        ("", 0, False),
    ],
)
def test_demanded_actions_in_order_and_conditions_are_reached_together(
    plan: str, matched: int, reached: bool
) -> None:
    task = workshop_task("painted(box)", actions=["open_door", "press"])
    simulator = Symbolic(task.world, DomainRules())
    trajectory = execute(simulator, task.start, steps(plan), agent="robot").trajectory
    tests = GoalTests(task.goal, simulator.world, task.start)
    assert tests.matched(trajectory.steps) == matched
    assert tests.reached(trajectory.steps, trajectory.final, matched) is reached


@pytest.mark.parametrize(
    ("formula", "whole", "reached"),
    [
        ("F door_open()", True, True),
        ("F window_open()", True, False),
        ("F window_open()", False, True),  # only the conditions decide
    ],
)
def test_a_formula_decides_beside_the_conditions_if_the_goal_says_so(
    formula: str, whole: bool, reached: bool
) -> None:
    task = workshop_task("painted(box)", formula=formula)
    goal = replace(task.goal, whole=whole)
    simulator = Symbolic(task.world, DomainRules())
    plan = steps("open_door; paint box")
    trajectory = execute(simulator, task.start, plan, agent="robot").trajectory
    tests = GoalTests(goal, simulator.world, task.start)
    assert tests.reached(trajectory.steps, trajectory.final, 0) is reached
    assert goal_status(goal, trajectory).reached is reached


def test_one_alternative_is_enough_and_without_any_the_rest_decides() -> None:
    task = workshop_task("painted(box)", "lit()", otherwise=["aired()"])
    simulator = Symbolic(task.world, DomainRules())
    for plan, reached in (("open_door", True), ("press", False), ("press; open_door", True)):
        trajectory = execute(simulator, task.start, steps(plan), agent="robot").trajectory
        tests = GoalTests(task.goal, simulator.world, task.start)
        assert tests.reached(trajectory.steps, trajectory.final, 0) is reached
    nothing = GoalTests(replace(task.goal, final=()), simulator.world, task.start)
    assert nothing.reached([], task.start, 0)


@pytest.mark.parametrize("met", [(), (True,), (False,), (True, False), (False, True), (True, True)])
def test_all_conditions_have_to_be_met_whoever_counts_them(met: tuple[bool, ...]) -> None:
    task = workshop_task("painted(box)", "not wet(can)")
    execution = execute(Symbolic(task.world, DomainRules()), task.start, (), agent=task.agent)
    status = goal_status(task.goal, execution.trajectory, conditions(*met))
    assert status.reached is all(met)
    assert status.conditions == conditions(*met)
    assert not goal_status(task.goal, execution.trajectory).reached
