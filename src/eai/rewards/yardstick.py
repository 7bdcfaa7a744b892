"""How far an execution came: functions of where it ended, not of how long it took.

Whatever a plan does and undoes, or does for nothing, leads to the same end and is worth the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from eai.diagnosis.goals import GoalTests
from eai.errors import InputError
from eai.rewards.weights import Attempt
from eai.simulators.base import Execution
from eai.task import Task
from eai.world.action import Action
from eai.world.state import State
from eai.world.trajectory import Step, Trajectory
from eai.world.transition import World

__all__ = ["Yardstick"]

_Numbered = tuple[tuple[Action, tuple[int, ...]], ...]
"""The steps of a plan, each with the object numbers of its operator's arguments."""


class Yardstick:
    """Measures executions of plans for one task.

    Args:
        task: The task.
        world: Where its plans are run.
    """

    def __init__(self, task: Task, world: World) -> None:
        self._world = world
        self._goal = GoalTests(task.goal, world, task.start)
        self._before = [[test(task.start) for test in option] for option in self._goal.options]
        self._plans = [
            plan for plan in (_numbered(plan, task, world) for plan in task.plans) if plan
        ]
        # The way from the start; None if no reference plan leads to the goal.
        self._way = self._remaining((), task.start.begin(), 0)
        demands = max(map(len, self._goal.options), default=0) + len(task.goal.actions)
        self.length = max(self._way or demands, 1)

    def reached(self, trajectory: Trajectory) -> bool:
        """Whether everything that the goal demands is so at the end of a trajectory."""
        steps = trajectory.steps
        return self._goal.reached(steps, trajectory.final, self._goal.matched(steps))

    def measure(self, execution: Execution) -> Attempt:
        """Measure an execution that does not solve the task."""
        steps, state = execution.trajectory.steps, execution.trajectory.final
        matched = self._goal.matched(steps)
        way = 0.0
        if self._way:
            remaining = self._remaining(steps, state, matched)
            if remaining is not None:
                way = (self._way - min(remaining, self._way)) / self._way
        failed = sum(outcome not in ("done", "skipped") for outcome in execution.executed)
        goals = self._gained(state, matched)
        return Attempt(False, goals, way, min(failed / self.length, 1.0))

    def _gained(self, state: State, matched: int) -> float:
        """The largest share of an alternative that was gained."""
        best = 0.0
        for option, before in zip(self._goal.options or [[]], self._before or [[]], strict=True):
            gained = matched + sum(
                test(state) - old for test, old in zip(option, before, strict=True)
            )
            demanded = len(self._goal.actions) + before.count(False)
            if demanded and gained > best * demanded:
                best = gained / demanded
        return best

    def _remaining(self, steps: Sequence[Step], state: State, matched: int) -> int | None:
        """The least number of last steps of a reference plan that lead from a state to the goal."""
        longest = max(map(len, self._plans), default=-1)
        for count in range(longest + 1):
            for plan in self._plans:
                if count <= len(plan) and self._leads(
                    plan[len(plan) - count :], steps, state, matched
                ):
                    return count
        return None

    def _leads(self, rest: _Numbered, steps: Sequence[Step], state: State, matched: int) -> bool:
        """Whether further steps can be taken and then everything is as the goal demands."""
        if not rest:
            return self._goal.reached(steps, state, matched)
        world, state, taken = self._world, state.copy(), []
        for number, (action, numbers) in enumerate(rest, start=1):
            if world.first_failure(state, action.name, numbers) >= 0:
                return False
            taken.append(Step(action, number, world.apply(state, action.name, numbers)))
        return self._goal.reached([*steps, *taken], state, self._goal.matched(taken, matched))


def _numbered(plan: Sequence[Action], task: Task, world: World) -> _Numbered:
    """Number the arguments of a plan's steps; nothing if the world does not know one of them."""
    try:
        return tuple(
            (action, world.numbers(task.start, action.name, (task.agent, *action.arguments)))
            for action in plan
        )
    except InputError:
        return ()
