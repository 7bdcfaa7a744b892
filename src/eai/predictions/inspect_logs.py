"""Samples in logs of Inspect AI, in an archive or as one JSON object."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from eai.contract import PredictionProblem, Raw
from eai.errors import InputError, MissingExtraError
from eai.nesting import load_json
from eai.predictions import limits
from eai.predictions.entries import LOG_HEADERS, damages
from eai.predictions.values import JsonObject, field_of, first_at, is_list
from eai.text import lazy_pattern

if TYPE_CHECKING:
    from zipfile import ZipFile

_SAMPLE = lazy_pattern(r"samples/.*_epoch_(\d+)\.json", re.DOTALL)
_ZSTANDARD = 93
"""Number of this compression in zip archives; Python knows it from 3.14 on."""
_KEYS = ("version", "status", "eval")
"""Keys of a log that is one JSON object."""
_TASK = "task_id|identifier|id|sample_id|task"
"""Where the metadata of a sample that is only numbered name its task."""


def is_log(fields: Mapping[object, object]) -> bool:
    """Return whether an object is a log."""
    return all(key in fields for key in _KEYS)


def rows_of_archive(path: Path) -> Iterator[Raw]:
    """Yield the samples of an ``.eval`` log by epoch, with one in memory at a time.

    A damaged sample is reported as a problem, and the others are kept.
    """
    from zipfile import ZipFile

    try:
        with ZipFile(path) as archive:
            _prepare_zstandard(archive)
            yield from _rows_of_samples(archive, path)
    except damages() as error:
        raise InputError(
            f"the log is damaged or cut off ({error})",
            where=str(path),
            expected="a log of Inspect AI that was written to its end",
            mend="inspect log recover writes what can be saved of it",
        ) from error


def _prepare_zstandard(archive: ZipFile) -> None:
    """Enable zstandard compression in zipfile if the log needs it."""
    is_packed = any(entry.compress_type == _ZSTANDARD for entry in archive.infolist())
    if not is_packed or sys.version_info >= (3, 14):
        return
    try:
        import zipfile_zstd  # noqa: F401  # importing it is what teaches
    except ImportError as error:
        purpose = "reading an .eval log packed with zstandard"
        raise MissingExtraError("zipfile-zstd", extra="logs", purpose=purpose) from error


def _rows_of_samples(archive: ZipFile, path: Path) -> Iterator[Raw]:
    """Yield the samples of a log, ordered by epoch."""
    header = next(name for name in LOG_HEADERS if name in archive.namelist())
    model = field_of(load_json(_unpack(archive, header)), "eval", "model")
    # Epochs stay texts: a name may have more digits than Python makes a number of. Without zeros
    # in front, the longer text is the larger number.
    names = [name for name in archive.namelist() if _SAMPLE.fullmatch(name)]
    has_several_epochs = any(_epoch_in_name(name) != "1" for name in names)
    # By the epoch alone: samples of the same epoch stay in the order of the archive.
    names.sort(key=lambda name: (len(_epoch_in_name(name)), _epoch_in_name(name)))
    for name in names:
        where = f"{path}:{name}"
        try:
            sample = load_json(_unpack(archive, name), object_pairs_hook=JsonObject)
        except damages() as error:
            yield PredictionProblem(f"the sample is damaged ({error!s:.100})", where)
        else:
            yield where, _row_of(sample, model, has_epochs=has_several_epochs)


def _unpack(archive: ZipFile, name: str) -> bytes:
    """Return a part of a log. Its true length is known only after unpacking.

    Raises:
        ValueError: If it is too long.
    """
    with archive.open(name) as member:
        content = member.read(limits.MAX_MEMBER_BYTES + 1)
    if len(content) > limits.MAX_MEMBER_BYTES:
        raise ValueError(f"it has more than {limits.MAX_MEMBER_BYTES:,} bytes")
    return content


def _epoch_in_name(name: str) -> str:
    """Return the epoch in a sample's file name without leading zeros, or ""."""
    match = _SAMPLE.fullmatch(name)
    if match is None:
        return ""
    return match[1].lstrip("0")


def _row_of(sample: object, model: object, *, has_epochs: bool) -> JsonObject:
    """Return a sample of an Inspect log as a row.

    Args:
        sample: The sample.
        model: The model of the log.
        has_epochs: Whether the log has several epochs, so that the row needs its number.
    """
    name = field_of(sample, "id")
    if not isinstance(name, str) or name.isdecimal():  # numbered, not named
        task = first_at(field_of(sample, "metadata") or {}, _TASK)
        if task is not None:
            name = task
    pairs = [("id", name), ("inspect", sample), ("model", model)]
    if has_epochs:
        pairs.append(("epoch", field_of(sample, "epoch")))
    return JsonObject(pairs)


def rows_of_log(log: JsonObject, where: str) -> Iterator[Raw]:
    """Yield the samples of a log by epoch."""
    samples = field_of(log, "samples")
    if not is_list(samples):
        yield PredictionProblem("the log of Inspect AI has its header only, no samples", where)
        return
    model = field_of(log, "eval", "model")
    has_several_epochs = any(_epoch_of(sample) > 1 for sample in samples)
    for sample in sorted(samples, key=_epoch_of):
        yield where, _row_of(sample, model, has_epochs=has_several_epochs)


def _epoch_of(sample: object) -> int:
    """Return the epoch of a sample, or 0 if it has none."""
    epoch = field_of(sample, "epoch")
    if not isinstance(epoch, int):
        return 0
    return epoch
