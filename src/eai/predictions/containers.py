"""Rows of a file, whatever holds them: JSON, JSON Lines, tables, logs of Inspect AI, packed or not.

The content decides, and the ending of the name where the content does not. Text is read line by
line; what unpacks to far more than its size, or is nested or wide beyond measure, is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, islice
from typing import cast

from eai.contract import PredictionProblem, Raw
from eai.nesting import decoding
from eai.predictions import limits
from eai.predictions.documents import rows_of_object
from eai.predictions.entries import DELIMITERS, ZIP, Entry, packing_errors
from eai.predictions.inspect_logs import rows_of_archive
from eai.predictions.reader import Reader
from eai.predictions.values import JsonObject, is_list

_CHUNK = 1 << 16
"""Number of bytes that are read at a time."""
_GZIP = b"\x1f"
"""First byte of a file that is packed with gzip."""
_LINE_OVERHEAD = 100
"""Bytes that a line of a document takes in memory beside its text, at least."""

_OTHER_FORMATS = {
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
    """Yield the rows of a file, followed by its problems.

    Raises:
        InputError: If it cannot be read at all.
        MissingExtraError: If a library is missing that reads files of this kind.
    """
    begin = entry.first_bytes()
    # These libraries read from a path, so a member of an archive cannot be one of their files.
    if entry.archive is None:
        if begin[:4] == ZIP or entry.ending == "eval":
            yield from _rows_of_zip(entry)
            return
        if begin[:4] == b"PAR1" or begin[:6] == b"ARROW1" or entry.ending == "arrow":
            yield from _rows_of_columns(entry, is_parquet=begin[:4] == b"PAR1")
            return
    yield from _TextFile(entry, reader).rows()


def _rows_of_zip(entry: Entry) -> Iterator[Raw]:
    """Yield the rows of a workbook, or of a log of Inspect AI."""
    from eai.predictions.tables import is_workbook, rows_of_workbook  # few files are tables

    if is_workbook(entry.path):
        yield from _with_row_numbers(entry, rows_of_workbook(entry.path))
    else:
        yield from rows_of_archive(entry.path)


def _rows_of_columns(entry: Entry, *, is_parquet: bool) -> Iterator[Raw]:
    """Yield the rows of a file that stores columns, of Parquet or of Arrow."""
    from eai.predictions.tables import rows_of_arrow, rows_of_parquet  # few files are tables

    rows = rows_of_parquet(entry.path) if is_parquet else rows_of_arrow(entry.path)
    yield from _with_row_numbers(entry, rows)


def _with_row_numbers(entry: Entry, rows: Iterable[object]) -> Iterator[Raw]:
    """Yield rows of a table with their places: ``"answers.parquet row 3"``."""
    for number, row in enumerate(rows, 1):
        yield f"{entry} row {number}", row


_BLANK = re.compile(r"[\s,\ufeff]*")
"""Text between two values of a document; a byte order mark is there where files were joined."""
_OLD_LINE_ENDS = re.compile(rb"[}\]][ \t]*\r[ \t]*[{\[]")
_DECODER = json.JSONDecoder(object_pairs_hook=JsonObject, strict=False)


class _TextFile:
    """A text file, read line by line."""

    def __init__(self, entry: Entry, reader: Reader) -> None:
        """Begin without problems; nothing is read yet."""
        self._entry = entry
        self._name = str(entry)
        self._reader = reader
        self._is_damaged = False
        self._problems: list[PredictionProblem] = []

    def rows(self) -> Iterator[Raw]:
        """Yield the rows of the file, followed by its problems."""
        # The beginning tells the layout; it is then put back, as all of it is read once.
        chunks = self._text_chunks()
        begin = next(chunks, b"")
        chunks = chain((begin,), chunks)
        if self._entry.ending in DELIMITERS:
            yield from self._rows_of_csv(chunks)
        elif self._entry.ending in ("yaml", "yml"):
            yield from self._rows_of_yaml(chunks)
        # A bracket alone on its line: the file was written with an indent.
        elif begin.partition(b"\n")[0].strip() in (b"[", b"{"):
            yield from self._rows_of_indented(chunks)
        else:
            yield from self._rows_of_lines(self._lines(chunks))
        yield from self._problems

    def _location(self, line: int) -> str:
        """Return the place of a line: ``"answers.jsonl:12"``."""
        return f"{self._name}:{line}"

    def _add_problem(self, message: str, line: int | None = None) -> None:
        """Record a problem of the file or of one of its lines."""
        where = self._name
        if line is not None:
            where = self._location(line)
        self._problems.append(PredictionProblem(message, where))

    def _flush_problems(self) -> Iterator[PredictionProblem]:
        """Yield the problems of the file so far, and forget them."""
        yield from self._problems
        self._problems.clear()

    # -------------------------------------------------------------- bytes and lines

    def _chunks(self) -> Iterator[bytes]:
        """Yield the unpacked bytes of the file. A damaged end is a problem."""
        with self._entry.open() as file:
            # A pipe cannot go back, so only one byte is looked at ahead; no text begins with it.
            peek = cast("Callable[[int], bytes]", getattr(file, "peek"))  # noqa: B009
            is_packed = peek(1)[:1] == _GZIP
            stream: object = file
            if is_packed:
                import gzip  # few files are packed

                stream = gzip.GzipFile(fileobj=file)
            read = cast("Callable[[int], bytes]", getattr(stream, "read1"))  # noqa: B009
            # It is unknown how much of a pipe was read, so the size of its unpacked data is not
            # limited.
            is_limited = is_packed and file.seekable()
            unpacked_bytes = 0
            try:
                for chunk in iter(partial(read, _CHUNK), b""):
                    unpacked_bytes += len(chunk)
                    if is_limited and unpacked_bytes > _max_unpacked_bytes(file.tell()):
                        self._add_problem(
                            f"the file unpacks to more than {limits.MAX_RATIO} times its size"
                        )
                        return
                    yield chunk
            except EOFError:
                self._is_damaged = True
                self._add_problem("the compressed file is cut off; its end is missing")
            except packing_errors() as error:
                self._is_damaged = True
                self._add_problem(f"the compressed file is damaged ({error}); its end is missing")

    def _text_chunks(self) -> Iterator[bytes]:
        """Yield the bytes with line feeds as line ends, or nothing for a binary file.

        Files of old Macs end their lines with a carriage return only.
        """
        chunks = self._chunks()
        first = next(chunks, b"")
        for beginning, message in _OTHER_FORMATS.items():
            if first.startswith(beginning):
                self._add_problem(message)
                return
        has_old_ends = b"\n" not in first and _OLD_LINE_ENDS.search(first)
        for chunk in chain((first,), chunks):
            if has_old_ends:
                yield chunk.replace(b"\r", b"\n")
            else:
                yield chunk
        if not self._is_damaged:  # what is cut off ends in a line that is none
            yield b"\n"

    def _lines(
        self, chunks: Iterable[bytes], *, with_blank: bool = False, max_bytes: int | None = None
    ) -> Iterator[tuple[int, str]]:
        """Yield (line number from 1, line), by default without blank lines.

        A line may span chunks: its parts are held until its end comes.

        Args:
            chunks: The bytes of the file.
            with_blank: Whether blank lines are lines, too.
            max_bytes: The file is read up to the first longer line (as other files, by default).
        """
        max_bytes = max_bytes or limits.MAX_BYTES
        number = 1
        # The beginning of the line that has not ended yet, and its length.
        pending_parts: list[bytes] = []
        pending_bytes = 0
        for chunk in chunks:
            *line_ends, rest = chunk.split(b"\n")
            if line_ends:
                pending_bytes = 0
            pending_bytes += len(rest)
            may_skip_blank = bool(line_ends) and not pending_parts and not with_blank
            if may_skip_blank and not chunk.strip(b"\n"):
                # A chunk of nothing but line feeds, of which there may be very many.
                number += len(line_ends)
                continue
            if pending_bytes > max_bytes:
                message = f"the line has more than {max_bytes:,} bytes; the file is read up to it"
                self._add_problem(message, number)
                return
            for line_end in line_ends:
                whole_line = b"".join([*pending_parts, line_end])
                pending_parts.clear()
                line = self._decode(whole_line, number)
                if with_blank or (line and not line.isspace()):
                    yield number, line
                number += 1
            pending_parts.append(rest)

    def _decode(self, line: bytes, number: int) -> str:
        """Return a line as text. Invalid bytes are replaced and recorded as a problem."""
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            self._add_problem(f"bytes that are not UTF-8 were replaced ({error.reason})", number)
            return line.decode("utf-8", errors="replace")
        # Only a file may begin with a byte order mark.
        return text.removeprefix("\ufeff") if number == 1 else text

    # -------------------------------------------------------------- JSON

    def _rows_of_indented(self, chunks: Iterator[bytes]) -> Iterator[Raw]:
        """Yield the rows of a document whose first line is only a bracket."""
        max_chunks = limits.MAX_BYTES // _CHUNK
        first_chunks = list(islice(chunks, max_chunks))
        text = None
        if len(first_chunks) < max_chunks:
            with suppress(UnicodeDecodeError):
                text = b"".join(first_chunks).decode()
        if text is None:  # too long, or not UTF-8: the lines say where
            yield from self._rows_of_lines(self._lines(chain(first_chunks, chunks)))
            return
        yield from self._flush_problems()
        yield from self._rows_of_document(text, range(1, text.count("\n") + 2))

    def _rows_of_lines(self, lines: Iterator[tuple[int, str]]) -> Iterator[Raw]:
        """Yield the row on each line, or the rows of a document that spans the lines."""
        first_lines = list(islice(lines, 2))
        if not first_lines:
            return
        is_only_line = len(first_lines) == 1
        number, text = first_lines[0]
        lines = chain(first_lines, lines)
        first_value = _value_of(text)
        # ["task-1", "walk to ..."]: an identifier and an answer in a line.
        is_pair = (
            isinstance(first_value, list)
            and len(first_value) == 2
            and isinstance(first_value[0], str)
        )
        if text.lstrip()[:1] == "[" and (is_only_line or not is_pair):
            yield from self._rows_of_long_document(first_value, lines)
            return
        if isinstance(first_value, JsonObject):
            if is_only_line and not self._reader.is_row(first_value.fields):
                yield from rows_of_object(first_value, self._location(number), self._reader)
                return
        elif not is_pair and self._entry.ending == "json":
            # The first line is not a complete value, so the document continues on the next line.
            yield from self._rows_of_long_document(first_value, lines)
            return
        yield from map(self._row_of_line, lines)

    def _rows_of_long_document(
        self, first_value: object, lines: Iterable[tuple[int, str]]
    ) -> Iterator[Raw]:
        """Yield the rows of a document that may be too long for memory.

        Args:
            first_value: The value of its first line, or the error if the line has none.
            lines: All lines with their numbers.
        """
        numbers: list[int] = []
        texts: list[str] = []
        size = 0
        for number, text in lines:
            size += len(text) + _LINE_OVERHEAD
            if size > limits.MAX_BYTES:
                message = (
                    f"the list has more than {limits.MAX_BYTES:,} bytes; it is read up to there"
                )
                self._add_problem(message, number)
                break
            numbers.append(number)
            texts.append(text)
        yield from self._flush_problems()
        # A list on a single line was decoded already.
        if isinstance(first_value, list) and len(numbers) == 1:
            where = self._location(numbers[0])
            for item in first_value:
                yield where, item
        else:
            yield from self._rows_of_document("\n".join(texts), numbers)

    def _row_of_line(self, numbered_line: tuple[int, str]) -> Raw:
        """Return the row on a line, given as (number, text), or a problem if the line has none."""
        number, text = numbered_line
        value = _value_of(text)
        if isinstance(value, ValueError):
            return PredictionProblem(f"the line is not JSON ({value})", self._location(number))
        return self._location(number), value

    def _rows_of_document(self, text: str, numbers: Sequence[int]) -> Iterator[Raw]:
        """Yield the rows of a list or object that spans several lines.

        If it is neither, each of its lines is a row or a problem.
        """
        if text.lstrip()[:1] == "[":
            rows = list(self._values(text, text.find("[") + 1, numbers))
        else:
            rows = list(self._values(text, 0, numbers))
            if len(rows) == 1 and not isinstance(rows[0], PredictionProblem):
                document = rows[0][1]
                if isinstance(document, JsonObject) and not self._reader.is_row(document.fields):
                    yield from rows_of_object(document, self._location(numbers[0]), self._reader)
                    return
        has_values = any(not isinstance(row, PredictionProblem) for row in rows)
        if has_values or len(numbers) == 1:
            yield from rows
            return
        # It is not a document, so each line is read on its own.
        for number, line in zip(numbers, text.split("\n"), strict=True):
            if line.strip():
                yield self._row_of_line((number, line))

    def _values(self, text: str, position: int, numbers: Sequence[int]) -> Iterator[Raw]:
        """Yield consecutive JSON values of a text, each with the location of its first character.

        The values end with the text, at a closing ``]``, or at the first that is not JSON; the last
        item then is a problem in place of a value.

        Args:
            text: The text.
            position: Index of the first character of the first value, or of blanks before it.
            numbers: For each line of the text its number in the file.
        """
        decode = decoding(_DECODER, text)
        line_index = 0
        line_searched_to = 0  # the line feeds before this index are counted in ``line_index``
        position = _after_blanks(text, position)
        while position < len(text) and text[position] != "]":
            line_index += text.count("\n", line_searched_to, position)
            line_searched_to = position
            location = self._location(numbers[line_index])
            try:
                value, value_end = decode(position)
            except ValueError as error:
                message = f"from here on the file is not JSON ({_why_no_json(error)})"
                yield PredictionProblem(message, location)
                return
            yield location, value
            position = _after_blanks(text, value_end)

    # -------------------------------------------------------------- tables

    def _rows_of_csv(self, chunks: Iterable[bytes]) -> Iterator[Raw]:
        """Yield the rows of a table of text."""
        from eai.predictions.tables import rows_of_csv  # few files are tables

        numbered = self._lines(chunks, with_blank=True, max_bytes=limits.MAX_ROW)
        lines = (f"{line}\n" for _, line in numbered)
        for row in rows_of_csv(self._entry, lines):
            yield from self._flush_problems()
            yield row

    def _rows_of_yaml(self, chunks: Iterable[bytes]) -> Iterator[Raw]:
        """Yield the rows of all documents in a YAML file."""
        from eai.predictions.tables import values_of_yaml  # few files are tables

        values = values_of_yaml(self._entry, chunks)
        if isinstance(values, PredictionProblem):
            yield values
            return
        for value in values:
            yield from self._rows_of_value(value)

    def _rows_of_value(self, value: object) -> Iterator[Raw]:
        """Yield the rows of a document: an object, a list or a single value."""
        where = self._name
        if isinstance(value, JsonObject) and not self._reader.is_row(value.fields):
            yield from rows_of_object(value, where, self._reader)
        elif is_list(value):
            for item in value:
                yield where, item
        elif value not in (None, ""):
            yield where, value


def _max_unpacked_bytes(packed_bytes: int) -> int:
    """Return the maximum number of bytes that packed data may unpack to."""
    return max(limits.MIN_BYTES, limits.MAX_RATIO * packed_bytes)


def _after_blanks(text: str, position: int) -> int:
    """Return the index behind the blanks and commas that begin at an index of a text."""
    blanks = _BLANK.match(text, position)
    if blanks is None:
        return position
    return blanks.end()


def _why_no_json(error: Exception) -> str:
    """Return what is wrong with a text: the words of the parser, or that a number is too long."""
    if isinstance(error, json.JSONDecodeError):
        return error.msg
    return "a number is too long"


def _value_of(line: str) -> object:
    """Return the value of a line of JSON Lines, or the error if it has none."""
    begin = len(line) - len(line.lstrip())
    try:
        value, end = decoding(_DECODER, line)(begin)
    except ValueError as error:
        return ValueError(_why_no_json(error))
    if line[end:].strip(" \t\r\n,"):
        return ValueError("text after the value")
    return value
