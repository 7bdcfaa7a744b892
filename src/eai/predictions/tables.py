"""Rows of tables: CSV, YAML, and what pandas and pyarrow read."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any

from eai.contract import PredictionProblem, Raw
from eai.errors import InputError, MissingExtraError
from eai.nesting import load_json
from eai.predictions import limits
from eai.predictions.entries import DELIMITERS, WORKBOOK, Entry, damages
from eai.predictions.values import JsonObject

_WRAPPED = ("role", "choices", "candidates", "from")
"""Keys with which responses and conversations begin."""
_MAX_DEPTH = 100
"""Maximum number of levels of YAML."""


def rows_of_csv(entry: Entry, lines: Iterable[str]) -> Iterator[Raw]:
    """Yield each row of a CSV file with its place, or a problem where it cannot be read.

    The first line has the headings. Reading ends at the first line that is no CSV.

    Args:
        entry: The file.
        lines: All of its lines, with their ends.
    """
    lines = iter(lines)
    headings = next(lines, "")
    # Of the headings only: texts in the rows have commas of their own.
    delimiter = max(DELIMITERS[entry.ending], key=headings.count)
    # Python's limit of 128 KiB is for all readers of the process: it is raised, never lowered.
    csv.field_size_limit(max(csv.field_size_limit(), limits.MAX_CELL))
    csv_rows = csv.reader(chain((headings,), lines), delimiter=delimiter)
    has_rows = False
    try:
        column_names = next(csv_rows, [])
        for cells in csv_rows:
            if not cells or cells == [""]:
                continue
            has_rows = True
            where = f"{entry}:{csv_rows.line_num}"
            if len(cells) > len(column_names):
                message = f"the line has {len(cells)} cells, the headings are {len(column_names)}"
                yield PredictionProblem(message, where)
                continue
            # A row may be shorter than the headings: its last columns are empty.
            values = [_decode_cell(cell) for cell in cells]
            yield where, JsonObject(zip(column_names, values, strict=False))
    except csv.Error as error:
        where = f"{entry}:{csv_rows.line_num}"
        yield PredictionProblem(f"from here on it is no table ({error})", where)
        return
    if column_names and not has_rows:
        headings_text = ", ".join(f"{name!r:.40}" for name in column_names[:6])
        yield PredictionProblem(f"the table has headings only: {headings_text}", f"{entry}:1")


def values_of_yaml(entry: Entry, chunks: Iterable[bytes]) -> list[object] | PredictionProblem:
    """Return the documents of a YAML file as plain JSON values, or a problem.

    All scalars stay texts: for YAML the task 27_2 is the number 272.
    """
    yaml = _import_optional("yaml", "reading YAML")
    content = b""
    for chunk in chunks:
        content += chunk
        if len(content) > limits.MAX_YAML_BYTES:
            message = f"YAML is read up to {limits.MAX_YAML_BYTES:,} bytes: write JSON Lines"
            return PredictionProblem(message, str(entry))
    # The loader in C is faster, but missing where PyYAML was built without it.
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        problem = _find_yaml_problem(entry, yaml, yaml.parse(content, Loader=loader))
        if problem is not None:
            return problem
        return [_yaml_as_json(value) for value in yaml.load_all(content, Loader=loader)]
    except yaml.YAMLError as error:
        message = f"it is not YAML ({str(error).splitlines()[0]:.100})"
        return PredictionProblem(message, str(entry))


def _find_yaml_problem(entry: Entry, yaml: Any, events: Iterable[Any]) -> PredictionProblem | None:  # noqa: ANN401
    """Return a problem for YAML with references or deep nesting, which may explode.

    Args:
        entry: The file.
        yaml: The library.
        events: The events of its parser.
    """
    depth = 0
    for event in events:
        where = f"{entry}:{event.start_mark.line + 1}"
        if isinstance(event, yaml.AliasEvent):
            return PredictionProblem("YAML with references is not read", where)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > _MAX_DEPTH:
            return PredictionProblem(f"nested more than {_MAX_DEPTH} levels deep", where)
    return None


def _import_optional(name: str, purpose: str) -> Any:  # noqa: ANN401
    """Return an optional module, or raise an error that names the extra to install."""
    try:
        return import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        raise MissingExtraError(package, extra="tables", purpose=purpose) from error


def rows_of_parquet(path: Path) -> Iterator[object]:
    """Yield the rows of a Parquet file, with one batch in memory at a time."""
    if find_spec("pyarrow") is None:  # pandas has other engines
        yield from _rows_of_frame(path, "read_parquet", "reading a Parquet file")
        return
    parquet = import_module("pyarrow.parquet")
    with _unreadable(path, "Parquet"), parquet.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=1_000):
            yield from batch.to_pylist()


def _rows_of_frame(path: Path, method: str, purpose: str, **options: object) -> Iterator[object]:
    """Yield the rows of a file that pandas reads with one of its engines."""
    pandas = _import_optional("pandas", purpose)
    with _unreadable(path, method.removeprefix("read_")):
        try:
            frame = getattr(pandas, method)(path, **options)
        except ImportError as error:
            engine = {"read_excel": "openpyxl"}.get(method, "pyarrow")
            raise MissingExtraError(engine, extra="tables", purpose=purpose) from error
        frames = [frame]
        if isinstance(frame, dict):  # a workbook, with a frame for each sheet
            frames = list(frame.values())
        for sheet in frames:
            yield from sheet.to_dict("records")


def rows_of_arrow(path: Path) -> Iterator[object]:
    """Yield the rows of an Arrow file or stream."""
    ipc = _import_optional("pyarrow.ipc", "reading an Arrow file")
    with _unreadable(path, "Arrow"), path.open("rb") as file:
        # Files and streams differ in their frame: data sets of Hugging Face are streams.
        is_file = file.read(6) == b"ARROW1"
        file.seek(0)
        if is_file:
            reader = ipc.open_file(file)
            batches = map(reader.get_batch, range(reader.num_record_batches))
        else:
            batches = ipc.open_stream(file)
        for batch in batches:
            yield from batch.to_pylist()


def rows_of_workbook(path: Path) -> Iterator[object]:
    """Yield the rows of all sheets of a workbook."""
    from zipfile import ZipFile

    with ZipFile(path) as archive:
        size = sum(member.file_size for member in archive.infolist())
    if size > limits.MAX_MEMBER_BYTES:
        raise InputError(f"the workbook has {size:,} bytes unpacked", where=str(path))
    # Texts stay texts, so that an identifier such as 007 does not become a number.
    options: dict[str, object] = {"dtype": str, "keep_default_na": False, "sheet_name": None}
    yield from _rows_of_frame(path, "read_excel", "reading a workbook", **options)


class _unreadable:  # noqa: N801 - it is used as a context
    """A context manager that adds the file's name to library errors on damaged files."""

    def __init__(self, path: Path, file_format: str) -> None:
        """Keep the file and the name of its format, for messages."""
        self._path = path
        self._file_format = file_format

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        unchanged = (InputError, MissingExtraError, GeneratorExit, KeyboardInterrupt, MemoryError)
        if error is None or isinstance(error, unchanged):
            return
        problem = f"the {self._file_format} file is damaged ({error!s:.100})"
        raise InputError(problem, where=str(self._path)) from error


def is_workbook(path: Path) -> bool:
    """Return whether a file is a workbook."""
    from zipfile import ZipFile

    try:
        with ZipFile(path) as archive:
            return WORKBOOK in archive.namelist()
    except damages():
        return False


def _decode_cell(text: str) -> object:
    """Return a table cell, decoded if it holds a response or conversation in JSON."""
    first_character = text[:24].lstrip()[:1]
    if first_character not in ("[", "{"):
        return text
    if not any(f'"{key}"' in text[:200] for key in _WRAPPED):
        return text  # a plan may be a list or an object, too
    try:
        return load_json(text, object_pairs_hook=JsonObject)
    except ValueError:
        return text


def _yaml_as_json(value: object) -> object:
    """Return a YAML value as plain JSON values."""
    if isinstance(value, dict):
        return JsonObject((str(key), _yaml_as_json(member)) for key, member in value.items())
    if isinstance(value, list):
        return list(map(_yaml_as_json, value))
    return value
