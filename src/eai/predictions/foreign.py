"""What a file is that is no text: a picture, an archive, a database."""

from __future__ import annotations

__all__ = ["DATA_FRAME", "foreign"]

DATA_FRAME = "read it with pandas and give the data frame"
"""What to do with tables."""

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
    b"PAR1": f"this is a Parquet file: {DATA_FRAME}",
    b"\x89PNG": "this is a picture (PNG): give the file with the answers",
    b"\xff\xd8\xff": "this is a picture (JPEG): give the file with the answers",
    b"GIF8": "this is a picture (GIF): give the file with the answers",
    b"%PDF": "this is a PDF document: give the file with the answers",
}
"""First bytes of files that are something else, and what to do about it."""


def foreign(begin: bytes) -> str | None:
    """Return what a file is by its first bytes, and what to do with it; None if it may be text."""
    return next((told for start, told in _FOREIGN.items() if begin.startswith(start)), None)
