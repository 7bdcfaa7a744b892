"""Questions about a plan for a task: its steps, its causes and effects, and its least repair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, Union, runtime_checkable

from eai.abilities import evaluate_plan
from eai.answers import BoundPlan, PlanReading, ReadStep, bind, read_answer, read_plan
from eai.diagnosis import DomainRules, Result, TaskRules, task_rules
from eai.diagnosis.causes import causes as causes_of
from eai.errors import InputError, SimulationError, names_checked, reported
from eai.nesting import on_own_stack
from eai.planning import Repair, RepairBounds, Target, least_repair
from eai.simulators import Simulator, Symbolic
from eai.task import Task
from eai.world import Action, World

if TYPE_CHECKING:
    from eai.diagnosis import Causes
    from eai.logic import Formula


@runtime_checkable
class Recorded(Protocol):
    """A record of a report: an answer to a task and its result."""

    @property
    def suite(self) -> str:
        """Name of the suite."""

    @property
    def task(self) -> str:
        """Identifier of the task."""

    @property
    def output(self) -> str:
        """The answer."""

    @property
    def result(self) -> Result:
        """Its result."""


PlanLike = Union[Sequence[Action], Sequence[str], str, Recorded, Result]
"""A plan: actions, their texts, an answer from which they are read, or an evaluated answer."""

_PLANS = "a sequence of eai.Action, a list of texts such as 'walk(light.34)', the text of an answer"
_MEND = "give the plan: task.plans[0], record.result.plan, or the text of an answer"


@names_checked
@on_own_stack
def repair(
    task: Task,
    plan: PlanLike,
    *,
    simulator: Simulator | None = None,
    bounds: RepairBounds | None = None,
    rules: object = None,
) -> Repair:
    """Find the fewest edits that make a plan executable and its goal true, under ``strict``.

    The repaired plan is run again and evaluated before it is returned. The conditions of the goal
    and its actions count, and its formula if the goal says so (:attr:`eai.task.task.Goal.whole`);
    so do the rules of the task and those that are given.

    Args:
        task: The task; its reference plans are used if the search ends at its bounds.
        plan: The steps, their texts, an answer with the plan, or a record or result with it. Steps
            with unknown names, or with a wrong number of objects, are deleted or replaced.
        simulator: The world in which plans are executed; by default that of the task.
        bounds: Bounds of the search.
        rules: Rules that the repaired plan must satisfy: a file of rules, or a list. Rules that do
            not apply to the task are left out and listed in :attr:`~eai.planning.Repair.notes`.

    Returns:
        The edits, the repaired plan, and what was proved about them.

    Raises:
        InputError: If the task or the plan cannot be read, the goal has unknown names or is too
            large, or the rules cannot be read or do not apply.
        SimulationError: If a repaired plan does not pass the evaluator.
    """
    task = checked_task(task)
    chosen_simulator = simulator or Symbolic(task.world, DomainRules(skip=task.skips))
    checked_rules = task_rules(task, rules)
    formulas = [formula for _, formula in checked_rules.formulas]
    repaired_plan = repair_for(task, plan, formulas, world=chosen_simulator.world, bounds=bounds)
    if repaired_plan.repaired is not None:
        _check_repaired(repaired_plan.repaired, task, chosen_simulator, checked_rules)
    return (
        replace(repaired_plan, notes=checked_rules.notes) if checked_rules.notes else repaired_plan
    )


def _check_repaired(
    plan: tuple[Action, ...], task: Task, simulator: Simulator, rules: TaskRules
) -> None:
    """Evaluate a repaired plan, because the search has its own model of the task.

    Raises:
        SimulationError: If the plan does not succeed, or breaks a rule.
    """
    result = evaluate_plan(BoundPlan(plan, (), ()), task, simulator)
    broken: Sequence[str] = ()
    # Without evidence the plan was not executed, so no rule can be broken.
    if result.evidence is not None:
        broken = rules.broken(result.evidence.trajectory)
    if result.success and not broken:
        return
    problems = [finding.message for finding in result.findings]
    problems += [f"rule {name!r} is broken" for name in broken]
    raise SimulationError(
        f"the repair of a plan of task {task.id} does not pass the evaluator",
        where="; ".join(problems),
        mend="report this, with the task and the plan",
    )


def repair_for(
    task: Task,
    plan: PlanLike,
    rules: Sequence[Formula],
    *,
    world: World | None = None,
    bounds: RepairBounds | None = None,
) -> Repair:
    """Return the fewest edits after which a plan reaches the goal of a task and keeps rules.

    Args:
        task: The task; its own rules do not count.
        plan: The plan.
        rules: The rules, as formulas over the names of the task.
        world: Where plans are run; by default the task's own world.
        bounds: Bounds of the search.

    Raises:
        InputError: If no plan can be read, or a formula has unknown names or is too large.
    """
    return least_repair(
        world or task.world,
        task.start,
        steps_of(task, plan),
        replace(target_of(task), rules=tuple(rules)),
        agent=task.agent,
        skip=task.skips,
        references=task.plans,
        bounds=bounds,
    )


def target_of(task: Task) -> Target:
    """Return the target of a plan of a task: the final conditions, the actions, and the formula."""
    goal = task.goal
    final_conditions = []
    for alternative in goal.final:
        conditions = tuple(condition for _, condition in alternative)
        final_conditions.append(conditions)
    actions = tuple(action.names for action in goal.actions)
    return Target(tuple(final_conditions), actions, goal.formula if goal.whole else None)


@names_checked
def causes(task: Task, plan: PlanLike, *, rules: object = None) -> Causes:
    """Explain which steps of a plan its other steps, its goal and its failure rest on.

    The plan is run from the task's initial state under the rules that follow from the domain
    (semantics ``strict``), up to the first step that fails.

    Args:
        task: The task.
        plan: The steps, their texts, an answer, or a record or result whose plan is meant.
        rules: Rules beside the goal, of which it is said, too, which steps broke them: a file of
            rules, or a list. The task's own are judged in any case.

    Raises:
        UnknownNameError: If the agent, or something in the goal, is not in the task.
        InputError: If there is no task or no plan to be read in what is given, the rules cannot
            be read or none applies, or the domain cannot be run (it says why).
    """
    problem = checked_task(task)
    return causes_of(problem, steps_of(problem, plan), task_rules(problem, rules))


def checked_task(task: object) -> Task:
    """Return a task as it is.

    Raises:
        InputError: If it is none.
    """
    if isinstance(task, Task):
        return task
    # A name, or a record of a report, says which task was meant: then the call can be written out.
    name = task if isinstance(task, str) else getattr(task, "task", "TASK")
    suite = getattr(task, "suite", "SUITE")
    raise InputError(
        f"{reported(task)} is not a task",
        expected="a task of a suite (eai.Task)",
        mend=f'eai.suite("{suite}").task("{name}")',
    )


def steps_of(task: Task, plan: PlanLike) -> tuple[Action, ...]:
    """Return the steps of a plan.

    Args:
        task: The task; its vocabulary resolves names without numbers.
        plan: The steps, their texts, an answer, or a record or result whose plan is meant.

    Returns:
        The steps. A step with an unknown name or a wrong number of objects stays as it is written.

    Raises:
        InputError: If the value is not a plan, cannot be read, or is a record of another task.
    """
    # A text comes first, because it is a sequence as well.
    if isinstance(plan, str):
        return _read(task, plan)
    if isinstance(plan, Result):
        return _of_texts(task, plan.plan)
    if isinstance(plan, Recorded):
        return _of_record(task, plan)
    # A mapping can be iterated, too, but its keys are not steps.
    if isinstance(plan, Mapping) or not isinstance(plan, Iterable):
        raise InputError(f"{reported(plan)} is not a plan", expected=_PLANS, mend=_MEND)
    items: list[Any] = list(plan)
    if all(isinstance(item, Action) for item in items):
        return tuple(items)
    texts = [str(item) if isinstance(item, Action) else item for item in items]
    for step_number, text in enumerate(texts, start=1):
        if not isinstance(text, str):
            raise InputError(f"step {step_number} is {reported(text)}", expected=_PLANS, mend=_MEND)
    return _of_texts(task, texts)


def _of_record(task: Task, record: Recorded) -> tuple[Action, ...]:
    """Return the steps of the plan in a record.

    Raises:
        InputError: If the record is of another task.
    """
    if record.task != task.id:
        raise InputError(
            f"the record is of the task {record.task!r}, not of {task.id!r}",
            mend=f'eai.suite("{record.suite}").task("{record.task}")',
        )
    # The result of an answer that could not be read has no plan; its text may still have one.
    return _of_texts(task, record.result.plan) or _read(task, record.output)


def _of_texts(task: Task, texts: Sequence[str]) -> tuple[Action, ...]:
    """Return the steps of texts, each of which is one step.

    Raises:
        InputError: If a text is none, or several.
    """
    steps: list[ReadStep] = []
    for step_number, text in enumerate(texts, start=1):
        read = read_answer(text, task.readable).steps
        if len(read) != 1:
            read = read_plan(text).steps  # a step of which the task has no name
        if len(read) != 1:
            raise InputError(
                f"text {step_number} is not a step: {text!r}", expected=_PLANS, mend=_MEND
            )
        steps += read
    return _bound(task, PlanReading(tuple(steps)))


def _read(task: Task, answer: str) -> tuple[Action, ...]:
    """Return the steps that are read out of an answer."""
    reading = read_answer(answer, task.readable)
    if not reading.steps:
        with_unknown_names = read_plan(answer)
        if with_unknown_names.steps and not with_unknown_names.problems:
            reading = with_unknown_names
    return _bound(task, reading)


def _bound(task: Task, reading: PlanReading) -> tuple[Action, ...]:
    """Return the steps of a plan that was read, unknown ones as they were written.

    Raises:
        InputError: If some of the answer cannot be read as steps.
    """
    plan = bind(reading, task.readable)
    wrong_steps = {finding.step for finding in plan.findings}
    # A finding without a step is about the answer as a whole.
    is_whole = len(plan.actions) + len(wrong_steps) == len(reading.steps)
    if None in wrong_steps or not is_whole:
        raise InputError(
            f"the answer is not a plan: {plan.findings[0].message}",
            where=f"task {task.id}",
            expected="an answer whose steps can all be read",
            mend="remove what cannot be read; if the answer was cut off, ask again",
        )
    # The plan has an action for each step that is not wrong, in order.
    actions = iter(plan.actions)
    steps = []
    for step_number, step in enumerate(reading.steps, start=1):
        if step_number in wrong_steps:
            steps.append(Action(step.name.lower(), tuple(step.arguments)))
        else:
            steps.append(next(actions))
    return tuple(steps)
