"""Assignments: a task, the suite that judges it, and under which semantics."""

from __future__ import annotations

from dataclasses import dataclass

from eai.contract import PLANS, Suite
from eai.diagnosis.judgement import Judgement
from eai.plans import checked_task
from eai.registry import given_suite
from eai.semantics import Semantics
from eai.simulators.base import Execution
from eai.task import Task
from eai.world.transition import World

__all__ = ["ABILITY", "Assignment"]

ABILITY = PLANS
"""The ability that replanning is about."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """A task to be planned for.

    Args:
        task: The task.
        suite: The suite that it is from.
        semantics: Under which semantics it is judged.
    """

    task: Task
    suite: Suite
    semantics: Semantics

    @classmethod
    def of(
        cls,
        task: str | Task,
        suite: str | Suite,
        semantics: str | Semantics | None = None,
    ) -> Assignment:
        """Look up what is given by name.

        Args:
            task: The task, or its identifier.
            suite: The suite, or its name.
            semantics: ``"official"``, ``"strict"``, or a ready one; by default what the suite
                prefers.

        Raises:
            UnknownNameError: If a name is not known.
            InputError: If the suite or the task is none.
            DataMissingError: If the suite's data was not fetched.
        """
        chosen = given_suite(suite)
        found = chosen.task(chosen.canonical_id(task)) if isinstance(task, str) else task
        found = checked_task(found)
        return cls(found, chosen, chosen.semantics(semantics or chosen.default_semantics))

    def judge(self, answer: str, semantics: Semantics | None = None) -> Judgement:
        """Judge an answer, under another semantics if one is given.

        Raises:
            InputError: If the answer is not text.
        """
        return self.suite.judge(ABILITY, self.task, answer, semantics or self.semantics)

    @property
    def world(self) -> World | None:
        """The world of its suite; None if the suite has no symbolic one."""
        plans = self.suite.plans
        return None if plans is None else plans.simulator(self.task, self.semantics).world

    def execution(self, answer: str) -> Execution | None:
        """Run an answer; None if it has grammar errors."""
        return self.suite.execution(self.task, answer, self.semantics)
