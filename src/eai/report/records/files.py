"""Files of records: they grow by whole lines.

Each line is flushed unless lines may wait for others, so a run that is killed loses at most its
last record and those that wait.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from eai.errors import InputError
from eai.files import given_path, refuse_existing, writing_to
from eai.report.record import Record
from eai.report.records.line import record_from_json, record_to_json

__all__ = ["RecordFile", "RecordWriter", "read_records", "write_records"]


@dataclass(frozen=True, slots=True)
class RecordFile:
    """What :func:`read_records` found; iterating yields the records.

    Args:
        path: The file.
        records: Its records, in the order of the file.
        size: Number of bytes up to the end of the last whole record.
        truncated: 1-based number of the cut last line, or None if the file is whole.
    """

    path: Path
    records: tuple[Record, ...]
    size: int
    truncated: int | None = None

    def __iter__(self) -> Iterator[Record]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    @property
    def note(self) -> str:
        """One sentence about a cut last line; empty if the file is whole."""
        if self.truncated is None:
            return ""
        return f"{self.path}:{self.truncated}: the last line is cut off and was left out"


def read_records(path: str | os.PathLike[str]) -> RecordFile:
    """Read a record file, or the one of a run.

    A last line that was cut off (a run was interrupted while writing it) is left out and
    reported in :attr:`RecordFile.truncated`; everything else that does not fit is an error.

    Args:
        path: The file, or the folder of a run.

    Raises:
        InputError: If the file cannot be read.
        SchemaError: If a line is not a record; the message names file, line and field.
    """
    source = given_path(path, what="a record file, or of the folder of a run")
    source = source / "records.jsonl" if source.is_dir() else source
    records: list[Record] = []
    size = 0
    try:
        with source.open("rb") as stream:
            for number, line in enumerate(stream, 1):
                if not line.endswith(b"\n") and _is_cut(line):
                    return RecordFile(source, tuple(records), size, number)
                if not line.isspace():
                    records.append(record_from_json(line, where=f"{source}:{number}"))
                size += len(line)
    except OSError as error:
        raise InputError(
            f"cannot be read: {error.strerror or error}",
            where=str(source),
            expected="a record file (JSON Lines), or the folder of a run",
        ) from error
    return RecordFile(source, tuple(records), size)


def write_records(
    path: str | os.PathLike[str],
    records: Iterable[Record],
    *,
    force: bool = False,
    seconds: bool = False,
) -> int:
    """Write records to a new file and return their number.

    Args:
        path: The file.
        records: The records; an iterator is consumed one by one.
        force: Whether a file that is there may be replaced.
        seconds: Whether to write times too (then two runs differ).

    Raises:
        OutputExistsError: If there is a file and ``force`` is off.
        InputError: If the file cannot be written.
    """
    count = 0
    with RecordWriter(path, force=force, seconds=seconds) as writer:
        for record in records:
            writer.write(record)
            count += 1
    return count


class RecordWriter:
    """A record file that grows line by line; use it in a ``with`` block.

    Args:
        path: The file.
        force: Whether a file that is there may be replaced.
        resume: Whether to go on at the end of a file that is there. A cut last line is removed.
        seconds: Whether to write times too (then two runs differ).
        wait: Seconds that have to pass between two calls of the operating system; records that
            come sooner wait for others.

    Attributes:
        before: The records that were there when a run resumes; empty otherwise.

    Raises:
        OutputExistsError: If there is a file and neither ``force`` nor ``resume`` is on.
        InputError: If the file cannot be written.
        SchemaError: If the file to resume holds something else than records.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        force: bool = False,
        resume: bool = False,
        seconds: bool = False,
        wait: float = 0.0,
    ) -> None:
        self.path = given_path(path)
        self.before: tuple[Record, ...] = ()
        self._seconds = seconds
        self._wait = wait
        self._waiting: list[str] = []
        self._flushed = 0.0
        refuse_existing(self.path, force=force or resume)
        resuming = resume and not force and self.path.exists()
        if resuming:
            self._cut_to_whole_lines()
        with writing_to(self.path):
            self._stream = self.path.open("ab" if resuming else "wb" if force else "xb")

    def _cut_to_whole_lines(self) -> None:
        found = read_records(self.path)
        self.before = found.records
        with writing_to(self.path), self.path.open("rb+") as stream:
            stream.truncate(found.size)
            stream.seek(max(0, found.size - 1))
            if stream.read() not in (b"", b"\n"):
                stream.write(b"\n")

    def write(self, record: Record) -> None:
        """Append one record and, unless it may wait, hand it to the operating system.

        Raises:
            InputError: If the file cannot be written (a full disk).
        """
        self._waiting.append(record_to_json(record, seconds=self._seconds))
        now = time.monotonic()
        if now - self._flushed >= self._wait:
            self.flush()
            self._flushed = now

    def flush(self) -> None:
        """Hand what was appended to the operating system.

        Raises:
            InputError: If the file cannot be written (a full disk).
        """
        lines = "".join([f"{line}\n" for line in self._waiting]).encode("ascii")
        self._waiting.clear()
        with writing_to(self.path):
            self._stream.write(lines)
            self._stream.flush()

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        if not self._stream.closed:
            try:
                self.flush()
            finally:
                with writing_to(self.path):
                    self._stream.close()

    def __enter__(self) -> RecordWriter:  # noqa: PYI034  # typing.Self needs Python 3.11
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


_OPENING = b'{"suite":'
"""How every line begins: with the first field of a record."""


def _is_cut(line: bytes) -> bool:
    # Only what this module began to write may be left out: any other file stays as it is.
    if not line.startswith(_OPENING[: len(line)]):
        return False
    # A proper prefix of a JSON object is never JSON itself.
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return True
    return False
