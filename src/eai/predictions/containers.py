"""Rows of a file, whatever holds them: JSON, JSON Lines, tables, logs of Inspect AI, packed or not.

The content decides, and the ending of the name where the content does not. Text is read line by
line; what unpacks to far more than its size, or is nested or wide beyond measure, is refused.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
import struct
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from itertools import chain, islice
from pathlib import Path, PurePosixPath
from typing import IO, Any, cast
from zipfile import BadZipFile, ZipFile

from eai.contract import PredictionProblem, Raw
from eai.errors import InputError, MissingExtraError
from eai.nesting import decoding, load_json
from eai.predictions.documents import inspect_row, rows_of_object
from eai.predictions.reader import Reader
from eai.predictions.values import JsonObject, field_of, is_list

MAX_BYTES = 1 << 28
"""A line is read up to this length; a file of another kind may have no line ends at all."""
MAX_MEMBER_BYTES = 1 << 26
"""Longest sample of a log, and longest table of a kind that is not read row by row, unpacked."""
MAX_MEMBERS = 20_000
"""A zip with more files is refused."""
MAX_RATIO = 200
"""A long file is unpacked to so many times its size: text comes to ten or twenty times."""
MIN_BYTES = 1 << 24
"""What unpacks to less is read, whatever the ratio."""
_CHUNK = 1 << 16
_LINE = 100
"""Bytes that a line of a document takes in memory beside its text, at least."""
_MAX_CELL = 1 << 24
_MAX_YAML = 1 << 24

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

_ZIP = b"PK\x03\x04"
_HEADER = "header.json"
_START = "_journal/start.json"
_WORKBOOK = "xl/workbook.xml"
_SAMPLE = re.compile(r"samples/.*_epoch_(\d+)\.json", re.DOTALL)
_ZSTANDARD = 93
"""Number of this compression in zip archives; Python knows it from 3.14 on."""


@dataclass(frozen=True)
class Entry:
    """A file, which may lie in a zip.

    Args:
        path: The file, or the zip.
        member: Its name in the zip.
        archive: The zip.
    """

    path: Path
    member: str = ""
    archive: ZipFile | None = None

    def __str__(self) -> str:
        return f"{self.path}/{self.member}" if self.member else str(self.path)

    @property
    def name(self) -> str:
        """The name of the file, without folders."""
        return PurePosixPath(self.member).name if self.member else self.path.name

    @property
    def folder(self) -> str:
        """The name of the folder in which it lies."""
        if self.member:
            return PurePosixPath(self.member).parent.name or self.path.stem
        return self.path.resolve().parent.name

    @property
    def ending(self) -> str:
        """What the name ends in, without ``.gz``: ``csv``."""
        return self.name.lower().removesuffix(".gz").rpartition(".")[2]

    def open(self) -> IO[bytes]:
        """Open it for reading."""
        if self.archive is not None:
            return self.archive.open(self.member)
        return self.path.open("rb")

    def first_bytes(self) -> bytes:
        """Return how it begins; nothing of a pipe, which can be read only once."""
        if self.archive is None and not self.path.is_file():
            return b""
        with self.open() as file:
            return file.read(8)


def zip_entries(path: Path) -> list[Entry] | None:
    """Return the files in a zip; None if the file is no zip, or a log or a workbook.

    Raises:
        InputError: If it is damaged, or would unpack to far more than its size.
    """
    if Entry(path).first_bytes()[:4] != _ZIP:
        return None
    try:
        archive = ZipFile(path)  # it stays open for its entries
        members = archive.infolist()
    except _damages() as error:
        if path.suffix == ".eval":
            return None
        raise InputError(f"the zip is damaged ({error})", where=str(path)) from error
    if not {_HEADER, _START, _WORKBOOK}.isdisjoint(archive.namelist()):
        return None
    files = [member for member in members if not member.is_dir()]
    size = sum(member.file_size for member in files)
    packed = sum(member.compress_size for member in files)
    if len(files) > MAX_MEMBERS or size > max(MIN_BYTES, MAX_RATIO * packed):
        raise InputError(
            f"the zip is refused: {len(files):,} files with {size:,} bytes unpacked",
            where=str(path),
            expected=f"at most {MAX_MEMBERS:,} files, and {MAX_RATIO} times the size of the zip",
        )
    return [Entry(path, member.filename, archive) for member in files]


def rows_of(entry: Entry, reader: Reader) -> Iterator[Raw]:
    """Yield the rows of a file, then what was wrong with it.

    Raises:
        InputError: If it cannot be read at all.
        MissingExtraError: If a library is missing that reads files of this kind.
    """
    begin = entry.first_bytes()
    if entry.archive is None:
        if begin[:4] == _ZIP or entry.ending == "eval":
            if _is_workbook(entry.path):
                yield from _numbered(entry, _rows_of_workbook(entry.path))
            else:
                yield from _rows_of_log(entry.path)
            return
        if begin[:4] == b"PAR1":
            yield from _numbered(entry, _rows_of_parquet(entry.path))
            return
        if begin[:6] == b"ARROW1" or entry.ending == "arrow":
            yield from _numbered(entry, _rows_of_arrow(entry.path))
            return
    yield from _TextFile(entry, reader).rows()


# ------------------------------------------------------------------ tables of other libraries


def _numbered(entry: Entry, rows: Iterable[object]) -> Iterator[Raw]:
    for number, row in enumerate(rows, 1):
        yield f"{entry} row {number}", row


def _library(name: str, purpose: str) -> Any:  # noqa: ANN401
    try:
        return import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        raise MissingExtraError(package, extra="tables", purpose=purpose) from error


def _rows_of_parquet(path: Path) -> Iterator[object]:
    if find_spec("pyarrow") is None:  # pandas has other engines
        yield from _rows_of_frame(path, "read_parquet", "reading a Parquet file")
        return
    parquet = import_module("pyarrow.parquet")
    with _unreadable(path, "Parquet"), parquet.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=1_000):
            yield from batch.to_pylist()


def _rows_of_frame(path: Path, method: str, purpose: str, **options: object) -> Iterator[object]:
    """Yield the rows of a file that pandas reads with one of its engines."""
    pandas = _library("pandas", purpose)
    with _unreadable(path, method.removeprefix("read_")):
        try:
            frame = getattr(pandas, method)(path, **options)
        except ImportError as error:
            engine = {"read_excel": "openpyxl"}.get(method, "pyarrow")
            raise MissingExtraError(engine, extra="tables", purpose=purpose) from error
        yield from frame.to_dict("records")


def _rows_of_arrow(path: Path) -> Iterator[object]:
    ipc = _library("pyarrow.ipc", "reading an Arrow file")
    with _unreadable(path, "Arrow"), path.open("rb") as file:
        # Files and streams differ in their frame: data sets of Hugging Face are streams.
        is_file = file.read(6) == b"ARROW1"
        file.seek(0)
        if is_file:
            reader = ipc.open_file(file)
            batches = map(reader.get_batch, range(reader.num_record_batches))
        else:
            batches = ipc.open_stream(file)
        for batch in batches:
            yield from batch.to_pylist()


def _rows_of_workbook(path: Path) -> Iterator[object]:
    with ZipFile(path) as archive:
        size = sum(member.file_size for member in archive.infolist())
    if size > MAX_MEMBER_BYTES:
        raise InputError(f"the workbook has {size:,} bytes unpacked", where=str(path))
    # Texts stay texts: an identifier such as 007 is no number.
    options: dict[str, object] = {"dtype": str, "keep_default_na": False}
    yield from _rows_of_frame(path, "read_excel", "reading a workbook", **options)


class _unreadable:  # noqa: N801 - it is used as a context
    """Turn what a library raises on a damaged file into an error with its name."""

    def __init__(self, path: Path, kind: str) -> None:
        self._path = path
        self._kind = kind

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        passed_on = (InputError, MissingExtraError, GeneratorExit, KeyboardInterrupt, MemoryError)
        if error is None or isinstance(error, passed_on):
            return
        what = f"the {self._kind} file is damaged ({error!s:.100})"
        raise InputError(what, where=str(self._path)) from error


# ------------------------------------------------------------------ logs of Inspect AI


def _is_workbook(path: Path) -> bool:
    try:
        with ZipFile(path) as archive:
            return _WORKBOOK in archive.namelist()
    except _damages():
        return False


def _rows_of_log(path: Path) -> Iterator[Raw]:
    """Yield the samples of an ``.eval`` log, first epochs first, one in memory at a time.

    A sample that is damaged is a problem, the others are kept.
    """
    try:
        with ZipFile(path) as archive:
            is_packed = any(entry.compress_type == _ZSTANDARD for entry in archive.infolist())
            if is_packed and sys.version_info < (3, 14):
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
            numbers = [(match[1].lstrip("0"), match[0]) for match in matches]
            several = any(number != "1" for number, _ in numbers)
            for _, name in sorted(numbers, key=lambda each: (len(each[0]), each[0])):
                where = f"{path}:{name}"
                try:
                    sample = load_json(_unpacked(archive, name), object_pairs_hook=JsonObject)
                except _damages() as error:
                    yield PredictionProblem(f"the sample is damaged ({error!s:.100})", where)
                else:
                    yield where, inspect_row(sample, model, numbered=several)
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
        content = member.read(MAX_MEMBER_BYTES + 1)
    if len(content) > MAX_MEMBER_BYTES:
        raise ValueError(f"it has more than {MAX_MEMBER_BYTES:,} bytes")
    return content


def _damages() -> tuple[type[Exception], ...]:
    """What unpacking and reading damaged bytes may raise."""
    unpacker = sys.modules.get("zstandard") or sys.modules.get("compression.zstd")
    known = (BadZipFile, EOFError, KeyError, RuntimeError, ValueError, struct.error, zlib.error)
    return known if unpacker is None else (*known, unpacker.ZstdError)


# ------------------------------------------------------------------ text

_BLANK = re.compile(r"[\s,\ufeff]*")
_OLD_LINE_ENDS = re.compile(rb"[}\]][ \t]*\r[ \t]*[{\[]")
_DECODER = json.JSONDecoder(object_pairs_hook=JsonObject, strict=False)
_PAIR = 2
_DELIMITERS = {"tsv": "\t", "csv": ",;\t|"}


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
        if self._entry.ending in _DELIMITERS:
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
        """What was wrong with the file so far."""
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
                    if is_limited and size > max(MIN_BYTES, MAX_RATIO * file.tell()):
                        self._report(f"the file unpacks to more than {MAX_RATIO} times its size")
                        return
                    yield chunk
            except (EOFError, zlib.error, gzip.BadGzipFile, BadZipFile) as error:
                self._is_damaged = True
                cut = isinstance(error, EOFError)
                what = "cut off" if cut else f"damaged ({error})"
                self._report(f"the compressed file is {what}; its end is missing")

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
            if length > MAX_BYTES:
                message = f"the line has more than {MAX_BYTES:,} bytes; the file is read up to it"
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
        max_chunks = MAX_BYTES // _CHUNK
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
        first = _value_of(head[0][1])
        is_json = self._entry.ending == "json"
        is_pair = isinstance(first, list) and len(first) == _PAIR and isinstance(first[0], str)
        opens_list = head[0][1].lstrip()[:1] == "[" and not (is_pair and len(head) > 1)
        is_object = isinstance(first, JsonObject)
        is_alone = len(head) == 1
        if is_alone and is_object and not self._reader.is_row(cast("JsonObject", first).fields):
            where = self._at(head[0][0])
            yield from rows_of_object(cast("JsonObject", first), where, self._reader)
        elif (is_object or is_pair or not is_json) and not opens_list:
            yield from map(self._line, chain(head, lines))
        else:
            yield from self._rows_of_long_document(first, chain(head, lines))

    def _rows_of_long_document(
        self, first: object, lines: Iterable[tuple[int, str]]
    ) -> Iterator[Raw]:
        numbers, texts, size = list[int](), list[str](), 0
        for number, text in lines:
            size += len(text) + _LINE
            if size > MAX_BYTES:
                message = f"the list has more than {MAX_BYTES:,} bytes; it is read up to there"
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
        is_listed = text.lstrip()[:1] == "["
        raws = list(self._values(text, text.find("[") + 1 if is_listed else 0, numbers))
        whole = raws[0][1] if len(raws) == 1 and isinstance(raws[0], tuple) else None
        if (
            isinstance(whole, JsonObject)
            and not is_listed
            and not self._reader.is_row(whole.fields)
        ):
            yield from rows_of_object(whole, self._at(numbers[0]), self._reader)
        elif any(isinstance(raw, tuple) for raw in raws) or len(numbers) == 1:
            yield from raws
        else:
            lines = zip(numbers, text.split("\n"), strict=True)
            yield from map(self._line, (pair for pair in lines if pair[1].strip()))

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
        """The rows of a table with a line of headings; cells may have line ends in quotes."""
        lines = (f"{line}\n" for _, line in self._lines(chunks, with_blank=True))
        headings = next(lines, "")
        marks = _DELIMITERS[self._entry.ending]
        delimiter = max(marks, key=headings.count)
        csv.field_size_limit(max(csv.field_size_limit(), _MAX_CELL))
        # A quote that is never closed runs to the end of the file, so cells are limited.
        reader = csv.reader(chain((headings,), lines), delimiter=delimiter)
        try:
            names = next(reader, [])
            has_rows = False
            for cells in reader:
                if not cells or cells == [""]:
                    continue
                has_rows = True
                where = self._at(reader.line_num)
                if len(cells) > len(names):
                    message = f"the line has {len(cells)} cells, the headings are {len(names)}"
                    yield PredictionProblem(message, where)
                    continue
                yield where, JsonObject(zip(names, map(_cell, cells), strict=False))
            if names and not has_rows:
                headings = ", ".join(f"{name!r:.40}" for name in names[:6])
                self._report(f"the table has headings only: {headings}", 1)
        except csv.Error as error:
            self._report(f"from here on it is no table ({error})", reader.line_num)

    def _rows_of_yaml(self, chunks: Iterable[bytes]) -> Iterator[Raw]:
        """The rows of YAML. All scalars stay texts: for YAML the task 27_2 is the number 272."""
        yaml = _library("yaml", "reading YAML")
        content = b""
        for chunk in chunks:
            content += chunk
            if len(content) > _MAX_YAML:
                self._report(f"YAML is read up to {_MAX_YAML:,} bytes: write JSON Lines")
                return
        loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
        try:
            depth = 0
            for event in yaml.parse(content, Loader=loader):
                # References may stand for far more than is written.
                if isinstance(event, yaml.AliasEvent):
                    self._report("YAML with references is not read", event.start_mark.line + 1)
                    return
                depth += isinstance(event, yaml.CollectionStartEvent)
                depth -= isinstance(event, yaml.CollectionEndEvent)
                if depth > 100:
                    self._report("nested more than 100 levels deep", event.start_mark.line + 1)
                    return
            values = list(yaml.load_all(content, Loader=loader))
        except yaml.YAMLError as error:
            self._report(f"it is not YAML ({str(error).splitlines()[0]:.100})")
            return
        for value in values:
            yield from self._rows_of_value(_as_decoded(value))

    def _rows_of_value(self, value: object) -> Iterator[Raw]:
        where = str(self._entry)
        if isinstance(value, JsonObject) and not self._reader.is_row(value.fields):
            yield from rows_of_object(value, where, self._reader)
        elif is_list(value):
            yield from ((where, item) for item in value)
        elif value not in (None, ""):
            yield where, value


def _cell(text: str) -> object:
    """Return a cell, decoded if it is a response or a conversation written as JSON."""
    begin = text[:24].lstrip()
    if begin[:1] not in ("[", "{") or not any(f'"{key}"' in text[:200] for key in _WRAPPED):
        return text
    value = _value_of(text)
    return text if isinstance(value, ValueError) else value


_WRAPPED = ("role", "choices", "candidates", "from")
"""Keys with which responses and conversations begin."""


def _as_decoded(value: object) -> object:
    """Return a value of YAML as it would be decoded from JSON."""
    if isinstance(value, dict):
        return JsonObject((str(key), _as_decoded(each)) for key, each in value.items())
    if isinstance(value, list):
        return [_as_decoded(each) for each in value]
    return value


def _reason(error: Exception) -> str:
    return error.msg if isinstance(error, json.JSONDecodeError) else "a number is too long"


def _value_of(line: str) -> object:
    """The value of a line of JSON Lines, or the error that says why there is none."""
    try:
        value, end = decoding(_DECODER, line)(len(line) - len(line.lstrip()))
    except ValueError as error:
        return ValueError(_reason(error))
    return value if not line[end:].strip(" \t\r\n,") else ValueError("text after the value")
