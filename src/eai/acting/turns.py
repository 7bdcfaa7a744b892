"""Acting in an environment turn by turn, by a suite's rules, and evaluation of episodes."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol, TypedDict

from eai.acting.behaviours import behaviours
from eai.acting.episode import End, Episode, Feedback, Limit, Turn, check_feedback, episode_measures
from eai.acting.replies import Agent, Message, Reply, action_lines, format_action, read_reply
from eai.acting.usage import Answer
from eai.acting.views import View, Viewed
from eai.answers import read_plan
from eai.diagnosis import Behaviour, ErrorKind, Finding, GoalStatus, Measure, Result, unmet_goals
from eai.errors import CallLimitError, InputError, ModelError, look_up
from eai.nesting import load_json
from eai.simulators import Environment, Observation, StepResult
from eai.text import counted
from eai.world import Action

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass(frozen=True, slots=True)
class Situation:
    """The information available for the message of a turn.

    Args:
        turns: The turns so far; they change after the message is written. Resolved actions of
            their results are not for the agent.
        start: The observation at the start.
        observation: The current observation.
        feedback: Detail of the feedback on its actions.
        carried: Whether its last plan and notes are repeated.
        actions: Maximum number of actions in its answer.
    """

    turns: Sequence[Turn]
    start: Observation
    observation: Observation
    feedback: Feedback = "simple"
    carried: bool = True
    actions: int = 1


class Brief(Protocol):
    """A writer of the messages before a turn."""

    def __call__(self, situation: Situation) -> Sequence[Message]:
        """Return the messages."""
        ...


class GoalMonitor(Protocol):
    """Tracks the goal through one episode."""

    def update(
        self, environment: Environment, action: Action | None, result: StepResult | None
    ) -> GoalStatus:
        """Return the status of the goal after a step.

        Args:
            environment: The environment, after the step.
            action: The action of the step; None at the start and if none could be read.
            result: Its result; None at the start.
        """
        ...


@dataclass(frozen=True, slots=True)
class EpisodeRules:
    """The rules of a task's episodes, as its suite defines them.

    Args:
        goal: Returns a new monitor of the goal for every episode.
        read: Returns the action of an answer, or the reason why there is none (see
            :mod:`eai.acting.replies`).
        brief: Writes the messages to the agent.
        limits: Limits of an episode; the first that is reached names the reason of the end.
        objects: Names of objects or types that an action may mention, in a fixed order.
        codes: Code of a failure to its kind of error, for records; codes that are kinds of error
            themselves need not be there.
        views: Name to policies of partial observation for the task; new ones at every call.
        prompts: Name to a change of the prompt: takes the brief, and returns another.
        prompt: Names of the changes that were made, and the version of a fetched prompt.
        groups: Groups of tasks, by which a report can be broken down.
        reference_steps: Number of steps of a reference solution; None if it is not known.
        refusals: Code of a failure to the reason under which a report counts it (see
            :func:`eai.acting.episode.episode_measures`).
        excluded: Reason why the semantics leaves the task out of every count; empty if it counts.
        read_plan: Returns the actions of an answer that may have several, each of which ``read``
            reads again from the line ``Action:``; by default every such line is one (see
            :func:`read_actions`).
        actions: Maximum number of actions of an answer, unless the caller says otherwise.
        drop_rest: Whether the actions of an answer are dropped after one fails.
        measures: Returns additional measures of an episode, for the suite's own view.
    """

    goal: Callable[[], GoalMonitor]
    read: Callable[[str], Reply]
    brief: Brief
    limits: tuple[Limit, ...] = ()
    objects: tuple[str, ...] = ()
    codes: Mapping[str, ErrorKind] = field(default_factory=dict)
    views: Mapping[str, Callable[[], tuple[View, ...]]] = field(default_factory=dict)
    prompts: Mapping[str, Callable[[Any], Brief]] = field(default_factory=dict)
    prompt: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    reference_steps: int | None = None
    refusals: Mapping[str, str] = field(default_factory=dict)
    excluded: str = ""
    read_plan: Callable[[str], Sequence[Reply]] | None = None
    actions: int = 1
    drop_rest: bool = True
    measures: Callable[[Episode], tuple[Measure, ...]] = lambda _: ()

    def replies(self, answer: str, actions: int) -> Sequence[Reply]:
        """Return the actions in an answer, from one up to a maximum."""
        # Of an answer that may hold one action the last line counts, not the first.
        if actions == 1:
            return (self.read(answer),)
        if self.read_plan is None:
            replies = read_actions(answer, self.read)
        else:
            replies = self.read_plan(answer)
        return replies[:actions] or (self.read(answer),)

    def seen_by(self, view: str) -> tuple[View, ...]:
        """Return the policies of a view by name, or none without a name.

        Raises:
            UnknownNameError: If there is none of the name.
        """
        if not view:
            return ()
        make_views = look_up("view", view, self.views)
        return make_views()

    @property
    def prompt_version(self) -> str:
        """Version of a published prompt; empty if the prompt is in our own words."""
        return str(getattr(self.brief, "version", ""))

    def prompted(self, names: Sequence[str]) -> EpisodeRules:
        """Return the same rules with another prompt.

        Args:
            names: Some of :attr:`prompts`, in any order.

        Raises:
            UnknownNameError: If there is none of a name.
            DataMissingError: If it was not fetched.
        """
        brief = self.brief
        for name in names:
            brief = look_up("prompt", name, self.prompts)(brief)
        changed = replace(self, brief=brief, prompt=tuple(names))
        # Prompts that are fetched change without a new version of the suite: their hash tells.
        if changed.prompt_version:
            version = f"sha256 {changed.prompt_version}"
            changed = replace(changed, prompt=(*changed.prompt, version))
        return changed

    def listing(self, rules: str) -> EpisodeRules:
        """Return the same rules with a prompt that also lists rules to keep.

        Args:
            rules: The rules in words, a line each.
        """
        brief = self.brief

        def brief_with_rules(situation: Situation) -> Sequence[Message]:
            """Return the messages of a turn, with the rules at the end of the last one."""
            messages = list(brief(situation))
            if messages:
                # The heading is none that agents look for in a suite's own prompt ("## Rules").
                last = messages[-1]
                section = f"## On the way\nYou have to keep these rules:\n{rules}"
                messages[-1] = {**last, "content": f"{last['content']}\n\n{section}"}
            return messages

        return replace(self, brief=brief_with_rules, prompt=(*self.prompt, "rules"))


def read_actions(answer: str, read: Callable[[str], Reply]) -> Sequence[Reply]:
    """Return a reply for each line ``Action: NAME ARGUMENTS`` of an answer.

    Each has the plan and the notes of the whole answer. An answer with one line or none is read
    as a whole.

    Args:
        answer: Text of the agent.
        read: Reads an answer with one action.
    """
    lines = [line for line in action_lines(answer) if line.strip()]
    if len(lines) < 2:
        return (read(answer),)
    whole_reply = read_reply(answer)
    replies = (read(f"Action: {line}") for line in lines)
    return [replace(reply, plan=whole_reply.plan, memory=whole_reply.memory) for reply in replies]


class TurnOptions(TypedDict, total=False):
    """Options for an agent's turns: its view, feedback and number of actions."""

    feedback: Feedback
    """Detail of the feedback on actions: ``"none"``, ``"simple"`` (the default) or
    ``"detailed"``."""
    carried: bool
    """Whether the last plan and notes of the agent are repeated; by default they are."""
    views: Sequence[View]
    """Policies of partial observation (see :mod:`eai.acting.views`)."""
    actions: int | None
    """Maximum number of actions of an answer; by default that of the suite."""
    drop_rest: bool | None
    """Whether the actions of an answer are dropped after one fails; by default as the suite
    says."""


