"""Feedback on a turn: nothing, whether it worked, or also why not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

from eai.errors import UnknownNameError
from eai.interaction.episode import Turn

__all__ = ["FEEDBACK", "Feedback", "check_feedback", "history"]

Feedback = Literal["none", "simple", "detailed"]
"""How much an agent is told of what came of its actions."""

FEEDBACK: tuple[Feedback, ...] = get_args(Feedback)
"""All of them, the least telling first."""


def check_feedback(feedback: str) -> None:
    """See that there is such a feedback.

    Raises:
        UnknownNameError: If there is none.
    """
    if feedback not in FEEDBACK:
        raise UnknownNameError("feedback", feedback, FEEDBACK)


def history(turns: Iterable[Turn], feedback: Feedback) -> list[str]:
    """One line for every turn: the action, and as much as the agent is told of it.

    Args:
        turns: The turns.
        feedback: ``"none"``: the action; ``"simple"``: also whether it was done; ``"detailed"``:
            also why not.
    """
    return [f"{turn.number}. {_told(turn, feedback)}" for turn in turns]


def _told(turn: Turn, feedback: Feedback) -> str:
    action = turn.reply.written or "(no action could be read)"
    if feedback == "none":
        return action
    if turn.success:
        return f"{action}: Success"
    reason = f": {turn.result.message}" if feedback == "detailed" and turn.result.message else ""
    return f"{action}: Failure{reason}"
