"""Evaluation of answers: every answer gets a record, even if its task has a mistake."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from eai.acting import Answer
from eai.budget import BeyondBudgetError
from eai.contract import RULED, counted_as_trivial, trivial_note, version_of
from eai.diagnosis import ErrorKind, Finding, Result
from eai.errors import InputError
from eai.report import Record
from eai.text import sample_label

if TYPE_CHECKING:
    from eai.contract import Suite
    from eai.contract.lint import AnnotationFault
    from eai.diagnosis import TaskRules
    from eai.logic import Rule
    from eai.semantics import Semantics
    from eai.task import Task

_MAX_RESULTS = 64
"""Maximum number of results held of one task, in case that another model answers alike."""

_MISTAKE = "the task cannot be used: "


def mistake(record: Record) -> str | None:
    """Return the note about a mistake in the description of a record's task, if there is one."""
    if record.result.status != "excluded":
        return None
    for note in record.result.notes:
        if note.startswith(_MISTAKE):
            return note
    return None


class RunItem(NamedTuple):
    """One answer to evaluate.

    Args:
        answer: The answer; None if there is none.
        epoch: Number of the sample, from 1, if the model has several; 0 if it is the only one.
    """

    model: str
    task: str
    answer: str | None
    epoch: int = 0

    @property
    def label(self) -> str:
        """Name of the model, with the number of the sample."""
        return sample_label(self.model, self.epoch)


class _LoadedTask:
    """The current task with cached results, as different models often answer alike.

    Args:
        task_id: The identifier by which the suite was asked for the task.
        find_trivial_note: Returns the note on a task that an answer without content solves.
        rules: The rules of the run.

    Attributes:
        results: Answer to its result.
    """

    def __init__(
        self,
        task_id: str,
        task: Task,
        find_trivial_note: Callable[[Task], str],
        rules: Sequence[Rule],
    ) -> None:
        """Begin without results."""
        self.task_id = task_id
        self.task = task
        self.find_trivial_note = find_trivial_note
        self.rules = rules
        self.results: dict[str | None, Result] = {}

    @cached_property
    def task_rules(self) -> TaskRules:
        """The rules that apply to the task: its own, and those of the run."""
        from eai.diagnosis import TaskRules, formulas_for

        return TaskRules(tuple(formulas_for(self.task, self.task_id, self.rules)))

    @cached_property
    def trivial(self) -> str:
        """A note if an answer without content solves the task, or ""."""
        return self.find_trivial_note(self.task)


class Evaluator:
    """Evaluates answers to tasks of a suite.

    Args:
        suite: The suite.
        ability: The ability that the answers are about.
        semantics: The semantics.
        corrected: Whether tasks whose own annotation is faulty are left out.
        rules: Rules that plans are checked against, beside the goals of the tasks.

    Attributes:
        ids: Identifiers of the tasks that are evaluated, by default all, in the suite's order.
        first_mistake: The error of the first task that could not be used.
    """

    def __init__(
        self,
        suite: Suite,
        ability: str,
        semantics: Semantics,
        *,
        corrected: bool = False,
        rules: Sequence[Rule] = (),
    ) -> None:
        """Choose all tasks of the suite; none is loaded yet."""
        self.suite = suite
        self.ability = ability
        self.semantics = semantics
        self.corrected = corrected
        self.rules = tuple(rules)
        self.ids: Sequence[str] = suite.task_ids()
        self.first_mistake: InputError | None = None
        self._semantics_text = str(semantics)
        self._version = version_of(suite, ability)
        self._current_task: _LoadedTask | None = None

    def record(self, model: str, task_id: str, answer: str | None, epoch: int = 0) -> Record:
        """Return the record of one answer.

        Args:
            model: Name of the model.
            task_id: Identifier of the task.
            answer: The answer; None if there is none.
            epoch: Number of the sample (see :class:`RunItem`).
        """
        start_time = time.perf_counter()
        usage: Mapping[str, float] = {}
        if isinstance(answer, Answer):
            usage = answer.usage
            answer = str(answer)  # the text alone, which other models may have given, too
        name = task_id  # in place of the category of the task, if loading it fails
        try:
            loaded = self._load(task_id)
            name = loaded.task.name
            result = self._cached_result(loaded, answer)
        except BeyondBudgetError as error:
            finding = Finding(ErrorKind.BEYOND_BUDGET, f"beyond the budget: {error}")
            result = Result("evaluated", findings=(finding,), outcome="beyond the budget")
        except InputError as error:  # a task with a mistake is nobody's failure
            self.first_mistake = self.first_mistake or error
            problem = error.what
            if error.where:
                problem = f"{Path(error.where).name}: {problem}"
            result = Result("excluded", notes=(f"{_MISTAKE}{problem}",))
        return Record(
            self.suite.name,
            self._version,
            self.ability,
            self._semantics_text,
            model,
            task_id,
            name,
            answer or "",
            result,
            time.perf_counter() - start_time,
            epoch,
            usage,
        )

    def _load(self, task_id: str) -> _LoadedTask:
        """Return a task, from the cache of one task if it was the last one."""
        loaded = self._current_task  # read once, as threads may evaluate other tasks meanwhile
        if loaded is None or loaded.task_id != task_id:
            task = self.suite.task(task_id)
            loaded = _LoadedTask(task_id, task, self._trivial_note, self.rules)
            self._current_task = loaded
        return loaded

    def _cached_result(self, loaded: _LoadedTask, answer: str | None) -> Result:
        """Return the result of an answer; equal answers to a task are evaluated once."""
        result = loaded.results.get(answer)
        if result is None:
            result = self._evaluate(loaded, answer)
            # The cache is bounded, as a task may have thousands of different answers.
            if len(loaded.results) < _MAX_RESULTS:
                loaded.results[answer] = result
        return result

    def _trivial_note(self, task: Task) -> str:
        """Return a note if an answer without content solves a task, or ""."""
        return trivial_note(self.suite, self.ability, task, self.semantics)

    def _evaluate(self, loaded: _LoadedTask, answer: str | None) -> Result:
        """Return the result of an answer. Faulty and trivial tasks are excluded or marked."""
        task = loaded.task
        fault = self._grave_fault(task) if self.corrected else None
        if fault is not None:
            return Result("excluded", notes=(f"faulty annotation: {fault.message}",))
        result = self.suite.evaluate(self.ability, task, answer, self.semantics)
        if result.status == "excluded":
            return result
        # Rules are evaluated on what was done; the verdict on the goal stays as it is.
        if self.ability in RULED and (self.rules or task.rules):
            from eai.contract import judged

            result = judged(
                result,
                loaded.task_rules,
                self.suite,
                task,
                answer,
                self.semantics,
                ability=self.ability,
            )
        # Finding trivial tasks takes evaluations, so this is only done where it matters: under
        # other semantics they count, as published, and only a solved one is marked.
        if (result.success or self.semantics.is_strict) and loaded.trivial:
            return counted_as_trivial(result, loaded.trivial, self.semantics)
        return result

    def _grave_fault(self, task: Task) -> AnnotationFault | None:
        """Return the first mistake in a task's annotation that makes its verdicts worthless."""
        from eai.contract.lint import lint_task

        for fault in lint_task(self.suite, task):
            if fault.grave:
                return fault
        return None
