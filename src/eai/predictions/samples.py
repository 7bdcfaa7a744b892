"""Samples of lm-evaluation-harness as predictions (``samples_<task>_<date>.jsonl``).

A line holds the row of the data set (``doc``) and what the model wrote (``resps``: a list for each
request, in it one text for each repetition). It stands there once for each filter of the answers;
what was written is the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from eai.errors import SchemaError
from eai.predictions.decoded import JsonObject, field_of

__all__ = ["TASK_KEYS", "is_sample", "model_of", "sample_parts", "task_named"]

TASK_KEYS = ("task_id", "identifier", "id", "sample_id", "task")
"""Where the row of a data set, or the metadata of a sample, names the task; the first counts."""

_FILE = re.compile(r"samples_.+_(\d{4}-\d\d-\d\dT[\d.-]+)\.jsonl(\.gz)?", re.DOTALL)


def task_named(places: Iterable[object]) -> str | None:
    """Return the task that the first of several objects names; None if none does."""
    for place in places:
        for key in TASK_KEYS:
            name = field_of(place, key)
            if isinstance(name, (str, int)) and not isinstance(name, bool) and name != "":
                return str(name)
    return None


def is_sample(value: object) -> bool:
    """Whether a value is a sample."""
    fields = dict(value) if isinstance(value, JsonObject) else value
    return isinstance(fields, Mapping) and "doc" in fields and "resps" in fields


def sample_parts(fields: Mapping[object, object]) -> tuple[str, str]:
    """Return the task and the text of a sample.

    Raises:
        SchemaError: If its row names no task, or if the model did not write but rank choices.
    """
    doc = fields["doc"]
    task = task_named((doc, field_of(doc, "metadata")))
    if task is None:
        keys = dict(doc) if isinstance(doc, (Mapping, JsonObject)) else ()
        found = ", ".join(map(repr, list(keys)[:6])) or "no key"
        raise SchemaError(f"the doc of the sample has no {' or '.join(TASK_KEYS)}, but {found}")
    text = fields["resps"]
    for _ in range(2):  # the request, then its repetitions; some versions leave out the first
        text = text[0] if isinstance(text, list) and text else text
    if not isinstance(text, str):
        raise SchemaError(f"the sample of {task!r:.60} has no generated text, but ranks choices")
    return task, text


def model_of(path: Path) -> str | None:
    """Return the model whose samples a file holds, by the results or the folder it lies in.

    Args:
        path: The file; None is returned if its name is not one that the harness gives.
    """
    match = _FILE.fullmatch(path.name)
    if match is None:
        return None
    try:
        results: object = json.loads(path.with_name(f"results_{match[1]}.json").read_bytes())
    except (OSError, ValueError):
        results = None
    name = field_of(results, "model_name")
    return name if isinstance(name, str) and name else path.resolve().parent.name or None
