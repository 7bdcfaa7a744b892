"""Check of a suite's own annotations: does the reference plan run, and does it reach the goal?

Every task is evaluated with its reference plan as the answer, under ``strict``. An error of this
"answer" is a fault of the annotation.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

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
    """Something that is wrong with a task's annotation.

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
    """Yield the faults of one task; of abilities without plans, only that nothing solves it."""
    if PLANS not in suite.abilities:
        yield from _trivial(suite, task)
        return
    strict = suite.semantics("strict")
    if not task.goal.text:
        yield AnnotationFault(task.id, "no goal", "the annotation has no goal")
        return
    formula = task.goal.formula
    if formula is not None:
        problems = check_formula(formula, task.logic_names())
        errors = [problem for problem in problems if problem.is_error]
        if errors:
            for problem in errors:
                yield AnnotationFault(task.id, "formula", str(problem))
            return
    yield from _trivial(suite, task)
    if not task.plans:
        yield AnnotationFault(task.id, "no plan", task.no_plan or "the annotation has no plan")
        return
    plan = "\n".join(map(str, task.plans[0]))
    yield from _of_plan(task.id, suite.evaluate("action_sequencing", task, plan or "[]", strict))


def _trivial(suite: Suite, task: Task) -> Iterator[AnnotationFault]:
    """Yield a fault for each ability of which an answer that says nothing solves the task."""
    for ability in suite.abilities:
        if ability == RECORDED:
            continue
        for name in ("strict", "official") if suite.quirks else ("strict",):
            semantics = suite.semantics(name)

            def solves(answer: str, of: str = ability, under: Semantics = semantics) -> bool:
                with suppress(InputError, BeyondBudgetError):
                    return suite.evaluate(of, task, answer, under).success
                return False

            nothing = solved_by_nothing(solves)
            if nothing:
                # What solves it by the definitions solves it for the published evaluator as well.
                yield AnnotationFault(
                    task.id, "trivial", f"{ability} ({name}): {nothing} solves it"
                )
                break


def _of_plan(task: str, result: Result) -> Iterator[AnnotationFault]:
    """Yield the faults that the evaluation of a reference plan shows."""
    stopped = False
    for finding in result.findings:
        if finding.kind.is_harmless:
            continue
        if finding.kind in GRAMMAR:
            stopped = True
            yield AnnotationFault(task, "name", finding.message, finding.step)
        elif finding.kind not in UNMET:
            stopped = True
            yield AnnotationFault(task, "plan", finding.message, finding.step)
    if not stopped and not result.success:
        unmet = [goal.text for goal in result.goals if not goal.met]
        reason = result.formula_reason or "the goal formula does not hold"
        yield AnnotationFault(task, "goal", f"not reached: {'; '.join(unmet)}" if unmet else reason)
