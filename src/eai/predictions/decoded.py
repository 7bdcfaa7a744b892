"""Decoded JSON objects that keep what a mapping would lose, and what stands in them."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["JsonObject", "field_of"]


class JsonObject(tuple[tuple[str, object], ...]):
    """A decoded JSON object that keeps repeated keys and their order."""

    __slots__ = ()


def field_of(value: object, *path: str) -> object:
    """Return what stands at a path of keys in an object or a mapping; None if nothing does."""
    for key in path:
        value = dict(value).get(key) if isinstance(value, (JsonObject, Mapping)) else None
    return value
