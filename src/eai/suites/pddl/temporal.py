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
from eai.suites.pddl.validation import Diagnosis
from eai.world import Action, Schedule, Scheduler, TimedFailure, TimedStep

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
    """Says of plans with times whether they work.

    Args:
        domain: A domain with durative actions, or
        problem: a problem with timed literals.

    Raises:
        InputError: If an action has preferences in its precondition.
    """

    def __init__(self, domain: Domain, problem: Problem) -> None:
        if any(operator.preferences for operator in domain.operators.values()):
            raise InputError(
                "preferences of preconditions are not counted in plans with times",
                mend="VAL and Kairos count them",
            )
        self._scheduler = Scheduler(domain, problem)
        self._problem = problem

    def diagnose(self, text: str) -> Diagnosis:
        """Run a plan.

        Args:
            text: Its lines; comments begin with ``;``.
        """
        steps: list[TimedStep] = []
        lines: list[int] = []
        for number, line in enumerate(text.splitlines(), start=1):
            if not line.strip() or line.lstrip().startswith(";"):
                continue
            step = _step(line)
            if step is None:
                reason = f"this is not a step with a time: {line.strip()[:60]}"
                return Diagnosis(
                    False, 0, line=number, kind=str(ErrorKind.PARSING), reasons=(reason,)
                )
            steps.append(step)
            lines.append(number)
        for number, step in enumerate(steps, start=1):
            error = self._mistake(step)
            if error is not None:
                return _unknown(error, steps, number, lines[number - 1])
        schedule = self._scheduler.run(steps)
        if schedule.failure is not None:
            return self._failed(schedule, schedule.failure, steps, lines)
        return self._ended(schedule, len(steps))

    def _mistake(self, step: TimedStep) -> InputError | None:
        """Return what is wrong with the names, arguments or times of a step, if anything is."""
        try:
            self._scheduler.check(step)
        except InputError as error:
            return error
        return None

    def _failed(
        self,
        schedule: Schedule,
        failure: TimedFailure,
        steps: Sequence[TimedStep],
        lines: Sequence[int],
    ) -> Diagnosis:
        """Return the verdict on a plan that stops."""
        number = failure.step or failure.other
        kind, reason = self._why(schedule, failure)
        goals = self._goals(schedule)
        return Diagnosis(
            False,
            len(steps),
            failed_step=number or None,
            line=lines[number - 1] if number else None,
            kind=str(kind),
            action=step_text(steps[number - 1].action) if number else "",
            reasons=(f"{kind}: at time {format_number(failure.time)}: {reason}",),
            unmet=() if failure.condition is None else (format_condition(failure.condition),),
            unmet_goal=tuple(format_condition(goal) for goal, holds in goals if not holds),
            met=sum(holds for _, holds in goals),
        )

    def _why(self, schedule: Schedule, failure: TimedFailure) -> tuple[ErrorKind, str]:
        """Return the kind of a failure, and why it fails."""
        condition = failure.condition
        if condition is None:
            term = "" if failure.term is None else format_condition(failure.term)
            other = f"step {failure.other}" if failure.other else "a timed literal"
            return (
                ErrorKind.WRONG_ORDER,
                f"it interferes with {other} at the same time, about {term}",
            )
        trajectory, world = schedule.trajectory, self._scheduler.world
        written = format_condition(condition)
        undefined = world.why_undefined(trajectory.final, condition)
        told = undefined or values_told(trajectory, condition, write=format_expression)
        said = f"{written} does not hold{': ' * bool(told)}{told}"
        if failure.reason == "duration":
            return ErrorKind.AFFORDANCE, f"the duration is not what is asked: {said}"
        if failure.reason == "invariant":
            said = f"what has to hold all the time is broken: {said}"
        if failure.reason == "condition" and failure.other:
            said += f"; step {failure.other} makes it true at this time, so it does only after it"
            return ErrorKind.WRONG_ORDER, said
        if world.domain.is_static(condition):
            return ErrorKind.AFFORDANCE, said
        held = trajectory.condition(condition)
        return (ErrorKind.WRONG_ORDER if held else ErrorKind.MISSING_STEP), said

    def _goals(self, schedule: Schedule) -> list[tuple[Formula, bool]]:
        """Return the conditions of the goal, and whether they hold after the last happening."""
        state, world = schedule.trajectory.final, self._scheduler.world
        return [(goal, world.holds(state, goal)) for goal in conjuncts(self._problem.goal)]

    def _ended(self, schedule: Schedule, steps: int) -> Diagnosis:
        """Return the verdict on a plan whose steps can all be done."""
        goals = self._goals(schedule)
        unmet = tuple(format_condition(goal) for goal, holds in goals if not holds)
        met = len(goals) - len(unmet)
        if unmet:
            kind = str(ErrorKind.STATE_GOAL)
            return Diagnosis(False, steps, kind=kind, unmet_goal=unmet, met=met)
        diagnosis = Diagnosis(True, steps, met=met, measure="value")
        way, times = schedule.happenings()
        domain, problem = self._scheduler.domain, self._problem
        if has_trajectory_constraints(domain, problem):
            broken = broken_constraints(domain, problem, way, times)
            if broken:
                kind = str(ErrorKind.PATH_GOAL)
                reasons = tuple([f"{kind}: the plan breaks {constraint}" for constraint in broken])
                return Diagnosis(False, steps, kind=kind, reasons=reasons, met=met)
            diagnosis = replace(diagnosis, violated=violated(domain, problem, way, times))
        if problem.metric is None:
            return replace(diagnosis, cost=float(schedule.end), measure="end at")
        try:
            value = metric_value(domain, problem, way, total_time=schedule.end, times=times)
        except InputError as error:
            reason = f"the metric cannot be evaluated: {error.what}"
            return replace(diagnosis, reasons=(reason,))
        return replace(diagnosis, cost=value)


def _step(line: str) -> TimedStep | None:
    """Return the step of a line; None if it is none."""
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


def _unknown(error: InputError, steps: Sequence[TimedStep], number: int, line: int) -> Diagnosis:
    """Return the verdict on a plan with a name or an argument that the task does not know."""
    kind = ErrorKind.ARGUMENT_NUMBER
    if isinstance(error, UnknownNameError):
        is_object = error.kind == "object"
        kind = ErrorKind.OBJECT_HALLUCINATION if is_object else ErrorKind.ACTION_HALLUCINATION
    return Diagnosis(
        False,
        len(steps),
        failed_step=number,
        line=line,
        kind=str(kind),
        action=step_text(steps[number - 1].action),
        reasons=(f"{kind}: {error.what}",),
    )
