"""Where a run may be written, and what is said of a name that is none for its folder."""

from __future__ import annotations

import os
import re
from pathlib import Path

from eai.errors import InputError
from eai.files import given_path

__all__ = ["made_folder", "refuse_file_name"]

_EXPECTED = "the path of a folder, which need not exist"

_OF_FILES = re.compile(r".*\.(csv|html?|jsonl?|md|parquet|pdf|tex|txt|zip)(\.gz)?", re.IGNORECASE)


def made_folder(given: str | os.PathLike[str]) -> Path:
    """Return the folder that a caller gave for a run; it is made if it is not there.

    Raises:
        InputError: If it is no path, is empty, has the name of a file, or cannot be made.
    """
    path = given_path(given, what="a folder")
    if not os.fspath(given):
        raise InputError(
            "the name of the output folder is empty",
            expected="the path of a folder",
            mend="check that the variable that holds it is set",
        )
    refuse_file_name(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL
        raise _no_folder(path, error) from error
    return path


def refuse_file_name(path: Path) -> None:
    """See that a folder for results is not called like a file, unless it is there.

    Raises:
        InputError: If it is: then a file is meant, or its folder.
    """
    if os.path.exists(path) or not _OF_FILES.fullmatch(path.name):  # noqa: PTH110  # may not look
        return
    folder = path.parent if path.parent.name else f"{path.stem}-run"
    raise InputError(
        "this is the name of a file",
        where=str(path),
        expected=_EXPECTED,
        mend=f"output (--output, -o) takes a folder, for the page and all else: {folder}",
    )


def _no_folder(path: Path, error: OSError | ValueError) -> InputError:
    # Path.is_file would raise where one may not look.
    file = next((p for p in (path, *path.parents) if os.path.isfile(p)), None)  # noqa: PTH113
    if file is not None:
        return InputError(
            "this is a file" if file == path else f"{file} is a file",
            where=str(path),
            expected=_EXPECTED,
            mend=f"output (--output, -o) takes a folder: name a new one, as {file.stem}-run",
        )
    return InputError(
        f"the folder cannot be made: {getattr(error, 'strerror', None) or error}",
        where=str(path),
        expected=_EXPECTED,
        mend="choose a place where you may write",
    )
