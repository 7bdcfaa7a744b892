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
    """What the abilities that run something share: where, and which tasks count.

    Args:
        semantics: Which quirks are on.
    """

    def __init__(self, semantics: Semantics) -> None:
        self.semantics = semantics

    def simulator(self, task: Task) -> Simulator:
        """Where actions are searched and run."""
        return Symbolic(task.world, DomainRules(skip=task.skips))

    def excluded(self, task: Task) -> str:
        """Why a task is left out of the count; empty if it counts.

        Raises:
            InputError: If it has no goal.
        """
        task.check_goal()
        return ""


class Plans(Evaluator):
    """How plans are read, run and scored under a semantics: by the definitions, in any domain.

    A suite whose published evaluator does something else overrides what differs.
    """

    must_execute = True
    """Whether a plan that stops early cannot be successful."""

    @property
    def by_definition(self) -> bool:
        """Whether the verdict is that of the definitions, so that it can be found without words."""
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
            execution: What was done; None if nothing was, and no condition is met.
        """
        if execution is None:
            return unmet_conditions(task.goal)
        return goal_conditions(task.goal, execution.trajectory)

    def evaluate(self, task: Task, answer: str | None) -> Result:
        """Evaluate an answer; None stands for a missing one."""
        reason = self.excluded(task)
        if reason:
            return excluded(reason)
        if answer is None:
            return missing(task, self.conditions(task, None))
        return self.evaluate_plan(task, self.read(task, answer))

    def evaluate_plan(self, task: Task, plan: BoundPlan) -> Result:
        """Evaluate a plan that was read, or that never was text."""
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
        """Run an answer again; None if it has grammar errors."""
        plan = self.read(task, answer)
        return None if plan.findings else run_plan(plan, task, self.simulator(task))


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
        simulator: Where to run it.
        score: How goal conditions are scored; by default on the final state, as the paper says.
        must_execute: Whether a plan that stops early can be successful.
    """
    if plan.findings:
        return unread(plan, task)
    try:
        execution = run_plan(plan, task, simulator)
    except InputError:
        ill_typed = _ill_typed(plan, task, simulator)
        if not ill_typed:
            raise
        return unread(replace(plan, findings=ill_typed), task)
    trajectory = execution.trajectory
    scored = None if score is None else score(task, execution)
    status = goal_status(task.goal, trajectory, scored)
    goals, holds, formula = status.conditions, status.formula_holds, task.goal.formula
    counts = execution.completed or not must_execute
    # The changes are enough to come back to the end of the trajectory.
    seen = Trajectory(trajectory.world, trajectory.start, trajectory.steps)
    evidence = Evidence(seen, formula if holds is False else None)
    broken: tuple[Finding, ...] = ()
    if counts and not status.reached and formula and all(goal.met for goal in goals):
        broken = (_unmet_link(task.goal, formula, trajectory, evidence.reason),)
    return Result(
        "evaluated",
        success=counts and status.reached,
        executable=execution.completed,
        plan=tuple(map(str, plan.actions)),
        executed=execution.executed,
        findings=(*execution.findings, *unmet_goals(goals, trajectory), *broken),
        goals=goals,
        formula=task.goal.text,
        formula_holds=holds,
        notes=plan.notes,
        evidence=evidence,
        measures=_path(task, holds=bool(holds)),
    )


def _path(task: Task, *, holds: bool) -> tuple[Measure, ...]:
    """Whether the goal about the way is met, if the task has one."""
    return (Measure(PATH_GOAL, int(holds), 1),) if task.goal.is_path else ()


def _ill_typed(plan: BoundPlan, task: Task, simulator: Simulator) -> tuple[Finding, ...]:
    """The steps whose arguments the domain does not accept."""
    task.check_agent()  # a task without its agent is not the model's error
    found = []
    for number, action in enumerate(plan.actions, start=1):
        try:
            simulator.world.numbers(task.start, action.name, action.by(task.agent))
        except InputError as error:  # noqa: PERF203 - most steps are in order
            takes = f", but {error.where} takes {error.expected}" if error.expected else ""
            message, kind = f"{action}: {error.what}{takes}", ErrorKind.ARGUMENT_NUMBER
            found.append(Finding(kind, message, step=number, action=str(action)))
    return tuple(found)


def _unmet_link(goal: Goal, formula: Formula, trajectory: Trajectory, reason: str) -> Finding:
    """The first link of a goal that does not hold after the links before it."""
    links = formula.links
    begun = [links[0], *(Then(links[:end]) for end in range(2, len(links) + 1))]
    failing = (i for i, links_before in enumerate(begun) if not evaluate(links_before, trajectory))
    broken = next(failing, len(links) - 1)
    link = format_formula(links[broken])
    kind = UNMET_KINDS[literal_kind(links[broken])]
    if goal.is_path:
        kind = ErrorKind.PATH_GOAL
    elif goal_from_formula(links[broken]).actions:
        kind = ErrorKind.ACTION_GOAL
    before = " after what comes before it in the goal" if broken else ""
    never = "never holds" if links[broken].reading() == "eai" else "does not hold"
    message = f"{link} {never}{before}"
    return Finding(kind, f"{message}: {reason}" if reason else message, conditions=(link,))


def excluded(reason: str) -> Result:
    """The result on a task that is left out of the count."""
    return Result("excluded", notes=(reason,))


def missing(task: Task, goals: tuple[Condition, ...] | None = None) -> Result:
    """The result on a task without an answer, which counts as a failure.

    Args:
        task: The task.
        goals: Its goal conditions, none of them met; by default those of its shortest option.
    """
    finding = Finding(ErrorKind.NO_ANSWER, "there is no prediction for this task")
    return replace(unread(BoundPlan((), (finding,), ()), task, goals), status="missing")


def unread(plan: BoundPlan, task: Task, goals: tuple[Condition, ...] | None = None) -> Result:
    """The result on an answer with grammar errors: no step is run, no goal is met.

    Args:
        plan: What could be read, and what was wrong with it.
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
        measures=_path(task, holds=False),
    )
