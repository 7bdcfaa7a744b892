"""Running other planners as processes, within limits."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass

__all__ = ["Ended", "run"]

_GRACE, _PATIENCE = 10.0, 5.0
"""Seconds added to the limit on processor time, and times as long as it may really take."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process ended.

    Args:
        code: Its exit code; minus the number of the signal that ended it.
        output: What it wrote to standard output.
        errors: What it wrote to standard error.
        late: Whether it was ended because it took far too long.
    """

    code: int
    output: str
    errors: str
    late: bool = False


def run(
    command: Sequence[str],
    *,
    folder: str,
    given: str = "",
    time_limit: float | None = None,
    before: Callable[[], None] | None = None,
) -> Ended:
    """Run a command to its end, with all processes that it starts.

    Args:
        command: The program and its arguments.
        folder: Where it runs.
        given: What it reads from standard input.
        time_limit: Seconds of processor time that it should need. It is ended when it takes
            several times as long by the clock, whatever it does.
        before: Called in the new process, before the command.
    """
    wait = None if time_limit is None else _PATIENCE * time_limit + _GRACE
    with subprocess.Popen(  # noqa: S603 - the command is made by the engines
        command,
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
        preexec_fn=before,  # noqa: PLW1509 - it only sets limits
    ) as process:
        try:
            output, errors = process.communicate(given, timeout=wait)
        except subprocess.TimeoutExpired:
            _end(process.pid)
            output, errors = process.communicate()
            return Ended(process.returncode, output, errors, late=True)
        except BaseException:
            _end(process.pid)
            raise
    return Ended(process.returncode, output, errors)


def _end(group: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)
