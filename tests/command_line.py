"""Calling the command line inside a test."""

from __future__ import annotations

import contextlib
import io
from typing import NamedTuple

from eai.cli.app import run
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


def call(*words: object) -> Done:
    """Run a command and keep what it printed."""
    out, err = io.StringIO(), io.StringIO()
    code, error = 0, None
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            run([str(word) for word in words])
        except SystemExit as stop:
            code = int(stop.code or 0)
        except EaiError as found:
            code, error = 3, found
    return Done(code, out.getvalue(), err.getvalue(), error)
