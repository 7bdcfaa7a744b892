"""Parts of an HTML page, made of values that may hold anything.

Every text of a report goes through :func:`escape` on its way into a part.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from eai.report.metric import Metric
from eai.report.tables.layout import INTERVAL_NOTE, bounds, percent

__all__ = ["Bar", "ModelView", "bars", "escape", "overview"]


class Bar(NamedTuple):
    """One line of the error breakdown.

    Args:
        label: What was counted.
        text: The count in words.
        width: Length of the bar in percent, 0 to 100.
    """

    label: str
    text: str
    width: float


class ModelView(NamedTuple):
    """What the page shows of one model.

    Args:
        name: Its name, printable.
        metrics: Its metrics.
        bars: Its error breakdown.
    """

    name: str
    metrics: Sequence[Metric]
    bars: Sequence[Bar]


def escape(text: str) -> str:
    """Return a text as it stands in an element or in a quoted attribute."""
    return (
        text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("'", "&#39;")
        .replace('"', "&#34;")
    )


def overview(
    title: str,
    groups: Iterable[tuple[str, int]],
    columns: Iterable[Metric],
    models: Sequence[ModelView],
    remarks: Iterable[str],
) -> str:
    """Return the table of all metrics with its title and small print.

    Args:
        title: What was run.
        groups: Headings with the number of columns below.
        columns: The metrics, for their labels.
        models: A row each.
        remarks: The small print.
    """
    lines = ['<div class="eai-report">', f"<p><strong>{escape(title)}</strong></p>"]
    if models:
        spans = (
            f'<th scope="colgroup" colspan="{span}">{escape(label)}</th>' for label, span in groups
        )
        labels = (f'<th scope="col">{escape(column.label)}</th>' for column in columns)
        lines += [
            '<div class="wide" tabindex="0" role="region" aria-label="Metrics">',
            "<table>\n<thead>",
            '<tr><th scope="col" rowspan="2">Model</th>',
            *spans,
            "</tr>\n<tr>",
            *labels,
            "</tr>\n</thead>\n<tbody>",
            *(line for model in models for line in _row(model)),
            "</tbody>\n</table>\n</div>",
            f"<p><small>Percent; below it numerator/denominator. {INTERVAL_NOTE}</small></p>",
        ]
    else:
        lines.append("<p>There are no records.</p>")
    small = (f"<li><small>{escape(line)}</small></li>" for line in remarks)
    return "\n".join([*lines, "<ul>", *small, "</ul>\n</div>"])


def _row(model: ModelView) -> list[str]:
    head = f'<tr><th scope="row"><bdi>{escape(model.name)}</bdi></th>'
    return [head, *map(_cell, model.metrics), "</tr>"]


def _cell(metric: Metric) -> str:
    counts = f"<small>{metric.numerator}/{metric.denominator}</small>"
    ranged = metric.unit == "tasks" and metric.denominator
    interval = f"<br><small>{bounds(metric)}</small>" if ranged else ""
    return f"<td><b>{percent(metric)}</b><br>{counts}{interval}</td>"


def bars(model: ModelView) -> str:
    """Return the error breakdown of a model."""
    return "\n".join(
        [
            f"<section>\n<h3><bdi>{escape(model.name)}</bdi></h3>",
            '<table class="bars">',
            *map(_bar, model.bars),
            "</table>\n</section>",
        ]
    )


def _bar(bar: Bar) -> str:
    none = "" if bar.width else ' class="none"'
    track = f'<td class="track"><span class="bar" style="width:{bar.width}%"></span></td>'
    label = f'<th scope="row">{escape(bar.label)}</th>'
    return f"<tr{none}>{label}{track}<td>{escape(bar.text)}</td></tr>"
