"""An agent that knows the whole state and how goals are reached; and plans found with it.

It plans by methods (:mod:`eai.suites.asgardbench.chores`) and looks at the state after every
action.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from eai.acting import Message, format_action
from eai.errors import InputError
from eai.semantics import Semantics
from eai.simulators import Environment
from eai.suites.asgardbench.chores import Chores
from eai.suites.asgardbench.environment import AsgardEnvironment, shown
from eai.task import Task
from eai.world import Action

_ROUNDS = 3
"""What a later goal undid is done again so many times."""


class Oracle:
    """Acts in an environment by its whole state, whatever it is told."""

    def __init__(self, task: Task, semantics: Semantics, environment: Environment) -> None:
        if not isinstance(environment, AsgardEnvironment):
            raise InputError(
                f"the oracle of AsgardBench cannot act in a {type(environment).__name__}",
                expected=f"the environment of the task {task.id!r}",
            )
        self._actions = planned(environment, semantics)

    def __call__(self, _messages: Sequence[Message]) -> str:
        """Answer; the messages are not looked at. When it is at its wits' end, it looks around."""
        return format_action(next(self._actions, Action("FIND", ("Floor",))))


def planned(environment: AsgardEnvironment, semantics: Semantics) -> Iterator[Action]:
    """Yield what to do in an environment; each action is taken before the next is asked for.

    All that has to be done is gone through again if something was undone.
    """
    chores = Chores(lambda: environment.room, environment.instance, semantics)
    for _ in range(_ROUNDS):
        for chore in chores.all():
            for action in chore:
                # Only what is shown is acted on.
                room, (kind,) = environment.room, action.arguments
                if all(room.type(name) != kind for name in shown(room)):
                    yield Action("FIND", action.arguments)
                yield action
