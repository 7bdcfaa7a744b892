"""Parts of what notebooks show: tables and texts as HTML.

Values may hold anything, answers of models included: all of them are escaped here, and characters
that are invisible or that reorder their surroundings are named (``<U+202E>``).
"""

from __future__ import annotations

import html
from collections.abc import Iterable

__all__ = ["folded", "preformatted", "shown", "stacked", "table"]

MOST_CHARACTERS = 10_000
"""So much of a text is shown."""


def shown(value: object) -> str:
    """Return a value as text in HTML; nothing in it is markup."""
    text = "" if value is None else str(value)
    more = f" ... ({len(text):,} characters)" if len(text) > MOST_CHARACTERS else ""
    return html.escape("".join(map(_named, text[:MOST_CHARACTERS]))) + more


def _named(character: str) -> str:
    plain = character.isprintable() or character in "\n\t\xa0"
    return character if plain else f"<U+{ord(character):04X}>"


def preformatted(text: str) -> str:
    """Return a text as HTML in which lines and blanks stay."""
    return f'<pre style="white-space: pre-wrap">{shown(text)}</pre>'


def folded(summary: str, content: str) -> str:
    """Return HTML that is shown when its summary is opened.

    Args:
        summary: A text.
        content: HTML.
    """
    return f"<details><summary>{shown(summary)}</summary>{content}</details>"


def stacked(*parts: str) -> str:
    """Return parts of HTML below one another; empty ones are left out."""
    return f"<div>{''.join(filter(None, parts))}</div>"


def table(head: Iterable[object], rows: Iterable[Iterable[object]], *, caption: object = "") -> str:
    """Return a table; nothing if it has no rows.

    Args:
        head: The headings; none for a list of names and values.
        rows: The cells of each row.
        caption: What stands above.
    """
    body = "".join(f"<tr>{_cells(row, 'td')}</tr>" for row in rows)
    heading = _cells(head, "th")
    title = f"<caption>{shown(caption)}</caption>" if caption else ""
    above = f"<thead><tr>{heading}</tr></thead>" if heading else ""
    return f"<table>{title}{above}<tbody>{body}</tbody></table>" if body else ""


def _cells(values: Iterable[object], tag: str) -> str:
    style = ' style="text-align: left"'
    return "".join(f"<{tag}{style}>{shown(value)}</{tag}>" for value in values)
