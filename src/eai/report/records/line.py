"""A record as one line of a file, and back.

A line is one JSON object in ASCII; everything else is escaped, so that any answer (lone surrogates
included) survives and a cut line is still text. Keys have a fixed order and the time is left out
unless asked for: the same run gives the same bytes.
"""

from __future__ import annotations

import json

from eai.errors import SchemaError
from eai.report.record import Record
from eai.report.records import shape
from eai.report.records.encoding import object_writer
from eai.report.records.judgement import JUDGEMENT, suggestion

__all__ = ["record_from_json", "record_to_json"]


def record_to_json(record: Record, *, seconds: bool = False) -> str:
    """Write a record as one line of ASCII JSON, without a line break.

    Args:
        record: The record.
        seconds: Whether to write the time too (then two runs differ).
    """
    return _WITH_TIME(record) if seconds else _WITHOUT_TIME(record)


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
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise SchemaError(
            f"the line is not JSON ({error})", where=where, expected="one record as a JSON object"
        ) from error
    try:
        return _RECORD(value)
    except shape.ShapeError as error:
        raise SchemaError(
            error.describe(), where=where, expected=error.expected, mend=suggestion(error)
        ) from None


_WITH_TIME = object_writer(Record)
_WITHOUT_TIME = object_writer(Record, without=("seconds",))
_TEXTS = ("suite", "version", "ability", "semantics", "model", "task", "name", "output")
_RECORD = shape.one(
    Record,
    {**dict.fromkeys(_TEXTS, shape.text), "judgement": JUDGEMENT, "seconds": shape.number},
)
