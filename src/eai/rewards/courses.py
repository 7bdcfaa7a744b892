"""A task, ready for many answers: what depends on the task only is done once."""

from __future__ import annotations

from typing import Protocol

from eai.abilities.answers import Binder, read_plan
from eai.diagnosis.runtime import DomainRules
from eai.rewards.weights import NOTHING, SOLVED, Attempt
from eai.rewards.yardstick import Yardstick
from eai.semantics import Semantics
from eai.simulators.base import execute
from eai.simulators.virtualhome import VirtualHomeSimulator
from eai.suites.base import Suite
from eai.suites.household import Household
from eai.suites.virtualhome import VirtualHome
from eai.suites.virtualhome.scene import with_whole_scene
from eai.task import Task
from eai.world.transition import World

__all__ = ["Course", "JudgedCourse", "PlanCourse", "course"]


_OWN = (VirtualHome, Household)
"""Suites whose verdict a :class:`PlanCourse` gives; one that is derived from them may differ."""


class Course(Protocol):
    """A task on which answers are tried."""

    def attempt(self, answer: str | None) -> Attempt:
        """Say what an answer achieves."""
        ...


class JudgedCourse:
    """Asks the suite for its judgement: any suite, any ability.

    Args:
        suite: The suite.
        ability: Which ability the answers are about.
        task: The task.
        semantics: Which quirks are on.
        graded: Whether answers that do not solve the task are measured.
    """

    def __init__(
        self, suite: Suite, ability: str, task: Task, *, semantics: Semantics, graded: bool
    ) -> None:
        self._suite = suite
        self._ability = ability
        self._task = task
        self._semantics = semantics
        self._graded = graded
        self._yardstick: Yardstick | None = None

    def attempt(self, answer: str | None) -> Attempt:
        """See :meth:`Course.attempt`."""
        if self._suite.judge(self._ability, self._task, answer, self._semantics).success:
            return SOLVED
        if answer is None or not self._graded:
            return NOTHING
        execution = self._suite.execution(self._task, answer, self._semantics)
        if execution is None:
            return NOTHING
        return self._measure(execution.trajectory.world).measure(execution)

    def _measure(self, world: World) -> Yardstick:
        if self._yardstick is None:
            self._yardstick = Yardstick(self._task, world, whole=_whole(self._suite))
        return self._yardstick


class PlanCourse:
    """Runs plans in the VirtualHome world without describing what is wrong with them.

    The verdict is that of the suites ``virtualhome`` and ``household`` under ``strict``.

    Args:
        suite: One of these suites.
        task: The task.
        graded: Whether answers that do not solve the task are measured.
    """

    def __init__(self, suite: Suite, task: Task, *, graded: bool) -> None:
        task.start.universe.number(task.agent)  # a task without its agent is nobody's failure
        self._task = task
        self._graded = graded
        self._simulator = VirtualHomeSimulator(rules=DomainRules(described=False))
        self._binder = Binder(with_whole_scene(task).vocabulary)
        self._yardstick = Yardstick(task, self._simulator.world, whole=_whole(suite))

    def attempt(self, answer: str | None) -> Attempt:
        """See :meth:`Course.attempt`."""
        if answer is None:
            return NOTHING
        actions = self._binder.actions(read_plan(answer))
        if actions is None:
            return NOTHING
        task = self._task
        execution = execute(self._simulator, task.start, actions, agent=task.agent)
        if execution.completed and self._yardstick.reached(execution.trajectory):
            return SOLVED
        return self._yardstick.measure(execution) if self._graded else NOTHING


def _whole(suite: Suite) -> bool:
    """Whether a suite wants the formula to hold, beside the goal's conditions."""
    return isinstance(suite, Household)


def course(
    suite: Suite, ability: str, task: Task, *, semantics: Semantics, kind: str
) -> Course | str:
    """Prepare a task.

    Args:
        suite: The suite.
        ability: Which ability the answers are about.
        task: The task.
        semantics: Which quirks are on.
        kind: The kind of reward.

    Returns:
        The prepared task; or, if it cannot be rewarded, why not.
    """
    made: Course
    # The published evaluator counts tasks without a goal, which any plan solves.
    for each in (semantics, suite.semantics("strict")):
        if suite.judge(ability, task, None, each).status == "excluded":
            return f"the suite {suite.name!r} does not count it under {each.name!r}"
    if kind == "repair":
        from eai.rewards.repairs import RepairCourse

        made = RepairCourse(suite, task, semantics=semantics)
    elif ability == "action_sequencing" and type(suite) in _OWN and not semantics.quirks:
        made = PlanCourse(suite, task, graded=kind == "graded")
    else:
        made = JudgedCourse(suite, ability, task, semantics=semantics, graded=kind == "graded")
    for nothing, answer in (("the empty plan", "[]"), ("an empty answer", "")):
        if made.attempt(answer).solved:
            return f"{nothing} solves it"
    return made
