"""Episodes of tasks whose worlds are PDDL: the brief in plain words, the goal, the rules.

The brief is one message. Its constant part comes first, so that models with a prompt cache read it
once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from eai.acting.episode import ConsecutiveFailures, Episode, HardLimit, Limit, Repeats, history
from eai.acting.replies import Message, Reply, read_reply
from eai.acting.turns import EpisodeRules, Situation
from eai.acting.views import Blind, View, describe
from eai.answers import Binder, PlanReading, ReadStep
from eai.diagnosis import (
    RUNTIME,
    Condition,
    ErrorKind,
    GoalStatus,
    goal_conditions,
    goal_status,
)
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
"""Number of arguments to words for it."""


@dataclass(frozen=True, slots=True)
class PlainBrief:
    """A brief with the task, the actions, the history and the view.

    Args:
        place: Place where the agent acts, in words.
    """

    task: str
    actions: Mapping[str, int]
    objects: tuple[str, ...]
    place: str = "in a house"

    def __call__(self, situation: Situation) -> Sequence[Message]:
        """Return the message of a turn (see :class:`eai.acting.turns.Brief`)."""
        way_of_acting = "step by step"
        question = "What do you do now?"
        if situation.actions == 1:
            way_of_acting = "one action at a time"
            question = "Which action do you take now?"
        actions = []
        for name, arity in sorted(self.actions.items()):
            arguments = _COUNTS.get(arity, f"{arity} arguments")
            # Such as "- PUTIN: two arguments".
            actions.append(f"- {name.upper()}: {arguments}")
        paragraphs = [
            f"You act {self.place}, {way_of_acting}. Names are used exactly as they stand here.",
            f"## Task\n{self.task}",
            "\n".join(["## Actions", *actions]),
            f"## Names of objects\n{', '.join(self.objects)}",
            f"## Answer\n{answer_form(_FORM, situation.actions)}",
        ]
        if situation.turns:
            lines = history(situation.turns, situation.feedback)
            paragraphs.append("\n".join(["## Your actions so far", *lines]))
        paragraphs += carried_over(situation)
        if situation.observation != Observation():  # an empty one: the view hides everything
            paragraphs.append(f"## What you see now\n{describe(situation.observation)}")
        paragraphs.append(question)
        return [{"role": "user", "content": "\n\n".join(paragraphs)}]


def answer_form(single: str, most: int) -> str:
    """Return the instructions for the form of an answer.

    Args:
        single: The form of an answer with one action.
        most: Maximum number of actions of an answer.
    """
    if most == 1:
        return single
    return _SEVERAL.format(most=most)


def carried_over(situation: Situation, *, plan: bool = False) -> Iterable[str]:
    """Yield the plan and the notes in the last answer, as parts of a message.

    Args:
        situation: The situation, which says whether they are told.
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
    """A monitor of a task's goal that evaluates the actions so far as a plan.

    Failed and unnecessary steps do no harm. A formula that has to hold on the whole trajectory is
    a condition of its own if it is about more than the final state.

    Args:
        task: The task.
        score: Evaluates the conditions of the goal on an execution.
    """

    def __init__(
        self, task: Task, score: Callable[[Task, Execution], tuple[Condition, ...]]
    ) -> None:
        self._task = task
        self._score = score
        self._last = GoalStatus(False)
        # The trajectory so far, for environments that know only states.
        self._start = task.start
        self._now: State | None = None
        self._steps: list[Step] = []

    def update(
        self, environment: Environment, action: Action | None, result: StepResult | None
    ) -> GoalStatus:
        """Return the status after an action (see :class:`eai.acting.turns.GoalMonitor`)."""
        # A failed action changes nothing, so the last status remains.
        if isinstance(environment, SymbolicEnvironment):
            if result is None or result.success:
                self._last = self.status(environment.execution)
            return self._last
        if result is not None and not result.success:
            return self._last
        # For another world, the effects of an action are the difference of its states.
        state = environment.state()
        if self._now is None:
            self._start = state
        elif action is not None:
            self._steps.append(Step(action, len(self._steps) + 1, self._now.changes_to(state)))
        self._now = state
        trajectory = Trajectory(self._task.world, self._start, self._steps, state)
        self._last = self.status(Execution(trajectory, ("done",) * len(self._steps), ()))
        return self._last

    def status(self, execution: Execution) -> GoalStatus:
        """Return the goal status at the end of an execution."""
        goal = self._task.goal
        conditions = self._score(self._task, execution)
        status = goal_status(goal, execution.trajectory, conditions)
        # A goal of another form is already covered by the conditions on the final state.
        if not (goal.whole and goal.is_extended):
            return status
        formula_condition = Condition(
            "action", goal.text, bool(status.formula_holds), formula=goal.formula
        )
        return replace(status, conditions=(*conditions, formula_condition))


