"""Reading dataclasses out of JSON values, with the path of the first field that does not fit.

A *check* is a function that takes a JSON value and returns what it stands for, or raises
:class:`ShapeError`. Checks are combined: ``many(one(Finding, {...}))``. Written by hand because
answers of models may hold lone surrogates, which the usual validators refuse as text.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

__all__ = [
    "Check",
    "ShapeError",
    "choice",
    "integer",
    "many",
    "number",
    "one",
    "optional",
    "positive",
    "text",
    "truth",
    "whole",
]

T = TypeVar("T")
Check = Callable[[object], T]


class ShapeError(Exception):
    """A value does not fit; :meth:`describe` says where.

    Args:
        expected: What would have fitted.
        found: The value that did not.
    """

    def __init__(self, expected: str, found: object) -> None:
        self.expected = expected
        self.found = found
        self.path: list[str] = []
        super().__init__(expected)

    def under(self, step: str) -> ShapeError:
        """Return the same error one level further out."""
        self.path.insert(0, step)
        return self

    def describe(self) -> str:
        """One clause: the path of the field and what stands there."""
        path = "".join(self.path).lstrip(".")
        shown = ascii(self.found)
        shown = shown if len(shown) <= 60 else shown[:57] + "..."
        return f"the field {path!r} is {shown}" if path else f"it is {shown}"


def text(value: object) -> str:
    """Accept a string."""
    if type(value) is str:
        return value
    raise ShapeError("a string", value)


def truth(value: object) -> bool:
    """Accept ``true`` or ``false``."""
    if type(value) is bool:
        return value
    raise ShapeError("true or false", value)


def whole(value: object) -> int:
    """Accept a whole number that is not negative."""
    if type(value) is int and value >= 0:
        return value
    raise ShapeError("a whole number, 0 or more", value)


def positive(value: object) -> int:
    """Accept a whole number from 1."""
    if type(value) is int and value >= 1:
        return value
    raise ShapeError("a whole number, 1 or more", value)


def integer(value: object) -> int:
    """Accept a whole number of either sign."""
    if type(value) is int:
        return value
    raise ShapeError("a whole number", value)


def number(value: object) -> float:
    """Accept a finite number that is not negative."""
    if type(value) in (int, float) and isinstance(value, (int, float)):
        try:
            as_float = float(value)
        except OverflowError:
            as_float = math.inf
        if 0 <= as_float < math.inf:
            return as_float
    raise ShapeError("a finite number, 0 or more", value)


def choice(values: Iterable[str]) -> Check[str]:
    """Make a check that accepts exactly these strings."""
    accepted = dict.fromkeys(values)

    def check(value: object) -> str:
        if type(value) is str and value in accepted:
            return value
        raise ShapeError("one of " + ", ".join(map(repr, accepted)), value)

    return check


def optional(inner: Check[T]) -> Check[T | None]:
    """Make a check that also accepts ``null``."""

    def check(value: object) -> T | None:
        return None if value is None else inner(value)

    return check


def many(inner: Check[T]) -> Check[tuple[T, ...]]:
    """Make a check for a list of values that fit the inner check."""

    def check(value: object) -> tuple[T, ...]:
        if type(value) is not list:
            raise ShapeError("a list", value)
        items: list[T] = []
        try:
            for item in value:
                items.append(inner(item))  # noqa: PERF401  # the length names the bad item
        except ShapeError as error:
            raise error.under(f"[{len(items)}]") from None
        return tuple(items)

    return check


def one(kind: Callable[..., T], fields: Mapping[str, Check[object]]) -> Check[T]:
    """Make a check for an object whose keys are the fields of a dataclass.

    Fields with a default may be absent; unknown keys are refused.

    Args:
        kind: The dataclass.
        fields: A check for each of its fields.
    """
    required = [
        field.name
        for field in dataclasses.fields(kind)  # type: ignore[arg-type]
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
    ]

    def unknown(value: object) -> object:
        raise ShapeError("only the fields " + ", ".join(fields), value)

    def check(value: object) -> T:
        if type(value) is not dict:
            raise ShapeError("an object", value)
        for field in required:
            if field not in value:
                raise ShapeError(f"an object with the field {field!r}", value)
        values: dict[str, object] = {}
        name = ""
        try:
            for name, item in value.items():
                values[name] = fields.get(name, unknown)(item)
        except ShapeError as error:
            raise error.under(f".{name}") from None
        return kind(**values)

    return check
