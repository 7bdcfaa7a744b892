"""Parts of what notebooks show: tables and texts as HTML.

Values may hold anything, answers of models included: markupsafe escapes all of them, and
characters that are invisible or that reorder their surroundings are named (``<U+202E>``).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from markupsafe import Markup, escape

from eai.text import printable

MOST_CHARACTERS = 10_000
"""So much of a text is shown."""


def shown(value: object) -> Markup:
    """Return a value as text in HTML; nothing in it is markup."""
    text = "" if value is None else str(value)
    more = f" ... ({len(text):,} characters)" if len(text) > MOST_CHARACTERS else ""
    return escape(printable(text[:MOST_CHARACTERS])) + more


def preformatted(text: str) -> Markup:
    """Return a text as HTML in which lines and blanks stay."""
    return Markup('<pre style="white-space: pre-wrap">{}</pre>').format(shown(text))


def folded(summary: str, content: Markup) -> Markup:
    """Return HTML that is shown when its summary is opened."""
    whole = Markup("<details><summary>{}</summary>{}</details>")
    return whole.format(shown(summary), content)


def stacked(*parts: str) -> Markup:
    """Return parts of HTML below one another; empty ones are left out."""
    return Markup("<div>{}</div>").format(Markup("").join(filter(None, parts)))


def table(
    head: Iterable[object], rows: Iterable[Iterable[object]], *, caption: object = ""
) -> Markup:
    """Return an HTML table, or nothing without rows.

    Args:
        head: The headings; none for a list of names and values.
        rows: The cells of each row.
        caption: What stands above.
    """
    lines = [Markup("<tr>{}</tr>").format(_cells(row, "td")) for row in rows]
    if not lines:
        return Markup("")
    title = Markup("")
    if caption:
        title = Markup("<caption>{}</caption>").format(shown(caption))
    above = Markup("")
    headings = _cells(head, "th")
    if headings:
        above = Markup("<thead><tr>{}</tr></thead>").format(headings)
    whole = Markup("<table>{}{}<tbody>{}</tbody></table>")
    return whole.format(title, above, Markup("").join(lines))


def _cells(values: Iterable[object], tag: str) -> Markup:
    """Return values as cells of a row: ``td``, or ``th`` in the head of a table."""
    cell = Markup('<{0} style="text-align: left">{1}</{0}>')
    return Markup("").join(cell.format(tag, shown(value)) for value in values)


_WAIT, _PAUSE = 1.0, 0.2
"""Seconds after which a bar is shown, and between two pictures of it."""


@contextmanager
def notebook_progress(label: str) -> Iterator[Callable[[int, int], None] | None]:
    """Show a progress bar in a notebook if the block takes more than a second.

    Yields:
        What to call with the number that is done and the number of all; None elsewhere.
    """
    # Not imported here: a program in which nobody has imported it is not a notebook.
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    # IPython's terminal has no kernel, and no place for a bar.
    if not hasattr(shell, "kernel"):
        yield None
        return
    bar = _Bar(label)
    yield bar.step
    bar.remove()


class _Bar:
    """A progress bar below a notebook cell.

    Args:
        label: Text before it.
    """

    def __init__(self, label: str) -> None:
        self._label = label
        self._shown: Any = import_module("IPython.display")
        self._handle: Any = None
        self._start = time.monotonic()
        self._next_time = self._start + _WAIT

    def step(self, done: int, total: int) -> None:
        """Update the bar, unless it was updated a moment ago."""
        now = time.monotonic()
        if now < self._next_time:
            return
        self._next_time = now + _PAUSE
        left = (now - self._start) * (total - done) / max(done, 1)
        text = Markup('{} <progress value="{}" max="{}"></progress> {:,} of {:,}, {:.0f} s left')
        picture = self._shown.HTML(text.format(self._label, done, total, done, total, left))
        if self._handle is None:
            self._handle = self._shown.display(picture, display_id=True)
        else:
            self._handle.update(picture)

    def remove(self) -> None:
        """Take the bar away, if it was drawn."""
        if self._handle is not None:
            self._handle.update(self._shown.HTML(""))