class Acting:
    """One episode turn by turn, for callers with a loop of their own.

    Send :attr:`messages`, give the answer to :meth:`submit`, until it is :attr:`finished`.

    Args:
        environment: The environment to act in; it is reset.
        rules: The suite's rules for the episode.
        task: Identifier of the task, for the record.
        **options: How the agent acts, and what it is told (:class:`TurnOptions`).

    Raises:
        UnknownNameError: If there is no such feedback.
        InputError: If the number of actions is not positive.
    """

    def __init__(
        self,
        environment: Environment,
        rules: EpisodeRules,
        *,
        task: str = "",
        **options: Unpack[TurnOptions],
    ) -> None:
        """Reset the environment, and evaluate the goal at the start."""
        feedback = options.get("feedback", "simple")
        check_feedback(feedback)
        # For None, and for an option that is left out, the rules of the suite apply.
        max_actions = options.get("actions")
        if max_actions is None:
            max_actions = rules.actions
        if max_actions < 1:
            raise InputError(
                f"{max_actions} actions in an answer", expected="a whole number from 1"
            )
        drop_rest = options.get("drop_rest")
        if drop_rest is None:
            drop_rest = rules.drop_rest
        self._actions = max_actions
        self._drop_rest = drop_rest
        self._rules = rules
        self._feedback: Feedback = feedback
        self._carried = options.get("carried", True)
        self._task = task
        self._answers = 0  # number of submitted answers
        self.turns: list[Turn] = []
        # The goal is evaluated in the whole state, whatever the agent sees.
        self._unrestricted = environment
        self._environment: Environment = environment
        views = options.get("views", ())
        if views:
            self._environment = Viewed(environment, views)
        self._limits = [limit.begin() for limit in rules.limits]
        self._start = self._now = self._environment.reset()
        self._monitor = rules.goal()
        self._goal = self._goal_at_start = self._monitor.update(self._unrestricted, None, None)
        # The reason why the episode ended, and an explanation; empty while it goes on.
        self._end = ""
        self._note = ""
        # A goal that holds at the start leaves nothing to do.
        if self._goal.reached:
            self._end = End.SUCCESS.value

    @property
    def messages(self) -> Sequence[Message]:
        """The messages to send to the agent next, the last one with an image if there is one."""
        situation = Situation(
            self.turns, self._start, self._now, self._feedback, self._carried, self._actions
        )
        messages = list(self._rules.brief(situation))
        if self._now.image and messages:
            image = b64encode(self._now.image).decode("ascii")
            messages[-1] = {**messages[-1], "image": image}
        return messages

    @property
    def observation(self) -> Observation:
        """The present observation of the agent."""
        return self._now

    @property
    def goal(self) -> GoalStatus:
        """The present status of the goal."""
        return self._goal

    @property
    def finished(self) -> bool:
        """Whether the episode has ended."""
        return bool(self._end)

    def submit(self, answer: str) -> Turn:
        """Take the actions in the next answer until one fails.

        Returns:
            The last turn.

        Raises:
            InputError: If the answer is not text, or the episode has ended.
        """
        self._refuse_ended()
        replies = self._rules.replies(answer, self._actions)
        self._answers += 1
        # There is at least one reply, so the variables of the loop are set after it.
        for reply_number, reply in enumerate(replies, 1):
            text = answer
            if len(replies) > 1:
                text = _text_of_action(answer, reply, is_first=reply_number == 1)
            turn = self._take(text, reply)
            if self.finished or (self._drop_rest and not turn.success):
                break
        number_dropped = len(replies) - reply_number
        if number_dropped:
            self.turns[-1] = turn = replace(turn, dropped=number_dropped)
        return turn

    def act(self, action: Action) -> Turn:
        """Take an action as if it was the whole answer.

        Raises:
            InputError: If the episode has ended.
        """
        self._refuse_ended()
        answer = format_action(action)
        self._answers += 1
        return self._take(answer, Reply(action, answer.removeprefix("Action: ")))

    def _refuse_ended(self) -> None:
        """Raise an error if the episode has ended."""
        if self.finished:
            raise InputError(
                f"the episode has ended ({self._end}) after {counted(len(self.turns), 'turn')}",
                expected="no further answer",
            )

    def _take(self, answer: str, reply: Reply) -> Turn:
        """Take one action, and check whether it ends the episode.

        Args:
            answer: The text of the agent with the action.
            reply: The action that was read, or the reason why there is none.
        """
        if reply.action is None:
            result = StepResult(False, self._now, reply.code, reply.message)
        else:
            result = self._environment.step(reply.action)
        self._now = result.observation
        self._goal = self._monitor.update(self._unrestricted, reply.action, result)
        turn = Turn(len(self.turns) + 1, answer, reply, result, self._answers, self._goal)
        self.turns.append(turn)
        if self._goal.reached:
            self._end = End.SUCCESS.value
        else:
            # All limits are checked, because they may count turns. The first reason is used.
            reasons = [check(self.turns) for check in self._limits]
            self._end = next(filter(None, reasons), "")
        return turn

    def stop(self, end: str, note: str = "") -> None:
        """End the episode unless it has ended.

        Args:
            end: The reason (see :class:`~eai.acting.episode.End`).
            note: A sentence about it.
        """
        if not self.finished:
            self._end = str(end)
            self._note = note

    @property
    def episode(self) -> Episode:
        """The episode so far."""
        turns = tuple(self.turns)
        return Episode(
            self._task, self._start, turns, self._end, self._goal, self._note, self._goal_at_start
        )


