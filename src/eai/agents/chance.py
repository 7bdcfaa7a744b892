"""Actions that fail by chance (paper, section H.4).

Every action that is executed has no effect with a fixed probability, independently of the
others. The agent sees that it failed, and the plan ends there: what was planned behind it was
planned for another state. What was reached until then is judged like the plan up to that step.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from eai.agents.assignment import Assignment
from eai.diagnosis.judgement import Judgement
from eai.errors import InputError
from eai.world.trajectory import Step

__all__ = ["Chance"]


class Chance:
    """Lets actions fail.

    Args:
        probability: Of failing, for each action, from 0 to 1.
        seed: With the same seed the same attempts at the same task fail at the same places.

    Raises:
        InputError: If the probability is none.
    """

    def __init__(self, probability: float = 0.0, seed: int = 0) -> None:
        if not 0 <= probability <= 1:
            raise InputError(
                f"a failure probability of {probability}", expected="a number from 0 to 1"
            )
        self.probability = probability
        self.seed = seed

    def judge(
        self, assignment: Assignment, answer: str, attempt: int
    ) -> tuple[Judgement, int | None]:
        """Judge an answer whose actions may fail.

        Args:
            assignment: The task.
            answer: The answer.
            attempt: Number of the attempt, for which the dice are thrown anew.

        Returns:
            The judgement, and the number of the step that failed by chance, if one did. That is
            nobody's mistake: it is no finding, and the judgement's notes say it.
        """
        judgement = assignment.judge(answer)
        if not self.probability or judgement.status != "judged":
            return judgement, None
        execution = assignment.execution(answer)
        steps = () if execution is None else execution.trajectory.steps
        # A text as seed means the same on every platform.
        dice = random.Random(f"{self.seed}/{assignment.task.id}/{attempt}")  # noqa: S311
        for position, step in enumerate(steps):
            if dice.random() < self.probability:
                return _cut(judgement, assignment, steps[:position], step.number), step.number
        return judgement, None


def _cut(
    judgement: Judgement, assignment: Assignment, done: Sequence[Step], failed: int
) -> Judgement:
    """The judgement on a plan that ended before a step."""
    task, semantics, plans = assignment.task, assignment.semantics, assignment.suite.plans
    assert plans is not None  # noqa: S101 - there was an execution
    before = plans.judge_actions(task, [step.action for step in done], semantics)
    left = len(judgement.plan) - failed
    action = judgement.plan[failed - 1]
    return replace(
        before,
        success=before.success and not plans.must_execute(semantics),
        executable=False,
        plan=judgement.plan,
        executed=(*judgement.executed[: failed - 1], "failed", *["not reached"] * left),
        findings=(
            *(f for f in judgement.findings if f.step is not None and f.step < failed),
            *(f for f in before.findings if f.step is None),
        ),
        notes=(*judgement.notes, f"step {failed}, {action}, failed by chance"),
    )
