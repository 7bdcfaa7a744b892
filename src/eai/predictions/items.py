"""Predictions in their many shapes: objects of JSON, samples of other tools, values in memory."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from numbers import Integral
from operator import or_
from pathlib import Path
from types import NoneType

from eai.contract import Raw
from eai.errors import InputError, SchemaError
from eai.nesting import NESTING_LIMIT, on_own_stack


class JsonObject(tuple[tuple[str, object], ...]):
    """A decoded JSON object that keeps repeated keys and their order."""

    __slots__ = ()


def field_of(value: object, *path: str) -> object:
    """Return what stands at a path of keys in an object or a mapping; None if nothing does."""
    for key in path:
        value = dict(value).get(key) if isinstance(value, (JsonObject, Mapping)) else None
    return value


TASK_KEYS = ("task_id", "identifier", "id", "sample_id", "task")
"""Where the row of a data set, or the metadata of a sample, names the task; the first counts."""

_FILE = re.compile(r"samples_.+_(\d{4}-\d\d-\d\dT[\d.-]+)\.jsonl(\.gz)?", re.DOTALL)


def task_named(locations: Iterable[object]) -> str | None:
    """Return the task that the first of several objects names; None if none does."""
    for place in locations:
        for key in TASK_KEYS:
            name = field_of(place, key)
            if isinstance(name, (str, int)) and not isinstance(name, bool) and name != "":
                return str(name)
    return None


def is_sample(value: object) -> bool:
    """Whether a value is a sample of lm-evaluation-harness."""
    fields = _fields(value)
    return fields is not None and "doc" in fields and "resps" in fields


def is_recorded(value: object) -> bool:
    """Whether a value is an episode that was recorded: a task, and a list of steps or states."""
    fields = _fields(value) or {}
    followed = isinstance(fields.get("steps", fields.get("states")), (list, tuple))
    return followed and isinstance(fields.get("task"), str) and first_of(fields, IDS) is None


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
        raise SchemaError(f"the doc of the sample has no {' or '.join(TASK_KEYS)}; found {found}")
    text = fields["resps"]
    for _ in range(2):  # the request, then its repetitions; some versions leave out the first
        text = text[0] if isinstance(text, list) and text else text
    if not isinstance(text, str):
        raise SchemaError(f"the sample of {task!r:.60} has no generated text, but ranks choices")
    return task, text


def model_of(path: Path) -> str | None:
    """Return the model whose samples a file holds, by the results or the folder it lies in."""
    match = _FILE.fullmatch(path.name)
    if match is None:
        return None
    try:
        results: object = json.loads(path.with_name(f"results_{match[1]}.json").read_bytes())
    except (OSError, ValueError):
        results = None
    name = field_of(results, "model_name")
    return name if isinstance(name, str) and name else path.resolve().parent.name or None


IDS = ("id", "identifier", "instance_id")
"""Keys of the identifier."""
OUTPUTS = ("output", "llm_output", "llm_raw_response")
"""Keys of the answer."""
SAMPLES = "outputs"
"""Key of several answers to one task."""
EXAMPLE = '{"id": "the task", "output": "what was answered"}'
"""One prediction, for messages."""
EXPECTED = 'one object {"id": ..., "output": ...} a line, or a list of such objects'
"""What a file of predictions holds."""
NOBODY = ""
"""The model of a problem that is about none, such as a file that was left out."""


def _fields(value: object) -> dict[object, object] | None:
    """The fields of an item if it is an object."""
    return dict(value) if isinstance(value, (JsonObject, Mapping)) else None


def first_of(fields: Container[object], keys: Iterable[str]) -> str | None:
    """The first of the keys that is there."""
    return next((key for key in keys if key in fields), None)


def is_item(value: object) -> bool:
    """Whether a value has the shape of one prediction."""
    fields = _fields(value)
    if fields is None:
        return isinstance(value, (list, tuple)) and len(value) == 2 and isinstance(value[0], str)
    answered = first_of(fields, (*OUTPUTS, SAMPLES)) is not None
    named = first_of(fields, IDS) is not None and answered
    return named or is_sample(fields) or is_recorded(fields)


def _as_json(value: object, depth: int = 0) -> str:
    """Write an answer that was given as a value; repeated keys are kept."""
    if depth > NESTING_LIMIT:
        raise ValueError(f"it is nested more than {NESTING_LIMIT} levels deep")
    pairs = value.items() if isinstance(value, Mapping) else value
    if isinstance(value, (Mapping, JsonObject)) and isinstance(pairs, Iterable):
        inner = (f"{json.dumps(str(key))}: {_as_json(item, depth + 1)}" for key, item in pairs)
        return "{" + ", ".join(inner) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join([_as_json(item, depth + 1) for item in value]) + "]"
    return json.dumps(value)


_written = on_own_stack(_as_json)


def _shown(value: object) -> str:
    """A value as messages show it: the same in every run."""
    if isinstance(value, (JsonObject, Mapping)):
        return "an object"
    plain = value is None or isinstance(value, (str, int, float, list, tuple))
    return f"{value!r:.60}" if plain else f"a value of type {type(value).__name__}"


def model_named(value: object) -> str:
    """The model that an item names; empty if it names none."""
    fields = _fields(value)
    model = None if fields is None or is_sample(fields) else fields.get("model")
    named = isinstance(model, (str, Integral)) and not isinstance(model, bool)
    return str(model) if named else ""


def with_output(value: object, field: str) -> object:
    """Return an item whose answer stands under a key that the caller chose."""
    fields = _fields(value)
    if fields is None or first_of(fields, IDS) is None:
        return value
    kept = [(str(key), each) for key, each in fields.items() if key not in OUTPUTS]
    return JsonObject((*kept, (OUTPUTS[0], fields.get(field))))


_OTHER_TEXTS = ("model", "finish_reason", "suite", "ability", "prompt")
"""Keys of texts that are no answers."""


def answer_field(value: object) -> str | None:
    """Return the key under which an item without an answer seems to have one; None if none does."""
    fields = _fields(value) or {}
    if first_of(fields, IDS) is None or is_item(value):
        return None
    keys = [key for key, text in fields.items() if isinstance(key, str) and isinstance(text, str)]
    return next((key for key in keys if key not in (*IDS, *_OTHER_TEXTS)), None)


def samples_of(value: object) -> list[object]:
    """Return an item for each answer of an item with several: a list of texts, or repetitions."""
    fields = None if isinstance(value, JsonObject) and len(value) < 2 else _fields(value)
    texts: object = None
    key = SAMPLES
    if fields is not None and is_sample(fields):
        key, requests = "resps", fields["resps"]
        texts = requests[0] if isinstance(requests, list) and len(requests) == 1 else None
    elif fields is not None and first_of(fields, OUTPUTS) is None:
        texts = fields.get(SAMPLES)
    if not isinstance(texts, (list, tuple)) or not all(isinstance(text, str) for text in texts):
        return [value]
    if key == "resps" and len(texts) == 1:
        return [value]
    kept = [(str(name), each) for name, each in (fields or {}).items() if name != key]
    new = key if key == "resps" else OUTPUTS[0]
    return [
        JsonObject((*kept, (new, [text] if new == "resps" else text), ("epoch", number)))
        for number, text in enumerate(texts, 1)
    ]


def epoch_of(value: object) -> int:
    """Return which sample of a model an item is; 0 if it does not say so."""
    epoch = field_of(value, "epoch")
    return max(0, int(epoch)) if isinstance(epoch, Integral) else 0


def is_cut_off(value: object) -> bool:
    """Whether an answer ends where its model had no tokens left."""
    return field_of(value, "finish_reason") in ("length", "max_tokens")


def plain_item(value: object) -> tuple[str, str] | None:
    """Identifier and answer text of an item that has nothing else, as nearly all do.

    What it returns, :func:`read_item` would, but with more questions first.
    """
    if isinstance(value, JsonObject) and len(value) == 2:
        (first, name), (second, text) = value
        usual = first in IDS and second in OUTPUTS
        if usual and isinstance(name, str) and name and isinstance(text, str):
            return name, text
    return None


def read_item(value: object) -> tuple[str, str]:
    """Identifier and answer text of an item.

    Raises:
        SchemaError: With a message if it is not an item.
    """
    fields = _fields(value)
    name: object
    output: object
    if fields is None:
        if not isinstance(value, (list, tuple)) or len(value) != 2:
            raise SchemaError(f"{type(value).__name__} is not a prediction")
        name, output = value
    elif is_sample(fields):
        name, output = sample_parts(fields)
    elif is_recorded(fields):
        name, output = fields["task"], value
    else:
        keys = [first_of(fields, IDS), first_of(fields, OUTPUTS)]
        if None in keys:
            wanted = IDS if keys[0] is None else OUTPUTS
            there = ", ".join(sorted(map(repr, list(fields)[:6]))) or "no key"
            raise SchemaError(f"there is no {wanted[0]!r} or {wanted[1]!r}; found {there}")
        name, output = map(fields.get, keys)
    if fields is not None and "instance_id" in fields and output in (None, "", "None"):
        raise SchemaError(f"the instance {name!s:.60} has no answer")
    if isinstance(name, bool) or not isinstance(name, (str, Integral)) or name == "":
        raise SchemaError(f"the id is {_shown(name)}, not text")
    if not isinstance(output, (str, list, tuple, Mapping)):
        raise SchemaError(f"the output of {str(name)!r:.60} is {_shown(output)}, not text")
    try:
        text = output if isinstance(output, str) else _written(output)
    except (TypeError, ValueError) as error:
        raise SchemaError(f"the output of {str(name)!r:.60} cannot be written as JSON") from error
    return str(name), text


_WRAPPERS = {
    *("answers", "data", "instances", "items", "outputs"),
    *("predictions", "results", "samples", "tasks"),
}
"""A single key with a list behind it that is no name of a model."""

IsTask = Callable[[str], bool]
"""Whether a text is the identifier of a task."""


def items_of_object(whole: JsonObject, where: str, is_task: IsTask | None) -> Iterator[Raw]:
    """Yield the items of an object: answers by task, by model, or in a list under a known key."""

    def holds_answers(value: object) -> bool:
        """Whether a value holds the answers of a model, and is not an answer itself."""
        if isinstance(value, list):
            return any(isinstance(item, JsonObject) and is_item(item) for item in value)
        if not isinstance(value, JsonObject):
            return False
        if is_task is not None and any(is_task(key) for key, _ in value):
            return True
        return bool(value) and all(text is None or isinstance(text, str) for _, text in value)

    by_task = is_task is not None and any(is_task(key) for key, _ in whole)
    listed = [
        value
        for key, value in whole
        if key.lower() in _WRAPPERS
        and isinstance(value, list)
        and any(isinstance(item, JsonObject) for item in value)
    ]
    if not by_task and len(listed) == 1:
        model = dict(whole).get("model")  # beside what else is said of the run
        yield from ((where, item) for item in _of_model(model, listed[0]))
    elif not by_task and all(holds_answers(value) or value == () for _, value in whole):
        yield from ((where, item) for pair in whole for item in _of_model(*pair))
    elif not by_task and first_of(dict(whole), IDS) is not None:
        yield where, whole  # one item that lacks its answer
    else:
        yield from ((where, pair) for pair in whole)


def _of_model(model: object, value: object) -> Iterator[object]:
    """The items of a model, each with its name unless it has one."""
    if isinstance(value, JsonObject):
        yield from ({"id": key, "output": answer, "model": model} for key, answer in value)
    elif isinstance(value, list):
        for item in value:
            named = isinstance(item, JsonObject) and dict(item).get("model") is None
            yield JsonObject((*item, ("model", model))) if named and model else item


SOURCES = "a path, a mapping of id to text, pairs, objects, a data frame, or one of them by model"
"""What a source of predictions can be."""


def _is_frame(value: object) -> bool:
    """Whether a value is a data frame, of pandas or of a library like it."""
    rows = hasattr(value, "itertuples") or hasattr(value, "iter_rows")
    return rows and hasattr(value, "columns") and not isinstance(value, Mapping)


def _rows(frame: Mapping[str, Iterable[object]]) -> Iterator[Raw]:
    """The items of a data frame: identifiers, answers, and models if it has them."""
    known = [str(column) for column in getattr(frame, "columns", ())]
    keys = ("id", "output", "model", "epoch")
    names = [first_of(known, each) for each in (IDS, OUTPUTS, keys[2:3], keys[3:])]
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
    for number, row in enumerate(zip(*[frame[name] for name in chosen], strict=True), 1):
        there = (key for key, name in zip(keys, names, strict=True) if name is not None)
        yield f"row {number}", dict(zip(there, row, strict=True))


def values_of(source: object) -> Iterator[Raw]:
    """Yield the items of a value in memory."""
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
    loaded = hasattr(value, "model") and hasattr(value, "problems")  # Predictions
    return isinstance(value, (str, os.PathLike)) or _is_frame(value) or loaded


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
        # An answer is no path; Path.is_file would raise for what is too long for one.
        os.path.isfile(value)  # noqa: PTH113
        if isinstance(value, str)
        else not isinstance(value, (int, float, NoneType))
        for value in values
    )


def named_sources(
    sources: object, is_task: Callable[[str], bool] | None
) -> list[tuple[str | None, object]]:
    """Return several sources with their names, or one."""
    if isinstance(sources, Mapping) and sources and not is_item(sources):
        if _are_models(sources, is_task):
            return [(str(name), value) for name, value in sources.items()]
    elif (
        isinstance(sources, (list, tuple))
        and sources
        and all(_is_source(value) and not is_item(value) for value in sources)
    ):
        # Mappings without a task are no answers by task, but objects with keys that are not known.
        names = [str(name) for value in sources if isinstance(value, Mapping) for name in value]
        mappings = all(isinstance(value, Mapping) for value in sources)
        if is_task is None or not mappings or any(map(is_task, names)):
            return [(None, value) for value in sources]
    return [(None, sources)]
