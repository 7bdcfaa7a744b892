"""``eai explain``: the story of one judged item."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from eai.cli.commands import Argument, Option
from eai.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from eai.report.records import Record

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
    """Tell one item's story step by step: what changed, what failed and why."""
    from eai.cli.here import find_modules_here
    from eai.cli.output import say
    from eai.cli.runs import read_records_of
    from eai.story import tell

    find_modules_here(suite)
    found = read_records_of(run)
    story = tell(_choose(found.records, task, model, found.path), suite=suite)
    if json:
        from eai.cli.documents import print_json, story_document

        print_json(story_document(story))
    else:
        say(str(story))


def _choose(records: Sequence[Record], task: str | None, model: str | None, path: Path) -> Record:
    if model is not None:
        models = {record.model for record in records}
        if model not in models:
            raise UnknownNameError("model", model, models, where=str(path))
        records = [record for record in records if record.model == model]
    if task is not None:
        tasks = {record.task for record in records}
        if task not in tasks:
            raise UnknownNameError("task", task, tasks, where=str(path))
        records = [record for record in records if record.task == task]
    if len(records) == 1:
        return records[0]
    if not records:
        raise InputError(
            f"the model {model!r} has no record of the task {task!r}",
            where=str(path),
            expected="a model and a task that it answered",
        )
    unsolved = [r for r in records if not r.judgement.success and r.judgement.status != "excluded"]
    listed = ", ".join(f"{r.task} ({r.model})" for r in (unsolved or records)[:12])
    raise InputError(
        f"which of the {len(records)} records?",
        where=str(path),
        expected=f"a task, and --model where several answered it; for instance {listed}",
        mend=f"eai explain {_arguments(path, (unsolved or records)[0])}",
    )


def _arguments(path: Path, record: Record) -> str:
    run = path.parent if path.name == "records.jsonl" else path
    return shlex.join([str(run), record.task, "--model", record.model])


COMMAND = _explain
