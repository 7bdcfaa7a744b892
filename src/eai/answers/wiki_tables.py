"""Tables in the notation of MediaWiki, written as in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from eai.text import lazy_pattern

_TABLE = lazy_pattern(
    r"^[ \t]*\{\|[^\n]{0,200}\n(?P<rows>.{0,50000}?)^[ \t]*\|\}", re.MULTILINE | re.DOTALL
)
_CELL = lazy_pattern(r"\s*(?:\|\||!!)\s*")
_ATTRIBUTES = lazy_pattern(r"^\s*(?:\w+=\"[^\"\n]*\"\s*)+\|(?!\|)")
"""Attributes of a cell before its text: ``style="width: 1em" | text``."""


def with_markdown_tables(text: str) -> str:
    r"""Return a text in which tables of MediaWiki are tables of Markdown.

    Example:
        >>> print(with_markdown_tables("{|\n! Step !! Action\n|-\n| 1 || walk(hall)\n|}"))
        | Step | Action |
        |---|---|
        | 1 | walk(hall) |
    """
    return _TABLE.sub(_as_markdown, text) if "{|" in text else text


def _as_markdown(table: re.Match[str]) -> str:
    """Return a table in Markdown; its first row is the head."""
    rows = [row for row in _rows_of(table["rows"]) if row]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    # Only with a rule below its head is a table one of Markdown.
    if len(rows) > 1:
        lines.insert(1, "|" + "---|" * len(rows[0]))
    return "\n".join(lines)


def _rows_of(text: str) -> Iterator[list[str]]:
    """Yield the cells of each row. A cell stands behind others on its line, or on its own line."""
    row: list[str] = []
    for line in map(str.strip, text.split("\n")):
        if line.startswith("|-"):
            yield row
            row = []
        # The caption behind "|+" is no cell.
        elif line.startswith(("|", "!")) and not line.startswith("|+"):
            row += [_ATTRIBUTES.sub("", cell).strip() for cell in _CELL.split(line[1:])]
    yield row
