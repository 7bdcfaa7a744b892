"""Predictions: what models answered, from whatever file or value they come in.

A *prediction* is an identifier and the raw text of an answer. The shape is recognised by the
content, not by the file's name: JSON Lines of ``{"id", "output"}``, the official lists of
``{"identifier", "llm_output"}``, mappings, pairs, data frames, folders, logs of Inspect AI, samples
of lm-evaluation-harness; files may be gzipped.
One bad line is a problem that is reported, a file without any prediction is an error.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from eai.errors import InputError, SchemaError
from eai.paths import advice
from eai.prediction_files import PredictionFile
from eai.prediction_items import EXPECTED, PredictionProblem, Raw, read_item
from eai.prediction_samples import is_sample, model_of
from eai.prediction_values import SOURCES, named_sources, values_of

__all__ = [
    "PredictionProblem",
    "Predictions",
    "is_prediction_file",
    "load_all",
    "load_predictions",
    "size_of",
]

MOST_PROBLEMS = 1000
"""So many problems of one source are kept; the others are counted."""

_SUFFIX = re.compile(r"(_outputs)?(\.(json|jsonl|ndjson|eval))?(\.gz)?$", re.IGNORECASE)
_FILE = re.compile(r"[^.].*\.(json|jsonl|ndjson|eval)(\.gz)?", re.IGNORECASE | re.DOTALL)


@dataclass(slots=True)
class Predictions:
    """The answers of one model.

    Args:
        model: Name of the model.
        items: Identifier to raw answer, in the order of the source.
        problems: What was left out or repaired.
    """

    model: str
    items: MutableMapping[str, str] = field(default_factory=dict)
    problems: list[PredictionProblem] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.items)


Store = Callable[[], MutableMapping[str, str]]
"""Makes what holds the answers of one model."""


def _collect(raws: Iterable[Raw], default: str, store: Store) -> list[Predictions]:
    """Sort items by model; the first item with an identifier is kept."""
    found: dict[str, Predictions] = {}
    problems: list[PredictionProblem] = []
    more = 0
    for raw in raws:
        problem = raw if isinstance(raw, PredictionProblem) else _take(raw, default, found, store)
        if problem is not None and len(problems) < MOST_PROBLEMS:
            problems.append(problem)
        elif problem is not None:
            more += 1
    if more:
        where = problems[-1].where
        problems.append(PredictionProblem(f"{more:,} more problems behind this place", where))
    for predictions in found.values():
        predictions.problems = list(problems)
    return list(found.values()) or [Predictions(default, store(), problems)]


def _take(
    raw: tuple[str, object], default: str, found: dict[str, Predictions], store: Store
) -> PredictionProblem | None:
    """Add one item to its model, or say why not."""
    where, value = raw
    try:
        name, text, model = read_item(value)
    except SchemaError as error:
        return PredictionProblem(error.what, where)
    model = model or default
    if model not in found:
        found[model] = Predictions(model, store())
    items = found[model].items
    if name in items:
        if items[name] == text and is_sample(value):  # it stands there once for each filter
            return None
        return PredictionProblem(f"the id {name!r:.60} was there before; the first is kept", where)
    items[name] = text
    return None


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
            mend=advice(path, stem=_stem),
        ) from error
    except MemoryError as error:
        raise InputError(
            "needs more memory than there is",
            where=str(path),
            expected=EXPECTED,
            mend="split the file, one model each",
        ) from error


def _stem(name: str) -> str:
    return _SUFFIX.sub("", name)


def _of_one_model(files: Iterable[Path]) -> Iterable[list[Path]]:
    """Files that belong together: all samples of a model, each other file by itself."""
    found: dict[str, list[Path]] = {}
    for file in files:
        found.setdefault(model_of(file) or str(file), []).append(file)
    return found.values()


def _load_files(files: Sequence[Path], name: str | None, store: Store) -> list[Predictions]:
    """The predictions of files that belong together, by model."""
    path = files[0]
    default = model_of(path) or _SUFFIX.sub("", path.name, count=1) or path.name
    with _reading(path):
        raws = chain.from_iterable(PredictionFile(file).raws() for file in files)
        found = _collect(raws, name or default, store)
    if not any(map(len, found)):
        first = found[0].problems[0] if found[0].problems else None
        raise InputError(
            f"there is no prediction in this file ({first.message})" if first else "it is empty",
            where=first.where if first else str(path),
            expected=EXPECTED,
            mend='write a line for each answer: {"id": "the task", "output": "what was answered"}',
        )
    if name is not None and len(found) == 1:
        found[0].model = name
    return found


def _files(source: str | os.PathLike[str]) -> list[Path]:
    """The files of predictions that a path stands for."""
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


def is_prediction_file(path: Path) -> bool:
    """Whether a file is one that is read from a folder of predictions, by its name."""
    return path.is_file() and _FILE.fullmatch(path.name) is not None


def size_of(sources: object) -> int:
    """Return the number of bytes of files of predictions; values in memory count nothing.

    Args:
        sources: What :func:`load_all` takes.
    """
    if isinstance(sources, (str, os.PathLike)):
        with suppress(InputError, OSError):  # reading them will say what is wrong
            return sum(file.stat().st_size for file in _files(sources) if file.is_file())
        return 0
    if isinstance(sources, Mapping):
        sources = [source for source in sources.values() if isinstance(source, os.PathLike)]
    return sum(map(size_of, sources)) if isinstance(sources, (list, tuple)) else 0


def _load(source: object, name: str | None, store: Store) -> list[Predictions]:
    """The predictions of one source, by model."""
    if isinstance(source, Predictions):
        return [Predictions(name or source.model, source.items, source.problems)]
    if isinstance(source, (str, os.PathLike)):
        groups = _of_one_model(_files(source))
        return [found for files in groups for found in _load_files(files, name, store)]
    found = _collect(values_of(source), name or "unnamed", store)
    if not any(map(len, found)) and found[0].problems and not hasattr(source, "items"):
        first = found[0].problems[0]
        raise InputError(
            f"there is no prediction in this value ({first.message})",
            where=first.where,
            expected=SOURCES,
        )
    return found


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
    is_task: Callable[[str], bool] | None = None,
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
        the name of their folder before their own.

    Raises:
        InputError: If a source cannot be read or two models have the same name.
    """
    found: list[Predictions] = []
    taken: set[str] = set()
    for name, source in named_sources(sources, is_task):
        for predictions in _load(source, name, store):
            label = predictions.model
            if label in taken and isinstance(source, (str, os.PathLike)):
                label = f"{_files(source)[0].resolve().parent.name}/{label}"
            if label in taken:
                raise InputError(
                    f"two sources have a model named {label!r}",
                    expected="one source for each model",
                    mend="give each source a name: {'first': Path(...), 'second': Path(...)}",
                )
            taken.add(label)
            found.append(Predictions(label, predictions.items, predictions.problems))
    return found
