"""Action sequencing: a plan is run in the world and scored by the goal (paper, section 2.5)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from eai.answers import BoundPlan, bind, read_answer
from eai.diagnosis import (
    PATH_GOAL,
    UNMET_KINDS,
    Condition,
    DomainRules,
    ErrorKind,
    Evidence,
    Finding,
    Measure,
    Result,
    goal_conditions,
    goal_status,
    unmet_conditions,
    unmet_goals,
)
from eai.errors import InputError
from eai.logic import Formula, Then, evaluate, format_formula
from eai.semantics import Semantics
from eai.simulators import Execution, Simulator, Symbolic, execute
from eai.task import Goal, Task, literal_kind
from eai.task.goals import goal_from_formula
from eai.world import Action, Trajectory

Scorer = Callable[[Task, Execution], tuple[Condition, ...]]
"""Scores the conditions of a task's goal on an execution."""


class Evaluator:
    """Base of the evaluators of abilities whose answers are run.

    Args:
        semantics: The semantics: quirks and budget.
    """

    def __init__(self, semantics: Semantics) -> None:
        self.semantics = semantics

    def simulator(self, task: Task) -> Simulator:
        """Return the simulator in which actions are searched and run."""
        return Symbolic(task.world, DomainRules(skip=task.skips))

    def excluded(self, task: Task) -> str:
        """Return why a task is left out of the count; empty if it counts.

        Raises:
            InputError: If it has no goal.
        """
        task.check_goal()
        return ""


class Plans(Evaluator):
    """Reads, runs and scores plans by the definitions, in any domain.

    A suite whose published evaluator does something else overrides what differs.
    """

    must_execute = True
    """Whether a plan that stops early cannot be successful."""

    @property
    def by_definition(self) -> bool:
        """Whether the verdict is that of the definitions, which can be found without messages."""
        return type(self) is Plans and not self.semantics.quirks

    def read(self, task: Task, answer: str) -> BoundPlan:
        """Read a plan out of an answer."""
        return bind(read_answer(answer, task.readable), task.readable)

    def write(self, plan: Iterable[Action]) -> str:
        """Write a plan in the form that the suite's prompts ask for."""
        steps = (json.dumps({step.name.upper(): list(step.arguments)}) for step in plan)
        return f"[{', '.join(steps)}]"

    def conditions(self, task: Task, execution: Execution | None) -> tuple[Condition, ...]:
        """Score the conditions of a goal: on the final state, as the paper says.

        Args:
            task: The task.
            execution: The execution; None if nothing was done, and no condition is met.
        """
        if execution is None:
            return unmet_conditions(task.goal)
        return goal_conditions(task.goal, execution.trajectory)

    def evaluate(self, task: Task, answer: str | None) -> Result:
        """Evaluate an answer; None if it is missing."""
        reason = self.excluded(task)
        if reason:
            return excluded(reason)
        if answer is None:
            return missing(task, self.conditions(task, None))
        return self.evaluate_plan(task, self.read(task, answer))

    def evaluate_plan(self, task: Task, plan: BoundPlan) -> Result:
        """Evaluate a plan that was read from an answer, or built from actions."""
        if plan.findings:
            return unread(plan, task, self.conditions(task, None))
        simulator = self.simulator(task)
        return evaluate_plan(
            plan, task, simulator, score=self.conditions, must_execute=self.must_execute
        )

    def evaluate_actions(self, task: Task, actions: Sequence[Action]) -> Result:
        """Evaluate steps that were read, or were never text, by running them."""
        return Plans.evaluate_plan(self, task, BoundPlan(tuple(actions), ()))

    def execution(self, task: Task, answer: str) -> Execution | None:
        """Run an answer again; None if it has grammar errors, or arguments of other types."""
        plan = self.read(task, answer)
        if plan.findings:
            return None
        execution, _ = _execution_of(plan, task, self.simulator(task))
        return execution


def run_plan(plan: BoundPlan, task: Task, simulator: Simulator) -> Execution:
    """Run a plan that has no grammar errors from the task's initial state."""
    demanded = frozenset(name for goal in task.goal.actions for name in goal.names)
    return execute(simulator, task.start, plan.actions, agent=task.agent, demanded=demanded)


def evaluate_plan(
    plan: BoundPlan,
    task: Task,
    simulator: Simulator,
    *,
    score: Scorer | None = None,
    must_execute: bool = True,
) -> Result:
    """Evaluate a plan that was read out of an answer.

    Args:
        plan: The plan, with the grammar errors that were found in it.
        task: The task.
        simulator: The world in which the plan is executed.
        score: Scores goal conditions; by default on the final state, as in the paper.
        must_execute: Whether a plan that stops early is always unsuccessful.
    """
    if plan.findings:
        return unread(plan, task)
    execution, type_errors = _execution_of(plan, task, simulator)
    if execution is None:
        return unread(replace(plan, findings=type_errors), task)
    trajectory = execution.trajectory
    scored_conditions = None if score is None else score(task, execution)
    status = goal_status(task.goal, trajectory, scored_conditions)
    formula = task.goal.formula
    # The last state is left out to save memory. It can be computed from the changes.
    replayable = Trajectory(trajectory.world, trajectory.start, trajectory.steps)
    evidence = Evidence(replayable, formula if status.formula_holds is False else None)
    findings = [*execution.findings, *unmet_goals(status.conditions, trajectory)]
    counts_as_executed = execution.completed or not must_execute
    # If all conditions of the final state are met, the goal fails because of the path.
    is_path_wrong = not status.reached and all(goal.met for goal in status.conditions)
    if counts_as_executed and is_path_wrong and formula:
        findings.append(_unmet_link(task.goal, formula, trajectory, evidence.reason))
    return Result(
        "evaluated",
        success=counts_as_executed and status.reached,
        executable=execution.completed,
        plan=tuple(map(str, plan.actions)),
        executed=execution.executed,
        findings=tuple(findings),
        goals=status.conditions,
        formula=task.goal.text,
        formula_holds=status.formula_holds,
        notes=plan.notes,
        evidence=evidence,
        measures=_path_measures(task, holds=bool(status.formula_holds)),
    )


