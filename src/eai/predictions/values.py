"""Predictions that are values in memory: mappings, pairs, objects, data frames, by model or not."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from operator import or_
from pathlib import Path
from types import NoneType

from eai.errors import InputError
from eai.predictions.items import IDS, OUTPUTS, Raw, first_of, is_item

__all__ = ["SOURCES", "named_sources", "values_of"]

SOURCES = "a path, a mapping of id to text, pairs, objects, a data frame, or one of them by model"
"""What a source of predictions can be."""


def _is_frame(value: object) -> bool:
    """Whether a value is a data frame, of pandas or of a library like it."""
    rows = hasattr(value, "itertuples") or hasattr(value, "iter_rows")
    return rows and hasattr(value, "columns") and not isinstance(value, Mapping)


def _columns(frame: Mapping[str, object]) -> list[str]:
    """The columns of a data frame that hold identifiers, answers and models if it has them."""
    known = [str(column) for column in getattr(frame, "columns", ())]
    names = [first_of(known, IDS), first_of(known, OUTPUTS), first_of(known, ("model",))]
    chosen = [name for name in names if name is not None]
    twice = [name for name in chosen if known.count(name) > 1]
    if names[0] is None or names[1] is None or twice:
        missing = "id" if names[0] is None else "output"
        raise InputError(
            f"the data frame has two columns {twice[0]!r}"
            if twice
            else f"the data frame has no column {missing!r}",
            where=f"columns {', '.join(known) or '(none)'}",
            expected="columns 'id' and 'output', or 'identifier' and 'llm_output'",
            mend="rename the columns; an index becomes a column with reset_index()",
        )
    return chosen


def _rows(frame: Mapping[str, Iterable[object]]) -> Iterator[Raw]:
    """The items of a data frame."""
    columns = [frame[name] for name in _columns(frame)]
    for number, row in enumerate(zip(*columns, strict=True), 1):
        yield f"row {number}", dict(zip(("id", "output", "model"), row, strict=False))


def values_of(source: object) -> Iterator[Raw]:
    """Yield the items of a value in memory.

    Raises:
        InputError: If it has none.
    """
    pairs = getattr(source, "items", None)
    if _is_frame(source):
        yield from _rows(source)  # type: ignore[arg-type]
    elif callable(pairs) and not is_item(source):  # mappings, and series of pandas
        yield from ((f"item {number}", pair) for number, pair in enumerate(pairs(), 1))
    elif isinstance(source, Iterable):
        items = (source,) if isinstance(source, Mapping) else source
        yield from ((f"item {number}", item) for number, item in enumerate(items, 1))
    else:
        raise InputError(
            f"{type(source).__name__} is not a source of predictions",
            expected=SOURCES,
            mend="give a path, or {task: answer}",
        )


def _is_source(value: object) -> bool:
    """Whether a member of a collection is a source of its own, not an item."""
    if isinstance(value, Mapping):
        texts = [text for text in value.values() if text is not None]
        return bool(value) and all(isinstance(text, str) for text in texts)
    return isinstance(value, (str, os.PathLike)) or _is_frame(value) or _is_loaded(value)


def _is_loaded(value: object) -> bool:
    """Whether a value is an :class:`eai.predictions.Predictions`."""
    return hasattr(value, "model") and hasattr(value, "problems")


def _is_file(text: str) -> bool:
    with suppress(OSError, ValueError):  # an answer is no path
        return Path(text).is_file()
    return False


def _are_models(sources: Mapping[object, object], is_task: Callable[[str], bool] | None) -> bool:
    """Whether a mapping has a source for each model, not an answer for each task."""
    values = list(sources.values())
    if is_task is None:
        clear = [_is_source(value) and not isinstance(value, str) for value in values]
        empty = [isinstance(value, Mapping) and not value for value in values]
        return any(clear) and all(map(or_, clear, empty))
    if any(is_task(str(name)) for name in sources):
        return False
    return all(
        _is_file(value) if isinstance(value, str) else not isinstance(value, (int, float, NoneType))
        for value in values
    )


def _are_strange_items(sources: Sequence[object], is_task: Callable[[str], bool] | None) -> bool:
    """Whether mappings are no answers by task, but objects with other keys than are known."""
    if is_task is None or not all(isinstance(value, Mapping) for value in sources):
        return False
    names = (name for value in sources if isinstance(value, Mapping) for name in value)
    return not any(is_task(str(name)) for name in names)


def named_sources(
    sources: object, is_task: Callable[[str], bool] | None
) -> list[tuple[str | None, object]]:
    """Return several sources with their names, or one.

    Args:
        sources: What the caller gave.
        is_task: Whether a text is the identifier of a task, if that is known.
    """
    if isinstance(sources, Mapping) and sources and not is_item(sources):
        if _are_models(sources, is_task):
            return [(str(name), value) for name, value in sources.items()]
    elif (
        isinstance(sources, (list, tuple))
        and sources
        and all(_is_source(value) and not is_item(value) for value in sources)
        and not _are_strange_items(sources, is_task)
    ):
        return [(None, value) for value in sources]
    return [(None, sources)]
