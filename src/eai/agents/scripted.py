"""An agent whose answers are written beforehand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from eai.agents.messages import Agent, Message
from eai.errors import InputError

__all__ = ["ScriptedAgent"]


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
