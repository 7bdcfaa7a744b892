"""Claiming a folder, so that two processes do not write to it at once.

The operating system holds the claim and drops it when the process ends, however it ends.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from eai.errors import InputError, OutputExistsError, SchemaError
from eai.files import FILES, given_path, replacing
from eai.report.record import Record
from eai.report.records import RecordWriter
from eai.report.report import Report, Setting

if TYPE_CHECKING:
    from eai.report.page import Reader
    from eai.semantics import Semantics

__all__ = ["Claim", "Folder", "RunFolder", "changed_answer", "made_folder", "refuse_file_name"]

if sys.platform != "win32":
    import fcntl


class Claim:
    """The right to write to a folder.

    Where the operating system cannot lock a folder (Windows, some network file systems), every
    claim is granted.

    Args:
        folder: The folder; it exists.

    Raises:
        InputError: If somebody else has it.
    """

    def __init__(self, folder: Path) -> None:
        self._handle = _locked(folder)

    def release(self) -> None:
        """Give the folder back; a second call does nothing."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def _locked(folder: Path) -> int | None:
    if sys.platform == "win32":
        return None
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise InputError(
            "another run is writing to this folder",
            where=str(folder),
            expected="a folder for each run",
            mend="wait until it has ended, or choose another folder",
        ) from None
    except OSError:
        os.close(handle)
        return None
    return handle


_EXPECTED = "the path of a folder, which need not exist"

_OF_FILES = re.compile(r".*\.(csv|html?|jsonl?|md|parquet|pdf|tex|txt|zip)(\.gz)?", re.IGNORECASE)


