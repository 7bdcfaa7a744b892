"""Rows of a document that is one value: a list below a key, columns, answers by task or model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from eai.contract import PredictionProblem, Raw
from eai.predictions.inspect_logs import is_log, rows_of_log
from eai.predictions.layouts import BY_NAME, MAX_KEYS, is_row, layout_of
from eai.predictions.reader import Reader
from eai.predictions.values import (
    JsonObject,
    field_of,
    fields_of,
    first_at,
    is_list,
    values_at,
)

_LISTS = {
    *("answers", "data", "entries", "examples", "instances", "items", "outputs", "predictions"),
    *("records", "request_states", "responses", "results", "rows", "runs", "samples", "tasks"),
    *("generations", "completions", "traces", "evaluations"),
}
"""Keys with a list behind them that are no names of models."""
_DEEPEST_LIST = 3
"""A list of rows stands below so many keys at most."""
_MODELS = "model|model_name|model_id|adapter_spec.model|eval.model|config.model"
"""Where a document says which model all of its rows are from."""


def rows_of_object(document: JsonObject, where: str, reader: Reader) -> Iterator[Raw]:
    """Yield the rows in a JSON object.

    Args:
        document: The object: a log, a table, a list of rows below a key, answers by task or by
            model, or a single row.
        where: The place of the object, for messages.
        reader: Knows the tasks, if they are known. They tell answers by task from answers by model.
    """
    if is_log(document.fields):
        yield from rows_of_log(document, where)
        return
    has_tasks = _has_tasks(document, reader)
    # So many keys are not the columns of a row: one problem stands for all of them.
    if reader.is_task is not None and len(document) > MAX_KEYS and not has_tasks:
        what = f"an object with {len(document):,} keys, none of which is a task"
        yield PredictionProblem(what, where)
        return
    items: Iterable[object] = document
    if not has_tasks and not _are_rows(document):
        items = _rows_without_tasks(document, reader)
    for item in items:
        yield where, item


def _rows_without_tasks(document: JsonObject, reader: Reader) -> Iterable[object]:
    """Return the rows in an object whose keys are not tasks.

    Args:
        document: The object.
        reader: Knows the tasks, if they are known.
    """
    # From the most to the least specific form. Anything else is a mapping from tasks to answers.
    table = rows_of_table(document.fields, reader)
    if table is not None:
        return table
    if reader.is_row(document.fields):
        return [document]
    answers: object = _find_list_of_rows(document.fields, 0)
    if not answers:
        answers = _find_answers_by_task(document.fields, reader, 0)
    if answers is not None:
        return _rows_of_model(first_at(document, _MODELS), answers)
    # A row without a task or an answer is still one row, and is reported as such.
    if layout_of(document.fields) is not BY_NAME:
        return [document]
    if _is_by_model(document, reader):
        return chain.from_iterable(_rows_of_model(*pair) for pair in document)
    if not document.fields.keys().isdisjoint(("id", "identifier", "instance_id")):
        return [document]
    return document


def _is_by_model(document: JsonObject, reader: Reader) -> bool:
    """Return whether each key has the answers of a model behind it, of which some may be none."""
    if not document:
        return False
    return all(value == () or _holds_answers(value, reader) for _, value in document)


def rows_of_table(fields: Mapping[object, object], reader: Reader) -> Iterable[object] | None:
    """Return the rows of a table in the form of an object, or None for another object.

    Known are columns with data (W&B, pandas ``split``), lists by column (Hugging Face, pandas
    ``list``), and cells by column and row (pandas ``columns``).
    """
    rows = _rows_below_data(fields)
    if rows is not None:
        return rows
    names = [str(name) for name in fields]
    if not 2 <= len(names) <= MAX_KEYS or not reader.is_columns(names):
        return None
    # Lists are {"id": ["a", "b"], "output": ["x", "y"]}, cells {"id": {"0": "a"}, ...}.
    columns = list(fields.values())
    if all(map(is_list, columns)):
        return _rows_of_lists(names, columns)
    return _rows_of_cells(names, columns)


def _rows_below_data(fields: Mapping[object, object]) -> list[JsonObject] | None:
    """Return the rows of an object with column names and a list of rows, or None."""
    columns = fields.get("columns")
    data = fields.get("data")
    if not is_list(columns) or not is_list(data):
        return None
    # pandas numbers columns that have no name.
    names = [str(name) for name in columns]
    rows = []
    for row in data:
        if not is_list(row):
            return None
        rows.append(_row_of(names, row))
    return rows


def _rows_of_lists(names: Sequence[str], columns: Sequence[object]) -> list[JsonObject] | None:
    """Return the rows of columns that are lists of equal length, or None without rows."""
    lists = [column for column in columns if is_list(column)]
    lengths = set(map(len, lists))
    if len(lengths) != 1 or lengths == {0}:
        return None
    return [_row_of(names, row) for row in zip(*lists, strict=True)]


def _rows_of_cells(names: Sequence[str], columns: Sequence[object]) -> list[JsonObject] | None:
    """Return the rows of columns that are objects with equal keys, or None."""
    cells: list[Iterable[object]] = []
    row_names: set[tuple[object, ...]] = set()
    for column in columns:
        fields = fields_of(column)
        if not fields:
            return None
        cells.append(fields.values())
        row_names.add(tuple(fields))
    # Columns of different rows are no table.
    if len(row_names) != 1:
        return None
    return [_row_of(names, row) for row in zip(*cells, strict=True)]


def _are_rows(document: JsonObject) -> bool:
    """Return whether an object has rows, by a number or by the task."""
    rows = [fields_of(value) for _, value in document]
    return bool(rows) and all(row is not None and is_row(row, needs_id=False) for row in rows)


def _has_tasks(document: JsonObject, reader: Reader) -> bool:
    """Return whether a key of an object is a task, if the tasks are known."""
    if reader.is_task is None:
        return False
    return any(reader.is_task(key) for key, _ in document)


def _row_of(names: Sequence[str], cells: Sequence[object]) -> JsonObject:
    """Return a row of a table as an object; cells that are missing at its end are left out."""
    return JsonObject(zip(names, cells, strict=False))


def _find_list_of_rows(fields: Mapping[object, object], depth: int) -> Sequence[object] | None:
    """Return the only list of rows under one of the usual keys, or None.

    ``{"results": {"samples": [row, row]}}`` has the list ``[row, row]``.

    Args:
        fields: The object.
        depth: Number of keys that lead to it.
    """
    lists: list[Sequence[object]] = []
    for key, value in fields.items():
        if str(key).lower() in _LISTS:
            rows = _rows_in_value(value, depth)
            if rows is not None:
                lists.append(rows)
    if len(lists) > 1:  # beside the rows may lie what was asked
        lists = list(filter(_begins_with_row, lists)) or lists
    if len(lists) != 1:
        return None
    return _unwrapped_rows(lists[0])


def _rows_in_value(value: object, depth: int) -> Sequence[object] | None:
    """Return a value that is a list with objects, or the only such list below it, or None."""
    fields = fields_of(value)
    if fields is not None and depth < _DEEPEST_LIST:
        return _find_list_of_rows(fields, depth + 1)
    if is_list(value) and any(fields_of(element) is not None for element in value):
        return value
    return None


def _unwrapped_rows(items: Sequence[object]) -> Sequence[object]:
    """Return rows without the extra key of Hugging Face's data set server."""
    rows = []
    for item in items:
        row = next(values_at(item, "row"), None)
        if fields_of(row) is None:  # one without the key is enough: it is another document
            return items
        rows.append(row)
    return rows