def run_episode(
    environment: Environment,
    agent: Agent,
    *,
    rules: EpisodeRules,
    task: str = "",
    **options: Unpack[TurnOptions],
) -> Episode:
    """Let an agent act until its episode ends.

    An episode without a limit lasts until the goal is reached. An agent that cannot be asked
    (:class:`~eai.errors.ModelError`) ends it with ``"agent_failure"``, one that asked its model
    too often (:class:`~eai.errors.CallLimitError`) with ``"max_calls"``. Other exceptions of an
    agent are passed on, unless it is asked by :func:`~eai.acting.replies.ask_agent`.

    Args:
        environment: The environment to act in; it is reset.
        agent: Anything that can be called with a list of messages and returns text.
        rules: The suite's rules for the episode.
        task: Identifier of the task, for the record.
        **options: How the agent acts, and what it is told (:class:`TurnOptions`).

    Raises:
        UnknownNameError: If there is no such feedback.
        InputError: If an answer is not text, or the number of actions is not positive.
    """
    acting = Acting(environment, rules, task=task, **options)
    try:
        while not acting.finished:
            acting.submit(agent(acting.messages))
    except CallLimitError as error:
        acting.stop(End.MAX_CALLS, error.what)
    except ModelError as error:
        acting.stop(End.AGENT_FAILURE, error.what)
    return acting.episode


