"""Paths that lead nowhere, and what may be meant by them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from pathlib import Path

from eai.errors import nearest

_DRIVE = re.compile(r"([A-Za-z]):/")

_MOST_ENTRIES = 10_000
"""So many names of a folder are looked at."""

Stem = Callable[[str], str]
"""What of a file's name is compared."""


def _stem(name: str) -> str:
    return name.partition(".")[0] or name


def similar_paths(path: str | os.PathLike[str], *, stem: Stem = _stem) -> list[str]:
    """Return up to three paths that there are and that look like one that there is not.

    Folders in it may be misspelled, too, or separated as on Windows.

    Raises:
        OSError: If a folder cannot be read.
    """
    sought = Path(_plain(path))
    found = [Path(sought.anchor)]
    for part in sought.parts[1:] if sought.anchor else sought.parts:
        found = [base / name for base in found for name in _names(base, part, stem)][:3]
    return [str(each) for each in found if sought.parts]


def _plain(path: str | os.PathLike[str]) -> str:
    """A path with the separator of this system; a drive of Windows where WSL has it."""
    text = os.fspath(path)
    if os.sep == "\\" or "\\" not in text:
        return text
    text = text.replace("\\", "/")
    drive = _DRIVE.match(text)
    return text if drive is None else f"/mnt/{drive[1].lower()}/{text[drive.end() :]}"


def _names(folder: Path, part: str, stem: Stem) -> list[str]:
    """What may be meant by a name in a folder."""
    if os.path.lexists(folder / part):
        return [part]
    if not folder.is_dir():
        return []
    there = {stem(entry.name): entry.name for entry in islice(folder.iterdir(), _MOST_ENTRIES)}
    return [there[close] for close in nearest(stem(part), sorted(there))]


def advice(path: str | os.PathLike[str], *, stem: Stem = _stem) -> str:
    """Say what to do about a path that cannot be read."""
    with suppress(OSError, ValueError):  # ValueError: a NUL
        if os.path.lexists(path):
            return "check that you may read it"
        similar = similar_paths(path, stem=stem)
        if similar:
            return f"did you mean {' or '.join(map(repr, similar))}?"
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
