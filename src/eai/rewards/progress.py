"""Progress of an execution towards the goal, as shares and as one number.

Everything that depends on the task alone is prepared once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from eai.abilities.plans import repair_for
from eai.acting import read_answers, replay, unobserved
from eai.answers import Binder, KnownLines, bind, read_answer
from eai.contract import (
    INTERACTION,
    PLANS,
    SAYING_NOTHING,
    Suite,
    by_definition,
    execution_of,
    solved_by_nothing,
    trajectory_of,
)
from eai.diagnosis import GoalTests, Result, TaskRules
from eai.errors import InputError
from eai.logic import Formula
from eai.planning import RepairBounds
from eai.rewards.attempts import NOTHING, SOLVED, Attempt
from eai.rewards.executions import Executions, Situation
from eai.rewards.reference_ends import ReferenceEnds
from eai.rewards.turns import potential
from eai.semantics import Semantics
from eai.simulators import Environment, Execution
from eai.task import Task
from eai.world import Action, State, Step, Trajectory, World

_NumberedPlan = tuple[tuple[Action, tuple[int, ...]], ...]
"""The steps of a plan, each with the object numbers of its operator's arguments."""


def _numbered(plan: Sequence[Action], task: Task, world: World) -> _NumberedPlan:
    """Return a plan with the object numbers of the arguments of its steps.

    Raises:
        InputError: If the world does not know a name.
    """
    numbered: list[tuple[Action, tuple[int, ...]]] = []
    for step in plan:
        numbers = world.numbers(task.start, step.name, step.by(task.agent))
        numbered.append((step, numbers))
    return tuple(numbered)


class Progress:
    """Progress towards the goal of one task, in the world where plans are executed.

    Args:
        task: The task.
        world: The world.
    """

    def __init__(self, task: Task, world: World) -> None:
        self.world = world
        self.goal = GoalTests(task.goal, world, task.start)
        # Of each alternative of the goal, which conditions were true at the start.
        self._before: list[list[bool]] = []
        for option in self.goal.options:
            self._before.append([test(task.start) for test in option])
        self.plans: list[_NumberedPlan] = []
        for plan in task.plans:
            # A plan with names that the world does not know leads nowhere.
            with suppress(InputError):
                numbered = _numbered(plan, task, world)
                if numbered:
                    self.plans.append(numbered)
        # The number of steps from the start; None if no reference plan leads to the goal.
        self._reference_steps = self._remaining((), task.start.begin(), 0)
        largest_option = max((len(option) for option in self.goal.options), default=0)
        demands = largest_option + len(task.goal.actions)
        self.length = max(self._reference_steps or demands, 1)

    def reached(self, trajectory: Trajectory) -> bool:
        """Return whether a trajectory ends with all demands of the goal fulfilled."""
        steps = trajectory.steps
        return self.goal.reached(steps, trajectory.final, self.goal.matched(steps))

    def measure(self, execution: Execution) -> Attempt:
        """Return the achievement of an execution that does not solve the task."""
        steps, state = execution.trajectory.steps, execution.trajectory.final
        matched = self.goal.matched(steps)
        failed = sum(outcome not in ("done", "skipped") for outcome in execution.executed)
        remaining = self._remaining(steps, state, matched) if self._reference_steps else None
        return self._attempt(state, matched, remaining, failed)

    def _attempt(self, state: State, matched: int, remaining: int | None, failed: int) -> Attempt:
        """Return the achievement of an execution that does not solve the task.

        Args:
            state: The state at its end.
            matched: Number of demanded actions that were taken.
            remaining: Least number of last steps of a reference plan that lead on to the goal.
            failed: Number of steps that were not executed.
        """
        reference_progress = 0.0
        length = self._reference_steps
        if length and remaining is not None:
            reference_progress = (length - min(remaining, length)) / length
        goal_progress = self._goal_progress(state, matched)
        return Attempt(False, goal_progress, reference_progress, min(failed / self.length, 1.0))

    def _goal_progress(self, state: State, matched: int) -> float:
        """Return the largest share of an alternative of the goal that was gained.

        Args:
            state: The state at the end of an execution.
            matched: Number of demanded actions that were taken.
        """
        largest = 0.0
        for option, before in zip(self.goal.options or [[]], self._before or [[]], strict=True):
            demanded = len(self.goal.actions) + before.count(False)
            if not demanded:
                continue
            gained = matched
            for test, was_true in zip(option, before, strict=True):
                gained += test(state) - was_true  # -1 if it was true and is not any more
            largest = max(largest, gained / demanded)
        return largest

    def _remaining(self, steps: Sequence[Step], state: State, matched: int) -> int | None:
        """Return the least number of last steps of a reference plan that lead to the goal.

        None if no end of a reference plan leads there. All ends are tried, the shortest first: it
        takes time quadratic in the length of the plan.

        Args:
            steps: The steps so far.
            state: The present state.
            matched: Number of demanded actions that were taken.
        """
        longest = max(map(len, self.plans), default=-1)
        for count in range(longest + 1):
            ends = (plan[len(plan) - count :] for plan in self.plans if count <= len(plan))
            if any(self._leads_to_goal(end, steps, state, matched) for end in ends):
                return count
        return None

    def _leads_to_goal(
        self, rest: _NumberedPlan, steps: Sequence[Step], state: State, matched: int
    ) -> bool:
        """Return whether further steps can be taken, and then the goal is reached."""
        if not rest:
            return self.goal.reached(steps, state, matched)
        world, state, taken = self.world, state.copy(), []
        for number, (action, numbers) in enumerate(rest, start=1):
            if world.first_failure(state, action.name, numbers) >= 0:
                return False
            taken.append(Step(action, number, world.apply(state, action.name, numbers)))
        return self.goal.reached([*steps, *taken], state, self.goal.matched(taken, matched))


