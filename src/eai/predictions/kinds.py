"""What a file is that holds no predictions: a table, a picture, a plan, an archive."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from eai.predictions.items import IDS, OUTPUTS

__all__ = ["Kind", "foreign", "kind_of"]

_FRAME = "read it with pandas and give the data frame"

_FOREIGN = {
    b"\xff\xfe\x00\x00": "this is UTF-32 text: save it as UTF-8",
    b"\xff\xfe": "this is UTF-16 text: save it as UTF-8",
    b"\xfe\xff": "this is UTF-16 text: save it as UTF-8",
    b"{\x00": "this looks like UTF-16 text: save it as UTF-8",
    b"[\x00": "this looks like UTF-16 text: save it as UTF-8",
    b"PK\x03\x04": "this is a zip archive: unpack it",
    b"BZh": "this is packed with bzip2: unpack it, or use gzip",
    b"\xfd7zXZ\x00": "this is packed with xz: unpack it, or use gzip",
    b"\x28\xb5\x2f\xfd": "this is packed with zstandard: unpack it, or use gzip",
    b"SQLite format 3\x00": "this is an SQLite database: write its answers as JSON Lines",
    b"PAR1": f"this is a Parquet file: {_FRAME}",
    b"\x89PNG": "this is a picture (PNG): give the file with the answers",
    b"\xff\xd8\xff": "this is a picture (JPEG): give the file with the answers",
    b"GIF8": "this is a picture (GIF): give the file with the answers",
    b"%PDF": "this is a PDF document: give the file with the answers",
}
"""First bytes of files that are something else, and what to do about it."""

_STEP = re.compile(
    r"\W*(\d+[.):]\s*)?(step\s+\d+[.:]?\s*)?[a-z][\w ]*\([^()]*\)\s*[,;.]?", re.IGNORECASE
)
_YAML = re.compile(r"---\s*|\s*(- +)?[\w-]+:( .*)?")
_TABLE = re.compile(r'[\w" -]+([,;\t][\w" -]*)+')


class Kind(NamedTuple):
    """What a file is instead of predictions.

    Args:
        what: What it looks like.
        mend: What to do with it.
    """

    what: str
    mend: str


def foreign(begin: bytes) -> str | None:
    """Return what a file is by its first bytes, and what to do with it; None if it may be text."""
    return next((told for start, told in _FOREIGN.items() if begin.startswith(start)), None)


def kind_of(path: Path, begin: bytes) -> Kind | None:
    """Return what a text is instead of JSON; None if that cannot be told.

    Args:
        path: The file.
        begin: How it begins.
    """
    lines = [line for line in begin.decode("utf-8", "replace").split("\n") if line.strip()]
    if not lines or lines[0].lstrip()[:1] in "{[":
        return None
    first, ending = lines[0].strip(), path.name.lower().removesuffix(".gz").rpartition(".")[2]
    if _STEP.fullmatch(first):
        return Kind(
            "it looks like one plan",
            f"eai repair SUITE TASK {path} takes a plan; predictions name the task of each: "
            '{"id": "the task", "output": "the plan"} on a line',
        )
    if ending in ("csv", "tsv") or _heads_a_table(first):
        return Kind("it looks like a table (CSV)", f"{_FRAME}: columns id and output")
    if ending in ("yaml", "yml") or _are_yaml(lines[:2]):
        return Kind(
            "it looks like YAML",
            'write JSON: {"id": "the task", "output": "what was answered"} on a line',
        )
    return None


def _are_yaml(lines: Sequence[str]) -> bool:
    return len(lines) == 2 and all(map(_YAML.fullmatch, lines))


def _heads_a_table(line: str) -> bool:
    names = {name.strip(' "') for name in re.split("[,;\t]", line.lower())}
    return bool(_TABLE.fullmatch(line)) and not names.isdisjoint((*IDS, *OUTPUTS))
