"""Writing files into the cache: never half-written, and with clear words when it fails."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from eai.errors import DataError

__all__ = ["store", "storing"]

_FULL = (errno.ENOSPC, errno.EDQUOT)
_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)


def store(path: Path, content: bytes) -> None:
    """Write a small file so that it is never seen half-written.

    Raises:
        DataError: If it cannot be written.
    """
    part = path.with_name(f".{path.name}.{os.urandom(16).hex()}.part")
    with storing(path, needed=len(content)):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            part.write_bytes(content)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)


@contextmanager
def storing(target: Path, *, needed: int) -> Iterator[None]:
    """Translate what the operating system says while a file is made.

    Args:
        target: The file that is to be made.
        needed: Its size in bytes, for the message.

    Raises:
        DataError: For every :class:`OSError` of the body.
    """
    try:
        yield
    except OSError as problem:
        raise _storage_error(problem, target, needed=needed) from problem


def _storage_error(problem: OSError, target: Path, *, needed: int) -> DataError:
    where = str(target.parent)
    elsewhere = "set EAI_CACHE to a folder"
    if problem.errno in _FULL:
        return _disk_full(where, needed)
    if problem.errno in _FORBIDDEN:
        return DataError(
            f"the cache folder cannot be written to ({problem.strerror})",
            where=where,
            mend=f"{elsewhere} that you may write to",
        )
    return DataError(
        f"the data cannot be stored ({problem.strerror or problem})",
        where=where,
        mend=f"{elsewhere} where files can be written",
    )


def _disk_full(where: str, needed: int) -> DataError:
    return DataError(
        "the disk is full; nothing was kept",
        where=where,
        expected=f"{max(1, -(-needed // 10**6))} MB of free space",
        mend="free some space, or set EAI_CACHE to a folder on another disk",
    )
