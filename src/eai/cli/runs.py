"""Reading back what a run has written."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from eai.cli.here import is_run
from eai.errors import InputError, SchemaError
from eai.paths import similar_paths

if TYPE_CHECKING:
    from eai.report.records import RecordFile
    from eai.report.report import Report

__all__ = ["read_records_of", "read_run", "record_file"]

_MADE = (
    "if these are answers of models, eai evaluate SUITE FILE --output FOLDER makes a run of them"
)
_RUN = "the folder of a run, or its record file"
_INCOMPLETE = "the run is not complete{}: the same eai evaluate goes on where it stopped"


def record_file(run: Path) -> Path:
    """Return the record file of a run.

    Args:
        run: Its folder, or the record file itself.

    Raises:
        InputError: If there is none.
    """
    if not run.is_dir():
        return _checked_file(run)
    path = run / "records.jsonl"
    if path.is_file():
        return path
    if (run / "run.json").is_file():
        raise InputError(
            "this run has no records yet",
            where=str(run),
            mend="call the same eai evaluate again: it goes on where it stopped",
        )
    inner = sorted(str(found.parent) for found in run.glob("**/records.jsonl"))[:4]
    raise InputError(
        "there is no run in this folder",
        where=str(run),
        expected="a folder with a file records.jsonl, as eai evaluate --output writes it",
        mend=f"name one of {', '.join(inner)}"
        if inner
        else _judging(run) or f"eai evaluate SUITE FILE --output {run}",
    )


def _judging(path: Path) -> str | None:
    """How the answers at a path become a run; None if there are none."""
    from eai.cli.answers import first_task, suite_with
    from eai.predictions import is_prediction_file

    files = sorted(filter(is_prediction_file, path.iterdir())) if path.is_dir() else [path]
    task = next(filter(None, map(first_task, files)), None)
    if task is None:
        return None
    words = shlex.join([suite_with(task) or "SUITE", str(path)])
    return f"these are answers that are not judged yet; first: eai evaluate {words} --output RUN"


def _checked_file(path: Path) -> Path:
    from eai.cli.here import is_suite

    beside = path.with_name("records.jsonl")
    if path.exists() and (path.suffix == ".jsonl" or not beside.is_file()):
        return path
    if is_suite(str(path)):
        raise InputError(
            "this is a suite, not a run",
            where=str(path),
            expected=_RUN,
            mend=f"eai evaluate {path} FILE --output RUN makes a run",
        )
    runs = sorted(str(found.parent) for found in path.parent.glob("*/records.jsonl"))[:4]
    known = [str(path.parent)] if beside.is_file() else _meant(path) or runs
    raise InputError(
        "this file has no records" if path.exists() else "there is no such run",
        where=str(path),
        expected=_RUN,
        mend=f"name one of {', '.join(known)}"
        if known
        else "eai evaluate SUITE FILE --output FOLDER writes one",
    )


def _meant(path: Path) -> list[str]:
    """Runs whose path looks like one that there is not."""
    if path.exists():
        return []
    with suppress(OSError, ValueError):  # ValueError: a NUL
        return [found for found in similar_paths(path) if is_run(Path(found))]
    return []


def read_records_of(run: Path) -> RecordFile:
    """Return the records of a run; a remark on a cut record file goes to standard error.

    Args:
        run: Its folder, or a record file.

    Raises:
        InputError: If there is none, or if it has no records.
    """
    from eai.cli.output import warn
    from eai.report.records import read_records

    path = record_file(run)
    try:
        found = read_records(path)
    except SchemaError as error:
        mend = _judging(path)
        if mend is None:
            error.mend = error.mend or _MADE
            raise
        raise InputError(
            "there are no records in this file", where=str(path), expected=_RUN, mend=mend
        ) from error
    if found.note:
        warn(found.note)
    if not found.records:
        raise InputError(
            "there is no record in this file",
            where=str(path),
            expected="a record file (JSON Lines), as eai evaluate --output writes it",
            mend=_MADE,
        )
    return found


def read_run(run: Path, *, models: Sequence[str] = ()) -> Report:
    """Return the report of a run, with what it said about what was left out.

    Args:
        run: Its folder, or a record file.
        models: Only these models, in this order; by default all.

    Raises:
        InputError: If there is none, or if it has no records.
        UnknownNameError: If it has no such model.
    """
    from eai.report.report import Report

    found = read_records_of(run)
    notes = _notes(found.path.with_name("run.json"), len(found))
    report = Report(found)
    # A run writes task by task; reports of it go model by model.
    ordered = [record for model in models or report.models for record in report.of(model)]
    return Report(ordered, notes)


def _notes(manifest: Path, count: int) -> list[str]:
    """What a run of so many records says about itself; nothing if it does not say."""
    try:
        found = json.loads(manifest.read_text("utf-8"))
    except (OSError, ValueError):
        return []
    if not isinstance(found, dict):
        return []
    notes = found.get("notes")
    told = [str(note) for note in notes] if isinstance(notes, list) else []
    wanted = found.get("records")
    if isinstance(wanted, int) and count < wanted:
        return [_INCOMPLETE.format(f" ({count} of {wanted} records)"), *told]
    return [_INCOMPLETE.format(""), *told] if found.get("complete") is False else told
