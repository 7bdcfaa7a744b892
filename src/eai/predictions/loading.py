"""Loading predictions from paths and values: by model, with what was left out of each."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from importlib import import_module
from itertools import chain, islice
from pathlib import Path

from eai.contract import PredictionProblem, Raw
from eai.errors import InputError, SameNameError, SchemaError, names_checked
from eai.files.paths import advice
from eai.predictions.files import DATA_FRAME, PredictionFile
from eai.predictions.items import (
    EXAMPLE,
    EXPECTED,
    NOBODY,
    SAMPLES,
    SOURCES,
    IsTask,
    answer_field,
    epoch_of,
    is_cut_off,
    is_sample,
    model_named,
    model_of,
    named_sources,
    plain_item,
    read_item,
    samples_of,
    values_of,
    with_output,
)
from eai.suites import LAYOUTS
from eai.text import counted, sample_label

_SUFFIX = re.compile(r"(_outputs)?(\.(json|jsonl|ndjson|eval))?(\.gz)?$", re.IGNORECASE)
_FILE = re.compile(r"[^.].*\.(json|jsonl|ndjson|eval)(\.gz)?", re.IGNORECASE | re.DOTALL)
_RESULTS = re.compile(r"results_.*\.json", re.DOTALL)
"""What lm-evaluation-harness writes beside its samples; the name of the model is read from it."""


_MENDS = {
    **dict.fromkeys((".csv", ".tsv"), f"{DATA_FRAME}: columns id and output"),
    **dict.fromkeys((".yaml", ".yml"), f"write JSON: {EXAMPLE} on a line"),
}
"""What to do with files of other formats, by their endings."""


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Say what the operating system says about reading a file or a folder."""
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


def _files_of(source: str | os.PathLike[str]) -> list[Path]:
    """Return the files of predictions that a path stands for, at least one."""
    if not os.fspath(source):
        raise InputError(
            "the name of a file of predictions is empty",
            expected="the path of a file or a folder",
            mend="check that the variable that holds it is set",
        )
    path = Path(source)
    with _reading(path):
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


MOST_PROBLEMS = 1000
"""So many problems of one source are kept; the others are counted."""
_FEW = 3
"""So many duplicates of a model are named; the others are counted."""
_HOPELESS = 100_000
"""A source that has so many problems first, and no prediction, is read no further."""


@dataclass(slots=True)
class Predictions:
    """The answers of one model.

    Args:
        model: Name of the model.
        items: Identifier to raw answer, in the order of the source.
        problems: What was left out or repaired.
        epoch: Which of several samples of the model they are; 0 if they are the only ones.
        cut_off: Identifiers of answers that end where the model had no tokens left.
    """

    model: str
    items: MutableMapping[str, str] = field(default_factory=dict)
    problems: list[PredictionProblem] = field(default_factory=list)
    epoch: int = 0
    cut_off: list[str] = field(default_factory=list)

    @property
    def label(self) -> str:
        """The model, and which of its samples."""
        return sample_label(self.model, self.epoch)

    def __len__(self) -> int:
        return len(self.items)


class _Duplicate(PredictionProblem):
    """Another answer to a task that was answered before."""


Store = Callable[[], MutableMapping[str, str]]
"""Makes what holds the answers of one model."""


