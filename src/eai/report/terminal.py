"""A report as text: tables for a terminal, and the same without colour or special characters."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.box import ASCII, SIMPLE_HEAD, Box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from eai.report.aggregate import Metric
from eai.report.layout import (
    GOALS,
    INTERVAL_NOTE,
    RATES,
    TRAJECTORY,
    bounds,
    heading,
    percent,
    small_print,
)
from eai.report.printable import encodable, short

if TYPE_CHECKING:
    from eai.report.report import Report

__all__ = ["blocks", "plain"]

# Short, so that the tables fit 80 columns; a model's name folds into what is left.
_HEADS = {
    "task_success_rate": "Task SR",
    "execution_success_rate": "Exec. SR",
    "parsing": "Parsing",
    "hallucination": "Halluc.",
    "predicate_argument_number": "Arg.\nNum",
    "wrong_order": "Wrong\nOrder",
    "missing_step": "Missing\nStep",
    "affordance_error": "Afford.",
    "additional_step": "Addit.\nStep",
    "state_goal": "State Goal",
    "relation_goal": "Relation Goal",
    "action_goal": "Action Goal",
    "total_goal": "Total",
}


_TABLES = {
    "Trajectories (% of tasks, counts below)": TRAJECTORY,
    "Goal conditions (% met, counts below)": GOALS,
}
_SHORTEST_NAME = 8
"""A model's name folds into no less than this."""


def blocks(
    report: Report, *, encoding: str = "utf-8", box: Box = SIMPLE_HEAD, width: int = 100
) -> Iterator[RenderableType]:
    """Yield the parts of a report for rich, top to bottom.

    Args:
        report: The report.
        encoding: What the stream can express; anything else is shown as an escape.
        box: The frame of the tables; by default lines, which rich replaces where the stream
            cannot express them.
        width: Number of columns; where a table does not fit, a list takes its place.
    """
    yield _text(heading(report), encoding, "bold")
    if report.models:
        for title, keys in _TABLES.items():
            yield ""
            yield _metrics(report, title, keys, encoding, box, width)
        yield ""
        yield _text(INTERVAL_NOTE, encoding, "dim")
    else:
        yield "There are no records."
    for line in small_print(report):
        yield _text(line, encoding)


def plain(report: Report, *, width: int = 100) -> str:
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
    report: Report, title: str, keys: tuple[str, ...], encoding: str, box: Box, width: int
) -> RenderableType:
    """A table, or a list where a table would have to lose columns."""
    narrow = _table(report, title, keys, encoding, box, _SHORTEST_NAME)
    if Console(width=1000).measure(narrow).maximum > width:
        return _list(report, title, keys, encoding)
    return _table(report, title, keys, encoding, box)


def _table(
    report: Report,
    title: str,
    keys: tuple[str, ...],
    encoding: str,
    box: Box,
    name_width: int | None = None,
) -> Table:
    table = Table(
        title=title,
        title_justify="left",
        box=box,
        padding=0,
        show_edge=box is not SIMPLE_HEAD,
        show_lines=box is not SIMPLE_HEAD,
    )
    table.add_column("Model", overflow="fold", min_width=_SHORTEST_NAME, max_width=name_width)
    for key in keys:
        table.add_column(_HEADS[key], justify="right", no_wrap=True)
    for model, found in _found(report):
        table.add_row(_text(model, encoding), *(_cell(found[key]) for key in keys))
    return table


def _list(report: Report, title: str, keys: tuple[str, ...], encoding: str) -> Group:
    parts: list[RenderableType] = [Text(title, "italic")]
    for model, found in _found(report):
        lines = Table.grid(padding=(0, 1))
        for justify in ("left", "right", "right", "right"):
            lines.add_column(justify=justify)
        for key in keys:
            lines.add_row(_HEADS[key].replace("\n", " "), *_parts(found[key]))
        parts += [_text(model, encoding, "bold"), lines]
    return Group(*parts)


def _found(report: Report) -> Iterator[tuple[str, dict[str, Metric]]]:
    for model in report.models:
        yield short(model, 200), {metric.key: metric for metric in report.metrics(model)}


def _parts(metric: Metric) -> tuple[Text, Text, Text]:
    """Percentage, counts and interval (empty if none is shown)."""
    counts = str(metric.numerator)
    if metric.unit == "conditions":
        counts = f"{counts}/{metric.denominator}"
    interval = bounds(metric) if metric.key in RATES else ""
    return Text(percent(metric), "bold"), Text(counts, "dim"), Text(interval, "dim")


def _cell(metric: Metric) -> Text:
    lines = [part for part in _parts(metric) if part]
    return Text("\n").join(lines)
