"""Evaluating predictions: answers in, a report out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from eai import runs
from eai.budget import Budget
from eai.contract import answer_formats, chosen_ability
from eai.contract.registry import given_suite, suites
from eai.display import notebook_progress
from eai.errors import InputError, check_name, names_checked
from eai.evaluation.options import EvaluationOptions
from eai.evaluation.parts import parts_of
from eai.report import Report
from eai.runs import Evaluator, Progress, as_list, chosen_tasks, refuse_others
from eai.runs.folder import RunTarget
from eai.runs.run import run

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from eai.contract import Suite
    from eai.logic import Rule
    from eai.semantics import Semantics


@names_checked
def evaluate(
    suite: str | Suite,
    predictions: object = None,
    *,
    ability: str | None = None,
    tasks: str | Iterable[str] = "all",
    progress: Progress | None = None,
    **options: Unpack[EvaluationOptions],
) -> Report:
    """Evaluate the predictions of one or more models on a suite.

    Args:
        suite: Name of a suite (see ``eai suites``), ``module:attribute``, or a suite object.
        predictions: Anything that :func:`eai.predictions.load_all` takes: one or several files or
            folders, a mapping from task to answer, a data frame; of several models, a mapping
            from model to one of these. By default the suite's sample answers.
        ability: The ability that the answers are about; by default action sequencing, or the
            suite's only one.
        tasks: The tasks that are evaluated: ``"all"`` as published, where a missing answer is a
            failure; ``"answered"``, those to which at least one model has an answer; or identifiers
            of tasks. The semantics that the report names says so, ``run.json`` lists them.
        progress: Called after every evaluated answer; by default a notebook shows a bar.
        **options: Options of the evaluation and of its run: ``semantics``, ``output``,
            ``workers`` and others (:class:`~eai.evaluation.EvaluationOptions`).

    Returns:
        The report. Tasks without a prediction count as failures; tasks whose description has a
        mistake are excluded. These, predictions that belong to no task, and whatever else was
        left out, are named in its notes. More than 20,000 records are read from disk when the
        report is asked for them.

    Raises:
        InputError: If the predictions cannot be read, if none of them is for a task of the
            suite, if the budget is invalid, if no task is chosen, if the suite is invalid, has
            several abilities of which none is named, or cannot be sent to workers, if a worker
            ended, or if the folder cannot be written.
        UnknownNameError: If the suite, the ability, a task, the semantics or a quirk is unknown.
        DataMissingError: If the suite's data was not fetched.
        OutputExistsError: If ``output`` holds another run and ``force`` is off.
    """
    output = options.get("output")
    workers = options.get("workers")
    # The reference may be a pickled suite: made before the suite is used, when its caches are
    # empty.
    reference: str | bytes = ""
    is_distributed = workers is not None and runs.checked_workers(workers) != 1
    if is_distributed:
        reference = runs.reference_to(suite)
    chosen_suite = _given_suite(suite, predictions)
    if predictions is None:
        predictions = _samples(chosen_suite)
    suite_of_files, predictions = _only_part(chosen_suite, predictions)
    if suite_of_files is not chosen_suite:  # the files bring their own tasks
        chosen_suite = suite_of_files
        suite = suite_of_files.name
        if is_distributed:
            reference = suite_of_files.name
    refuse_others(predictions, chosen_suite, output)
    ability_name = chosen_ability(chosen_suite, ability)
    # Before the tasks: a misspelt option is refused without reading data.
    profile = _chosen_semantics(chosen_suite, ability_name, options)
    choice = chosen_tasks(chosen_suite, tasks)
    corrected = options.get("corrected", False)
    # The report names everything in which the evaluation differs from the published one.
    changes = [profile.version]
    if corrected:
        changes.append("corrected annotations")
    changes.append(choice.name)
    profile = replace(profile, version=", ".join(change for change in changes if change))
    rules: Sequence[Rule] = ()
    if options.get("rules") is not None:
        from eai.contract import given_rules

        rules = given_rules(options["rules"], chosen_suite, ability_name)
    target = None
    if output is not None:
        found_as = suite if isinstance(suite, str) and ":" in suite else ""
        target = RunTarget(output, options.get("force", False), found_as)
    progress_context: AbstractContextManager[Progress | None] = nullcontext(progress)
    if progress is None:
        progress_context = notebook_progress(f"{chosen_suite.name} {ability_name}")
    with progress_context as step:
        return run(
            Evaluator(chosen_suite, ability_name, profile, corrected=corrected, rules=rules),
            predictions,
            choice,
            target=target,
            progress=step,
            workers=workers or 1,
            reference=reference,
        )


def _given_suite(suite: str | Suite, predictions: object) -> Suite:
    """Return the given suite. The error tells if suite and predictions are swapped."""
    try:
        return given_suite(suite)
    except InputError as error:
        if isinstance(predictions, str) and suites().announces(predictions):
            error.mend = f"the suite comes first: eai.evaluate({predictions!r}, ...)"
        raise


def _samples(suite: Suite) -> list[object]:
    """Return the sample answers of a suite, or raise an error if it has none."""
    samples: list[object] = list(suite.samples())
    if not samples:
        raise InputError(
            f"the suite {suite.name!r} has no sample answers",
            expected="predictions, in Python or as files: an answer to each task",
        )
    return samples


def _only_part(suite: Suite, predictions: object) -> tuple[Suite, object]:
    """Return the only suite that predictions are for, with the predictions."""
    parts = parts_of(suite, predictions)
    if len(parts) > 1:
        raise InputError(
            "the files are answers to several tasks",
            where=suite.name,
            expected="files of one task",
            mend="a call for each: " + "; ".join(part.name for part, _ in parts),
        )
    return parts[0]


def _chosen_semantics(suite: Suite, ability: str, options: EvaluationOptions) -> Semantics:
    """Return the semantics that the options ask for.

    Raises:
        UnknownNameError: If the semantics, a quirk or the format of answers is unknown.
        InputError: If the budget is invalid.
    """
    choice = options.get("semantics") or suite.default_semantics
    without = as_list(options.get("without", ()))
    answers = options.get("answers")
    if answers is not None:
        formats = answer_formats(suite)
        check_name("format of answers", answers, formats, where=f"suite {suite.name}")
        if choice == "official":
            # These quirks keep answers of the format from being read.
            without = [*without, *formats[answers].get(ability, ())]
    only = as_list(options.get("only", ()))
    profile = suite.semantics(choice, without=without, only=only)
    budget = options.get("budget")
    if budget is None:
        return profile
    if isinstance(budget, str):
        budget = Budget.parse(budget)
    return replace(profile, budget=budget)
