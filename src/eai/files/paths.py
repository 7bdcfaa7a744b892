"""Paths that do not exist, and similar ones that do."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from pathlib import Path

from eai.errors import did_you_mean, nearest

_DRIVE = re.compile(r"([A-Za-z]):/")

_MAX_ENTRIES = 10_000
"""Maximum number of names of a folder that are compared."""

Stem = Callable[[str], str]
"""Returns the part of a file's name that is compared."""


def _stem(name: str) -> str:
    """Return a name without its endings; a name that is only an ending stays."""
    return name.partition(".")[0] or name


def similar_paths(path: str | os.PathLike[str], *, stem: Stem = _stem) -> list[str]:
    """Return up to three existing paths that are similar to one that does not exist.

    Folders in it may be misspelled, too, or separated as on Windows.

    Raises:
        OSError: If a folder cannot be read.
    """
    missing_path = Path(_with_own_separators(path))
    if not missing_path.parts:
        return []
    candidates = [Path(missing_path.anchor)]
    # The anchor of an absolute path exists, so only the parts after it are compared.
    parts = missing_path.parts[1:] if missing_path.anchor else missing_path.parts
    for part in parts:
        extended: list[Path] = []
        for folder in candidates:
            extended += [folder / name for name in _similar_names(folder, part, stem)]
        # At most three at every level: otherwise their number would grow with each folder.
        candidates = extended[:3]
    return [str(candidate) for candidate in candidates]


def _with_own_separators(path: str | os.PathLike[str]) -> str:
    """Return a path with this system's separators, also for Windows drives under WSL."""
    text = os.fspath(path)
    if os.sep == "\\" or "\\" not in text:
        return text
    text = text.replace("\\", "/")
    drive = _DRIVE.match(text)
    return text if drive is None else f"/mnt/{drive[1].lower()}/{text[drive.end() :]}"


def _similar_names(folder: Path, part: str, stem: Stem) -> list[str]:
    """Return the name if a folder contains it, else similar names."""
    if os.path.lexists(folder / part):
        return [part]
    if not folder.is_dir():
        return []
    entries = islice(folder.iterdir(), _MAX_ENTRIES)
    name_of_stem = {stem(entry.name): entry.name for entry in entries}
    return [name_of_stem[similar] for similar in nearest(stem(part), sorted(name_of_stem))]


def advice(path: str | os.PathLike[str], *, stem: Stem = _stem) -> str:
    """Return a hint for a path that cannot be read."""
    with suppress(OSError, ValueError):  # ValueError: a NUL
        if os.path.lexists(path):
            return "check that you may read it"
        similar = similar_paths(path, stem=stem)
        if similar:
            return did_you_mean(similar)
        own_path = _with_own_separators(path)
        if own_path != os.fspath(path):
            return (
                "this is written as on Windows; here folders are separated by '/', "
                f"and there is no {own_path!r} either"
            )
        folder = Path(own_path).parent
        if not folder.is_dir():
            return f"check the path: there is no folder {str(folder)!r}"
        if any(mark in Path(own_path).name for mark in "*?["):
            return f"no file fits this pattern: see what there is in {str(folder)!r}"
    return "check the path, and that you may read it"
