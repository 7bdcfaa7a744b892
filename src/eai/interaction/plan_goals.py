"""Goals of tasks that plans are written for, watched while an agent acts."""

from __future__ import annotations

from collections.abc import Callable

from eai.diagnosis.goals import GoalStatus
from eai.diagnosis.judgement import Condition
from eai.errors import InputError
from eai.interaction.protocol import Environment, StepResult
from eai.interaction.symbolic import SymbolicEnvironment
from eai.logic import evaluate
from eai.logic.formula import Then
from eai.simulators.base import Execution
from eai.task import Task
from eai.world.action import Action

__all__ = ["PlanGoal"]


class PlanGoal:
    """The goal of a task, judged as that of a plan of the actions that were done so far.

    A step that failed spoils nothing, and neither does one that was not needed.

    Args:
        task: The task.
        score: Judges the conditions of its goal on an execution.
        ordered: Whether what the goal demands one after the other has to come about in that
            order, too.
    """

    def __init__(
        self,
        task: Task,
        score: Callable[[Task, Execution], tuple[Condition, ...]],
        *,
        ordered: bool = False,
    ) -> None:
        self._task = task
        self._score = score
        formula = task.goal.formula if ordered else None
        self._order = formula if isinstance(formula, Then) else None
        self._last = GoalStatus(False)

    def update(
        self, environment: Environment, _action: Action | None, result: StepResult | None
    ) -> GoalStatus:
        """See :class:`eai.interaction.rules.GoalMonitor`.

        Raises:
            InputError: If the environment is none of a symbolic world.
        """
        if not isinstance(environment, SymbolicEnvironment):
            raise InputError(
                f"the goal of {self._task.id!r} cannot be judged in a {type(environment).__name__}",
                expected="a SymbolicEnvironment, as the suite sets it up",
            )
        if result is None or result.success:
            self._last = self._status(environment.execution)
        return self._last

    def _status(self, execution: Execution) -> GoalStatus:
        conditions = self._score(self._task, execution)
        if self._order is not None:
            met = bool(evaluate(self._order, execution.trajectory))
            conditions = (*conditions, Condition("action", self._task.goal.text, met))
        return GoalStatus.of(conditions)
