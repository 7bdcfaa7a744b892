"""An agent whose answers are written beforehand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from eai.agents.messages import Agent, Message
from eai.errors import InputError, told

__all__ = ["ScriptedAgent", "agent_of"]


def agent_of(given: Agent | Sequence[str]) -> Agent:
    """Return an agent, or one that gives answers that are written beforehand.

    Args:
        given: The agent, or the answers.

    Raises:
        InputError: If it is neither.
    """
    if callable(given):
        return given
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError(
            f"{told(given)} is no agent",
            expected="a function of messages that returns text, or a list of answers",
            mend="give [answer] for one answer that is written already; a model is asked by"
            " eai.integrations.openai_chat.ChatAgent(model)",
        )
    return ScriptedAgent(given)


class ScriptedAgent:
    """Gives one answer after the other, whatever it is told.

    Args:
        answers: The answers, in order.
        then: Who answers when they are used up; by default the last one is repeated.

    Raises:
        InputError: If there is no answer and nobody else.
    """

    def __init__(self, answers: Iterable[str], *, then: Agent | None = None) -> None:
        self.answers = tuple(answers)
        if not self.answers and then is None:
            raise InputError("a script without an answer", expected="at least one answer")
        self._then = then
        self._given = 0

    def __call__(self, messages: Sequence[Message]) -> str:
        """Answer."""
        at = self._given
        self._given += 1
        if at >= len(self.answers) and self._then is not None:
            return self._then(messages)
        return self.answers[min(at, len(self.answers) - 1)]