def collect(raws: Iterable[Raw], default: str, store: Store) -> list[Predictions]:
    """Sort items by model; the first item with an identifier is kept.

    Returns:
        One entry for each model, at least one: a model without a good answer is one, too. Problems
        of items that name their model are in its entry, all others in every entry.
    """
    found: dict[tuple[str, int], Predictions] = {}
    problems: list[PredictionProblem] = []
    duplicates: Counter[str | None] = Counter()
    passed: dict[str | None, str] = {}
    more = 0

    for raw in chain.from_iterable(map(_samples, raws)):
        problem = raw if isinstance(raw, PredictionProblem) else _take(raw, default, found, store)
        if isinstance(problem, _Duplicate):
            duplicates[problem.model] += 1
            if duplicates[problem.model] > _FEW:
                passed.setdefault(problem.model, problem.where)
                continue
        if problem is not None and len(problems) < MOST_PROBLEMS:
            problems.append(problem)
        elif problem is not None:
            more += 1
        if more > _HOPELESS and not found:
            break
    if more:
        where = problems[-1].where
        problems.append(
            PredictionProblem(f"{counted(more, 'more problem')} after this line", where)
        )
    for model, where in passed.items():
        message = (
            f"{counted(duplicates[model] - _FEW, 'more duplicate id')}; several answers to a task "
            f'are told apart by "epoch": 1, 2, ..., or listed under "{SAMPLES}"'
        )
        problems.append(PredictionProblem(message, where, model))
    for predictions in found.values():
        about = (None, predictions.model)
        predictions.problems = [problem for problem in problems if problem.model in about]
    order = {model: place for place, (model, _) in enumerate(reversed(found))}
    sorted_by = sorted(found.values(), key=lambda of: (-order[of.model], of.epoch))
    return sorted_by or [Predictions(default, store(), problems)]


def _samples(raw: Raw) -> Iterable[Raw]:
    """An item for each answer."""
    if isinstance(raw, PredictionProblem) or plain_item(raw[1]) is not None:
        return (raw,)
    return [(raw[0], each) for each in samples_of(raw[1])]


def _take(
    raw: tuple[str, object], default: str, found: dict[tuple[str, int], Predictions], store: Store
) -> PredictionProblem | None:
    """Add one item to its model, or say why not."""
    where, value = raw
    item, named, epoch = plain_item(value), "", 0
    if item is None:
        named = model_named(value)
        try:
            item = read_item(value)
        except SchemaError as error:
            if named:
                found.setdefault((named, 0), Predictions(named, store()))
            return PredictionProblem(error.what, where, named or None)
        epoch = epoch_of(value)
    name, text = item
    key = named or default, epoch
    if key not in found:
        found[key] = Predictions(key[0], store(), epoch=epoch)
    items = found[key].items
    if name not in items:
        items[name] = text
        if is_cut_off(value):
            found[key].cut_off.append(name)
    elif items[name] != text or not is_sample(value):  # one stands there once for each filter
        message = f"duplicate id {name!r:.60}, keeping the first"
        return _Duplicate(message, where, named or None)
    return None


class _LeftOut:
    """Files that hold no prediction: a problem of every model, unless there is none."""

    def __init__(self) -> None:
        self._errors: list[InputError] = []
        self._problems: list[PredictionProblem] = []

    @contextmanager
    def unless_read(self, path: Path) -> Iterator[None]:
        """Leave out a file for what is wrong with it."""
        try:
            yield
        except InputError as error:
            reported = f"left out: {error.what}"
            self._errors.append(error)
            self._problems.append(PredictionProblem(reported, error.where or str(path), NOBODY))

    def tell(self, found: Sequence[Predictions]) -> None:
        """Add the files to the problems of the models.

        Raises:
            InputError: If there is no model: what is wrong with the first file.
        """
        if self._errors and not found:
            raise self._errors[0]
        for predictions in found:
            predictions.problems = [*predictions.problems, *self._problems]


