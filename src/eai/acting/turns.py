"""Acting in an environment turn by turn, by a suite's rules; episodes as results."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from eai.acting.episode import End, Episode, Feedback, Limit, Turn, check_feedback, episode_measures
from eai.acting.replies import Agent, Message, Reply, action_lines, format_action
from eai.acting.views import View, Viewed
from eai.answers import read_plan
from eai.diagnosis import ErrorKind, Finding, GoalStatus, Result, unmet_goals
from eai.errors import InputError, ModelError
from eai.simulators import Environment, Observation, StepResult
from eai.world import Action


@dataclass(frozen=True, slots=True)
class Situation:
    """What an agent may be told before a turn.

    Args:
        turns: The turns so far. What the environment resolved is not for the agent.
        feedback: How much of what came of its actions it is told.
        carried: Whether it is told what plan and what notes it wrote last.
    """

    turns: tuple[Turn, ...]
    start: Observation
    observation: Observation
    feedback: Feedback = "simple"
    carried: bool = True


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
        groups: Names of the groups in which the task counts, where a report is broken down.
        reference_steps: How many steps the task takes; None if nobody knows.
        refusals: Code of a failure to the reason under which a report counts it (see
            :func:`eai.acting.episode.episode_measures`).
        excluded: Why the semantics leaves the task out of every count; empty if it counts.
    """

    goal: Callable[[], GoalMonitor]
    read: Callable[[str], Reply]
    brief: Brief
    limits: tuple[Limit, ...] = ()
    objects: tuple[str, ...] = ()
    codes: Mapping[str, ErrorKind] = field(default_factory=dict)
    views: Mapping[str, Callable[[], tuple[View, ...]]] = field(default_factory=dict)
    groups: tuple[str, ...] = ()
    reference_steps: int | None = None
    refusals: Mapping[str, str] = field(default_factory=dict)
    excluded: str = ""


class Acting:
    """One episode, turn by turn, for callers that have their own loop.

    Send :attr:`messages`, give the answer to :meth:`submit`, until it is :attr:`finished`.

    Args:
        environment: Where to act; it is reset.
        rules: What the suite says about the episode.
        feedback: How much the agent is told of what came of its actions.
        carried: Whether the agent is told what plan and what notes it wrote last.
        views: What of the observations the agent does not see (see :mod:`eai.acting.views`).
        task: Identifier of the task, for the record.

    Raises:
        UnknownNameError: If there is no such feedback.
    """

    def __init__(
        self,
        environment: Environment,
        rules: EpisodeRules,
        *,
        feedback: Feedback = "simple",
        carried: bool = True,
        views: Sequence[View] = (),
        task: str = "",
    ) -> None:
        check_feedback(feedback)
        self.turns: list[Turn] = []
        # The goal is evaluated by what is the case, whatever the agent sees.
        self._whole = environment
        self._environment = Viewed(environment, views) if views else environment
        self._rules = rules
        self._feedback: Feedback = feedback
        self._carried = carried
        self._task = task
        self._checks = [limit.begin() for limit in rules.limits]
        self._start = self._now = self._environment.reset()
        self._monitor = rules.goal()
        self._goal = self._monitor.update(self._whole, None, None)
        self._end = End.SUCCESS.value if self._goal.reached else ""
        self._note = ""

    @property
    def messages(self) -> Sequence[Message]:
        """What the agent has to be sent now."""
        turns = tuple(self.turns)
        situation = Situation(turns, self._start, self._now, self._feedback, self._carried)
        return self._rules.brief(situation)

    @property
    def finished(self) -> bool:
        """Whether the episode has ended."""
        return bool(self._end)

    def submit(self, answer: str) -> Turn:
        """Take the action of the next answer.

        Raises:
            InputError: If the answer is not text, or the episode has ended.
        """
        if self.finished:
            raise InputError(
                f"the episode has ended ({self._end}) after {len(self.turns)} turns",
                expected="no answer any more",
            )
        reply = self._rules.read(answer)
        if reply.action is None:
            result = StepResult(False, self._now, reply.code, reply.message)
        else:
            result = self._environment.step(reply.action)
        turn = Turn(len(self.turns) + 1, answer, reply, result)
        self.turns.append(turn)
        self._now = result.observation
        self._goal = self._monitor.update(self._whole, reply.action, result)
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
        return Episode(self._task, self._start, turns, self._end, self._goal, self._note)