def _begins_with_row(items: Sequence[object]) -> bool:
    """Return whether a list begins with a row that has an answer."""
    row = fields_of(items[0])
    if not row:
        return False
    return is_row(row)


def _find_answers_by_task(
    fields: Mapping[object, object], reader: Reader, depth: int
) -> JsonObject | None:
    """Return the only mapping from tasks to answers under one of the usual keys, or None.

    Args:
        fields: The object.
        reader: Knows the tasks, if they are known.
        depth: Number of keys that lead to the object.
    """
    candidates: list[JsonObject] = []
    for key, value in fields.items():
        if str(key).lower() not in _LISTS or not isinstance(value, JsonObject):
            continue
        if _has_tasks(value, reader):
            candidates.append(value)
        elif depth < _DEEPEST_LIST:
            answers = _find_answers_by_task(value.fields, reader, depth + 1)
            if answers is not None:
                candidates.append(answers)
    # Of several such mappings nobody knows which are the answers.
    if len(candidates) != 1:
        return None
    return candidates[0]


def _holds_answers(value: object, reader: Reader) -> bool:
    """Return whether a value contains the answers of a model, and is not one itself."""
    if is_list(value):
        for element in value:
            fields = fields_of(element)
            if fields is not None and reader.is_row(fields):
                return True
        return False
    if not isinstance(value, JsonObject) or not value:
        return False
    if _has_tasks(value, reader):
        return True
    # The keys are not tasks, and have texts or null (no answer) as values.
    return all(text is None or isinstance(text, str) for _, text in value)


def _rows_of_model(model: object, value: object) -> Iterator[object]:
    """Yield the rows of a model, adding its name where there is none."""
    if isinstance(value, JsonObject):  # answers by task
        for key, answer in value:
            row = fields_of(answer)
            if row and is_row(row, needs_id=False):
                yield JsonObject((*row.items(), ("id", key), ("model", model)))  # type: ignore[arg-type]
            else:
                yield JsonObject((("id", key), ("output", answer), ("model", model)))
        return
    if not is_list(value):
        return
    for item in value:
        if not isinstance(item, JsonObject) or field_of(item, "model") is not None or not model:
            yield item
        else:
            yield JsonObject((*item, ("model", model)))