def replay(
    environment: Environment,
    answers: Iterable[str],
    *,
    rules: EpisodeRules,
    views: Sequence[View] = (),
    task: str = "",
    actions: int | None = None,
    drop_rest: bool | None = None,
) -> Episode:
    """Return the episode of given answers, which ends when they are used up.

    Args:
        environment: The environment to act in; it is reset.
        answers: The answers, in order; those after the end of the episode are ignored.
        rules: The suite's rules for the episode.
        views: Policies of partial observation.
        task: Identifier of the task, for the record.
        actions: Maximum number of actions of an answer; by default that of the suite.
        drop_rest: Whether the actions of an answer are dropped after one fails; by default as
            the suite says.

    Raises:
        InputError: If an answer is not text, or the number of actions is not positive.
    """
    acting = Acting(
        environment, rules, views=views, task=task, actions=actions, drop_rest=drop_rest
    )
    for answer in answers:
        if acting.finished:
            break
        acting.submit(answer)
    # If the episode has ended by itself, nothing happens.
    acting.stop(End.NO_MORE_ANSWERS)
    return acting.episode


def unobserved(environment: Environment) -> Environment:
    """Return an environment with observations switched off, if it supports that.

    Observations take most of the time, and answers that were written beforehand are evaluated
    without them. Nothing else changes.
    """
    if hasattr(environment, "observing"):
        environment.observing = False
    return environment


def evaluate_answers(
    environment: Environment, answer: str | None, *, rules: EpisodeRules, task: str = ""
) -> Result:
    """Return the result of an episode by replaying its answers.

    Args:
        environment: The environment to act in; it is reset.
        answer: The answers as :func:`read_answers` reads them; None if there are none.
        rules: The suite's rules for the episode.
        task: Identifier of the task.
    """
    if answer is None or rules.excluded:
        return missing_answer(environment, rules=rules, task=task)
    episode = replay(environment, read_answers(answer), rules=rules, task=task)
    return evaluate_episode(episode, rules)


def missing_answer(environment: Environment, *, rules: EpisodeRules, task: str = "") -> Result:
    """Return the result of a task without answers: missing, or excluded."""
    result = evaluate_episode(replay(environment, (), rules=rules, task=task), rules)
    if result.status == "excluded":
        return result
    missing = Finding(ErrorKind.NO_ANSWER, "there is no prediction for this task")
    return Result("missing", findings=(missing,), goals=result.goals, groups=rules.groups)


