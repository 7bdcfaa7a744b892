"""Evaluating predictions: answers in, a report out."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from eai.diagnosis.judgement import Judgement
from eai.errors import InputError, UnknownNameError
from eai.predictions import PredictionProblem, Predictions, load_all
from eai.registry import checked_suite
from eai.registry import suite as find_suite
from eai.report.printable import short
from eai.report.records import Record
from eai.report.report import Report, Setting
from eai.report.run import RunFolder
from eai.semantics import Semantics

if TYPE_CHECKING:
    from eai.report.browser import Reader
    from eai.suites.base import Suite
    from eai.task import Task

__all__ = ["evaluate"]

Progress = Callable[[int, int], None]
"""Called with the number of judged answers and the number of all."""


def evaluate(
    suite: str | Suite,
    predictions: object,
    *,
    ability: str = "action_sequencing",
    semantics: str | Semantics | None = None,
    without: Iterable[str] = (),
    only: Iterable[str] = (),
    corrected: bool = False,
    output: str | os.PathLike[str] | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Judge the predictions of one or more models on a suite.

    Args:
        suite: Name of a suite (see ``eai suites``), ``module:attribute``, or a suite object.
        predictions: What :func:`eai.predictions.load_all` takes: one or several files or
            folders, a mapping from task to answer, a data frame; of several models, a mapping
            from model to one of these.
        ability: Which ability the answers are about.
        semantics: ``"official"`` (the published evaluator, with its quirks) or ``"strict"``
            (what the definitions say); by default what the suite prefers.
        without: Quirks to switch off, or the name of one.
        only: Quirks to switch on, over ``"strict"``, or the name of one.
        corrected: Whether tasks whose own annotation is faulty are left out (see
            :mod:`eai.suites.lint`); by default all count, as published.
        output: A folder for the records, the tables and the page. A run that was interrupted
            there goes on where it stopped.
        force: Whether the files of another run there may be replaced.
        progress: Called after every judged answer.

    Returns:
        The report. Tasks without a prediction count as failures; tasks whose description has a
        mistake are excluded. These, predictions that belong to no task, and whatever else was
        left out, are named in its notes.

    Raises:
        InputError: If the predictions cannot be read, if none of them is for a task of the
            suite, if the suite is none, or if the folder cannot be written.
        UnknownNameError: If the suite, the ability, the semantics or a quirk is not known.
        DataMissingError: If the suite's data was not fetched.
        OutputExistsError: If ``output`` holds another run and ``force`` is off.
    """
    chosen = find_suite(suite) if isinstance(suite, str) else checked_suite(suite)
    if ability not in chosen.abilities:
        raise UnknownNameError("ability", ability, chosen.abilities)
    meaning = chosen.semantics(
        semantics or chosen.default_semantics, without=_several(without), only=_several(only)
    )
    if corrected:
        version = ", ".join(filter(None, (meaning.version, "corrected annotations")))
        meaning = replace(meaning, version=version)
    tasks = frozenset(chosen.task_ids())
    found = load_all(predictions, is_task=lambda name: chosen.canonical_id(name) in tasks)
    answers, notes = _by_task(chosen, found, tasks)
    setting = Setting(chosen.name, chosen.version, ability, str(meaning))
    folder = None
    if output is not None:
        folder = RunFolder(
            output, setting, models=tuple(answers), quirks=meaning.quirks, force=force
        )
    run = _Run(chosen, ability, meaning, folder, progress, corrected=corrected)
    try:
        records = run.judge(answers)
        report = Report(records, [*notes, *run.notes(records)], setting=setting)
        if folder is not None:
            folder.finish(report, _reader(chosen, ability, meaning))
    finally:
        if folder is not None:
            folder.close()
    return report


def _reader(suite: Suite, ability: str, semantics: Semantics) -> Reader | None:
    """What finds the changes of each step; only answers that are plans are run again."""
    if ability != "action_sequencing":
        return None
    from eai.item_details import details_reader

    return details_reader(suite, semantics)


def _several(names: str | Iterable[str]) -> Iterable[str]:
    return (names,) if isinstance(names, str) else names


def _by_task(
    suite: Suite, predictions: Sequence[Predictions], tasks: Container[str]
) -> tuple[dict[str, dict[str, str]], list[str]]:
    """Model to task to answer, and notes on what fits no task."""
    answers: dict[str, dict[str, str]] = {}
    notes = _problems(predictions)
    for of_model in predictions:
        model = of_model.model
        known: dict[str, str] = {}
        strange: list[str] = []
        again: list[str] = []
        for raw, text in of_model.items.items():
            task = suite.canonical_id(raw)
            if task not in tasks:
                strange.append(raw)
            elif task in known:
                again.append(task)
            else:
                known[task] = text
        if again:
            notes.append(f"{model}: {_listed(again)} left out: second answers to their tasks")
        if strange:
            notes.append(f"{model}: {_listed(strange)} left out: no such task")
        answers[model] = known
    if any(map(len, predictions)) and not any(answers.values()):
        _refuse(suite, predictions)
    return answers, notes


