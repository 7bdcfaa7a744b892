"""A report as HTML: one page that needs no network, and a part for Jupyter.

Three things keep hostile answers harmless: unsafe characters are named before they are shown
(:mod:`eai.report.printable`), values are escaped (:mod:`eai.report.page.markup`) or become text
nodes, never markup (:mod:`eai.report.page.browser`), and the content security policy forbids
frames, forms, anything remote, and every script but that of the page, which it names by its hash.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from eai.report.aggregate import Tally
from eai.report.comparison import compare
from eai.report.files import replacing
from eai.report.metrics import View
from eai.report.page.browser import browser_parts, browser_style, policy
from eai.report.page.details import Reader
from eai.report.page.markup import Bar, ModelView, bars, escape, overview
from eai.report.printable import printable_line, short
from eai.report.results import Results
from eai.report.tables.layout import heading, small_print

__all__ = ["fragment", "write_html"]

_OTHER_ERRORS = {
    "no_answer": "No prediction",
    "beyond_budget": "Beyond the budget",
    "unscorable": "Unscorable",
}

_HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<main>
<h1>Report</h1>
"""

_MOST_ITEMS = 20_000
"""So many items are listed on a page; the record file has all."""

_MOST_COMPARED = 4
"""So many models are compared on a page, each with each."""

_MOST_IN_MEMORY = 100_000
"""So many records may be held at once, to compare models task by task."""


def write_html(
    report: Results,
    path: str | os.PathLike[str],
    *,
    force: bool = False,
    reader: Reader | None = None,
) -> None:
    """Write the page (see :meth:`eai.report.report.Report.to_html`)."""
    with replacing(path, force=force) as stream:
        stream.writelines(_page(report, reader))


def fragment(report: Results) -> str:
    """Return the overview table with its small print, as a part of an HTML page."""
    return _overview(report, _models(report))


def _page(report: Results, reader: Reader | None) -> Iterator[str]:
    """The page in parts, so that few items are held in memory."""
    models = _models(report)
    style = Path(__file__).with_name("page.css").read_text("utf-8") + browser_style()
    title = escape(_title(report))
    yield _HEAD.format(policy=policy(), title=title, style=style)
    yield _overview(report, models)
    yield from _comparison(report)
    yield "<h2>Errors</h2>\n"
    yield from (f"{bars(model)}\n" for model in models)
    yield "<h2>Items</h2>\n"
    records = report.records[:_MOST_ITEMS]
    if len(records) < len(report.records):
        yield f"<p>The first {len(records):,} of {len(report.records):,} items are listed.</p>\n"
    yield from browser_parts(records, reader)
    yield "</main>\n</body>\n</html>\n"


def _comparison(report: Results) -> Iterator[str]:
    """What can be concluded from the differences between few models."""
    few = len(report.records) <= _MOST_IN_MEMORY
    if not few or not 2 <= len(report.models) <= _MOST_COMPARED:
        return
    yield "<h2>Do they differ?</h2>\n<ul>\n"
    found = compare(report)
    told = (*found.conclusions, *found.notes)
    yield from (f"<li>{escape(printable_line(line))}</li>\n" for line in told)
    yield "</ul>\n"


def _title(report: Results) -> str:
    return printable_line(heading(report))


def _overview(report: Results, models: list[ModelView]) -> str:
    columns = report.view.metrics(Tally())
    spans = Counter(metric.group for metric in columns)
    groups = [(label, spans[group]) for group, label in report.view.groups.items()]
    remarks = map(printable_line, small_print(report))
    return overview(_title(report), groups, columns, models, remarks)


def _models(report: Results) -> list[ModelView]:
    return [_model(report, name) for name in report.models]


def _model(report: Results, name: str) -> ModelView:
    counts = report.tally(name)
    view = report.view
    return ModelView(short(name, 200), view.metrics(counts), _bars(view, counts))


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
