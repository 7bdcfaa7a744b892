"""A report as text: tables for a terminal, and the same without colour or special characters."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence

from rich.box import ASCII, SIMPLE_HEAD, Box
from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from eai.report.fitting import folded, longest_piece
from eai.report.metric import Metric
from eai.report.metrics import Column, Table as Shown
from eai.report.printable import encodable, short
from eai.report.results import Results
from eai.report.tables.layout import INTERVAL_NOTE, bounds, heading, percent, small_print

__all__ = ["blocks", "plain"]

_MODEL = "Model"

_NAME = 15
"""Names of models that are no longer stay on one line: a wide table is rather dealt out to two."""

_IN_PARTS = ("conditions", "matches", "categories", "means")
"""Units of metrics that are not out of all tasks, so their denominators are shown."""


def blocks(
    report: Results, *, encoding: str = "utf-8", box: Box = SIMPLE_HEAD, width: int = 100
) -> Iterator[RenderableType]:
    """Yield the parts of a report for rich, top to bottom.

    Args:
        report: The report.
        encoding: What the stream can express; anything else is shown as an escape.
        box: The frame of the tables; by default lines, which rich replaces where the stream
            cannot express them.
        width: Number of columns; where a table does not fit beside the names of models, it is
            dealt out to two, or a list takes its place.
    """
    yield _text(heading(report), encoding, "bold")
    if report.models:
        for table in report.view.tables:
            yield ""
            yield from _metrics(report, table, encoding, box, width)
        yield ""
        yield _text(INTERVAL_NOTE, encoding, "dim")
    else:
        yield "There are no records."
    for line in small_print(report):
        yield _text(line, encoding)


def plain(report: Results, *, width: int = 100) -> str:
    """Return the report as text without colour, its frame in ASCII.

    Args:
        report: The report.
        width: Number of columns to fill.
    """
    stream = io.StringIO()
    console = Console(file=stream, width=width, color_system=None)
    for block in blocks(report, box=ASCII, width=width):
        console.print(block)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


def _text(line: str, encoding: str, style: str = "") -> Text:
    return Text(encodable(line, encoding), style)


def _metrics(
    report: Results, shown: Shown, encoding: str, box: Box, width: int
) -> Iterator[RenderableType]:
    """A table or two, or a list where a table would have to split a word or a number."""
    names = [encodable(short(model, 200), encoding) for model in report.models]
    least = max(map(longest_piece, names), default=0)
    wanted = max(least, min(_NAME, max(map(cell_len, names), default=0)))
    half = (len(shown.columns) + 1) // 2
    halves = [
        shown._replace(columns=shown.columns[:half]),
        shown._replace(title="", columns=shown.columns[half:]),
    ]
    for parts, fitting in (([shown], wanted), (halves, wanted), ([shown], least)):
        room = min(_room(report, part, box, width) for part in parts)
        if room >= fitting:
            for number, part in enumerate(parts):
                if number:
                    yield ""
                yield _table(report, part, [folded(name, room) for name in names], box)
            return
    yield _list(report, shown, encoding)


def _room(report: Results, shown: Shown, box: Box, width: int) -> int:
    """How wide the names of models may be beside the columns of a table."""
    bare = _table(report, shown, [""] * len(report.models), box)
    return width - Console(width=1000).measure(bare).maximum + len(_MODEL)


def _table(report: Results, shown: Shown, names: Sequence[str], box: Box) -> Table:
    table = Table(
        title=shown.title or None,
        title_justify="left",
        box=box,
        padding=0,
        show_edge=box is not SIMPLE_HEAD,
        show_lines=box is not SIMPLE_HEAD,
    )
    table.add_column(_MODEL)
    for column in shown.columns:
        table.add_column(column.head, justify="right", no_wrap=True)
    for name, (_, found, tasks) in zip(names, _found(report), strict=True):
        cells = (_cell(column, found, tasks) for column in shown.columns)
        table.add_row(Text(name), *cells)
    return table


def _list(report: Results, shown: Shown, encoding: str) -> Group:
    parts: list[RenderableType] = [Text(shown.title, "italic")]
    for model, found, tasks in _found(report):
        lines = Table.grid(padding=(0, 1))
        for justify in ("left", "right", "right", "right"):
            lines.add_column(justify=justify)
        for column in shown.columns:
            lines.add_row(column.head.replace("\n", " "), *_parts(column, found, tasks))
        parts += [_text(model, encoding, "bold"), lines]
    return Group(*parts)


def _found(report: Results) -> Iterator[tuple[str, dict[str, Metric], int]]:
    """Name, metrics and number of tasks of each model."""
    for model in report.models:
        found = {metric.key: metric for metric in report.metrics(model)}
        yield short(model, 200), found, report.tally(model).tasks


def _parts(column: Column, found: Mapping[str, Metric], tasks: int) -> tuple[Text, Text, Text]:
    """Percentage, counts (without a denominator that is all tasks) and interval (or nothing)."""
    metric = found[column.key]
    whole = metric.unit in _IN_PARTS or metric.denominator != tasks
    counts = metric.counts if whole else str(metric.numerator)
    interval = bounds(metric) if column.ranged else ""
    return Text(percent(metric), "bold"), Text(counts, "dim"), Text(interval, "dim")


def _cell(column: Column, found: Mapping[str, Metric], tasks: int) -> Text:
    lines = [part for part in _parts(column, found, tasks) if part]
    return Text("\n").join(lines)
