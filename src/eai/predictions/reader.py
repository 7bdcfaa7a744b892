"""Reading rows: by the layout that fits, by common names, or as the caller says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import islice
from numbers import Integral
from types import MappingProxyType
from typing import NamedTuple

from eai.acting import Ending, endings_of, usage_amounts
from eai.errors import SchemaError
from eai.predictions.layouts import (
    BY_NAME,
    ID_NAMES,
    MAX_KEYS,
    MODEL_NAMES,
    NO_MODEL,
    SAMPLE_NAMES,
    SAMPLES_NAMES,
    TEXT_NAMES,
    VAGUE_NAMES,
    IsTask,
    RowLayout,
    common_ids,
    is_row,
    keys_by_name,
    layout_of,
    leaves,
    names_at,
    text_keys,
)
from eai.predictions.replies import ModelReply, replies_in
from eai.predictions.values import (
    JsonObject,
    fields_of,
    first_at,
    has_path,
    is_list,
    list_keys,
    plain_name,
    short_text,
    to_json_text,
    values_at,
)


class GivenFields(NamedTuple):
    """Keys that the caller specifies, each "" if it has to be detected.

    Args:
        id: Path of the identifier.
        output: Path of the answer.
        model: Path of the name of the model.
    """

    id: str = ""
    output: str = ""
    model: str = ""


NO_FIELDS = GivenFields()
"""All keys have to be detected."""


class ReadAnswer(NamedTuple):
    """An answer with its task, model and sample, as read from a row.

    Args:
        name: Identifier of the task, as it stands there.
        text: The answer.
        model: Name of the model; empty if the row names none.
        epoch: Number of the sample, if the row numbers it; else 0.
        sample: The value that tells it from other answers to the task, if there is one.
        endings: How it ended, if the model did not end it by itself.
        usage: Tokens, and perhaps the cost, by the endpoint's names, if they are stated.
        may_repeat: ``same`` if the same answer may come again, ``other`` if another answer to the
            task is a sample.
    """

    name: str
    text: str
    model: str = ""
    epoch: int = 0
    sample: Hashable = None
    endings: tuple[Ending, ...] = ()
    may_repeat: str = ""
    usage: Mapping[str, float] = MappingProxyType({})


class NoAnswerError(SchemaError):
    """Raised for a row without an answer, perhaps with the row's model."""

    def __init__(self, message: str, model: str = "") -> None:
        """Keep the name of the row's model, so that a model without any answer is still listed."""
        super().__init__(message)
        self.model = model


