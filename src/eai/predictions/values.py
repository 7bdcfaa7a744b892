"""Decoded values of JSON and of tables: objects with their keys, and paths into them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import TypeGuard

from eai.nesting import NESTING_LIMIT, on_own_stack


class JsonObject(tuple[tuple[str, object], ...]):
    """A decoded JSON object that keeps repeated keys and their order."""

    @cached_property
    def fields(self) -> dict[object, object]:
        """The values by key. It is kept: an object with 100,000 keys is asked very often."""
        return dict(self)


def fields_of(value: object) -> Mapping[object, object] | None:
    """Return the fields of an object or a mapping; None if the value is neither."""
    if isinstance(value, JsonObject):
        return value.fields
    if isinstance(value, Mapping):
        return value
    return None


def is_list(value: object) -> TypeGuard[Sequence[object]]:
    """Return whether a value is a list; a decoded object is none, though it is a tuple."""
    return isinstance(value, (list, tuple)) and not isinstance(value, JsonObject)


def field_of(value: object, *path: str) -> object:
    """Return what stands at a path of keys in an object or a mapping; None if nothing does."""
    for key in path:
        value = (fields_of(value) or {}).get(key)
    return value


def values_at(value: object, path: str) -> Iterator[object]:
    """Yield what stands at a dotted path.

    A part of the path is a key, the number of an element of a list, or ``*`` for all elements.
    A key that has dots itself, as columns of tables have, comes before the path that it spells.

    Examples:
        >>> list(values_at({"choices": [{"text": "a"}, {"text": "b"}]}, "choices.*.text"))
        ['a', 'b']
        >>> list(values_at({"a.b": 1, "a": {"b": 2}}, "a.b"))
        [1]
    """
    fields = fields_of(value)
    if fields is not None and path in fields:
        yield fields[path]
        return
    key, dot, rest = path.partition(".")
    inner: list[object] = []
    if fields is not None:
        inner = [fields[key]] if key in fields else []
    elif isinstance(value, (list, tuple)) and key == "*":
        inner = list(value)
    elif isinstance(value, (list, tuple)) and key.isdecimal() and len(key) < 10:
        inner = list(value[int(key) : int(key) + 1])
    if not dot:
        yield from inner
        return
    for each in inner:
        yield from values_at(each, rest)


def first_at(value: object, paths: str) -> object:
    """Return what stands at the first of several paths, divided by ``|``, that leads to something.

    ``None`` counts as nothing, as it does in files where every row has every key.
    """
    for path in paths.split("|"):
        for each in values_at(value, path):
            if each is not None:
                return each
    return None


def has_path(value: object, path: str) -> bool:
    """Return whether a path leads to something other than ``None``."""
    return first_at(value, path) is not None


def plain_name(key: object) -> str:
    """Return a key without letter case and separators: ``Task ID`` and ``taskId`` are one name."""
    return "".join(filter(str.isalnum, str(key))).lower()


def shown(value: object) -> str:
    """Return a value as messages show it: the same in every run."""
    if isinstance(value, (JsonObject, Mapping)):
        return "an object"
    if value is None or isinstance(value, (str, int, float, list, tuple)):
        # A number may have more digits than Python writes.
        return f"{value!r:.60}" if not isinstance(value, int) or abs(value) < 10**60 else "a number"
    return f"a value of type {type(value).__name__}"


def keys_shown(fields: Iterable[object]) -> str:
    """Return the first keys of an object, for messages."""
    names = [f"{str(key)!r:.60}" for key in fields]
    more = ", ..." if len(names) > 6 else ""
    return ", ".join(sorted(names[:6])) + more if names else "no key"


def _as_json(value: object, depth: int = 0) -> str:
    """Write an answer that was given as a value; repeated keys are kept."""
    if depth > NESTING_LIMIT:
        raise ValueError(f"it is nested more than {NESTING_LIMIT} levels deep")
    write = partial(_as_json, depth=depth + 1)
    pairs = value.items() if isinstance(value, Mapping) else value
    if isinstance(value, (Mapping, JsonObject)) and isinstance(pairs, Iterable):
        return (
            "{" + ", ".join(f"{json.dumps(str(key))}: {write(each)}" for key, each in pairs) + "}"
        )
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(write, value)) + "]"
    return json.dumps(value)


written = on_own_stack(_as_json)
"""Write a value as JSON text. Raises :class:`ValueError` or :class:`TypeError` if it cannot be."""
