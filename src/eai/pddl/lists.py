"""Typed lists: ``a b - block c - (either crate pallet) d``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from eai.pddl.forms import Form, Item, Source

__all__ = ["Entry", "typed"]

_TYPE = "a type, or (either TYPE ...)"


class Entry(NamedTuple):
    """One entry of a typed list.

    Args:
        item: Where it stands.
        name: Its name in lower case; a variable with its question mark.
        types: Its types; empty if none are given.
        where: Where the types stand.
    """

    item: Item
    name: str
    types: tuple[str, ...]
    where: Sequence[Item]


def typed(source: Source, items: Sequence[Item], kind: str, *, expected: str) -> Iterator[Entry]:
    """Yield the entries of a typed list.

    Args:
        source: The text, for messages.
        items: The list.
        kind: Terminal of the entries in the grammar.
        expected: What an entry is, for messages.

    Raises:
        ParseError: The list is not well formed.
    """
    waiting: list[Item] = []
    rest = iter(items)
    for item in rest:
        if item != "-":
            waiting.append(item)
            continue
        if not waiting:
            raise source.error("'-' without anything before it", item, expected=expected)
        after = next(rest, None)
        if after is None:
            raise source.error("'-' without a type after it", item, expected=_TYPE)
        types, where = _types(source, after)
        for entry in waiting:
            yield Entry(entry, source.word(entry, kind, expected), types, where)
        waiting.clear()
    for entry in waiting:
        yield Entry(entry, source.word(entry, kind, expected), (), ())


def _types(source: Source, item: Item) -> tuple[tuple[str, ...], Sequence[Item]]:
    if not isinstance(item, Form):
        return (source.word(item, "NAME", _TYPE),), (item,)
    if len(item.items) < 2 or _lower(item.items[0]) != "either":
        raise source.error("these brackets are not a type", item, expected=_TYPE)
    where = item.items[1:]
    return tuple([source.word(part, "NAME", "a type") for part in where]), where


def _lower(item: Item) -> str:
    return "" if isinstance(item, Form) else item.lower()
