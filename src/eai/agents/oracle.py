"""An agent that knows the task: it gives a plan that was found by search and judged before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from eai.abilities.subgoals import Subgoal, Way, ways_of
from eai.abilities.subgoals_branch import Branch
from eai.abilities.subgoals_search import pursue
from eai.agents.answers import format_plan
from eai.agents.assignment import Assignment
from eai.agents.messages import Message
from eai.diagnosis.runtime import DomainRules, Run
from eai.errors import InputError
from eai.logic.formula import And, Formula
from eai.semantics import Semantics
from eai.suites.base import Suite
from eai.task import Goal, Task
from eai.world.action import Action
from eai.world.transition import World

__all__ = ["OracleAgent"]

_OPTIONS = 3
"""So many alternatives of a goal are searched for."""


class OracleAgent:
    """Solves a task as well as we can, whatever it is told.

    The first plan that solves the task counts: the annotated ones, then those that search in
    the world finds, goal condition by goal condition (:mod:`eai.abilities.subgoals_search`).
    If none does, it gives the annotated plan, or an empty one.

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
        yield from map(self._text, _searched(self._assignment))

    def _text(self, plan: Sequence[Action]) -> str:
        return format_plan(plan, self._assignment.suite.name)


def _searched(assignment: Assignment) -> Iterator[tuple[Action, ...]]:
    """Plans that reach the goal in the world, part by part."""
    world, task = _world(assignment), assignment.task
    if world is None:
        return
    demanded = frozenset(name for goal in task.goal.actions for name in goal.names)
    for way in _ways(task.goal):
        start = Branch(Run(world, task.start, task.agent, demanded=demanded))
        subgoals = [Subgoal(str(part), ((part,),)) for part in way]
        for pursuit in pursue(start, subgoals, DomainRules()):
            if not pursuit.ended:
                yield tuple(pursuit.branch.actions)


def _world(assignment: Assignment) -> World | None:
    """The world of a suite, as it shows when any step is tried in it."""
    task = assignment.task
    objects = sorted(task.vocabulary.objects)
    for name, arity in task.vocabulary.actions.items():
        if arity <= len(objects):
            step = Action(name, tuple(objects[:arity]))
            execution = assignment.execution(format_plan([step], assignment.suite.name))
            if execution is not None:
                return execution.trajectory.world
    return None


def _ways(goal: Goal) -> Iterator[Way]:
    """Sequences of conditions on the way to a goal.

    The links of the goal in their order, then what has to hold at the end; of a conjunction
    first one condition, then two together, and so on.
    """
    finals = [[formula for _, formula in option] for option in goal.final[:_OPTIONS]]
    links: tuple[Way, ...] = ()
    if goal.formula is not None:
        try:
            links = ways_of(goal.formula)
        except InputError:
            links = ((),)
    for way in links[:_OPTIONS]:
        for final in finals:
            yield (*(part for link in way for part in _growing(link)), *_together(final))


def _growing(link: Formula) -> tuple[Formula, ...]:
    return _together(link.operands) if isinstance(link, And) else (link,)


def _together(conditions: Sequence[Formula]) -> tuple[Formula, ...]:
    return tuple(
        conditions[0] if number == 1 else And(tuple(conditions[:number]))
        for number in range(1, len(conditions) + 1)
    )
