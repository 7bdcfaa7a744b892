"""Loading predictions from files, folders and values."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from eai.errors import InputError
from eai.predictions.collection import Predictions, Store, collect
from eai.predictions.files import PredictionFile
from eai.predictions.items import EXAMPLE, EXPECTED, NOBODY, PredictionProblem
from eai.predictions.objects import IsTask
from eai.predictions.paths import files_of, grouped, others_in, reading, stem_of
from eai.predictions.samples import model_of
from eai.predictions.values import SOURCES, named_sources, values_of

if TYPE_CHECKING:
    from typing import TypeGuard

__all__ = ["load_all", "load_predictions", "size_of"]


def _load_files(
    paths: Sequence[Path], name: str | None, store: Store, is_task: IsTask | None
) -> list[Predictions]:
    """The predictions of files that belong together, by model."""
    path = paths[0]
    files = [PredictionFile(each, is_task) for each in paths]
    with reading(path):
        raws = chain.from_iterable(file.raws() for file in files)
        found = collect(raws, name or model_of(path) or stem_of(path.name), store)
    if not any(map(len, found)):
        raise _nothing_in(files[0], next((of.problems[0] for of in found if of.problems), None))
    if name is not None and len(found) == 1:
        found[0].model = name
    return found


def _nothing_in(file: PredictionFile, first: PredictionProblem | None) -> InputError:
    from eai.predictions.kinds import kind_of

    kind = kind_of(file.path, file.begin)
    told = kind.what if kind else first.message if first else ""
    return InputError(
        f"there is no prediction in this file ({told})" if told else "it is empty",
        where=first.where if first else str(file.path),
        expected=EXPECTED,
        mend=kind.mend if kind else f"write a line for each answer: {EXAMPLE}",
    )


def _load_folder(
    folder: Path, files: Sequence[Path], name: str | None, store: Store, is_task: IsTask | None
) -> list[Predictions]:
    """The predictions of the files in a folder; those that hold none are left out."""
    found: list[Predictions] = []
    left_out = _LeftOut()
    for paths in grouped(files):
        try:
            found += _load_files(paths, name, store, is_task)
        except InputError as error:  # noqa: PERF203  # files are few
            left_out.add(error, paths[0])
    left_out.tell(found)
    with reading(folder):
        others = others_in(folder, files)
    if others:
        listed = ", ".join(others[:5]) + (", ..." if len(others) > 5 else "")
        problem = PredictionProblem(f"left out by their names: {listed}", str(folder), NOBODY)
        _tell(found, [problem])
    return found


class _LeftOut:
    """Files that hold no prediction: a problem of every model, unless there is none."""

    def __init__(self) -> None:
        self._errors: list[InputError] = []
        self._problems: list[PredictionProblem] = []

    def add(self, error: InputError, path: Path) -> None:
        """Leave out a file for what is wrong with it."""
        told = f"left out: {error.what}"
        self._errors.append(error)
        self._problems.append(PredictionProblem(told, error.where or str(path), NOBODY))

    def tell(self, found: Sequence[Predictions]) -> None:
        """Add the files to the problems of the models.

        Raises:
            InputError: If there is no model: what is wrong with the first file.
        """
        if self._errors and not found:
            raise self._errors[0]
        _tell(found, self._problems)


def _tell(found: Sequence[Predictions], problems: Sequence[PredictionProblem]) -> None:
    for predictions in found:
        predictions.problems = [*predictions.problems, *problems]


def size_of(sources: object) -> int:
    """Return the number of bytes of files of predictions; values in memory count nothing.

    Args:
        sources: What :func:`load_all` takes.
    """
    if isinstance(sources, (str, os.PathLike)):
        with suppress(InputError, OSError):  # reading them will say what is wrong
            return sum(file.stat().st_size for file in files_of(sources) if file.is_file())
        return 0
    if isinstance(sources, Mapping):
        sources = [source for source in sources.values() if isinstance(source, os.PathLike)]
    return sum(map(size_of, sources)) if isinstance(sources, (list, tuple)) else 0


def _load(
    source: object, name: str | None, store: Store, is_task: IsTask | None = None
) -> list[Predictions]:
    """The predictions of one source, by model."""
    if isinstance(source, Predictions):
        return [Predictions(name or source.model, source.items, source.problems)]
    if isinstance(source, (str, os.PathLike)):
        path, files = Path(source), files_of(source)
        if files == [path]:
            return _load_files(files, name, store, is_task)
        return _load_folder(path, files, name, store, is_task)
    found = collect(values_of(source), name or "unnamed", store)
    if not any(map(len, found)) and found[0].problems and not hasattr(source, "items"):
        first = found[0].problems[0]
        raise InputError(
            f"there is no prediction in this value ({first.message})",
            where=first.where,
            expected=SOURCES,
            mend=f"an object is {EXAMPLE}",
        )
    return found


def _refuse_nothing(found: Sequence[Predictions]) -> None:
    if not any(of_model.items or of_model.problems for of_model in found):
        raise InputError(
            "there are no predictions", expected=SOURCES, mend="give at least one answer to a task"
        )


def load_predictions(source: object, *, model: str | None = None) -> Predictions:
    """Load the answers of one model.

    Args:
        source: A path; a mapping of identifier to text; pairs or objects; or a data frame.
        model: Its name. Of a source with several models, the one to take. By default the
            name that the source gives, or the file's name without its endings.

    Returns:
        The answers, with a list of what was left out.

    Raises:
        InputError: If nothing can be read, or there are several models and none is chosen.
    """
    found = _load(source, model, dict)
    _refuse_nothing(found)
    if len(found) > 1:
        names = ", ".join(sorted(predictions.model for predictions in found))
        found = [predictions for predictions in found if predictions.model == model]
        if len(found) != 1:
            raise InputError(
                "there are several models in the source",
                where=str(source) if isinstance(source, (str, os.PathLike)) else None,
                expected=f"a choice, model=..., of {names}",
                mend="or use load_all",
            )
    (chosen,) = found
    return Predictions(model or chosen.model, chosen.items, chosen.problems)


def load_all(
    sources: object,
    *,
    is_task: IsTask | None = None,
    store: Store = dict,
) -> list[Predictions]:
    """Load the answers of several models.

    Args:
        sources: Anything that :func:`load_predictions` takes; a folder; a list of paths or
            other sources; or a mapping of model name to source.
        is_task: Whether a text is the identifier of a task. It tells a mapping of model to
            answers from one of task to answer; without it, the shape of the values decides
            (a mapping of text to text is the answers of one model).
        store: Makes what holds the answers of one model that are read here.

    Returns:
        One entry for each model, in the order in which they come. Files of the same name get
        the name of their folder before their own. Of several files those without a prediction
        are left out, which is a problem of every model.

    Raises:
        InputError: If a source cannot be read or two models have the same name.
    """
    found: list[Predictions] = []
    labels, left_out = _Labels(), _LeftOut()
    for name, source in named_sources(sources, is_task):
        try:
            of_source = _load(source, name, store, is_task)
        except InputError as error:
            if not _may_be_left_out(source):
                raise
            left_out.add(error, Path(source))
            continue
        chosen = labels.of(source, [predictions.model for predictions in of_source])
        for label, predictions in zip(chosen, of_source, strict=True):
            found.append(Predictions(label, predictions.items, predictions.problems))
    left_out.tell(found)
    _refuse_nothing(found)
    return found


def _may_be_left_out(source: object) -> TypeGuard[str | os.PathLike[str]]:
    """Whether this is a file that can be read, so that what is wrong is what stands in it."""
    return isinstance(source, (str, os.PathLike)) and (
        Path(source).is_file() and os.access(source, os.R_OK)
    )


class _Labels:
    """The names of models, each once."""

    def __init__(self) -> None:
        self._paths: dict[str, Path | None] = {}
        """Name to the path of its source."""

    def of(self, source: object, names: Sequence[str]) -> list[str]:
        """Return names for the models of a source: where one is taken, behind its folder's.

        Raises:
            InputError: If it is taken nevertheless, or the source was given before.
        """
        path = Path(source).resolve() if isinstance(source, (str, os.PathLike)) else None
        if path is not None and any(_holds(self._paths.get(name), path) for name in names):
            raise InputError(
                "this is given twice, and would be judged as two models",
                where=str(source),
                expected="each file or folder once",
                mend="leave one of them out",
            )
        return [self._free(name, path) for name in names]

    def _free(self, name: str, path: Path | None) -> str:
        if name in self._paths and path is not None:
            name = f"{(path if path.is_dir() else path.parent).name}/{name}"
        if name in self._paths:
            raise InputError(
                f"two sources have a model named {name!r}",
                expected="one source for each model",
                mend="give each source a name: {'first': Path(...), 'second': Path(...)}",
            )
        self._paths[name] = path
        return name


def _holds(one: Path | None, other: Path) -> bool:
    """Whether two paths are the same, or one is the folder of the other."""
    return one is not None and (one in (other, other.parent) or one.parent == other)
