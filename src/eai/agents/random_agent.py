"""An agent that acts at random, over the names that there are."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from eai.errors import InputError
from eai.interaction.messages import Message
from eai.interaction.replies import format_action
from eai.world.action import Action

__all__ = ["RandomAgent"]


class RandomAgent:
    """Takes any action with any objects, each as likely as the others.

    Args:
        actions: Name of an action to the number of its arguments.
        objects: Names that an argument may be.
        seed: With the same seed it does the same.

    Raises:
        InputError: If there is no action that it could take.
    """

    def __init__(
        self, actions: Mapping[str, int], objects: Sequence[str], *, seed: int | str = 0
    ) -> None:
        self._actions = {name: n for name, n in actions.items() if objects or not n}
        if not self._actions:
            raise InputError("there is no action to take", expected="actions and objects")
        self._names = sorted(self._actions)
        self._objects = sorted(objects)
        # A text as seed means the same on every platform.
        self._dice = random.Random(str(seed))  # noqa: S311

    def __call__(self, _messages: Sequence[Message]) -> str:
        """Answer; the messages are not looked at."""
        name = self._dice.choice(self._names)
        count = self._actions[name]
        return format_action(Action(name, tuple(self._dice.choices(self._objects, k=count))))