def _path_measures(task: Task, *, holds: bool) -> tuple[Measure, ...]:
    """Return the measure of the goal about the path, if the task has one."""
    return (Measure(PATH_GOAL, int(holds), 1),) if task.goal.is_path else ()


def _execution_of(
    plan: BoundPlan, task: Task, simulator: Simulator
) -> tuple[Execution | None, tuple[Finding, ...]]:
    """Return the execution of a plan; None, and why, if the domain does not accept its arguments.

    Looking for the reasons costs as much as a step each, so it is done only where a run fails.
    """
    try:
        return run_plan(plan, task, simulator), ()
    except InputError:
        findings = _ill_typed(plan, task, simulator)
        if not findings:
            raise
        return None, findings


def _ill_typed(plan: BoundPlan, task: Task, simulator: Simulator) -> tuple[Finding, ...]:
    """Return a finding for each step with arguments that the domain does not accept.

    These are wrong numbers of arguments, and objects of the wrong type.
    """
    task.check_agent()  # a task without its agent is not the model's error
    findings = []
    for step_number, action in enumerate(plan.actions, start=1):
        try:
            simulator.world.numbers(task.start, action.name, action.by(task.agent))
        except InputError as error:  # noqa: PERF203 - most steps are in order
            message = f"{action}: {error.what}"
            if error.where and error.expected:
                message += f", but {error.where} takes {error.expected}"
            error_kind = ErrorKind.ARGUMENT_NUMBER
            findings.append(Finding(error_kind, message, step=step_number, action=str(action)))
    return tuple(findings)


def _unmet_link(goal: Goal, formula: Formula, trajectory: Trajectory, reason: str) -> Finding:
    """Return the finding about the first link of a goal that does not hold after the others.

    A goal such as ``open(door.1) then on(lamp.2)`` has two links. Which kind of error it is depends
    on the link: a state, a relation, an action, or a condition on the whole path.

    Args:
        goal: The goal.
        formula: Its formula.
        trajectory: The trajectory on which it fails.
        reason: Why the link does not hold, if that is known.
    """
    link_index = _first_unmet_link(formula, trajectory)
    unmet_link = formula.links[link_index]
    if goal.is_path:
        error_kind = ErrorKind.PATH_GOAL
    elif goal_from_formula(unmet_link).actions:
        error_kind = ErrorKind.ACTION_GOAL
    else:
        error_kind = UNMET_KINDS[literal_kind(unmet_link)]
    text = format_formula(unmet_link)
    # In EAI's semantics a link holds at any position, in others only at the first.
    failure = "never holds" if unmet_link.reading() == "eai" else "does not hold"
    message = f"{text} {failure}"
    # Only a later link depends on what came before it.
    if link_index:
        message += " after what comes before it in the goal"
    if reason:
        message += f": {reason}"
    return Finding(error_kind, message, conditions=(text,))


def _first_unmet_link(formula: Formula, trajectory: Trajectory) -> int:
    """Return the index of the first link up to which a goal of links does not hold."""
    links = formula.links
    # Each beginning of the goal is a goal of its own: the first that fails ends with the culprit.
    for index in range(len(links)):
        prefix = Then(links[: index + 1]) if index else links[0]
        if not evaluate(prefix, trajectory):
            return index
    return len(links) - 1


def excluded(reason: str) -> Result:
    """Return the result of a task that is left out of the count."""
    return Result("excluded", notes=(reason,))


def missing(task: Task, goals: tuple[Condition, ...] | None = None) -> Result:
    """Return the result of a missing answer, which counts as a failure.

    Args:
        task: The task.
        goals: Its goal conditions, none of them met; by default those of its shortest option.
    """
    finding = Finding(ErrorKind.NO_ANSWER, "there is no prediction for this task")
    return replace(unread(BoundPlan((), (finding,), ()), task, goals), status="missing")


def unread(plan: BoundPlan, task: Task, goals: tuple[Condition, ...] | None = None) -> Result:
    """Return the result of an answer with grammar errors: no step is run, no goal is met.

    Args:
        plan: The steps that could be read, and the findings about the others.
        task: The task.
        goals: Its goal conditions, none of them met; by default those of its shortest option.
    """
    steps = plan.written or tuple(map(str, plan.actions))
    return Result(
        "evaluated",
        plan=steps,
        executed=("not reached",) * len(steps),
        findings=plan.findings,
        goals=unmet_conditions(task.goal) if goals is None else goals,
        formula=task.goal.text,
        notes=plan.notes,
        measures=_path_measures(task, holds=False),
    )
