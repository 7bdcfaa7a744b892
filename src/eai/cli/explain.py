"""``eai explain``: the explanation of one judged item."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Annotated

from eai.cli.commands import Argument, Option
from eai.errors import InputError

__all__ = ["COMMAND"]


def _explain(
    run: Annotated[Path, Argument("A record file, or the folder of a run.")],
    task: Annotated[str | None, Argument("Identifier of the task.")] = None,
    model: Annotated[str | None, Option("Whose answer, if there are several.")] = None,
    suite: Annotated[
        str | None, Option("Its suite, if no package announces it: module:attribute.")
    ] = None,
    json: Annotated[bool, Option("Print one JSON document.")] = False,
) -> None:
    """Explain one item step by step: what changed, what failed and why."""
    from eai.cli.here import find_modules_here
    from eai.cli.items import chosen_record
    from eai.cli.output import say
    from eai.cli.runs import read_records_of
    from eai.report.explanation import explain

    find_modules_here(suite)
    _refuse_swapped(run, task)
    found = read_records_of(run)
    explanation = explain(chosen_record(found, task, model=model, command="explain"), suite=suite)
    if json:
        from eai.cli.documents import explanation_document, print_json

        print_json(explanation_document(explanation))
    else:
        say(str(explanation))


def _refuse_swapped(run: Path, task: str | None) -> None:
    """Say so if the run comes second."""
    from eai.cli.here import is_run

    if task is not None and is_run(Path(task)) and not os.path.lexists(run):
        raise InputError(
            "this is no run",
            where=str(run),
            expected="the folder of a run, then a task",
            mend=shlex.join(["eai", "explain", task, str(run)]),
        )


COMMAND = _explain