class Reader:
    """Reads answers from rows of any known layout.

    Args:
        is_task: Whether a text is an identifier of a task, if the tasks are known.
        fields: The fields named by the caller.

    Attributes:
        layout_counts: Number of rows by the name of the layout.
        first_unreadable: The first row that could not be read.
        id_paths: Paths that lead to identifiers of tasks, in rows that name no task elsewhere.
    """

    def __init__(self, is_task: IsTask | None = None, fields: GivenFields = NO_FIELDS) -> None:
        """Begin without a row."""
        self.is_task = is_task
        self.fields = fields
        self.layout_counts: Counter[str] = Counter()
        self.first_unreadable: object = None
        self.id_paths: Counter[str] = Counter()

    @cached_property
    def is_plain(self) -> bool:
        """Whether nothing is asked for that :func:`plain_item` does not know."""
        return self.fields == NO_FIELDS

    def is_row(self, value: Mapping[object, object]) -> bool:
        """Return whether an object is a single row and not a mapping by task or model."""
        given_paths = [path for path in (self.fields.id, self.fields.output) if path]
        if given_paths:
            return all(has_path(value, path) for path in given_paths)
        if is_row(value):
            return True
        if self.is_task is None:
            return False
        # A row whose keys nobody knows names a task under one of them.
        for name in islice(value.values(), _LOOKED_AT):
            if isinstance(name, str) and self.is_task(name):
                return True
        return False

    def is_columns(self, names: Sequence[str]) -> bool:
        """Return whether names include those of identifier or answer columns."""
        for path in (self.fields.id, self.fields.output):
            if path and path.partition(".")[0] in names:
                return True
        return not _COLUMNS.isdisjoint(map(plain_name, names))

    def items(self, value: object) -> list[ReadAnswer]:
        """Return the answers in a row, which may contain several samples.

        Raises:
            NoAnswerError: If it has none, with the reason.
        """
        try:
            return self._read_row(value)
        except SchemaError:
            if self.first_unreadable is None:
                self.first_unreadable = value
            raise

    def _read_row(self, value: object) -> list[ReadAnswer]:
        """Return the answers in a row: a pair, a mapping, or an object of a client library."""
        # ("task-1", "walk"): an entry of a mapping, or a row of two cells.
        if not isinstance(value, (JsonObject, Mapping)) and is_list(value) and len(value) == 2:
            return self._read_pair(value[0], value[1])
        row = fields_of(value)
        if row is None:
            raise NoAnswerError(f"{type(value).__name__} is not a prediction")
        if len(row) > MAX_KEYS:
            raise NoAnswerError(f"a row with {len(row):,} keys is not a prediction")
        layout = layout_of(row)
        model = self._model_name(row, layout)
        try:
            name = self._task_name(row, layout)
            replies = self._replies_of_row(row, layout, name, value)
            _refuse_empty_answer(layout, name, replies)
        except NoAnswerError as error:
            error.model = model
            raise
        self.layout_counts[layout.name] += 1
        return self._number_answers(row, layout, ReadAnswer(name, "", model), replies)

    def _read_pair(self, name: object, value: object) -> list[ReadAnswer]:
        """Return the answers in (identifier, answer) or (identifier, row).

        Args:
            name: The identifier: a key of a mapping, or the index of a frame.
            value: The value there.
        """
        row = fields_of(value)
        if row and isinstance(name, str) and is_row(row, needs_id=False):
            # Frames number their rows, which then name their tasks themselves.
            # "gold" may be the reference answer as well as the name of a task.
            row_names_task = any(path != "gold" for path, _ in common_ids(row))
            is_known_task = self.is_task is not None and self.is_task(name)
            if row_names_task and not is_known_task:
                return self._read_row(value)
            return self._read_row({**row, "id": name})
        if self.fields.output and row:
            value = first_at(row, self.fields.output)
        return [ReadAnswer(_as_name(name), reply.text) for reply in _replies_in_value(value, name)]

    def _task_name(self, row: Mapping[object, object], layout: RowLayout) -> str:
        """Return the identifier of a row's task, by the caller's key, the layout, or a common name.

        Raises:
            NoAnswerError: If the row has no identifier, or names several tasks.
        """
        if self.fields.id:
            value = next(values_at(row, self.fields.id), None)
            if value is None:
                raise NoAnswerError(_message_on_missing_path(self.fields.id, row))
            return _as_name(value)
        # A name that is a known task counts most; then the layout's own names, then common ones.
        candidates: list[str] = []
        for path in layout.id.split("|"):
            if path:
                candidates += names_at(row, path)
        if self.is_task is not None:
            task = self._known_task(row, candidates, self.is_task)
            if task:
                return task
            self._note_paths_to_tasks(row)
        if candidates:
            return candidates[0]
        for _, name in common_ids(row):
            return name
        raise NoAnswerError(_why_nameless(row, layout))

    def _known_task(
        self, row: Mapping[object, object], candidates: Sequence[str], is_task: IsTask
    ) -> str:
        """Return the known task that a row names, or "".

        Args:
            row: The row.
            candidates: Identifiers at the paths of the row's layout.
            is_task: Whether a text is the identifier of a task.
        """
        for name in candidates:
            if is_task(name):
                return name
        # Compared by task, since two keys with the same task are not ambiguous.
        paths = {name: path for path, name in common_ids(row) if is_task(name)}
        if len(paths) > 1:
            conflicting_paths = " and ".join(sorted(paths.values()))
            raise NoAnswerError(
                f"{conflicting_paths} name different tasks: --id-field says which counts"
            )
        return next(iter(paths), "")

    def _note_paths_to_tasks(self, row: Mapping[object, object]) -> None:
        """Count the paths that lead to a task in a row with an unknown identifier.

        They are a hint for the caller; the first rows are enough for it.
        """
        if sum(self.id_paths.values()) > _LOOKED_AT or self.is_task is None:
            return
        for path, name in leaves(row):
            if isinstance(name, str) and name and len(name) < _LONGEST_ID and self.is_task(name):
                self.id_paths[path] += 1

    def _model_name(self, row: Mapping[object, object], layout: RowLayout) -> str:
        """Return the model's name, or "" if the row has none."""
        paths = self.fields.model or layout.model
        for path in paths.split("|"):
            for value in values_at(row, path):
                if _is_name(value):
                    return str(value)
        # A layout with a path of its own, which leads to nothing here: the common names are left.
        if paths not in (MODEL_NAMES, NO_MODEL) and not self.fields.model:
            return self._model_name(row, BY_NAME)
        return ""

    def _replies_of_row(
        self, row: Mapping[object, object], layout: RowLayout, name: str, whole: object
    ) -> list[ModelReply]:
        """Return the answers of a row, at least one.

        Args:
            row: The row as a mapping.
            layout: Its layout.
            name: Identifier of the task, for messages.
            whole: The row as it was given.

        Raises:
            NoAnswerError: If it has none.
        """
        if self.fields.output:
            texts = [text for text in values_at(row, self.fields.output) if text is not None]
            if not texts:
                raise NoAnswerError(_message_on_missing_path(self.fields.output, row))
            return _replies_in_values(texts, name)
        if layout.kind == "whole":
            return [ModelReply(to_json_text(whole))]
        if layout is BY_NAME:
            return _replies_by_name(row, name)
        return _replies_by_layout(row, layout, name)

    def _number_answers(
        self,
        row: Mapping[object, object],
        layout: RowLayout,
        answer: ReadAnswer,
        replies: Sequence[ModelReply],
    ) -> list[ReadAnswer]:
        """Return each answer of a row with the sample that it belongs to.

        Args:
            row: The row.
            layout: Its layout.
            answer: The task and the model, which all of them share.
            replies: The texts of the answers.
        """
        row_epoch = _whole_number(row.get("epoch"))
        row_sample = _sample_values(row)
        is_numbered_row = bool(row_epoch or row_sample)
        # Some producers store the finish reason next to the answer, and others inside of it.
        finish_reason = first_at(row, "finish_reason|stop_reason")
        usage = _usage_in(row)
        answers = []
        for position, reply in enumerate(replies):
            stopped = reply.stopped
            if not stopped and isinstance(finish_reason, str):
                stopped = finish_reason
            is_refusal = reply.is_refusal or row.get("refusal") is True
            epoch = row_epoch
            sample = row_sample
            if is_numbered_row and len(replies) > 1:
                # The number of the row alone would not tell its answers apart.
                sample = (row_sample, row_epoch, position)
            elif not is_numbered_row and position > 0:
                # The first answer may be the only one, which has no sample number.
                epoch = position + 1
            answers.append(
                ReadAnswer(
                    answer.name,
                    reply.text,
                    answer.model,
                    epoch=epoch,
                    sample=sample,
                    endings=endings_of(stopped, is_refusal=is_refusal),
                    may_repeat=_MAY_REPEAT.get(layout.kind, ""),
                    usage=usage,
                )
            )
            # One request gave all answers of a row: what it used is counted once.
            usage = {}
        return answers


