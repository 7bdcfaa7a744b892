"""Saved logs of Inspect AI as predictions: ``.eval`` (a zip archive) and ``.json``.

The identifier of a sample is the task's, unless samples are only numbered: then its metadata names
the task. The answer is the completion of the sample. Of several epochs the first counts.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from eai.errors import InputError, MissingExtraError
from eai.predictions.decoded import JsonObject, field_of
from eai.predictions.items import PredictionProblem, Raw
from eai.predictions.samples import task_named

if TYPE_CHECKING:
    from zipfile import ZipFile

__all__ = ["is_archive", "is_log", "items_of_archive", "items_of_log"]

_SAMPLE = re.compile(r"samples/.*_epoch_(\d+)\.json", re.DOTALL)
_HEADER = "header.json"
_START = "_journal/start.json"
_ZSTANDARD = 93
"""Number of this compression in zip archives; Python knows it from 3.14 on."""


def is_archive(path: Path) -> bool:
    """Whether a file is an ``.eval`` log, by its content."""
    if not path.is_file():  # a pipe can be read only once
        return False
    with path.open("rb") as file:
        if file.read(4) != b"PK\x03\x04":
            return False
    from zipfile import ZipFile

    try:
        with ZipFile(path) as archive:
            return not {_HEADER, _START}.isdisjoint(archive.namelist())
    except _damages():
        return path.suffix == ".eval"


def items_of_archive(path: Path) -> Iterator[Raw]:
    """Yield the samples of an ``.eval`` log, one in memory at a time.

    Raises:
        InputError: If the archive is damaged or cut off.
        MissingExtraError: If it is packed with zstandard, which this Python cannot unpack.
    """
    from zipfile import ZipFile

    try:
        with ZipFile(path) as archive:
            if any(entry.compress_type == _ZSTANDARD for entry in archive.infolist()):
                _know_zstandard()
            header = _HEADER if _HEADER in archive.namelist() else _START
            model = field_of(json.loads(archive.read(header)), "eval", "model")
            yield from _samples(archive, model, path)
    except _damages() as error:
        raise InputError(
            f"the log is damaged or cut off ({error})",
            where=str(path),
            expected="a log of Inspect AI that was written to its end",
            mend="inspect log recover writes what can be saved of it",
        ) from error


def _samples(archive: ZipFile, model: object, path: Path) -> Iterator[Raw]:
    """The samples, first epochs first; one that is damaged is a problem, the others are kept."""
    matches = filter(None, map(_SAMPLE.fullmatch, archive.namelist()))
    for match in sorted(matches, key=lambda match: int(match[1])):
        where = f"{path}:{match[0]}"
        try:
            sample = json.loads(archive.read(match[0]))
        except _damages() as error:
            yield PredictionProblem(f"the sample is damaged ({error!s:.100})", where)
        else:
            yield _item(sample, model, where)


def _damages() -> tuple[type[Exception], ...]:
    """What unpacking and reading damaged bytes may raise."""
    import struct
    import zlib
    from zipfile import BadZipFile

    unpacker = sys.modules.get("zstandard") or sys.modules.get("compression.zstd")
    known = (BadZipFile, EOFError, RuntimeError, ValueError, struct.error, zlib.error)
    return known if unpacker is None else (*known, unpacker.ZstdError)


def _know_zstandard() -> None:
    if sys.version_info < (3, 14):
        try:
            import zipfile_zstd  # noqa: F401  # teaches zipfile this compression
        except ImportError as error:
            raise MissingExtraError(
                "zipfile-zstd", extra="logs", purpose="reading an .eval log packed with zstandard"
            ) from error


def is_log(value: JsonObject) -> bool:
    """Whether a decoded JSON object is a log of Inspect AI."""
    return {"version", "status", "eval"} <= {key for key, _ in value}


def items_of_log(log: JsonObject, where: str) -> Iterator[Raw]:
    """Yield the samples of a log that is one JSON object.

    Args:
        log: The log.
        where: The file, for messages.
    """
    samples = field_of(log, "samples")
    if not isinstance(samples, list):
        yield PredictionProblem("the log of Inspect AI has its header only, no samples", where)
        return
    model = field_of(log, "eval", "model")
    for sample in sorted(samples, key=_epoch):
        yield _item(sample, model, where)


def _epoch(sample: object) -> int:
    epoch = field_of(sample, "epoch")
    return epoch if isinstance(epoch, int) else 0


def _item(sample: object, model: object, where: str) -> Raw:
    name = field_of(sample, "id")
    if not isinstance(name, str) or name.isdecimal():  # numbered, not named
        name = task_named((field_of(sample, "metadata"),)) or name
    text = _completion(field_of(sample, "output"))
    error = field_of(sample, "error", "message")
    if not text and isinstance(error, str):
        return PredictionProblem(f"the sample {name!r:.60} ended in an error: {error:.200}", where)
    return where, {"id": name, "output": text, "model": model}


def _completion(output: object) -> str:
    """What the model wrote; reasoning, images and the like are left out."""
    text = field_of(output, "completion")
    if isinstance(text, str):
        return text
    choices = field_of(output, "choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    content = field_of(first, "message", "content")
    return content if isinstance(content, str) else "".join(_texts(content))


def _texts(content: object) -> Iterable[str]:
    for part in content if isinstance(content, list) else ():
        text = field_of(part, "text")
        if isinstance(text, str):
            yield text
