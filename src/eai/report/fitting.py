"""Tables that fit a width: nothing is split inside a word or a number.

A table that is too wide is set closer, its headings and names are folded at blanks and after
punctuation; then its columns are dealt out to several tables, one below the other, which all begin
with the columns that name a row; at last every row becomes a list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

__all__ = ["TextColumn", "fitted", "folded", "longest_piece"]

_PIECES = re.compile(r"(?<=\s)(?=\S)|(?<=[-_./:,;=&)])(?=[^\W\d_])")
"""Where a line may end: behind a blank, or behind punctuation before a letter (``my_model``).
Numbers and versions stay whole."""


class TextColumn(NamedTuple):
    """A column as text.

    Args:
        heading: Its heading.
        cells: What stands below.
        numbers: Whether it is one of numbers, which are set to the right and never folded.
    """

    heading: str
    cells: Sequence[str]
    numbers: bool

    @property
    def natural(self) -> int:
        """The width in which nothing is folded."""
        return max(1, *map(cell_len, (self.heading, *self.cells)))

    @property
    def least(self) -> int:
        """The least width in which nothing is split inside a word or a number.

        It is not 0: rich gives an empty column a width, too.
        """
        cells = (cell_len(cell) if self.numbers else longest_piece(cell) for cell in self.cells)
        return max(1, longest_piece(self.heading), *cells)


def longest_piece(text: str) -> int:
    """Return the width of the longest piece of a text that may not be split."""
    return max((cell_len(piece.rstrip()) for piece in _split(text)), default=0)


def folded(text: str, width: int) -> str:
    """Return the text in lines of at most a width, as far as its pieces are not longer."""
    lines = [""]
    for piece in _split(text):
        if lines[-1] and cell_len((lines[-1] + piece).rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return "\n".join(line.rstrip() for line in lines)


def _split(text: str) -> list[str]:
    return _PIECES.split(text)


def fitted(title: str, columns: Sequence[TextColumn], width: int) -> Iterator[RenderableType]:
    """Yield a table for rich, or several, or a list, whatever fits.

    Args:
        title: The title.
        columns: The columns, all of the same length.
        width: Number of columns of the terminal.
    """
    least = [column.least for column in columns]
    names = next((n for n, column in enumerate(columns) if column.numbers), len(columns)) or 1
    if not columns:
        yield Text(title, "italic")
    elif sum(least) + 3 * len(columns) + 1 <= width:
        yield _table(title, columns, width, close=False)
    elif sum(least) + len(columns) - 1 <= width:
        yield _table(title, columns, width, close=True)
    elif sum(least[:names]) + max(least[names:], default=width) + names <= width:
        for number, part in enumerate(_parts(least, names, width)):
            chosen = [*columns[:names], *(columns[place] for place in part)]
            yield _table(title if number == 0 else "", chosen, width, close=True)
    else:
        yield _list(title, columns, names)


def _parts(least: Sequence[int], names: int, width: int) -> list[list[int]]:
    """Numbers of the columns that stand in one table, besides those that name a row."""
    room = width - sum(least[:names]) - names + 1
    parts, used = [list[int]()], 0
    for place in range(names, len(least)):
        if parts[-1] and used + least[place] + 1 > room:
            parts.append([])
            used = 0
        parts[-1].append(place)
        used += least[place] + 1
    return parts


def _table(title: str, columns: Sequence[TextColumn], width: int, *, close: bool) -> Table:
    table = Table(
        title=Text(title) if title else None,
        title_justify="left",
        box=SIMPLE_HEAD,
        padding=0 if close else (0, 1),
        show_edge=not close,
    )
    room = width - (len(columns) - 1 if close else 3 * len(columns) + 1)
    texts = []
    for column, wide in zip(columns, _widths(columns, room), strict=True):
        justify = "right" if column.numbers else "left"
        heading = Text(folded(column.heading, wide))
        table.add_column(heading, justify=justify, width=wide, overflow="fold")  # type: ignore[arg-type]
        texts.append([Text(folded(cell, wide)) for cell in column.cells])
    for row in zip(*texts, strict=True):
        table.add_row(*row)
    return table


def _widths(columns: Sequence[TextColumn], room: int) -> list[int]:
    """Widths of columns: what is left over goes to those that want it, to all alike."""
    found = [column.least for column in columns]
    natural = [column.natural for column in columns]
    left = room - sum(found)
    while left > 0 and found != natural:
        for place, wanted in enumerate(natural):
            if left > 0 and found[place] < wanted:
                found[place] += 1
                left -= 1
    return found


def _list(title: str, columns: Sequence[TextColumn], names: int) -> Group:
    parts: list[RenderableType] = [Text(title, "italic")]
    for row in range(len(columns[0].cells)):
        lines = Table.grid(padding=(0, 1))
        lines.add_column()
        lines.add_column(justify="right")
        for column in columns[names:]:
            lines.add_row(Text(f"  {column.heading}"), Text(column.cells[row]))
        name = ", ".join(column.cells[row] for column in columns[:names])
        parts += [Text(name, "bold"), lines]
    return Group(*parts)
