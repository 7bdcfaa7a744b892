"""Answers of models that are given to a command: one to a task, or one to each task."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from eai.cli.output import warn
from eai.cli.reading import is_run
from eai.contract import Suite
from eai.errors import InputError, UnknownNameError
from eai.paths import advice
from eai.predictions import load_all, load_predictions
from eai.runs import fit, remarks


def answer_in(path: Path, task: str, *, suite: Suite, model: str | None = None) -> str:
    """Return the answer of a model to a task.

    The path is that of a file with nothing but the answer, or of predictions; ``-`` is an answer on
    standard input.
    """
    if str(path) == "-":
        return sys.stdin.read()
    if is_run(path):
        raise InputError("this is a run", where=str(path), mend=f"eai repair {path} {task}")
    answers = _predicted(path, suite)
    if answers is None:
        try:
            return path.read_text("utf-8-sig", errors="replace")
        except (OSError, ValueError) as error:  # ValueError: a NUL
            raise InputError(
                f"cannot be read: {getattr(error, 'strerror', None) or error}",
                where=str(path),
                expected="a text file with one answer of a model, or a file of predictions",
                mend="name a file in this folder" if path.is_dir() else advice(path),
            ) from error
    if model is not None and model not in answers:
        raise UnknownNameError("model", model, answers, where=str(path))
    found = {
        name: of_model[task]
        for name, of_model in answers.items()
        if model in (None, name) and task in of_model
    }
    if len(found) == 1:
        return next(iter(found.values()))
    if found:
        raise InputError(
            f"{len(found)} models answered {task!r}",
            where=str(path),
            expected=f"--model with one of {', '.join(found)}",
            mend=f"add --model {shlex.quote(next(iter(found)))}",
        )
    raise InputError(
        f"there is no answer to {task!r} among these predictions",
        where=str(path),
        expected=f"a prediction with the id {task!r}, or a file with nothing but an answer",
        mend=f"check that they are for the suite {suite.name!r}: eai tasks {suite.name}",
    )


def _predicted(path: Path, suite: Suite) -> dict[str, dict[str, str]] | None:
    """Model to task to answer; None if this is no file of predictions."""
    tasks = frozenset(suite.task_ids())

    def is_task(name: str) -> bool:
        return suite.canonical_id(name) in tasks

    try:
        found = load_all(path, is_task=is_task)
    except InputError:
        return None
    # A plan may be an object, too, from action to arguments, which reads like answers by task.
    lines = path.is_dir() or ".jsonl" in path.suffixes
    if not lines and not any(is_task(name) for each in found for name in each.items):
        return None
    return {each.model: fit(suite, each.items.items(), tasks)[0] for each in found}


def answers_by_task(path: Path, suite: Suite) -> dict[str, str]:
    """Return task to answer of one model; what is left out is said on standard error."""
    found = load_predictions(path)
    known, fits = fit(suite, found.items.items(), frozenset(suite.task_ids()))
    for note in remarks(suite, [found], [fits]):
        warn(note)
    return known
