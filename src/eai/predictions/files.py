"""Files of predictions: text in whatever shape, packed or not, and logs of Inspect AI."""

from __future__ import annotations

import gzip
import json
import re
import struct
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from eai.contract import PredictionProblem, Raw
from eai.errors import InputError, MissingExtraError
from eai.nesting import decoding, load_json
from eai.predictions.items import IsTask, JsonObject, field_of, is_item, items_of_object, task_named

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


_SAMPLE = re.compile(r"samples/.*_epoch_(\d+)\.json", re.DOTALL)
_HEADER = "header.json"
_START = "_journal/start.json"
_LOG = {"version", "status", "eval"}
"""Keys of a log that is one JSON object."""
_MOST_OF_SAMPLE = 1 << 26
"""Bytes of the longest sample of a log that is read, unpacked."""
_ZSTANDARD = 93
"""Number of this compression in zip archives; Python knows it from 3.14 on."""


def _is_archive(path: Path) -> bool:
    """Whether a file is an ``.eval`` log, by its content."""
    if not path.is_file():  # a pipe can be read only once
        return False
    with path.open("rb") as file:
        if file.read(4) != b"PK\x03\x04":
            return False
    try:
        with ZipFile(path) as archive:
            return not {_HEADER, _START}.isdisjoint(archive.namelist())
    except _damages():
        return path.suffix == ".eval"


def _items_of_archive(path: Path) -> Iterator[Raw]:
    """Yield the samples of an ``.eval`` log, first epochs first, one in memory at a time.

    A sample that is damaged is a problem, the others are kept.

    Raises:
        InputError: If the archive is damaged or cut off.
        MissingExtraError: If it is packed with zstandard, which this Python cannot unpack.
    """
    try:
        with ZipFile(path) as archive:
            packed = any(entry.compress_type == _ZSTANDARD for entry in archive.infolist())
            if packed and sys.version_info < (3, 14):
                try:
                    import zipfile_zstd  # noqa: F401  # teaches zipfile this compression
                except ImportError as error:
                    purpose = "reading an .eval log packed with zstandard"
                    raise MissingExtraError(
                        "zipfile-zstd", extra="logs", purpose=purpose
                    ) from error
            header = _HEADER if _HEADER in archive.namelist() else _START
            model = field_of(load_json(_unpacked(archive, header)), "eval", "model")
            matches = filter(None, map(_SAMPLE.fullmatch, archive.namelist()))
            # As texts: a name may have more digits than Python makes a number of.
            numbered = [(match[1].lstrip("0"), match[0]) for match in matches]
            several = any(number != "1" for number, _ in numbered)
            for _, name in sorted(numbered, key=lambda each: (len(each[0]), each[0])):
                where = f"{path}:{name}"
                try:
                    sample = load_json(_unpacked(archive, name))
                except _damages() as error:
                    yield PredictionProblem(f"the sample is damaged ({error!s:.100})", where)
                else:
                    yield _item(sample, model, where, several=several)
    except _damages() as error:
        raise InputError(
            f"the log is damaged or cut off ({error})",
            where=str(path),
            expected="a log of Inspect AI that was written to its end",
            mend="inspect log recover writes what can be saved of it",
        ) from error


def _unpacked(archive: ZipFile, name: str) -> bytes:
    """Read a part of a log, whose length is known for certain only when it is unpacked.

    Raises:
        ValueError: If it is too long.
    """
    with archive.open(name) as member:
        content = member.read(_MOST_OF_SAMPLE + 1)
    if len(content) > _MOST_OF_SAMPLE:
        raise ValueError(f"it has more than {_MOST_OF_SAMPLE:,} bytes")
    return content


def _damages() -> tuple[type[Exception], ...]:
    """What unpacking and reading damaged bytes may raise."""
    unpacker = sys.modules.get("zstandard") or sys.modules.get("compression.zstd")
    known = (BadZipFile, EOFError, RuntimeError, ValueError, struct.error, zlib.error)
    return known if unpacker is None else (*known, unpacker.ZstdError)


