"""An agent that knows the task: it gives a plan that was found by search and judged before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from eai.agents.answers import format_plan
from eai.agents.assignment import Assignment
from eai.agents.messages import Message
from eai.agents.search import search_plans
from eai.contract import Suite
from eai.semantics import Semantics
from eai.task import Task
from eai.world.action import Action

__all__ = ["OracleAgent"]


class OracleAgent:
    """Solves a task as well as we can, whatever it is told.

    The first plan that solves the task counts: the annotated ones, then those that the planner
    finds in the suite's world (:mod:`eai.agents.search`). If none does, it gives the annotated
    plan, or an empty one.

    Args:
        task: The task, or its identifier.
        suite: The suite that judges it, or its name.
        semantics: ``"official"``, ``"strict"`` or a ready one; by default what the suite prefers.
        annotated: Whether it knows the annotated plans.

    Raises:
        UnknownNameError: If a name is not known.
        InputError: If the suite is none.
        DataMissingError: If the suite's data was not fetched.
    """

    def __init__(
        self,
        task: str | Task,
        *,
        suite: str | Suite,
        semantics: str | Semantics | None = None,
        annotated: bool = True,
    ) -> None:
        self._assignment = Assignment.of(task, suite, semantics)
        self._annotated = annotated

    def __call__(self, _messages: Sequence[Message]) -> str:
        """Answer; the messages are not looked at."""
        return self.answer

    @cached_property
    def answer(self) -> str:
        """Its answer, found when it is first asked for."""
        for answer in self._answers():
            if self._assignment.judge(answer).success:
                return answer
        annotated = self._assignment.task.plans[:1] if self._annotated else ()
        return self._text(annotated[0] if annotated else ())

    def _answers(self) -> Iterator[str]:
        if self._annotated:
            yield from map(self._text, self._assignment.task.plans)
        yield from map(self._text, search_plans(self._assignment))

    def _text(self, plan: Sequence[Action]) -> str:
        return format_plan(plan, self._assignment.suite)
