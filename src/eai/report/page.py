"""A report as HTML: one page that needs no network and runs no script, and a part for Jupyter.

Three things keep hostile answers harmless: unsafe characters are named before they are shown
(:mod:`eai.report.printable`), the templates escape every value, and the page forbids script,
frames, forms and anything remote by its content security policy.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from jinja2 import Environment, FunctionLoader, StrictUndefined

from eai.report.aggregate import Tally
from eai.report.files import replacing
from eai.report.item import Item, item
from eai.report.layout import INTERVAL_NOTE, bounds, heading, percent, small_print
from eai.report.metric import Metric
from eai.report.metrics import View
from eai.report.printable import printable_line, short

if TYPE_CHECKING:
    from eai.report.report import Report

__all__ = ["fragment", "write_html"]

_OTHER_ERRORS = {"no_answer": "No prediction", "unscorable": "Unscorable"}


@dataclass(frozen=True, slots=True)
class Bar:
    """One line of the error breakdown.

    Args:
        label: What was counted.
        text: The count in words.
        width: Length of the bar in percent, 0 to 100.
    """

    label: str
    text: str
    width: float


@dataclass(frozen=True, slots=True)
class ModelView:
    """What the page shows of one model.

    Args:
        name: Its name, printable.
        metrics: Its metrics.
        bars: Its error breakdown.
        failures: Number of failed items.
        items: The failed items, made one at a time.
    """

    name: str
    metrics: list[Metric]
    bars: list[Bar]
    failures: int
    items: Iterator[Item]


def write_html(report: Report, path: str | os.PathLike[str], *, force: bool = False) -> None:
    """Write the page (see :meth:`eai.report.report.Report.to_html`)."""
    with replacing(path, force=force) as stream:
        page = _environment().get_template("page.html.j2").stream(_shown(report))
        page.enable_buffering(100)
        stream.writelines(page)


def fragment(report: Report) -> str:
    """Return the overview table with its small print, as a part of an HTML page."""
    return _environment().get_template("overview.html.j2").render(_shown(report))


@cache
def _environment() -> Environment:
    folder = resources.files("eai.report")
    environment = Environment(
        autoescape=True,
        loader=FunctionLoader(lambda name: folder.joinpath(name).read_text("utf-8")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(percent=percent, bounds=bounds)
    return environment


def _shown(report: Report) -> dict[str, object]:
    columns = report.view.metrics(Tally())
    spans = Counter(metric.group for metric in columns)
    groups = {label: spans[group] for group, label in report.view.groups.items()}
    return {
        "title": printable_line(heading(report)),
        "groups": groups,
        "columns": columns,
        "models": [_model(report, name) for name in report.models],
        "remarks": [printable_line(line) for line in small_print(report)],
        "interval_note": INTERVAL_NOTE,
    }


def _model(report: Report, name: str) -> ModelView:
    counts = report.tally(name)
    failures = report.failures(name)
    return ModelView(
        short(name, 200),
        report.view.metrics(counts),
        _bars(report.view, counts),
        len(failures),
        map(item, failures),
    )


def _bars(view: View, counts: Tally) -> list[Bar]:
    found = view.metrics(counts)
    return [
        *(
            _bar(label, counts.items[key], counts.tasks, "tasks")
            for key, label in _OTHER_ERRORS.items()
            if key in counts.items
        ),
        *(
            _bar(metric.label, metric.numerator, metric.denominator, metric.unit)
            for metric in found
            if metric.group in view.errors
        ),
        *(
            _bar(
                f"Unmet {metric.label}s",
                metric.denominator - metric.numerator,
                metric.denominator,
                metric.unit,
            )
            for metric in found
            if metric.unit == "conditions" and metric.key != "total_goal"
        ),
    ]


def _bar(label: str, count: int, of: int, unit: str) -> Bar:
    text = f"{count} in {of} tasks" if unit == "occurrences" else f"{count} of {of} {unit}"
    return Bar(label, text, round(min(100.0, 100.0 * count / of), 2) if of else 0.0)