def _items_of_log(log: JsonObject, where: str) -> Iterator[Raw]:
    """Yield the samples of a log of Inspect AI that is one JSON object, first epochs first."""
    samples = field_of(log, "samples")
    if not isinstance(samples, list):
        yield PredictionProblem("the log of Inspect AI has its header only, no samples", where)
        return
    model = field_of(log, "eval", "model")

    def epoch(sample: object) -> int:
        number = field_of(sample, "epoch")
        return number if isinstance(number, int) else 0

    several = any(epoch(sample) > 1 for sample in samples)
    for sample in sorted(samples, key=epoch):
        yield _item(sample, model, where, several=several)


def _item(sample: object, model: object, where: str, *, several: bool) -> Raw:
    name = field_of(sample, "id")
    if not isinstance(name, str) or name.isdecimal():  # numbered, not named
        name = task_named((field_of(sample, "metadata"),)) or name
    output = field_of(sample, "output")
    text, choices = field_of(output, "completion"), field_of(output, "choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(text, str):
        text = field_of(choice, "message", "content")
    if not isinstance(text, str):  # in parts: reasoning, images and the like are left out
        parts = [field_of(part, "text") for part in text] if isinstance(text, list) else []
        text = "".join(part for part in parts if isinstance(part, str))
    error = field_of(sample, "error", "message")
    if not text and isinstance(error, str):
        return PredictionProblem(f"the sample {name!r:.60} ended in an error: {error:.200}", where)
    stopped = {"finish_reason": field_of(choice, "stop_reason")}
    epoch = {"epoch": field_of(sample, "epoch")} if several else {}
    return where, {"id": name, "output": text, "model": model, **stopped, **epoch}


_JSON = re.compile(r"\.json(\.gz)?$", re.IGNORECASE)
_BLANK = re.compile(r"[\s,\ufeff]*")
_OLD_LINE_ENDS = re.compile(rb"[}\]][ \t]*\r[ \t]*[{\[]")
_DECODER = json.JSONDecoder(object_pairs_hook=JsonObject, strict=False)

MOST_BYTES = 1 << 28
"""A line is read up to this length; a file of another kind may have no line ends at all."""

_CHUNK = 1 << 16
_MOST_CHUNKS = MOST_BYTES // _CHUNK
_RATIO = 200
"""A long file is unpacked to so many times its size: text comes to ten or twenty times."""
_LINE = 100
"""Bytes that a line of a document takes in memory beside its text, at least."""


class PredictionFile:
    """A file of predictions, read line by line."""

    def __init__(self, path: Path, is_task: IsTask | None = None) -> None:
        self.path = path
        self._is_task = is_task
        self._damaged = False
        self._problems: list[PredictionProblem] = []

    def raws(self) -> Iterator[Raw]:
        """The items of the file in whatever shape it has, then what was wrong with it."""
        if _is_archive(self.path):
            yield from _items_of_archive(self.path)
            return
        chunks = self._text()
        begin = next(chunks, b"")
        chunks = chain((begin,), chunks)
        if begin.partition(b"\n")[0].strip() in (b"[", b"{"):
            read = list(islice(chunks, _MOST_CHUNKS))
            chunks = chain(read, chunks)
            listing = None
            with suppress(UnicodeDecodeError):
                listing = b"".join(read).decode() if len(read) < _MOST_CHUNKS else None
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
            packed = file.peek(1)[:1] == b"\x1f"
            stream = gzip.GzipFile(fileobj=file) if packed else file
            limited, size = packed and file.seekable(), 0
            try:
                while chunk := stream.read1(_CHUNK):
                    size += len(chunk)
                    if limited and size > MOST_BYTES and size > _RATIO * file.tell():
                        message = f"the file unpacks to more than {_RATIO} times its size"
                        self._problems.append(PredictionProblem(message, str(self.path)))
                        return
                    yield chunk
            except (EOFError, zlib.error, gzip.BadGzipFile) as error:
                self._damaged = True
                cut = isinstance(error, EOFError)
                what = "cut off" if cut else f"damaged ({error})"
                message = f"the compressed file is {what}; its end is missing"
                self._problems.append(PredictionProblem(message, str(self.path)))

    def _text(self) -> Iterator[bytes]:
        """The bytes of the file with line feeds at the ends of lines; nothing if it is no text."""
        chunks = self._chunks()
        first = next(chunks, b"")
        message = next((what for start, what in _FOREIGN.items() if first.startswith(start)), None)
        if message is not None:
            self._problems.append(PredictionProblem(message, str(self.path)))
            return
        old = b"\n" not in first and _OLD_LINE_ENDS.search(first)
        for chunk in chain((first,), chunks):
            yield chunk.replace(b"\r", b"\n") if old else chunk
        if not self._damaged:  # what is cut off ends in a line that is none
            yield b"\n"

    def _lines(self, chunks: Iterable[bytes]) -> Iterator[tuple[int, str]]:
        """The lines that are not blank, with their 1-based numbers."""
        number, parts, length = 1, list[bytes](), 0
        for chunk in chunks:
            *whole, rest = chunk.split(b"\n")
            length = len(rest) if whole else length + len(rest)
            if whole and not parts and not chunk.strip(b"\n"):
                # A chunk of nothing but line feeds, of which there may be very many.
                number += len(whole)
                continue
            if length > MOST_BYTES:
                message = f"the line has more than {MOST_BYTES:,} bytes; the file is read up to it"
                self._problems.append(PredictionProblem(message, self._at(number)))
                return
            for piece in whole:
                whole_line = b"".join([*parts, piece])
                parts.clear()
                try:
                    line = whole_line.decode("utf-8-sig" if number == 1 else "utf-8")
                except UnicodeDecodeError as error:
                    message = f"bytes that are not UTF-8 were replaced ({error.reason})"
                    self._problems.append(PredictionProblem(message, self._at(number)))
                    line = whole_line.decode("utf-8", errors="replace")
                if line and not line.isspace():
                    yield number, line
                number += 1
            parts.append(rest)

    def _of_lines(self, first: tuple[int, str], others: Iterable[tuple[int, str]]) -> Iterator[Raw]:
        """The items of lines: one in each, or those of a document that spans them."""
        lined = not _JSON.search(self.path.name) and first[1].lstrip()[:1] != "["
        value = None if lined else _value_of(first[1])
        everything = chain((first,), others)
        if lined or is_item(value):
            yield from map(self._line, everything)
            return
        numbers, texts, size = list[int](), list[str](), 0
        for number, text in everything:
            size += len(text) + _LINE
            if size > MOST_BYTES:
                message = f"the list has more than {MOST_BYTES:,} bytes; it is read up to there"
                self._problems.append(PredictionProblem(message, self._at(number)))
                break
            numbers.append(number)
            texts.append(text)
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
        if isinstance(whole, JsonObject) and _LOG.issubset(dict(whole)):
            yield from _items_of_log(whole, self._at(numbers[0]))
        elif isinstance(whole, JsonObject) and not listed and not is_item(whole):
            yield from items_of_object(whole, self._at(numbers[0]), self._is_task)
        elif any(isinstance(raw, tuple) for raw in raws) or len(numbers) == 1:
            yield from raws
        else:
            lines = zip(numbers, text.split("\n"), strict=True)
            yield from map(self._line, (pair for pair in lines if pair[1].strip()))

    def _values(self, text: str, place: int, numbers: Sequence[int]) -> Iterator[Raw]:
        """The JSON values that follow one another from a place on."""
        decode = decoding(_DECODER, text)
        line, counted = 0, 0
        while True:
            blank = _BLANK.match(text, place)
            place = blank.end() if blank else place
            if place >= len(text) or text[place] == "]":
                return
            line, counted = line + text.count("\n", counted, place), place
            where = self._at(numbers[line])
            try:
                value, place = decode(place)
            except ValueError as error:
                message = f"from here on the file is not JSON ({_reason(error)})"
                yield PredictionProblem(message, where)
                return
            yield where, value


def _reason(error: Exception) -> str:
    return error.msg if isinstance(error, json.JSONDecodeError) else "a number is too long"


def _value_of(line: str) -> object:
    """The value of a line of JSON Lines, or the error that says why there is none."""
    try:
        value, end = decoding(_DECODER, line)(len(line) - len(line.lstrip()))
    except ValueError as error:
        return ValueError(_reason(error))
    return value if not line[end:].strip(" \t\r\n,") else ValueError("text after the value")
