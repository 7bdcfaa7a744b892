"""Tables: the one value behind everything that is shown in rows, and its renderers.

A terminal, a notebook, LaTeX, Markdown, CSV and data frames show the same :class:`Table`.
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from eai.display import shown
from eai.errors import MissingExtraError
from eai.files import replacing
from eai.text import encodable, markdown, printable_line, short, spreadsheet

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

    from eai.table.latex import LatexColumn


class Measured(NamedTuple):
    """A number with the counts from which it was computed.

    Args:
        value: The number, in percent; None if it is undefined.
        mark: Mark behind it, which the notes of the table explain.
        digits: Decimals; two where it is not percent.
    """

    value: float | None
    counts: str = ""
    interval: tuple[float, float] | None = None
    mark: str = ""
    digits: int = 1

    @property
    def bounds(self) -> str:
        """The interval (``"66.2-76.3"``); empty if there is none."""
        bounds = self.interval or ()
        return "-".join(f"{bound:.{self.digits}f}" for bound in bounds)

    def text(self, undefined: str = "-") -> str:
        """Return the number; percentages have one decimal, as the paper prints them."""
        if self.value is None:
            return undefined
        return f"{self.value:.{self.digits}f}{self.mark}"


class Probability(float):
    """A p-value, printed so that small ones are not 0."""

    def __str__(self) -> str:
        return "< 0.001" if self < 0.001 else f"{self:.3f}"


class Amount(float):
    """An amount such as a cost, printed with the digits that it has."""

    def __str__(self) -> str:
        return f"{float(self):.6g}"


class Points(str):
    """A difference in points, which HTML tables colour by size."""

    __slots__ = ()

    @property
    def style(self) -> str:
        """Style in CSS: blue above zero, orange below, full from 50 points on."""
        points = float(self.rstrip("*") or 0)
        hue = "0 114 178" if points > 0 else "213 94 0"
        return f"text-align: right; background: rgb({hue} / {min(abs(points), 50) / 100})"


Cell = str | int | float | Measured | None
"""Text, a count, a number (percent, unless the heading says otherwise), or nothing."""


class Column(NamedTuple):
    """A column of a table.

    Args:
        key: Key of its cells in the rows.
        heading: Heading in print; by default the key.
        short: Heading in a terminal, lines separated by a line break; by default the heading.
        span: A heading that neighbouring columns share in print; empty if there is none.
        ranged: Whether the cells are measured and their intervals are printed.
        digits: Decimals; by default one in percentages, and three in numbers up to 1.
        is_score: Whether higher is better, so that the highest is bold in LaTeX.
    """

    key: str
    heading: str = ""
    short: str = ""
    span: str = ""
    ranged: bool = False
    digits: int | None = None
    is_score: bool = False

    @property
    def label(self) -> str:
        """Heading in print."""
        return self.heading or self.key


@dataclass(frozen=True)
class Table:
    """Rows with headings, a title and notes.

    Args:
        rows: One mapping of key to cell for each row; all have the same keys.
        notes: Sentences about denominators, and about anything that was left out.
        columns: The columns, in order; by default one for each key of the first row.
        caption: The title in print, if that is another.
        close: Whether columns stand close together in a terminal, as texts need the room.
    """

    title: str
    rows: Sequence[Mapping[str, Cell]] = ()
    notes: tuple[str, ...] = ()
    columns: tuple[Column, ...] = field(default=(), repr=False)
    caption: str = field(default="", repr=False)
    close: bool = field(default=False, repr=False)

    def __post_init__(self) -> None:
        if not self.columns and self.rows:
            object.__setattr__(self, "columns", tuple(map(Column, self.rows[0])))

    @classmethod
    def by_model(
        cls, title: str, rows: Sequence[Mapping[str, Cell]], notes: tuple[str, ...] = ()
    ) -> Table:
        """Return a table of rows by model. A single model is named in the title instead.

        Args:
            title: Title of the table.
            rows: The rows, all with the key ``model``.
            notes: Sentences about denominators, and about anything that was left out.
        """
        models = {row["model"] for row in rows}
        if len(models) != 1:
            return cls(title, rows, notes)
        short_rows = []
        for row in rows:
            short_row = dict(row)
            del short_row["model"]
            short_rows.append(short_row)
        return cls(f"{title}: {models.pop()}", short_rows, notes)

    @classmethod
    def joined(cls, title: str, parts: Sequence[tuple[Mapping[str, Cell], Table]]) -> Table:
        """Return one table with the rows of several tables.

        Args:
            title: Title of the table.
            parts: The tables, each with cells that are put before its rows, by heading. A heading
                that a table does not have is empty in its rows.
        """
        rows: list[dict[str, Cell]] = []
        keys: dict[str, None] = {}  # in the order in which they first occur
        notes: dict[str, None] = {}
        for about, table in parts:
            for row in table.rows:
                rows.append({**about, **row})
                keys.update(dict.fromkeys(rows[-1]))
            notes.update(dict.fromkeys(table.notes))
        # Every row has every key, in the same order.
        empty = dict.fromkeys(keys)
        return cls(title, [{**empty, **row} for row in rows], tuple(notes))

    @property
    def headings(self) -> tuple[str, ...]:
        """The headings, in order; none if there are no rows."""
        return tuple(column.label for column in self.columns)

    # For other programs.

    def table(self) -> pd.DataFrame:
        """Return the rows as a data frame.

        Its ``attrs`` hold the title and the notes.

        Raises:
            MissingExtraError: If pandas is not installed.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise MissingExtraError("pandas", extra="pandas", purpose="a table") from error
        rows = list(map(self._cells_of, self.rows))
        frame: pd.DataFrame = pd.DataFrame(rows, columns=list(self.headings))
        frame.attrs = {"title": self.title, "notes": list(self.notes)}
        return frame

    def to_csv(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the rows as CSV.

        Args:
            path: The file.
            force: Whether an existing file may be replaced.

        Raises:
            OutputExistsError: If there is a file and ``force`` is off.
            InputError: If the file cannot be written.
        """
        with replacing(path, force=force) as stream:
            stream.write(self.csv())

    def csv(self) -> str:
        """Return the rows as CSV."""
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(self.headings)
        for row in self.rows:
            writer.writerow(map(_csv_cell, self._cells_of(row)))
        return stream.getvalue()

    # In print.

    def latex(self, *, label: str = "", ranges: str = "", wide: bool = False) -> str:
        """Return the table for the LaTeX packages booktabs and graphicx.

        It fits a column of a two-column paper: a table that is too wide is divided into blocks,
        one below the other, without intervals. The highest numbers of columns of scores are bold
        if there are several rows; the notes stand below.

        Args:
            label: The label (of ``ref``); by default made from the title.
            ranges: Note about the intervals, if they are printed.
            wide: Whether it spans both columns of the page (``table*``).
        """
        from eai.table.latex import UNDEFINED, label_of, table_text

        rows = list(self._texts(undefined=UNDEFINED))
        columns: list[LatexColumn] = []
        for index, column in enumerate(self.columns):
            columns.append(self._latex_column(column, [row[index] for row in rows]))
        caption = self.caption or self.title
        return table_text(
            columns,
            caption=caption,
            label=label or label_of(caption),
            notes=self.notes,
            ranges=ranges,
            wide=wide,
        )

    def _latex_column(self, column: Column, texts: Sequence[tuple[str, str, str]]) -> LatexColumn:
        """Return a column for LaTeX, with marks and intervals apart from the values.

        Args:
            column: The column.
            texts: For each row the value, its counts and its interval.
        """
        from eai.table.latex import LatexColumn

        cells = [row[column.key] for row in self.rows]
        values: list[str] = []
        marks: list[str] = []
        bounds: list[str] = []
        for cell, (value, _, interval) in zip(cells, texts, strict=True):
            mark = cell.mark if isinstance(cell, Measured) else ""
            # Marks take no room, so they are set apart from the values.
            values.append(value.removesuffix(mark))
            marks.append(mark)
            bounds.append(interval)
        best = frozenset[int]()
        if column.is_score:
            best = _best_rows(cells)
        return LatexColumn(
            heading=column.short or column.label,
            span=column.span,
            cells=values,
            marks=marks,
            bounds=bounds,
            is_number=self._has_numbers(column),
            best=best,
        )

    def markdown(self) -> str:
        """Return the table as Markdown, without title and notes."""
        headings: list[str] = []
        rules: list[str] = []
        for column in self.columns:
            headings.append(markdown(f"{column.span} {column.label}".strip()))
            rules.append("---:" if self._has_numbers(column) else "---")
        lines = [headings, rules]
        for texts in self._texts():
            cells: list[str] = []
            for value, _, bounds in texts:
                interval = f" ({bounds})" if bounds else ""
                cells.append(f"{markdown(value)}{interval}")
            lines.append(cells)
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)

    # In a terminal.

    def blocks(self, *, encoding: str = "utf-8", width: int = 120) -> Iterator[RenderableType]:
        """Yield the parts of the table for rich in a given width, then the notes.

        Args:
            encoding: Encoding of the stream; other characters are shown as escapes.
            width: Number of columns of the terminal.
        """
        from rich.text import Text

        from eai.table.terminal import TextColumn, fit_to_width

        texts = list(self._texts())
        columns = []
        for index, column in enumerate(self.columns):
            heading = _encodable(column.short or column.label, encoding)
            cells = []
            for row in texts:
                # Value, counts and bounds, each on a line of its own if it is there.
                lines = [text for text in row[index] if text]
                cells.append(_encodable("\n".join(lines), encoding))
            columns.append(TextColumn(heading, cells, self._has_numbers(column)))
        all_cells = chain.from_iterable(row.values() for row in self.rows)
        has_measured = any(isinstance(cell, Measured) for cell in all_cells)
        title = encodable(self.title, encoding)
        yield from fit_to_width(title, columns, width, close=has_measured or self.close)
        for note in self.notes:
            yield Text(encodable(note, encoding))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self.blocks(encoding=options.encoding, width=options.max_width)

    def __str__(self) -> str:
        return plain(self.blocks(), width=120)

    # In a notebook, and on a page.

    def html(self) -> Markup:
        """Return the table and its notes as escaped HTML."""
        title = printable_line(self.title)
        items = []
        for note in self.notes:
            items.append(Markup("<li><small>{}</small></li>").format(shown(printable_line(note))))
        note_list = ""
        if items:
            note_list = Markup("<ul>{}</ul>").format(Markup("").join(items))
        template = Markup(
            # In a notebook, whose page has no style for it, a wide table has to scroll as well.
            "<div><p><strong>{}</strong></p>\n"
            '<div class="wide" style="overflow-x: auto" tabindex="0" role="region" '
            'aria-label="{}">\n{}</div>\n{}</div>'
        )
        return template.format(shown(title), shown(title), self._html_table(), note_list)

    def _html_table(self) -> Markup:
        """Return the table without title and notes, or nothing without rows."""
        if not self.rows:
            return Markup("")
        body = []
        for row, lines in zip(self.rows, self._texts(), strict=True):
            cells = []
            for column_index, column in enumerate(self.columns):
                texts = lines[column_index]
                names_row = column_index == 0
                cells.append(self._html_cell(column, row[column.key], texts, names_row=names_row))
            body.append(cells)
        return Markup("<table>\n<thead>\n{}</thead>\n<tbody>\n{}</tbody>\n</table>\n").format(
            _html_rows(self._html_head()), _html_rows(body)
        )

    def _html_head(self) -> list[list[Markup]]:
        """Return one header row, or two if columns share headings."""
        upper_row: list[Markup] = []
        lower_row: list[Markup] = []
        has_spans = any(column.span for column in self.columns)
        cell = Markup('<th scope="col"{}>{}</th>')
        for span, spanned_columns in groupby(self.columns, key=lambda column: column.span):
            attribute = ""
            if has_spans and not span:
                # A heading without a shared one above it takes both rows.
                attribute = Markup(' rowspan="2"')
            headings = []
            for column in spanned_columns:
                headings.append(cell.format(attribute, whole_numbers(column.label)))
            if span:
                shared = Markup('<th scope="colgroup" colspan="{}">{}</th>')
                upper_row.append(shared.format(len(headings), shown(span)))
                lower_row += headings
            else:
                upper_row += headings
        if lower_row:
            return [upper_row, lower_row]
        return [upper_row]

    def _html_cell(
        self, column: Column, cell: Cell, texts: Sequence[str], *, names_row: bool
    ) -> Markup:
        """Return a cell.

        Args:
            column: Its column.
            cell: The cell.
            texts: The cell as text, with its counts and bounds.
            names_row: Whether the cell names the row, as the first one does.
        """
        if isinstance(cell, Measured):
            value, *counts_and_bounds = filter(None, texts)
            lines = Markup("").join(map(Markup("<br><small>{}</small>").format, counts_and_bounds))
            return Markup("<td><b>{}</b>{}</td>").format(value, lines)
        if names_row:
            return Markup('<th scope="row"><bdi>{}</bdi></th>').format(whole_numbers(texts[0]))
        style = ""
        if isinstance(cell, Points):
            style = cell.style
        elif not self._has_numbers(column):
            style = "text-align: left"
        attribute = ""
        if style:
            attribute = Markup(' style="{}"').format(style)
        return Markup("<td{}>{}</td>").format(attribute, shown(texts[0]))

    _repr_html_ = html

    # Cells as text.

    def _cells_of(self, row: Mapping[str, Cell]) -> list[Cell]:
        """Return the cells of a row, in the order of the columns."""
        return [row[column.key] for column in self.columns]

    def _has_numbers(self, column: Column) -> bool:
        """Return whether all cells of a column are numbers."""
        for row in self.rows:
            cell = row[column.key]
            if isinstance(cell, str) and not isinstance(cell, Points):
                return False
        return True

    def _texts(self, undefined: str = "-") -> Iterator[list[tuple[str, str, str]]]:
        """Yield the cells of each row as text, with counts and bounds of measured ones."""
        digits = {}
        for column in self.columns:
            digits[column.key] = _decimals_of(column, [row[column.key] for row in self.rows])
        for row in self.rows:
            texts = []
            for column in self.columns:
                texts.append(_cell_texts(row[column.key], column, digits[column.key], undefined))
            yield texts


_NUMBER = re.compile(r"\d+(?:[.:-]\d+)+")


def whole_numbers(name: str) -> Markup:
    """Return a name as text in HTML that does not break inside dates and version numbers."""
    whole = '<span style="white-space: nowrap">\\g<0></span>'
    return Markup(_NUMBER.sub(whole, str(shown(name))))  # noqa: S704  # digits stay digits


def plain(blocks: Iterable[RenderableType], *, width: int) -> str:
    """Return the output of rich as text without colour."""
    from rich.console import Console

    stream = io.StringIO()
    console = Console(file=stream, width=width, color_system=None)
    for block in blocks:
        console.print(block)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


ELSEWHERE = "†"
"""Mark of a number that was measured under other conditions."""

UNREAD = "‡"
"""Mark of a model some of whose answers could not be read and are left out of all rates."""


def _best_rows(cells: Sequence[Cell]) -> frozenset[int]:
    """Return the rows with the highest printed number, or none if only one has a number.

    Numbers that were measured elsewhere do not count.
    """
    values = {}
    for row, cell in enumerate(cells):
        if isinstance(cell, Measured) and cell.value is not None and cell.mark != ELSEWHERE:
            values[row] = round(cell.value, cell.digits)
    if len(values) < 2:
        return frozenset()
    highest = max(values.values())
    return frozenset(row for row, value in values.items() if value == highest)


def _decimals_of(column: Column, cells: Iterable[Cell]) -> int:
    """Return the number of decimals of a column: one for percentages, three for numbers up to 1."""
    if column.digits is not None:
        return column.digits
    if "%" in column.label:
        return 1
    numbers = [abs(cell) for cell in cells if isinstance(cell, float)]
    if numbers and max(numbers) <= 1:
        return 3
    return 1


def _cell_texts(cell: Cell, column: Column, digits: int, undefined: str) -> tuple[str, str, str]:
    """Return a cell as text, with counts and bounds if it is measured."""
    if isinstance(cell, Measured):
        bounds = ""
        if column.ranged:
            bounds = cell.bounds
        return cell.text(undefined), cell.counts, bounds
    if cell is None:
        text = undefined
    # Probabilities and amounts may be very small: they write themselves.
    elif isinstance(cell, float) and not isinstance(cell, (Probability, Amount)):
        text = f"{cell:.{digits}f}"
    elif isinstance(cell, str):
        text = short(cell, 300)
    else:
        text = str(cell)
    return text, "", ""


def _csv_cell(cell: Cell) -> str:
    """Return a cell for CSV."""
    if isinstance(cell, str):
        return spreadsheet(cell)
    if isinstance(cell, Measured):
        cell = cell.value
    # Before other numbers, as a probability is one: 1e-9 would be 0.0000.
    if isinstance(cell, Probability):
        return f"{float(cell):.4g}"
    if isinstance(cell, Amount):
        return f"{float(cell):.15g}"
    if isinstance(cell, float):
        return f"{cell:.4f}"
    if cell is None:
        return ""
    return str(cell)


def _html_rows(rows: Iterable[Iterable[Markup]]) -> Markup:
    """Return rows of cells as HTML."""
    lines = []
    for row in rows:
        cells = Markup("").join(row)
        lines.append(Markup("<tr>{}</tr>\n").format(cells))
    return Markup("").join(lines)


def _encodable(text: str, encoding: str) -> str:
    """Return a text of several lines with escapes for characters that an encoding lacks."""
    return "\n".join(encodable(line, encoding) for line in text.split("\n"))