@dataclass(frozen=True)
class _Loader:
    """Reads sources; what its fields mean says :func:`load_all`."""

    store: Store = dict
    is_task: IsTask | None = None
    field: str = ""

    def load(self, source: object, name: str | None = None) -> list[Predictions]:
        """The predictions of one source, by model."""
        if isinstance(source, Predictions):
            return [replace(source, model=source.model if source.epoch else name or source.model)]
        if isinstance(source, (str, os.PathLike)):
            path = Path(source)
            with _reading(path):
                for layout in map(import_module, LAYOUTS):
                    if os.fspath(source) and path.exists() and layout.holds_runs(path):
                        model = name or stem_of(path.name)
                        return collect(layout.run_episodes(path), model, self.store)
            files = _files_of(source)
            one = files == [path]
            return self._files(files, name) if one else self._folder(path, files, name)
        found = collect(values_of(source), name or "unnamed", self.store)
        if not any(map(len, found)) and found[0].problems and not hasattr(source, "items"):
            first = found[0].problems[0]
            raise InputError(
                f"there is no prediction in this value ({first.message})",
                where=first.where,
                expected=SOURCES,
                mend=f"an object is {EXAMPLE}",
            )
        return found

    def _files(self, paths: Sequence[Path], name: str | None) -> list[Predictions]:
        """The predictions of files that belong together, by model."""
        path = paths[0]
        files = [PredictionFile(each, self.is_task) for each in paths]
        with _reading(path):
            raws: Iterable[Raw] = chain.from_iterable(file.raws() for file in files)
            if key := self.field:
                raws = (
                    r if isinstance(r, PredictionProblem) else (r[0], with_output(r[1], key))
                    for r in raws
                )
            found = collect(raws, name or model_of(path) or stem_of(path.name), self.store)
        if not any(map(len, found)):
            first = next((of.problems[0] for of in found if of.problems), None)
            reported = first.message if first else ""
            single = "eai repair takes a single answer"
            usual = f"write a line for each answer, {EXAMPLE}; {single}"
            if other := self._other_field(path):
                usual = (
                    f"if the answers stand under {other!r}: --field {other} "
                    f"(in Python load_all(..., field={other!r}))"
                )
            raise InputError(
                f"there is no prediction in this file ({reported})" if reported else "it is empty",
                where=first.where if first else str(path),
                expected=EXPECTED,
                mend=_MENDS.get(path.suffix.lower(), usual),
            )
        if name is not None and len({of.model for of in found}) == 1:
            found = [replace(of, model=name) for of in found]
        return found

    def _other_field(self, path: Path) -> str | None:
        """The key under which the items of a file may have their answers, if it is not known."""
        if self.field or not path.is_file():  # a pipe can be read only once
            return None
        raws = PredictionFile(path, self.is_task).raws()
        fields = (None if isinstance(r, PredictionProblem) else answer_field(r[1]) for r in raws)
        return next(filter(None, islice(fields, _FEW)), None)

    def _folder(self, folder: Path, files: Sequence[Path], name: str | None) -> list[Predictions]:
        """The predictions of the files in a folder; those that hold none are left out."""
        groups: dict[str, list[Path]] = {}
        # All samples of a model belong together, each other file stands for itself.
        for file in files:
            groups.setdefault(model_of(file) or str(file), []).append(file)
        found: list[Predictions] = []
        left_out = _LeftOut()
        for paths in groups.values():
            with left_out.unless_read(paths[0]):
                found += self._files(paths, name)
        left_out.tell(found)
        with _reading(folder):
            others = [
                file.name
                for file in sorted(folder.iterdir())
                if file.is_file()
                and file not in files
                and not file.name.startswith(".")
                and not _RESULTS.fullmatch(file.name)
            ]
        if others:
            listed = ", ".join(others[:5]) + (", ..." if len(others) > 5 else "")
            why = (
                " (others end in _outputs.json)" if "_outputs.json" in files[0].name.lower() else ""
            )
            said = f"left out by their names{why}: {listed}"
            problem = PredictionProblem(said, str(folder), NOBODY)
            for predictions in found:
                predictions.problems = [*predictions.problems, problem]
        return found


def _refuse_nothing(found: Sequence[Predictions]) -> None:
    if not any(of_model.items or of_model.problems for of_model in found):
        raise InputError(
            "there are no predictions", expected=SOURCES, mend="give at least one answer to a task"
        )