_COLUMNS = {plain_name(name) for name in (*ID_NAMES, *TEXT_NAMES, *SAMPLES_NAMES, "messages")}
"""Names of columns that say that a table has predictions."""
_MAY_REPEAT = {"filters": "same", "rollouts": "other"}
"""Kind of layout to :attr:`ReadAnswer.may_repeat`."""
_SAMPLE_KEYS = frozenset(SAMPLE_NAMES)
_LOOKED_AT = 20
"""Number of values, and of tasks, after which it is clear what a row holds."""
_LONGEST_ID = 200
"""Longer texts are not asked whether they are the identifier of a task."""


def plain_item(value: object) -> tuple[str, str] | None:
    """Return (identifier, answer) of a row with only these two fields, or None.

    :meth:`Reader.items` returns the same, but asks more first.
    """
    if not isinstance(value, JsonObject) or len(value) != 2:
        return None
    (first_key, name), (second_key, text) = value
    if first_key not in ("id", "identifier") or second_key not in ("output", "llm_output"):
        return None
    if isinstance(name, str) and name and isinstance(text, str):
        return name, text
    return None


def _sample_values(row: Mapping[object, object]) -> Hashable:
    """Return the values that tell a sample from others of its task: ``(("seed", 3),)``.

    None if no key of the row numbers samples.
    """
    if _SAMPLE_KEYS.isdisjoint(row):
        return None
    pairs = []
    for key in SAMPLE_NAMES:
        if _is_scalar(row.get(key)):
            pairs.append((key, row[key]))
    return tuple(pairs) or None


_USAGE = (
    "usage|response.body.usage|body.usage|result.message.usage|response.usage|modelOutput.usage|"
    "usageMetadata|response.usageMetadata"
)
"""Where rows have the usage of an answer: beside it, and in the replies that batches store."""


