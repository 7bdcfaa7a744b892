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

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from eai.diagnosis import ErrorKind
from eai.errors import InputError
from eai.files import given_path, replacing
from eai.report.page.items import index, packed, portions
from eai.report.results import Results, Setting
from eai.report.tables import (
    MAX_NOTES,
    counts_table,
    detail_tables,
    heading,
    latex_text,
    metrics_table,
)
from eai.table import whole_numbers
from eai.text import printable_line, short

if TYPE_CHECKING:
    from eai.report.leaderboard import Leaderboard
    from eai.report.page.details import Reader

_MAX_ITEMS = 20_000
"""Maximum number of items listed on a page; the record file has all."""

_MAX_ATTACHED = 200_000
"""Maximum number of characters of a table that the page holds as a file."""

_MAX_IN_SENTENCES = 4
"""Maximum number of models that are compared in sentences; of more a matrix is shown."""

_MAX_IN_MATRIX = 12
"""Maximum number of models in a matrix on a page."""

_MAX_COMPARED_RECORDS = 100_000
"""Maximum number of records held at once, to compare models task by task."""


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


def write_html(
    report: Results,
    path: str | os.PathLike[str],
    *,
    force: bool = False,
    reader: Reader | None = None,
) -> None:
    """Write the page (see :meth:`eai.report.report.Report.to_html`)."""
    from eai.report.leaderboard import Leaderboard

    setting = report.setting
    records = report.records[:_MAX_ITEMS]
    items = index(records)
    board = None
    if report.models:
        keys = [report.view.main, *(metric.key for metric in report.view.own)]
        board = Leaderboard([report], keys)
    matrix, conclusions = _differences(report)
    leaders = ""
    models: Sequence[str] = ()
    if board is not None:
        leaders = board.rows.html()
        models = board.models
    records_file, above = _links(given_path(path), setting)
    with replacing(path, force=force) as stream:
        # Written as it is generated, so that few items are held in memory.
        stream.writelines(
            _template().generate(
                policy=_policy(_text_beside("page.js")),
                title=printable_line(heading(report)),
                style=Markup(_text_beside("page.css")),  # noqa: S704  # a file of this package
                above=above,
                about=printable_line(f"{setting.suite}: {setting.ability.replace('_', ' ')}"),
                leaderboard=leaders,
                csv=_as_data_address(counts_table(report).csv(), "text/csv"),
                latex=_as_data_address(latex_text(report), "text/plain"),
                records=records_file,
                metrics=metrics_table(report).html(),
                details=[table.html() for table in detail_tables(report)],
                matrix=matrix,
                conclusions=conclusions,
                kinds=_bar_kinds(items),
                rows=list(_model_rows(items, models)),
                listed=len(records),
                items=len(report.records),
                index=packed(items),
                portions=portions(records, reader),
                script=Markup(_text_beside("page.js")),  # noqa: S704  # a file of this package
            )
        )


@cache
def _template() -> Template:
    """Return the template of the page, compiled once."""
    environment = Environment(
        autoescape=True, trim_blocks=True, undefined=StrictUndefined, keep_trailing_newline=True
    )
    return environment.from_string(_text_beside("page.html.jinja"))


def _links(page: Path, setting: Setting) -> tuple[str, str]:
    """Return the addresses of the records and of the parent page, or "" for a missing one."""
    # The page of a run links to the files in its folder. A page alone has no links.
    if page.name != "report.html" or not (page.parent / "run.json").is_file():
        return "", ""
    # A run of many abilities has a folder for each, and a page above them.
    if page.parent.resolve().parts[-2:] == (setting.suite, setting.ability):
        return "records.jsonl", "../../report.html"
    return "records.jsonl", ""


