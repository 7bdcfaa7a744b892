"""What an agent is sent before a turn, in plain words.

It is one message. What stays the same in an episode comes first, so that it need not be read
anew every time by a model that keeps what it has read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from eai.interaction.feedback import history
from eai.interaction.messages import Message
from eai.interaction.rules import Situation
from eai.interaction.texts import describe

__all__ = ["PlainBrief", "carried_over"]

_FORM = """Answer with these lines; the last one is the action that is taken now, and only that one:
Plan: what you are going to do after it
Memory: what you want to remember
Action: NAME ARGUMENTS"""

_COUNTS = {0: "no argument", 1: "one argument", 2: "two arguments"}


@dataclass(frozen=True, slots=True)
class PlainBrief:
    """Tells an agent its task, its actions, what it did, and what it sees.

    Args:
        task: What to do.
        actions: The actions, each with its number of arguments.
        objects: The names that an argument may be.
    """

    task: str
    actions: Mapping[str, int]
    objects: tuple[str, ...]

    def __call__(self, situation: Situation) -> Sequence[Message]:
        """See :class:`eai.interaction.rules.Brief`."""
        parts = [*self._opening(), *_now(situation)]
        return [{"role": "user", "content": "\n\n".join(parts)}]

    def _opening(self) -> Iterable[str]:
        counted = (
            f"- {name.upper()}: {_COUNTS.get(count, f'{count} arguments')}"
            for name, count in sorted(self.actions.items())
        )
        yield "You act in a house, one action at a time. Names are used exactly as they stand here."
        yield f"## Task\n{self.task}"
        yield "\n".join(["## Actions", *counted])
        yield "\n".join(["## Names of objects", ", ".join(self.objects)])
        yield f"## Answer\n{_FORM}"


def _now(situation: Situation) -> Iterable[str]:
    if situation.turns:
        lines = history(situation.turns, situation.feedback)
        yield "\n".join(["## Your actions so far", *lines])
    yield from carried_over(situation)
    yield f"## What you see now\n{describe(situation.observation)}"
    yield "Which action do you take now?"


def carried_over(situation: Situation) -> Iterable[str]:
    """Yield the plan and the notes of the last answer, as parts of a message.

    Args:
        situation: How things stand; nothing is yielded if it is not to be told.
    """
    if not situation.carried or not situation.turns:
        return
    reply = situation.turns[-1].reply
    if reply.plan:
        yield f"## Your plan, as you wrote it last\n{reply.plan}"
    if reply.memory:
        yield f"## What you wanted to remember\n{reply.memory}"
