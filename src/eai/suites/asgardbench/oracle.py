"""An agent that knows the whole state and how goals are reached; and plans found with it.

It plans by methods (:mod:`eai.suites.asgardbench.chores`) and looks at the state after every
action. That an instance can be solved is proved by running what it does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from eai.acting import Message, format_action
from eai.diagnosis import GoalStatus
from eai.errors import InputError
from eai.semantics import Semantics
from eai.simulators import Environment
from eai.suites.asgardbench.chores import Chores
from eai.suites.asgardbench.environment import AsgardEnvironment, shown
from eai.suites.asgardbench.goals import AsgardGoal
from eai.suites.asgardbench.instances import Instance
from eai.task import Task
from eai.world import Action

_ROUNDS = 3
"""What a later goal undid is done again so many times."""

_MOST = 500
"""A plan with more actions than this is none."""


class Oracle:
    """Acts in an environment by its whole state, whatever it is told.

    Raises:
        InputError: If the environment is of another suite.
    """

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
    """Yield what to do in an environment; each action is taken before the next is asked for."""
    return _Planner(environment, semantics).actions()


@dataclass(frozen=True, slots=True)
class Solution:
    """What the oracle found out about an instance.

    Args:
        solved: Whether its plan reaches the goal.
        obstacle: If not: what it could not do, as a sentence.
    """

    solved: bool
    plan: tuple[Action, ...]
    obstacle: str = ""


def solve(instance: Instance, semantics: Semantics) -> Solution:
    """Let the oracle act until the goal is reached, without any limit on the number of steps."""
    environment = AsgardEnvironment(instance, semantics)
    planner, goal = _Planner(environment, semantics), AsgardGoal(instance, semantics)
    plan: list[Action] = []
    status = goal.update(environment, None, None)
    for action in planner.actions():
        if status.reached or len(plan) == _MOST:
            break
        result = environment.step(action)
        plan.append(action)
        status = goal.update(environment, action, result)
    obstacle = "" if status.reached else planner.obstacle or _unmet(status)
    return Solution(status.reached, tuple(plan), obstacle)


def _unmet(status: GoalStatus) -> str:
    return "; ".join(f"not reached: {each.text}" for each in status.conditions if not each.met)


class _Planner:
    """Goes through all that has to be done, again if something was undone."""

    def __init__(self, environment: AsgardEnvironment, semantics: Semantics) -> None:
        self._chores = Chores(lambda: environment.room, environment.instance, semantics)

    @property
    def obstacle(self) -> str:
        """What could not be done, as a sentence."""
        return self._chores.obstacle

    def actions(self) -> Iterator[Action]:
        """Yield the actions; each has to be taken before the next one is asked for."""
        for _ in range(_ROUNDS):
            for chore in self._chores.all():
                for action in chore:
                    if not self._sees(action.arguments[0]):
                        yield Action("FIND", action.arguments)
                    yield action

    def _sees(self, kind: str) -> bool:
        """Whether an object of a type is shown to who acts: only such objects are acted on."""
        room = self._chores.room
        return any(room.type(name) == kind for name in shown(room))