@names_checked
def load_predictions(source: object, *, model: str | None = None) -> Predictions:
    """Load the answers of one model.

    Args:
        source: A path; a mapping of identifier to text; pairs or objects; or a data frame.
        model: Its name. Of a source with several models, the one to take. By default the
            name that the source gives, or the file's name without its endings.

    Returns:
        The answers, of several samples the first ones, with a list of what was left out.

    Raises:
        InputError: If nothing can be read, or there are several models and none is chosen.
    """
    found = _Loader().load(source, model)
    _refuse_nothing(found)
    if len({of.model for of in found}) > 1:
        names = ", ".join(sorted({predictions.model for predictions in found}))
        found = [predictions for predictions in found if predictions.model == model]
        if not found:
            raise InputError(
                "there are several models in the source",
                where=str(source) if isinstance(source, (str, os.PathLike)) else None,
                expected=f"model=... with one of {names}",
                mend="or use load_all",
            )
    return replace(found[0], model=model or found[0].model)


@names_checked
def load_all(
    sources: object, *, is_task: IsTask | None = None, store: Store = dict, field: str = ""
) -> list[Predictions]:
    """Load the answers of several models.

    Args:
        sources: Anything that :func:`load_predictions` takes; a folder; a list of paths or
            other sources; or a mapping of model name to source.
        is_task: Whether a text is the identifier of a task. It tells a mapping of model to
            answers from one of task to answer; without it, the shape of the values decides
            (a mapping of text to text is the answers of one model).
        store: Makes what holds the answers of one model that are read here.
        field: The key under which the answers stand in files, if it is none of the usual ones.

    Returns:
        One entry for each model, or for each sample of one, in the order in which they come. The
        name of a model is the one that the mapping gives, else the one that stands in the file,
        else the name of the file; of two files of the same name the second gets the name of its
        folder as well. Of several files those without a prediction are left out, which is a
        problem of every model.

    Raises:
        SameNameError: If two models have the same name.
        InputError: If a source cannot be read.
    """
    found: list[Predictions] = []
    labels, left_out, loader = _Labels(), _LeftOut(), _Loader(store, is_task, field)
    for name, source in named_sources(sources, is_task):
        of_source: list[Predictions] = []
        path = Path(source) if isinstance(source, (str, os.PathLike)) else None
        # What is wrong with a file that can be read is what stands in it.
        readable = path is not None and path.is_file() and os.access(path, os.R_OK)
        with left_out.unless_read(path) if path and readable else nullcontext():
            of_source = loader.load(source, name)
        chosen = labels.of(source, [predictions.label for predictions in of_source])
        for label, each in zip(chosen, of_source, strict=True):
            found.append(replace(each, model=label.removesuffix(sample_label("", each.epoch))))
    left_out.tell(found)
    _refuse_nothing(found)
    return found


class _Labels:
    """The names of models, each once."""

    def __init__(self) -> None:
        self._paths: dict[str, Path | None] = {}
        """Name to the path of its source."""

    def of(self, source: object, names: Sequence[str]) -> list[str]:
        """Return names for the models of a source.

        A model that is named after its file gets the name of the folder as well, if the name is
        taken.

        Raises:
            SameNameError: If two models have the same name.
            InputError: If the source was given before.
        """
        path = Path(source) if isinstance(source, (str, os.PathLike)) else None
        for name in names:
            if path is not None and self._is_given(name, path.resolve()):
                raise InputError(
                    "this is given twice, and would be evaluated as two models",
                    where=str(source),
                    expected="each file or folder once",
                    mend="leave one of them out",
                )
        labels = []
        for name in names:
            label = name
            if name in self._paths and path is not None and _is_file_name(name, path):
                label = f"{_folder_of(path)}/{name}"
            if label in self._paths:
                both = [each for each in (self._paths[label], path) if each is not None]
                raise SameNameError(label, distinct_names(both))
            self._paths[label] = path
            labels.append(label)
        return labels

    def _is_given(self, name: str, path: Path) -> bool:
        """Whether a path, or one in which it lies, or that lies in it, has a model of a name."""
        given = self._paths.get(name)
        if given is None:
            return False
        other = given.resolve()
        return other in (path, path.parent) or other.parent == path


def _is_file_name(model: str, path: Path) -> bool:
    """Whether a model is named after its file, as nothing in the file names it."""
    files = path.iterdir() if path.is_dir() else (path,)
    return any(stem_of(file.name) == model for file in files)


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
