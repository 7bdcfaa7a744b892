"""What an agent is sent before a turn, in plain words.

It is one message. What stays the same in an episode comes first, so that it need not be read
anew every time by a model that keeps what it has read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from eai.acting.episode import ConsecutiveFailures, HardLimit, Limit, Repeats, history
from eai.acting.replies import Message, Reply, read_reply
from eai.acting.turns import EpisodeRules, Situation
from eai.acting.views import View, describe
from eai.answers import Binder, PlanReading, ReadStep
from eai.diagnosis import Condition, GoalStatus, goal_status
from eai.errors import InputError
from eai.logic import format_formula
from eai.simulators import Environment, Execution, StepResult, SymbolicEnvironment
from eai.task import Task, Vocabulary
from eai.world import Action

_FORM = """Answer with these lines; the last one is the action that is taken now, and only that one:
Plan: what you are going to do after it
Memory: what you want to remember
Action: NAME ARGUMENTS"""

_COUNTS = {0: "no argument", 1: "one argument", 2: "two arguments"}


@dataclass(frozen=True, slots=True)
class PlainBrief:
    """Tells an agent its task, its actions, what it did, and what it sees.

    Args:
        actions: The actions, each with its number of arguments.
        objects: The names that an argument may be.
    """

    task: str
    actions: Mapping[str, int]
    objects: tuple[str, ...]

    def __call__(self, situation: Situation) -> Sequence[Message]:
        """See :class:`eai.acting.turns.Brief`."""
        parts = [*self._opening(), *_now(situation)]
        return [{"role": "user", "content": "\n\n".join(parts)}]

    def _opening(self) -> Iterable[str]:
        counted = (
            f"- {name.upper()}: {_COUNTS.get(count, f'{count} arguments')}"
            for name, count in sorted(self.actions.items())
        )
        yield "You act in a house, one action at a time. Names are used exactly as they stand here."
        yield f"## Task\n{self.task}"
        yield "\n".join(["## Actions", *counted])
        yield "\n".join(["## Names of objects", ", ".join(self.objects)])
        yield f"## Answer\n{_FORM}"


def _now(situation: Situation) -> Iterable[str]:
    if situation.turns:
        lines = history(situation.turns, situation.feedback)
        yield "\n".join(["## Your actions so far", *lines])
    yield from carried_over(situation)
    yield f"## What you see now\n{describe(situation.observation)}"
    yield "Which action do you take now?"


def carried_over(situation: Situation, *, plan: bool = False) -> Iterable[str]:
    """Yield the plan and the notes of the last answer, as parts of a message.

    Args:
        situation: How things stand, and whether they are told.
        plan: Whether the plan is told in any case.
    """
    if not situation.turns:
        return
    reply = situation.turns[-1].reply
    if reply.plan and (plan or situation.carried):
        yield f"## Your plan, as you wrote it last\n{reply.plan}"
    if reply.memory and situation.carried:
        yield f"## What you wanted to remember\n{reply.memory}"


class PlanGoal:
    """The goal of a task, evaluated as that of a plan of the actions that were done so far.

    A step that failed spoils nothing, and neither does one that was not needed. A formula that
    has to hold on the whole trajectory is a condition of its own if it is about more than the
    final state.
    """

    def __init__(
        self, task: Task, score: Callable[[Task, Execution], tuple[Condition, ...]]
    ) -> None:
        self._task = task
        self._score = score
        self._last = GoalStatus(False)

    def update(
        self, environment: Environment, _action: Action | None, result: StepResult | None
    ) -> GoalStatus:
        """See :class:`eai.acting.turns.GoalMonitor`.

        Raises:
            InputError: If the environment is none of a symbolic world.
        """
        if not isinstance(environment, SymbolicEnvironment):
            raise InputError(
                f"the goal of {self._task.id!r} cannot be evaluated in a "
                f"{type(environment).__name__}",
                expected="a SymbolicEnvironment, as the suite sets it up",
            )
        if result is None or result.success:
            self._last = self._status(environment.execution)
        return self._last

    def _status(self, execution: Execution) -> GoalStatus:
        goal, conditions = self._task.goal, self._score(self._task, execution)
        status = goal_status(goal, execution.trajectory, conditions)
        if not (goal.whole and goal.is_extended):
            return status
        whole = Condition("action", goal.text, bool(status.formula_holds), formula=goal.formula)
        return replace(status, conditions=(*conditions, whole))


_REFUSALS = {
    "affordance": "affordance",
    "missing_step": "state",
    "wrong_order": "state",
    "additional_step": "state",
}
"""Kind of error of a step to the reason under which a report of episodes counts it."""


def task_rules(
    task: Task,
    *,
    score: Callable[[Task, Execution], tuple[Condition, ...]],
    excluded: str = "",
    vocabulary: Vocabulary | None = None,
    views: Mapping[str, Callable[[], tuple[View, ...]]] | None = None,
) -> EpisodeRules:
    """Say what an episode of a task is.

    Args:
        task: The task.
        score: Evaluates the conditions of its goal on an execution.
        excluded: Why the task does not count; empty if it does.
        vocabulary: The names that an answer may use, if these are more than those of the task.
        views: Policies of partial observation by name.

    Raises:
        InputError: If the task counts and has no goal.
    """
    if not excluded:
        task.check_goal()
    names = tuple(name for name in task.start.universe.names if name in task.vocabulary.objects)
    return EpisodeRules(
        goal=lambda: PlanGoal(task, score),
        read=task_reader(vocabulary or task.vocabulary),
        brief=PlainBrief(_demand(task), task.vocabulary.actions, names),
        limits=task_limits(task),
        objects=names,
        views=views or {},
        reference_steps=len(task.plans[0]) if task.plans else None,
        refusals=_REFUSALS,
        excluded=excluded,
    )


def task_limits(task: Task) -> tuple[Limit, ...]:
    """The limits of an episode, by the length n of the annotated plan.

    Twice as many turns as the plan has steps, at least 20 (50 if there is no plan); 8 times the
    same; 10 failures in a row. These are the numbers of AsgardBench's paper (section 3), without
    its soft limit.
    """
    steps = len(task.plans[0]) if task.plans else 25
    return (Repeats(8), ConsecutiveFailures(10), HardLimit(max(2 * steps, 20)))


def task_reader(vocabulary: Vocabulary) -> Callable[[str], Reply]:
    """Make a reader of answers that looks names up as it is done for whole plans.

    Args:
        vocabulary: The names that an answer may use.
    """
    binder = Binder(vocabulary)

    def read(text: str) -> Reply:
        reply = read_reply(text)
        if reply.action is None:
            return reply
        step = ReadStep(reply.action.name, reply.action.arguments)
        bound = binder.bind(PlanReading((step,)))
        if bound.findings:
            finding = bound.findings[0]
            return reply.refused(finding.kind, finding.message)
        return replace(reply, action=bound.actions[0])

    return read


def _demand(task: Task) -> str:
    """What to do: the instruction, and what has to be true at the end."""
    conditions = [format_formula(formula) for _, formula in next(iter(task.goal.final), ())]
    actions = [f"the action {' or '.join(goal.names).upper()}" for goal in task.goal.actions]
    goal = [task.goal.text] if task.goal.text else [*conditions, *actions]
    lines = [task.instruction, *(["What has to be reached:"] if goal else []), *goal]
    return "\n".join(filter(None, lines))
