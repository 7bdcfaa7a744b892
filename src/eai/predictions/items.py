"""One prediction in its many shapes: objects, pairs, answers that are values."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import Union

from eai.errors import SchemaError
from eai.predictions.decoded import JsonObject
from eai.predictions.samples import is_sample, sample_parts

__all__ = [
    "EXAMPLE",
    "EXPECTED",
    "IDS",
    "NOBODY",
    "OUTPUTS",
    "PredictionProblem",
    "Raw",
    "first_of",
    "is_item",
    "model_named",
    "plain_item",
    "read_item",
]

IDS = ("id", "identifier")
"""Keys of the identifier."""
OUTPUTS = ("output", "llm_output")
"""Keys of the answer."""
EXAMPLE = '{"id": "the task", "output": "what was answered"}'
"""One prediction, for messages."""
EXPECTED = 'one object {"id": ..., "output": ...} a line, or a list of such objects'
"""What a file of predictions holds."""
NOBODY = ""
"""The model of a problem that is about none, such as a file that was left out."""


@dataclass(frozen=True, slots=True)
class PredictionProblem:
    """Something in a source that was left out or repaired.

    Args:
        message: What it was.
        where: The place: a file with its line, or the number of an item.
        model: Name of the model that it is about; None if it may be any of the source's.
    """

    message: str
    where: str
    model: str | None = None

    def __str__(self) -> str:
        return f"{self.where}: {self.message}"


Raw = Union[PredictionProblem, tuple[str, object]]
"""What a source yields: a problem, or a place and what stands there."""


def _fields(value: object) -> dict[object, object] | None:
    """The fields of an item if it is an object."""
    if isinstance(value, JsonObject):
        return dict(value)
    return dict(value) if isinstance(value, Mapping) else None


def first_of(fields: Container[object], keys: Iterable[str]) -> str | None:
    """The first of the keys that is there."""
    for key in keys:
        if key in fields:
            return key
    return None


def is_item(value: object) -> bool:
    """Whether a value has the shape of one prediction."""
    fields = _fields(value)
    if fields is None:
        return isinstance(value, (list, tuple)) and len(value) == 2 and isinstance(value[0], str)
    named = first_of(fields, IDS) is not None and first_of(fields, OUTPUTS) is not None
    return named or is_sample(fields)


def _as_json(value: object) -> str:
    """Write an answer that was given as a value; repeated keys are kept."""
    pairs = value.items() if isinstance(value, Mapping) else value
    if isinstance(value, (Mapping, JsonObject)) and isinstance(pairs, Iterable):
        inner = (f"{json.dumps(str(key))}: {_as_json(item)}" for key, item in pairs)
        return "{" + ", ".join(inner) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_as_json, value)) + "]"
    return json.dumps(value)


def _parts(value: object) -> tuple[object, object]:
    """Identifier and answer of an item.

    Raises:
        SchemaError: With a message if it is not an item.
    """
    fields = _fields(value)
    if fields is None:
        if isinstance(value, (list, tuple)) and len(value) == 2:
            return value[0], value[1]
        raise SchemaError(f"{type(value).__name__} is not a prediction")
    if is_sample(fields):
        return sample_parts(fields)
    name, output = first_of(fields, IDS), first_of(fields, OUTPUTS)
    for key, wanted in ((name, IDS), (output, OUTPUTS)):
        if key is None:
            found = ", ".join(sorted(map(repr, list(fields)[:6]))) or "no key"
            raise SchemaError(f"there is no {wanted[0]!r} or {wanted[1]!r}, but {found}")
    return fields[name], fields[output]


def _shown(value: object) -> str:
    """A value as messages show it: the same in every run."""
    if isinstance(value, (JsonObject, Mapping)):
        return "an object"
    plain = value is None or isinstance(value, (str, int, float, list, tuple))
    return f"{value!r:.60}" if plain else f"a value of type {type(value).__name__}"


def model_named(value: object) -> str:
    """The model that an item names; empty if it names none."""
    fields = _fields(value)
    model = None if fields is None or is_sample(fields) else fields.get("model")
    named = isinstance(model, (str, Integral)) and not isinstance(model, bool)
    return str(model) if named else ""


def plain_item(value: object) -> tuple[str, str] | None:
    """Identifier and answer text of an item that has nothing else, as nearly all do.

    What it returns, :func:`read_item` would, but with more questions first.
    """
    if isinstance(value, JsonObject) and len(value) == 2:
        (first, name), (second, text) = value
        usual = first in IDS and second in OUTPUTS
        if usual and isinstance(name, str) and name and isinstance(text, str):
            return name, text
    return None


def read_item(value: object) -> tuple[str, str]:
    """Identifier and answer text of an item.

    Raises:
        SchemaError: With a message if it is not an item.
    """
    name, output = _parts(value)
    if isinstance(name, bool) or not isinstance(name, (str, Integral)) or name == "":
        raise SchemaError(f"the id is {_shown(name)}, not text")
    if not isinstance(output, (str, list, tuple, Mapping)):
        raise SchemaError(f"the output of {str(name)!r:.60} is {_shown(output)}, not text")
    try:
        text = output if isinstance(output, str) else _as_json(output)
    except (TypeError, ValueError, RecursionError) as error:
        raise SchemaError(f"the output of {str(name)!r:.60} cannot be written as JSON") from error
    return str(name), text
