"""Plans in the messages of a chat, each with a role and a content, of which one counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from eai.answers.choice import says_failure
from eai.answers.items import Step
from eai.answers.values import Group, Item, Text

_ASSISTANTS = frozenset(["assistant", "model", "agent", "robot"])
"""Roles of messages that may answer."""


def without_earlier_plans(
    messages: Sequence[Item], steps_in: Callable[[Text], list[Step] | None]
) -> list[Item]:
    """Return the messages of a chat without the plans of the assistant that a later one replaces.

    A plan replaces the one before if its numbers begin anew, or a user says that that one fails.

    Args:
        messages: Objects with a role and a content.
        steps_in: Reads the steps in a text.
    """
    replaced: list[Item] = []
    last_plan: Item | None = None
    has_failed = False
    for message in messages:
        role, content = _role_and_content(message)
        if role == "user":
            has_failed = has_failed or says_failure(content.value)
        steps = steps_in(content) if role in _ASSISTANTS else None
        # A single step may be one of a plan that the assistant tells step by step.
        if steps is None or len(steps) < 2:
            continue
        if last_plan is not None and (has_failed or steps[0].number == 1):
            replaced.append(last_plan)
        last_plan = message
        has_failed = False
    return [message for message in messages if not any(message is plan for plan in replaced)]


def _role_and_content(message: Item) -> tuple[str, Text]:
    """Return who says a message, and what it says; both are empty if it is no message."""
    pairs = message.pairs if isinstance(message, Group) else []
    values = {pair.name: pair.value for pair in pairs if isinstance(pair.value, Text)}
    role, content = values.get("role"), values.get("content")
    if role is None or content is None:
        return "", Text("", 0, 0)
    return role.value.lower(), content
