"""Tables that fit a terminal: nothing is split inside a word or a number.

A table that is too wide is set closer, and its headings and names are folded at blanks and after
punctuation. If that is not enough, its columns are divided among several tables, one below the
other, which all begin with the columns that name a row. If even that does not fit, every row
becomes a list.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from eai.table.folding import fold_text, longest_piece

_MAX_WHOLE_NAME = 15
"""Maximum number of characters of names that stay on one line, even if that takes more tables."""


class TextColumn(NamedTuple):
    """A column as text.

    Args:
        cells: The cells; a cell may have several lines.
        numbers: Whether cells are numbers, which are set to the right and never folded.
    """

    heading: str
    cells: Sequence[str]
    numbers: bool

    @property
    def natural(self) -> int:
        """Least width in which nothing is folded."""
        return max(1, *map(_width, (self.heading, *self.cells)))

    @property
    def least(self) -> int:
        """The least width in which no word or number is split.

        It is not 0: rich gives an empty column a width, too.
        """
        width_of = longest_piece
        if self.numbers:
            width_of = _width
        return max(1, longest_piece(self.heading), *map(width_of, self.cells))


def _width(text: str) -> int:
    """Return the width of the widest line of a text."""
    return max(map(cell_len, text.split("\n")))


def fit_to_width(
    title: str, columns: Sequence[TextColumn], width: int, *, close: bool = False
) -> Iterator[RenderableType]:
    """Yield a table for rich, several tables, or a list, depending on the width.

    Args:
        title: The title.
        columns: The columns.
        width: Width of the terminal.
        close: Whether columns stand close together in any case.
    """
    if not columns:
        yield Text(title, "italic")
        return
    name_count = _count_name_columns(columns)
    # Minimum widths of all columns: first with short names on one line, then with folded names.
    widths_with_folded_names = [column.least for column in columns]
    widths_with_whole_names = list(widths_with_folded_names)
    for index, column in enumerate(columns[:name_count]):
        whole_name = min(column.natural, max(_MAX_WHOLE_NAME, column.least))
        widths_with_whole_names[index] = whole_name
    for min_widths in (widths_with_whole_names, widths_with_folded_names):
        # Wide columns have three blanks between them, close ones a single one.
        if not close and sum(min_widths) + 3 * len(columns) + 1 <= width:
            yield _make_table(title, columns, min_widths, width - 3 * len(columns) - 1, 1)
            return
        parts = _divide_columns(min_widths, name_count, width)
        if parts:
            yield from _tables_of_parts(title, columns, min_widths, name_count, parts, width)
            return
    yield _rows_as_list(title, columns, name_count)


def _tables_of_parts(
    title: str,
    columns: Sequence[TextColumn],
    min_widths: Sequence[int],
    name_count: int,
    parts: Sequence[Sequence[int]],
    width: int,
) -> Iterator[RenderableType]:
    """Yield a table for each part of the columns, each with the row names.

    Args:
        title: The title, which stands above the first table.
        columns: All columns.
        min_widths: Their minimum widths.
        name_count: Number of columns that name the rows.
        parts: The indices of the other columns, by table.
        width: Width of the terminal.
    """
    for part_index, part in enumerate(parts):
        if part_index > 0:
            title = ""
            yield ""
        indices = [*range(name_count), *part]
        part_columns = [columns[index] for index in indices]
        part_widths = [min_widths[index] for index in indices]
        room = width - (len(indices) - 1)  # one blank between two columns
        yield _make_table(title, part_columns, part_widths, room, 0)


def _count_name_columns(columns: Sequence[TextColumn]) -> int:
    """Return how many columns at the left name the rows."""
    for index, column in enumerate(columns):
        if column.numbers:
            return max(1, index)
    return len(columns)


def _divide_columns(min_widths: Sequence[int], name_count: int, width: int) -> list[list[int]]:
    """Return the column indices of each table, without those of the row names.

    There are as few tables as fit, with about as many columns each; none if a column has no room
    beside the names.

    Args:
        min_widths: Minimum widths of the columns.
        name_count: Number of columns that name a row.
        width: Width of the terminal.
    """
    names_width = sum(min_widths[:name_count]) + name_count - 1
    other_columns = range(name_count, len(min_widths))
    if not other_columns:
        if names_width > width:
            return []
        return [[]]
    for table_count in range(1, len(other_columns) + 1):
        size = math.ceil(len(other_columns) / table_count)
        parts = []
        widest = 0
        for start in range(0, len(other_columns), size):
            part = list(other_columns[start : start + size])
            parts.append(part)
            # A blank stands before each column.
            widest = max(widest, sum(min_widths[index] + 1 for index in part))
        if names_width + widest <= width:
            return parts
    return []


def _make_table(
    title: str, columns: Sequence[TextColumn], min_widths: Sequence[int], room: int, padding: int
) -> Table:
    """Return a table for rich.

    Args:
        title: The title.
        columns: The columns.
        min_widths: Their minimum widths.
        room: The room for all columns, without blanks between them.
        padding: Number of blanks on either side of a cell.
    """
    title_text = None
    if title:
        title_text = Text(title)
    table = Table(
        title=title_text,
        title_justify="left",
        box=SIMPLE_HEAD,
        padding=(0, padding),
        show_edge=padding > 0,
    )
    texts = []
    for column, width in zip(columns, _share_room(columns, min_widths, room), strict=True):
        heading = Text(fold_text(column.heading, width))
        if column.numbers:
            table.add_column(heading, justify="right", width=width, overflow="fold")
            texts.append(list(map(_number_with_counts, column.cells)))
        else:
            table.add_column(heading, justify="left", width=width, overflow="fold")
            texts.append([Text(fold_text(cell, width)) for cell in column.cells])
    for row in zip(*texts, strict=True):
        table.add_row(*row)
    return table


def _number_with_counts(cell: str) -> Text:
    """Return a number as text, with its counts on the lines below."""
    number, *count_lines = cell.split("\n")
    if not count_lines:
        return Text(number)
    lines = [Text(number, "bold")]
    for line in count_lines:
        lines.append(Text(line, "dim"))
    return Text("\n").join(lines)


def _share_room(columns: Sequence[TextColumn], min_widths: Sequence[int], room: int) -> list[int]:
    """Return column widths, giving the remaining room in turn to those that need it."""
    widths = list(min_widths)
    natural_widths = []
    for column, min_width in zip(columns, min_widths, strict=True):
        natural_widths.append(max(column.natural, min_width))
    room_left = room - sum(widths)
    # A character for each column in turn, so that a very wide one does not take all the room.
    while room_left > 0 and widths != natural_widths:
        for index, natural_width in enumerate(natural_widths):
            if room_left > 0 and widths[index] < natural_width:
                widths[index] += 1
                room_left -= 1
    return widths


def _rows_as_list(title: str, columns: Sequence[TextColumn], name_count: int) -> Group:
    """Return the rows as a list: the name of each row, and a line for each other column.

    Args:
        title: The title above the list.
        columns: The columns of the table.
        name_count: How many columns at the left name the rows.
    """
    parts: list[RenderableType] = [Text(title, "italic")]
    for row in range(len(columns[0].cells)):
        lines = Table.grid(padding=(0, 1))
        lines.add_column()
        for column in columns[name_count:]:
            texts = column.cells[row].split("\n")
            # A cell may have counts and bounds, each in its own column of the grid.
            while len(lines.columns) <= len(texts):
                lines.add_column(justify="right")
            heading = column.heading.replace("\n", " ")
            lines.add_row(Text(f"  {heading}"), *[Text(text) for text in texts])
        name = ", ".join(column.cells[row] for column in columns[:name_count])
        parts += [Text(name, "bold"), lines]
    return Group(*parts)
