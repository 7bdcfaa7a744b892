"""Pieces of the pages: HTML with named gaps, and functions that fill them.

markupsafe fills the gaps: a value is escaped unless it is markup already. A template engine does
the same, but importing it and compiling a page takes longer than evaluating a model's answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

_UP = Markup('<p><a href="{address}">&larr; all abilities of this run</a></p>\n')

_DOWNLOAD = Markup('<a download="{name}" href="{address}">{title}</a>\n')

_RECORDS = Markup('<a download href="{address}">records (JSON Lines)</a>\n')

_CUT = Markup("<p>The first {listed:,} of {items:,} items are listed.</p>\n")

_PORTION = Markup('<script type="text/plain" id="items-{number}">{portion}</script>\n')

_ERRORS = Markup("""\
<h2>Errors</h2>
<div class="wide" tabindex="0" role="region" aria-label="Errors">
<table class="errors">
<thead>
<tr><th scope="col">Number of tasks with</th>{headings}</tr>
</thead>
<tbody>
{rows}</tbody>
</table>
</div>
<p><small>A task counts once for each kind of error in its answer. \
A bar lists its tasks below.</small></p>
""")

_HEADING = Markup('<th scope="col">{kind}</th>')

_ROW = Markup("""\
<tr><th scope="row"><bdi>{shown}</bdi> <small>{tasks} tasks</small></th>
{bars}</tr>
""")

_BAR = Markup(
    '<td><button type="button" data-model="{name}" data-kind="{kind}"'
    ' title="{kind}: {count} of {tasks} tasks"{disabled}>{count}'
    '<span class="track"><span class="bar" style="width:{width}%"></span></span></button></td>\n'
)

_COMPARISON = Markup("""\
<details>
<summary>Which models differ significantly?</summary>
{matrix}
<ul>
{sentences}</ul>
</details>
""")

_SENTENCE = Markup("<li>{sentence}</li>\n")

_PAGES = Markup("""\
<h2>Errors, items, records, and which models differ</h2>
<ul class="pages">
{links}</ul>
""")

_LINK = Markup('<li><a href="{address}">{name}</a></li>\n')

_NOTHING = Markup()


class Bar(NamedTuple):
    """The number of a model's tasks that are solved, or that have one kind of error.

    Args:
        width: Share of the model's tasks in percent.
    """

    kind: str
    tasks: int
    width: float


class ModelRow(NamedTuple):
    """The bars of one model with the number of its tasks."""

    name: str
    shown: Markup
    tasks: int
    bars: Sequence[Bar]


class Download(NamedTuple):
    """A file that a page holds as an address; none if the address is empty."""

    name: str
    title: str
    address: str


@cache
def text_beside(name: str) -> str:
    """Return the text of a file beside this module."""
    return Path(__file__).with_name(name).read_text("utf-8")


def markup_beside(name: str) -> Markup:
    """Return a file of this package as markup, which is not escaped."""
    return Markup(text_beside(name))  # noqa: S704  # a file of this package


def link_up(address: str) -> Markup:
    """Return the link to the page above this one, or nothing without an address."""
    # Only the pages of a run that has several abilities have a page above them.
    if not address:
        return _NOTHING
    return _UP.format(address=address)


def downloads(files: Iterable[Download], records: str = "") -> Markup:
    """Return links to the files that a page holds, and to the record file if it has an address."""
    links = [_DOWNLOAD.format(**file._asdict()) for file in files if file.address]
    if records:
        links.append(_RECORDS.format(address=records))
    return _NOTHING.join(links)


def error_table(kinds: Iterable[str], rows: Sequence[ModelRow]) -> Markup:
    """Return the table of errors, or nothing without models."""
    if not rows:
        return _NOTHING
    headings = [_HEADING.format(kind=kind) for kind in kinds]
    table_rows = []
    for row in rows:
        bars = _NOTHING.join(_bars(row))
        table_rows.append(_ROW.format(shown=row.shown, tasks=row.tasks, bars=bars))
    return _ERRORS.format(headings=_NOTHING.join(headings), rows=_NOTHING.join(table_rows))


def _bars(row: ModelRow) -> Iterator[Markup]:
    """Yield the cells of a model: a button for each kind of error."""
    for bar in row.bars:
        disabled = "" if bar.tasks else " disabled"
        yield _BAR.format(
            name=row.name,
            kind=bar.kind,
            count=bar.tasks,
            tasks=row.tasks,
            disabled=disabled,
            width=bar.width,
        )


def comparison_section(matrix: Markup, conclusions: Iterable[str]) -> Markup:
    """Return how models differ: a matrix and sentences; nothing without sentences."""
    sentences = [_SENTENCE.format(sentence=sentence) for sentence in conclusions]
    if not sentences:
        return _NOTHING
    return _COMPARISON.format(matrix=matrix, sentences=_NOTHING.join(sentences))


def cut_note(listed: int, items: int) -> Markup:
    """Return how many items are listed, or nothing if all are."""
    if listed == items:
        return _NOTHING
    return _CUT.format(listed=listed, items=items)


def data_block(number: int, portion: str) -> Markup:
    """Return a portion of the items as a data block, which no browser runs."""
    return _PORTION.format(number=number, portion=portion)


def page_list(pages: Mapping[str, str]) -> Markup:
    """Return links to pages, from their titles to their addresses; nothing without pages."""
    if not pages:
        return _NOTHING
    links = [_LINK.format(name=name, address=address) for name, address in pages.items()]
    return _PAGES.format(links=_NOTHING.join(links))
