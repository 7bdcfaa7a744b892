"""Progress of an execution towards the goal, as shares and as one number.

Everything that depends on the task alone is prepared once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import partial

from eai.abilities.plans import repair
from eai.acting import read_answers, replay, unobserved
from eai.answers import Binder, bind, read_answer
from eai.contract import (
    INTERACTION,
    PLANS,
    SAYING_NOTHING,
    Suite,
    by_definition,
    execution_of,
    solved_by_nothing,
)
from eai.diagnosis import DomainRules, GoalTests, Result
from eai.errors import InputError
from eai.planning import RepairBounds
from eai.rewards.turns import check_share, potential
from eai.semantics import Semantics
from eai.simulators import Environment, Execution, Symbolic, execute
from eai.task import Task
from eai.world import Action, State, Step, Trajectory, World


@dataclass(frozen=True, slots=True)
class Attempt:
    """The achievement of an answer; all shares are in [0, 1].

    Args:
        solved: Whether the suite's verdict is that the task is solved.
        goals: Share of the demands of the goal beyond the initial state: demanded conditions that
            were made true and are at the end, less those that were true and are not any more,
            and demanded actions that were taken in order.
        way: Share of the steps of the reference plan that are not needed any more.
        left: Number of steps that were not executed, over the length of the reference plan; at
            most 1. Of an episode: its failed turns, likewise.
        repair: Share of the edits from the empty plan to one that works that are not needed any
            more; only the reward of the kind ``"repair"`` uses it.
        measured: The suite's own measure, which then is the graded reward; or None.
    """

    solved: bool
    goals: float = 0.0
    way: float = 0.0
    left: float = 0.0
    repair: float = 0.0
    measured: float | None = None


SOLVED = Attempt(solved=True, goals=1.0, way=1.0, repair=1.0)
"""An answer that solves its task."""
NOTHING = Attempt(solved=False)
"""An answer that achieves nothing, or that is not a plan for its task."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of a graded reward, which is made of an :class:`Attempt`.

    A solved task gives 1; any other answer ``(goals * G + way * W) * (1 - left * L)``, where G,
    W and L are the shares of the attempt. It is at most ``goals + way``, which is less than 1.

    Args:
        goals: Weight of the goal's conditions.
        way: Weight of the progress along the reference plan.
        left: Share of the reward that is lost if nothing of the plan is executed.

    Raises:
        InputError: If a weight is not in [0, 1], or if ``goals + way`` is not less than 1.
    """

    goals: float = 0.6
    way: float = 0.3
    left: float = 0.5

    def __post_init__(self) -> None:
        for field in fields(self):
            check_share(f"weight {field.name}", getattr(self, field.name))
        if self.goals + self.way >= 1:
            raise InputError(
                f"the weights goals and way add up to {self.goals + self.way:g}",
                expected="less than 1: only a solved task is worth 1",
            )

    def value(self, attempt: Attempt) -> float:
        """Return the graded reward of an attempt."""
        if attempt.measured is not None:
            return attempt.measured
        if attempt.solved:
            return 1.0
        gained = self.goals * attempt.goals + self.way * attempt.way
        return gained * (1 - self.left * attempt.left)

    def nearness(self, attempt: Attempt) -> float:
        """Return the reward by repair: at most ``goals + way`` if the task is not solved."""
        if attempt.solved:
            return 1.0
        return (self.goals + self.way) * attempt.repair


_Numbered = tuple[tuple[Action, tuple[int, ...]], ...]
"""The steps of a plan, each with the object numbers of its operator's arguments."""


