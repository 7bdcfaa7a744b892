"""A task, ready for many answers: what depends on the task only is done once."""

from __future__ import annotations

from typing import Protocol

from eai.answers import Binder, read_plan
from eai.contract import Suite
from eai.diagnosis.runtime import DomainRules
from eai.rewards.weights import NOTHING, SOLVED, Attempt
from eai.rewards.yardstick import Yardstick
from eai.semantics import Semantics
from eai.simulators.base import Symbolic, execute
from eai.task import Task
from eai.world.transition import World

__all__ = ["Course", "JudgedCourse", "PlanCourse", "course"]


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
            self._yardstick = Yardstick(self._task, world)
        return self._yardstick


class PlanCourse:
    """Runs plans without describing what is wrong with them; the verdict is that of ``strict``.

    Args:
        task: The task.
        graded: Whether answers that do not solve the task are measured.
    """

    def __init__(self, task: Task, *, graded: bool) -> None:
        task.start.universe.number(task.agent)  # a task without its agent is nobody's failure
        self._task = task
        self._graded = graded
        self._simulator = Symbolic(task.world, DomainRules(described=False))
        self._binder = Binder(task.readable)
        self._yardstick = Yardstick(task, self._simulator.world)

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
    elif suite.by_definition(ability, semantics):
        made = PlanCourse(task, graded=kind == "graded")
    else:
        made = JudgedCourse(suite, ability, task, semantics=semantics, graded=kind == "graded")
    for nothing, answer in (("the empty plan", "[]"), ("an empty answer", "")):
        if made.attempt(answer).solved:
            return f"{nothing} solves it"
    return made