def _usage_in(row: Mapping[object, object]) -> dict[str, float]:
    """Return the tokens, and perhaps the cost, that a row states by the endpoint's names."""
    usage = fields_of(first_at(row, _USAGE))
    if usage is None:
        return {}
    # Whole numbers become floats, as records read again have them: equal usages are equal texts.
    return {name: float(amount) for name, amount in usage_amounts(usage).items()}


def _refuse_empty_answer(layout: RowLayout, name: str, replies: Sequence[ModelReply]) -> None:
    """Refuse an empty answer of a layout that writes one where a request failed."""
    if layout.kind == "silent" and replies[0].text in ("", "None"):
        raise NoAnswerError(f"there is no answer to {name!r:.60}")


def _as_name(value: object) -> str:
    """Return an identifier as text; refuse a value that can be none."""
    if not _is_name(value):
        raise NoAnswerError(f"the id is {short_text(value)}, not text")
    return str(value)


def _is_name(value: object) -> bool:
    """Return whether a value can name a task or a model: a text or a whole number."""
    if isinstance(value, bool):
        return False
    return isinstance(value, (str, Integral)) and value != ""


def _replies_by_layout(
    row: Mapping[object, object], layout: RowLayout, name: str
) -> list[ModelReply]:
    """Return the answers under the layout's key.

    Args:
        row: The row.
        layout: Its layout.
        name: Identifier of the task, for messages.
    """
    value: object = row
    if layout.output:
        value = first_at(row, layout.output)
    # Before failures: rows that rank choices have no text, which is another reason.
    if layout.kind == "filters":
        return _replies_of_repetitions(value, name)
    _refuse_failed(row, layout, name, value)
    if layout.kind == "inside":
        chain_outputs = fields_of(value)
        if chain_outputs and replies_in(value) is None:
            return _answer_of_chain(chain_outputs, name)
    if layout.kind == "several" and is_list(value):
        return _replies_in_values(value, name)
    replies = _replies_in_value(value, name)
    if layout.stopped:
        stopped = first_at(row, layout.stopped)
        if isinstance(stopped, str):
            return [reply._replace(stopped=stopped) for reply in replies]
    return replies


def _refuse_failed(
    row: Mapping[object, object], layout: RowLayout, name: str, value: object
) -> None:
    """Raise an error if the answer is missing and the row states the reason.

    Args:
        row: The row.
        layout: Its layout.
        name: Identifier of the task, for messages.
        value: The value in the place of the answer.
    """
    is_empty = value is None or value == "" or (is_list(value) and not value)
    if not is_empty:
        return
    reason = first_at(row, layout.error)
    if reason not in (None, ""):
        raise NoAnswerError(f"there is no answer to {name!r:.60}: {_failure_text(reason)}")


def _answer_of_chain(fields: Mapping[object, object], name: str) -> list[ModelReply]:
    """Return the answer in a chain's outputs: under a common name, or the only one."""
    if len(fields) == 1:
        return _replies_in_value(next(iter(fields.values())), name)
    messages = fields.get("messages")
    if messages:
        return _replies_in_value(messages, name)
    return _replies_by_name(fields, name)


def _replies_by_name(row: Mapping[object, object], name: str) -> list[ModelReply]:
    """Return the answers of a row under the common names of keys.

    Args:
        row: The row.
        name: Identifier of the task, for messages.

    Raises:
        NoAnswerError: If there is none, or several keys may have it.
    """
    # Clear names before lists of samples, and these before vague names such as "text", which rows
    # with an "outputs" may have for something else.
    text_names = text_keys(tuple(row))
    answer_names = [key for key in text_names if row[key] is not None]
    _refuse_ambiguity(row, answer_names, name)
    if answer_names:
        return _replies_in_value(row[answer_names[0]], name)
    if text_names:
        return _replies_in_value(row[text_names[0]], name)
    for plural in SAMPLES_NAMES:
        samples = row.get(plural)
        if is_list(samples):
            return _read_samples(samples, name)
    keys = keys_by_name(tuple(row))
    for vague in VAGUE_NAMES:
        key = keys.get(plain_name(vague))
        if key is not None:
            return _replies_in_value(row[key], name)
    raise NoAnswerError(f"there is no output to {name!r:.60}; found {list_keys(row)}")


