"""Acting in an environment turn by turn, by a suite's rules; episodes as results."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol, TypedDict

from eai.acting.behaviours import behaviours
from eai.acting.episode import End, Episode, Feedback, Limit, Turn, check_feedback, episode_measures
from eai.acting.replies import (
    Agent,
    Answer,
    Message,
    Reply,
    action_lines,
    format_action,
    read_reply,
)
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
    """What an agent may be told before a turn.

    Args:
        turns: The turns so far, while the message is written. What the environment resolved is
            not for the agent.
        feedback: How much of what came of its actions it is told.
        carried: Whether it is told what plan and what notes it wrote last.
        actions: How many actions its answer may hold.
    """

    turns: Sequence[Turn]
    start: Observation
    observation: Observation
    feedback: Feedback = "simple"
    carried: bool = True
    actions: int = 1


class Brief(Protocol):
    """Writes what an agent is sent before a turn."""

    def __call__(self, situation: Situation) -> Sequence[Message]:
        """Return the messages."""
        ...


class GoalMonitor(Protocol):
    """Watches one episode and says how far the goal is reached."""

    def update(
        self, environment: Environment, action: Action | None, result: StepResult | None
    ) -> GoalStatus:
        """Say how things stand now.

        Args:
            environment: The environment, after the step.
            action: The action of the step; None at the start and if none could be read.
            result: What came of it; None at the start.
        """
        ...


@dataclass(frozen=True, slots=True)
class EpisodeRules:
    """What a suite says about the episodes of a task.

    Args:
        goal: Makes a monitor of the goal, a new one for every episode.
        read: Reads an answer: the action, or why there is none (see
            :mod:`eai.acting.replies`).
        brief: Writes what the agent is sent.
        limits: When an episode ends; the first that says so names the reason.
        objects: The names of objects or types that an action may mention, in a fixed order.
        codes: Code of a failure to the kind of error that it is, for records; codes that are
            kinds of error themselves need not be there.
        views: Name to policies of partial observation that make sense for the task; new ones
            at every call.
        prompts: Name to a change of what the agent is sent: takes the brief, and returns another.
        prompt: Which of them were made, and the version of a prompt that was fetched.
        groups: Names of the groups in which the task counts, where a report is broken down.
        reference_steps: How many steps the task takes; None if nobody knows.
        refusals: Code of a failure to the reason under which a report counts it (see
            :func:`eai.acting.episode.episode_measures`).
        excluded: Why the semantics leaves the task out of every count; empty if it counts.
        read_plan: Reads an answer that may hold several actions, each of which ``read`` reads
            again out of ``Action:`` and what is written of it; by default every line ``Action:``
            is one (see :func:`read_actions`).
        actions: How many actions an answer may hold, unless the caller says otherwise.
        drop_rest: Whether an action that fails drops those behind it in its answer.
        measures: More measures of an episode, for a view that the suite brings.
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
        """Read the actions of an answer, at least one and at most so many."""
        if actions == 1:
            return (self.read(answer),)
        replies = (
            read_actions(answer, self.read) if self.read_plan is None else self.read_plan(answer)
        )
        return replies[:actions] or (self.read(answer),)

    def seen_by(self, view: str) -> tuple[View, ...]:
        """Return what hides the world in one of :attr:`views`; nothing if none is named.

        Raises:
            UnknownNameError: If there is none of the name.
        """
        return look_up("view", view, self.views)() if view else ()

    def prompted(self, names: Sequence[str]) -> EpisodeRules:
        """Return the same rules with another prompt.

        Args:
            names: Some of :attr:`prompts`; their order means nothing.

        Raises:
            UnknownNameError: If there is none of a name.
            DataMissingError: If it was not fetched.
        """
        brief = self.brief
        for name in names:
            brief = look_up("prompt", name, self.prompts)(brief)
        version = getattr(brief, "version", "")
        return replace(self, brief=brief, prompt=(*names, *([f"sha256 {version}"] * bool(version))))


