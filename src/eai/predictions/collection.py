"""Items sorted by model: the first answer to a task is kept, what is wrong is remembered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, MutableMapping
from dataclasses import dataclass, field

from eai.errors import SchemaError
from eai.predictions.items import PredictionProblem, Raw, model_named, plain_item, read_item
from eai.predictions.samples import is_sample

__all__ = ["MOST_PROBLEMS", "Predictions", "Store", "collect"]

MOST_PROBLEMS = 1000
"""So many problems of one source are kept; the others are counted."""


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


def collect(raws: Iterable[Raw], default: str, store: Store) -> list[Predictions]:
    """Sort items by model; the first item with an identifier is kept.

    Args:
        raws: The items of a source, and what is wrong with it.
        default: Name of the model of items that name none.
        store: Makes what holds the answers of one model.

    Returns:
        One entry for each model, at least one. Problems of items that name their model are in
        its entry, all others in every entry.
    """
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
        about = (None, predictions.model)
        predictions.problems = [problem for problem in problems if problem.model in about]
    return list(found.values()) or [Predictions(default, store(), problems)]


def _take(
    raw: tuple[str, object], default: str, found: dict[str, Predictions], store: Store
) -> PredictionProblem | None:
    """Add one item to its model, or say why not; a model without a good answer is one, too."""
    where, value = raw
    item, named = plain_item(value), ""
    if item is None:
        named = model_named(value)
        try:
            item = read_item(value)
        except SchemaError as error:
            if named:
                found.setdefault(named, Predictions(named, store()))
            return PredictionProblem(error.what, where, named or None)
    name, text = item
    model = named or default
    if model not in found:
        found[model] = Predictions(model, store())
    items = found[model].items
    if name in items:
        if items[name] == text and is_sample(value):  # it stands there once for each filter
            return None
        message = f"the id {name!r:.60} was there before; the first is kept"
        return PredictionProblem(message, where, named or None)
    items[name] = text
    return None
