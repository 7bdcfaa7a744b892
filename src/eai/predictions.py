"""Predictions: what models answered, from whatever file or value they come in.

A *prediction* is an identifier and the raw text of an answer. The shape is recognised by the
content, not by the file's name: JSON Lines of ``{"id", "output"}``, the official lists of
``{"identifier", "llm_output"}``, mappings, pairs, data frames, folders; files may be gzipped.
One bad line is a problem that is reported, a file without any prediction is an error.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from eai.errors import InputError, SchemaError
from eai.prediction_files import PredictionFile
from eai.prediction_items import (
    EXPECTED,
    IDS,
    OUTPUTS,
    PredictionProblem,
    Raw,
    first_of,
    is_item,
    read_item,
)

__all__ = ["PredictionProblem", "Predictions", "load_all", "load_predictions"]

MOST_PROBLEMS = 1000
"""So many problems of one source are kept; the others are counted."""

_SUFFIX = re.compile(r"(_outputs)?(\.(json|jsonl|ndjson))?(\.gz)?$", re.IGNORECASE)
_FILE = re.compile(r"[^.].*\.(json|jsonl|ndjson)(\.gz)?", re.IGNORECASE | re.DOTALL)


@dataclass(slots=True)
class Predictions:
    """The answers of one model.

    Args:
        model: Name of the model.
        items: Identifier to raw answer, in the order of the source.
        problems: What was left out or repaired.
    """

    model: str
    items: dict[str, str] = field(default_factory=dict)
    problems: list[PredictionProblem] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.items)


def _collect(raws: Iterable[Raw], default: str) -> list[Predictions]:
    """Sort items by model; the first item with an identifier is kept."""
    found: dict[str, Predictions] = {}
    problems: list[PredictionProblem] = []
    more = 0
    for raw in raws:
        problem = raw if isinstance(raw, PredictionProblem) else _take(raw, default, found)
        if problem is not None and len(problems) < MOST_PROBLEMS:
            problems.append(problem)
        elif problem is not None:
            more += 1
    if more:
        where = problems[-1].where
        problems.append(PredictionProblem(f"{more:,} more problems behind this place", where))
    for predictions in found.values():
        predictions.problems = list(problems)
    return list(found.values()) or [Predictions(default, {}, problems)]


def _take(
    raw: tuple[str, object], default: str, found: dict[str, Predictions]
) -> PredictionProblem | None:
    """Add one item to its model, or say why not."""
    where, value = raw
    try:
        name, text, model = read_item(value)
    except SchemaError as error:
        return PredictionProblem(error.what, where)
    items = found.setdefault(model or default, Predictions(model or default)).items
    if name in items:
        return PredictionProblem(f"the id {name!r:.60} was there before; the first is kept", where)
    items[name] = text
    return None


def _load_file(path: Path, name: str | None) -> list[Predictions]:
    """The predictions of one file, by model."""
    default = _SUFFIX.sub("", path.name, count=1) or path.name
    try:
        found = _collect(PredictionFile(path).raws(), name or default)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot be read: {reason}", where=str(path), expected=EXPECTED) from error
    if not any(map(len, found)):
        first = found[0].problems[0] if found[0].problems else None
        raise InputError(
            f"there is no prediction in this file ({first.message})" if first else "it is empty",
            where=first.where if first else str(path),
            expected=EXPECTED,
        )
    return found


def _files(path: Path) -> list[Path]:
    """The files of predictions that a path stands for."""
    if not path.is_dir():
        return [path]
    files = sorted(file for file in path.iterdir() if file.is_file() and _FILE.fullmatch(file.name))
    official = [file for file in files if "_outputs.json" in file.name.lower()]
    if not files:
        raise InputError(
            "there is no file of predictions in this folder",
            where=str(path),
            expected="files named <model>_outputs.json, .json or .jsonl, possibly with .gz",
        )
    return official or files


def _columns(source: object) -> tuple[str, str] | None:
    """The columns of a data frame that hold identifiers and answers; None if it is none."""
    columns = getattr(source, "columns", None)
    if columns is None or isinstance(source, Mapping) or not hasattr(source, "itertuples"):
        return None
    known = dict.fromkeys(map(str, columns))
    names = first_of(known, IDS), first_of(known, OUTPUTS)
    if names[0] is None or names[1] is None:
        raise InputError(
            f"the data frame has no column {'id' if names[0] is None else 'output'!r}",
            where=f"columns {', '.join(known) or '(none)'}",
            expected="columns 'id' and 'output', or 'identifier' and 'llm_output'",
        )
    return names[0], names[1]


def _rows(source: Mapping[str, Iterable[object]], columns: tuple[str, str]) -> Iterator[Raw]:
    """The items of a data frame, with their models if it has a column for them."""
    names = [*columns, *(["model"] if "model" in source else [])]
    for number, row in enumerate(zip(*(source[name] for name in names), strict=True), 1):
        yield f"row {number}", dict(zip(("id", "output", "model"), row, strict=False))


def _values(source: object) -> Iterator[Raw]:
    """The items of a value in memory."""
    columns = _columns(source)
    if columns is not None:
        yield from _rows(source, columns)  # type: ignore[arg-type]
    elif isinstance(source, Mapping) and not is_item(source):
        yield from ((f"item {number}", pair) for number, pair in enumerate(source.items(), 1))
    elif isinstance(source, Iterable):
        items = (source,) if isinstance(source, Mapping) else source
        yield from ((f"item {number}", item) for number, item in enumerate(items, 1))
    else:
        raise InputError(
            f"{type(source).__name__} is not a source of predictions",
            expected="a path, a mapping of id to text, pairs, objects or a data frame",
        )


def _load(source: object, name: str | None) -> list[Predictions]:
    """The predictions of one source, by model."""
    if isinstance(source, Predictions):
        return [source]
    if isinstance(source, (str, os.PathLike)):
        return [
            predictions for file in _files(Path(source)) for predictions in _load_file(file, name)
        ]
    return _collect(_values(source), name or "unnamed")


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
    found = _load(source, model)
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


def _is_source(value: object) -> bool:
    """Whether a member of a collection is a source of its own, not an item."""
    if isinstance(value, Mapping):
        return bool(value) and all(isinstance(text, str) for text in value.values())
    return isinstance(value, (str, os.PathLike, Predictions)) or hasattr(value, "itertuples")


def _named_sources(sources: object) -> list[tuple[str | None, object]]:
    """Several sources with their names, or one."""
    if isinstance(sources, Mapping) and sources and not is_item(sources):
        if all(_is_source(value) and not isinstance(value, str) for value in sources.values()):
            return [(str(name), value) for name, value in sources.items()]
    elif isinstance(sources, (list, tuple)) and all(
        _is_source(value) and not is_item(value) for value in sources
    ):
        return [(None, value) for value in sources]
    return [(None, sources)]


def load_all(sources: object) -> list[Predictions]:
    """Load the answers of several models.

    Args:
        sources: Anything that :func:`load_predictions` takes; a folder; a list of paths or
            other sources; or a mapping of model name to source (paths in it as ``Path``, since
            a mapping of text to text is the answers of one model).

    Returns:
        One entry for each model, in the order in which they come. Files of the same name get
        the name of their folder before their own.

    Raises:
        InputError: If a source cannot be read or two models have the same name.
    """
    found: list[Predictions] = []
    taken: set[str] = set()
    for name, source in _named_sources(sources):
        for predictions in _load(source, name):
            label = predictions.model
            if label in taken and isinstance(source, (str, os.PathLike)):
                label = f"{_files(Path(source))[0].resolve().parent.name}/{label}"
            if label in taken:
                raise InputError(
                    f"two sources have a model named {label!r}",
                    expected="one source for each model",
                    mend="give each source a name: {'first': Path(...), 'second': Path(...)}",
                )
            taken.add(label)
            found.append(Predictions(label, predictions.items, predictions.problems))
    return found
