"""One item of a run: a task, and the model that answered it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from eai.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from eai.report.record import Record
    from eai.report.records import RecordFile

__all__ = ["chosen_record"]

_SHOWN = 6
"""So many records and models are named."""


def chosen_record(
    found: RecordFile, task: str | None, *, model: str | None, command: str
) -> Record:
    """Return the record of a task and a model; either may be left out if it goes without saying.

    Args:
        found: The records of a run.
        task: Identifier of the task.
        model: Whose answer.
        command: Which command asks, for messages.

    Raises:
        UnknownNameError: If there is no such task or model in the run.
        InputError: If there is no such record, or several.
    """
    records: Sequence[Record] = found.records
    if model is not None:
        models = {record.model for record in records}
        if model not in models:
            raise UnknownNameError("model", model, models, where=str(found.path))
        records = [record for record in records if record.model == model]
    if task is not None:
        tasks = {record.task for record in records}
        if task not in tasks:
            raise UnknownNameError("task", task, tasks, where=str(found.path))
        records = [record for record in records if record.task == task]
    if len(records) == 1:
        return records[0]
    if not records:
        raise InputError(
            f"the model {model!r} has no record of the task {task!r}",
            where=str(found.path),
            expected="a model and a task that it answered",
            mend=f"without --model the models are named that have a record of {task!r}",
        )
    names = list(dict.fromkeys(record.model for record in records))
    shown = sorted(records, key=_dullness)
    listed = ", ".join(f"{r.task} ({r.model})" for r in shown[:_SHOWN])
    raise InputError(
        f"which of the {len(records)} records?",
        where=str(found.path),
        expected=f"a task, and --model where several answered it ({', '.join(names[:_SHOWN])}); "
        f"for instance {listed}",
        mend=f"eai {command} {_arguments(found.path, shown[0])}",
    )


def _dullness(record: Record) -> int:
    """The less, the more there is to tell: answers that failed come first."""
    judged = record.judgement
    if judged.status in ("missing", "excluded"):
        return 2
    return int(judged.success)


def _arguments(path: Path, record: Record) -> str:
    run = path.parent if path.name == "records.jsonl" else path
    return shlex.join([str(run), record.task, "--model", record.model])
