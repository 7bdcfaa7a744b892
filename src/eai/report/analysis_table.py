"""The result of an analysis: rows with names, numbers and counts."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eai.errors import MissingExtraError
from eai.report.files import replacing
from eai.report.printable import encodable, printable_line, short, spreadsheet

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console, ConsoleOptions, RenderResult

__all__ = ["AnalysisTable", "Cell"]

Cell = str | int | float | None
"""Text, a count, a number (percent, unless the heading says otherwise), or nothing."""


@dataclass(frozen=True)
class AnalysisTable:
    """Rows of an analysis.

    Args:
        title: What it shows.
        rows: One mapping of heading to cell for each row; all have the same headings.
        notes: What the numbers are out of, and what was left out.
    """

    title: str
    rows: Sequence[Mapping[str, Cell]]
    notes: tuple[str, ...] = ()

    @classmethod
    def by_model(
        cls, title: str, rows: Sequence[Mapping[str, Cell]], notes: tuple[str, ...] = ()
    ) -> AnalysisTable:
        """Make a table of rows with a model; a single one is named in the title instead.

        Args:
            title: What the table shows.
            rows: The rows, all with the heading ``model``.
            notes: What the numbers are out of, and what was left out.
        """
        models = {row["model"] for row in rows}
        if len(models) != 1:
            return cls(title, rows, notes)
        short_rows = [{key: row[key] for key in row if key != "model"} for row in rows]
        return cls(f"{title}: {models.pop()}", short_rows, notes)

    @property
    def headings(self) -> tuple[str, ...]:
        """The headings, in order; none if there are no rows."""
        return tuple(self.rows[0]) if self.rows else ()

    def table(self) -> pd.DataFrame:
        """Return the rows as a data frame; its ``attrs`` hold title and notes.

        Raises:
            MissingExtraError: If pandas is not installed.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise MissingExtraError("pandas", extra="pandas", purpose="a table") from error
        frame: pd.DataFrame = pd.DataFrame(list(self.rows), columns=list(self.headings))
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
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(self.headings)
            writer.writerows([_plain(cell) for cell in row.values()] for row in self.rows)

    def __str__(self) -> str:
        from rich.console import Console

        stream = io.StringIO()
        Console(file=stream, width=120, color_system=None).print(self)
        return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text

        from eai.report.fitting import TextColumn, fitted

        def text(line: str) -> str:
            return encodable(line, options.encoding)

        cells = zip(*self._texts(), strict=True) if self.rows else ()
        columns = [
            TextColumn(text(heading), [text(cell) for cell in column], self._numbers(heading))
            for heading, column in zip(self.headings, cells, strict=True)
        ]
        yield from fitted(text(self.title), columns, options.max_width)
        for note in self.notes:
            yield Text(text(printable_line(note)))

    def _numbers(self, heading: str) -> bool:
        return all(not isinstance(row[heading], str) for row in self.rows)

    def _texts(self) -> Iterator[list[str]]:
        digits = {name: _digits(name, (row[name] for row in self.rows)) for name in self.headings}
        for row in self.rows:
            yield [_shown(cell, digits[name]) for name, cell in row.items()]

    def _repr_html_(self) -> str:
        from eai.display import shown, stacked, table

        title = printable_line(self.title)
        notes = (f"<p><small>{shown(printable_line(note))}</small></p>" for note in self.notes)
        return stacked(table(self.headings, self._texts(), caption=title), *notes)


def _digits(heading: str, cells: Iterable[Cell]) -> int:
    """Decimals of a column: percentages have one, what is at most 1 (correlations) three."""
    if "%" in heading:
        return 1
    numbers = [abs(cell) for cell in cells if isinstance(cell, float)]
    return 3 if max(numbers, default=2.0) <= 1 else 1


def _shown(cell: Cell, digits: int) -> str:
    if cell is None:
        return "-"
    if isinstance(cell, float):
        return f"{cell:.{digits}f}"
    return short(cell, 300) if isinstance(cell, str) else str(cell)


def _plain(cell: Cell) -> str:
    if isinstance(cell, str):
        return spreadsheet(cell)
    if isinstance(cell, float):
        return f"{cell:.4f}"
    return "" if cell is None else str(cell)
