"""Claiming a folder, so that two processes do not write to it at once.

The operating system holds the claim and drops it when the process ends, however it ends.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from eai.errors import InputError

if sys.platform != "win32":
    import fcntl

__all__ = ["Claim"]


class Claim:
    """The right to write to a folder.

    Where the operating system cannot lock a folder (Windows, some network file systems), every
    claim is granted.

    Args:
        folder: The folder; it exists.

    Raises:
        InputError: If somebody else has it.
    """

    def __init__(self, folder: Path) -> None:
        self._handle = _locked(folder)

    def release(self) -> None:
        """Give the folder back; a second call does nothing."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def _locked(folder: Path) -> int | None:
    if sys.platform == "win32":
        return None
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise InputError(
            "another run is writing to this folder",
            where=str(folder),
            expected="a folder for each run",
            mend="wait until it has ended, or choose another folder",
        ) from None
    except OSError:
        os.close(handle)
        return None
    return handle