def run_episode(
    environment: Environment,
    agent: Agent,
    *,
    rules: EpisodeRules,
    feedback: Feedback = "simple",
    carried: bool = True,
    views: Sequence[View] = (),
    task: str = "",
) -> Episode:
    """Let an agent act until its episode ends.

    An episode without a limit lasts until the goal is reached. An agent that cannot be asked
    (:class:`~eai.errors.ModelError`) ends it with ``"agent_failure"``.

    Args:
        environment: Where to act; it is reset.
        agent: Anything that can be called with a list of messages and returns text.
        rules: What the suite says about the episode.
        feedback: ``"none"``, ``"simple"`` or ``"detailed"``.
        carried: Whether the agent is told what plan and what notes it wrote last.
        views: What of the observations the agent does not see.
        task: Identifier of the task, for the record.

    Raises:
        UnknownNameError: If there is no such feedback.
        InputError: If an answer is not text.
    """
    acting = Acting(environment, rules, feedback=feedback, carried=carried, views=views, task=task)
    try:
        while not acting.finished:
            acting.submit(agent(acting.messages))
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
) -> Episode:
    """Give answers that were written beforehand, until they are used up or the episode ends.

    Args:
        environment: Where to act; it is reset.
        answers: The answers, in order; those behind the end of the episode are not looked at.
        rules: What the suite says about the episode.
        views: What of the observations is not seen.
        task: Identifier of the task, for the record.

    Raises:
        InputError: If an answer is not text.
    """
    acting = Acting(environment, rules, views=views, task=task)
    for answer in answers:
        if acting.finished:
            break
        acting.submit(answer)
    acting.stop(End.NO_MORE_ANSWERS)
    return acting.episode


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
    answers = () if answer is None or rules.excluded else read_answers(answer)
    result = evaluate_episode(replay(environment, answers, rules=rules, task=task), rules)
    if answer is not None or result.status == "excluded":
        return result
    missing = Finding(ErrorKind.NO_ANSWER, "there is no prediction for this task")
    return Result("missing", findings=(missing,), goals=result.goals, groups=rules.groups)


def evaluate_episode(episode: Episode, rules: EpisodeRules) -> Result:
    """Say what an episode amounts to, in the terms of a report.

    A turn is a step of the plan: ``"done"``, ``"skipped"`` if its effects held already, or
    ``"failed"``. The findings are the failed turns and the unmet goals; a failure with a code of
    its own names the code as its condition. The outcome is why the episode ended.

    Args:
        episode: The episode.
        rules: What the suite says about it.
    """
    if rules.excluded:
        return Result("excluded", notes=(rules.excluded,), groups=rules.groups)
    if episode.end == End.AGENT_FAILURE:
        return Result("excluded", notes=(f"no answer: {episode.note}",), groups=rules.groups)
    conditions = episode.goal.conditions
    return Result(
        "evaluated",
        success=episode.success,
        executable=all(turn.success for turn in episode.turns),
        plan=tuple(turn.reply.written or turn.named for turn in episode.turns),
        executed=tuple(map(_executed, episode.turns)),
        findings=(*_failures(episode.turns, rules), *unmet_goals(conditions)),
        goals=conditions,
        notes=(episode.note,) if episode.note else (),
        groups=rules.groups,
        outcome=str(episode.end),
        measures=episode_measures(
            episode, reference_steps=rules.reference_steps, refusals=rules.refusals
        ),
    )


def _executed(turn: Turn) -> str:
    if turn.success:
        return "done"
    return "skipped" if turn.fault is ErrorKind.ADDITIONAL_STEP else "failed"


def _failures(turns: Iterable[Turn], rules: EpisodeRules) -> Iterator[Finding]:
    for turn in turns:
        if not turn.success:
            kind = turn.fault or rules.codes.get(turn.code, ErrorKind.UNSCORABLE)
            yield Finding(
                kind,
                turn.result.message or turn.code,
                step=turn.number,
                action=turn.reply.written,
                conditions=() if turn.code == kind.value else (turn.code,),
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
    listed = _listed(text)
    if listed is not None:
        return listed
    lines = action_lines(text)
    if lines:
        return tuple(f"Action: {line}" for line in lines)
    plan = read_plan(text)
    if plan.problems or not plan.steps:
        return (text,)
    return tuple(format_action(Action(step.name, step.arguments)) for step in plan.steps)


def _listed(text: str) -> tuple[str, ...] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, list) and all(isinstance(answer, str) for answer in value):
        return tuple(value)
    return None
