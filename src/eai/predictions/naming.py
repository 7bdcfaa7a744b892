"""One name for each model: the one that is given, else that in the file, else the file's."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from eai.errors import InputError, SameNameError
from eai.predictions.collecting import Predictions
from eai.predictions.folders import is_prediction_file, stem_of


class Labels:
    """Assigns unique names to models."""

    def __init__(self) -> None:
        """Begin without names."""
        self._paths: dict[str, Path | None] = {}
        """Label of a model or a sample to the path of its source."""

    def assign(self, source: object, models: Sequence[Predictions]) -> list[str]:
        """Return unique names for the models of a source.

        If the name of a model is its file's name and is taken, the folder's name is added.

        Raises:
            SameNameError: If two models have the same name.
            InputError: If the source was given before.
        """
        path = None
        # Answers that are given as objects come from no file, which could be given twice.
        if isinstance(source, (str, os.PathLike)):
            path = Path(source)
            self._refuse_repeated(path, models)
        names = []
        for predictions in models:
            renamed = predictions
            # Labels are compared, since a model with several samples has one for each: "gpt #2".
            is_taken = predictions.label in self._paths
            if is_taken and path is not None and _is_file_name(predictions, path):
                renamed = replace(predictions, model=f"{_folder_of(path)}/{predictions.model}")
            file = _source_file(predictions, path)
            if renamed.label in self._paths:
                files = (self._paths[renamed.label], file)
                raise SameNameError(renamed.label, distinct_names(filter(None, files)))
            self._paths[renamed.label] = file
            names.append(renamed.model)
        return names

    def _refuse_repeated(self, path: Path, models: Sequence[Predictions]) -> None:
        """Refuse a path from which one of its models was read before."""
        for predictions in models:
            if self._was_given(predictions.label, path.resolve()):
                raise InputError(
                    "this is given twice, and would be evaluated as two models",
                    where=str(path),
                    expected="each file or folder once",
                    mend="leave one of them out",
                )

    def _was_given(self, name: str, path: Path) -> bool:
        """Return whether the same path, folder or file already provides a model of this name."""
        earlier_path = self._paths.get(name)
        if earlier_path is None:
            return False
        earlier_path = earlier_path.resolve()
        # The same path, a file in a folder that was given, or the folder of a file that was.
        return earlier_path in (path, path.parent) or earlier_path.parent == path


def _source_file(predictions: Predictions, path: Path | None) -> Path | None:
    """Return the file of some predictions, or None if it is unknown."""
    reading = predictions.reading
    if path is None or reading is None or not reading.name:
        return path
    return Path(reading.name)


def _is_file_name(predictions: Predictions, path: Path) -> bool:
    """Return whether a model is named after its file."""
    if predictions.reading is not None and predictions.reading.names_model:
        return False
    files: Iterable[Path] = (path,)
    if path.is_dir():
        files = path.iterdir()
    return any(stem_of(file.name) == predictions.model for file in files)


def _folder_of(path: Path) -> str:
    """Return the name of a folder, or of the folder that contains a file."""
    resolved = path.resolve()
    if path.is_dir():
        return resolved.name
    return resolved.parent.name


def distinct_names(paths: Iterable[Path]) -> dict[str, str]:
    """Return a unique name for each file, with its folder's name if needed.

    Args:
        paths: Files and folders of predictions.
    """
    # A dict, as it keeps the order, and each file once.
    files: dict[Path, None] = {}
    for path in paths:
        path_files = [path]
        if path.is_dir():
            path_files = sorted(filter(is_prediction_file, path.iterdir()))
        files |= dict.fromkeys(path_files)
    stem_counts = Counter(stem_of(file.name) for file in files)
    names: dict[str, str] = {}
    for file in files:
        name = stem_of(file.name)
        if stem_counts[name] > 1:
            name = f"{_folder_of(file)}-{name}"
        names[name] = str(file)
    return names
