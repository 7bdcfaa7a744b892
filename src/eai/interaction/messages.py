"""What passes between an agent and its surroundings: messages there, text back."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from eai.errors import InputError

__all__ = ["Agent", "Message", "checked_answer"]

Message = dict[str, str]
"""One message: ``role`` (``"user"`` or ``"assistant"``) and ``content``."""

Agent = Callable[[Sequence[Message]], str]
"""Answers a list of messages."""


def checked_answer(answer: object) -> str:
    """Return what an agent answered, if it is text.

    Args:
        answer: What came back.

    Raises:
        InputError: If it is something else: the agent is none.
    """
    if isinstance(answer, str):
        return answer
    raise InputError(
        f"an answer is {type(answer).__name__}, not text",
        expected="an agent that returns what it answers as str",
    )
