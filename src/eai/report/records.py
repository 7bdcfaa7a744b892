"""Records as lines of JSON, and files of them.

A line is one JSON object in ASCII; everything else is escaped, so that any answer (lone surrogates
included) survives and a cut line is still text. Keys have a fixed order and the time is left out:
the same run gives the same bytes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache, partial
from json import JSONEncoder
from json.encoder import encode_basestring_ascii
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType, NoneType
from typing import Any

from eai.diagnosis import Result
from eai.digests import blake2b
from eai.errors import InputError
from eai.files import RECORD_LINES, given_path, records_in
from eai.nesting import load_json
from eai.report.record import KEYS, Record, Records


def record_from_json(line: str | bytes, *, where: str = "record") -> Record:
    """Return the record in a line of JSON, the exact inverse of :func:`record_to_json`.

    A surrogate pair given as two characters becomes the single character that it encodes, since
    JSON cannot tell them apart.

    Args:
        line: The JSON object.
        where: Location for error messages (``"runs/a.jsonl:12"``).

    Raises:
        SchemaError: If it is not JSON, or not a record; the message names the field.
    """
    from eai.report.validation import parse_record

    return parse_record(line, where)


# Writing a line. A run writes a line for every answer, so this is a template for each dataclass,
# filled with the texts of its fields: no dictionary is built, and values that many records share
# (the same finding) are written once.


def record_to_json(record: Record) -> str:
    """Return a record as one line of ASCII JSON, without a line break and without the time."""
    line = _write_sample(record) if record.epoch else _write_record(record)
    if not record.usage:
        return line
    amounts = [f"{_text(name)}:{_amount(amount)}" for name, amount in record.usage.items()]
    # The usage is the last key: it takes the place of the closing brace.
    return f'{line[:-1]},"usage":{{{",".join(amounts)}}}}}'


_Writer = Callable[[Any], str]

_SELDOM_REPEATED = (Record, Result)
_NUMBER = JSONEncoder(allow_nan=False).encode


def _object_writer(kind: type[Any], *, without: Container[str] = ()) -> _Writer:
    """Return a function that writes objects of a dataclass as JSON.

    Args:
        kind: The dataclass. It has at least two fields, which hold text, numbers, truth values,
            None, tuples of these, or dataclasses.
        without: Fields that are left out.
    """
    names = []
    for dataclass_field in fields(kind):
        if dataclass_field.compare and dataclass_field.name not in without:
            names.append(dataclass_field.name)
    keys = [KEYS.get((kind, name), name) for name in names]
    # {"kind":%s,"text":%s}: a slot for each value, which is JSON itself when it is filled in.
    template = "{" + ",".join([f"{_text(key)}:%s" for key in keys]) + "}"
    values_of = attrgetter(*names)

    def fill(values: tuple[object, ...]) -> str:
        return template % tuple([_WRITERS[type(value)](value) for value in values])

    if kind not in _SELDOM_REPEATED:
        # Cached by the values, not by the object: a finding may refer to the states that it was
        # found in, which the cache would keep alive.
        fill = lru_cache(maxsize=1 << 12)(fill)
    return lambda value: fill(values_of(value))


class _Writers(dict[type[Any], _Writer]):
    """A dictionary of JSON writers by type, filled on first use."""

    def __missing__(self, kind: type[Any]) -> _Writer:
        # Any other type is a number. An enumeration of texts is written as its value.
        writer: _Writer = _NUMBER
        if issubclass(kind, str):
            writer = _text
        elif is_dataclass(kind):
            writer = _object_writer(kind)
        self[kind] = writer
        return writer


def _list(values: tuple[object, ...]) -> str:
    """Return values as a JSON array."""
    if not values:
        return "[]"
    return f"[{','.join([_WRITERS[type(value)](value) for value in values])}]"


_text = encode_basestring_ascii
_WRITERS = _Writers(
    {
        tuple: _list,
        bool: {True: "true", False: "false"}.__getitem__,
        int: int.__repr__,
        NoneType: {None: "null"}.__getitem__,
    }
)
_write_result = _object_writer(Result, without=("rules",))
_write_with_rules = _object_writer(Result)
# A result without rules has no key for them, a sample number is written only if a task has
# several, and the usage only where it is stated.
_WRITERS[Result] = lambda result: (_write_with_rules if result.rules else _write_result)(result)
_write_record = _object_writer(Record, without=("seconds", "epoch", "usage"))
_write_sample = _object_writer(Record, without=("seconds", "usage"))


def _amount(amount: float) -> str:
    """Return an amount as JSON. Numbers of tokens are whole, however they are held."""
    if amount == int(amount):
        return str(int(amount))
    return _NUMBER(amount)


# Files.

COLUMNS = ".parquet"
"""Ending of a file of columns."""

INCOMPLETE = "the run is not complete"
CHANGED = "the records were changed since the run was written"
UNCHECKED = "nothing says whether the records are whole"
WARNINGS = (INCOMPLETE, CHANGED, UNCHECKED)
"""How the sentences of :attr:`RecordFile.warning` begin."""


class RecordFile:
    """The contents of a record file, an iterable of records.

    Args:
        truncated: 1-based number of the cut last line, or None if the file is whole.
        about: Description of the run (``run.json``), if the file is one of a run.
        digest: Hash of the file.
        is_of_run: Whether the file is called as that of a run is, so that a ``run.json`` says what
            has to be in it.
    """

    def __init__(
        self,
        path: Path,
        records: tuple[Record, ...],
        truncated: int | None = None,
        about: Mapping[str, Any] = MappingProxyType({}),
        digest: str = "",
        is_of_run: bool = False,
    ) -> None:
        """Keep what was read from a file."""
        self.path = path
        self.records = records
        self.truncated = truncated
        self.about = about
        self.digest = digest
        self.is_of_run = is_of_run

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

    @property
    def warning(self) -> str:
        """A sentence about records that are missing or were changed; empty if there are none."""
        return integrity_warning(
            self.about, count=len(self), digest=self.digest, is_of_run=self.is_of_run
        )


def integrity_warning(about: Mapping[str, Any], *, count: int, digest: str, is_of_run: bool) -> str:
    """Return a sentence if records are missing or changed, or "".

    Only the first cause is reported: an interrupted run also explains missing records and a
    different digest.

    Args:
        about: Description of the run (``run.json``); empty if there is none.
        count: Number of records that were read.
        digest: Hash of their lines.
        is_of_run: Whether they are the records of a run, which has a description.
    """
    expected_count = about.get("records")
    missing_records = ""
    if isinstance(expected_count, int) and count < expected_count:
        missing_records = f"{count} of {expected_count} records"
    # A description that does not say otherwise is that of a complete run.
    if not about.get("complete", True):
        problem = INCOMPLETE
        if missing_records:
            problem += f" ({missing_records})"
        return f"{problem}: run the same eai evaluate again to resume"
    if is_of_run and not about:
        return f"{UNCHECKED}: there is no run.json that can be read; evaluate the answers again"
    if is_of_run and "digest" not in about:
        return f"{UNCHECKED}: there is no digest in run.json; evaluate the answers again"
    if about.get("digest", digest) == digest:
        return ""
    problem = CHANGED
    if missing_records:
        problem += f"; {missing_records} are left"
    return f"{problem}: these numbers are not those of the run; evaluate the answers again"


def read_records(path: str | os.PathLike[str]) -> RecordFile:
    """Return the records of a file, or of the folder of a run.

    A last line that was cut off (a run was interrupted while writing it) is left out and
    reported in :attr:`RecordFile.truncated`; everything else that does not fit is an error.
    Files of columns (``.parquet``) are those that :func:`eai.report.write_columns` writes.

    Raises:
        InputError: If the file cannot be read.
        SchemaError: If a line is not a record; the message names file, line and field.
    """
    source = given_path(path, what="a record file, or of the folder of a run")
    if source.is_dir():
        source = records_in(source) or source / RECORD_LINES
    if source.suffix == COLUMNS:
        from eai.report.columns import read_columns  # takes pyarrow

        return read_columns(source)
    lines = RecordLines(source)
    records = Records(lines)
    return RecordFile(
        source, records, lines.truncated, lines.about, lines.digest, is_of_run=lines.is_of_run
    )


class RecordLines:
    """The records in a file of lines, read one by one.

    Args:
        path: The file.

    Attributes:
        about: Description of the run (``run.json``), if the file is one of a run.
        is_of_run: Whether the file is called as that of a run is.
        truncated: 1-based number of the cut last line; None if the file is whole, or not read yet.
        digest: Hash of the file; empty until all is read.
    """

    def __init__(self, path: Path) -> None:
        """Read the description of the run; the records are read when they are iterated."""
        self.path = path
        self.is_of_run = path.name == RECORD_LINES
        self.about: Mapping[str, Any] = {}
        if self.is_of_run:
            self.about = _read_description(path)
        self.truncated: int | None = None
        self.digest = ""

    def __iter__(self) -> Iterator[Record]:
        """Yield the records.

        Raises:
            InputError: If the file cannot be read.
            SchemaError: If a line is not a record.
        """
        digest = blake2b(digest_size=16)
        try:
            with self.path.open("rb") as stream:
                for line_number, line in enumerate(stream, 1):
                    # Over all bytes, also those that are skipped: it is compared with the run's.
                    digest.update(line)
                    if not line.endswith(b"\n") and _is_cut(line):
                        self.truncated = line_number
                    elif not line.isspace():
                        yield record_from_json(line, where=f"{self.path}:{line_number}")
        except OSError as error:
            raise InputError(
                f"cannot be read: {error.strerror or error}",
                where=str(self.path),
                expected="a record file (JSON Lines, Parquet), or the folder of a run",
            ) from error
        self.digest = digest.hexdigest()


_CHUNK = 1 << 16
"""Number of bytes that are hashed at once."""


def records_digest(path: Path) -> str:
    """Return the hash of a record file, which is stored with a run to detect changes."""
    digest = blake2b(digest_size=16)
    with path.open("rb") as stream:
        for chunk in iter(partial(stream.read, _CHUNK), b""):
            digest.update(chunk)
    return digest.hexdigest()


def run_description(folder: Path) -> Mapping[str, Any]:
    """Return the description of the run in a folder; empty if there is none that can be read."""
    return _read_description(folder / RECORD_LINES)


def _read_description(records: Path) -> Mapping[str, Any]:
    """Return the description of a run (``run.json``), or an empty one if unreadable."""
    try:
        description = load_json(records.with_name("run.json").read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    if isinstance(description, dict):
        return description
    return {}


def _is_cut(line: bytes) -> bool:
    """Return whether the last line is an incompletely written record."""
    # Only the beginning of a record may be left out: any other text is an error.
    if not line.startswith(b'{"suite":'[: len(line)]):
        return False
    # A proper prefix of a JSON object is never JSON itself.
    try:
        load_json(line)
    except ValueError:
        return True
    return False
