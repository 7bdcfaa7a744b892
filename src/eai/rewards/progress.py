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
from eai.rewards.executions import FAILED, Executions, Situation
from eai.rewards.reference_ends import ReferenceEnds
from eai.rewards.turns import potential
from eai.semantics import Semantics
from eai.simulators import Environment, Execution
from eai.task import Task
from eai.world import Action, State, Step, Trajectory, World, union
from eai.world.bits import bits

_GoalOption = list[Callable[[State], bool]]
"""The tests of the conditions of an alternative of the goal."""

_PlanWithArguments = tuple[tuple[Action, tuple[int, ...]], ...]
"""The steps of a plan, each with the object numbers of its operator's arguments."""


def _with_argument_ids(plan: Sequence[Action], task: Task, world: World) -> _PlanWithArguments:
    """Return a plan with the object numbers of the arguments of its steps.

    Raises:
        InputError: If the world does not know a name.
    """
    steps: list[tuple[Action, tuple[int, ...]]] = []
    for step in plan:
        argument_ids = world.numbers(task.start, step.name, step.by(task.agent))
        steps.append((step, argument_ids))
    return tuple(steps)


class Progress:
    """Progress towards the goal of one task, in the world where plans are executed.

    Args:
        task: The task.
        world: The world.
    """

    def __init__(self, task: Task, world: World) -> None:
        """Prepare the tests of the goal and the reference plans that the world accepts."""
        self.world = world
        self.goal = GoalTests(task.goal, world, task.start)
        # Each alternative of the goal, with the number of its conditions that hold at the start. A
        # goal of demanded actions alone has one alternative without conditions.
        self._options: list[tuple[_GoalOption, int]] = []
        for option in self.goal.options or [[]]:
            held_count = sum(test(task.start) for test in option)
            self._options.append((option, held_count))
        self.plans: list[_PlanWithArguments] = []
        for plan in task.plans:
            # A plan with names that the world does not know leads nowhere.
            with suppress(InputError):
                steps = _with_argument_ids(plan, task, world)
                if steps:
                    self.plans.append(steps)
        # The number of steps from the start; None if no reference plan leads to the goal.
        self._reference_steps = self._count_remaining_steps((), task.start.begin(), 0)
        largest_option = max((len(option) for option in self.goal.options), default=0)
        condition_count = largest_option + len(task.goal.actions)
        self.length = max(self._reference_steps or condition_count, 1)

    def reached(self, trajectory: Trajectory) -> bool:
        """Return whether a trajectory ends with all demands of the goal fulfilled."""
        steps = trajectory.steps
        return self.goal.reached(steps, trajectory.final, self.goal.matched(steps))

    def measure(self, execution: Execution) -> Attempt:
        """Return the achievement of an execution that does not solve the task."""
        steps = execution.trajectory.steps
        state = execution.trajectory.final
        matched_count = self.goal.matched(steps)
        failed_steps = sum(outcome not in ("done", "skipped") for outcome in execution.executed)
        remaining_steps = None
        if self._reference_steps:
            remaining_steps = self._count_remaining_steps(steps, state, matched_count)
        return self._rate_unsolved(state, matched_count, remaining_steps, failed_steps)

    def _rate_unsolved(
        self, state: State, matched_count: int, remaining_steps: int | None, failed_steps: int
    ) -> Attempt:
        """Return the achievement of an execution that does not solve the task.

        Args:
            state: The state at its end.
            matched_count: Number of demanded actions that were taken.
            remaining_steps: Least number of last steps of a reference plan that lead to the goal.
            failed_steps: Number of steps that were not executed.
        """
        reference_progress = 0.0
        reference_length = self._reference_steps
        if reference_length and remaining_steps is not None:
            saved_steps = reference_length - min(remaining_steps, reference_length)
            reference_progress = saved_steps / reference_length
        goal_progress = self._goal_progress(state, matched_count)
        failed_share = min(failed_steps / self.length, 1.0)
        return Attempt(False, goal_progress, reference_progress, failed_share)

    def _goal_progress(self, state: State, matched_count: int) -> float:
        """Return the largest share of an alternative of the goal that was gained.

        Args:
            state: The state at the end of an execution.
            matched_count: Number of demanded actions that were taken.
        """
        largest_share = 0.0
        action_count = len(self.goal.actions)
        for option, held_at_start in self._options:
            demanded = action_count + len(option) - held_at_start
            if not demanded:
                continue
            # A condition that held at the start and does not hold now counts -1.
            gained = matched_count - held_at_start
            for test in option:
                gained += test(state)
            largest_share = max(largest_share, gained / demanded)
        return largest_share

    def _count_remaining_steps(
        self, steps: Sequence[Step], state: State, matched_count: int
    ) -> int | None:
        """Return the least number of last steps of a reference plan that lead to the goal.

        None if no end of a reference plan leads there. All ends are tried, the shortest first: it
        takes time quadratic in the length of the plan.

        Args:
            steps: The steps so far.
            state: The present state.
            matched_count: Number of demanded actions that were taken.
        """
        longest_plan = max(map(len, self.plans), default=-1)
        for step_count in range(longest_plan + 1):
            for plan in self.plans:
                if step_count > len(plan):
                    continue
                plan_end = plan[len(plan) - step_count :]
                if self._leads_to_goal(plan_end, steps, state, matched_count):
                    return step_count
        return None

    def _leads_to_goal(
        self, plan_end: _PlanWithArguments, steps: Sequence[Step], state: State, matched_count: int
    ) -> bool:
        """Return whether the end of a reference plan can be executed and reaches the goal.

        Args:
            plan_end: The last steps of a reference plan.
            steps: The steps so far.
            state: The present state; it is not changed.
            matched_count: Number of demanded actions that were taken.
        """
        if not plan_end:
            return self.goal.reached(steps, state, matched_count)
        end_state = state.copy()
        new_steps: list[Step] = []
        for step_number, (action, argument_ids) in enumerate(plan_end, start=1):
            if self.world.first_failure(end_state, action.name, argument_ids) >= 0:
                return False
            changes = self.world.apply(end_state, action.name, argument_ids)
            new_steps.append(Step(action, step_number, changes))
        matched_at_end = self.goal.matched(new_steps, matched_count)
        return self.goal.reached([*steps, *new_steps], end_state, matched_at_end)


