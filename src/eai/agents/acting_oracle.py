"""An agent that knows what to do: it gives the steps of a plan that was tried before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from eai.agents.assignment import Assignment
from eai.agents.messages import Message
from eai.agents.search import search_plans
from eai.contract import INTERACTION
from eai.interaction.replies import format_action
from eai.interaction.verdicts import write_answers
from eai.world.action import Action

__all__ = ["ActingOracle"]


class ActingOracle:
    """Solves a task as well as we can, one action after the other, whatever it is told.

    The first plan whose steps lead to the goal counts: the annotated ones, then those that the
    planner finds in the suite's world (:mod:`eai.agents.search`). If none does, it follows the
    annotated plan; behind its last step it repeats that one.

    Args:
        assignment: The task, of a suite that can be acted in.
        annotated: Whether it knows the annotated plans.
    """

    def __init__(self, assignment: Assignment, *, annotated: bool = True) -> None:
        self._assignment = assignment
        self._annotated = annotated
        self._given = 0

    def __call__(self, _messages: Sequence[Message]) -> str:
        """Answer; the messages are not looked at."""
        at = min(self._given, len(self.answers) - 1)
        self._given += 1
        return self.answers[at] if self.answers else ""

    @cached_property
    def answers(self) -> tuple[str, ...]:
        """All its answers, found when the first is asked for."""
        for plan in self._plans():
            answers = tuple(map(format_action, plan))
            if self._solves(answers):
                return answers
        annotated = self._assignment.task.plans[:1] if self._annotated else ()
        return tuple(format_action(step) for plan in annotated for step in plan)

    def _plans(self) -> Iterator[Sequence[Action]]:
        if self._annotated:
            yield from self._assignment.task.plans
        yield from search_plans(self._assignment)

    def _solves(self, answers: Sequence[str]) -> bool:
        assignment = self._assignment
        text, semantics = write_answers(answers), assignment.semantics
        return assignment.suite.judge(INTERACTION, assignment.task, text, semantics).success
