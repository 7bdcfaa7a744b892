"""Calling the command line inside a test."""

from __future__ import annotations

import contextlib
import io
from typing import NamedTuple

from eai.cli.program import app
from eai.errors import EaiError


class Done(NamedTuple):
    """How a command ended."""

    exit_code: int
    stdout: str
    stderr: str
    exception: EaiError | None

    @property
    def output(self) -> str:
        return self.stdout + self.stderr

    @property
    def told(self) -> str:
        """What was said about what went wrong, without the lines and frames of the terminal."""
        told = str(self.exception) if self.exception else self.stderr
        return " ".join(told.replace("│", " ").split())


def call(*words: object) -> Done:
    """Run a command and keep what it printed."""
    out, err = io.StringIO(), io.StringIO()
    code, error = 0, None
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            app([str(word) for word in words], prog_name="eai")
        except SystemExit as stop:
            code = int(stop.code or 0)
        except EaiError as found:
            code, error = 3, found
    return Done(code, out.getvalue(), err.getvalue(), error)
