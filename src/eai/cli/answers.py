"""One answer of a model: from a file of its own, or from one with the answers to many tasks."""

from __future__ import annotations

import os
import re
import shlex
import sys
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from eai.cli.here import is_run
from eai.errors import EaiError, InputError, SchemaError, UnknownNameError
from eai.paths import advice

if TYPE_CHECKING:
    from eai.contract import Suite
    from eai.predictions import Predictions

__all__ = ["answer_in", "answers_by_task", "first_task", "suite_with"]

_MOST_LINES = 100
"""So many lines are looked at for a prediction."""

_ANSWER = re.compile(r"^\s*[\[{]|[\])}]\s*$")
"""An answer that was given instead of a file begins or ends like this."""

_SHORT = 80
"""An answer of fewer characters is repeated in a message."""

_EXPECTED = "a text file with one answer of a model, or a file of predictions"


def answer_in(path: Path, task: str, *, suite: Suite, model: str | None = None) -> str:
    """Return the answer of a model to a task.

    Args:
        path: A file with nothing but the answer, or a file or folder of predictions, of which the
            one of the task is taken; ``-`` is an answer on standard input.
        task: The task.
        suite: Its suite.
        model: Whose answer, if the predictions are of several.

    Raises:
        InputError: If the file cannot be read, has no answer to the task, or several.
        UnknownNameError: If it has none of the model.
    """
    if str(path) == "-":
        return sys.stdin.read()
    # Asked like this, a path that is too long for one is none, and raises nothing.
    if not os.path.lexists(path) and _ANSWER.search(str(path)):
        raise _no_file(path, task, suite)
    if is_run(path):
        run = path if path.is_dir() else path.parent
        raise InputError(
            "this is a run",
            where=str(path),
            expected=_EXPECTED,
            mend=f"eai repair {shlex.join([str(run), task])}",
        )
    found = _predictions_in(path, suite)
    if found:
        return _chosen(found, task, suite=suite, model=model, path=path)
    try:
        return path.read_text("utf-8-sig", errors="replace")
    except (OSError, ValueError) as error:  # ValueError: a NUL
        raise InputError(
            f"cannot be read: {getattr(error, 'strerror', None) or error}",
            where=str(path),
            expected=_EXPECTED,
            mend="name a file in this folder" if path.is_dir() else advice(path),
        ) from error


def _no_file(answer: Path, task: str, suite: Suite) -> InputError:
    text = shlex.quote(str(answer)) if len(str(answer)) < _SHORT else "ANSWER"
    words = shlex.join(["eai", "repair", suite.name, task, "-"])
    return InputError(
        "this is an answer, not the name of a file",
        expected=_EXPECTED,
        mend=f"write it to a file, or to standard input: echo {text} | {words}",
    )


def _predictions_in(path: Path, suite: Suite) -> list[Predictions]:
    """The answers of each model, if these are predictions; else nothing."""
    from eai.predictions import load_all

    tasks = frozenset(suite.task_ids())

    def is_task(name: str) -> bool:
        return suite.canonical_id(name) in tasks

    try:
        found = load_all(path, is_task=is_task)
    except InputError:
        return []
    # A plan may be an object, too, from action to arguments.
    named = any(is_task(name) for of_model in found for name in of_model.items)
    return found if named or first_task(path) is not None else []


def answers_by_task(path: Path, suite: Suite) -> dict[str, str]:
    """Return task to answer of one model; what is left out is said on standard error.

    Args:
        path: A file of predictions.
        suite: The suite that they are for.

    Raises:
        InputError: If it cannot be read, has several models, or no answer to a task of the suite.
    """
    from eai.cli.output import warn
    from eai.predictions import load_predictions
    from eai.runs.matching import fit, remarks

    found = load_predictions(path)
    known, fits = fit(suite, found.items, frozenset(suite.task_ids()))
    for note in remarks(suite, [found], [fits]):
        warn(note)
    return known


def first_task(path: Path) -> str | None:
    """Return the task of the first prediction in a file; None if it is no file of predictions."""
    from eai.predictions.files import PredictionFile
    from eai.predictions.items import JsonObject, is_item, read_item

    if not path.is_file():
        return None
    for raw in islice(PredictionFile(path).raws(), _MOST_LINES):
        if isinstance(raw, tuple) and isinstance(raw[1], JsonObject) and is_item(raw[1]):
            with suppress(SchemaError):  # without an answer, for instance
                return read_item(raw[1])[0]
    return None


def _chosen(
    found: list[Predictions], task: str, *, suite: Suite, model: str | None, path: Path
) -> str:
    """The answer of the model to the task."""
    if model is not None and model not in {of_model.model for of_model in found}:
        raise UnknownNameError("model", model, (each.model for each in found), where=str(path))
    from eai.runs.matching import fit

    answers = {
        of_model.model: text
        for of_model in found
        if model in (None, of_model.model)
        and (text := fit(suite, of_model.items, (task,))[0].get(task)) is not None
    }
    if len(answers) == 1:
        return next(iter(answers.values()))
    if not answers:
        count = sum(map(len, found))
        raise InputError(
            f"there is no answer to {task!r} among these {count} predictions",
            where=str(path),
            expected=f"a prediction with the id {task!r}, or a file with nothing but an answer",
            mend=f"check that they are for the suite {suite.name!r}: eai tasks {suite.name}",
        )
    raise InputError(
        f"{len(answers)} models answered {task!r}",
        where=str(path),
        expected=f"--model with one of {', '.join(answers)}",
        mend=f"add --model {shlex.quote(next(iter(answers)))}",
    )


def suite_with(task: str) -> str | None:
    """Return the name of the first suite that has a task; None if none of those at hand has it."""
    from eai.registry import suite, suites

    for origin in suites().origins():
        try:
            found = suite(origin.name)
            known = found.canonical_id(task) in found.task_ids()
        except EaiError:  # its data is not here, or it cannot be loaded
            known = False
        if known:
            return origin.name
    return None
