"""Writing to the terminal: results to standard output, everything else to standard error."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn

from eai.text import printable

_PIPE_CLOSED = 141
"""Exit code after writing to a pipe that nobody reads any more (128 + SIGPIPE)."""


def tolerate() -> None:
    """Write characters that the output encoding lacks as escapes."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


@contextmanager
def _ending_with_reader() -> Iterator[None]:
    """Exit quietly when the reader of the output closes the pipe, as ``head`` does."""
    try:
        yield
    except BrokenPipeError:
        let_go()
        sys.exit(_PIPE_CLOSED)


def say(text: str) -> None:
    """Write a result to standard output."""
    if sys.stdout is not None:  # closed by the caller
        with _ending_with_reader():
            sys.stdout.write(f"{printable(text)}\n")
            sys.stdout.flush()


def show(table: object) -> None:
    """Print a table or other rich object to standard output."""
    from rich.console import Console

    class _Console(Console):
        def on_broken_pipe(self) -> None:  # else rich would end the process with 1
            raise BrokenPipeError

    with _ending_with_reader():
        _Console().print(table)


def print_json(document: Mapping[str, object]) -> None:
    """Print a document as JSON, with paths as text."""

    def as_text(value: object) -> str:
        if isinstance(value, Path):
            return str(value)
        raise TypeError(f"{type(value).__name__} has no form in JSON")

    say(json.dumps(document, indent=2, default=as_text))


def tell(document: Mapping[str, object], text: str, *, json: bool) -> None:
    """Print a result as text, or as the equivalent document."""
    if json:
        print_json(document)
    else:
        say(text)


def warn(text: str) -> None:
    """Write a remark to standard error, with the name of the program before it."""
    write_error(f"eai: {text}")


def hint(text: str) -> None:
    """Print advice on standard error, if a person reads it there."""
    if sys.stderr is not None and sys.stderr.isatty():
        warn(text)


def write_error(text: str) -> None:
    """Print a text on standard error, if that is possible."""
    if sys.stderr is not None:
        with suppress(OSError):
            sys.stderr.write(f"{printable(text)}\n")
            sys.stderr.flush()


def stop(message: str, code: int) -> NoReturn:
    """Write a message to standard error and end with an exit code."""
    warn(message)
    sys.exit(code)


def let_go() -> None:
    """Discard unwritten output, so that Python does not fail on it at exit."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


@contextmanager
def progress(label: str, *, shown: bool = True) -> Iterator[Callable[..., None] | None]:
    """Show a progress bar on standard error during the block.

    Nothing is shown where standard error is not a terminal.

    Yields:
        What to call with the number that is done, the number of all, and what is done if that
        changes; None if nothing is shown.
    """
    if not shown or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    counts = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), "left")
    columns = (TextColumn("{task.description}"), *counts)
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        # The current part of the progress bar, "" before the first part or without parts.
        bars = {"": bar.add_task(label, total=None)}

        def step(done: int, total: int, part: str = "") -> None:
            if part not in bars:  # each part has its own speed, and time that is left
                _, last_bar = bars.popitem()
                bar.remove_task(last_bar)
                bars[part] = bar.add_task(f"{label} {part}", total=total)
            bar.update(bars[part], completed=done, total=total)

        yield step
