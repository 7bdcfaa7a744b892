"""Typed lists: ``a b - block c - (either crate pallet) d``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from eai.logic.formula import Variable
from eai.pddl.reading import Reading
from eai.pddl.sources import Item, Word

__all__ = ["Entry", "read_names", "read_variables", "typed"]

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


def typed(reading: Reading, items: Sequence[Item], kind: str, *, expected: str) -> Iterator[Entry]:
    """Yield the entries of a typed list.

    Among variables, a name without ``-`` before it is taken for the type that it must be.

    Args:
        reading: The text, which gets the findings.
        items: The list.
        kind: Terminal of the entries in the grammar.
        expected: What an entry is, for messages.
    """
    waiting: list[tuple[Item, str]] = []
    rest = iter(items)
    for item in rest:
        types: tuple[str, ...] = ()
        where: Sequence[Item] = ()
        if item == "-":
            types, where = _after_dash(reading, item, next(rest, None), waiting, expected)
        elif _lacks_dash(item, kind, waiting):
            _note_dash(reading, item, waiting)
            types, where = _types(reading, item)
        else:
            word = reading.word(item, kind, expected)
            if word is not None:
                waiting.append((item, word))
            continue
        yield from (Entry(entry, name, types, where) for entry, name in waiting)
        waiting.clear()
    yield from (Entry(entry, name, (), ()) for entry, name in waiting)


def _after_dash(
    reading: Reading,
    dash: Item,
    item: Item | None,
    waiting: Sequence[object],
    expected: str,
) -> tuple[tuple[str, ...], Sequence[Item]]:
    if not waiting:
        message = "'-' without anything before it"
        reading.note("misplaced-word", message, dash, expected=expected)
    if item is None:
        reading.note("missing-part", "'-' without a type after it", dash, expected=_TYPE)
        return (), ()
    return _types(reading, item)


def _lacks_dash(item: Item, kind: str, waiting: Sequence[object]) -> bool:
    return kind == "VARIABLE" and bool(waiting) and isinstance(item, Word) and item.kind == "NAME"


def _note_dash(reading: Reading, item: Item, waiting: list[tuple[Item, str]]) -> None:
    last, name = waiting[-1]
    if name.endswith("-"):
        waiting[-1] = last, name[:-1]
        message = f"there is no blank before the '-' of '{name}'"
        reading.note("missing-blank", message, last, severity="warning", advice="write ' - '")
        return
    reading.note(
        "missing-dash",
        f"there is no '-' before the type '{item}'",
        item,
        expected=f"- {item}",
        advice=f"write '- {item}', or '?{item}' if it is a variable",
    )


def _types(reading: Reading, item: Item) -> tuple[tuple[str, ...], Sequence[Item]]:
    if isinstance(item, Word):
        word = reading.word(item, "NAME", _TYPE)
        return ((word,), (item,)) if word is not None else ((), ())
    first = item.items[0] if item.items else None
    if len(item.items) < 2 or not isinstance(first, Word) or first.lower() != "either":
        reading.note("misplaced-word", "these brackets are not a type", item, expected=_TYPE)
        return (), ()
    where = [part for part in item.items[1:] if isinstance(part, Word) and part.kind == "NAME"]
    for part in item.items[1:]:
        reading.word(part, "NAME", "a type")
    return tuple([part.lower() for part in where]), where


def read_variables(
    reading: Reading, items: Sequence[Item], defaults: Sequence[Variable] = ()
) -> tuple[Variable, ...]:
    """Read a typed list of variables: ``?x ?y - block ?z - (either a b)``.

    Args:
        reading: The text.
        items: The list.
        defaults: Variables whose types those without a type get, place by place; objects
            of any type where there is none.
    """
    found: list[Variable] = []
    for entry in typed(reading, items, "VARIABLE", expected="a ?variable"):
        types = entry.types
        if not types:
            at = len(found)
            types = defaults[at].types if at < len(defaults) else ("object",)
        variable = Variable(entry.name[1:], types)
        found.append(reading.keep(variable, (entry.item, *entry.where)))
    return tuple(found)


def read_names(reading: Reading, items: Sequence[Item], what: str) -> dict[str, str]:
    """Read a typed list of names with one type each; ``what`` says what they name."""
    found: list[tuple[Item, str, str]] = []
    for entry in typed(reading, items, "NAME", expected=f"the name of a {what}"):
        if len(entry.types) > 1:
            several = f"the {what} '{entry.name}' has several types: {', '.join(entry.types)}"
            reading.note("several-types", several, entry.where[0], expected="one type")
        reading.places.setdefault((what, entry.name), (entry.name, (entry.item, *entry.where)))
        found.append((entry.item, entry.name, entry.types[0] if entry.types else "object"))
    return reading.table(found, what)
