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
from eai.acting.views import Blind, View, describe
from eai.answers import Binder, PlanReading, ReadStep
from eai.diagnosis import Condition, GoalStatus, goal_conditions, goal_status
from eai.logic import format_formula
from eai.simulators import Environment, Execution, Observation, StepResult, SymbolicEnvironment
from eai.task import Task, Vocabulary
from eai.world import Action, State, Step, Trajectory

_FORM = """Answer with these lines; the last one is the action that is taken now, and only that one:
Plan: what you are going to do after it
Memory: what you want to remember
Action: NAME ARGUMENTS"""

_SEVERAL = """Answer with these lines; the last, at most {most}, are actions taken in this order:
Plan: what you are going to do after them
Memory: what you want to remember
Action: NAME ARGUMENTS
Action: NAME ARGUMENTS"""

_COUNTS = {0: "no argument", 1: "one argument", 2: "two arguments"}


@dataclass(frozen=True, slots=True)
class PlainBrief:
    """Tells an agent its task, its actions with their arities, what it did, and what it sees."""

    task: str
    actions: Mapping[str, int]
    objects: tuple[str, ...]
    place: str = "in a house"

    def __call__(self, situation: Situation) -> Sequence[Message]:
        """See :class:`eai.acting.turns.Brief`."""
        one = situation.actions == 1
        counted = (
            f"- {name.upper()}: {_COUNTS.get(count, f'{count} arguments')}"
            for name, count in sorted(self.actions.items())
        )
        parts = [
            f"You act {self.place}, {'one action at a time' if one else 'step by step'}. "
            "Names are used exactly as they stand here.",
            f"## Task\n{self.task}",
            "\n".join(["## Actions", *counted]),
            f"## Names of objects\n{', '.join(self.objects)}",
            f"## Answer\n{answer_form(_FORM, situation.actions)}",
        ]
        if situation.turns:
            lines = history(situation.turns, situation.feedback)
            parts.append("\n".join(["## Your actions so far", *lines]))
        parts += carried_over(situation)
        if situation.observation != Observation():  # else the view hides everything
            parts.append(f"## What you see now\n{describe(situation.observation)}")
        parts.append("Which action do you take now?" if one else "What do you do now?")
        return [{"role": "user", "content": "\n\n".join(parts)}]


def answer_form(single: str, most: int) -> str:
    """Say in which form to answer.

    Args:
        single: The form of an answer with one action.
        most: How many actions an answer may hold.
    """
    return single if most == 1 else _SEVERAL.format(most=most)


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
        self._start = task.start
        self._now: State | None = None
        self._steps: list[Step] = []

    def update(
        self, environment: Environment, action: Action | None, result: StepResult | None
    ) -> GoalStatus:
        """See :class:`eai.acting.turns.GoalMonitor`."""
        if isinstance(environment, SymbolicEnvironment):
            if result is None or result.success:
                self._last = self.status(environment.execution)
            return self._last
        if result is not None and not result.success:
            return self._last
        # Of another world only its states are known: what an action changed is their difference.
        now = environment.state()
        if self._now is None:
            self._start = now
        elif action is not None:
            self._steps.append(Step(action, len(self._steps) + 1, self._now.changes_to(now)))
        self._now = now
        trajectory = Trajectory(self._task.world, self._start, self._steps, now)
        self._last = self.status(Execution(trajectory, ("done",) * len(self._steps), ()))
        return self._last

    def status(self, execution: Execution) -> GoalStatus:
        """Say how far the goal is reached at the end of an execution."""
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
    score: Callable[[Task, Execution], tuple[Condition, ...]] | None = None,
    excluded: str = "",
    vocabulary: Vocabulary | None = None,
    views: Mapping[str, Callable[[], tuple[View, ...]]] | None = None,
    place: str = "in a house",
) -> EpisodeRules:
    """Say what an episode of a task is.

    Args:
        task: The task.
        score: Evaluates the conditions of its goal on an execution; by default at its end.
        excluded: Why the task does not count; empty if it does.
        vocabulary: The names that an answer may use, if these are more than those of the task.
        views: Policies of partial observation by name.
        place: Where the agent acts, as it is told.

    Raises:
        InputError: If the task counts and has no goal.
    """
    if not excluded:
        task.check_goal()
    names = tuple(name for name in task.start.universe.names if name in task.vocabulary.objects)

    def at_the_end(task: Task, execution: Execution) -> tuple[Condition, ...]:
        return goal_conditions(task.goal, execution.trajectory)

    # what to do: the instruction, and what has to be true at the end
    conditions = [format_formula(formula) for _, formula in next(iter(task.goal.final), ())]
    actions = [f"the action {' or '.join(goal.names).upper()}" for goal in task.goal.actions]
    goal = [task.goal.text] if task.goal.text else [*conditions, *actions]
    lines = [task.instruction, *(["What has to be reached:"] if goal else []), *goal]
    return EpisodeRules(
        goal=lambda: PlanGoal(task, score or at_the_end),
        read=task_reader(vocabulary or task.vocabulary),
        brief=PlainBrief("\n".join(filter(None, lines)), task.vocabulary.actions, names, place),
        limits=task_limits(task),
        objects=names,
        views={**(views or {}), "blind": lambda: (Blind(),)},
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
    """Make a reader of answers that looks names up as it is done for whole plans."""
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
