"""Tables that fit a terminal: nothing is split inside a word or a number.

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

_PIECES = re.compile(r"(?<=\s)(?=\S)|(?<=[-_./:,;=&)])(?=[^\W\d_])")
"""Where a line may end: behind a blank, or behind punctuation before a letter (``my_model``).
Numbers and versions stay whole."""

_NAME = 15
"""Names that are no longer stay on one line: a wide table is rather dealt out to several."""


class TextColumn(NamedTuple):
    """A column as text.

    Args:
        cells: What stands below; a cell may have several lines.
        numbers: Whether it is one of numbers, which are set to the right and never folded.
    """

    heading: str
    cells: Sequence[str]
    numbers: bool

    @property
    def natural(self) -> int:
        """The width in which nothing is folded."""
        return max(1, *map(_width, (self.heading, *self.cells)))

    @property
    def least(self) -> int:
        """The least width in which nothing is split inside a word or a number.

        It is not 0: rich gives an empty column a width, too.
        """
        measured = _width if self.numbers else longest_piece
        return max(1, longest_piece(self.heading), *map(measured, self.cells))


def _width(text: str) -> int:
    return max(map(cell_len, text.split("\n")))


def longest_piece(text: str) -> int:
    """Return the width of the longest piece of a text that may not be split."""
    return max((cell_len(piece.rstrip()) for piece in _PIECES.split(text)), default=0)


def folded(text: str, width: int) -> str:
    """Return the text in lines of at most a width, as far as its pieces are not longer."""
    lines = [""]
    for piece in _PIECES.split(text):
        if lines[-1] and cell_len((lines[-1] + piece).rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return "\n".join(line.rstrip() for line in lines)


def fitted(
    title: str, columns: Sequence[TextColumn], width: int, *, close: bool = False
) -> Iterator[RenderableType]:
    """Yield a table for rich, or several, or a list, whatever fits."""
    if not columns:
        yield Text(title, "italic")
        return
    names = next((n for n, column in enumerate(columns) if column.numbers), len(columns)) or 1
    folding = [column.least for column in columns]
    whole = [min(column.natural, max(_NAME, column.least)) for column in columns[:names]]
    for least in (whole + folding[names:], folding):
        parts = _dealt(least, names, width)
        if not close and sum(least) + 3 * len(columns) + 1 <= width:
            yield _table(title, columns, least, width - 3 * len(columns) - 1, 1)
            return
        if parts:
            for part in parts:
                locations = [*range(names), *part]
                room = width - len(locations) + 1
                chosen = [columns[place] for place in locations]
                if part is not parts[0]:
                    yield ""
                yield _table(title, chosen, [least[place] for place in locations], room, 0)
                title = ""
            return
    yield _list(title, columns, names)


def _dealt(least: Sequence[int], names: int, width: int) -> list[list[int]]:
    """Numbers of the columns that stand in one table besides those that name a row.

    As few tables as there is room for, with about as many columns each; none if a column has no
    room beside the names.
    """
    rest = range(names, len(least))
    for number in range(1, len(rest) + 1):
        size = -(-len(rest) // number)
        parts = [[*rest[start : start + size]] for start in range(0, len(rest), size)]
        if all(
            sum(least[:names]) + sum(least[place] + 1 for place in part) + names - 1 <= width
            for part in parts
        ):
            return parts
    return [] if rest or sum(least) + names - 1 > width else [[]]


def _table(
    title: str, columns: Sequence[TextColumn], least: Sequence[int], room: int, padding: int
) -> Table:
    table = Table(
        title=Text(title) if title else None,
        title_justify="left",
        box=SIMPLE_HEAD,
        padding=(0, padding),
        show_edge=padding > 0,
    )
    texts = []
    for column, wide in zip(columns, _widths(columns, least, room), strict=True):
        heading = Text(folded(column.heading, wide))
        justify = "right" if column.numbers else "left"
        table.add_column(heading, justify=justify, width=wide, overflow="fold")  # type: ignore[arg-type]
        texts.append(
            [_number(cell) if column.numbers else Text(folded(cell, wide)) for cell in column.cells]
        )
    for row in zip(*texts, strict=True):
        table.add_row(*row)
    return table


def _number(cell: str) -> Text:
    """A number; what it was computed from stands below it."""
    number, *below = cell.split("\n")
    if not below:
        return Text(number)
    return Text("\n").join([Text(number, "bold"), *(Text(line, "dim") for line in below)])


def _widths(columns: Sequence[TextColumn], least: Sequence[int], room: int) -> list[int]:
    """Widths of columns: what is left over goes to those that want it, to all alike."""
    found = list(least)
    natural = [max(column.natural, given) for column, given in zip(columns, least, strict=True)]
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
        for column in columns[names:]:
            texts = column.cells[row].split("\n")
            while len(lines.columns) <= len(texts):
                lines.add_column(justify="right")
            heading = column.heading.replace("\n", " ")
            lines.add_row(Text(f"  {heading}"), *map(Text, texts))
        name = ", ".join(column.cells[row] for column in columns[:names])
        parts += [Text(name, "bold"), lines]
    return Group(*parts)
