"""Rows of a file, whatever holds them: JSON, JSON Lines, tables, logs of Inspect AI, packed or not.

The content decides, and the ending of the name where the content does not. Text is read line by
line; what unpacks to far more than its size, or is nested or wide beyond measure, is refused.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from typing import cast
from zipfile import BadZipFile

from eai.contract import PredictionProblem, Raw
from eai.nesting import decoding
from eai.predictions import limits
from eai.predictions.documents import rows_of_object
from eai.predictions.entries import ZIP, Entry
from eai.predictions.inspect_logs import rows_of_archive
from eai.predictions.reader import Reader
from eai.predictions.tables import (
    DELIMITERS,
    is_workbook,
    rows_of_arrow,
    rows_of_csv,
    rows_of_parquet,
    rows_of_workbook,
    values_of_yaml,
)
from eai.predictions.values import JsonObject, is_list

_CHUNK = 1 << 16
_LINE = 100
"""Bytes that a line of a document takes in memory beside its text, at least."""

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
    b"PAR1": "this is a Parquet file: unpack it",
    b"ARROW1": "this is an Arrow file: unpack it",
    b"\x80\x03": "this is a pickle, which may run any code: write JSON Lines or Parquet",
    b"\x80\x04": "this is a pickle, which may run any code: write JSON Lines or Parquet",
    b"\x80\x05": "this is a pickle, which may run any code: write JSON Lines or Parquet",
    b"\x89PNG": "this is a picture (PNG): give the file with the answers",
    b"\xff\xd8\xff": "this is a picture (JPEG): give the file with the answers",
    b"GIF8": "this is a picture (GIF): give the file with the answers",
    b"%PDF": "this is a PDF document: give the file with the answers",
}
"""First bytes of files that are something else, and what to do about it."""


def rows_of(entry: Entry, reader: Reader) -> Iterator[Raw]:
    """Yield the rows of a file, then what was wrong with it.

    Raises:
        InputError: If it cannot be read at all.
        MissingExtraError: If a library is missing that reads files of this kind.
    """
    begin = entry.first_bytes()
    if entry.archive is None:
        if begin[:4] == ZIP or entry.ending == "eval":
            if is_workbook(entry.path):
                yield from _numbered(entry, rows_of_workbook(entry.path))
            else:
                yield from rows_of_archive(entry.path)
            return
        if begin[:4] == b"PAR1":
            yield from _numbered(entry, rows_of_parquet(entry.path))
            return
        if begin[:6] == b"ARROW1" or entry.ending == "arrow":
            yield from _numbered(entry, rows_of_arrow(entry.path))
            return
    yield from _TextFile(entry, reader).rows()


def _numbered(entry: Entry, rows: Iterable[object]) -> Iterator[Raw]:
    for number, row in enumerate(rows, 1):
        yield f"{entry} row {number}", row


_BLANK = re.compile(r"[\s,\ufeff]*")
_OLD_LINE_ENDS = re.compile(rb"[}\]][ \t]*\r[ \t]*[{\[]")
_DECODER = json.JSONDecoder(object_pairs_hook=JsonObject, strict=False)
_PAIR = 2


class _TextFile:
    """A file of text, read line by line."""

    def __init__(self, entry: Entry, reader: Reader) -> None:
        self._entry = entry
        self._reader = reader
        self._is_damaged = False
        self._problems: list[PredictionProblem] = []

    def rows(self) -> Iterator[Raw]:
        """Yield the rows, then what was wrong with the file."""
        chunks = self._text()
        begin = next(chunks, b"")
        chunks = chain((begin,), chunks)
        if self._entry.ending in DELIMITERS:
            yield from self._rows_of_csv(chunks)
        elif self._entry.ending in ("yaml", "yml"):
            yield from self._rows_of_yaml(chunks)
        elif begin.partition(b"\n")[0].strip() in (b"[", b"{"):
            yield from self._rows_of_indented(chunks)
        else:
            yield from self._rows_of_lines(self._lines(chunks))
        yield from self._problems

    def _at(self, line: int) -> str:
        """The name of a line in the file."""
        return f"{self._entry}:{line}"

    def _report(self, message: str, line: int = 0) -> None:
        where = self._at(line) if line else str(self._entry)
        self._problems.append(PredictionProblem(message, where))

    def _reported(self) -> Iterator[PredictionProblem]:
        """Problems of the file so far."""
        yield from self._problems
        self._problems.clear()

    # -------------------------------------------------------------- bytes and lines

    def _chunks(self) -> Iterator[bytes]:
        """The bytes of the file, unpacked; a damaged end is a problem."""
        with self._entry.open() as file:
            # A pipe cannot go back, so only one byte is looked at ahead; no text begins with it.
            peek = cast("Callable[[int], bytes]", getattr(file, "peek"))  # noqa: B009
            is_packed = peek(1)[:1] == b"\x1f"
            stream = gzip.GzipFile(fileobj=file) if is_packed else file
            read = cast("Callable[[int], bytes]", getattr(stream, "read1"))  # noqa: B009
            is_limited = is_packed and file.seekable()
            size = 0
            try:
                while chunk := read(_CHUNK):
                    size += len(chunk)
                    if is_limited and size > max(limits.MIN_BYTES, limits.MAX_RATIO * file.tell()):
                        self._report(
                            f"the file unpacks to more than {limits.MAX_RATIO} times its size"
                        )
                        return
                    yield chunk
            except (EOFError, zlib.error, gzip.BadGzipFile, BadZipFile) as error:
                self._is_damaged = True
                damage = f"damaged ({error})"
                if isinstance(error, EOFError):
                    damage = "cut off"
                self._report(f"the compressed file is {damage}; its end is missing")

    def _text(self) -> Iterator[bytes]:
        """The bytes of the file with line feeds at the ends of lines; nothing if it is no text."""
        chunks = self._chunks()
        first = next(chunks, b"")
        message = next((what for start, what in _FOREIGN.items() if first.startswith(start)), None)
        if message is not None:
            self._report(message)
            return
        has_old_ends = b"\n" not in first and _OLD_LINE_ENDS.search(first)
        for chunk in chain((first,), chunks):
            yield chunk.replace(b"\r", b"\n") if has_old_ends else chunk
        if not self._is_damaged:  # what is cut off ends in a line that is none
            yield b"\n"

    def _lines(
        self, chunks: Iterable[bytes], *, with_blank: bool = False
    ) -> Iterator[tuple[int, str]]:
        """The lines with their 1-based numbers, by default without those that are blank."""
        number, parts, length = 1, list[bytes](), 0
        for chunk in chunks:
            *whole, rest = chunk.split(b"\n")
            length = len(rest) if whole else length + len(rest)
            if whole and not parts and not with_blank and not chunk.strip(b"\n"):
                # A chunk of nothing but line feeds, of which there may be very many.
                number += len(whole)
                continue
            if length > limits.MAX_BYTES:
                message = (
                    f"the line has more than {limits.MAX_BYTES:,} bytes; the file is read up to it"
                )
                self._report(message, number)
                return
            for piece in whole:
                whole_line = b"".join([*parts, piece])
                parts.clear()
                line = self._decoded(whole_line, number)
                if with_blank or (line and not line.isspace()):
                    yield number, line
                number += 1
            parts.append(rest)

    def _decoded(self, line: bytes, number: int) -> str:
        try:
            return line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            self._report(f"bytes that are not UTF-8 were replaced ({error.reason})", number)
            return line.decode("utf-8", errors="replace")

    # -------------------------------------------------------------- JSON

    def _rows_of_indented(self, chunks: Iterator[bytes]) -> Iterator[Raw]:
        """The rows of a document whose first line is only its bracket."""
        max_chunks = limits.MAX_BYTES // _CHUNK
        read = list(islice(chunks, max_chunks))
        text = None
        if len(read) < max_chunks:
            with suppress(UnicodeDecodeError):
                text = b"".join(read).decode()
        if text is None:  # too long, or not UTF-8: the lines say where
            yield from self._rows_of_lines(self._lines(chain(read, chunks)))
            return
        yield from self._reported()
        yield from self._document(text, range(1, text.count("\n") + 2))

    def _rows_of_lines(self, lines: Iterator[tuple[int, str]]) -> Iterator[Raw]:
        """The rows of lines: one in each, or those of a document that spans them."""
        head = list(islice(lines, 2))
        if not head:
            return
        number, text = head[0]
        lines = chain(head, lines)
        first = _value_of(text)
        is_pair = isinstance(first, list) and len(first) == _PAIR and isinstance(first[0], str)
        if text.lstrip()[:1] == "[" and not (is_pair and len(head) > 1):
            yield from self._rows_of_long_document(first, lines)
            return
        if isinstance(first, JsonObject):
            if len(head) == 1 and not self._reader.is_row(first.fields):
                yield from rows_of_object(first, self._at(number), self._reader)
                return
        elif not is_pair and self._entry.ending == "json":
            # The first line is no whole value: the document goes on in the next one.
            yield from self._rows_of_long_document(first, lines)
            return
        yield from map(self._line, lines)

    def _rows_of_long_document(
        self, first: object, lines: Iterable[tuple[int, str]]
    ) -> Iterator[Raw]:
        numbers, texts, size = list[int](), list[str](), 0
        for number, text in lines:
            size += len(text) + _LINE
            if size > limits.MAX_BYTES:
                message = (
                    f"the list has more than {limits.MAX_BYTES:,} bytes; it is read up to there"
                )
                self._report(message, number)
                break
            numbers.append(number)
            texts.append(text)
        yield from self._reported()
        if isinstance(first, list) and len(numbers) == 1:
            where = self._at(numbers[0])
            yield from ((where, item) for item in first)
        else:
            yield from self._document("\n".join(texts), numbers)

    def _line(self, numbered: tuple[int, str]) -> Raw:
        """The row of one line."""
        number, text = numbered
        value = _value_of(text)
        if isinstance(value, ValueError):
            return PredictionProblem(f"the line is not JSON ({value})", self._at(number))
        return self._at(number), value

    def _document(self, text: str, numbers: Sequence[int]) -> Iterator[Raw]:
        """The rows of a list or an object that spans the file; its lines have these numbers."""
        if text.lstrip()[:1] == "[":
            rows = list(self._values(text, text.find("[") + 1, numbers))
        else:
            rows = list(self._values(text, 0, numbers))
            if len(rows) == 1 and not isinstance(rows[0], PredictionProblem):
                whole = rows[0][1]
                if isinstance(whole, JsonObject) and not self._reader.is_row(whole.fields):
                    yield from rows_of_object(whole, self._at(numbers[0]), self._reader)
                    return
        has_values = any(not isinstance(row, PredictionProblem) for row in rows)
        if has_values or len(numbers) == 1:
            yield from rows
            return
        # It is no document: each line is read, or has a problem, by itself.
        for number, line in zip(numbers, text.split("\n"), strict=True):
            if line.strip():
                yield self._line((number, line))

    def _values(self, text: str, position: int, numbers: Sequence[int]) -> Iterator[Raw]:
        """The JSON values that follow one another from a position on."""
        decode = decoding(_DECODER, text)
        line, counted = 0, 0
        while True:
            blank = _BLANK.match(text, position)
            position = blank.end() if blank else position
            if position >= len(text) or text[position] == "]":
                return
            line, counted = line + text.count("\n", counted, position), position
            where = self._at(numbers[line])
            try:
                value, position = decode(position)
            except ValueError as error:
                message = f"from here on the file is not JSON ({_reason(error)})"
                yield PredictionProblem(message, where)
                return
            yield where, value

    # -------------------------------------------------------------- tables

    def _rows_of_csv(self, chunks: Iterable[bytes]) -> Iterator[Raw]:
        lines = (f"{line}\n" for _, line in self._lines(chunks, with_blank=True))
        yield from rows_of_csv(self._entry, lines)

    def _rows_of_yaml(self, chunks: Iterable[bytes]) -> Iterator[Raw]:
        values = values_of_yaml(self._entry, chunks)
        if isinstance(values, PredictionProblem):
            yield values
            return
        for value in values:
            yield from self._rows_of_value(value)

    def _rows_of_value(self, value: object) -> Iterator[Raw]:
        where = str(self._entry)
        if isinstance(value, JsonObject) and not self._reader.is_row(value.fields):
            yield from rows_of_object(value, where, self._reader)
        elif is_list(value):
            yield from ((where, item) for item in value)
        elif value not in (None, ""):
            yield where, value


def _reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return error.msg
    return "a number is too long"


def _value_of(line: str) -> object:
    """The value of a line of JSON Lines, or the error that says why there is none."""
    try:
        value, end = decoding(_DECODER, line)(len(line) - len(line.lstrip()))
    except ValueError as error:
        return ValueError(_reason(error))
    if line[end:].strip(" \t\r\n,"):
        return ValueError("text after the value")
    return value
