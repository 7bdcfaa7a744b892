"""A web server for the files of one run, for this machine only."""

from __future__ import annotations

import sys
import webbrowser
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import copyfileobj
from urllib.parse import unquote

from eai.cli.output import say, warn
from eai.files import runs_in

_TYPES = {
    "leaderboard.csv": "text/csv",
    "leaderboard.tex": "text/plain",
    "report.html": "text/html",
    "records.jsonl": "text/plain",
    "transcripts.jsonl": "text/plain",
    "run.json": "application/json",
    "table.csv": "text/csv",
    "table.tex": "text/plain",
}
"""The files of a run that are served, each with its type."""

_HOST = "127.0.0.1"

_GONE = "the run is gone; end this with Ctrl-C and view another, or write it again"


def run_files(run: Path) -> dict[str, Path]:
    """Return the files of a run by address, without links to other places."""
    home = run.resolve()
    folders = [run]
    for part in runs_in(run):
        if part != run:
            folders.append(part)
    files = {}
    for folder in folders:
        for name in _TYPES:
            path = folder / name
            address = path.relative_to(run)
            # A link in a run of somebody else could point at any file of this machine.
            if path.is_file() and path.resolve() == home / address:
                files[address.as_posix()] = path.resolve()
    return files


def serve(files: Mapping[str, Path], *, browser: bool) -> None:
    """Serve files until Ctrl-C."""
    with RunServer(files) as server:
        say(server.address)
        warn("open it in a browser; Ctrl-C ends")
        if browser:
            webbrowser.open(server.address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            warn("no longer served")


class RunServer(ThreadingHTTPServer):
    """An HTTP server on a free local port for a fixed set of files."""

    def __init__(self, files: Mapping[str, Path]) -> None:
        # Port 0 asks the system for one that is free.
        super().__init__((_HOST, 0), partial(_Handler, files))

    @property
    def address(self) -> str:
        """Address of the server."""
        return f"http://{_HOST}:{self.server_port}/"

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing about a browser that went away."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Handler(BaseHTTPRequestHandler):
    """Answers a request with a file of the run, or with an error."""

    server: RunServer

    def __init__(self, files: Mapping[str, Path], *connection: object) -> None:
        self._files = files
        super().__init__(*connection)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        """Send the requested file, or the page by default."""
        # "/household%20plans/report.html?page=2" -> "household plans/report.html"
        name = unquote(self.path.partition("?")[0].removeprefix("/")) or "report.html"
        # A page of somebody else whose name was made to lead here sends its own name.
        if f"http://{self.headers.get('Host')}/" != self.server.address:
            self.send_error(HTTPStatus.FORBIDDEN)
            return
        if name not in self._files:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        try:
            stream = self._files[name].open("rb")
        except OSError as error:
            self.send_error(HTTPStatus.NOT_FOUND, explain=f"{_GONE} ({error.strerror})")
            warn(f"{self._files[name]}: {error.strerror}; {_GONE}")
            return
        with stream, suppress(ConnectionError):  # the browser went away
            self.send_response(HTTPStatus.OK)
            self.send_header("Content-Type", f"{_TYPES[self._files[name].name]}; charset=utf-8")
            # Records hold what models wrote, which a browser shall show as text, whatever it is.
            self.send_header("X-Content-Type-Options", "nosniff")
            # The run may be written again, at the same address.
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            copyfileobj(stream, self.wfile)

    def log_message(self, format: str, *_arguments: object) -> None:  # noqa: A002
        """Say nothing about requests."""