MAX_KEPT_STEPS = 40
"""Maximum number of steps of a reference plan after which the state is kept before an answer."""


class RememberedProgress(Progress):
    """Progress of plans under strict semantics, by executions that are remembered.

    Its attempts are those of :meth:`Progress.measure`.

    Args:
        task: The task.
        graded: Whether plans that do not solve the task are measured.
    """

    def __init__(self, task: Task, *, graded: bool) -> None:
        """Begin with no remembered execution; reference ends are needed for grades only."""
        super().__init__(task, task.world)
        self._graded = graded
        self.executions = Executions(task, self.goal)
        self._references = [
            [self.executions.action_id(action) for action, _ in plan] for plan in self.plans
        ]
        self._ends: list[ReferenceEnds] = []
        if graded:
            self._ends = [ReferenceEnds(task, self.goal, plan) for plan in self.plans]
            for plan in self._references:
                self._follow_reference(plan)
        self.number = self.executions.action_id

    def _follow_reference(self, plan: Sequence[int]) -> None:
        """Execute a reference plan, and keep the states on the way.

        Most answers follow a reference plan for a while, and leave it somewhere.
        """
        self.executions.run(plan)
        situation = self.executions.start
        for action_id in plan[:MAX_KEPT_STEPS]:
            successor = self.executions.follow(situation, action_id)
            if isinstance(successor, Situation):
                situation = successor
                self.executions.state_of(situation)
            elif successor == FAILED:
                return

    def attempt(self, plan: Sequence[int]) -> Attempt:
        """Return the achievement of a plan, given as numbers of actions."""
        situation, failed_steps = self.executions.run(plan)
        if situation.attempts is None:
            situation.attempts = {}
        attempt = situation.attempts.get(failed_steps)
        if attempt is None:
            attempt = self._measure_situation(situation, failed_steps)
            situation.attempts[failed_steps] = attempt
        return attempt

    def _measure_situation(self, situation: Situation, failed_steps: int) -> Attempt:
        """Return the achievement of plans that lead to a situation.

        Args:
            situation: Where they lead.
            failed_steps: Number of their steps that were not executed.
        """
        if not failed_steps and self.executions.is_goal(situation):
            return SOLVED
        if not self._graded:
            return NOTHING
        remaining = self.remaining_from(situation)
        state = self.executions.state_of(situation)
        return self._rate_unsolved(state, situation.matched_count, remaining, failed_steps)

    def remaining_from(self, situation: Situation) -> int | None:
        """Return the least number of last steps of a reference plan that lead to the goal."""
        if not self._reference_steps:
            return None
        if situation.remaining is None:
            situation.remaining = self._search_remaining_steps(situation)
        return None if situation.remaining < 0 else situation.remaining

    def _search_remaining_steps(self, situation: Situation) -> int:
        """Return the least number of last steps of a reference plan that lead to the goal.

        Returns:
            -1 if no end of a reference plan leads there; a situation keeps None for "not known
            yet".
        """
        if self.executions.is_lost(situation):
            return -1
        state = self.executions.state_of(situation)
        # A mask for each reference plan: bit n is set if its last n steps may lead to the goal.
        masks = [ends.possible(state, situation.matched_count) for ends in self._ends]
        for step_count in bits(union(masks)):
            for plan, mask in zip(self._references, masks, strict=True):
                if not mask >> step_count & 1:
                    continue
                if self.executions.reaches_goal(situation, plan[len(plan) - step_count :]):
                    return step_count
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
    for tested_semantics in (semantics, suite.semantics("strict")):
        if suite.evaluate(ability, task, None, tested_semantics).status == "excluded":
            return f"the suite {suite.name!r} excludes it under {tested_semantics.name!r} semantics"

    formulas: list[Formula] = []
    if rules is not None:
        formulas = [formula for _, formula in rules.formulas]
    if kind == "repair":
        evaluate = partial(suite.evaluate, ability, task, semantics=semantics)
        attempt = _repair_attempt_function(task, evaluate, formulas)
    else:
        attempt = _goal_attempt_function(suite, ability, task, semantics, graded=kind == "graded")
    if rules is not None and formulas:
        attempt = _rule_checked_attempt_function(attempt, rules, suite, ability, task, semantics)
    empty_solution = solved_by_nothing(lambda answer: attempt(answer).solved, SAYING_NOTHING)
    if empty_solution:
        return f"{empty_solution} solves it"
    return _memoised_attempt_function(attempt)


