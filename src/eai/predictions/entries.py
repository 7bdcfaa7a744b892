"""Files by themselves and in zips, and what damaged ones raise."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, NamedTuple

from eai.errors import InputError
from eai.predictions import limits

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

ZIP = b"PK\x03\x04"
"""First bytes of a zip."""
LOG_HEADERS = ("header.json", "_journal/start.json")
"""Files in a log of Inspect AI of which one says what was run."""
WORKBOOK = "xl/workbook.xml"
"""A file in a workbook."""
DELIMITERS = {"tsv": "\t", "csv": ",;\t|"}
"""Separators of cells in tables of text, by the ending of the name."""


class Entry(NamedTuple):
    """A file on disk or in a zip.

    Args:
        path: The file, or the zip.
        member: Its name in the zip.
        archive: The zip.
    """

    path: Path
    member: str = ""
    archive: ZipFile | None = None

    def __str__(self) -> str:
        if self.member:
            return f"{self.path}/{self.member}"
        return str(self.path)

    @property
    def name(self) -> str:
        """The name of the file, without folders."""
        if self.member:
            return PurePosixPath(self.member).name
        return self.path.name

    @property
    def folder(self) -> str:
        """The name of the folder in which it lies."""
        if self.member:
            return PurePosixPath(self.member).parent.name or self.path.stem
        return self.path.resolve().parent.name

    @property
    def ending(self) -> str:
        """The ending of the name, without ``.gz``: ``csv``."""
        return self.name.lower().removesuffix(".gz").rpartition(".")[2]

    def open(self) -> IO[bytes]:
        """Open it for reading."""
        if self.archive is not None:
            return self.archive.open(self.member)
        return self.path.open("rb")

    def first_bytes(self) -> bytes:
        """Return the beginning of the file, or nothing for a pipe, which can be read only once."""
        # For "/dev/stdin" or a named pipe, bytes that are read here would be missing later.
        if self.archive is None and not self.path.is_file():
            return b""
        with self.open() as file:
            return file.read(8)


def zip_entries(path: Path) -> list[Entry] | None:
    """Return the files in a zip, or None if the file is not a plain zip.

    Raises:
        InputError: If it is damaged, or would unpack to far more than its size.
    """
    if Entry(path).first_bytes()[:4] != ZIP:
        return None
    from zipfile import ZipFile  # few files are zips

    try:
        archive = ZipFile(path)  # it stays open for its entries
        members = archive.infolist()
    except damages() as error:
        # A log has a reader of its own, which reports damage in it.
        if path.suffix == ".eval":
            return None
        raise InputError(f"the zip is damaged ({error})", where=str(path)) from error
    # Workbooks and logs of Inspect AI are zips by their bytes; readers of their own open them.
    if not {*LOG_HEADERS, WORKBOOK}.isdisjoint(archive.namelist()):
        return None
    # Sizes are those of the directory at the end of the zip, so nothing is unpacked to see them.
    files = [member for member in members if not member.is_dir()]
    _refuse_bomb(path, files)
    return [Entry(path, member.filename, archive) for member in files]


def _refuse_bomb(path: Path, files: Sequence[ZipInfo]) -> None:
    """Refuse a zip with too many files or an extreme compression ratio."""
    size = sum(member.file_size for member in files)
    packed = sum(member.compress_size for member in files)
    max_size = max(limits.MIN_BYTES, limits.MAX_RATIO * packed)
    if len(files) <= limits.MAX_MEMBERS and size <= max_size:
        return
    raise InputError(
        f"the zip is refused: {len(files):,} files with {size:,} bytes unpacked",
        where=str(path),
        expected=f"at most {limits.MAX_MEMBERS:,} files, and {limits.MAX_RATIO} times its size",
    )


def damages() -> tuple[type[Exception], ...]:
    """Return the exceptions that reading damaged files may raise."""
    from struct import error as struct_error

    errors = [*packing_errors(), EOFError, KeyError, RuntimeError, ValueError, struct_error]
    # A library that was not imported raised nothing.
    unpacker = sys.modules.get("zstandard") or sys.modules.get("compression.zstd")
    if unpacker is not None:
        errors.append(unpacker.ZstdError)
    return tuple(errors)


def packing_errors() -> tuple[type[Exception], ...]:
    """Return the exceptions of the modules that unpack gzip and zip."""
    # Imported after an error only: most runs unpack nothing.
    from gzip import BadGzipFile
    from zipfile import BadZipFile
    from zlib import error as zlib_error

    return BadGzipFile, BadZipFile, zlib_error