def made_folder(given: str | os.PathLike[str]) -> Path:
    """Return the folder that a caller gave for a run; it is made if it is not there.

    Raises:
        InputError: If it is no path, is empty, has the name of a file, or cannot be made.
    """
    path = given_path(given, what="a folder")
    if not os.fspath(given):
        raise InputError(
            "the name of the output folder is empty",
            expected="the path of a folder",
            mend="check that the variable that holds it is set",
        )
    refuse_file_name(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL
        raise _no_folder(path, error) from error
    return path


def refuse_file_name(path: Path) -> None:
    """See that a folder for results is not called like a file, unless it is there.

    Raises:
        InputError: If it is: then a file is meant, or its folder.
    """
    if os.path.exists(path) or not _OF_FILES.fullmatch(path.name):  # noqa: PTH110  # may not look
        return
    folder = path.parent if path.parent.name else f"{path.stem}-run"
    raise InputError(
        "this is the name of a file",
        where=str(path),
        expected=_EXPECTED,
        mend=f"output (--output, -o) takes a folder, for the page and all else: {folder}",
    )


def _no_folder(path: Path, error: OSError | ValueError) -> InputError:
    # Path.is_file would raise where one may not look.
    file = next((p for p in (path, *path.parents) if os.path.isfile(p)), None)  # noqa: PTH113
    if file is not None:
        return InputError(
            "this is a file" if file == path else f"{file} is a file",
            where=str(path),
            expected=_EXPECTED,
            mend=f"output (--output, -o) takes a folder: name a new one, as {file.stem}-run",
        )
    return InputError(
        f"the folder cannot be made: {getattr(error, 'strerror', None) or error}",
        where=str(path),
        expected=_EXPECTED,
        mend="choose a place where you may write",
    )


_MOMENT = 0.02
"""Seconds for which records may wait for others; to write each by itself takes longer than to
make it."""


class Folder:
    """The folder of a run: nobody else writes to it, and no other run lies in it.

    Args:
        path: The folder; it is made if it is not there.
        setting: What is run.
        semantics: Under which semantics: its quirks and all limits of its budget are written down.
        force: Whether the files of another run in it may be replaced.

    Attributes:
        path: The folder.
        setting: What is run.
        resumes: Whether an interrupted run lies there, which goes on.

    Raises:
        OutputExistsError: If there is another or a complete run and ``force`` is off.
        InputError: If the folder cannot be made or written, has the name of a file, or another
            process writes there.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        setting: Setting,
        semantics: Semantics,
        *,
        force: bool = False,
    ) -> None:
        self.path = made_folder(path)
        self.setting = setting
        self._manifest: dict[str, object] = {
            "suite": setting.suite,
            "version": setting.version,
            "ability": setting.ability,
            "semantics": setting.semantics,
            "quirks": sorted(semantics.quirks),
            "budget": asdict(semantics.budget),
        }
        self._claim = Claim(self.path)
        try:
            self.resumes = not force and self._resumable()
        except BaseException:
            self._claim.release()
            raise

    @property
    def records(self) -> Path:
        """The record file."""
        return self.path / "records.jsonl"

    @property
    def work(self) -> Path:
        """Where the parts of a run lie until it is complete."""
        return self.path / ".parts"

    def begin(
        self, models: Sequence[str], tasks: Sequence[str] | None = None, *, count: int | None = None
    ) -> None:
        """Say whose answers are evaluated.

        Args:
            models: Names of the models.
            tasks: Identifiers of the tasks, if only some of the suite's are evaluated.
            count: How many records there will be, if that is known.

        Raises:
            OutputExistsError: If the run that goes on is about other models or tasks.
            InputError: If the folder cannot be written.
        """
        self._manifest["models"] = list(models)
        if tasks is not None:
            self._manifest["tasks"] = list(tasks)
        if self.resumes:
            self._resumable()
        self._write_manifest(complete=False, count=count)

    def _resumable(self) -> bool:
        there = [name for name in FILES if (self.path / name).exists()]
        if not there:
            return False
        found = self._read_manifest()
        complete = found.get("complete")
        if complete and self._is_cut(found.get("records")):
            complete = False
        if complete is False and self._manifest.items() <= found.items():
            return True
        what = "a complete run" if complete else "something of another run"
        raise OutputExistsError(
            f"there is {what} in the folder ({', '.join(there)})",
            where=str(self.path),
            mend="choose another folder, or allow overwriting (force=True, --force)",
        )

    def _is_cut(self, count: object) -> bool:
        """Whether there are fewer records than there were when the run was complete."""
        try:
            with self.records.open("rb") as stream:
                there = sum(line.endswith(b"\n") for line in stream)
        except OSError:
            there = 0
        return isinstance(count, int) and there < count

    def _read_manifest(self) -> dict[str, object]:
        try:
            found = json.loads((self.path / "run.json").read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def _write_manifest(
        self, *, complete: bool, count: int | None, notes: Sequence[str] = ()
    ) -> None:
        content = {**self._manifest, "complete": complete, "records": count, "notes": list(notes)}
        with replacing(self.path / "run.json", force=True) as stream:
            json.dump(content, stream, indent=1)
            stream.write("\n")

    def close(self) -> None:
        """Let others write here; a second call does nothing."""
        self._claim.release()

    def finish(self, report: Report, reader: Reader | None = None) -> None:
        """Write the tables and the page, and mark the run as complete.

        Args:
            report: All records.
            reader: Finds what the page tells of an item beyond its record.
        """
        report.to_csv(self.path / "table.csv", force=True)
        report.to_latex(self.path / "table.tex", force=True)
        report.to_html(self.path / "report.html", force=True, reader=reader)
        self._write_manifest(complete=True, count=len(report.records), notes=report.notes)
        shutil.rmtree(self.work, ignore_errors=True)


def changed_answer(path: Path, model: str, task: str) -> InputError:
    """Make the error that says that a run cannot go on with another answer.

    Args:
        path: The folder of the run, or its record file.
        model: Whose answer it is.
        task: Identifier of the task.
    """
    return InputError(
        f"the answer of {model!r} to task {task} changed since the run stopped",
        where=str(path),
        mend="start over (force=True, --force)",
    )


class RunFolder(Folder):
    """The folder of a run whose records are written one by one.

    Args:
        path: The folder; it is made if it is not there.
        setting: What is run.
        semantics: Under which semantics: its quirks and all limits of its budget are written down.
        models: Names of the models whose answers are evaluated.
        tasks: Identifiers of the tasks, if only some of the suite's are evaluated.
        count: How many records there will be, if that is known.
        force: Whether the files of another run in it may be replaced.

    Attributes:
        before: Records that an interrupted run left, by model and task.

    Raises:
        OutputExistsError: If there is another or a complete run and ``force`` is off.
        InputError: If the folder cannot be made or written, has the name of a file, or another
            process writes there.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        setting: Setting,
        semantics: Semantics,
        *,
        models: Sequence[str] = (),
        tasks: Sequence[str] | None = None,
        count: int | None = None,
        force: bool = False,
    ) -> None:
        super().__init__(path, setting, semantics, force=force)
        try:
            self.begin(models, tasks, count=count)
            self._writer = self._open()
        except BaseException:
            super().close()
            raise
        self.before: dict[tuple[str, str], Record] = {
            (record.model, record.task): record for record in self._writer.before
        }

    def _open(self) -> RecordWriter:
        resume = self.resumes
        try:
            return RecordWriter(self.records, force=not resume, resume=resume, wait=_MOMENT)
        except SchemaError as error:
            error.mend = error.mend or "start over (force=True, --force)"
            raise

    def left(self, model: str, task: str, output: str) -> Record | None:
        """Return the record of an answer that an interrupted run left; None if there is none.

        Raises:
            InputError: If that was another answer.
        """
        record = self.before.get((model, task))
        if record is not None and record.output != output:
            raise changed_answer(self.path, model, task)
        return record

    def write(self, record: Record) -> None:
        """Append one record."""
        self._writer.write(record)

    def close(self) -> None:
        """Close the record file and let others write here; a second call does nothing."""
        try:
            self._writer.close()
        finally:
            super().close()
