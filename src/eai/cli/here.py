"""What a user names on the command line: suites, also of the current folder, tasks and runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from eai.cli.commands import UsageError
from eai.errors import UnknownNameError
from eai.files import holds_run
from eai.paths import advice

if TYPE_CHECKING:
    from eai.contract import Suite
    from eai.task import Task

__all__ = [
    "by_name",
    "chosen_tasks",
    "find_modules_here",
    "is_run",
    "is_suite",
    "limited",
    "named_suite",
    "named_task",
    "names_module",
]


def find_modules_here(suite: str | None) -> None:
    """Let ``module:attribute`` name a module of the current folder; it comes after all others."""
    if suite is not None and ":" in suite and "" not in sys.path:
        sys.path.append("")


def names_module(name: str) -> bool:
    """Whether a name is that of a module, of the current folder too, or of its file."""
    from eai.plugins import module_names

    own = name.removesuffix(".py")
    return own in module_names() or Path(f"{own}.py").is_file()


def is_suite(name: str) -> bool:
    """Whether there is a suite of this name."""
    from eai.registry import suites

    return suites().announces(name)


def is_run(path: Path) -> bool:
    """Whether a path is the folder of a run, or its record file."""
    return path.name == "records.jsonl" or holds_run(path)


def named_suite(name: str) -> Suite:
    """Return a suite; if there is none, the error says what may be meant.

    Raises:
        UnknownNameError: If there is no such suite.
        InputError: If it cannot be loaded, or if it is no suite.
    """
    from eai.registry import suite

    find_modules_here(name)
    try:
        return suite(name)
    except UnknownNameError as error:
        if names_module(name):
            own = name.removesuffix(".py")
            error.mend = f"of a module name the suite, too: {own}:ATTRIBUTE"
        elif holds_run(name):
            error.mend = f"name a suite; this is a run: eai report {name}"
        elif Path(name).suffix or Path(name).exists():
            error.mend = f"name a suite before it, as eai evaluate household {name}"
        elif "/" in name or "\\" in name:
            error.mend = advice(name)
        elif not error.suggestions:
            error.mend = "eai suites lists them; one of your own is module:attribute"
        raise


def named_task(suite: Suite, name: str) -> Task:
    """Return a task; if there is none, the error says what may be meant.

    Raises:
        UnknownNameError: If there is no such task.
    """
    try:
        return suite.task(suite.canonical_id(name))
    except UnknownNameError as error:
        if Path(name).is_file():
            error.mend = f"name the task before the file {name}"
        elif not error.suggestions:
            error.mend = f"eai tasks {suite.name} lists them"
        raise


def limited(limit: int | None) -> int | None:
    """Return how many tasks are taken; None for all.

    Raises:
        UsageError: If that leaves none.
    """
    if limit is not None and limit < 1:
        told = "leaves no task" if limit == 0 else "is negative"
        raise UsageError(f"argument --limit: {limit} {told}; give 1 or more, or leave it out")
    return limit


def chosen_tasks(suite: Suite, words: Sequence[str], limit: int | None) -> str | list[str]:
    """Return which tasks are judged, as :func:`eai.evaluate` takes them.

    Args:
        suite: The suite.
        words: What ``--tasks`` was given: identifiers, with commas between, or ``answered``.
        limit: What ``--limit`` was given.

    Raises:
        UsageError: If the limit is not positive, or goes with ``answered``.
        UnknownNameError: If there is no such task.
    """
    names = [name for word in words for name in word.split(",") if name.strip()]
    if limited(limit) is None and not words:
        return "all"
    if names in (["answered"], ["all"]):
        if limit is not None:
            raise UsageError(f"--limit goes with identifiers of tasks, not with {names[0]!r}")
        return names[0]
    found = [named_task(suite, name).id for name in names] if words else list(suite.task_ids())
    return found[:limit]


def by_name(files: Sequence[Path]) -> Sequence[Path] | dict[str, Path]:
    """Return files of predictions, by model if they are given as ``NAME=FILE``.

    Raises:
        UsageError: If only some have names, or two the same.
    """
    pairs = [str(file).partition("=") for file in files if not os.path.lexists(file)]
    named = [(name, Path(file)) for name, _, file in pairs if name and os.path.lexists(file)]
    if not named:
        return files
    if len(dict(named)) < len(files):
        raise UsageError("with NAME=FILE every file has a name of its own")
    return dict(named)
