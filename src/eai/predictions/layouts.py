"""Layouts of rows: which part of a row is the task's identifier, the answer, the model, the sample.

:data:`LAYOUTS` has a line for each producer. A row that none of them fits is read by the common
names of keys (:data:`ID_NAMES`, :data:`TEXT_NAMES`). Names given by the caller come before all
others. Suites announce layouts of their own in :data:`eai.suites.ROWS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from numbers import Integral
from typing import NamedTuple

from eai.nesting import load_json
from eai.predictions.values import (
    Patterns,
    fields_of,
    first_at,
    has_mark,
    plain_name,
    values_at,
)
from eai.suites import ROWS

IsTask = Callable[[str], bool]
"""Whether a text is the identifier of a task."""

EXAMPLE = '{"id": "the task", "output": "what was answered"}'
"""One prediction, for messages."""

MAX_KEYS = 2_000
"""Keys of a row; what has more is no row."""
_MAX_WRITTEN = 10_000
"""Maximum number of characters of an object that a cell of a table holds as JSON."""
_MAX_LEAVES = 300
"""Values of a row that are looked at for what may be meant."""

ID_NAMES = (
    *("identifier", "id", "instance_id", "task_id", "custom_id", "sample_id", "example_id"),
    *("question_id", "problem_id", "record_id", "request_id", "key", "uid", "task", "name"),
    "reference_example_id",
)
"""Common names of the identifier, without regard to case, blanks and underscores."""
TEXT_NAMES = (
    *("output", "llm_output", "response", "completion", "generated_text", "generation"),
    *(
        "output_text",
        "prediction",
        "predicted",
        "predict",
        "actual_output",
        "model_output",
        "model_response",
    ),
    *("llm_response", "raw_output", "raw_response", "assistant_response"),
)
"""Common names of the answer. Two of them with different answers are a question to the caller."""
VAGUE_NAMES = ("answer", "text", "content", "result", "message", "solution")
"""Names that may be those of the answer, where no other name is there."""
SAMPLES_NAMES = ("outputs", "completions", "responses", "generations", "predictions", "samples")
"""Common names of several answers to one task."""
MODEL_NAMES = "model|model_name|model_id|model_name_or_path|generator"
NO_MODEL = "-"
"""Path of the model in rows whose producer names it elsewhere."""
SAMPLE_NAMES = (
    *("sample_idx", "sample_index", "seed", "n", "trial", "attempt", "repeat", "repetition"),
    *("train_trial_index", "rollout_idx"),
)
"""Names of what tells several answers to one task apart."""
_INSIDE = (
    *("metadata", "meta", "info", "doc", "doc.metadata", "vars", "inputs", "input"),
    *("extra.metadata", "testCase.vars", "testCase.metadata", "testCase.description"),
    *(
        "request.labels",
        "request.metadata",
        "instance",
        "test_case",
        "tags",
        "attributes.metadata",
        "example",
        "gold",
    ),
)
"""Where a row names the task if it does not do so at its top."""
_TEXTS_INSIDE = ("testCase.description", "gold")
"""Those of them that may be the identifier itself."""
_HEADS_INSIDE = tuple((path.partition(".")[0], path) for path in _INSIDE)
"""Each of these paths behind its first key, which tells at once that a row does not have it."""


class RowLayout(NamedTuple):
    """The keys under which one producer stores identifiers, answers and models.

    Paths are dotted; alternatives are divided by ``|``, of which the first that leads to something
    counts.

    Args:
        name: The producer.
        marks: Paths that all lead to something in its rows, and in no others; ``-`` before a path
            says that it leads to nothing.
        output: Path of the answer; empty if it is the row itself.
        id: Path of the identifier; by default any of the common names.
        model: Path of the name of the model.
        error: Path of the reason why there is no answer.
        stopped: Path of the reason why the answer ends, if it does not stand beside the answer.
        kind: ``several`` if a list under ``output`` are samples; ``rollouts`` if also rows of the
            same task are samples; ``filters`` if a row stands there once for each filter;
            ``whole`` if the row itself is the answer, as it is; ``silent`` if an empty text, or the
            word ``None``, says that there is no answer; ``inside`` if the answer is one of the
            values of an object, under a common name or alone.
    """

    name: str
    marks: str
    output: str
    id: str = ""
    model: str = MODEL_NAMES
    error: str = "error"
    stopped: str = ""
    kind: str = ""


# Harnesses keep the row of the data set under "doc", in which suites have the identifier under
# one of these names: "doc.task_id|doc.identifier|...".
_IN_DOC = "|".join(
    f"{place}.{name}"
    for place in ("doc", "doc.metadata")
    for name in ("task_id", "identifier", "id", "sample_id", "task")
)
LAYOUTS = (
    *(RowLayout(**row) for row in ROWS),
    RowLayout("official list", "identifier llm_output", "llm_output", "identifier"),
    RowLayout("Inspect AI log", "inspect", "inspect.output.completion|inspect.output.choices",
              "id", "model", "inspect.error.message", "inspect.output.choices.0.stop_reason"),
    RowLayout("lm-evaluation-harness samples", "doc resps", "resps", _IN_DOC, NO_MODEL,
              kind="filters"),
    RowLayout("recorded episode", "task steps|states -id -identifier -output", "", "task",
              kind="whole"),
    RowLayout("OpenAI chat batch", "custom_id response.body.choices", "response.body",
              "custom_id", "response.body.model"),
    RowLayout("OpenAI responses batch", "custom_id response.body.output", "response.body",
              "custom_id", "response.body.model"),
    RowLayout("OpenAI batch", "custom_id response.status_code|response.body|error.message",
              "response.body.output_text", "custom_id", "response.body.model",
              "error.message|response.body.error.message|response.status_code"),
    RowLayout("Anthropic batch", "custom_id result.type", "result.message",
              "custom_id", "result.message.model",
              "result.error.error.message|result.error.message|result.type"),
    RowLayout("Amazon Bedrock batch", "recordId modelOutput|modelInput", "modelOutput",
              "recordId", "modelOutput.model", "error.errorMessage"),
    RowLayout("Vertex and Gemini batch", "response.candidates", "response",
           model="response.modelVersion|response.model_version", error="status|error.message"),
    RowLayout("Vertex and Gemini batch", "request.contents status|error|key", "response.text",
           error="error.message|status"),
    RowLayout("Vertex batch of texts", "instance predictions.0.content|prediction.content",
              "predictions.0.content|prediction.content", error="status"),
    RowLayout("HELM scenario state", "instance.id request result", "result",
              "instance.id", "request.model|request.model_deployment", "result.error"),
    RowLayout("promptfoo results", "vars|testCase response|error promptIdx|testIdx|provider",
              "response.output|response", model="provider.label|provider.id|provider",
           error="error|response.error"),
    RowLayout("LangSmith runs", "run_type inputs|outputs", "outputs",
           model="extra.metadata.ls_model_name|extra.invocation_params.model|"
              "extra.invocation_params.model_name|metadata.ls_model_name", kind="inside"),
    RowLayout("LangSmith examples", "inputs outputs -outputs.0", "outputs", kind="inside"),
    RowLayout("OpenInference spans", "attributes.output.value", "attributes.output.value",
           model="attributes.llm.model_name"),
    RowLayout("OpenAI Evals log", "sample_id type data.sampled", "data.sampled", "sample_id",
              kind="several"),
    RowLayout("MT-Bench answers", "choices.0.turns", "choices", "question_id", "model_id"),
    RowLayout("lighteval details", "doc model_response", "model_response", _IN_DOC),
    RowLayout("OpenCompass predictions", "origin_prompt prediction", "prediction", "id|gold"),
    RowLayout("verifiers rollouts", "completion reward example_id|info|task", "completion",
              "info.task_id|info.id|info.identifier|example_id", kind="rollouts"),
    RowLayout("TRL completions", "completion prompt", "completion", kind="rollouts"),
    RowLayout("vLLM outputs", "outputs.0.text", "outputs"),
    RowLayout("SGLang outputs", "text meta_info", "text", stopped="meta_info.finish_reason.type"),
    RowLayout("text-generation-inference", "generated_text details|finish_reason", "generated_text",
              stopped="details.finish_reason"),
    RowLayout("OpenAI completions", "choices.0", ""),
    RowLayout("OpenAI responses", "output.0.type object", ""),
    RowLayout("Gemini responses", "candidates.0", "", model="modelVersion|model_version"),
    RowLayout("Anthropic messages", "role content type", ""),
    RowLayout("Ollama chat", "message.content", ""),
    RowLayout("chat messages",
              "messages.0 -response -completion -output -prediction -generated_text", "messages"),
    RowLayout("ShareGPT conversations", "conversations.0", "conversations"),
    RowLayout("ShareGPT conversations", "conversation.0", "conversation"),
)  # fmt: skip
"""Known layouts, the first that fits is used; those that suites announce come first."""

# No marks: `layout_of` falls back on it.
BY_NAME = RowLayout("common names", "", "")
"""The layout of rows that no line fits: keys by their common names."""


_PATTERNS = Patterns(LAYOUTS, [layout.marks for layout in LAYOUTS])


def layout_of(row: Mapping[object, object]) -> RowLayout:
    """Return the first layout that fits a row."""
    return _PATTERNS.first(row) or BY_NAME


def nearest_layout(row: Mapping[object, object]) -> str:
    """Return the name of the layout that shares most keys with a row, or ""."""
    nearest_name = ""
    highest_share = 0.0
    for layout in LAYOUTS:
        marks = layout.marks.split()
        shared_marks = 0
        for mark in marks:
            # Missing keys tell little: nearly every row lacks nearly every key.
            if mark[0] != "-" and has_mark(row, mark):
                shared_marks += 1
        # A share, since a producer with many marks has more of them by chance.
        share = shared_marks / len(marks)
        if share > highest_share:
            nearest_name = layout.name
            highest_share = share
    return nearest_name


def is_row(row: Mapping[object, object], *, needs_id: bool = True) -> bool:
    """Return whether an object is a row, because it has an answer under a known key."""
    if len(row) > MAX_KEYS:
        return False
    # An object inside of an answer may look like a row; one with an identifier hardly is by chance.
    if needs_id and next(common_ids(row), None) is None:
        return False
    layout = layout_of(row)
    if layout is not BY_NAME:
        return True
    if needs_id:
        return not _ANSWER_NAMES.isdisjoint(keys_by_name(tuple(row)))
    return any(isinstance(row[key], str) for key in text_keys(tuple(row)))


_ANSWER_NAMES = frozenset(map(plain_name, (*TEXT_NAMES, *SAMPLES_NAMES, *VAGUE_NAMES)))


def leaves(row: Mapping[object, object]) -> Iterator[tuple[str, object]]:
    """Yield (path, value) for the values of a row up to three levels deep."""
    # Level by level: {"a": 1, "b": {"c": 2}} gives ("a", 1), then ("b.c", 2).
    level = [(str(key), value) for key, value in islice(row.items(), _MAX_LEAVES)]
    number_visited = 0
    for _ in range(3):
        next_level: list[tuple[str, object]] = []
        for path, value in level:
            number_visited += 1
            if number_visited > _MAX_LEAVES:
                return
            fields = fields_of(value)
            if fields is None:
                yield path, value
                continue
            for key, member in islice(fields.items(), _MAX_LEAVES):
                next_level.append((f"{path}.{key}", member))
        level = next_level


def names_at(row: Mapping[object, object], path: str) -> Iterator[str]:
    """Yield the values at a path that may be identifiers, as text."""
    for value in values_at(row, path):
        if isinstance(value, (str, Integral)) and not isinstance(value, bool) and value != "":
            yield str(value)


def common_ids(row: Mapping[object, object]) -> Iterator[tuple[str, str]]:
    """Yield (path, identifier) under common names, beginning with the top level."""
    yield from _ids_among(row, "")
    for key, path in _HEADS_INSIDE:
        if key not in row and path not in row:
            continue
        inner = first_at(row, path)
        # {"gold": "studio-01"}: the name of the reference answer is the task.
        if isinstance(inner, str) and path in _TEXTS_INSIDE:
            yield path, inner
        fields = fields_of(_decoded(inner))
        if fields and len(fields) <= MAX_KEYS:
            yield from _ids_among(fields, f"{path}.")


def _decoded(value: object) -> object:
    """Return a value, decoded if it is a JSON object in a string."""
    if isinstance(value, str) and value[:1] == "{" and len(value) < _MAX_WRITTEN:
        with suppress(ValueError):
            return load_json(value)
    return value


def _ids_among(fields: Mapping[object, object], prefix: str) -> Iterator[tuple[str, str]]:
    """Yield (path, identifier) under common names in an object.

    Args:
        fields: The object.
        prefix: The path that leads to it, with a dot at its end; empty for the row itself.
    """
    for key in _id_keys(tuple(fields)):
        value = fields[key]
        if isinstance(value, (str, Integral)) and not isinstance(value, bool) and value != "":
            yield f"{prefix}{key}", str(value)


@lru_cache(1024)
def _id_keys(keys: tuple[object, ...]) -> tuple[object, ...]:
    """Return the keys with common names of identifiers, in the order of these names."""
    by_name = keys_by_name(keys)
    names = map(plain_name, ID_NAMES)
    return tuple(by_name[name] for name in names if name in by_name)


@lru_cache(1024)
def text_keys(keys: tuple[object, ...]) -> tuple[object, ...]:
    """Return the keys with common names of answers, in the order of these names."""
    by_name = keys_by_name(keys)
    names = map(plain_name, TEXT_NAMES)
    return tuple(by_name[name] for name in names if name in by_name)


@lru_cache(1024)
def keys_by_name(keys: tuple[object, ...]) -> dict[str, object]:
    """Return the keys of a row by normalised name. The first of equal names counts.

    ``("Task ID", "task_id", "Output")`` gives ``{"taskid": "Task ID", "output": "Output"}``.
    """
    # Reversed, as the last of equal keys stays in a dictionary.
    return {plain_name(key): key for key in reversed(keys)}
