"""Validation of plans with times: ``0.000: (drive truck a b) [5.000]``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from eai.diagnosis import ErrorKind, values_told
from eai.errors import InputError, UnknownNameError
from eai.logic import Formula, conjuncts, format_number
from eai.pddl import (
    Domain,
    Problem,
    format_condition,
    format_expression,
    has_trajectory_constraints,
)
from eai.pddl.reading import exact_number
from eai.planning import broken_constraints, metric_value, violated
from eai.suites.pddl.plans import step_text
from eai.suites.pddl.validation import Diagnosis, breaks
from eai.world import Action, Schedule, Scheduler, TimedFailure, TimedStep

# A time in decimal digits: "0.5", "12", ".25".
_NUMBER = r"[0-9]+(?:\.[0-9]+)?|\.[0-9]+"
_STEP = re.compile(
    rf"""\s*
    (?P<time>{_NUMBER})\s*:\s*          # when it starts
    \(\s*(?P<words>[^()]+?)\s*\)\s*     # the action and its objects
    (?:\[\s*(?P<duration>{_NUMBER})\s*\])?\s*(?:;.*)?
    """,
    re.VERBOSE,
)


class TimedValidator:
    """Validates plans with times.

    Args:
        domain: A domain with durative actions, or
        problem: a problem with timed literals.

    Raises:
        InputError: If an action has preferences in its precondition.
    """

    def __init__(self, domain: Domain, problem: Problem) -> None:
        """Prepare a scheduler, which executes the steps of plans in the order of their times."""
        if any(operator.preferences for operator in domain.operators.values()):
            raise InputError(
                "preferences of preconditions are not counted in plans with times",
                mend="VAL and Kairos count them",
            )
        self._scheduler = Scheduler(domain, problem)
        self.world = self._scheduler.world
        self._problem = problem

    def diagnose(self, text: str) -> Diagnosis:
        """Execute a plan, and return whether it is valid or why not.

        Args:
            text: The lines of the plan; comments begin with ``;``.
        """
        steps: list[TimedStep] = []
        line_numbers: list[int] = []  # of the steps
        for line_number, line in enumerate(text.splitlines(), start=1):
            is_comment = line.lstrip().startswith(";")
            if is_comment or not line.strip():
                continue
            step = _step(line)
            if step is None:
                return _diagnose_unreadable_line(line, line_number)
            steps.append(step)
            line_numbers.append(line_number)
        # All names are looked up before the first step is executed.
        for step_index, step in enumerate(steps):
            error = self._mistake(step)
            if error is not None:
                line_number = line_numbers[step_index]
                return _diagnose_unknown_name(error, steps, step_index + 1, line_number)
        schedule = self._scheduler.run(steps)
        if schedule.failure is not None:
            return self._diagnose_failure(schedule, schedule.failure, steps, line_numbers)
        return self._diagnose_end(schedule, len(steps))

    def _mistake(self, step: TimedStep) -> InputError | None:
        """Return the error in the names, arguments or times of a step, or None."""
        try:
            self._scheduler.check(step)
        except InputError as error:
            return error
        return None

    def _diagnose_failure(
        self,
        schedule: Schedule,
        failure: TimedFailure,
        steps: Sequence[TimedStep],
        lines: Sequence[int],
    ) -> Diagnosis:
        """Return the diagnosis of a plan that fails at some time.

        Args:
            schedule: The events up to the failure.
            failure: The part that failed: a step, an effect of one, or the plan as a whole.
            steps: The steps of the plan.
            lines: The line of each step.
        """
        # The goal is tested in any case, to tell how far the plan came.
        goals = self._goals(schedule)
        kind, reason = self._explain(schedule, failure)
        diagnosis = Diagnosis(
            False,
            len(steps),
            kind=str(kind),
            reasons=(f"{kind}: at time {format_number(failure.time)}: {reason}",),
            unmet_goal=tuple(format_condition(goal) for goal, holds in goals if not holds),
            met=sum(holds for _, holds in goals),
        )
        if failure.condition is not None:
            diagnosis = replace(diagnosis, unmet=(format_condition(failure.condition),))
        step_number = failure.step or failure.other
        if not step_number:
            return diagnosis  # the failure belongs to no single step
        step_index = step_number - 1
        action = step_text(steps[step_index].action)
        line = lines[step_index]
        return replace(diagnosis, failed_step=step_number, line=line, action=action)

    def _explain(self, schedule: Schedule, failure: TimedFailure) -> tuple[ErrorKind, str]:
        """Return the kind of error of a failure, and its reason in words."""
        condition = failure.condition
        if condition is None:
            return ErrorKind.WRONG_ORDER, _interference(failure)
        trajectory = schedule.trajectory
        world = self._scheduler.world
        reason = f"{format_condition(condition)} does not hold"
        values = world.why_undefined(trajectory.final, condition)
        if not values:
            values = values_told(trajectory, condition, write=format_expression)
        if values:
            reason += f": {values}"
        if failure.reason == "duration":
            return ErrorKind.AFFORDANCE, f"the duration is not what is asked: {reason}"
        if failure.reason == "invariant":
            reason = f"what has to hold all the time is broken: {reason}"
        if failure.reason == "condition" and failure.other:
            reason += f"; step {failure.other} makes it true at this time, so it does only after it"
            return ErrorKind.WRONG_ORDER, reason
        if world.domain.is_static(condition):
            return ErrorKind.AFFORDANCE, reason
        if trajectory.condition(condition):  # it held at some time
            return ErrorKind.WRONG_ORDER, reason
        return ErrorKind.MISSING_STEP, reason

    def _goals(self, schedule: Schedule) -> list[tuple[Formula, bool]]:
        """Return the conditions of the goal, and whether they hold after the last happening."""
        state, world = schedule.trajectory.final, self._scheduler.world
        return [(goal, world.holds(state, goal)) for goal in conjuncts(self._problem.goal)]

    def _diagnose_end(self, schedule: Schedule, steps: int) -> Diagnosis:
        """Return the diagnosis of a plan whose steps can all be executed."""
        goals = self._goals(schedule)
        unmet_goals = tuple(format_condition(goal) for goal, holds in goals if not holds)
        n_met = len(goals) - len(unmet_goals)
        if unmet_goals:
            kind = str(ErrorKind.STATE_GOAL)
            return Diagnosis(False, steps, kind=kind, unmet_goal=unmet_goals, met=n_met)
        diagnosis = Diagnosis(True, steps, met=n_met, measure="value")
        trajectory, times = schedule.happenings()
        domain, problem = self._scheduler.domain, self._problem
        if has_trajectory_constraints(domain, problem):
            broken = broken_constraints(domain, problem, trajectory, times)
            if broken:
                kind = str(ErrorKind.PATH_GOAL)
                reasons = tuple([breaks(constraint) for constraint in broken])
                return Diagnosis(False, steps, kind=kind, reasons=reasons, met=n_met)
            preferences = violated(domain, problem, trajectory, times)
            diagnosis = replace(diagnosis, violated=preferences)
        if problem.metric is None:
            # Without a metric, the end time of the plan is its value.
            return replace(diagnosis, cost=float(schedule.end), measure="end at")
        try:
            cost = metric_value(domain, problem, trajectory, total_time=schedule.end, times=times)
        except InputError as error:
            reason = f"the metric cannot be evaluated: {error.what}"
            return replace(diagnosis, reasons=(reason,))
        return replace(diagnosis, cost=cost)


def _interference(failure: TimedFailure) -> str:
    """Return in words the other action with which a step interferes."""
    term = ""
    if failure.term is not None:
        term = format_condition(failure.term)
    other = f"step {failure.other}" if failure.other else "a timed literal"
    return f"it interferes with {other} at the same time, about {term}"


def _step(line: str) -> TimedStep | None:
    """Return the step on a line, or None if the line has no step."""
    # "0.5: (drive truck a b) [3]" -> drive(truck, a, b), from 0.5 on for 3
    match = _STEP.fullmatch(line)
    if match is None:
        return None
    name, *arguments = match["words"].lower().split()
    time = exact_number(match["time"])
    duration = None
    if match["duration"] is not None:
        duration = exact_number(match["duration"])
    if time is None:
        return None
    return TimedStep(time, Action(name, tuple(arguments)), duration)


def _diagnose_unreadable_line(line: str, number: int) -> Diagnosis:
    """Return the diagnosis of a plan with a line that is no step."""
    reason = f"this is not a step with a time: {line.strip()[:60]}"
    return Diagnosis(False, 0, line=number, kind=str(ErrorKind.PARSING), reasons=(reason,))


def _diagnose_unknown_name(
    error: InputError, steps: Sequence[TimedStep], number: int, line: int
) -> Diagnosis:
    """Return the diagnosis of a plan with a name or argument that the task does not have.

    Args:
        error: The error that the name caused.
        steps: All steps of the plan.
        number: Number of the step.
        line: Line of the step.
    """
    kind = ErrorKind.ARGUMENT_NUMBER
    if isinstance(error, UnknownNameError):
        kind = ErrorKind.ACTION_HALLUCINATION
        # An unknown name is that of an object or of an action.
        if error.kind == "object":
            kind = ErrorKind.OBJECT_HALLUCINATION
    return Diagnosis(
        False,
        len(steps),
        failed_step=number,
        line=line,
        kind=str(kind),
        action=step_text(steps[number - 1].action),
        reasons=(f"{kind}: {error.what}",),
    )
