"""Evaluating predictions: answers in, a report out."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from eai import runs
from eai.budget import Budget
from eai.contract import chosen_ability
from eai.contract.registry import given_suite, suites
from eai.display import notebook_progress
from eai.errors import InputError, check_name, names_checked
from eai.evaluation.parts import parts_of
from eai.report import Report
from eai.runs import Evaluator, Progress, chosen_tasks, refuse_others, several
from eai.runs.run import run

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from eai.contract import Suite
    from eai.semantics import Semantics


@names_checked
def evaluate(  # noqa: PLR0913  # one argument more than elsewhere: this is the front door
    suite: str | Suite,
    predictions: object = None,
    *,
    ability: str | None = None,
    tasks: str | Iterable[str] = "all",
    semantics: str | Semantics | None = None,
    without: Iterable[str] = (),
    only: Iterable[str] = (),
    answers: str | None = None,
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
            from model to one of these. By default the suite's sample answers.
        ability: Which ability the answers are about; by default action sequencing, or the suite's
            only one.
        tasks: Which tasks are evaluated: ``"all"`` as published, where a missing answer is a
            failure; ``"answered"``, those to which at least one model has an answer; or identifiers
            of tasks. The semantics that the report names says so, ``run.json`` lists them.
        semantics: ``"official"`` (the published evaluator, with its quirks) or ``"strict"``
            (what the definitions say); by default what the suite prefers.
        without: Quirks to switch off, or the name of one.
        only: Quirks to switch on, over ``"strict"``, or the name of one.
        answers: The format of published answers (``"2024"``; :attr:`eai.Suite.answer_formats`):
            switches off the quirks of ``"official"`` that keep them from being read.
        budget: What the evaluation of one answer may use (:class:`eai.budget.Budget`, or its text:
            ``"states=1000"``); by default that of the semantics.
        corrected: Whether tasks whose own annotation is faulty are left out (see
            :mod:`eai.contract.lint`); by default all count, as published.
        output: A folder for the records, the tables and the page. A run that was interrupted
            there resumes where it stopped.
        force: Whether the files of another run there may be replaced.
        progress: Called after every evaluated answer; by default a notebook shows a bar.
        workers: How many processes evaluate (by default this one), or a
            :class:`concurrent.futures.Executor` (Dask's: ``client.get_executor()``). Memory does
            not grow with the number of answers, whoever evaluates them (see ``docs/scale.md``).

    Returns:
        The report. Tasks without a prediction count as failures; tasks whose description has a
        mistake are excluded. These, predictions that belong to no task, and whatever else was
        left out, are named in its notes. More than 20,000 records are read from disk when the
        report is asked for them.

    Raises:
        InputError: If the predictions cannot be read, if none of them is for a task of the
            suite, if the budget is none, if no task is chosen, if the suite is none, has
            several abilities of which none is named, or cannot be sent to workers, if a worker
            ended, or if the folder cannot be written.
        UnknownNameError: If the suite, the ability, a task, the semantics or a quirk is not known.
        DataMissingError: If the suite's data was not fetched.
        OutputExistsError: If ``output`` holds another run and ``force`` is off.
    """
    several_processes = workers is not None and runs.checked_workers(workers) != 1
    # Made before the suite is used, when it remembers little.
    reference = runs.reference_to(suite) if several_processes else ""
    try:
        chosen = given_suite(suite)
    except InputError as error:
        if isinstance(predictions, str) and suites().announces(predictions):
            error.mend = f"the suite comes first: eai.evaluate({predictions!r}, ...)"
        raise
    if predictions is None:
        predictions = list(chosen.samples())
        if not predictions:
            raise InputError(
                f"the suite {chosen.name!r} has no sample answers",
                expected="predictions, in Python or as files: an answer to each task",
            )
    parts = parts_of(chosen, predictions)
    if len(parts) > 1:
        raise InputError(
            "the files are answers to several tasks",
            where=chosen.name,
            expected="files of one task",
            mend="a call for each: " + "; ".join(part.name for part, _ in parts),
        )
    if parts[0][0] is not chosen:  # the files bring their own tasks
        (chosen, predictions), suite = parts[0], parts[0][0].name
        reference = suite if several_processes else ""
    refuse_others(predictions, chosen, output)
    named = chosen_ability(chosen, ability)
    choice_of = semantics or chosen.default_semantics
    off = several(without)
    if answers is not None:
        check_name(
            "format of answers", answers, chosen.answer_formats, where=f"suite {chosen.name}"
        )
        if choice_of == "official":  # of which quirks keep answers of this format from being read
            off = [*off, *chosen.answer_formats[answers].get(named, ())]
    meaning = chosen.semantics(choice_of, without=off, only=several(only))
    if budget is not None:
        limits = Budget.parse(budget) if isinstance(budget, str) else budget
        meaning = replace(meaning, budget=limits)
    choice = chosen_tasks(chosen, tasks)
    changes = ("corrected annotations" if corrected else "", choice.name)
    version = ", ".join(filter(None, (meaning.version, *changes)))
    meaning = replace(meaning, version=version)
    bar = nullcontext(progress) if progress else notebook_progress(f"{chosen.name} {named}")
    with bar as step:
        return run(
            Evaluator(chosen, named, meaning, corrected=corrected),
            predictions,
            choice,
            output=output,
            force=force,
            progress=step,
            workers=workers or 1,
            reference=reference,
            found_as=suite if isinstance(suite, str) and ":" in suite else "",
        )
