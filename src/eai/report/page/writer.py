"""A report as one HTML page that needs no network.

Three things keep hostile answers harmless: unsafe characters are named before they are shown
(:mod:`eai.text`); values are escaped by markupsafe, or become text nodes, never markup, by the
page's script; and the content security policy forbids frames, forms, anything remote, and every
script but that of the page, which it names by its hash.
"""

from __future__ import annotations

import os
from binascii import b2a_base64
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from eai.diagnosis import ErrorKind
from eai.digests import sha256_digest
from eai.errors import InputError
from eai.files import given_path, replacing
from eai.report.page.items import index, packed, portions
from eai.report.page.pieces import (
    Bar,
    Download,
    ModelRow,
    comparison_section,
    cut_note,
    data_block,
    downloads,
    error_table,
    link_up,
    markup_beside,
    page_list,
    text_beside,
)
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
    matrix, conclusions = _differences(report)
    leaders = ""
    models: Sequence[str] = ()
    if report.models:
        keys = [report.view.main, *(metric.key for metric in report.view.own)]
        board = Leaderboard([report], keys)
        leaders = board.rows.html()
        models = board.models
    records_file, parent_page = _links(given_path(path), setting)
    csv = _as_data_address(counts_table(report).csv(), "text/csv")
    latex = _as_data_address(latex_text(report), "text/plain")
    files = [
        Download("table.csv", "table (CSV)", csv),
        Download("table.tex", "table (LaTeX)", latex),
    ]
    rows = list(_model_rows(items, models))
    title = printable_line(heading(report))
    before_items, after_items = markup_beside("page.html").split("{portions}")
    with replacing(path, force=force) as stream:
        stream.write(
            before_items.format(
                head=_head(title, text_beside("page.js")),
                title=title,
                above=link_up(parent_page),
                about=printable_line(f"{setting.suite}: {setting.ability.replace('_', ' ')}"),
                leaderboard=leaders,
                files=downloads(files, records_file),
                errors=error_table(_bar_kinds(items), rows),
                comparison=comparison_section(matrix, conclusions),
                metrics=metrics_table(report).html(),
                details=Markup("").join(table.html() + "\n" for table in detail_tables(report)),
                cut=cut_note(len(records), len(report.records)),
                index=packed(items),
            )
        )
        # Written one by one, so that few items are held in memory.
        for number, portion in enumerate(portions(records, reader)):
            stream.write(data_block(number, portion))
        stream.write(after_items.format(script=markup_beside("page.js")))


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
    suites = dict.fromkeys(report.setting.suite for report in board.reports)
    csv = _as_data_address(board.counts.csv(), "text/csv")
    latex = _as_data_address(board.latex(), "text/plain")
    files = [
        Download("leaderboard.csv", "table (CSV)", csv),
        Download("leaderboard.tex", "table (LaTeX)", latex),
    ]
    page = markup_beside("index.html").rstrip()
    with replacing(path, force=force) as stream:
        stream.write(
            page.format(
                head=_head(printable_line(board.rows.title)),
                suites=printable_line(", ".join(suites)),
                table=board.rows.html(),
                files=downloads(files),
                pages=page_list(pages),
            )
        )


def _head(title: str, script: str = "") -> Markup:
    """Return the beginning of a page, up to its main part."""
    return markup_beside("head.html").format(
        policy=_policy(script), title=title, style=markup_beside("page.css")
    )


def _policy(script: str) -> Markup:
    """Return the content security policy of a page.

    Nothing may be loaded, and no script may run but the one that is written here: the policy
    names it by its hash. Items are data blocks, which no browser runs.
    """
    allowed_script = ""
    if script:
        digest = _as_base64(sha256_digest(script.encode("utf-8")))
        allowed_script = f" script-src 'sha256-{digest}';"
    return Markup(  # noqa: S704  # the letters of a hash
        f"default-src 'none';{allowed_script} style-src 'unsafe-inline'; base-uri 'none'; "
        "form-action 'none'"
    )


def _differences(report: Results) -> tuple[Markup, list[str]]:
    """Return a matrix of the differences between models, and sentences.

    A few models are compared in sentences, so the matrix is empty.
    """
    if len(report.models) < 2:
        return Markup(""), []
    if len(report.records) > _MAX_COMPARED_RECORDS or len(report.models) > _MAX_IN_MATRIX:
        return Markup(""), ["eai compare RUN says which of these models differ significantly."]
    from eai.report.comparison import MORE, compare

    has_sentences = len(report.models) <= _MAX_IN_SENTENCES
    try:
        if has_sentences:
            comparison = compare(report)
        else:
            # A matrix shows significance and no p-values, so the comparison may draw as few
            # permutations as decide it.
            comparison = compare(report, draws=1, only_significance=True)
    except InputError as error:  # no two of them have a task in common
        return Markup(""), [printable_line(error.what)]
    if has_sentences:
        lines = comparison.conclusions + comparison.notes
        return Markup(""), list(map(printable_line, lines))
    matrices = Markup("").join(matrix.html() for matrix in comparison.matrices)
    return matrices, list(map(printable_line, (*comparison.notes[:MAX_NOTES], MORE)))


def _as_data_address(text: str, kind: str) -> str:
    """Return a data URL with a file's content, or "" if it would be too long."""
    if len(text) > _MAX_ATTACHED:
        return ""
    letters = _as_base64(text.encode("utf-8", "backslashreplace"))
    return f"data:{kind};base64,{letters}"


def _as_base64(content: bytes) -> str:
    """Return bytes in base64."""
    return b2a_base64(content, newline=False).decode("ascii")


def _bar_kinds(items: Mapping[str, Any]) -> list[str]:
    """Return the names of the bars: solved, then the kinds of error in canonical order."""
    canonical_order = [kind.value.replace("_", " ") for kind in ErrorKind]

    def rank(kind: str) -> int:
        if kind not in canonical_order:
            return len(canonical_order)  # ways to fail without an error ("left out") come last
        return canonical_order.index(kind)

    return ["solved", *sorted(items["kinds"], key=rank)]


def _model_rows(items: Mapping[str, Any], models: Iterable[str]) -> Iterator[ModelRow]:
    """Yield the bars of each model.

    They are counted from the item list, so that a click on a bar lists as many items.

    Args:
        items: The item list (see :func:`eai.report.page.items.index`).
        models: Names of the models.
    """
    item_counts = Counter[tuple[str, str]]()
    task_counts = Counter[str]()
    # A row has model, task, category, status, kinds of error, and reason; names are indices.
    for model_index, _, _, status_index, kind_indices, _ in items["items"]:
        name = items["models"][model_index]
        status = items["status"][status_index]
        if status != "excluded":
            task_counts[name] += 1
        item_counts[name, status] += 1
        item_counts.update((name, items["kinds"][kind_index]) for kind_index in kind_indices)
    for model in models:
        name = short(model, 200)
        bars = []
        for kind in _bar_kinds(items):
            count = item_counts[name, kind]
            width = round(100 * count / max(task_counts[name], 1), 2)
            bars.append(Bar(kind, count, width))
        yield ModelRow(name, whole_numbers(name), task_counts[name], bars)
