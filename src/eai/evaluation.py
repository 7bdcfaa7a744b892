"""Evaluating predictions: answers in, a report out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from eai.budget import Budget
from eai.contract import PLANS, chosen_ability
from eai.errors import InputError
from eai.predictions import load_all, size_of
from eai.registry import given_suite, suites
from eai.report.metrics import view_of
from eai.report.report import Report, Setting
from eai.runs.evaluator import Evaluator
from eai.runs.matching import Choice, add_hints, chosen_tasks, fit, refuse_others, remarks, several

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from eai.contract import Suite
    from eai.report.page import Reader
    from eai.runs.folder import RunFolder
    from eai.semantics import Semantics

__all__ = ["evaluate"]

Progress = Callable[[int, int], None]
"""Called with the number of evaluated answers and the number of all."""

_LARGE = 1 << 28
"""Files of predictions with more bytes are not read into memory."""


def evaluate(  # noqa: PLR0913  # one argument more than elsewhere: this is the front door
    suite: str | Suite,
    predictions: object,
    *,
    ability: str | None = None,
    tasks: str | Iterable[str] = "all",
    semantics: str | Semantics | None = None,
    without: Iterable[str] = (),
    only: Iterable[str] = (),
    budget: str | Budget | None = None,
    corrected: bool = False,
    output: str | os.PathLike[str] | None = None,
    force: bool = False,
    progress: Progress | None = None,
    workers: int | Executor | None = None,
) -> Report:
    """Evaluate the predictions of one or more models on a suite.

    Args:
        suite: Name of a suite (see ``eai suites``), ``module:attribute``, or a suite object.
        predictions: What :func:`eai.predictions.load_all` takes: one or several files or
            folders, a mapping from task to answer, a data frame; of several models, a mapping
            from model to one of these.
        ability: Which ability the answers are about; by default action sequencing, or the suite's
            only one.
        tasks: Which tasks are evaluated: ``"all"`` as published, where a missing answer is a
        failure;
            ``"answered"``, those to which at least one model has an answer; or identifiers of
            tasks. The semantics that the report names says so, ``run.json`` lists them.
        semantics: ``"official"`` (the published evaluator, with its quirks) or ``"strict"``
            (what the definitions say); by default what the suite prefers.
        without: Quirks to switch off, or the name of one.
        only: Quirks to switch on, over ``"strict"``, or the name of one.
        budget: What the evaluation of one answer may use (:class:`eai.budget.Budget`, or its text:
            ``"states=1000"``); by default that of the semantics.
        corrected: Whether tasks whose own annotation is faulty are left out (see
            :mod:`eai.lint`); by default all count, as published.
        output: A folder for the records, the tables and the page. A run that was interrupted
            there goes on where it stopped.
        force: Whether the files of another run there may be replaced.
        progress: Called after every evaluated answer, or with workers after every shard.
        workers: How many processes evaluate, or a :class:`concurrent.futures.Executor` whose
            workers see the same files (Dask's: ``client.get_executor()``). Answers and records
            then stay on disk: memory does not grow with them (see ``docs/scale.md``). By default
            that is so, in this process, if the files of predictions have more than 256 MB.

    Returns:
        The report. Tasks without a prediction count as failures; tasks whose description has a
        mistake are excluded. These, predictions that belong to no task, and whatever else was
        left out, are named in its notes. More than 20,000 records of a run with workers are read
        from disk when the report is asked for them.

    Raises:
        InputError: If the predictions cannot be read, if none of them is for a task of the
            suite, if the budget is none, if no task is chosen, if the suite is none, has
            several abilities of which none is named, or cannot be sent to workers, if a worker
            ended, or if the folder cannot be written.
        UnknownNameError: If the suite, the ability, a task, the semantics or a quirk is not known.
        DataMissingError: If the suite's data was not fetched.
        OutputExistsError: If ``output`` holds another run and ``force`` is off.
    """
    if workers is None and size_of(predictions) > _LARGE:
        workers = 1
    reference = "" if workers is None else _reference(suite, workers)
    chosen = _chosen_suite(suite, predictions)
    refuse_others(predictions, chosen, output)
    named = chosen_ability(chosen, ability)
    meaning = chosen.semantics(
        semantics or chosen.default_semantics, without=several(without), only=several(only)
    )
    if budget is not None:
        limits = Budget.parse(budget) if isinstance(budget, str) else budget
        meaning = replace(meaning, budget=limits)
    choice = chosen_tasks(chosen, tasks)
    changes = ("corrected annotations" if corrected else "", choice.name)
    version = ", ".join(filter(None, (meaning.version, *changes)))
    meaning = replace(meaning, version=version)
    evaluator = Evaluator(chosen, named, meaning, corrected=corrected)
    if workers is None:
        return _in_memory(
            evaluator, predictions, choice, output=output, force=force, progress=progress
        )
    return _on_disk(
        evaluator,
        predictions,
        choice,
        output=output,
        force=force,
        progress=progress,
        workers=workers,
        reference=reference,
    )


def _chosen_suite(suite: str | Suite, predictions: object) -> Suite:
    try:
        return given_suite(suite)
    except InputError as error:
        if isinstance(predictions, str) and suites().announces(predictions):
            error.mend = f"the suite comes first: eai.evaluate({predictions!r}, ...)"
        raise


def _reference(suite: str | Suite, workers: int | Executor) -> str | bytes:
    """What workers find the suite by; made before it is used, when it remembers little."""
    from eai.runs.shards import checked_workers, reference_to

    return "" if checked_workers(workers) == 1 else reference_to(suite)


def _setting(evaluator: Evaluator) -> Setting:
    suite = evaluator.suite
    return Setting(suite.name, suite.version, evaluator.ability, str(evaluator.semantics))


def _in_memory(
    evaluator: Evaluator,
    predictions: object,
    choice: Choice,
    *,
    output: str | os.PathLike[str] | None,
    force: bool,
    progress: Progress | None,
) -> Report:
    suite, ids = evaluator.suite, evaluator.ids
    tasks = frozenset(ids)
    found = load_all(predictions, is_task=lambda name: suite.canonical_id(name) in tasks)
    fits = {of.model: fit(suite, of.items, tasks) for of in found}
    notes = remarks(suite, found, [each for _, each in fits.values()])
    if choice.name:
        there = {task for known, _ in fits.values() for task in known}
        answered = {place for place, task in enumerate(ids) if task in there}
        evaluator.ids = [ids[place] for place in choice.places(ids, answered)]
    answers = {model: known for model, (known, _) in fits.items()}
    folder = (
        None if output is None else _folder(evaluator, choice, output, tuple(fits), force=force)
    )
    with nullcontext() if folder is None else closing(folder):
        records = evaluator.records(answers, folder=folder, progress=progress)
        notes += evaluator.mistakes(records)
        view = view_of(evaluator.ability, suite)
        report = Report(records, notes, setting=_setting(evaluator), view=view)
        add_hints(report, suite, answered=choice.answered)
        if folder is not None:
            folder.finish(report, _reader(evaluator))
    return report


def _folder(
    evaluator: Evaluator,
    choice: Choice,
    output: str | os.PathLike[str],
    models: Sequence[str],
    *,
    force: bool,
) -> RunFolder:
    """Where the records of these models are written one by one."""
    from eai.runs.folder import RunFolder

    return RunFolder(
        output,
        _setting(evaluator),
        evaluator.semantics,
        models=models,
        tasks=evaluator.ids if choice.name else None,
        count=len(evaluator.ids) * len(models),
        force=force,
    )


def _on_disk(
    evaluator: Evaluator,
    predictions: object,
    choice: Choice,
    *,
    output: str | os.PathLike[str] | None,
    force: bool,
    progress: Progress | None,
    workers: int | Executor,
    reference: str | bytes,
) -> Report:
    import shutil
    import tempfile
    import weakref

    from eai.runs.folder import Folder
    from eai.runs.streaming import StreamedRun

    path = tempfile.mkdtemp(prefix="eai-") if output is None else output
    with closing(Folder(path, _setting(evaluator), evaluator.semantics, force=force)) as folder:
        run = StreamedRun(evaluator, folder, reference, choice)
        try:
            report = run.report(predictions, workers=workers, progress=progress)
            add_hints(report, evaluator.suite, answered=choice.answered)
        except BaseException:
            if output is None:
                shutil.rmtree(path, ignore_errors=True)
            raise
        if output is None:
            weakref.finalize(report, shutil.rmtree, path, ignore_errors=True)
        else:
            folder.finish(report, _reader(evaluator))
    return report


def _reader(evaluator: Evaluator) -> Reader | None:
    """What finds the changes of each step; only answers that are plans are run again."""
    if evaluator.ability != PLANS:
        return None
    from eai.report.page import details_reader

    return details_reader(evaluator.suite, evaluator.semantics)
