"""``eai view``: a run's page in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from eai.cli.commands import Argument, Option
from eai.errors import InputError

__all__ = ["COMMAND"]


def _view(
    run: Annotated[Path, Argument("The folder of a run.")],
    no_browser: Annotated[bool, Option("Do not open a browser.")] = False,
) -> None:
    """Serve a run's page to this machine only, and print the address; Ctrl-C ends it.

    Nothing but the files of the run is served, on a port that is free.
    """
    from eai.cli.output import say, warn
    from eai.cli.serving import RunServer, run_files

    files = run_files(run)
    if "report.html" not in files:
        raise _without_page(run)
    with RunServer(files) as server:
        say(server.address)
        warn("open it in a browser; Ctrl-C ends")
        if not no_browser:
            import webbrowser

            webbrowser.open(server.address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            warn("no longer served")


def _without_page(run: Path) -> InputError:
    from eai.cli.here import is_run
    from eai.cli.runs import read_records_of, record_file

    expected = "the folder of a run with a file report.html"
    if run.is_file() and run.suffix in (".html", ".htm"):
        mend = "open the file in a browser: a page needs nothing else"
        mend = f"eai view {run.parent}" if is_run(run.parent) else mend
        return InputError("this is no folder", where=str(run), expected=expected, mend=mend)
    if run.is_file() and not is_run(run):
        read_records_of(run)  # says what to do with answers that are not judged yet
    record_file(run)
    page = run.with_name("report.html")
    mend = f"eai view {run.parent}" if page.is_file() else f"eai report {run} --html {page}"
    return InputError(
        "this run has no page" if run.is_dir() else "this is no folder",
        where=str(run),
        expected=expected,
        mend=f"eai report {run}" if run.is_dir() else mend,
    )


COMMAND = _view
