"""Paths of predictions: which files they stand for, and what is said if they cannot be read."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from eai.errors import InputError
from eai.paths import advice
from eai.predictions.items import EXPECTED
from eai.predictions.samples import model_of

__all__ = ["files_of", "grouped", "is_prediction_file", "others_in", "reading", "stem_of"]

_SUFFIX = re.compile(r"(_outputs)?(\.(json|jsonl|ndjson|eval))?(\.gz)?$", re.IGNORECASE)
_FILE = re.compile(r"[^.].*\.(json|jsonl|ndjson|eval)(\.gz)?", re.IGNORECASE | re.DOTALL)
_RESULTS = re.compile(r"results_.*\.json", re.DOTALL)
"""What lm-evaluation-harness writes beside its samples; the name of the model is read from it."""


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Say what the operating system says about reading a file or a folder.

    Raises:
        InputError: If it cannot be read.
    """
    try:
        yield
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(
            f"cannot be read: {reason}",
            where=str(path),
            expected=EXPECTED,
            mend=advice(path, stem=stem_of),
        ) from error
    except MemoryError as error:
        raise InputError(
            "needs more memory than there is",
            where=str(path),
            expected=EXPECTED,
            mend="split the file, one model each",
        ) from error


def stem_of(name: str) -> str:
    """Return the name of a file without its endings: the name of its model."""
    return _SUFFIX.sub("", name, count=1) or name


def is_prediction_file(path: Path) -> bool:
    """Whether a file is one that is read from a folder of predictions, by its name."""
    return path.is_file() and _FILE.fullmatch(path.name) is not None


def grouped(files: Iterable[Path]) -> list[list[Path]]:
    """Return files that belong together: all samples of a model, each other file by itself."""
    found: dict[str, list[Path]] = {}
    for file in files:
        found.setdefault(model_of(file) or str(file), []).append(file)
    return list(found.values())


def files_of(source: str | os.PathLike[str]) -> list[Path]:
    """Return the files of predictions that a path stands for.

    Raises:
        InputError: If it is empty or cannot be read, or if a folder has no such file.
    """
    if not os.fspath(source):
        raise InputError(
            "the name of a file of predictions is empty",
            expected="the path of a file or a folder",
            mend="check that the variable that holds it is set",
        )
    path = Path(source)
    with reading(path):
        if not path.is_dir():
            return [path]
        entries = sorted(path.iterdir())
        files = [file for file in entries if is_prediction_file(file)]
    official = [file for file in files if "_outputs.json" in file.name.lower()]
    samples = [file for file in files if model_of(file) is not None]  # beside them lie results
    if not files:
        raise InputError(
            "there is no file of predictions in this folder",
            where=str(path),
            expected="files named <model>_outputs.json, .json or .jsonl, possibly with .gz",
            mend="name the files one by one, or rename them",
        )
    return official or samples or files


def others_in(folder: Path, files: Collection[Path]) -> list[str]:
    """Return the names of the files of a folder that are not read.

    Args:
        folder: The folder.
        files: Those that are.
    """
    return [
        file.name
        for file in sorted(folder.iterdir())
        if file.is_file()
        and file not in files
        and not file.name.startswith(".")
        and not _RESULTS.fullmatch(file.name)
    ]
