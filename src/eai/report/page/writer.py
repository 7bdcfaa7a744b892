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
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from eai.diagnosis import ErrorKind
from eai.errors import InputError
from eai.files import given_path, replacing
from eai.report.page.items import index, packed, portions
from eai.report.results import Results
from eai.report.tables import MAX_NOTES, counts_table, heading, latex_text, metrics_table
from eai.table import whole_numbers
from eai.text import printable_line, short

if TYPE_CHECKING:
    from eai.report.leaderboard import Leaderboard
    from eai.report.page.details import Reader

_MOST_ITEMS = 20_000
"""So many items are listed on a page; the record file has all."""

_MOST_ATTACHED = 200_000
"""So many characters may a table have that the page holds as a file."""

_MOST_CONCLUSIONS, _MOST_COMPARED = 4, 12
"""So many models are compared on a page, each with each: in sentences, and in a matrix."""

_MOST_IN_MEMORY = 100_000
"""So many records may be held at once, to compare models task by task."""


class Bar(NamedTuple):
    """How many of a model's tasks have a kind of error, or are solved.

    Args:
        width: Share of its tasks in percent.
    """

    kind: str
    tasks: int
    width: float


class Row(NamedTuple):
    """The bars of a model, and how many of its tasks were evaluated."""

    name: str
    shown: Markup
    tasks: int
    bars: Sequence[Bar]


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
    from eai.report.leaderboard import Leaderboard  # takes numpy

    template = environment.from_string(_file("page.html.jinja"))
    keys = [report.view.main, *(metric.key for metric in report.view.own)]
    board = Leaderboard([report], keys) if report.models else None
    records = report.records[:_MOST_ITEMS]
    listed, file, setting = index(records), given_path(path), report.setting
    matrix, conclusions = _differences(report)
    own = file.name == "report.html" and (file.parent / "run.json").is_file()
    part = own and file.parent.resolve().parts[-2:] == (setting.suite, setting.ability)
    with replacing(path, force=force) as stream:
        # In parts, so that few items are held in memory.
        stream.writelines(
            template.generate(
                policy=_policy(_file("page.js")),
                title=printable_line(heading(report)),
                style=Markup(_file("page.css")),  # noqa: S704  # a file of this package
                above="../../report.html" if part else "",
                about=printable_line(f"{setting.suite}: {setting.ability.replace('_', ' ')}"),
                leaderboard=board.rows.html() if board else "",
                csv=_attached(counts_table(report).csv(), "text/csv"),
                latex=_attached(latex_text(report), "text/plain"),
                records="records.jsonl" if own else "",
                metrics=metrics_table(report).html(),
                matrix=matrix,
                conclusions=conclusions,
                kinds=_columns(listed),
                rows=list(_rows(listed, board.models if board else ())),
                listed=len(records),
                items=len(report.records),
                index=packed(listed),
                portions=portions(records, reader),
                script=Markup(_file("page.js")),  # noqa: S704  # a file of this package
            )
        )


def write_index(
    found: Leaderboard,
    path: str | os.PathLike[str],
    pages: Mapping[str, str],
    *,
    force: bool = False,
) -> None:
    """Write the first page of a run of many abilities (see :meth:`Leaderboard.to_html`)."""
    environment = Environment(autoescape=True, trim_blocks=True, undefined=StrictUndefined)
    template = environment.from_string(_file("index.html.jinja"))
    with replacing(path, force=force) as stream:
        stream.write(
            template.render(
                policy=_policy(),
                title=printable_line(found.rows.title),
                suites=printable_line(", ".join({r.setting.suite: None for r in found.reports})),
                style=Markup(_file("page.css")),  # noqa: S704  # a file of this package
                table=found.rows.html(),
                csv=_attached(found.counts.csv(), "text/csv"),
                latex=_attached(found.latex(), "text/plain"),
                pages=pages,
            )
        )


def _policy(script: str = "") -> Markup:
    """The content security policy of a page.

    Nothing may be loaded, and no script may run but the one that is written here: the policy
    names it by its hash. Items are data blocks, which no browser runs.
    """
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    own = f" script-src 'sha256-{digest}';" if script else ""
    return Markup(  # noqa: S704  # the letters of a hash
        f"default-src 'none';{own} style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    )


@cache
def _file(name: str) -> str:
    return Path(__file__).with_name(name).read_text("utf-8")


def _differences(report: Results) -> tuple[Markup, list[str]]:
    """Which models differ: a matrix if there are several, and what can be concluded."""
    several = len(report.models) > _MOST_CONCLUSIONS
    if len(report.models) < 2:
        return Markup(""), []
    if len(report.records) > _MOST_IN_MEMORY or len(report.models) > _MOST_COMPARED:
        return Markup(""), ["eai compare RUN says which of these models differ significantly."]
    from eai.report.comparison import MORE, compare  # takes numpy

    try:
        # A matrix shows no intervals, so none is drawn.
        found = compare(report, draws=1) if several else compare(report)
    except InputError as error:  # no two of them have a task in common
        return Markup(""), [printable_line(error.what)]
    shown = (*found.notes[:MAX_NOTES], MORE) if several else found.conclusions + found.notes
    matrices = (each.html() for each in found.matrices if several)
    return Markup("").join(matrices), list(map(printable_line, shown))


def _attached(text: str, kind: str) -> str:
    """An address that holds a file; nothing if it is too long for a page."""
    if len(text) > _MOST_ATTACHED:
        return ""
    letters = base64.b64encode(text.encode("utf-8", "backslashreplace")).decode("ascii")
    return f"data:{kind};base64,{letters}"


def _columns(listed: Mapping[str, Any]) -> list[str]:
    """What tasks are counted by: solved, then the kinds of error in their usual order."""
    usual = [kind.value.replace("_", " ") for kind in ErrorKind]
    found = sorted(listed["kinds"], key=lambda k: usual.index(k) if k in usual else len(usual))
    return ["solved", *found]


def _rows(listed: Mapping[str, Any], models: Iterable[str]) -> Iterator[Row]:
    """The picture of errors, a row a model: what a bar counts is what it lists."""
    counts, tasks = Counter[tuple[str, str]](), Counter[str]()
    for model, _, _, status, kinds, _ in listed["items"]:
        name = listed["models"][model]
        tasks[name] += listed["status"][status] != "excluded"
        counts[name, listed["status"][status]] += 1
        counts.update((name, listed["kinds"][kind]) for kind in kinds)
    for model in (short(each, 200) for each in models):
        numbers = ((kind, counts[model, kind]) for kind in _columns(listed))
        most = max(tasks[model], 1)
        bars = [Bar(kind, count, round(100 * count / most, 2)) for kind, count in numbers]
        yield Row(model, whole_numbers(model), tasks[model], bars)
