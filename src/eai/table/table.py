"""A table: the one value behind everything that is shown in rows, and its renderers.

Whoever has rows to show makes a :class:`Table`; a terminal, a notebook, LaTeX, Markdown, CSV and
data frames show the same one.
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from eai.display import shown
from eai.errors import MissingExtraError
from eai.files import replacing
from eai.text import encodable, markdown, printable_line, short, spreadsheet

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult


class Measured(NamedTuple):
    """A number with what it was computed from.

    Args:
        value: The number, in percent; None if it is undefined.
        mark: What stands behind it, as the notes of the table say.
        digits: Decimals; two where it is not percent.
    """

    value: float | None
    counts: str = ""
    interval: tuple[float, float] | None = None
    mark: str = ""
    digits: int = 1

    @property
    def bounds(self) -> str:
        """The interval (``"66.2-76.3"``), or nothing if there is none."""
        bounds = self.interval or ()
        return "-".join(f"{bound:.{self.digits}f}" for bound in bounds)

    def text(self, undefined: str = "-") -> str:
        """Return the number; percentages have one decimal, as the paper prints them."""
        return undefined if self.value is None else f"{self.value:.{self.digits}f}{self.mark}"


class Probability(float):
    """A p-value: small ones are not shown as 0."""

    def __str__(self) -> str:
        return "< 0.001" if self < 0.001 else f"{self:.3f}"


class Points(str):
    """A difference in points: the larger it is, the more colour is behind it in HTML."""

    __slots__ = ()

    @property
    def style(self) -> str:
        """Its colour: blue above zero, orange below, full from 50 points on."""
        points = float(self.rstrip("*") or 0)
        hue = "0 114 178" if points > 0 else "213 94 0"
        return f"text-align: right; background: rgb({hue} / {min(abs(points), 50) / 100})"


Cell = str | int | float | Measured | None
"""Text, a count, a number (percent, unless the heading says otherwise), or nothing."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Args:
        key: Under which its cells stand in the rows.
        heading: Its heading in print; by default the key.
        short: Its heading in a terminal, lines separated by a line break; by default the heading.
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
        """Its heading in print."""
        return self.heading or self.key