def _refuse_ambiguity(
    row: Mapping[object, object], answer_names: Sequence[object], name: str
) -> None:
    """Refuse a row in which several possible keys of the answer have different values.

    Args:
        row: The row.
        answer_names: The keys that may be that of the answer.
        name: Identifier of the task, for messages.

    Raises:
        NoAnswerError: If their values differ, unless one of the keys is the standard one.
    """
    if len(answer_names) < 2 or "output" in answer_names or "llm_output" in answer_names:
        return
    answers: set[object] = set()
    for key in answer_names:
        text = row[key]
        if isinstance(text, str):
            answers.add(text)
        else:  # perhaps not hashable: only the same object counts as the same answer
            answers.add(id(text))
    if len(answers) > 1:
        keys = " and ".join(sorted(map(str, answer_names)))
        raise NoAnswerError(f"{keys} may be the answer to {name!r:.60}: --field says which")


def _read_samples(samples: Sequence[object], name: str) -> list[ModelReply]:
    """Return the answers in a list of samples, perhaps in an API's format."""
    replies = replies_in(samples)
    if replies is not None:
        return replies
    return _replies_in_values(samples, name)


def _replies_in_values(values: Iterable[object], name: str) -> list[ModelReply]:
    """Return the answers in several values, concatenated."""
    replies: list[ModelReply] = []
    for value in values:
        replies += _replies_in_value(value, name)
    return replies


def _replies_of_repetitions(value: object, name: str) -> list[ModelReply]:
    """Return the samples of lm-evaluation-harness: ``[["first repetition", "second"]]``."""
    while is_list(value) and len(value) == 1 and is_list(value[0]):
        value = value[0]  # some versions leave out the list of requests
    texts = [value]
    if is_list(value):
        texts = list(value)
    if not texts or not all(isinstance(text, str) for text in texts):
        raise NoAnswerError(f"the sample of {name!r:.60} has no generated text, but ranks choices")
    return [ModelReply(str(text)) for text in texts]


def _replies_in_value(value: object, name: object) -> list[ModelReply]:
    """Return the answers in a value, which may itself be a single answer.

    Raises:
        NoAnswerError: If it holds none.
    """
    if isinstance(value, str):
        return [ModelReply(value)]
    value = _as_plain_value(value)
    replies = replies_in(value)
    if replies:
        return replies
    # An empty list: the form of an answer is known, and it has no text.
    if replies is not None:
        raise NoAnswerError(f"the model said nothing to {str(name)!r:.60}")
    if not isinstance(value, (list, tuple, Mapping)):
        raise NoAnswerError(f"the output of {str(name)!r:.60} is {short_text(value)}, not text")
    try:
        return [ModelReply(to_json_text(value))]
    except (TypeError, ValueError) as error:
        raise NoAnswerError(f"the output of {str(name)!r:.60} cannot be written as JSON") from error


def _as_plain_value(value: object) -> object:
    """Return an object of a client library or an array as plain Python values."""
    for method in ("model_dump", "tolist"):
        convert = getattr(value, method, None)
        if callable(convert) and not isinstance(value, type):
            plain: object = convert()
            return plain
    return value


def _whole_number(value: object) -> int:
    """Return an integer that may be written as text, or 0 for anything else."""
    if isinstance(value, str) and value.isdecimal() and len(value) < 10:
        return int(value)
    if isinstance(value, Integral):
        return max(0, int(value))
    return 0


def _is_scalar(value: object) -> bool:
    """Return whether a value can number samples: a text or a whole number."""
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def _message_on_missing_path(path: str, row: Mapping[object, object]) -> str:
    """Return the message for a row that has nothing at the path that the caller gave."""
    return f"there is nothing at {path!r}; found {list_keys(row)}"


def _failure_text(reason: object) -> str:
    """Return why a request failed, from an API's error message or the value itself.

    ``{"message": "rate limit", "code": 429}`` gives ``"rate limit"``.
    """
    fields = fields_of(reason)
    if fields is not None:
        return f"{first_at(fields, 'message|type|code')!s:.200}"
    return f"{reason!s:.200}"


def _why_nameless(row: Mapping[object, object], layout: RowLayout) -> str:
    """Return why a row has no task: its identifier is missing or not a text."""
    for key in ("id", "identifier"):
        if key in row:
            return f"the id is {short_text(row[key])}, not text"
    return f"there is no id; found {_keys_inside(row, layout)}"


def _keys_inside(row: Mapping[object, object], layout: RowLayout) -> str:
    """Return the keys of a row and of the nested object with its identifier, as text."""
    first_key = layout.id.partition(".")[0]
    if first_key:
        nested_object = fields_of(row.get(first_key))
        if nested_object is not None:
            return f"{list_keys(nested_object)} in {first_key!r}"
    return list_keys(row)