def _goal_attempt_function(
    suite: Suite, ability: str, task: Task, semantics: Semantics, *, graded: bool
) -> AttemptFunction:
    """Return the cheapest function that says whether answers reach the goal.

    Args:
        suite: The suite.
        ability: The ability that answers are about.
        task: The task.
        semantics: The semantics of the verdict.
        graded: Whether answers that do not reach the goal are measured, too.
    """
    evaluate = partial(suite.evaluate, ability, task, semantics=semantics)
    ability_definition = suite.abilities[ability]
    if ability == INTERACTION and ability_definition.evaluate is None:
        return _episode_attempt_function(suite, task, semantics)
    if graded and ability_definition.graded:
        return _measured_attempt_function(evaluate, ability_definition.graded)
    if by_definition(suite, ability, semantics):
        return _strict_plan_attempt_function(task, graded=graded)
    execute = None
    if graded:
        execute = partial(execution_of, suite, task, semantics=semantics)
    return _evaluated_attempt_function(task, evaluate, execute, are_plans=ability == PLANS)


MAX_ANSWERS = 2_000
"""Maximum number of answers to a task that are remembered; then all are forgotten."""
MAX_REMEMBERED = 4_000
"""Maximum number of characters of an answer that is remembered."""


def _memoised_attempt_function(attempt: AttemptFunction) -> AttemptFunction:
    """Return the same function with a memory, so that equal answers are measured once."""
    attempts: dict[str, Attempt] = {}

    def memoised_attempt(answer: str | None) -> Attempt:
        if answer is None or len(answer) > MAX_REMEMBERED:
            return attempt(answer)
        known_attempt = attempts.get(answer)
        if known_attempt is not None:
            return known_attempt
        new_attempt = attempt(answer)
        if len(attempts) >= MAX_ANSWERS:
            attempts.clear()
        attempts[answer] = new_attempt
        return new_attempt

    return memoised_attempt


def _episode_attempt_function(suite: Suite, task: Task, semantics: Semantics) -> AttemptFunction:
    """Return the function for episodes: it replays their answers without observations."""
    rules = suite.episode_rules(task, semantics)
    # Several threads may measure at the same time, each with an environment of its own.
    unused_environments: list[Environment] = []

    def attempt(answer: str | None) -> Attempt:
        if answer is None:
            return NOTHING
        if unused_environments:
            environment = unused_environments.pop()
        else:
            environment = unobserved(suite.environment(task, semantics))
        episode = replay(environment, read_answers(answer), rules=rules, task=task.id)
        unused_environments.append(environment)
        if episode.success:
            return SOLVED
        # The share of the missing part that was gained: from 0.5 to 0.75 it is a half.
        progress_at_start = potential(episode.begun or episode.goal)
        gained = 0.0
        if progress_at_start < 1:
            gained = (potential(episode.goal) - progress_at_start) / (1 - progress_at_start)
        failed_turns = sum(not turn.success for turn in episode.turns)
        length = rules.reference_steps or max(len(episode.turns), 1)
        return Attempt(False, max(gained, 0.0), left=min(failed_turns / length, 1.0))

    return attempt