def read_actions(answer: str, read: Callable[[str], Reply]) -> Sequence[Reply]:
    """Read an answer whose lines ``Action: NAME ARGUMENTS`` are taken one after the other.

    Args:
        answer: What the agent wrote.
        read: Reads an answer with one action.

    Returns:
        A reply for every such line, each with the plan and the notes of the whole answer; for an
        answer with one line or none, what ``read`` makes of it.
    """
    lines = [line for line in action_lines(answer) if line.strip()]
    if len(lines) < 2:
        return (read(answer),)
    whole = read_reply(answer)
    replies = (read(f"Action: {line}") for line in lines)
    return [replace(reply, plan=whole.plan, memory=whole.memory) for reply in replies]


class TurnOptions(TypedDict, total=False):
    """How an agent acts in an episode, and what it is told; each may be left out."""

    feedback: Feedback
    """How much the agent is told of what came of its actions: ``"none"``, ``"simple"`` (the
    default) or ``"detailed"``."""
    carried: bool
    """Whether the agent is told what plan and what notes it wrote last; by default it is."""
    views: Sequence[View]
    """What of the observations the agent does not see (see :mod:`eai.acting.views`)."""
    actions: int | None
    """How many actions an answer may hold; by default as many as the suite says."""
    drop_rest: bool | None
    """Whether an action that fails drops those behind it in its answer; by default as the suite
    says."""


