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
    """The names of models, each once."""

    def __init__(self) -> None:
        self._paths: dict[str, Path | None] = {}
        """Label of a model or a sample to the path of its source."""

    def of(self, source: object, models: Sequence[Predictions]) -> list[str]:
        """Return names for the models of a source.

        A model that is named after its file gets the name of the folder as well, if the name is
        taken.

        Raises:
            SameNameError: If two models have the same name.
            InputError: If the source was given before.
        """
        path = Path(source) if isinstance(source, (str, os.PathLike)) else None
        for each in models:
            if path is not None and self._is_given(each.label, path.resolve()):
                raise InputError(
                    "this is given twice, and would be evaluated as two models",
                    where=str(source),
                    expected="each file or folder once",
                    mend="leave one of them out",
                )
        names = []
        for each in models:
            named = each
            if named.label in self._paths and path is not None and _is_file_name(each, path):
                named = replace(each, model=f"{_folder_of(path)}/{each.model}")
            if named.label in self._paths:
                given = (self._paths[named.label], _file_of(each, path))
                both = [other for other in given if other is not None]
                raise SameNameError(named.label, distinct_names(both))
            self._paths[named.label] = _file_of(each, path)
            names.append(named.model)
        return names

    def _is_given(self, name: str, path: Path) -> bool:
        """Whether a path, or one in which it lies, or that lies in it, has a model of a name."""
        given = self._paths.get(name)
        if given is None:
            return False
        other = given.resolve()
        return other in (path, path.parent) or other.parent == path


def _file_of(predictions: Predictions, path: Path | None) -> Path | None:
    """Return the file that predictions are from, which may lie in the folder that was given."""
    reading = predictions.reading
    return Path(reading.name) if path is not None and reading and reading.name else path


def _is_file_name(predictions: Predictions, path: Path) -> bool:
    """Return whether a model is named after its file, as nothing in the file names it."""
    if predictions.reading is not None and predictions.reading.names_model:
        return False
    files = path.iterdir() if path.is_dir() else (path,)
    return any(stem_of(file.name) == predictions.model for file in files)


def _folder_of(path: Path) -> str:
    resolved = path.resolve()
    return resolved.name if path.is_dir() else resolved.parent.name


def distinct_names(paths: Iterable[Path]) -> dict[str, str]:
    """Return a name for each file, also for those in folders: its own, or with its folder's.

    Args:
        paths: Files and folders of predictions.
    """
    files: dict[Path, None] = {}
    for path in paths:
        inside = sorted(filter(is_prediction_file, path.iterdir())) if path.is_dir() else [path]
        files |= dict.fromkeys(inside)
    stems = Counter(stem_of(file.name) for file in files)
    names: dict[str, str] = {}
    for file in files:
        stem = stem_of(file.name)
        names[stem if stems[stem] == 1 else f"{_folder_of(file)}-{stem}"] = str(file)
    return names