def _measured_attempt_function(
    evaluate: Callable[[str | None], Result], measure_kind: str
) -> AttemptFunction:
    """Return the function for answers that the suite itself measures.

    Args:
        evaluate: Evaluates an answer.
        measure_kind: Kind of the measure.
    """

    def attempt(answer: str | None) -> Attempt:
        result = evaluate(answer)
        measures = {measure.kind: measure for measure in result.measures}
        measure = measures.get(measure_kind)
        if measure is None:
            return Attempt(result.success, measured=0.0)
        return Attempt(result.success, measured=measure.amount / measure.base)

    return attempt


def _rule_checked_attempt_function(
    attempt: AttemptFunction,
    rules: TaskRules,
    suite: Suite,
    ability: str,
    task: Task,
    semantics: Semantics,
) -> AttemptFunction:
    """Return the function under rules: an answer that breaks one does not solve the task."""

    def attempt_under_rules(answer: str | None) -> Attempt:
        achieved = attempt(answer)
        result = suite.evaluate(ability, task, answer, semantics)
        trajectory = trajectory_of(result, suite, task, answer, semantics, ability=ability)
        if trajectory is None:
            return achieved
        broken = rules.broken(trajectory)
        if not broken:
            return achieved
        return replace(achieved, solved=False, broken=broken)

    return attempt_under_rules


def _repair_attempt_function(
    task: Task, evaluate: Callable[[str | None], Result], rules: Sequence[Formula]
) -> AttemptFunction:
    """Return the function that rates plans by the edits they need, relative to the empty plan."""
    # None if no repair was found, 0 if none is needed: either way no answer is rated by it.
    distance_of_empty_plan = repair_for(task, (), rules, bounds=_BOUNDS).distance
    vocabulary = task.readable

    def attempt(answer: str | None) -> Attempt:
        is_solved = evaluate(answer).success
        if is_solved and not rules:
            return SOLVED
        if answer is None:
            return NOTHING
        plan = bind(read_answer(answer, vocabulary), vocabulary)
        if plan.findings:
            return NOTHING
        if not distance_of_empty_plan and not is_solved:
            return NOTHING
        distance = repair_for(task, plan.actions, rules, bounds=_BOUNDS).distance
        if distance == 0 and is_solved:
            return SOLVED
        if distance is None or not distance_of_empty_plan:
            return NOTHING
        return Attempt(False, repair=max(0.0, 1 - distance / distance_of_empty_plan))

    return attempt


def _evaluated_attempt_function(
    task: Task,
    evaluate: Callable[[str | None], Result],
    execute: Callable[[str], Execution | None] | None,
    *,
    are_plans: bool,
) -> AttemptFunction:
    """Return the function for answers that the suite evaluates.

    Args:
        task: The task.
        evaluate: Evaluates an answer.
        execute: Executes an answer that does not solve the task, to measure it; None if it only
            counts whether the task is solved.
        are_plans: Whether answers are plans, so that their results have the trajectory.
    """
    progress: Progress | None = None

    def attempt(answer: str | None) -> Attempt:
        nonlocal progress
        result = evaluate(answer)
        if result.success:
            return SOLVED
        if execute is None or answer is None:
            return NOTHING
        execution: Execution | None
        if are_plans and result.evidence is not None:  # it was executed just now
            execution = Execution(result.evidence.trajectory, result.executed, ())
        else:
            execution = execute(answer)
        if execution is None:
            return NOTHING
        progress = progress or Progress(task, execution.trajectory.world)
        return progress.measure(execution)

    return attempt


def _lines_of_reference_plans(
    task: Task, binder: Binder, progress: RememberedProgress
) -> KnownLines:
    """Return the lines that are known before the first answer, which may have some of them."""
    known_lines = KnownLines(task.readable, binder, progress.number)
    for reference_plan in progress.plans:
        known_lines.learn_plan([action for action, _ in reference_plan])
    return known_lines


def _strict_plan_attempt_function(task: Task, *, graded: bool) -> AttemptFunction:
    """Return the function for plans under strict semantics: their executions are remembered."""
    task.check_agent()  # a task without its agent is nobody's failure
    vocabulary = task.readable
    binder = Binder(vocabulary)
    progress = RememberedProgress(task, graded=graded)
    # Lines that were read before are looked up; a reader of the task's own knows no lines.
    known_lines: KnownLines | None = None
    if not vocabulary.reader:
        known_lines = _lines_of_reference_plans(task, binder, progress)

    def steps_of(answer: str) -> list[int] | None:
        """Return the numbers of the actions of an answer; None if it is no plan."""
        if known_lines is not None:
            plan = known_lines.read_plan(answer)
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