class Progress:
    """Progress towards the goal of one task, in the world where plans are executed.

    Args:
        task: The task.
        world: The world.
    """

    def __init__(self, task: Task, world: World) -> None:
        self._world = world
        self._goal = GoalTests(task.goal, world, task.start)
        self._before = [[test(task.start) for test in option] for option in self._goal.options]
        self._plans: list[_Numbered] = []
        for plan in task.plans:
            # A plan with names that the world does not know leads nowhere.
            with suppress(InputError):
                numbered = tuple(
                    (step, world.numbers(task.start, step.name, step.by(task.agent)))
                    for step in plan
                )
                if numbered:
                    self._plans.append(numbered)
        # The number of steps from the start; None if no reference plan leads to the goal.
        self._way = self._remaining((), task.start.begin(), 0)
        demands = max(map(len, self._goal.options), default=0) + len(task.goal.actions)
        self.length = max(self._way or demands, 1)

    def reached(self, trajectory: Trajectory) -> bool:
        """Return whether a trajectory ends with all demands of the goal fulfilled."""
        steps = trajectory.steps
        return self._goal.reached(steps, trajectory.final, self._goal.matched(steps))

    def measure(self, execution: Execution) -> Attempt:
        """Return the achievement of an execution that does not solve the task."""
        steps, state = execution.trajectory.steps, execution.trajectory.final
        matched = self._goal.matched(steps)
        way = 0.0
        if self._way:
            remaining = self._remaining(steps, state, matched)
            if remaining is not None:
                way = (self._way - min(remaining, self._way)) / self._way
        failed = sum(outcome not in ("done", "skipped") for outcome in execution.executed)
        # Of a goal with alternatives the one counts of which the largest share was gained.
        goals = 0.0
        for option, before in zip(self._goal.options or [[]], self._before or [[]], strict=True):
            demanded = len(self._goal.actions) + before.count(False)
            if not demanded:
                continue
            gained = matched
            for test, was_true in zip(option, before, strict=True):
                gained += test(state) - was_true  # -1 if it was true and is not any more
            goals = max(goals, gained / demanded)
        return Attempt(False, goals, way, min(failed / self.length, 1.0))

    def _remaining(self, steps: Sequence[Step], state: State, matched: int) -> int | None:
        """Return the least number of last steps of a reference plan that lead to the goal.

        None if no end of a reference plan leads there. All ends are tried, the shortest first: it
        takes time quadratic in the length of the plan.

        Args:
            steps: The steps so far.
            state: The present state.
            matched: Number of demanded actions that were taken.
        """
        longest = max(map(len, self._plans), default=-1)
        for count in range(longest + 1):
            ends = (plan[len(plan) - count :] for plan in self._plans if count <= len(plan))
            if any(self._leads(end, steps, state, matched) for end in ends):
                return count
        return None

    def _leads(self, rest: _Numbered, steps: Sequence[Step], state: State, matched: int) -> bool:
        """Return whether further steps can be taken, and then the goal is reached."""
        if not rest:
            return self._goal.reached(steps, state, matched)
        world, state, taken = self._world, state.copy(), []
        for number, (action, numbers) in enumerate(rest, start=1):
            if world.first_failure(state, action.name, numbers) >= 0:
                return False
            taken.append(Step(action, number, world.apply(state, action.name, numbers)))
        return self._goal.reached([*steps, *taken], state, self._goal.matched(taken, matched))


_BOUNDS = RepairBounds(edits=2, actions=20_000)
"""Bounds of the search for a repair; beyond them the distance to a reference plan is taken."""

AttemptFunction = Callable[["str | None"], Attempt]
"""Function that returns the achievement of an answer to one task; None stands for no answer."""


def attempt_function(
    suite: Suite, ability: str, task: Task, *, semantics: Semantics, kind: str
) -> AttemptFunction | str:
    """Return the function for the answers to a task, or the reason why it cannot be rewarded."""
    # Strict semantics, too: the published evaluator counts tasks without a goal, which any plan
    # solves.
    for meaning in (semantics, suite.semantics("strict")):
        if suite.evaluate(ability, task, None, meaning).status == "excluded":
            return f"the suite {suite.name!r} excludes it under {meaning.name!r} semantics"

    evaluated = partial(suite.evaluate, ability, task, semantics=semantics)
    if kind == "repair":
        attempt = _by_repair(task, evaluated)
    elif ability == INTERACTION and suite.abilities[ability].evaluate is None:
        attempt = _by_episode(suite, task, semantics)
    elif kind == "graded" and suite.abilities[ability].graded:
        attempt = _by_measure(evaluated, suite.abilities[ability].graded)
    elif by_definition(suite, ability, semantics):
        attempt = _by_definition(task, graded=kind == "graded")
    else:
        run = partial(execution_of, suite, task, semantics=semantics) if kind == "graded" else None
        attempt = _by_result(task, evaluated, run, plans=ability == PLANS)
    nothing = solved_by_nothing(lambda answer: attempt(answer).solved, SAYING_NOTHING)
    return f"{nothing} solves it" if nothing else attempt


