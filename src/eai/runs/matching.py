"""Which answers belong to which tasks, and what to say about those that belong to none."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Container, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from eai.errors import InputError, nearest
from eai.files import holds_run
from eai.predictions import PredictionProblem, Predictions
from eai.predictions.items import EXAMPLE, NOBODY
from eai.text import short

if TYPE_CHECKING:
    from eai.contract import Suite

__all__ = ["Fit", "fit", "refuse_others", "remarks"]

_FEW = 5
"""So many identifiers are looked at for what may be meant."""

_MOST_KNOWN = 5_000
_LONGEST = 200

_ENDING = re.compile(r"\.[A-Za-z]\w{1,6}\Z")
"""A path ends so, and a plan does not."""


class Fit(NamedTuple):
    """How the answers of one model fit the tasks of a suite.

    Args:
        answered: Number of tasks that have an answer.
        second: Tasks of answers that are left out because there was one before.
        strange: Identifiers of answers to no task.
    """

    answered: int
    second: Collection[str]
    strange: Collection[str]


def fit(
    suite: Suite, answers: Mapping[str, str], tasks: Container[str]
) -> tuple[dict[str, str], Fit]:
    """Return task to answer, and how the answers fit; the first answer to a task counts.

    Args:
        suite: The suite, which knows how else its tasks are called.
        answers: Identifier to answer, as they were given.
        tasks: Identifiers of the tasks that are judged.
    """
    known: dict[str, str] = {}
    second: list[str] = []
    strange: list[str] = []
    for raw, text in answers.items():
        task = suite.canonical_id(raw)
        if task not in tasks:
            strange.append(raw)
        elif task in known:
            second.append(task)
        else:
            known[task] = text
    return known, Fit(len(known), second, strange)


def refuse_others(
    predictions: object, suite: Suite, output: str | os.PathLike[str] | None = None
) -> None:
    """Say so if what is to be judged is a run, or a plan instead of a file.

    Args:
        predictions: What the caller gave.
        suite: The suite.
        output: Where the run is written; answers may lie there, too.

    Raises:
        InputError: If it is.
    """
    given = predictions if isinstance(predictions, (list, tuple)) else [predictions]
    for each in given:
        if not isinstance(each, (str, os.PathLike)):
            return
        text = os.fspath(each)
        if holds_run(text) and (output is None or Path(output) != Path(text)):
            raise InputError(
                "this is a run, its answers are judged already",
                where=text,
                expected="files with answers",
                mend=f"eai.Report(eai.read_records({text!r})) is its report",
            )
        if isinstance(each, str) and _is_plan(each):
            from eai.abilities.answers.plan import shorten

            task = next(iter(suite.task_ids()), "the task")
            raise InputError(
                f"{shorten(each)} is a plan, not the path of a file",
                expected="the task of each plan",
                mend=f"eai.evaluate({suite.name!r}, {{{task!r}: plan}})",
            )


def _is_plan(text: str) -> bool:
    """Whether a text that is no path reads as a plan, so that no file was meant."""
    if _ENDING.search(text) or os.path.lexists(text):
        return False
    from eai.abilities.answers import read_plan

    reading = read_plan(text)
    return bool(reading.steps) and not reading.problems


def remarks(suite: Suite, predictions: Sequence[Predictions], fits: Sequence[Fit]) -> list[str]:
    """Say what was wrong with the sources, and what of them was left out.

    Args:
        suite: The suite.
        predictions: The answers of each model.
        fits: How they fit its tasks.

    Raises:
        InputError: If there are answers, and none is for a task of the suite.
    """
    notes = _problems(predictions)
    for of_model, found in zip(predictions, fits, strict=True):
        if found.second:
            left_out = _listed(found.second)
            notes.append(f"{of_model.model}: {left_out} left out: second answers to their tasks")
        if found.strange:
            meant = f"; {_meant(found.strange, suite.task_ids())}".rstrip("; ")
            strange = f"{_listed(found.strange)} left out: no such task{meant}"
            notes.append(f"{of_model.model}: {strange}")
    if any(found.strange for found in fits) and not any(found.answered for found in fits):
        raise _refusal(suite, predictions)
    return notes


def _problems(predictions: Sequence[Predictions]) -> list[str]:
    """What was wrong with the sources, once each; models of one file share its problems."""
    found: dict[PredictionProblem, list[str]] = {}
    for of_model in predictions:
        for problem in of_model.problems:
            found.setdefault(problem, []).append(of_model.model)
    return [
        f"{models[0]}: {_without_folder(problem)}"
        if len(models) == 1 and problem.model != NOBODY
        else _without_folder(problem)
        for problem, models in found.items()
    ]


def _without_folder(problem: PredictionProblem) -> str:
    # A report is the same wherever its files lie, and does not tell where that is.
    return f"{Path(problem.where).name}: {problem.message}"


def _refusal(suite: Suite, predictions: Sequence[Predictions]) -> InputError:
    given = [name for of_model in predictions for name in of_model.items]
    known = list(suite.task_ids())
    if not known:
        return InputError(f"the suite {suite.name!r} has no tasks", expected="at least one task")
    none = (
        "the prediction is not" if len(given) == 1 else f"none of the {len(given)} predictions is"
    )
    return InputError(
        f"{none} for a task of the suite {suite.name!r}",
        where=f"{', '.join(short(of_model.model, 60) for of_model in predictions[:5])}",
        expected=f"identifiers such as {', '.join(known[:5])}; found: {_examples(given)}",
        mend=_advice(given, predictions, known),
    )


def _advice(given: Sequence[str], predictions: Sequence[Predictions], known: Sequence[str]) -> str:
    texts = [text for of_model in predictions for text in islice(of_model.items.values(), _FEW)]
    if not set(known).isdisjoint(texts[:_FEW]):
        return f"this is one item; its keys are called so: {EXAMPLE}"
    paths = [text for text in texts if _ENDING.search(text) and len(text) < _LONGEST]
    if paths:
        return f"there is no file {paths[0]!r}: by model stand paths of files that there are"
    return (
        f"{_meant(given, known)}choose the suite that the answers are for (eai suites); "
        f"answers of several models are given by model: {{'model': {{{known[0]!r}: 'plan'}}}}"
    )


def _meant(strange: Collection[str], known: Sequence[str]) -> str:
    """What may be meant by identifiers of no task, if that is found soon."""
    if len(known) > _MOST_KNOWN:
        return ""
    close = (nearest(name[:_LONGEST], known, most=1) for name in islice(strange, _FEW))
    found = dict.fromkeys(name for names in close for name in names)
    return f"did you mean {' or '.join(map(repr, found))}? " if found else ""


def _listed(ids: Collection[str]) -> str:
    return f"{len(ids)} prediction{'s' if len(ids) > 1 else ''} ({_examples(ids)})"


def _examples(ids: Collection[str]) -> str:
    shown = ", ".join(short(name, 60) for name in islice(ids, 5))
    return shown + (", ..." if len(ids) > 5 else "")
