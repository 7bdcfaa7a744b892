"""Reading back what a run has written, and which files of predictions are meant."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import typer

import eai
from eai.cli.output import warn
from eai.errors import InputError, SchemaError, UnknownNameError
from eai.files import FILES, holds_run
from eai.paths import similar_paths

if TYPE_CHECKING:
    from eai.report import Record, RecordFile, Report

_RUN = "the folder of a run, as eai evaluate --output writes it, or a file in it"
_MADE = "eai evaluate SUITE FILE --output FOLDER makes a run of answers"
_INCOMPLETE = "the run is not complete{}: the same eai evaluate goes on where it stopped"
_SHOWN = 6
"""So many records and models are named in a message."""


def is_run(path: str | Path) -> bool:
    """Whether a path is the folder of a run, or its record file."""
    return Path(path).name == "records.jsonl" or holds_run(path)


def run_folder(run: Path) -> Path:
    """Return the folder of a run that is named by one of its files."""
    return run.parent if run.name in FILES else run


def _record_file(run: Path) -> Path:
    """Return the record file of a run."""
    folder = run_folder(run)
    path = folder / "records.jsonl" if folder.is_dir() else folder
    if path.is_file():
        return path
    if (folder / "run.json").is_file():
        mend = "call the same eai evaluate again: it goes on where it stopped"
        raise InputError("this run has no records yet", where=str(run), mend=mend)
    near = list(run.glob("**/records.jsonl")) if run.is_dir() else _similar(run)
    mend = f"name one of {', '.join(str(each.parent) for each in sorted(near)[:4])}"
    raise InputError(
        "there is no run here", where=str(run), expected=_RUN, mend=mend if near else _MADE
    )


def _similar(run: Path) -> list[Path]:
    """Record files of runs whose path looks like one that there is not, else of those beside."""
    with suppress(OSError, ValueError):  # ValueError: a NUL
        close = [Path(each) / "records.jsonl" for each in similar_paths(run)]
        return [each for each in close if each.is_file()] or [*run.parent.glob("*/records.jsonl")]
    return []


def records_of(run: Path) -> RecordFile:
    """Return the records of a run; a remark on a cut record file goes to standard error."""
    path = _record_file(run)
    try:
        found = eai.read_records(path)
    except SchemaError as error:
        error.mend = (
            f"of answers, eai evaluate SUITE {shlex.quote(str(run))} --output RUN makes one"
        )
        raise
    if found.note:
        warn(found.note)
    if not found.records:
        raise InputError(
            "there is no record in this file", where=str(path), expected=_RUN, mend=_MADE
        )
    return found


def read_run(run: Path, *, models: Sequence[str] | None = None) -> Report:
    """Return the report of a run, with what it said about what was left out."""
    found = records_of(run)
    report = eai.Report(found)
    # A run writes task by task; reports of it go model by model.
    ordered = [record for model in models or report.models for record in report.of(model)]
    return eai.Report(ordered, _notes(found.path.with_name("run.json"), len(found)))


def _notes(manifest: Path, count: int) -> list[str]:
    """What a run of so many records says about itself; nothing if it does not say."""
    try:
        found = json.loads(manifest.read_text("utf-8"))
        notes = [str(note) for note in found.get("notes") or ()]
        wanted, complete = found.get("records"), found.get("complete")
    except (OSError, ValueError, AttributeError, TypeError, RecursionError):
        return []
    if isinstance(wanted, int) and count < wanted:
        return [_INCOMPLETE.format(f" ({count} of {wanted} records)"), *notes]
    return [_INCOMPLETE.format(""), *notes] if complete is False else notes


def chosen_record(run: Path, task: str | None, *, model: str | None, command: str) -> Record:
    """Return the record of a task and a model; either may be left out if it goes without saying."""
    found = records_of(run)
    records: Sequence[Record] = found.records
    for kind, wanted in (("model", model), ("task", task)):
        if wanted is not None:
            names = {getattr(record, kind) for record in found.records}
            if wanted not in names:
                raise UnknownNameError(kind, wanted, names, where=str(run))
            records = [record for record in records if getattr(record, kind) == wanted]
    if len(records) == 1:
        return records[0]
    if not records:
        raise InputError(
            f"the model {model!r} has no record of the task {task!r}",
            where=str(run),
            expected="a model and a task that it answered",
        )
    models = list(dict.fromkeys(record.model for record in records))
    # An answer that failed has more to tell than one that solved its task, or than none.
    absent = ("missing", "excluded")
    shown = sorted(records, key=lambda r: (r.result.status in absent, r.result.success))
    listed = ", ".join(f"{each.task} ({each.model})" for each in shown[:_SHOWN])
    first = [str(run_folder(run)), shown[0].task, "--model", shown[0].model]
    raise InputError(
        f"which of the {len(records)} records?",
        where=str(run),
        expected=f"a task, and --model where several answered it ({', '.join(models[:_SHOWN])}); "
        f"for instance {listed}",
        mend=f"eai {command} {shlex.join(first)}",
    )


def named_files(files: Sequence[Path] | None) -> Sequence[Path] | dict[str, Path]:
    """Return files of predictions, by model if they are given as ``NAME=FILE``."""
    pairs = [str(file).partition("=") for file in files or () if not os.path.lexists(file)]
    named = [
        (name, Path(file)) for name, _, file in pairs if name and file and os.path.lexists(file)
    ]
    if named and len(dict(named)) < len(files or ()):
        raise typer.BadParameter("with NAME=FILE every file has a name of its own")
    return dict(named) or files or ()
