"""Records as lines of JSON, and files of them.

A line is one JSON object in ASCII; everything else is escaped, so that any answer (lone surrogates
included) survives and a cut line is still text. Keys have a fixed order and the time is left out:
the same run gives the same bytes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import lru_cache
from hashlib import blake2b
from json import JSONEncoder
from json.encoder import encode_basestring_ascii
from operator import attrgetter
from pathlib import Path
from types import NoneType
from typing import Any

from eai.diagnosis import Condition, Finding, Match, Measure, Result, RuleVerdict
from eai.errors import InputError
from eai.files import given_path
from eai.nesting import load_json
from eai.report.record import KEYS, Record, Records


def record_from_json(line: str | bytes, *, where: str = "record") -> Record:
    """Read a record back; exactly the inverse of :func:`record_to_json`.

    A surrogate pair that was given as two characters comes back as the one character that it
    stands for, because JSON cannot tell them apart.

    Args:
        line: The JSON object.
        where: The place, for messages (``"runs/a.jsonl:12"``).

    Raises:
        SchemaError: If it is not JSON, or not a record; the message names the field.
    """
    from eai.report.validation import parse_record

    return parse_record(line, where)


# Writing a line. The text is put together from the texts of the parts, without a dictionary for
# each of them, and what is said again and again (the same finding) is written once.


def record_to_json(record: Record) -> str:
    """Write a record as one line of ASCII JSON, without a line break and without the time."""
    return (_write_sample if record.epoch else _write_record)(record)


_Writer = Callable[[Any], str]

_REPEATED = frozenset({Condition, Finding, Match, Measure, RuleVerdict})
_NUMBER = JSONEncoder(allow_nan=False).encode


def _object_writer(kind: type[Any], *, without: Container[str] = ()) -> _Writer:
    """Return what writes a dataclass as a JSON object.

    Args:
        kind: The dataclass, of at least two fields, which hold text, numbers, truth values, None,
            tuples of these, or dataclasses.
        without: Fields that are left out.
    """
    names = [each.name for each in fields(kind) if each.compare and each.name not in without]
    keys = [KEYS.get((kind, name), name) for name in names]
    whole = "{" + ",".join([f"{_text(key)}:%s" for key in keys]) + "}"
    parts = attrgetter(*names)

    def joined(values: tuple[object, ...]) -> str:
        return whole % tuple([_WRITERS[type(value)](value) for value in values])

    if kind in _REPEATED:
        # By its parts: the value itself may know the states that it was found in.
        joined = lru_cache(maxsize=1 << 12)(joined)
    return lambda value: joined(parts(value))


class _Writers(dict[type[Any], _Writer]):
    """Type to what writes its values; others are added when they are met."""

    def __missing__(self, kind: type[Any]) -> _Writer:
        if issubclass(kind, str):
            made: _Writer = _text
        else:
            made = _object_writer(kind) if is_dataclass(kind) else _NUMBER
        self[kind] = made
        return made


def _list(values: tuple[object, ...]) -> str:
    if not values:
        return "[]"
    return f"[{','.join([_WRITERS[type(value)](value) for value in values])}]"


_text = encode_basestring_ascii
_WRITERS = _Writers(
    {
        tuple: _list,
        bool: lambda value: "true" if value else "false",
        int: int.__repr__,
        NoneType: lambda _: "null",
    }
)
_write_result = _object_writer(Result, without=("rules",))
_write_with_rules = _object_writer(Result)
_WRITERS[Result] = lambda result: (_write_with_rules if result.rules else _write_result)(result)
_write_record = _object_writer(Record, without=("seconds", "epoch"))
_write_sample = _object_writer(Record, without=("seconds",))


# Files.

_OF_RUN = "records.jsonl"
"""What the record file of a run is called."""

INCOMPLETE = "the run is not complete"
CHANGED = "the records were changed since the run was written"
UNCHECKED = "nothing says whether the records are whole"
WARNINGS = (INCOMPLETE, CHANGED, UNCHECKED)
"""How the sentences of :attr:`RecordFile.warning` begin."""


@dataclass(frozen=True, slots=True)
class RecordFile:
    """What :func:`read_records` found; iterating yields the records.

    Args:
        truncated: 1-based number of the cut last line, or None if the file is whole.
        about: What the run says of itself, if the file is one of a run (``run.json``).
        digest: Hash of the file.
        is_of_run: Whether the file is called as that of a run is, so that a ``run.json`` says what
            has to be in it.
    """

    path: Path
    records: tuple[Record, ...]
    truncated: int | None = None
    about: Mapping[str, Any] = field(default_factory=dict)
    digest: str = ""
    is_of_run: bool = False

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
        wanted = self.about.get("records")
        count = f"{len(self)} of {wanted} records"
        is_short = isinstance(wanted, int) and len(self) < wanted
        if not self.about.get("complete", True):
            there = f" ({count})" if is_short else ""
            return f"{INCOMPLETE}{there}: run the same eai evaluate again to resume"
        if self.is_of_run and "digest" not in self.about:
            lacks = "no digest in run.json" if self.about else "no run.json that can be read"
            return f"{UNCHECKED}: there is {lacks}; evaluate the answers again"
        if self.about.get("digest", self.digest) == self.digest:
            return ""
        there = f"; {count} are left" if is_short else ""
        return (
            f"{CHANGED}{there}: these numbers are not those of the run; evaluate the answers again"
        )


def read_records(path: str | os.PathLike[str]) -> RecordFile:
    """Read a record file, or the one of a run.

    A last line that was cut off (a run was interrupted while writing it) is left out and
    reported in :attr:`RecordFile.truncated`; everything else that does not fit is an error.

    Raises:
        InputError: If the file cannot be read.
        SchemaError: If a line is not a record; the message names file, line and field.
    """
    source = given_path(path, what="a record file, or of the folder of a run")
    source = source / _OF_RUN if source.is_dir() else source
    records: list[Record] = []
    truncated: int | None = None
    digest = blake2b(digest_size=16)
    try:
        with source.open("rb") as stream:
            for number, line in enumerate(stream, 1):
                digest.update(line)
                if not line.endswith(b"\n") and _is_cut(line):
                    truncated = number
                elif not line.isspace():
                    records.append(record_from_json(line, where=f"{source}:{number}"))
    except OSError as error:
        raise InputError(
            f"cannot be read: {error.strerror or error}",
            where=str(source),
            expected="a record file (JSON Lines), or the folder of a run",
        ) from error
    is_of_run = source.name == _OF_RUN
    about = _said_of(source) if is_of_run else {}
    return RecordFile(source, Records(records), truncated, about, digest.hexdigest(), is_of_run)


def records_digest(path: Path) -> str:
    """Return the hash of a record file, which a run notes and every reader of it checks."""
    digest = blake2b(digest_size=16)
    with path.open("rb") as stream:
        for line in stream:
            digest.update(line)
    return digest.hexdigest()


def _said_of(records: Path) -> Mapping[str, Any]:
    """What a run says of itself; nothing if that cannot be read."""
    try:
        found = load_json(records.with_name("run.json").read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _is_cut(line: bytes) -> bool:
    # Only the beginning of a record may be left out: any other file stays as it is.
    if not line.startswith(b'{"suite":'[: len(line)]):
        return False
    # A proper prefix of a JSON object is never JSON itself.
    try:
        load_json(line)
    except ValueError:
        return True
    return False