def _text_of_action(answer: str, reply: Reply, *, is_first: bool) -> str:
    """Return one of several actions of an answer as an answer that can be read again alone."""
    text = f"Action: {reply.written}"
    # The tokens of the answer are counted once, with its first action.
    if isinstance(answer, Answer) and is_first:
        return Answer(text, answer.usage, answer.finish_reason, answer.details)
    return text


def evaluate_episode(episode: Episode, rules: EpisodeRules) -> Result:
    """Return the result of an episode.

    Each turn is a step of the plan: ``"done"``, ``"skipped"`` if its effects held already, or
    ``"failed"``. The findings are the failed turns and the unmet goals. If a suite has a code for
    the failure, the code is the condition of the finding. The outcome is the reason why the episode
    ended. Each behaviour is a measure: 1 if the episode shows it, otherwise 0.

    Args:
        episode: The episode.
        rules: The suite's rules for the episode.
    """
    if rules.excluded:
        return Result("excluded", notes=(rules.excluded,), groups=rules.groups)
    # A failure of the endpoint does not count against the model.
    if episode.end == End.AGENT_FAILURE:
        return Result("excluded", notes=(f"no answer: {episode.note}",), groups=rules.groups)
    plan = []
    outcomes = []
    failures = []
    for turn in episode.turns:
        plan.append(turn.reply.written or turn.named)
        outcomes.append(_step_outcome(turn))
        if not turn.success:
            failures.append(_failure_finding(turn, rules))
    conditions = episode.goal.conditions
    notes: tuple[str, ...] = ()
    if episode.note:
        notes = (episode.note,)
    return Result(
        "evaluated",
        success=episode.success,
        executable=not failures,
        plan=tuple(plan),
        executed=tuple(outcomes),
        findings=(*failures, *unmet_goals(conditions)),
        goals=conditions,
        notes=notes,
        groups=rules.groups,
        outcome=str(episode.end),
        measures=tuple(_all_measures(episode, rules)),
    )


def _all_measures(episode: Episode, rules: EpisodeRules) -> list[Measure]:
    """Return the general measures of an episode, its behaviours, and the suite's measures."""
    measures: list[Measure] = []
    measures += episode_measures(
        episode, reference_steps=rules.reference_steps, refusals=rules.refusals
    )
    turns_by_behaviour = behaviours(episode)
    for behaviour in Behaviour:
        measures.append(Measure(behaviour.measure, int(behaviour in turns_by_behaviour), 1))
    measures += rules.measures(episode)
    return measures


def _step_outcome(turn: Turn) -> str:
    """Return the outcome of a turn in the words for plan steps."""
    if turn.success:
        return "done"
    if turn.fault is not None and turn.fault.is_harmless:
        return "skipped"
    return "failed"


def _failure_finding(turn: Turn, rules: EpisodeRules) -> Finding:
    """Return the finding for a failed turn."""
    error_kind = turn.fault or rules.codes.get(turn.code, ErrorKind.UNSCORABLE)
    conditions: tuple[str, ...] = ()
    if turn.code != error_kind.value:
        conditions = (turn.code,)  # a code that says more than the kind
    return Finding(
        error_kind,
        turn.result.message or turn.code,
        step=turn.number,
        action=turn.reply.written,
        conditions=conditions,
    )


def write_answers(answers: Iterable[str]) -> str:
    """Return the answers of an episode as one text, which :func:`read_answers` reads."""
    return json.dumps(list(answers))


def read_answers(text: str) -> tuple[str, ...]:
    """Return the answers of an episode in one text.

    Args:
        text: A JSON list of answers; or lines ``Action: ...``, each of them an answer; or a plan in
            any form that :func:`eai.answers.read_plan` reads, each step an answer. Any other text
            is a single answer.
    """
    # JSON comes first, because its strings may contain lines with "Action:".
    with suppress(ValueError):
        value = load_json(text)
        if isinstance(value, list) and all(isinstance(answer, str) for answer in value):
            return tuple(value)
    lines = action_lines(text)
    if lines:
        return tuple(f"Action: {line}" for line in lines)
    plan = read_plan(text)
    if plan.problems or not plan.steps:
        return (text,)
    return tuple(format_action(Action(step.name, step.arguments)) for step in plan.steps)
