"""Validation of the lines of a record file, by schemas made from the dataclasses."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import MISSING, fields, is_dataclass
from types import NoneType
from typing import Any, get_args, get_type_hints

from pydantic_core import SchemaValidator, ValidationError, core_schema as schema

from eai.diagnosis import GOAL_KINDS, Condition, ErrorKind, Match, Measure, Result
from eai.errors import SchemaError, did_you_mean, nearest
from eai.nesting import load_json
from eai.report.record import KEYS, Record
from eai.text import field_path

# Answers of models may hold lone surrogates, which pydantic refuses as text of Python.
_TEXT = schema.json_or_python_schema(
    schema.str_schema(), schema.is_instance_schema(str, cls_repr="str")
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
    (Measure, "amount"): schema.int_schema(strict=True),
    (Measure, "base"): schema.int_schema(strict=True, ge=1),
    (Record, "usage"): schema.dict_schema(
        _TEXT, schema.float_schema(ge=0, allow_inf_nan=False, strict=True)
    ),
}
"""Schemas of fields that allow less, or more, than their type says."""


def _schema(hint: object) -> schema.CoreSchema:
    """Return the validation schema for a type hint: plain, dataclass, optional or tuple."""
    if hint in _BY_TYPE:
        return _BY_TYPE[hint]
    if isinstance(hint, type) and is_dataclass(hint):
        return _object_schema(hint)
    inner = [part for part in get_args(hint) if part not in (NoneType, ...)]
    if NoneType in get_args(hint):
        return schema.nullable_schema(_schema(inner[0]))
    return schema.tuple_variable_schema(_schema(inner[0]))


def _object_schema(kind: type[Any]) -> schema.CoreSchema:
    """Return the validation schema of a dataclass as an object with its fields as keys.

    Keys of fields with a default may be absent.
    """
    # Types of fields that are not stored cannot be resolved without importing their modules.
    hints = get_type_hints(kind, localns={"Formula": object, "Evidence": object})
    parts = []
    for field in fields(kind):
        if (kind, field.name) in _BY_FIELD:
            part = _BY_FIELD[kind, field.name]
        elif field.compare:
            part = _schema(hints[field.name])
        else:
            part = schema.none_schema()  # not part of the value, so it is not stored
        if field.default is not MISSING:
            part = schema.with_default_schema(part, default=field.default)
        elif field.default_factory is not MISSING:
            part = schema.with_default_schema(part, default_factory=field.default_factory)
        key = KEYS.get((kind, field.name))
        parts.append(schema.dataclass_field(field.name, part, validation_alias=key))
    arguments = schema.dataclass_args_schema(kind.__name__, parts, extra_behavior="forbid")
    names = [field.name for field in fields(kind)]
    return schema.dataclass_schema(kind, arguments, names, slots=True, frozen=True)


_RECORD = SchemaValidator(_object_schema(Record))

# Type of an error of pydantic to what a message says is expected.
_EXPECTED = {
    "bool_type": "true or false",
    "dataclass_type": "an object",
    "dict_type": "an object",
    "finite_number": "a finite number, 0 or more",
    "float_type": "a finite number, 0 or more",
    "is_instance_of": "a string",
    "missing": "an object with this field",
    "string_type": "a string",
    "tuple_type": "a list",
    "unexpected_keyword_argument": "a field that records have",
}


def parse_record(line: str | bytes, where: str) -> Record:
    """Return the record in a line of JSON (see :func:`~eai.report.record_from_json`).

    Raises:
        SchemaError: If it is not JSON, or not a record.
    """
    # The fast way refuses lone surrogates, too; the json module reads these, and its messages
    # are about JSON.
    with suppress(ValidationError):
        record: Record = _RECORD.validate_json(line)
        return record
    try:
        value = load_json(line)
    except ValueError as error:
        raise SchemaError(
            f"the line is not JSON ({error})", where=where, expected="one record as a JSON object"
        ) from error
    return record_of(value, where)


def record_of(value: object, where: str) -> Record:
    """Return the record in a decoded JSON value.

    Raises:
        SchemaError: If it is not a record.
    """
    try:
        record: Record = _RECORD.validate_python(value)
    except ValidationError as error:
        raise _make_schema_error(error, value, where) from None
    return record


def _make_schema_error(error: ValidationError, value: object, where: str) -> SchemaError:
    """Return the error for the first invalid field.

    Args:
        error: The errors that were found.
        value: The value that was read from the line.
        where: Location of the line.
    """
    first_error = error.errors()[0]
    location = first_error["loc"]
    # In ASCII, as the value may hold characters that a terminal cannot show.
    input_text = ascii(first_error["input"])
    if len(input_text) > 60:
        input_text = input_text[:57] + "..."
    expected = _EXPECTED.get(first_error["type"], "a whole number, 0 or more")
    if "expected" in first_error.get("ctx", {}):
        expected = "one of " + str(first_error["ctx"]["expected"]).replace(" or ", ", ")
    hint = None
    if isinstance(value, dict) and "result" not in value:
        hint = "answers become records when they are evaluated: eai.evaluate(suite, file)"
    elif location and location[-1] == "kind":
        hint = _hint_at_kind(first_error["input"])
    problem = f"it is {input_text}"
    if location:
        problem = f"the field {field_path(location)!r} is {input_text}"
    return SchemaError(problem, where=where, expected=expected, mend=hint)


def _hint_at_kind(value: object) -> str | None:
    """Return a hint at the kind of error that a misspelled one may mean, or None."""
    if not isinstance(value, str):
        return None
    candidates = nearest(value, [kind.value for kind in ErrorKind])
    if not candidates:
        return None
    return did_you_mean(candidates)
