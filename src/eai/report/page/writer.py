"""A report as one HTML page that needs no network.

Three things keep hostile answers harmless: unsafe characters are named before they are shown
(:mod:`eai.text`); values are escaped by the template, or become text nodes, never markup, by the
page's script; and the content security policy forbids frames, forms, anything remote, and every
script but that of the page, which it names by its hash.
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from eai.errors import InputError
from eai.files import replacing
from eai.report.page.details import Reader
from eai.report.page.items import index, packed, portions
from eai.report.results import Results
from eai.report.tables import heading, metrics_table
from eai.text import printable_line, short

_OTHER_ERRORS = {
    "no_answer": "No prediction",
    "beyond_budget": "Beyond the budget",
    "unscorable": "Unscorable",
}

_MOST_ITEMS = 20_000
"""So many items are listed on a page; the record file has all."""

_MOST_COMPARED = 4
"""So many models are compared on a page, each with each."""

_MOST_IN_MEMORY = 100_000
"""So many records may be held at once, to compare models task by task."""


class Bar(NamedTuple):
    """One line of the error breakdown.

    Args:
        text: The count in words.
        width: Length of the bar in percent, 0 to 100.
    """

    label: str
    text: str
    width: float


def write_html(
    report: Results,
    path: str | os.PathLike[str],
    *,
    force: bool = False,
    reader: Reader | None = None,
) -> None:
    """Write the page (see :meth:`eai.report.report.Report.to_html`)."""
    environment = Environment(
        autoescape=True, trim_blocks=True, undefined=StrictUndefined, keep_trailing_newline=True
    )
    template = environment.from_string(_file("page.html.jinja"))
    records = report.records[:_MOST_ITEMS]
    with replacing(path, force=force) as stream:
        # In parts, so that few items are held in memory.
        stream.writelines(
            template.generate(
                policy=_policy(),
                title=printable_line(heading(report)),
                style=Markup(_file("page.css")),  # noqa: S704  # a file of this package
                metrics=metrics_table(report).html(),
                conclusions=_conclusions(report),
                errors=[(short(model, 200), list(_bars(report, model))) for model in report.models],
                listed=len(records),
                items=len(report.records),
                index=packed(index(records)),
                portions=portions(records, reader),
                script=Markup(_file("page.js")),  # noqa: S704  # a file of this package
            )
        )


def _policy() -> str:
    """The content security policy of the page.

    Nothing may be loaded, and no script may run but the one that is written here: the policy
    names it by its hash. Items are data blocks, which no browser runs.
    """
    digest = hashlib.sha256(_file("page.js").encode("utf-8")).digest()
    script = Markup("'sha256-{}'").format(base64.b64encode(digest).decode("ascii"))
    return Markup(
        "default-src 'none'; script-src {}; style-src 'unsafe-inline'; "
        "base-uri 'none'; form-action 'none'"
    ).format(script)


@cache
def _file(name: str) -> str:
    return Path(__file__).with_name(name).read_text("utf-8")


def _conclusions(report: Results) -> list[str]:
    """What can be concluded from the differences between few models."""
    few = len(report.records) <= _MOST_IN_MEMORY
    if not few or not 2 <= len(report.models) <= _MOST_COMPARED:
        return []
    from eai.report.comparison import compare  # takes numpy

    try:
        found = compare(report)
    except InputError as error:  # no two of them have a task in common
        return [printable_line(error.what)]
    return list(map(printable_line, (*found.conclusions, *found.notes)))


def _bars(report: Results, model: str) -> Iterator[Bar]:
    """The error breakdown of a model."""
    counts = report.tally(model)
    for key, label in _OTHER_ERRORS.items():
        if key in counts.affected:
            yield _bar(label, counts.affected[key], counts.tasks, "tasks")
    metrics = report.metrics(model)
    for metric in metrics:
        if metric.group in report.view.errors:
            yield _bar(metric.label, metric.numerator, metric.denominator, metric.unit)
    for metric in metrics:
        if metric.unit == "conditions" and metric.key != "total_goal":
            unmet = metric.denominator - metric.numerator
            yield _bar(f"Unmet {metric.label}s", unmet, metric.denominator, metric.unit)


def _bar(label: str, count: int, of: int, unit: str) -> Bar:
    text = f"{count} in {of} tasks" if unit == "occurrences" else f"{count} of {of} {unit}"
    return Bar(label, text, round(min(100.0, 100.0 * count / of), 2) if of else 0.0)