def episode_trajectory(task: Task, environment: Environment, episode: Episode) -> Trajectory:
    """Return the trajectory of an episode by repeating its successful actions.

    Its steps have the numbers of the turns.

    Args:
        task: The task.
        environment: An environment of the task; the episode is repeated in it.
        episode: The episode.
    """
    environment.reset()
    start = state = environment.state()
    steps: list[Step] = []
    for turn in episode.turns:
        if not turn.success or turn.reply.action is None:
            continue
        result = environment.step(turn.reply.action)
        next_state = environment.state()
        # An environment may choose the object that an action leaves open.
        action = result.resolved or turn.reply.action
        steps.append(Step(action, turn.number, state.changes_to(next_state)))
        state = next_state
    return Trajectory(task.world, start, steps, state)


# The paper of AsgardBench (appendix A.5) separates impossible uses of an object. All other failures
# depend on the state.
_REFUSALS = {
    ErrorKind.AFFORDANCE.value: "affordance",
    **{kind.value: "state" for kind in RUNTIME if kind is not ErrorKind.AFFORDANCE},
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
    """Return the rules for the episodes of a task.

    Args:
        task: The task.
        score: Evaluates the conditions of its goal on an execution; by default at its end.
        excluded: Reason why the task does not count; empty if it does.
        vocabulary: Names that an answer may use, if these are more than those of the task.
        views: Policies of partial observation by name.
        place: Place where the agent acts, in words.

    Raises:
        InputError: If the task counts and has no goal.
    """
    if not excluded:
        task.check_goal()
    # The order of the world makes prompts equal in every process.
    names = tuple(name for name in task.start.universe.names if name in task.vocabulary.objects)
    reference_steps: int | None = None
    if task.plans:
        reference_steps = len(task.plans[0])

    return EpisodeRules(
        goal=partial(PlanGoal, task, score or _conditions_at_end),
        read=task_reader(vocabulary or task.vocabulary),
        brief=PlainBrief(_task_text(task), task.vocabulary.actions, names, place),
        limits=task_limits(task),
        objects=names,
        views={**(views or {}), "blind": lambda: (Blind(),)},
        reference_steps=reference_steps,
        refusals=_REFUSALS,
        excluded=excluded,
    )


def _conditions_at_end(task: Task, execution: Execution) -> tuple[Condition, ...]:
    """Return the conditions of a task's goal, evaluated on an execution."""
    return goal_conditions(task.goal, execution.trajectory)


def _task_text(task: Task) -> str:
    """Return the instruction, and the goal if there is one."""
    lines = [task.instruction]
    goal_lines = []
    if task.goal.text:
        goal_lines.append(task.goal.text)
    else:
        # Of a goal with alternatives, only the first one is described.
        for alternative in task.goal.final[:1]:
            goal_lines += [format_formula(formula) for _, formula in alternative]
        for action in task.goal.actions:
            goal_lines.append(f"the action {' or '.join(action.names).upper()}")
    if goal_lines:
        lines += ["What has to be reached:", *goal_lines]
    return "\n".join(filter(None, lines))


_STEPS_WITHOUT_PLAN = 25
"""Number of steps that a task without a plan is taken to need."""


def task_limits(task: Task) -> tuple[Limit, ...]:
    """Return the limits of an episode, as functions of the annotated plan's length n.

    The limits are 2n turns, but at least 20 (50 without a plan), 8 repetitions, and 10 consecutive
    failures. These are the numbers of AsgardBench's paper (section 3), without its soft limit.
    """
    steps = _STEPS_WITHOUT_PLAN
    if task.plans:
        steps = len(task.plans[0])
    return (Repeats(8), ConsecutiveFailures(10), HardLimit(max(2 * steps, 20)))


def task_reader(vocabulary: Vocabulary) -> Callable[[str], Reply]:
    """Return a reader of answers that resolves names as the reader of plans does."""
    binder = Binder(vocabulary)

    def read(text: str) -> Reply:
        """Return the action of an answer in the names of the task, or why there is none."""
        reply = read_reply(text)
        if reply.action is None:
            return reply
        # The action is resolved like the only step of a plan.
        step = ReadStep(reply.action.name, reply.action.arguments)
        bound = binder.bind(PlanReading((step,)))
        if bound.findings:
            finding = bound.findings[0]
            return reply.refused(finding.kind, finding.message)
        return replace(reply, action=bound.actions[0])

    return read
