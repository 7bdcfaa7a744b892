"""What a user names on the command line: suites, also of the current folder, and tasks."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from eai.errors import UnknownNameError
from eai.files import holds_run
from eai.paths import advice
from eai.plugins import module_names
from eai.registry import suite as find_suite

if TYPE_CHECKING:
    from eai.contract import Suite
    from eai.task import Task


def find_modules_here(name: str | None) -> None:
    """Let ``module:attribute`` name a module of the current folder; it comes after all others."""
    if name is not None and ":" in name and "" not in sys.path:
        sys.path.append("")


def names_module(name: str) -> bool:
    """Whether a name is that of a module, of the current folder too, or of its file."""
    own = name.removesuffix(".py")
    return own in module_names() or Path(f"{own}.py").is_file()


def named_suite(name: str) -> Suite:
    """Return a suite; if there is none, the error says what may be meant."""
    find_modules_here(name)
    try:
        return find_suite(name)
    except UnknownNameError as error:
        if names_module(name):
            own = name.removesuffix(".py")
            error.mend = f"add the name of the suite: {own}:ATTRIBUTE"
        elif holds_run(name):
            error.mend = f"name a suite; this is a run: eai report {name}"
        elif Path(name).exists():
            error.mend = f"name a suite before it: eai evaluate SUITE {name}"
        elif "/" in name or "\\" in name:
            error.mend = advice(name)
        elif not error.suggestions:
            error.mend = "eai suites lists them; one of your own is module:attribute or pddl:FOLDER"
        raise


def named_task(suite: Suite, name: str) -> Task:
    """Return a task; if there is none, the error says what may be meant."""
    try:
        return suite.task(suite.canonical_id(name))
    except UnknownNameError as error:
        if not error.suggestions:
            error.mend = f"eai tasks {suite.name} lists them"
        raise


def task_ids(words: Sequence[str] | None) -> list[str]:
    """Take identifiers apart that stand together with commas between."""
    return [name.strip() for word in words or () for name in word.split(",") if name.strip()]


def chosen_tasks(
    suite: Suite, *words: Sequence[str] | None, limit: int | None = None
) -> list[str] | None:
    """Return the identifiers of the tasks that are meant, each once; None for all."""
    named = [name for each in words for name in task_ids(each)]
    if not named and limit is None:
        return None
    known = suite.task_ids()
    there = frozenset(known)
    chosen = list(dict.fromkeys(map(suite.canonical_id, named))) if named else list(known)
    for name in chosen:
        if name not in there:
            named_task(suite, name)
    return chosen[:limit]
