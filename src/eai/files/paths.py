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
    wanted = Path(_plain(path))
    if not wanted.parts:
        return []
    candidates = [Path(wanted.anchor)]
    # An absolute path begins with its anchor, which is there anyway.
    parts = wanted.parts[1:] if wanted.anchor else wanted.parts
    for part in parts:
        longer: list[Path] = []
        for folder in candidates:
            longer += [folder / name for name in _names(folder, part, stem)]
        # Few at every level, or a misspelled path of many folders would have very many.
        candidates = longer[:3]
    return [str(candidate) for candidate in candidates]


def _plain(path: str | os.PathLike[str]) -> str:
    """Return a path with this system's separators, also for Windows drives under WSL."""
    text = os.fspath(path)
    if os.sep == "\\" or "\\" not in text:
        return text
    text = text.replace("\\", "/")
    drive = _DRIVE.match(text)
    return text if drive is None else f"/mnt/{drive[1].lower()}/{text[drive.end() :]}"


def _names(folder: Path, part: str, stem: Stem) -> list[str]:
    """Return the name if a folder contains it, else similar names."""
    if os.path.lexists(folder / part):
        return [part]
    if not folder.is_dir():
        return []
    entries = islice(folder.iterdir(), _MAX_ENTRIES)
    by_stem = {stem(entry.name): entry.name for entry in entries}
    return [by_stem[similar] for similar in nearest(stem(part), sorted(by_stem))]


def advice(path: str | os.PathLike[str], *, stem: Stem = _stem) -> str:
    """Return a hint for a path that cannot be read."""
    with suppress(OSError, ValueError):  # ValueError: a NUL
        if os.path.lexists(path):
            return "check that you may read it"
        similar = similar_paths(path, stem=stem)
        if similar:
            return did_you_mean(similar)
        plain = _plain(path)
        if plain != os.fspath(path):
            return (
                "this is written as on Windows; here folders are separated by '/', "
                f"and there is no {plain!r} either"
            )
        folder = Path(plain).parent
        if not folder.is_dir():
            return f"check the path: there is no folder {str(folder)!r}"
        if any(mark in Path(plain).name for mark in "*?["):
            return f"no file fits this pattern: see what there is in {str(folder)!r}"
    return "check the path, and that you may read it"
