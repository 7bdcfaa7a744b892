"""Decoded values of JSON and of tables: objects with their keys, and paths into them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from itertools import islice
from typing import Generic, TypeGuard, TypeVar

from eai.nesting import NESTING_LIMIT, on_own_stack

Pattern = TypeVar("Pattern")


class JsonObject(tuple[tuple[str, object], ...]):
    """A decoded JSON object that keeps repeated keys and their order."""

    @cached_property
    def fields(self) -> dict[object, object]:
        """The values by key. It is kept: an object with 100,000 keys is asked very often."""
        return dict(self)


_NO_FIELDS = (str, int, float, list, bool, type(None))


def fields_of(value: object) -> Mapping[object, object] | None:
    """Return the fields of a JSON object or mapping, or None for another value."""
    if isinstance(value, JsonObject):
        return value.fields
    if isinstance(value, dict):
        return value
    # To ask whether something is a Mapping takes ten times as long, and nearly nothing is.
    if isinstance(value, _NO_FIELDS) or not isinstance(value, Mapping):
        return None
    return value


def is_list(value: object) -> TypeGuard[Sequence[object]]:
    """Return whether a value is a list; a decoded object is none, though it is a tuple."""
    return isinstance(value, (list, tuple)) and not isinstance(value, JsonObject)


def field_of(value: object, *path: str) -> object:
    """Return the value at a path of keys in an object or a mapping, or None."""
    for key in path:
        value = (fields_of(value) or {}).get(key)
    return value


def values_at(value: object, path: str) -> Iterator[object]:
    """Yield the values at a dotted path.

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
    key, dot, rest_of_path = path.partition(".")
    members: list[object] = []
    if fields is not None:
        if key in fields:
            members.append(fields[key])
    elif isinstance(value, (list, tuple)):
        if key == "*":
            members += value
        elif key.isdecimal() and len(key) < _MAX_DIGITS:
            # A slice is empty where the element does not exist.
            members += value[int(key) : int(key) + 1]
    if not dot:
        yield from members
        return
    for member in members:
        yield from values_at(member, rest_of_path)


def first_at(value: object, paths: str) -> object:
    """Return the value at the first of several paths (divided by ``|``) that exists.

    ``None`` counts as nothing, as it does in files where every row has every key.
    """
    for path in _alternatives(paths):
        if "*" in path:
            first = next(values_at(value, path), None)
        else:
            first = _value_at(value, path)
        if first is not None:
            return first
    return None


def has_path(value: object, path: str) -> bool:
    """Return whether a path leads to something other than ``None``."""
    return first_at(value, path) is not None


@lru_cache(1024)
def _alternatives(paths: str) -> tuple[str, ...]:
    """Return the paths that are divided by ``|``."""
    return tuple(paths.split("|"))


@lru_cache(1024)
def _split_path(path: str) -> tuple[tuple[str, str], ...]:
    """Return the parts of a path, each with the rest of the path from there."""
    parts = path.split(".")
    return tuple((part, ".".join(parts[number:])) for number, part in enumerate(parts))


def _value_at(value: object, path: str) -> object:
    """Return the value at a path without ``*``, or None."""
    for key, rest_of_path in _split_path(path):
        fields = fields_of(value)
        if fields is not None:
            # A key may have dots itself: {"a.b": 1} has something at the path a.b.
            if rest_of_path in fields:
                return fields[rest_of_path]
            value = fields.get(key)
        elif isinstance(value, (list, tuple)):
            value = _element(value, key)
        else:
            return None
        if value is None:
            return None
    return value


def _element(values: Sequence[object], index: str) -> object:
    """Return an element of a list by its index in digits; None if there is none."""
    if not index.isdecimal() or len(index) >= _MAX_DIGITS or int(index) >= len(values):
        return None
    return values[int(index)]


_MAX_DIGITS = 10


class Patterns(Generic[Pattern]):
    """Finds the first of several patterns that matches an object.

    A pattern fits if all of its marks do: a path leads to something, one of several that are
    divided by ``|`` does, or one after ``-`` does not. An object has few keys and the patterns are
    many, so only those are tried whose first mark begins with a key of the object.

    Args:
        patterns: The patterns.
        marks: The marks of each, divided by blanks; the first one has no ``-``.
    """

    def __init__(self, patterns: Sequence[Pattern], marks: Iterable[str]) -> None:
        """Index the patterns by the keys with which their first marks begin."""
        self._patterns = patterns
        self._marks_of_patterns = [tuple(pattern_marks.split()) for pattern_marks in marks]
        self._pattern_indices_by_key: dict[str, list[int]] = {}
        for pattern_index, pattern_marks in enumerate(self._marks_of_patterns):
            for path in pattern_marks[0].split("|"):
                first_key = path.partition(".")[0]
                indices = self._pattern_indices_by_key.setdefault(first_key, [])
                if pattern_index not in indices:
                    indices.append(pattern_index)

    def first(self, fields: Mapping[object, object]) -> Pattern | None:
        """Return the first pattern that matches, or None."""
        # Columns of tables may be called after paths: "attributes.output".
        candidates: set[int] = set()
        for key in fields:
            first_key = str(key).partition(".")[0]
            candidates.update(self._pattern_indices_by_key.get(first_key, ()))
        # The first pattern counts, whichever key it begins with.
        for pattern_index in sorted(candidates):
            marks = self._marks_of_patterns[pattern_index]
            if all(has_mark(fields, mark) for mark in marks):
                return self._patterns[pattern_index]
        return None


def has_mark(fields: Mapping[object, object], mark: str) -> bool:
    """Return whether an object has one mark of a pattern."""
    if mark[0] == "-":
        return not has_path(fields, mark[1:])
    return has_path(fields, mark)


def plain_name(key: object) -> str:
    """Return a key without letter case and separators: ``Task ID`` and ``taskId`` are one name."""
    return "".join(filter(str.isalnum, str(key))).lower()


def short_text(value: object) -> str:
    """Return a value as a short text for messages, the same in every run."""
    if isinstance(value, (JsonObject, Mapping)):
        return "an object"
    if isinstance(value, int) and abs(value) >= 10**60:
        return "a number"  # it may have more digits than Python writes
    if value is None or isinstance(value, (str, int, float, list, tuple)):
        return f"{value!r:.60}"
    return f"a value of type {type(value).__name__}"


def list_keys(fields: Iterable[object]) -> str:
    """Return the first keys of an object, for messages."""
    names = [f"{str(key)!r:.60}" for key in islice(fields, _MAX_SHOWN + 1)]
    if not names:
        return "no key"
    listed = ", ".join(sorted(names[:_MAX_SHOWN]))
    if len(names) > _MAX_SHOWN:
        listed += ", ..."
    return listed


_MAX_SHOWN = 6


def _as_json(value: object, depth: int = 0) -> str:
    """Return a structured answer as JSON text with repeated keys kept."""
    if depth > NESTING_LIMIT:
        raise ValueError(f"it is nested more than {NESTING_LIMIT} levels deep")
    write = partial(_as_json, depth=depth + 1)
    # A JsonObject is a tuple of pairs, so it comes before lists and tuples.
    if isinstance(value, (Mapping, JsonObject)):
        pairs: Iterable[tuple[object, object]] = value
        if isinstance(value, Mapping):
            pairs = value.items()
        members = [f"{json.dumps(str(key))}: {write(member)}" for key, member in pairs]
        return "{" + ", ".join(members) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(write, value)) + "]"
    return json.dumps(value)


to_json_text = on_own_stack(_as_json)
"""Write a value as JSON text. Raises :class:`ValueError` or :class:`TypeError` if it cannot be."""
