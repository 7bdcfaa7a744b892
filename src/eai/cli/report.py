"""``eai report``: the table of a run again, and its files anew."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from eai.cli.commands import Argument, Option, UsageError

if TYPE_CHECKING:
    from eai.report.page import Reader
    from eai.report.report import Report

__all__ = ["COMMAND"]


def _report(
    run: Annotated[Path, Argument("A record file, or the folder of a run.")],
    model: Annotated[list[str] | None, Option("Only this model; may come several times.")] = None,
    html: Annotated[Path | None, Option("Write the page to this file.")] = None,
    csv: Annotated[Path | None, Option("Write the metrics to this file.")] = None,
    latex: Annotated[Path | None, Option("Write the paper's tables to this file.")] = None,
    markdown: Annotated[Path | None, Option("Write the same tables to this file.")] = None,
    parquet: Annotated[Path | None, Option("Write the records' table to this file.")] = None,
    repairs: Annotated[
        bool, Option("Also look for the least repair of every plan on the page that failed.")
    ] = False,
    suite: Annotated[
        str | None, Option("Its suite, if no package announces it: module:attribute.")
    ] = None,
    force: Annotated[bool, Option("Write over files.")] = False,
    json: Annotated[bool, Option("Print one JSON document instead of the table.")] = False,
    quiet: Annotated[bool, Option("No table.", ("--quiet", "-q"))] = False,
) -> None:
    """Print the table of a run; write its tables and its page anew.

    Without names of files, the folder's own are written over: table.csv, table.tex, report.html.
    """
    from eai.cli.here import find_modules_here
    from eai.cli.runs import read_run

    find_modules_here(suite)
    if not any((html, csv, latex, markdown, parquet)) and run.is_dir():
        if model:
            raise UsageError("--model would leave models out of the run's own files: name others")
        html, csv, latex, force = *_own_files(run), True
    if repairs and html is None:
        raise UsageError("--repairs goes on a page: add --html FILE")
    found = read_run(run, models=model or ())
    if html is not None:
        found.to_html(html, force=force, reader=_reader(found, suite, repairs=repairs))
    for path, write in (
        (csv, found.to_csv),
        (latex, found.to_latex),
        (markdown, found.to_markdown),
        (parquet, found.to_parquet),
    ):
        if path is not None:
            write(path, force=force)
    _show(found, json=json, quiet=quiet)


def _own_files(run: Path) -> tuple[Path, Path, Path]:
    return run / "report.html", run / "table.csv", run / "table.tex"


def _reader(report: Report, suite: str | None, *, repairs: bool) -> Reader | None:
    """What finds the changes of each step, as far as the suite is still there."""
    from eai.cli.output import warn
    from eai.errors import EaiError
    from eai.report.page import reader_of

    try:
        return reader_of(report, suite, repairs=repairs)
    except EaiError as error:
        if suite is not None or repairs:
            raise
        warn(f"the page has no changes of steps: {error.what}")
        return None


def _show(report: Report, *, json: bool, quiet: bool) -> None:
    if json:
        from eai.cli.documents import print_json, report_document

        print_json(report_document(report))
    elif not quiet:
        from eai.cli.output import show

        show(report)


COMMAND = _report