@dataclass(frozen=True)
class Table:
    """Rows with headings, a title and notes.

    Args:
        rows: One mapping of key to cell for each row; all have the same keys.
        notes: What the numbers are out of, and what was left out.
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
        """Make a table of rows with a model; a single one is named in the title instead.

        Args:
            title: What the table shows.
            rows: The rows, all with the key ``model``.
            notes: What the numbers are out of, and what was left out.
        """
        models = {row["model"] for row in rows}
        if len(models) != 1:
            return cls(title, rows, notes)
        short_rows = [{key: row[key] for key in row if key != "model"} for row in rows]
        return cls(f"{title}: {models.pop()}", short_rows, notes)

    @classmethod
    def joined(cls, title: str, parts: Sequence[tuple[Mapping[str, Cell], Table]]) -> Table:
        """Put tables one below the other.

        Args:
            title: What the table shows.
            parts: The tables, each with what stands before every row of it, by heading. A heading
                that a table does not have is empty in its rows.
        """
        rows = [{**about, **row} for about, table in parts for row in table.rows]
        keys = dict.fromkeys(key for row in rows for key in row)
        notes = dict.fromkeys(note for _, table in parts for note in table.notes)
        return cls(title, [{key: row.get(key) for key in keys} for row in rows], tuple(notes))

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
        frame: pd.DataFrame = pd.DataFrame(
            [[row[column.key] for column in self.columns] for row in self.rows],
            columns=list(self.headings),
        )
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
        writer.writerows([_plain(row[column.key]) for column in self.columns] for row in self.rows)
        return stream.getvalue()

    # In print.

    def latex(self, *, label: str = "", ranges: str = "", wide: bool = False) -> str:
        """Return the table for the LaTeX packages booktabs and graphicx.

        It fits a column of a two-column paper: what has no room beside each other is put below
        each other, without intervals. The highest numbers of columns of scores are bold if there
        are several rows; the notes stand below.

        Args:
            label: The label (of ``ref``); by default made from the title.
            ranges: What the intervals are: a note where they are printed.
            wide: Whether it spans both columns of the page (``table*``).
        """
        from eai.table.latex import UNDEFINED, LatexColumn, label_of, table_text

        texts = list(self._texts(undefined=UNDEFINED))
        columns = []
        for place, column in enumerate(self.columns):
            cells = [row[column.key] for row in self.rows]
            marks = [cell.mark if isinstance(cell, Measured) else "" for cell in cells]
            columns.append(
                LatexColumn(
                    heading=column.short or column.label,
                    span=column.span,
                    cells=[
                        row[place][0].removesuffix(mark)
                        for row, mark in zip(texts, marks, strict=True)
                    ],
                    marks=marks,
                    bounds=[row[place][2] for row in texts],
                    is_number=self._numbers(column),
                    best=_best_rows(cells) if column.is_score else frozenset(),
                )
            )
        caption = self.caption or self.title
        return table_text(
            columns,
            caption=caption,
            label=label or label_of(caption),
            notes=self.notes,
            ranges=ranges,
            wide=wide,
        )

    def markdown(self) -> str:
        """Return the table as Markdown, without title and notes."""
        heads = [markdown(f"{column.span} {column.label}".strip()) for column in self.columns]
        rules = ["---:" if self._numbers(column) else "---" for column in self.columns]
        cells = (
            [
                f"{markdown(value)} ({bounds})" if bounds else markdown(value)
                for value, _, bounds in texts
            ]
            for texts in self._texts()
        )
        lines = (heads, rules, *cells)
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)

    # In a terminal.

    def blocks(self, *, encoding: str = "utf-8", width: int = 120) -> Iterator[RenderableType]:
        """Yield the parts of the table for rich: what fits the width, and the notes.

        Args:
            encoding: What the stream can express; anything else is shown as an escape.
            width: Number of columns of the terminal.
        """
        from rich.text import Text

        from eai.table.terminal import TextColumn, fitted

        found = zip(*self._texts(), strict=True) if self.rows else [()] * len(self.columns)
        columns = [
            TextColumn(
                _encodable(column.short or column.label, encoding),
                [_encodable("\n".join(filter(None, lines)), encoding) for lines in cells],
                self._numbers(column),
            )
            for column, cells in zip(self.columns, found, strict=True)
        ]
        measured = any(isinstance(cell, Measured) for row in self.rows for cell in row.values())
        title = encodable(self.title, encoding)
        yield from fitted(title, columns, width, close=measured or self.close)
        for note in self.notes:
            yield Text(encodable(note, encoding))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self.blocks(encoding=options.encoding, width=options.max_width)

    def __str__(self) -> str:
        return plain(self.blocks(), width=120)

    # In a notebook, and on a page.

    def html(self) -> Markup:
        """Return the table with its notes as HTML, in which no text is markup."""
        title = printable_line(self.title)
        notes = Markup("").join(
            Markup("<li><small>{}</small></li>").format(shown(printable_line(note)))
            for note in self.notes
        )
        below = Markup("<ul>{}</ul>").format(notes) if notes else ""
        whole = Markup(
            # In a notebook, whose page has no style for it, a wide table has to scroll as well.
            "<div><p><strong>{}</strong></p>\n"
            '<div class="wide" style="overflow-x: auto" tabindex="0" role="region" '
            'aria-label="{}">\n{}</div>\n{}</div>'
        )
        return whole.format(shown(title), shown(title), self._html_table(), below)

    def _html_table(self) -> Markup:
        if not self.rows:
            return Markup("")
        upper, lower = list[Markup](), list[Markup]()
        two = any(column.span for column in self.columns)
        for span, of_span in groupby(self.columns, key=lambda column: column.span):
            columns = list(of_span)
            deep = Markup(' rowspan="2"') if two and not span else ""
            heads = [
                Markup('<th scope="col"{}>{}</th>').format(deep, whole_numbers(column.label))
                for column in columns
            ]
            if span:
                text = Markup('<th scope="colgroup" colspan="{}">{}</th>')
                upper.append(text.format(len(columns), shown(span)))
            (lower if span else upper).extend(heads)
        rows = [upper, *([lower] if lower else [])]
        body = [
            [
                self._html_cell(column, row[column.key], texts, first=number == 0)
                for number, (column, texts) in enumerate(zip(self.columns, lines, strict=True))
            ]
            for row, lines in zip(self.rows, self._texts(), strict=True)
        ]
        return Markup("<table>\n<thead>\n{}</thead>\n<tbody>\n{}</tbody>\n</table>\n").format(
            _html_rows(rows), _html_rows(body)
        )

    def _html_cell(
        self, column: Column, cell: Cell, texts: Sequence[str], *, first: bool
    ) -> Markup:
        if isinstance(cell, Measured):
            number, *below = filter(None, texts)
            lines = Markup("").join(map(Markup("<br><small>{}</small>").format, below))
            return Markup("<td><b>{}</b>{}</td>").format(number, lines)
        if first:
            return Markup('<th scope="row"><bdi>{}</bdi></th>').format(whole_numbers(texts[0]))
        style = "" if self._numbers(column) else "text-align: left"
        style = cell.style if isinstance(cell, Points) else style
        attribute = Markup(' style="{}"').format(style) if style else ""
        return Markup("<td{}>{}</td>").format(attribute, shown(texts[0]))

    _repr_html_ = html

    # Cells as text.

    def _numbers(self, column: Column) -> bool:
        cells = (row[column.key] for row in self.rows)
        return all(isinstance(cell, Points) or not isinstance(cell, str) for cell in cells)

    def _texts(self, undefined: str = "-") -> Iterator[list[tuple[str, str, str]]]:
        """The cells of each row as text; measured ones with their counts and bounds."""
        digits = {
            column.key: _digits(column, (row[column.key] for row in self.rows))
            for column in self.columns
        }
        for row in self.rows:
            yield [
                _shown(row[column.key], column, digits[column.key], undefined)
                for column in self.columns
            ]


_NUMBER = re.compile(r"\d+(?:[.:-]\d+)+")


def whole_numbers(name: str) -> Markup:
    """Return a name as text in HTML that does not break inside dates and version numbers."""
    whole = '<span style="white-space: nowrap">\\g<0></span>'
    return Markup(_NUMBER.sub(whole, str(shown(name))))  # noqa: S704  # digits stay digits


def plain(blocks: Iterable[RenderableType], *, width: int) -> str:
    """Return what rich would print, as text without colour."""
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
    """Numbers of the rows with the highest number, as it is printed; none of a single row."""
    values = {
        row: round(cell.value, cell.digits)
        for row, cell in enumerate(cells)
        if isinstance(cell, Measured) and cell.value is not None and cell.mark != ELSEWHERE
    }
    if len(values) < 2:
        return frozenset()
    highest = max(values.values())
    return frozenset(row for row, value in values.items() if value == highest)


def _digits(column: Column, cells: Iterable[Cell]) -> int:
    """Decimals of a column: percentages have one, what is at most 1 (correlations) three."""
    if column.digits is not None:
        return column.digits
    if "%" in column.label:
        return 1
    numbers = [abs(cell) for cell in cells if isinstance(cell, float)]
    return 3 if max(numbers, default=2.0) <= 1 else 1


def _shown(cell: Cell, column: Column, digits: int, undefined: str) -> tuple[str, str, str]:
    if isinstance(cell, Measured):
        return cell.text(undefined), cell.counts, cell.bounds if column.ranged else ""
    if cell is None:
        return undefined, "", ""
    if isinstance(cell, Probability):
        return str(cell), "", ""
    if isinstance(cell, float):
        return f"{cell:.{digits}f}", "", ""
    return short(cell, 300) if isinstance(cell, str) else str(cell), "", ""


def _plain(cell: Cell) -> str:
    if isinstance(cell, str):
        return spreadsheet(cell)
    if isinstance(cell, Measured):
        cell = cell.value
    if isinstance(cell, Probability):
        return f"{float(cell):.4g}"
    if isinstance(cell, float):
        return f"{cell:.4f}"
    return "" if cell is None else str(cell)


def _html_rows(rows: Iterable[Iterable[Markup]]) -> Markup:
    cells = (Markup("").join(row) for row in rows)
    return Markup("").join(Markup("<tr>{}</tr>\n").format(row) for row in cells)


def _encodable(text: str, encoding: str) -> str:
    return "\n".join(encodable(line, encoding) for line in text.split("\n"))
