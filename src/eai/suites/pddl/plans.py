"""How plans for PDDL tasks are read, run and scored, strictly and as VAL 4 does."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from eai.abilities import Plans, unread
from eai.answers import BoundPlan, PlanReading, bind, read_answer
from eai.diagnosis import ErrorKind, Finding, Result
from eai.errors import InputError
from eai.planning import cost_of
from eai.simulators import Execution
from eai.suites.pddl.published import with_remarks
from eai.suites.shared.quirks import shipped_quirks
from eai.task import Task
from eai.world import Action, State, World

_SHIPPED = shipped_quirks("pddl")
QUIRKS = _SHIPPED["action_sequencing"]
"""Quirks of VAL 4 that apply to plans."""
ALL_QUIRKS = {**QUIRKS, **_SHIPPED["planbench"], **_SHIPPED["acpbench"]}
"""The same, with the quirks of the evaluators of PlanBench and ACPBench."""
TESTED = "tested_task"
"""Key of the task that PlanBench's evaluator tests a plan on, in the metadata of a task."""

# Marks of a code span, and comments of a plan.
_MARKS = str.maketrans("`\\*", "   ")
_COMMENT = re.compile(r";[^\n]*")
EXTRACTED = "; extracted plan\n"
ANSWER_FIELDS = {"extracted_llm_plan": EXTRACTED}
"""Key of a plan that was extracted from an answer, to the line that marks PDDL notation."""


_ENDS_AT_ONCE = re.compile(r"\s*\[PLAN END\]")
"""The question ended with ``[PLAN]``."""
# How an answer says that the empty plan is one.
_NOTHING_TO_DO = re.compile(
    r"\bno (?:further |more |additional |other )?(?:actions?|steps?|moves?) (?:is|are) "
    r"(?:needed|required|necessary)\b",
    re.IGNORECASE,
)


def _says_nothing_to_do(answer: str) -> bool:
    """Return whether an answer says that the empty plan is one."""
    return bool(_ENDS_AT_ONCE.match(answer) or _NOTHING_TO_DO.search(answer))


def _has_words_before_plan(text: str) -> bool:
    """Return whether a letter, ``_`` or ``[`` stands before the first step in parentheses."""
    before_plan = text.partition("(")[0]
    return re.search(r"[^\W\d]|\[", before_plan) is not None


def _separates_arguments(text: str) -> bool:
    """Return whether steps are written as in PDDL: ``(pick-up a)`` or ``pick-up a``.

    Some extracted plans join a name and its arguments, as in ``pick-up_a``.
    """
    return "(" in text or re.search(r"\w[ \t]+\w", text) is not None


def step_text(step: Action | str) -> str:
    """Return a step, or its text ``name(a, b)``, in the notation of PDDL."""
    if isinstance(step, Action):
        return step.in_pddl
    return f"({re.sub(r'[(]|, ', ' ', step)}".replace(" )", ")")


def state_after(world: World, state: State, steps: Iterable[Action]) -> State | None:
    """Return the state after some steps, or None if one of them is not applicable.

    Args:
        world: The world.
        state: The state before the steps, which is not changed.
        steps: The steps.
    """
    # ``apply`` changes the state that it gets.
    reached = state.copy()
    for step in steps:
        numbers = world.numbers(reached, step.name, step.arguments)
        if world.first_failure(reached, step.name, numbers) >= 0:
            return None
        world.apply(reached, step.name, numbers)
    return reached


def _with_notes(result: Result, notes: tuple[str, ...]) -> Result:
    """Return a result with notes added."""
    return replace(result, notes=(*result.notes, *notes)) if notes else result