class RememberedProgress(Progress):
    """Progress of plans under strict semantics, by executions that are remembered.

    Its attempts are those of :meth:`Progress.measure`.

    Args:
        task: The task.
        graded: Whether plans that do not solve the task are measured.
    """

    def __init__(self, task: Task, *, graded: bool) -> None:
        super().__init__(task, task.world)
        self._graded = graded
        self.executions = Executions(task, self.goal)
        self._references = [
            [self.executions.number(action) for action, _ in plan] for plan in self.plans
        ]
        self._ends: list[ReferenceEnds] = []
        if graded:
            self._ends = [ReferenceEnds(task, self.goal, plan) for plan in self.plans]
        self.number = self.executions.number

    def attempt(self, plan: Sequence[int]) -> Attempt:
        """Return the achievement of a plan, given as numbers of actions."""
        situation, failed = self.executions.run(plan)
        if situation.attempts is None:
            situation.attempts = {}
        attempt = situation.attempts.get(failed)
        if attempt is None:
            attempt = self._measure_situation(situation, failed)
            situation.attempts[failed] = attempt
        return attempt

    def _measure_situation(self, situation: Situation, failed: int) -> Attempt:
        """Return the achievement of plans that lead to a situation.

        Args:
            situation: Where they lead.
            failed: Number of their steps that were not executed.
        """
        if not failed and self.executions.is_goal(situation):
            return SOLVED
        if not self._graded:
            return NOTHING
        remaining = self.remaining_from(situation)
        state = self.executions.state(situation)
        return self._attempt(state, situation.matched, remaining, failed)

    def remaining_from(self, situation: Situation) -> int | None:
        """Return the least number of last steps of a reference plan that lead to the goal."""
        if not self._reference_steps:
            return None
        if situation.remaining is None:
            situation.remaining = self._count_remaining(situation)
        return None if situation.remaining < 0 else situation.remaining

    def _count_remaining(self, situation: Situation) -> int:
        """Return what :meth:`remaining_from` returns, worked out anew; -1 in place of None.

        None stands in a situation for what was not worked out yet.
        """
        if self.executions.is_lost(situation):
            return -1
        state = self.executions.state(situation)
        possible = [ends.possible(state, situation.matched) for ends in self._ends]
        longest = max([mask.bit_length() for mask in possible], default=0)
        for count in range(longest):
            for plan, mask in zip(self._references, possible, strict=True):
                if not mask >> count & 1:
                    continue
                if self.executions.reaches_goal(situation, plan[len(plan) - count :]):
                    return count
        return -1


_BOUNDS = RepairBounds(edits=2, actions=20_000)
"""Bounds of the search for a repair; beyond them the distance to a reference plan is taken."""

AttemptFunction = Callable[["str | None"], Attempt]
"""Function that returns the achievement of an answer to one task; None stands for no answer."""


def attempt_function(
    suite: Suite,
    ability: str,
    task: Task,
    *,
    semantics: Semantics,
    kind: str,
    rules: TaskRules | None = None,
) -> AttemptFunction | str:
    """Return the function for the answers to a task, or the reason why it cannot be rewarded.

    Args:
        suite: The suite.
        ability: The ability that answers are about.
        task: The task.
        semantics: The semantics of the verdict.
        kind: The kind of the reward.
        rules: The rules that an answer has to keep to be a success.
    """
    # Strict semantics, too: the published evaluator counts tasks without a goal, which any plan
    # solves.
    for meaning in (semantics, suite.semantics("strict")):
        if suite.evaluate(ability, task, None, meaning).status == "excluded":
            return f"the suite {suite.name!r} excludes it under {meaning.name!r} semantics"

    formulas: list[Formula] = []
    if rules is not None:
        formulas = [formula for _, formula in rules.formulas]
    if kind == "repair":
        evaluated = partial(suite.evaluate, ability, task, semantics=semantics)
        attempt = _by_repair(task, evaluated, formulas)
    else:
        attempt = _by_goal(suite, ability, task, semantics, graded=kind == "graded")
    if rules is not None and formulas:
        attempt = _with_rules(attempt, rules, suite, ability, task, semantics)
    nothing = solved_by_nothing(lambda answer: attempt(answer).solved, SAYING_NOTHING)
    if nothing:
        return f"{nothing} solves it"
    return _remembering(attempt)


