"""What an agent is sent: the prompt, and what came of its attempts so far.

Two forms. ``"chat"``: attempts and feedback alternate as in a conversation. ``"paper"``: one
message, the prompt with all attempts and what was wrong with each behind it (paper, section
H.2).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from eai.interaction.messages import Agent, Message

__all__ = ["FORMS", "Agent", "Form", "Message", "chat_messages", "paper_messages"]

Form = Literal["chat", "paper"]
"""How attempts and feedback are sent."""

FORMS: tuple[Form, ...] = ("chat", "paper")
"""All forms."""


def chat_messages(prompt: str, told: Iterable[tuple[str, str]]) -> list[Message]:
    """Return prompt, attempts and feedback as a conversation.

    Args:
        prompt: The prompt.
        told: The answer of each attempt so far and the feedback on it.
    """
    messages = [_said("user", prompt)]
    for answer, feedback in told:
        messages += [_said("assistant", answer), _said("user", feedback)]
    return messages


def paper_messages(prompt: str, told: Iterable[tuple[str, str]]) -> list[Message]:
    """Return prompt, attempts and feedback as one message.

    Args:
        prompt: The prompt.
        told: The plan of each attempt so far as text, and the feedback on it.
    """
    parts = [prompt]
    for number, (plan, feedback) in enumerate(told, start=1):
        parts.append(f"Attempt {number}. The predicted action sequence was {plan}.\n{feedback}")
    return [_said("user", "\n\n".join(parts))]


def _said(role: str, content: str) -> Message:
    return {"role": role, "content": content}
