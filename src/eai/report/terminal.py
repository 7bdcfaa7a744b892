"""A report as text: tables for a terminal, and the same without colour or special characters."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.box import ASCII, SIMPLE_HEAD, Box
from rich.console import Console, RenderableType
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
from eai.report.printable import encodable

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


def blocks(
    report: Report, *, encoding: str = "utf-8", box: Box = SIMPLE_HEAD
) -> Iterator[RenderableType]:
    """Yield the parts of a report for rich, top to bottom.

    Args:
        report: The report.
        encoding: What the stream can express; anything else is shown as an escape.
        box: The frame of the tables; by default lines, which rich replaces where the stream
            cannot express them.
    """
    yield _text(heading(report), encoding, "bold")
    if report.models:
        yield ""
        yield _table(report, "Trajectories (% of tasks, counts below)", TRAJECTORY, encoding, box)
        yield ""
        yield _table(report, "Goal conditions (% met, counts below)", GOALS, encoding, box)
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
    for block in blocks(report, box=ASCII):
        console.print(block)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


def _text(line: str, encoding: str, style: str = "") -> Text:
    return Text(encodable(line, encoding), style)


def _table(report: Report, title: str, keys: tuple[str, ...], encoding: str, box: Box) -> Table:
    table = Table(
        title=title,
        title_justify="left",
        box=box,
        padding=0,
        show_edge=box is not SIMPLE_HEAD,
        show_lines=box is not SIMPLE_HEAD,
    )
    table.add_column("Model", overflow="fold", min_width=8)
    for key in keys:
        table.add_column(_HEADS[key], justify="right", no_wrap=True)
    for model in report.models:
        found = {metric.key: metric for metric in report.metrics(model)}
        table.add_row(_text(model, encoding), *(_cell(found[key]) for key in keys))
    return table


def _cell(metric: Metric) -> Text:
    counts = str(metric.numerator)
    if metric.unit == "conditions":
        counts = f"{counts}/{metric.denominator}"
    lines = [(percent(metric), "bold"), (f"\n{counts}", "dim")]
    if metric.key in RATES:
        lines.append((f"\n{bounds(metric)}", "dim"))
    return Text.assemble(*lines)
