"""How near a plan is to one that works: its least repair as a reward."""

from __future__ import annotations

from eai.answers import bind, read_plan
from eai.contract import Suite
from eai.planning.repair import RepairBounds
from eai.plans import repair
from eai.rewards.weights import NOTHING, SOLVED, Attempt
from eai.semantics import Semantics
from eai.task import Task

__all__ = ["RepairCourse"]

_BOUNDS = RepairBounds(edits=2, actions=20_000)
"""Further away the nearest reference plan counts."""


class RepairCourse:
    """Measures plans for one task by the edits that they need.

    Args:
        suite: The suite.
        task: The task.
        semantics: Under which semantics a task counts as solved.
    """

    def __init__(self, suite: Suite, task: Task, *, semantics: Semantics) -> None:
        self._suite = suite
        self._task = task
        self._semantics = semantics
        nothing = repair(task, (), bounds=_BOUNDS)
        self._far = nothing.distance or 0
        self._vocabulary = task.readable

    def attempt(self, answer: str | None) -> Attempt:
        """Say what an answer achieves: nothing if it needs as many edits as the empty plan."""
        task = self._task
        if self._suite.judge("action_sequencing", task, answer, self._semantics).success:
            return SOLVED
        plan = None if answer is None else bind(read_plan(answer), self._vocabulary)
        if plan is None or plan.findings or not self._far:
            return NOTHING
        edits = repair(task, plan.actions, bounds=_BOUNDS).distance
        if edits is None:
            return NOTHING
        return Attempt(False, repair=max(0.0, 1 - edits / self._far))
