"""Reading files of predictions: lines or one document, packed or not, damaged or not."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from eai.prediction_items import JsonObject, PredictionProblem, Raw, is_item

__all__ = ["PredictionFile"]

_JSON = re.compile(r"\.json(\.gz)?$", re.IGNORECASE)
_BLANK = re.compile(r"[\s,\ufeff]*")
_DECODE = json.JSONDecoder(object_pairs_hook=JsonObject, strict=False).raw_decode


class PredictionFile:
    """A file of predictions, read line by line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problems: list[PredictionProblem] = []

    def at(self, line: int) -> str:
        """The name of a place in the file."""
        return f"{self.path}:{line}"

    def chunks(self) -> Iterator[bytes]:
        """The bytes of the file, unpacked; a damaged end is a problem."""
        with self.path.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
            file.seek(0)
            stream = gzip.GzipFile(fileobj=file) if packed else file
            try:
                while chunk := stream.read1(1 << 16):
                    yield chunk
            except (EOFError, zlib.error, gzip.BadGzipFile) as error:
                message = f"the compressed file is damaged or cut off ({error}); its end is missing"
                self.problems.append(PredictionProblem(message, str(self.path)))

    def lines(self) -> Iterator[tuple[int, str]]:
        """The lines that are not blank, with their 1-based numbers."""
        number, parts = 1, list[bytes]()
        for chunk in chain(self.chunks(), (b"\n",)):
            *whole, rest = chunk.split(b"\n")
            for piece in whole:
                line = self.decoded(b"".join([*parts, piece]), number)
                parts.clear()
                if line and not line.isspace():
                    yield number, line
                number += 1
            parts.append(rest)

    def decoded(self, line: bytes, number: int) -> str:
        """A line as text; bytes that are not UTF-8 are replaced and reported."""
        try:
            return line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            message = f"bytes that are not UTF-8 were replaced ({error.reason})"
            self.problems.append(PredictionProblem(message, self.at(number)))
            return line.decode("utf-8", errors="replace")

    def raws(self) -> Iterator[Raw]:
        """The items of the file in whatever shape it has, then what was wrong with it."""
        lines = self.lines()
        first = next(lines, None)
        if first is not None:
            everything = chain((first,), lines)
            lined = not _JSON.search(self.path.name) and first[1].lstrip()[:1] != "["
            if lined or is_item(_decoded(first[1])):
                yield from map(self.line, everything)
            else:
                whole = list(everything)
                yield from self.problems
                self.problems.clear()
                yield from self.document(whole)
        yield from self.problems

    def line(self, numbered: tuple[int, str]) -> Raw:
        """The item of one line."""
        number, text = numbered
        value = _decoded(text)
        if isinstance(value, ValueError):
            return PredictionProblem(f"the line is not JSON ({value})", self.at(number))
        return self.at(number), value

    def document(self, lines: list[tuple[int, str]]) -> Iterator[Raw]:
        """The items of a list or mapping that spans the file."""
        text = "\n".join(line for _, line in lines)
        numbers = [number for number, _ in lines]
        listed = text.lstrip()[:1] == "["
        raws = list(self.values(text, text.find("[") + 1 if listed else 0, numbers))
        whole = raws[0][1] if len(raws) == 1 and isinstance(raws[0], tuple) else None
        if isinstance(whole, JsonObject) and not listed and not is_item(whole):
            yield from ((self.at(numbers[0]), pair) for pair in whole)
        elif any(isinstance(raw, tuple) for raw in raws) or len(lines) == 1:
            yield from raws
        else:
            yield from map(self.line, lines)

    def values(self, text: str, place: int, numbers: list[int]) -> Iterator[Raw]:
        """The JSON values that follow one another from a place on."""
        line, counted = 0, 0
        while True:
            blank = _BLANK.match(text, place)
            place = blank.end() if blank else place
            if place >= len(text) or text[place] == "]":
                return
            line, counted = line + text.count("\n", counted, place), place
            where = self.at(numbers[line])
            try:
                value, place = _DECODE(text, place)
            except (ValueError, RecursionError) as error:
                message = f"from here on the file is not JSON ({_reason(error)})"
                yield PredictionProblem(message, where)
                return
            yield where, value


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return error.msg if isinstance(error, json.JSONDecodeError) else "a number is too long"


def _decoded(line: str) -> object:
    """The value of a line of JSON Lines, or the error that says why there is none."""
    try:
        value, end = _DECODE(line, len(line) - len(line.lstrip()))
    except (ValueError, RecursionError) as error:
        return ValueError(_reason(error))
    return value if not line[end:].strip(" \t\r\n,") else ValueError("text behind the value")
