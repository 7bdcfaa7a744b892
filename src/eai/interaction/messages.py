"""What passes between an agent and its surroundings: messages there, text back."""

from __future__ import annotations

from collections.abc import Callable, Sequence

__all__ = ["Agent", "Message"]

Message = dict[str, str]
"""One message: ``role`` (``"user"`` or ``"assistant"``) and ``content``."""

Agent = Callable[[Sequence[Message]], str]
"""Answers a list of messages."""
