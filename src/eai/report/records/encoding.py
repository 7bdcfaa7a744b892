"""Dataclasses as JSON: one line of ASCII, keys in the order of the fields.

The text is put together from the texts of the parts, without a dictionary for each of them, and
what is said again and again (the same finding, the same match) is written once.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import fields, is_dataclass
from functools import lru_cache
from json import JSONEncoder
from json.encoder import encode_basestring_ascii
from operator import attrgetter
from types import NoneType
from typing import Any

from eai.diagnosis.judgement import Condition, Finding, Match, Measure

__all__ = ["object_writer"]

Writer = Callable[[Any], str]
"""Returns the JSON of a value."""

_REPEATED = frozenset({Condition, Finding, Match, Measure})
_NUMBER = JSONEncoder(allow_nan=False).encode


def object_writer(kind: type[Any], *, without: Container[str] = ()) -> Writer:
    """Return what writes a dataclass as a JSON object.

    Args:
        kind: The dataclass, of at least two fields, which hold text, numbers, truth values, None,
            tuples of these, or dataclasses.
        without: Fields that are left out.
    """
    names = [field.name for field in fields(kind) if field.name not in without]
    whole = "{" + ",".join([f"{_text(name)}:%s" for name in names]) + "}"
    parts = attrgetter(*names)

    def write(value: object) -> str:
        return whole % tuple([_WRITERS[type(part)](part) for part in parts(value)])

    return lru_cache(maxsize=1 << 12)(write) if kind in _REPEATED else write


class _Writers(dict[type[Any], Writer]):
    """Type to what writes its values; others are added when they are met."""

    def __missing__(self, kind: type[Any]) -> Writer:
        if issubclass(kind, str):
            made: Writer = _text
        else:
            made = object_writer(kind) if is_dataclass(kind) else _NUMBER
        self[kind] = made
        return made


def _list(values: tuple[object, ...]) -> str:
    if not values:
        return "[]"
    return f"[{','.join([_WRITERS[type(value)](value) for value in values])}]"


def _truth(value: bool) -> str:
    return "true" if value else "false"


def _null(_: None) -> str:
    return "null"


_text = encode_basestring_ascii
_WRITERS = _Writers({tuple: _list, bool: _truth, int: int.__repr__, NoneType: _null})
