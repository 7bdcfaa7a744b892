"""Reading files of predictions: lines or one document, packed or not, damaged or not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from io import BufferedReader
from itertools import chain, islice
from pathlib import Path

from eai.predictions.decoded import JsonObject
from eai.predictions.foreign import foreign
from eai.predictions.inspect_logs import is_archive, is_log, items_of_archive, items_of_log
from eai.predictions.items import PredictionProblem, Raw, is_item
from eai.predictions.objects import IsTask, items_of_object

__all__ = ["PredictionFile"]

_JSON = re.compile(r"\.json(\.gz)?$", re.IGNORECASE)
_BLANK = re.compile(r"[\s,\ufeff]*")
_OLD_LINE_ENDS = re.compile(rb"[}\]][ \t]*\r[ \t]*[{\[]")
_DECODE = json.JSONDecoder(object_pairs_hook=JsonObject, strict=False).raw_decode

MOST_BYTES = 1 << 28
"""A line is read up to this length; a file of another kind may have no line ends at all."""

_CHUNK = 1 << 16
_BEGIN = 1 << 10
_MOST_CHUNKS = MOST_BYTES // _CHUNK


class PredictionFile:
    """A file of predictions, read line by line.

    Args:
        path: The file.
        is_task: Whether a text is the identifier of a task, if that is known.

    Attributes:
        path: The file.
        begin: How it begins, as far as it was read.
    """

    def __init__(self, path: Path, is_task: IsTask | None = None) -> None:
        self.path = path
        self._is_task = is_task
        self.begin = b""
        self._problems: list[PredictionProblem] = []

    def raws(self) -> Iterator[Raw]:
        """The items of the file in whatever shape it has, then what was wrong with it."""
        if is_archive(self.path):
            yield from items_of_archive(self.path)
            return
        chunks = self._text()
        begin = next(chunks, b"")
        self.begin = begin[:_BEGIN]
        chunks = chain((begin,), chunks)
        if begin.partition(b"\n")[0].strip() in (b"[", b"{"):
            read = list(islice(chunks, _MOST_CHUNKS))
            chunks = chain(read, chunks)
            listing = _whole_text(read) if len(read) < _MOST_CHUNKS else None
            if listing is not None:
                yield from self._reported()
                yield from self._document(listing, range(1, listing.count("\n") + 2))
                return
        lines = self._lines(chunks)
        first = next(lines, None)
        if first is not None:
            yield from self._of_lines(first, lines)
        yield from self._problems

    def _at(self, line: int) -> str:
        """The name of a place in the file."""
        return f"{self.path}:{line}"

    def _chunks(self) -> Iterator[bytes]:
        """The bytes of the file, unpacked; a damaged end is a problem."""
        with self.path.open("rb") as file:
            # A pipe cannot go back, so only one byte is looked at ahead; no text begins with it.
            if file.peek(1)[:1] == b"\x1f":
                yield from self._unpacked(file)
                return
            while chunk := file.read1(_CHUNK):
                yield chunk

    def _unpacked(self, file: BufferedReader) -> Iterator[bytes]:
        """The bytes of a file that is packed."""
        import gzip
        import zlib

        stream = gzip.GzipFile(fileobj=file)
        try:
            while chunk := stream.read1(_CHUNK):
                yield chunk
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            message = f"the compressed file is damaged or cut off ({error}); its end is missing"
            self._problems.append(PredictionProblem(message, str(self.path)))

    def _text(self) -> Iterator[bytes]:
        """The bytes of the file with line feeds at the ends of lines; nothing if it is no text."""
        chunks = self._chunks()
        first = next(chunks, b"")
        message = foreign(first)
        if message is not None:
            self._problems.append(PredictionProblem(message, str(self.path)))
            return
        old = b"\n" not in first and _OLD_LINE_ENDS.search(first)
        for chunk in chain((first,), chunks):
            yield chunk.replace(b"\r", b"\n") if old else chunk

    def _lines(self, chunks: Iterable[bytes]) -> Iterator[tuple[int, str]]:
        """The lines that are not blank, with their 1-based numbers."""
        number, parts, length = 1, list[bytes](), 0
        for chunk in chain(chunks, (b"\n",)):
            *whole, rest = chunk.split(b"\n")
            length = len(rest) if whole else length + len(rest)
            if length > MOST_BYTES:
                message = f"the line has more than {MOST_BYTES:,} bytes; the file is read up to it"
                self._problems.append(PredictionProblem(message, self._at(number)))
                return
            for piece in whole:
                line = self._decoded(b"".join([*parts, piece]), number)
                parts.clear()
                if line and not line.isspace():
                    yield number, line
                number += 1
            parts.append(rest)

    def _decoded(self, line: bytes, number: int) -> str:
        """A line as text; bytes that are not UTF-8 are replaced and reported."""
        try:
            return line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            message = f"bytes that are not UTF-8 were replaced ({error.reason})"
            self._problems.append(PredictionProblem(message, self._at(number)))
            return line.decode("utf-8", errors="replace")

    def _of_lines(self, first: tuple[int, str], others: Iterable[tuple[int, str]]) -> Iterator[Raw]:
        """The items of lines: one in each, or those of a document that spans them."""
        lined = not _JSON.search(self.path.name) and first[1].lstrip()[:1] != "["
        value = None if lined else _value_of(first[1])
        everything = chain((first,), others)
        if lined or is_item(value):
            yield from map(self._line, everything)
            return
        numbers, texts = zip(*everything, strict=True)
        yield from self._reported()
        if isinstance(value, list) and len(numbers) == 1:
            where = self._at(numbers[0])
            yield from ((where, item) for item in value)
        else:
            yield from self._document("\n".join(texts), numbers)

    def _reported(self) -> Iterator[PredictionProblem]:
        """What was wrong with the file so far."""
        yield from self._problems
        self._problems.clear()

    def _line(self, numbered: tuple[int, str]) -> Raw:
        """The item of one line."""
        number, text = numbered
        value = _value_of(text)
        if isinstance(value, ValueError):
            return PredictionProblem(f"the line is not JSON ({value})", self._at(number))
        return self._at(number), value

    def _document(self, text: str, numbers: Sequence[int]) -> Iterator[Raw]:
        """The items of a list or mapping that spans the file; its lines have these numbers."""
        listed = text.lstrip()[:1] == "["
        raws = list(self._values(text, text.find("[") + 1 if listed else 0, numbers))
        whole = raws[0][1] if len(raws) == 1 and isinstance(raws[0], tuple) else None
        if isinstance(whole, JsonObject) and is_log(whole):
            yield from items_of_log(whole, self._at(numbers[0]))
        elif isinstance(whole, JsonObject) and not listed and not is_item(whole):
            yield from items_of_object(whole, self._at(numbers[0]), self._is_task)
        elif any(isinstance(raw, tuple) for raw in raws) or len(numbers) == 1:
            yield from raws
        else:
            lines = zip(numbers, text.split("\n"), strict=True)
            yield from map(self._line, (pair for pair in lines if pair[1].strip()))

    def _values(self, text: str, place: int, numbers: Sequence[int]) -> Iterator[Raw]:
        """The JSON values that follow one another from a place on."""
        line, counted = 0, 0
        while True:
            blank = _BLANK.match(text, place)
            place = blank.end() if blank else place
            if place >= len(text) or text[place] == "]":
                return
            line, counted = line + text.count("\n", counted, place), place
            where = self._at(numbers[line])
            try:
                value, place = _DECODE(text, place)
            except (ValueError, RecursionError) as error:
                message = f"from here on the file is not JSON ({_reason(error)})"
                yield PredictionProblem(message, where)
                return
            yield where, value


def _whole_text(chunks: Iterable[bytes]) -> str | None:
    """A whole text; None if there are bytes that are not UTF-8."""
    try:
        return b"".join(chunks).decode()
    except UnicodeDecodeError:
        return None


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return error.msg if isinstance(error, json.JSONDecodeError) else "a number is too long"


def _value_of(line: str) -> object:
    """The value of a line of JSON Lines, or the error that says why there is none."""
    try:
        value, end = _DECODE(line, len(line) - len(line.lstrip()))
    except (ValueError, RecursionError) as error:
        return ValueError(_reason(error))
    return value if not line[end:].strip(" \t\r\n,") else ValueError("text behind the value")
