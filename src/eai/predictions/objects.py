"""A JSON object that is a whole file of predictions: by task, by model, or a list under a key."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from eai.predictions.decoded import JsonObject
from eai.predictions.items import Raw, is_item

__all__ = ["IsTask", "items_of_object"]

_WRAPPERS = frozenset(
    ("answers", "data", "items", "outputs", "predictions", "results", "samples", "tasks")
)
"""A single key with a list behind it that is no name of a model."""

IsTask = Callable[[str], bool]
"""Whether a text is the identifier of a task."""


def items_of_object(whole: JsonObject, where: str, is_task: IsTask | None) -> Iterator[Raw]:
    """Yield the items of an object.

    Args:
        whole: The object.
        where: Where it stands.
        is_task: Whether a text is the identifier of a task, if that is known.
    """
    by_task = is_task is not None and any(is_task(key) for key, _ in whole)
    listed = [value for key, value in whole if key.lower() in _WRAPPERS and _lists_objects(value)]
    if by_task:
        yield from ((where, pair) for pair in whole)
    elif len(listed) == 1:
        model = dict(whole).get("model")  # beside what else is said of the run
        yield from ((where, item) for item in _of_model(model, listed[0]))
    elif all(_is_source(value, is_task) or value == () for _, value in whole):
        yield from ((where, item) for pair in whole for item in _of_model(*pair))
    else:
        yield from ((where, pair) for pair in whole)


def _lists_objects(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(item, JsonObject) for item in value)


def _lists_items(value: object) -> bool:
    return isinstance(value, list) and any(
        isinstance(item, JsonObject) and is_item(item) for item in value
    )


def _is_source(value: object, is_task: IsTask | None) -> bool:
    """Whether a value holds the answers of a model, and is not an answer itself."""
    if not isinstance(value, JsonObject):
        return _lists_items(value)
    if is_task is not None and any(is_task(key) for key, _ in value):
        return True
    return bool(value) and all(text is None or isinstance(text, str) for _, text in value)


def _of_model(model: object, value: object) -> Iterator[object]:
    """The items of a model, each with its name unless it has one."""
    if isinstance(value, JsonObject):
        yield from ({"id": key, "output": answer, "model": model} for key, answer in value)
    elif isinstance(value, list):
        for item in value:
            named = isinstance(item, JsonObject) and dict(item).get("model") is None
            yield JsonObject((*item, ("model", model))) if named and model else item