def _problems(predictions: Sequence[Predictions]) -> list[str]:
    """What was wrong with the sources, once each; models of one file share its problems."""
    found: dict[PredictionProblem, list[str]] = {}
    for of_model in predictions:
        for problem in of_model.problems:
            found.setdefault(problem, []).append(of_model.model)
    return [
        f"{models[0]}: {_without_folder(problem)}" if len(models) == 1 else _without_folder(problem)
        for problem, models in found.items()
    ]


def _without_folder(problem: PredictionProblem) -> str:
    # A report is the same wherever its files lie, and does not tell where that is.
    return f"{Path(problem.where).name}: {problem.message}"


def _refuse(suite: Suite, predictions: Sequence[Predictions]) -> NoReturn:
    given = [name for of_model in predictions for name in of_model.items]
    known = list(suite.task_ids())
    if not known:
        raise InputError(f"the suite {suite.name!r} has no tasks", expected="at least one task")
    raise InputError(
        f"none of the {len(given)} predictions is for a task of the suite {suite.name!r}",
        where=f"{', '.join(short(of_model.model, 60) for of_model in predictions[:5])}",
        expected=f"identifiers such as {', '.join(known[:5])}; found: {_examples(given)}",
        mend="choose the suite that the answers are for (eai suites); "
        "answers of several models are given by model, or name their model",
    )


def _listed(ids: list[str]) -> str:
    return f"{len(ids)} prediction{'s' if len(ids) > 1 else ''} ({_examples(ids)})"


def _examples(ids: list[str]) -> str:
    return ", ".join(short(name, 60) for name in ids[:5]) + (", ..." if len(ids) > 5 else "")


_MISTAKE = "the task cannot be used: "


class _Run:
    def __init__(
        self,
        suite: Suite,
        ability: str,
        semantics: Semantics,
        folder: RunFolder | None,
        progress: Progress | None,
        *,
        corrected: bool,
    ) -> None:
        self.suite = suite
        self.ability = ability
        self.semantics = semantics
        self.folder = folder
        self.progress = progress
        self.corrected = corrected
        self._spelled = str(semantics)
        self._first_mistake: InputError | None = None
        self._loaded: tuple[str, Task] | None = None

    def judge(self, answers: dict[str, dict[str, str]]) -> list[Record]:
        ids = self.suite.task_ids()
        total, done = len(ids) * len(answers), 0
        records: dict[str, list[Record]] = {model: [] for model in answers}
        # Task by task, so that each task is loaded once however many models there are.
        for task_id in ids:
            for model, of_model in answers.items():
                records[model].append(self._record(model, task_id, of_model.get(task_id)))
                done += 1
                if self.progress is not None:
                    self.progress(done, total)
        return [record for of_model in records.values() for record in of_model]

    def _record(self, model: str, task_id: str, answer: str | None) -> Record:
        output = answer or ""
        if self.folder is not None and self.folder.before:
            before = self._before(self.folder, model, task_id, output)
            if before is not None:
                return before
        begun = time.process_time()
        name, judgement = self._judged(task_id, answer)
        record = Record(
            self.suite.name,
            self.suite.version,
            self.ability,
            self._spelled,
            model,
            task_id,
            name,
            output,
            judgement,
            time.process_time() - begun,
        )
        if self.folder is not None:
            self.folder.write(record)
        return record

    def _before(self, folder: RunFolder, model: str, task_id: str, output: str) -> Record | None:
        """The record that an interrupted run left."""
        before = folder.before.get((model, task_id))
        if before is None or before.output == output:
            return before
        raise InputError(
            f"the answer of {model!r} to task {task_id} changed since the run stopped",
            where=str(folder.path),
            mend="start over (force=True, --force)",
        )

    def _judged(self, task_id: str, answer: str | None) -> tuple[str, Judgement]:
        """Name of the task and the judgement; a task with a mistake is nobody's failure."""
        name = task_id
        try:
            task = self._task(task_id)
            name = task.name
            fault = self._fault(task) if self.corrected else None
            if fault is not None:
                return name, Judgement("excluded", notes=(f"faulty annotation: {fault}",))
            return name, self.suite.judge(self.ability, task, answer, self.semantics)
        except InputError as error:
            self._first_mistake = self._first_mistake or error
            where = f"{Path(error.where).name}: " if error.where else ""
            return name, Judgement("excluded", notes=(f"{_MISTAKE}{where}{error.what}",))

    def _task(self, task_id: str) -> Task:
        if self._loaded is None or self._loaded[0] != task_id:
            self._loaded = task_id, self.suite.task(task_id)
        return self._loaded[1]

    def _fault(self, task: Task) -> str | None:
        from eai.suites.lint import lint_task

        found = (fault.message for fault in lint_task(self.suite, task) if fault.grave)
        return next(found, None)

    def notes(self, records: Sequence[Record]) -> list[str]:
        """What to say about tasks that could not be used.

        Raises:
            InputError: If none could be used.
        """
        found = {
            record.task: note
            for record in records
            for note in record.judgement.notes
            if record.judgement.status == "excluded" and note.startswith(_MISTAKE)
        }
        if self._first_mistake is not None and len(found) == len(self.suite.task_ids()):
            raise self._first_mistake
        return [f"task {task} left out: {note}" for task, note in found.items()]