def write_index(
    board: Leaderboard,
    path: str | os.PathLike[str],
    pages: Mapping[str, str],
    *,
    force: bool = False,
) -> None:
    """Write the overview page of a run (see :meth:`Leaderboard.to_html`).

    Args:
        board: The leaderboard of the run.
        path: The file.
        pages: Title of each page of the run to its address.
        force: Whether an existing file may be replaced.
    """
    environment = Environment(autoescape=True, trim_blocks=True, undefined=StrictUndefined)
    template = environment.from_string(_text_beside("index.html.jinja"))
    suites = dict.fromkeys(report.setting.suite for report in board.reports)
    with replacing(path, force=force) as stream:
        stream.write(
            template.render(
                policy=_policy(),
                title=printable_line(board.rows.title),
                suites=printable_line(", ".join(suites)),
                style=Markup(_text_beside("page.css")),  # noqa: S704  # a file of this package
                table=board.rows.html(),
                csv=_as_data_address(board.counts.csv(), "text/csv"),
                latex=_as_data_address(board.latex(), "text/plain"),
                pages=pages,
            )
        )


def _policy(script: str = "") -> Markup:
    """Return the content security policy of a page.

    Nothing may be loaded, and no script may run but the one that is written here: the policy
    names it by its hash. Items are data blocks, which no browser runs.
    """
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    allowed_script = ""
    if script:
        allowed_script = f" script-src 'sha256-{digest}';"
    return Markup(  # noqa: S704  # the letters of a hash
        f"default-src 'none';{allowed_script} style-src 'unsafe-inline'; base-uri 'none'; "
        "form-action 'none'"
    )


@cache
def _text_beside(name: str) -> str:
    """Return the text of a file beside this module."""
    return Path(__file__).with_name(name).read_text("utf-8")


def _differences(report: Results) -> tuple[Markup, list[str]]:
    """Return a matrix of model differences, and the conclusions.

    Without a matrix for a few models, whose differences are put in sentences.
    """
    if len(report.models) < 2:
        return Markup(""), []
    if len(report.records) > _MAX_COMPARED_RECORDS or len(report.models) > _MAX_IN_MATRIX:
        return Markup(""), ["eai compare RUN says which of these models differ significantly."]
    from eai.report.comparison import MORE, compare

    in_sentences = len(report.models) <= _MAX_IN_SENTENCES
    try:
        if in_sentences:
            comparison = compare(report)
        else:
            # A matrix shows what is significant, but no p-values: the fewest draws that tell will
            # do where bounds do not.
            comparison = compare(report, draws=1, only_significance=True)
    except InputError as error:  # no two of them have a task in common
        return Markup(""), [printable_line(error.what)]
    if in_sentences:
        lines = comparison.conclusions + comparison.notes
        return Markup(""), list(map(printable_line, lines))
    matrices = Markup("").join(matrix.html() for matrix in comparison.matrices)
    return matrices, list(map(printable_line, (*comparison.notes[:MAX_NOTES], MORE)))


def _as_data_address(text: str, kind: str) -> str:
    """Return a data URL with a file's content, or "" if it would be too long."""
    if len(text) > _MAX_ATTACHED:
        return ""
    letters = base64.b64encode(text.encode("utf-8", "backslashreplace")).decode("ascii")
    return f"data:{kind};base64,{letters}"


def _bar_kinds(items: Mapping[str, Any]) -> list[str]:
    """Return the names of the bars: solved, then the kinds of error in canonical order."""
    usual = [kind.value.replace("_", " ") for kind in ErrorKind]

    def rank(kind: str) -> int:
        if kind not in usual:
            return len(usual)  # ways to fail without an error ("left out") come last
        return usual.index(kind)

    return ["solved", *sorted(items["kinds"], key=rank)]


def _model_rows(items: Mapping[str, Any], models: Iterable[str]) -> Iterator[ModelRow]:
    """Yield the bars of each model, counted from the item list.

    So the number of a bar is the number of items that are listed when it is clicked.
    """
    counts = Counter[tuple[str, str]]()
    tasks = Counter[str]()
    # A row of `index` has model, task, category, status, kinds of error, and reason.
    for model, _, _, status, kinds, _ in items["items"]:
        name = items["models"][model]
        status_name = items["status"][status]
        tasks[name] += status_name != "excluded"
        counts[name, status_name] += 1
        counts.update((name, items["kinds"][kind]) for kind in kinds)
    for model in models:
        name = short(model, 200)
        bars = []
        for kind in _bar_kinds(items):
            number = counts[name, kind]
            bars.append(Bar(kind, number, round(100 * number / max(tasks[name], 1), 2)))
        yield ModelRow(name, whole_numbers(name), tasks[name], bars)