class Acting:
    """One episode, turn by turn, for callers that have their own loop.

    Send :attr:`messages`, give the answer to :meth:`submit`, until it is :attr:`finished`.

    Args:
        environment: Where to act; it is reset.
        rules: What the suite says about the episode.
        task: Identifier of the task, for the record.
        **options: How the agent acts, and what it is told.

    Raises:
        UnknownNameError: If there is no such feedback.
        InputError: If an answer may not even hold one action.
    """

    def __init__(
        self,
        environment: Environment,
        rules: EpisodeRules,
        *,
        task: str = "",
        **options: Unpack[TurnOptions],
    ) -> None:
        feedback = options.get("feedback", "simple")
        check_feedback(feedback)
        actions, drop_rest = options.get("actions"), options.get("drop_rest")
        views = options.get("views", ())
        self._actions = rules.actions if actions is None else actions
        if self._actions < 1:
            raise InputError(f"{actions} actions in an answer", expected="a whole number from 1")
        self._drop_rest = rules.drop_rest if drop_rest is None else drop_rest
        self._answers = 0
        self.turns: list[Turn] = []
        # The goal is evaluated by what is the case, whatever the agent sees.
        self._whole = environment
        self._environment = Viewed(environment, views) if views else environment
        self._rules = rules
        self._feedback: Feedback = feedback
        self._carried = options.get("carried", True)
        self._task = task
        self._checks = [limit.begin() for limit in rules.limits]
        self._start = self._now = self._environment.reset()
        self._monitor = rules.goal()
        self._goal = self._begun = self._monitor.update(self._whole, None, None)
        self._end = End.SUCCESS.value if self._goal.reached else ""
        self._note = ""

    @property
    def messages(self) -> Sequence[Message]:
        """What the agent has to be sent now; the last has the picture, if there is one."""
        situation = Situation(
            self.turns, self._start, self._now, self._feedback, self._carried, self._actions
        )
        sent = list(self._rules.brief(situation))
        if self._now.image and sent:
            sent[-1] = {**sent[-1], "image": b64encode(self._now.image).decode("ascii")}
        return sent

    @property
    def observation(self) -> Observation:
        """What the agent sees now."""
        return self._now

    @property
    def goal(self) -> GoalStatus:
        """How far the goal is reached now."""
        return self._goal

    @property
    def finished(self) -> bool:
        """Whether the episode has ended."""
        return bool(self._end)

    def submit(self, answer: str) -> Turn:
        """Take the action of the next answer, or its actions until one fails.

        Returns:
            The last turn that came of it.

        Raises:
            InputError: If the answer is not text, or the episode has ended.
        """
        self._refuse_ended()
        replies = self._rules.replies(answer, self._actions)
        self._answers += 1
        left = len(replies)
        for reply in replies:
            # Part of a longer answer is kept as an answer that says no more than this action.
            part = answer if len(replies) == 1 else f"Action: {reply.written}"
            if isinstance(answer, Answer) and reply is replies[0]:
                part = Answer(part, answer.usage, answer.finish_reason)
            turn, left = self._take(part, reply), left - 1
            if self.finished or (self._drop_rest and not turn.success):
                break
        if left:
            self.turns[-1] = turn = replace(turn, dropped=left)
        return turn

    def act(self, action: Action) -> Turn:
        """Take an action that needs not be read, as if an answer had said nothing but this.

        Raises:
            InputError: If the episode has ended.
        """
        self._refuse_ended()
        answer = format_action(action)
        self._answers += 1
        return self._take(answer, Reply(action, answer.removeprefix("Action: ")))

    def _refuse_ended(self) -> None:
        if self.finished:
            raise InputError(
                f"the episode has ended ({self._end}) after {counted(len(self.turns), 'turn')}",
                expected="no further answer",
            )

    def _take(self, answer: str, reply: Reply) -> Turn:
        if reply.action is None:
            result = StepResult(False, self._now, reply.code, reply.message)
        else:
            result = self._environment.step(reply.action)
        self._now = result.observation
        self._goal = self._monitor.update(self._whole, reply.action, result)
        turn = Turn(len(self.turns) + 1, answer, reply, result, self._answers, self._goal)
        self.turns.append(turn)
        if self._goal.reached:
            self._end = End.SUCCESS.value
        else:
            # All are asked, because a limit may keep count; the first that says stop counts.
            reasons = [check(self.turns) for check in self._checks]
            self._end = next(filter(None, reasons), "")
        return turn

    def stop(self, end: str, note: str = "") -> None:
        """End the episode, if it has not ended.

        Args:
            end: Why (see :class:`~eai.acting.episode.End`).
            note: What there is to say about it, as a sentence.
        """
        if not self.finished:
            self._end, self._note = str(end), note

    @property
    def episode(self) -> Episode:
        """What happened so far."""
        turns = tuple(self.turns)
        return Episode(
            self._task, self._start, turns, self._end, self._goal, self._note, self._begun
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
    too often (:class:`~eai.errors.CallLimitError`) with ``"max_calls"``. What else an agent
    raises is passed on, unless it is asked by :func:`~eai.acting.replies.ask_agent`.

    Args:
        environment: Where to act; it is reset.
        agent: Anything that can be called with a list of messages and returns text.
        rules: What the suite says about the episode.
        task: Identifier of the task, for the record.
        **options: How the agent acts, and what it is told (:class:`TurnOptions`).

    Raises:
        UnknownNameError: If there is no such feedback.
        InputError: If an answer is not text, or may not even hold one action.
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
    """Give answers that were written beforehand, until they are used up or the episode ends.

    Args:
        environment: Where to act; it is reset.
        answers: The answers, in order; those behind the end of the episode are not looked at.
        rules: What the suite says about the episode.
        views: What of the observations is not seen.
        task: Identifier of the task, for the record.
        actions: How many actions an answer may hold; by default as many as the suite says.
        drop_rest: Whether an action that fails drops those behind it in its answer; by default
            as the suite says.

    Raises:
        InputError: If an answer is not text, or may not even hold one action.
    """
    acting = Acting(
        environment, rules, views=views, task=task, actions=actions, drop_rest=drop_rest
    )
    for answer in answers:
        if acting.finished:
            break
        acting.submit(answer)
    acting.stop(End.NO_MORE_ANSWERS)
    return acting.episode


def unobserved(environment: Environment) -> Environment:
    """Ask an environment to leave observations out of its results, if it knows how; return it.

    Who evaluates answers that were written beforehand does not look at them, and they take most of
    the time. Nothing else changes.
    """
    if hasattr(environment, "observing"):
        environment.observing = False
    return environment


def evaluate_answers(
    environment: Environment, answer: str | None, *, rules: EpisodeRules, task: str = ""
) -> Result:
    """Evaluate the answers of an episode by giving them again.

    Args:
        environment: Where to act; it is reset.
        answer: The answers as :func:`read_answers` reads them; None if there are none.
        rules: What the suite says about the episode.
        task: Identifier of the task.
    """
    if answer is None or rules.excluded:
        return missing_answer(environment, rules=rules, task=task)
    episode = replay(environment, read_answers(answer), rules=rules, task=task)
    return evaluate_episode(episode, rules)


def missing_answer(environment: Environment, *, rules: EpisodeRules, task: str = "") -> Result:
    """Say what no answers amount to: a failure, or a task that does not count."""
    result = evaluate_episode(replay(environment, (), rules=rules, task=task), rules)
    if result.status == "excluded":
        return result
    missing = Finding(ErrorKind.NO_ANSWER, "there is no prediction for this task")
    return Result("missing", findings=(missing,), goals=result.goals, groups=rules.groups)


def evaluate_episode(episode: Episode, rules: EpisodeRules) -> Result:
    """Say what an episode amounts to, in the terms of a report.

    A turn is a step of the plan: ``"done"``, ``"skipped"`` if its effects held already, or
    ``"failed"``. The findings are the failed turns and the unmet goals; a failure with a code of
    its own names the code as its condition. The outcome is why the episode ended. Each behaviour
    over the episode is a measure that is 1 if it is shown, else 0.

    Args:
        episode: The episode.
        rules: What the suite says about it.
    """
    if rules.excluded:
        return Result("excluded", notes=(rules.excluded,), groups=rules.groups)
    if episode.end == End.AGENT_FAILURE:
        return Result("excluded", notes=(f"no answer: {episode.note}",), groups=rules.groups)
    conditions, shown = episode.goal.conditions, behaviours(episode)
    executed, failures = list[str](), list[Finding]()
    for turn in episode.turns:
        if turn.success:
            executed.append("done")
            continue
        harmless = turn.fault is not None and turn.fault.is_harmless
        executed.append("skipped" if harmless else "failed")
        kind = turn.fault or rules.codes.get(turn.code, ErrorKind.UNSCORABLE)
        failures.append(
            Finding(
                kind,
                turn.result.message or turn.code,
                step=turn.number,
                action=turn.reply.written,
                conditions=() if turn.code == kind.value else (turn.code,),
            )
        )
    return Result(
        "evaluated",
        success=episode.success,
        executable=not failures,
        plan=tuple(turn.reply.written or turn.named for turn in episode.turns),
        executed=tuple(executed),
        findings=(*failures, *unmet_goals(conditions)),
        goals=conditions,
        notes=(episode.note,) if episode.note else (),
        groups=rules.groups,
        outcome=str(episode.end),
        measures=(
            *episode_measures(
                episode, reference_steps=rules.reference_steps, refusals=rules.refusals
            ),
            *(Measure(kind.measure, int(kind in shown), 1) for kind in Behaviour),
            *rules.measures(episode),
        ),
    )


def write_answers(answers: Iterable[str]) -> str:
    """Write the answers of an episode as one text, which :func:`read_answers` reads."""
    return json.dumps(list(answers))


def read_answers(text: str) -> tuple[str, ...]:
    """Read the answers of an episode.

    Args:
        text: A JSON list of them; or a text with several lines ``Action: ...``, each of which
            is one; or a plan in any form that :func:`eai.answers.read_plan` reads,
            each step of which is one. Anything else is one answer.
    """
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
