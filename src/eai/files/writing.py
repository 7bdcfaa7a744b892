"""Writing files: never over something, never half of one."""

from __future__ import annotations

import contextlib
import errno
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

from eai.digests import blake2b
from eai.errors import InputError, OutputExistsError, reported
from eai.nesting import load_json

RECORD_LINES = "records.jsonl"
"""The file with the records of a run as lines of JSON."""
RECORD_COLUMNS = "records.parquet"
"""The file with the records of a run as columns."""
RECORD_FILES = (RECORD_LINES, RECORD_COLUMNS)
"""Files with the records of a run; the first that is there is read."""
FILES = ("run.json", RECORD_LINES, "table.csv", "table.tex", "report.html")
"""The files of a complete run."""


def holds_run(folder: str | os.PathLike[str]) -> bool:
    """Return whether a folder has the records of a run; False for a text that can be no path."""
    return records_in(folder) is not None


def records_in(folder: str | os.PathLike[str]) -> Path | None:
    """Return the record file in a run's folder, or None."""
    for name in RECORD_FILES:
        path = Path(folder) / name
        # Path.is_file would raise for a text that is too long for a path.
        if os.path.isfile(path):  # noqa: PTH113
            return path
    return None


def content_hash(parts: Iterable[object]) -> str:
    """Return a hash of files by content, and of other values by representation.

    A file that is not there, or cannot be read, counts as an empty one.
    """
    digest = blake2b(digest_size=16)
    for part in parts:
        if isinstance(part, Path):
            digest.update(f"\0{part.name}\0".encode("utf-8", "surrogatepass"))
            with contextlib.suppress(OSError):
                digest.update(part.read_bytes())
        else:
            digest.update(repr(part).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def folder_of(suite: str) -> str:
    """Return the folder name of a suite, whose own name may be a path."""
    return re.sub(r"[/\\]+", "_", suite)


def runs_in(folder: Path) -> list[Path]:
    """Return the folders with records in a run: the folder itself, or ``SUITE/ABILITY``.

    Other runs inside the folder are not parts of it.
    """
    if holds_run(folder):
        return [folder]
    run_folders = [
        path.parent for depth in ("*", "*/*") for path in folder.glob(f"{depth}/run.json")
    ]
    return sorted(
        path for path in run_folders if holds_run(path) and _has_names_of_run(path, folder)
    )


def _has_names_of_run(part: Path, folder: Path) -> bool:
    """Return whether a run's path below a folder is named as the run says: ``SUITE/ABILITY``.

    Args:
        part: The folder of the run.
        folder: The folder above it.
    """
    try:
        description = load_json((part / "run.json").read_text("utf-8"))
        names = (folder_of(description["suite"]), description["ability"])
    except (OSError, ValueError, KeyError, TypeError):
        return False
    path_parts = part.relative_to(folder).parts
    return names[-len(path_parts) :] == path_parts


def given_path(path: str | os.PathLike[str], *, what: str = "a file") -> Path:
    """Return the path that a caller gave, after checking its type.

    Raises:
        InputError: If it is not a path.
    """
    if isinstance(path, (str, os.PathLike)):
        return Path(path)
    raise InputError(
        f"{reported(path)} is not a path",
        expected=f"the path of {what}: a string, or a pathlib.Path",
    )


def refuse_existing(path: Path, *, force: bool = False) -> None:
    """Raise an error if a path exists and must not be replaced.

    Raises:
        OutputExistsError: If there is something and ``force`` is off.
        InputError: If the path is a folder, or its folder does not exist.
    """
    if path.is_dir():
        raise InputError(
            "this is a folder",
            where=str(path),
            expected="the path of a file",
            mend="name a file in it",
        )
    if not path.parent.is_dir():
        raise InputError(
            "its folder does not exist",
            where=str(path),
            mend=f"create the folder {str(path.parent)!r} first",
        )
    # A link that leads nowhere is something, too: writing would go to where it points.
    if not force and os.path.lexists(path):
        raise OutputExistsError(
            "the file exists already",
            where=str(path),
            mend="choose another path, or allow overwriting (force=True, --force)",
        )


FREE_SPACE = "free some space, then call it again: a run resumes where it stopped"
"""The hint when a disk is full."""


def is_full(error: OSError) -> bool:
    """Return whether an error says that there is no space left, or none left for this user."""
    return error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextlib.contextmanager
def writing_to(path: Path) -> Iterator[None]:
    """Turn operating system errors while writing ``path`` into an :class:`InputError`."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        mend = "choose a folder in which you have write permission"
        if is_full(error):
            mend = FREE_SPACE
        raise InputError(f"cannot be written: {reason}", where=str(path), mend=mend) from error


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str], *, force: bool = False) -> Iterator[TextIO]:
    """Open a new UTF-8 text file that appears under its name only when complete.

    If anything fails, what was at ``path`` stays as it was (see :func:`replacing_file`).

    Raises:
        OutputExistsError: If there is a file and ``force`` is off.
        InputError: If the file cannot be written.
    """
    with (
        replacing_file(path, force=force) as part,
        part.open("w", encoding="utf-8", newline="\n") as stream,
    ):
        yield stream


@contextlib.contextmanager
def replacing_file(path: str | os.PathLike[str], *, force: bool = False) -> Iterator[Path]:
    """Yield a temporary path, which is renamed to ``path`` at the end.

    The temporary file is in the same folder; if anything fails, it is removed and what was at
    ``path`` stays as it was.

    Raises:
        OutputExistsError: If there is a file and ``force`` is off.
        InputError: If the file cannot be written.
    """
    target = given_path(path)
    refuse_existing(target, force=force)
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    with writing_to(target), contextlib.ExitStack() as cleaning:
        cleaning.callback(part.unlink, missing_ok=True)
        yield part
        part.replace(target)
