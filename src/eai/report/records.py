"""Records as lines of JSON, and files of them, which grow by whole lines.

A line is one JSON object in ASCII; everything else is escaped, so that any answer (lone surrogates
included) survives and a cut line is still text. Keys have a fixed order and the time is left out
unless asked for: the same run gives the same bytes. Each line is flushed unless lines may wait for
others, so a run that is killed loses at most its last record and those that wait.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import lru_cache
from json import JSONEncoder
from json.encoder import encode_basestring_ascii
from operator import attrgetter
from pathlib import Path
from types import NoneType, TracebackType
from typing import Any, get_args, get_type_hints

from pydantic_core import SchemaValidator, ValidationError, core_schema as schema

from eai.diagnosis import GOAL_KINDS, Condition, ErrorKind, Finding, Match, Measure, Result
from eai.errors import InputError, SchemaError, nearest
from eai.files import given_path, refuse_existing, writing_to
from eai.report.record import Record

# Reading a line.

# Answers of models may hold lone surrogates, which pydantic refuses as text of Python.
_TEXT = schema.json_or_python_schema(
    schema.str_schema(strict=True), schema.is_instance_schema(str, cls_repr="str")
)
_WHOLE = schema.int_schema(strict=True, ge=0)
_BY_TYPE: Mapping[object, schema.CoreSchema] = {
    str: _TEXT,
    bool: schema.bool_schema(strict=True),
    int: _WHOLE,
    float: schema.float_schema(ge=0, allow_inf_nan=False, strict=True),
    ErrorKind: schema.enum_schema(ErrorKind, list(ErrorKind)),
}
_BY_FIELD: Mapping[tuple[type, str], schema.CoreSchema] = {
    (Result, "status"): schema.literal_schema(["evaluated", "missing", "excluded"]),
    (Result, "executed"): schema.tuple_variable_schema(
        schema.literal_schema(["done", "skipped", "failed", "not reached"])
    ),
    (Condition, "kind"): schema.literal_schema(list(GOAL_KINDS)),
    (Match, "fn"): schema.int_schema(strict=True),
    (Measure, "base"): schema.int_schema(strict=True, ge=1),
}
"""What is narrower, or wider, than the type of the field says."""

_KEYS = {(Finding, "text"): "message", (Result, "reason"): "formula_reason"}
"""Fields whose keys have other names."""


def _schema(hint: object) -> schema.CoreSchema:
    """What a value of a type looks like."""
    if hint in _BY_TYPE:
        return _BY_TYPE[hint]
    if isinstance(hint, type) and is_dataclass(hint):
        return _object_schema(hint)
    inner = [part for part in get_args(hint) if part not in (NoneType, ...)]
    if NoneType in get_args(hint):
        return schema.nullable_schema(_schema(inner[0]))
    return schema.tuple_variable_schema(_schema(inner[0]))


def _object_schema(kind: type[Any]) -> schema.CoreSchema:
    """An object whose keys are the fields of a dataclass; those with a default may be absent."""
    hints = get_type_hints(kind, localns={"Formula": object, "Trajectory": object})
    parts = []
    for field in fields(kind):
        # What is not compared is no part of the value.
        part = _BY_FIELD.get((kind, field.name)) or (
            _schema(hints[field.name]) if field.compare else schema.none_schema()
        )
        if field.default is not MISSING:
            part = schema.with_default_schema(part, default=field.default)
        elif field.default_factory is not MISSING:
            part = schema.with_default_schema(part, default_factory=field.default_factory)
        key = _KEYS.get((kind, field.name))
        parts.append(schema.dataclass_field(field.name, part, validation_alias=key))
    arguments = schema.dataclass_args_schema(kind.__name__, parts, extra_behavior="forbid")
    names = [field.name for field in fields(kind)]
    return schema.dataclass_schema(kind, arguments, names, slots=True, frozen=True)


_RECORD = SchemaValidator(_object_schema(Record))

_EXPECTED = {
    "bool_type": "true or false",
    "dataclass_type": "an object",
    "finite_number": "a finite number, 0 or more",
    "float_type": "a finite number, 0 or more",
    "is_instance_of": "a string",
    "missing": "an object with this field",
    "string_type": "a string",
    "tuple_type": "a list",
    "unexpected_keyword_argument": "a field that records have",
}


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
    # A lone surrogate, or a mistake: the json module reads the one and words the other.
    with suppress(ValidationError):
        found: Record = _RECORD.validate_json(line)
        return found
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise SchemaError(
            f"the line is not JSON ({error})", where=where, expected="one record as a JSON object"
        ) from error
    try:
        found = _RECORD.validate_python(value)
    except ValidationError as error:
        raise _refused(error, value, where) from None
    return found


def _refused(error: ValidationError, value: object, where: str) -> SchemaError:
    first = error.errors(include_url=False)[0]
    place, given = first["loc"], first["input"]
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place)
    text = ascii(given)
    text = text if len(text) <= 60 else text[:57] + "..."
    expected = _EXPECTED.get(first["type"], "a whole number, 0 or more")
    if "expected" in first.get("ctx", {}):
        expected = "one of " + str(first["ctx"]["expected"]).replace(" or ", ", ")
    mend = None
    if isinstance(value, dict) and "result" not in value:
        mend = "answers become records when they are evaluated: eai.evaluate(suite, file)"
    elif place and place[-1] == "kind" and isinstance(given, str):
        close = nearest(given, [kind.value for kind in ErrorKind])
        mend = f"did you mean {' or '.join(map(repr, close))}?" if close else None
    what = f"the field {path.lstrip('.')!r} is {text}" if path else f"it is {text}"
    return SchemaError(what, where=where, expected=expected, mend=mend)


# Writing a line. The text is put together from the texts of the parts, without a dictionary for
# each of them, and what is said again and again (the same finding) is written once.


def record_to_json(record: Record, *, seconds: bool = False) -> str:
    """Write a record as one line of ASCII JSON, without a line break.

    Args:
        record: The record.
        seconds: Whether to write the time too (then two runs differ).
    """
    return _WITH_TIME(record) if seconds else _WITHOUT_TIME(record)


_Writer = Callable[[Any], str]

_REPEATED = frozenset({Condition, Finding, Match, Measure})
_NUMBER = JSONEncoder(allow_nan=False).encode


def _object_writer(kind: type[Any], *, without: Container[str] = ()) -> _Writer:
    """Return what writes a dataclass as a JSON object.

    Args:
        kind: The dataclass, of at least two fields, which hold text, numbers, truth values, None,
            tuples of these, or dataclasses.
        without: Fields that are left out.
    """
    names = [each.name for each in fields(kind) if each.compare and each.name not in without]
    keys = [_KEYS.get((kind, name), name) for name in names]
    whole = "{" + ",".join([f"{_text(key)}:%s" for key in keys]) + "}"
    parts = attrgetter(*names)

    def write(value: object) -> str:
        return whole % tuple([_WRITERS[type(part)](part) for part in parts(value)])

    return lru_cache(maxsize=1 << 12)(write) if kind in _REPEATED else write


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
_WITH_TIME = _object_writer(Record)
_WITHOUT_TIME = _object_writer(Record, without=("seconds",))


# Files.


@dataclass(frozen=True, slots=True)
class RecordFile:
    """What :func:`read_records` found; iterating yields the records.

    Args:
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
