"""Acting in an environment, turn by turn, until the goal is reached or a limit says stop."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from eai.errors import InputError, ModelError
from eai.interaction.episode import End, Episode, Turn
from eai.interaction.feedback import Feedback, check_feedback
from eai.interaction.messages import Agent, Message
from eai.interaction.protocol import Environment, StepResult
from eai.interaction.replies import Reply
from eai.interaction.rules import EpisodeRules, Situation
from eai.interaction.views import View, Viewed

__all__ = ["Acting", "replay", "run_episode"]


class Acting:
    """One episode, turn by turn, for callers that have their own loop.

    Send :attr:`messages`, give the answer to :meth:`submit`, until it is :attr:`finished`.

    Args:
        environment: Where to act; it is reset.
        rules: What the suite says about the episode.
        feedback: How much the agent is told of what came of its actions.
        carried: Whether the agent is told what plan and what notes it wrote last.
        views: What of the observations the agent does not see (see :mod:`eai.interaction.views`).
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
        # The goal is judged by what is the case, whatever the agent sees.
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
        result = self._take(reply)
        turn = Turn(len(self.turns) + 1, answer, reply, result)
        self.turns.append(turn)
        self._now = result.observation
        self._goal = self._monitor.update(self._whole, reply.action, result)
        self._end = End.SUCCESS.value if self._goal.reached else self._stopped()
        return turn

    def _take(self, reply: Reply) -> StepResult:
        if reply.action is None:
            return StepResult(False, self._now, reply.code, reply.message)
        return self._environment.step(reply.action)

    def _stopped(self) -> str:
        # All are asked, because a limit may keep count; the first that says stop counts.
        reasons = [check(self.turns) for check in self._checks]
        return next(filter(None, reasons), "")

    def stop(self, end: str, note: str = "") -> None:
        """End the episode, if it has not ended.

        Args:
            end: Why (see :class:`~eai.interaction.episode.End`).
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
    while not acting.finished:
        _take_turn(agent, acting)
    return acting.episode


def _take_turn(agent: Agent, acting: Acting) -> None:
    """Ask for the next answer and take it; if there is none to be had, the episode ends."""
    try:
        answer = agent(acting.messages)
    except ModelError as error:
        acting.stop(End.AGENT_FAILURE, error.what)
    else:
        acting.submit(answer)


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