class PddlPlans(Plans):
    """Plans for PDDL tasks, valid if every step is applicable and the goal holds at the end."""

    def excluded(self, task: Task) -> str:
        """Return the reason if a task is excluded because it asks a question, or ""."""
        question = task.metadata.get("question")
        if not isinstance(question, dict):
            return ""
        return f"the task asks a question, of the ability {question['kind']}"

    def read(self, task: Task, answer: str) -> BoundPlan:
        """Read a plan from an answer. "Nothing is left to do" is the empty plan."""
        plan = self._read(task, answer)
        if not (plan.actions or plan.written) and _says_nothing_to_do(answer):
            return BoundPlan(notes=("the answer says that nothing has to be done",))
        return plan

    def _read(self, task: Task, answer: str) -> BoundPlan:
        """Read a plan from an answer under the given semantics.

        The validator VAL reads only the notation of PDDL, such as ``(pick-up a)``, so under its
        quirks no other notation is read. PlanBench extracts a plan from an answer in prose first,
        and gives that to VAL. All other answers may have any notation.
        """
        # Ignored parts become blanks, so that offsets stay the same.
        text = _COMMENT.sub(lambda match: " " * len(match[0]), answer.translate(_MARKS))
        is_extracted = answer.startswith(EXTRACTED)
        is_answer_to_query = "query" in task.metadata and not is_extracted
        is_read_by_val = not is_answer_to_query and "words_empty_the_plan" in self.semantics
        if is_read_by_val and _has_words_before_plan(text):
            return BoundPlan(notes=("words before the plan make it empty (words_empty_the_plan)",))
        if is_read_by_val or (is_extracted and _separates_arguments(text)):
            assert task.readable.reader is not None  # noqa: S101 - tasks of PDDL have one
            reading: PlanReading = task.readable.reader(text, notation=True)
        else:
            reading = read_answer(answer, task.readable)
        if "surplus_arguments_dropped" in self.semantics:
            reading = _without_surplus_arguments(reading, task)
        return bind(reading, task.readable)

    def write(self, plan: Iterable[Action]) -> str:
        """Write a plan in the notation of PDDL."""
        return "\n".join(map(step_text, plan))

    def evaluate(self, task: Task, answer: str | None) -> Result:
        """Evaluate an answer; None stands for a missing one."""
        tested = self._task_to_test(task)
        return with_remarks(self._evaluate(tested, answer), task.metadata, answer)

    def _evaluate(self, task: Task, answer: str | None) -> Result:
        """Evaluate an answer, which may say that there is no plan."""
        result = super().evaluate(task, answer)
        notes: tuple[str, ...] = ()
        if task.metadata.get("note"):
            notes = (str(task.metadata["note"]),)
        # Only an answer without any plan can claim that there is none.
        if answer is None or result.plan or result.success:
            return _with_notes(result, notes)
        from eai.answers import says_no_plan  # it loads what reads prose

        if says_no_plan(answer):
            if task.metadata.get("unsolvable"):
                note = "the answer says that there is no plan, and there is none"
                return Result("evaluated", success=True, executable=True, notes=(note, *notes))
            finding = Finding(ErrorKind.NO_ANSWER, "the answer says that there is no plan")
            result = unread(BoundPlan((), (finding,)), task)
        return _with_notes(result, notes)

    def execution(self, task: Task, answer: str) -> Execution | None:
        """Run an answer again; None if it has grammar errors."""
        return super().execution(self._task_to_test(task), answer)

    def _task_to_test(self, task: Task) -> Task:
        """Return the task on which a plan is tested: as it was asked or as published."""
        tested = task.metadata.get(TESTED)
        if isinstance(tested, Task) and "other_goal_tested" in self.semantics:
            return tested
        return task

    def evaluate_plan(self, task: Task, plan: BoundPlan) -> Result:
        """Evaluate a plan that is already read or was never text."""
        result = super().evaluate_plan(task, plan)
        problem = getattr(task, "problem", None)
        if not result.success or problem is None:
            return result
        trajectory = None if result.evidence is None else result.evidence.trajectory
        domain = task.start.layout.domain
        try:
            note = f"cost {cost_of(domain, problem, plan.actions, trajectory=trajectory):g}"
        except InputError as error:
            note = f"the metric cannot be evaluated: {error.what}"
        result = replace(result, notes=(*result.notes, note))
        least = task.metadata.get("least_steps")
        # If an optimal plan is required, a longer valid plan is wrong.
        if isinstance(least, int) and len(plan.actions) > least:
            note = f"not optimal: {len(plan.actions)} steps, the published optimal plan has {least}"
            return replace(result, success=False, notes=(*result.notes, note))
        return result


def _without_surplus_arguments(reading: PlanReading, task: Task) -> PlanReading:
    """Return a plan in which each step has at most the arguments that its action takes."""
    steps = []
    for step in reading.steps:
        arity = task.vocabulary.actions.get(step.name)  # None leaves all arguments
        steps.append(replace(step, arguments=step.arguments[:arity]))
    return replace(reading, steps=tuple(steps))