def _by_goal(
    suite: Suite, ability: str, task: Task, semantics: Semantics, *, graded: bool
) -> AttemptFunction:
    """Return the function that says whether answers reach the goal, the cheapest that there is.

    Args:
        suite: The suite.
        ability: The ability that answers are about.
        task: The task.
        semantics: The semantics of the verdict.
        graded: Whether it also says how far those come that do not reach it.
    """
    evaluated = partial(suite.evaluate, ability, task, semantics=semantics)
    known = suite.abilities[ability]
    if ability == INTERACTION and known.evaluate is None:
        return _by_episode(suite, task, semantics)
    if graded and known.graded:
        return _by_measure(evaluated, known.graded)
    if by_definition(suite, ability, semantics):
        return _by_definition(task, graded=graded)
    run = None
    if graded:
        run = partial(execution_of, suite, task, semantics=semantics)
    return _by_result(task, evaluated, run, plans=ability == PLANS)


MAX_ANSWERS = 2_000
"""Maximum number of answers to a task that are remembered; then all are forgotten."""
MAX_REMEMBERED = 4_000
"""Maximum number of characters of an answer that is remembered."""


def _remembering(attempt: AttemptFunction) -> AttemptFunction:
    """Return the same function; equal answers are measured once."""
    known: dict[str, Attempt] = {}

    def remembered(answer: str | None) -> Attempt:
        if answer is None or len(answer) > MAX_REMEMBERED:
            return attempt(answer)
        achieved = known.get(answer)
        if achieved is None:
            achieved = attempt(answer)
            if len(known) >= MAX_ANSWERS:
                known.clear()
            known[answer] = achieved
        return achieved

    return remembered


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
        # The share gained of what was missing at the start: from 0.5 to 0.75 it is a half.
        begun = potential(episode.begun or episode.goal)
        gained = 0.0
        if begun < 1:
            gained = (potential(episode.goal) - begun) / (1 - begun)
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


def _with_rules(
    attempt: AttemptFunction,
    rules: TaskRules,
    suite: Suite,
    ability: str,
    task: Task,
    semantics: Semantics,
) -> AttemptFunction:
    """Return the function that says which rules an answer breaks, and does not call that solved."""

    def ruled(answer: str | None) -> Attempt:
        achieved = attempt(answer)
        result = suite.evaluate(ability, task, answer, semantics)
        trajectory = trajectory_of(result, suite, task, answer, semantics, ability=ability)
        if trajectory is None:
            return achieved
        broken = rules.broken(trajectory)
        if not broken:
            return achieved
        return replace(achieved, solved=False, broken=broken)

    return ruled


def _by_repair(
    task: Task, evaluated: Callable[[str | None], Result], rules: Sequence[Formula]
) -> AttemptFunction:
    """Return the function for plans by the edits that they need, relative to the empty plan."""
    distance_of_nothing = repair_for(task, (), rules, bounds=_BOUNDS).distance or 0
    vocabulary = task.readable

    def attempt(answer: str | None) -> Attempt:
        is_solved = evaluated(answer).success
        if is_solved and not rules:
            return SOLVED
        plan = None if answer is None else bind(read_answer(answer, vocabulary), vocabulary)
        if plan is None or plan.findings:
            return NOTHING
        if not distance_of_nothing and not is_solved:
            return NOTHING
        distance = repair_for(task, plan.actions, rules, bounds=_BOUNDS).distance
        if distance == 0 and is_solved:
            return SOLVED
        if distance is None or not distance_of_nothing:
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
    """Return the function for plans under strict semantics: their executions are remembered."""
    task.check_agent()  # a task without its agent is nobody's failure
    vocabulary = task.readable
    binder = Binder(vocabulary)
    progress = RememberedProgress(task, graded=graded)
    # Lines that were read before are looked up; a reader of the task's own knows no lines.
    known: KnownLines | None = None
    if not vocabulary.reader:
        known = KnownLines(vocabulary, binder, progress.number)

    def steps_of(answer: str) -> list[int] | None:
        """Return the numbers of the actions of an answer; None if it is no plan."""
        if known is not None:
            plan = known.read_plan(answer)
            if plan is not None:
                return plan
        actions = binder.actions(read_answer(answer, vocabulary))
        if actions is None:
            return None
        return [progress.number(action) for action in actions]

    def attempt(answer: str | None) -> Attempt:
        if answer is None:
            return NOTHING
        try:
            plan = steps_of(answer)
        except InputError:  # the domain does not accept the arguments of a step
            return NOTHING
        if plan is None:
            return NOTHING
        return progress.attempt(plan)

    return attempt
