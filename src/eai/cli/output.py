"""Writing to the terminal in the encoding that it says it has."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress

from eai.text import printable

__all__ = ["hint", "leave", "let_go", "say", "show", "tolerate", "warn", "write_error"]


def tolerate() -> None:
    """Write as an escape what the encoding of a terminal or file cannot express."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(text: str) -> None:
    """Write a result to standard output."""
    if sys.stdout is not None:  # closed by the caller
        sys.stdout.write(f"{printable(text)}\n")
        sys.stdout.flush()


def show(table: object) -> None:
    """Write what rich renders to standard output.

    Raises:
        BrokenPipeError: If nobody reads it any more.
    """
    from rich.console import Console

    class _Console(Console):
        def on_broken_pipe(self) -> None:  # else rich would end the process with 1
            raise BrokenPipeError

    _Console().print(table)


def warn(text: str) -> None:
    """Write a remark to standard error, with the name of the program before it."""
    write_error(f"eai: {text}")


def hint(text: str) -> None:
    """Write what else can be done to standard error, for a person who reads it there."""
    if sys.stderr is not None and sys.stderr.isatty():
        warn(text)


def write_error(text: str) -> None:
    """Write anything else to standard error, if that can be written."""
    if sys.stderr is not None:
        with suppress(OSError):
            sys.stderr.write(f"{printable(text)}\n")
            sys.stderr.flush()


def leave() -> None:
    """End the process with everything written; nothing else is called."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with suppress(OSError, ValueError):
                stream.flush()
    os._exit(0)


def let_go() -> None:
    """Forget what could not be written to standard output, or Python tries again at its end."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
