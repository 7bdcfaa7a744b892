"""What happened in one episode: its turns, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from eai.diagnosis.goals import GoalStatus
from eai.diagnosis.taxonomy import ErrorKind
from eai.interaction.protocol import Observation, StepResult
from eai.interaction.replies import Reply

__all__ = ["End", "Episode", "Turn"]

_KINDS = {kind.value: kind for kind in ErrorKind}


class End(str, Enum):
    """Why an episode ended. A limit may name a reason of its own instead."""

    SUCCESS = "success"
    """All goals are met."""
    MAX_STEPS = "max_steps"
    """A limit on the number of turns."""
    MAX_REPEATS = "max_repeats"
    """The same actions again and again."""
    MAX_FAILURES = "max_failures"
    """Too many failures in a row."""
    NO_MORE_ANSWERS = "no_more_answers"
    """Answers that were written beforehand are used up."""
    AGENT_FAILURE = "agent_failure"
    """A live model could not be asked; nobody's failure."""

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: an answer, what was read out of it, and what came of it.

    Args:
        number: Its 1-based number.
        answer: What the agent wrote.
        reply: What was read out of it.
        result: What came of its action. If no action could be read, nothing was done, and the
            result has the code and the message of the reply.
    """

    number: int
    answer: str
    reply: Reply
    result: StepResult

    @property
    def success(self) -> bool:
        """Whether an action was taken and done."""
        return self.result.success

    @property
    def code(self) -> str:
        """Why it failed, as a code; empty if it did not."""
        return self.result.code

    @property
    def fault(self) -> ErrorKind | None:
        """The kind of error, if the result or the code of the failure says it; else None."""
        return self.result.kind or _KINDS.get(self.result.code)

    @property
    def named(self) -> str:
        """The action as text; if none could be read, the answer without blanks around it."""
        return self.answer.strip() if self.reply.action is None else str(self.reply.action)


@dataclass(frozen=True, slots=True)
class Episode:
    """One episode.

    Args:
        task: Identifier of the task.
        start: What was observed at the start.
        turns: The turns, in order.
        end: Why it ended (:class:`End`, or the reason of a limit); empty if it goes on.
        goal: How far the goal is reached at the end.
        note: What there is to say about the end, as a sentence; mostly nothing.
    """

    task: str
    start: Observation
    turns: tuple[Turn, ...]
    end: str
    goal: GoalStatus
    note: str = ""

    @property
    def success(self) -> bool:
        """Whether the task is solved."""
        return self.goal.reached
