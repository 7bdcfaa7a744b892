"""Rows of values in memory: mappings, pairs, objects, data frames, and several of them by model."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import NoneType

from eai.contract import Raw
from eai.errors import InputError
from eai.predictions.documents import rows_of_table
from eai.predictions.layouts import IsTask
from eai.predictions.reader import Reader
from eai.predictions.values import JsonObject

SOURCES = "a path, a mapping of id to text, pairs, objects, a data frame, or one of them by model"
"""Type of a source of predictions."""


def is_frame(value: object) -> bool:
    """Return whether a value is a data frame, of pandas or of a library like it."""
    has_rows = hasattr(value, "itertuples") or hasattr(value, "iter_rows")
    return has_rows and hasattr(value, "columns") and not isinstance(value, Mapping)


def rows_of_value(source: object, reader: Reader) -> Iterator[Raw]:
    """Yield the rows in a Python value.

    Raises:
        InputError: If it is not a source of predictions.
    """
    if is_frame(source):
        yield from _rows_of_frame(source)  # type: ignore[arg-type]
        return
    if isinstance(source, Mapping):
        table = rows_of_table(source, reader)
        if table is not None:
            yield from _with_places("row", table)
            return
    pairs = getattr(source, "items", None)
    if callable(pairs) and not _is_single_row(source, reader):  # mappings, and series of pandas
        yield from _with_places("item", pairs())
        return
    if not isinstance(source, Iterable):
        raise InputError(
            f"{type(source).__name__} is not a source of predictions",
            expected=SOURCES,
            mend="give a path, or {task: answer}",
        )
    items: Iterable[object] = source
    if isinstance(source, Mapping):
        items = (source,)
    yield from _with_places("item", map(_as_row, items))


def _with_places(noun: str, rows: Iterable[object]) -> Iterator[Raw]:
    """Yield rows with their places: ``"item 1"``, ``"item 2"``."""
    for number, row in enumerate(rows, 1):
        yield f"{noun} {number}", row


def named_sources(sources: object, reader: Reader) -> list[tuple[str | None, object]]:
    """Return (name, source) for several sources, or for a single one."""
    if isinstance(sources, Mapping):
        if _is_by_model(sources, reader):
            return [(str(name), value) for name, value in sources.items()]
    elif isinstance(sources, (list, tuple)) and _are_sources(sources, reader):
        return [(None, value) for value in sources]
    return [(None, sources)]


def _is_by_model(sources: Mapping[object, object], reader: Reader) -> bool:
    """Return whether a mapping is from models to sources, not from tasks to answers."""
    if not sources or _is_single_row(sources, reader):
        return False
    if rows_of_table(sources, reader) is not None:
        return False
    return _are_models(sources, reader.is_task)


def _are_sources(values: Sequence[object], reader: Reader) -> bool:
    """Return whether a list contains sources and not rows."""
    if not values:
        return False
    for value in values:
        if not _is_source(value) or _is_single_row(value, reader):
            return False
    if reader.is_task is None:
        return True
    # Mappings without a known task are not answers by task, unlike objects with unknown keys.
    for value in values:
        if not isinstance(value, Mapping):
            return True
        if any(reader.is_task(str(name)) for name in value):
            return True
    return False


def _is_single_row(value: object, reader: Reader) -> bool:
    """Return whether a value is a single row: an object, or an identifier with an answer."""
    if isinstance(value, Mapping):
        return reader.is_row(value)
    return isinstance(value, (list, tuple)) and len(value) == 2 and isinstance(value[0], str)


def _rows_of_frame(frame: Mapping[str, Iterable[object]]) -> Iterator[Raw]:
    """Yield the rows of a data frame.

    Raises:
        InputError: If it has no columns, or two columns of the same name.
    """
    columns = _columns_of_frame(frame)
    names = [name for name, _ in columns]
    if not names:
        raise InputError(
            "the data frame has no columns",
            expected="columns 'id' and 'output', or 'identifier' and 'llm_output'",
            mend="an index becomes a column with reset_index()",
        )
    repeated = [name for name, count in Counter(names).items() if count > 1]
    # Of two columns with one name, a lookup by name would return both.
    if repeated:
        raise InputError(
            f"the data frame has two columns {min(repeated)!r}",
            where=f"columns {', '.join(names)}",
            expected="columns with names of their own",
            mend="rename the columns",
        )
    rows = zip(*[column for _, column in columns], strict=True)
    for row_number, cells in enumerate(rows, 1):
        yield f"row {row_number}", JsonObject(zip(names, cells, strict=True))


def _columns_of_frame(
    frame: Mapping[str, Iterable[object]],
) -> list[tuple[str, Iterable[object]]]:
    """Return the columns of a data frame with their names, the index first if it has a name.

    An index with a name holds identifiers most often.
    """
    columns: list[tuple[str, Iterable[object]]] = []
    index = getattr(frame, "index", None)
    if index is not None and isinstance(getattr(index, "name", None), str):
        columns.append((index.name, index))
    for column in getattr(frame, "columns", ()):
        columns.append((str(column), frame[str(column)]))
    return columns


def _as_row(item: object) -> object:
    """Return an object of a client library as a mapping of its fields."""
    dump = getattr(item, "model_dump", None)
    if callable(dump):
        return dump()
    # Other objects of client libraries are read by their public attributes.
    is_plain = isinstance(item, (str, bytes, int, float, tuple, list, Mapping, NoneType))
    if not is_plain and hasattr(item, "__dict__"):
        public_attributes = {}
        for name, value in vars(item).items():
            if not name.startswith("_"):
                public_attributes[name] = _as_row(value)
        return public_attributes
    if isinstance(item, list):
        return list(map(_as_row, item))
    return item


def _is_source(value: object) -> bool:
    """Return whether an element of a collection is a source and not a row."""
    if isinstance(value, Mapping):
        texts = [text for text in value.values() if text is not None]
        return bool(value) and all(isinstance(text, str) for text in texts)
    is_loaded = hasattr(value, "model") and hasattr(value, "problems")  # Predictions
    return isinstance(value, (str, os.PathLike)) or is_frame(value) or is_loaded


def _are_models(sources: Mapping[object, object], is_task: IsTask | None) -> bool:
    """Return whether a mapping has a source for each model, not an answer for each task."""
    if is_task is None:
        # Sources other than paths can only be recognised by their form, and some may be empty.
        filled = [value for value in sources.values() if not _is_empty_mapping(value)]
        if not filled:
            return False
        return all(_is_source(value) and not isinstance(value, str) for value in filled)
    if any(is_task(str(name)) for name in sources):
        return False
    return all(map(_may_be_source, sources.values()))


def _is_empty_mapping(value: object) -> bool:
    """Return whether a value is a mapping without answers."""
    return isinstance(value, Mapping) and not value


def _may_be_source(value: object) -> bool:
    """Return whether a value may be a source: the path of a file, or not a scalar."""
    if isinstance(value, str):
        # An answer is not a path, and Path.is_file would raise an error for a text that is too
        # long.
        return os.path.isfile(value)  # noqa: PTH113
    return not isinstance(value, (int, float, NoneType))