def _by_episode(suite: Suite, task: Task, semantics: Semantics) -> AttemptFunction:
    """Return the function for episodes: it replays their answers without observations."""
    rules = suite.episode_rules(task, semantics)
    free: list[Environment] = []  # several threads may measure at the same time

    def attempt(answer: str | None) -> Attempt:
        if answer is None:
            return NOTHING
        environment = free.pop() if free else unobserved(suite.environment(task, semantics))
        episode = replay(environment, read_answers(answer), rules=rules, task=task.id)
        free.append(environment)
        if episode.success:
            return SOLVED
        begun = potential(episode.begun or episode.goal)
        gained = (potential(episode.goal) - begun) / (1 - begun) if begun < 1 else 0.0
        failed = sum(not turn.success for turn in episode.turns)
        length = rules.reference_steps or max(len(episode.turns), 1)
        return Attempt(False, max(gained, 0.0), left=min(failed / length, 1.0))

    return attempt


def _by_measure(evaluated: Callable[[str | None], Result], kind: str) -> AttemptFunction:
    """Return the function for answers that the suite itself measures.

    Args:
        evaluated: Evaluates an answer.
        kind: Kind of the measure.
    """

    def attempt(answer: str | None) -> Attempt:
        result = evaluated(answer)
        value = 0.0
        for measure in result.measures:
            if measure.kind == kind:
                value = measure.amount / measure.base
                break
        return Attempt(result.success, measured=value)

    return attempt


def _by_repair(task: Task, evaluated: Callable[[str | None], Result]) -> AttemptFunction:
    """Return the function for plans by the edits that they need, relative to the empty plan."""
    distance_of_nothing = repair(task, (), bounds=_BOUNDS).distance or 0
    vocabulary = task.readable

    def attempt(answer: str | None) -> Attempt:
        if evaluated(answer).success:
            return SOLVED
        plan = None if answer is None else bind(read_answer(answer, vocabulary), vocabulary)
        if plan is None or plan.findings or not distance_of_nothing:
            return NOTHING
        distance = repair(task, plan.actions, bounds=_BOUNDS).distance
        if distance is None:
            return NOTHING
        return Attempt(False, repair=max(0.0, 1 - distance / distance_of_nothing))

    return attempt


def _by_result(
    task: Task,
    evaluated: Callable[[str | None], Result],
    run: Callable[[str], Execution | None] | None,
    *,
    plans: bool,
) -> AttemptFunction:
    """Return the function for answers that the suite evaluates.

    Args:
        task: The task.
        evaluated: Evaluates an answer.
        run: Executes an answer that does not solve the task, to measure it; None if it only counts
            whether the task is solved.
        plans: Whether answers are plans, so that their results have the trajectory.
    """
    progress: Progress | None = None

    def attempt(answer: str | None) -> Attempt:
        nonlocal progress
        result = evaluated(answer)
        if result.success:
            return SOLVED
        if run is None or answer is None:
            return NOTHING
        execution: Execution | None
        if plans and result.evidence is not None:  # it was executed just now
            execution = Execution(result.evidence.trajectory, result.executed, ())
        else:
            execution = run(answer)
        if execution is None:
            return NOTHING
        progress = progress or Progress(task, execution.trajectory.world)
        return progress.measure(execution)

    return attempt


def _by_definition(task: Task, *, graded: bool) -> AttemptFunction:
    """Return the function for plans under strict semantics: these are run without descriptions."""
    task.check_agent()  # a task without its agent is nobody's failure
    simulator = Symbolic(task.world, DomainRules(described=False, skip=task.skips))
    vocabulary = task.readable
    binder = Binder(vocabulary)
    progress = Progress(task, simulator.world)

    def attempt(answer: str | None) -> Attempt:
        actions = None if answer is None else binder.actions(read_answer(answer, vocabulary))
        if actions is None:
            return NOTHING
        execution = execute(simulator, task.start, actions, agent=task.agent)
        if execution.completed and progress.reached(execution.trajectory):
            return SOLVED
        return progress.measure(execution) if graded else NOTHING

    return attempt
