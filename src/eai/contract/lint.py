"""Check of a suite's own annotations: does the reference plan run, and does it reach the goal?

Every task is evaluated with its reference plan as the answer, under ``strict``. An error of this
"answer" is a fault of the annotation.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from eai.budget import BeyondBudgetError
from eai.contract import PLANS, RECORDED, Suite, solved_by_nothing
from eai.diagnosis import GRAMMAR, UNMET, Result
from eai.errors import InputError
from eai.logic import check_formula
from eai.semantics import Semantics
from eai.task import Task

FAULTS = {
    "task": "the task cannot be loaded",
    "no goal": "nothing has to be reached, so every plan would do",
    "formula": "the goal has a name that the world does not know",
    "no plan": "there is no reference plan",
    "name": "the reference plan has a name that the world does not know",
    "plan": "a step of the reference plan cannot be executed",
    "goal": "the reference plan runs to its end but does not reach the goal",
    "trivial": "an answer that says nothing solves it",
}
"""Kinds of fault, the gravest first, with their meanings."""


@dataclass(frozen=True, slots=True)
class AnnotationFault:
    """A fault in a task's annotation.

    Args:
        kind: A key of :data:`FAULTS`.
        step: 1-based step of the reference plan, or None if it is not about a step.
    """

    task: str
    kind: str
    message: str
    step: int | None = None

    @property
    def grave(self) -> bool:
        """Whether answers to the task cannot be evaluated fairly (redundant steps do not count)."""
        return self.kind != "trivial"


def lint_suite(suite: Suite) -> Iterator[AnnotationFault]:
    """Yield the faults of all tasks, in the order of the suite.

    Raises:
        DataMissingError: If the suite's data was not fetched.
    """
    for name in suite.task_ids():
        try:
            task = suite.task(name)
        except InputError as error:
            yield AnnotationFault(name, "task", error.what)
            continue
        yield from lint_task(suite, task)


def lint_task(suite: Suite, task: Task) -> Iterator[AnnotationFault]:
    """Yield the faults of one task's annotation.

    Without plans, the only fault that is looked for is that an empty answer solves the task.
    """
    if PLANS not in suite.abilities:
        yield from _faults_of_saying_nothing(suite, task)
        return
    strict = suite.semantics("strict")
    if not task.goal.text:
        yield AnnotationFault(task.id, "no goal", "the annotation has no goal")
        return
    formula_faults = list(_faults_of_formula(task))
    if formula_faults:
        yield from formula_faults
        return
    yield from _faults_of_saying_nothing(suite, task)
    if not task.plans:
        yield AnnotationFault(task.id, "no plan", task.no_plan or "the annotation has no plan")
        return
    # An empty text would be no answer; "[]" is the empty plan.
    plan = "\n".join(str(step) for step in task.plans[0]) or "[]"
    result = suite.evaluate(PLANS, task, plan, strict)
    yield from _faults_of_plan(task.id, result)


def _faults_of_formula(task: Task) -> Iterator[AnnotationFault]:
    """Yield the faults of a goal that is given as a formula."""
    if task.goal.formula is None:
        return
    for problem in check_formula(task.goal.formula, task.logic_names()):
        if problem.is_error:
            yield AnnotationFault(task.id, "formula", str(problem))


def _faults_of_saying_nothing(suite: Suite, task: Task) -> Iterator[AnnotationFault]:
    """Yield a fault if an empty answer solves the task, with the abilities in which it does."""
    choices = ["strict"]
    if suite.quirks:
        choices = ["strict", "official"]
    # Abilities that are solved in the same way stand together: it is one fault of the task.
    abilities_by_reason: dict[tuple[str, str], list[str]] = {}
    for ability in suite.abilities:
        # An episode that was recorded elsewhere cannot be empty text.
        if ability == RECORDED:
            continue
        for choice in choices:
            solves = partial(_is_solved_by, suite, ability, task, suite.semantics(choice))
            empty_answer = solved_by_nothing(solves)
            if empty_answer:
                # A plan that is right by the definitions is right for the published evaluator, too.
                abilities_by_reason.setdefault((choice, empty_answer), []).append(ability)
                break
    reasons: list[str] = []
    for (choice, empty_answer), abilities in abilities_by_reason.items():
        reasons.append(f"{', '.join(abilities)} ({choice}): {empty_answer} solves it")
    if reasons:
        yield AnnotationFault(task.id, "trivial", "; ".join(reasons))


def _is_solved_by(
    suite: Suite, ability: str, task: Task, semantics: Semantics, answer: str
) -> bool:
    """Return whether an answer solves a task; one that cannot be evaluated does not."""
    with suppress(InputError, BeyondBudgetError):
        return suite.evaluate(ability, task, answer, semantics).success
    return False


def _faults_of_plan(task: str, result: Result) -> Iterator[AnnotationFault]:
    """Yield the faults of a task's annotation that the result of its reference plan shows.

    A fault is a step that cannot be read or executed. If all steps are executed, the only possible
    fault is that they miss the goal.

    Args:
        task: Identifier of the task.
        result: The result of evaluating the plan.
    """
    has_failed_step = False
    for finding in result.findings:
        # A step that changes nothing does no harm to the plan.
        if finding.kind.is_harmless or finding.kind in UNMET:
            continue
        has_failed_step = True
        kind = "name" if finding.kind in GRAMMAR else "plan"
        yield AnnotationFault(task, kind, finding.message, finding.step)
    if has_failed_step or result.success:
        return
    unmet_conditions = [goal.text for goal in result.goals if not goal.met]
    reason = result.formula_reason or "the goal formula does not hold"
    if unmet_conditions:
        reason = f"not reached: {'; '.join(unmet_conditions)}"
    yield AnnotationFault(task, "goal", reason)
