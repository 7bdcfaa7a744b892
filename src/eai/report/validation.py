"""What a line of a record file has to look like."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import MISSING, fields, is_dataclass
from types import NoneType
from typing import Any, get_args, get_type_hints

from pydantic_core import SchemaValidator, ValidationError, core_schema as schema

from eai.diagnosis import GOAL_KINDS, Condition, ErrorKind, Match, Measure, Result
from eai.errors import SchemaError, nearest
from eai.nesting import load_json
from eai.report.record import KEYS, Record

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
    (Measure, "amount"): schema.int_schema(strict=True),
    (Measure, "base"): schema.int_schema(strict=True, ge=1),
}
"""What is narrower, or wider, than the type of the field says."""


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
        key = KEYS.get((kind, field.name))
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


def parse_record(line: str | bytes, where: str) -> Record:
    """Return the record of a line of JSON (see :func:`~eai.report.record_from_json`)."""
    # A lone surrogate, or a mistake: the json module reads the one and words the other.
    with suppress(ValidationError):
        found: Record = _RECORD.validate_json(line)
        return found
    try:
        value = load_json(line)
    except ValueError as error:
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
