"""Records as columns: a Parquet file that holds all that the lines of a run hold.

Idea: a line of JSON is one row. The fields of a record and those of its result are columns with
types made from the dataclasses; what an answer has several of (steps, findings, conditions) are
lists. Parquet stores a column apart from the others and each text once for many rows, so a file
takes a small part of the lines' size, and a program reads the columns that it needs.

Invariant: the records that are read are those that were written, and so are their lines, byte for
byte. The hash of the lines is therefore the hash of the run in both forms: whoever reads columns
checks it as for lines. Memory is that of one group of rows (:data:`_GROUP_BYTES` of lines).
"""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from eai.diagnosis import ErrorKind, Result
from eai.digests import blake2b
from eai.errors import InputError, MissingExtraError, SchemaError
from eai.files import RECORD_COLUMNS, replacing_file
from eai.nesting import load_json
from eai.report.record import KEYS, Record, Records
from eai.report.records import (
    COLUMNS,
    RecordFile,
    RecordLines,
    integrity_warning,
    record_from_json,
    record_to_json,
    run_description,
)
from eai.report.validation import NAMES_IN_HINTS, record_of

if TYPE_CHECKING:
    import pyarrow as pa

_GROUP_BYTES = 1 << 26
"""About so many bytes of lines become a group of rows: 64 MB, 50,000 records of household."""

_BATCH_ROWS = 4_096
"""Number of rows that are read at a time."""

_COMPRESSION_LEVEL = 9
"""Level of zstd: a seventh less space than level 3 for the same time, most of which is parsing."""

_METADATA = b"eai"
"""Key of what the file says about itself."""

_UNTYPED = "line"
"""Column with the line of a record that no other column can hold; else null."""


@dataclass(frozen=True, slots=True)
class WrittenColumns:
    """Path and size of a Parquet file that was written.

    Args:
        path: The file.
        records: Number of records in it.
        warning: A sentence about records that are missing or were changed in the source; the file
            of columns gives the same one when it is read.
    """

    path: Path
    records: int
    warning: str = ""


def write_columns(
    source: Path, path: str | os.PathLike[str], *, force: bool = False
) -> WrittenColumns:
    """Write the records of a file of lines as a Parquet file.

    Cost: one pass over the lines; memory does not grow with their number.

    Args:
        source: A record file, as a run writes it (``records.jsonl``).
        path: The file of columns.
        force: Whether an existing file may be replaced.

    Raises:
        MissingExtraError: If pyarrow is not installed.
        OutputExistsError: If there is a file and ``force`` is off.
        InputError: If a file cannot be read or written.
        SchemaError: If a line is not a record.
    """
    if source.suffix == COLUMNS:
        raise InputError(
            "these records are columns already", where=str(source), expected="a file of lines"
        )
    pa, parquet = _pyarrow("writing Parquet")
    lines = RecordLines(source)
    digest = blake2b(digest_size=16)
    record_count = 0
    with (
        replacing_file(path, force=force) as part,
        parquet.ParquetWriter(
            part,
            _schema(pa),
            compression="zstd",
            compression_level=_COMPRESSION_LEVEL,
        ) as writer,
    ):
        # The hash is that of normalised lines, whatever blanks the source had.
        for group in _line_groups(lines):
            for line in group:
                digest.update(line)
            record_count += len(group)
            writer.write_table(_arrow_table(pa, group))
        description = {
            "run": dict(lines.about) if lines.is_of_run else None,
            "source": lines.digest,
            "digest": digest.hexdigest(),
        }
        writer.add_key_value_metadata({_METADATA: json.dumps(description).encode()})
    warning = integrity_warning(
        lines.about, count=record_count, digest=lines.digest, is_of_run=lines.is_of_run
    )
    return WrittenColumns(Path(path), record_count, warning)


def _line_groups(records: Iterable[Record]) -> Iterator[list[bytes]]:
    """Yield the lines of records in groups of about :data:`_GROUP_BYTES` bytes."""
    group: list[bytes] = []
    size = 0
    for record in records:
        line = f"{record_to_json(record)}\n".encode("ascii")
        group.append(line)
        size += len(line)
        if size >= _GROUP_BYTES:
            yield group
            group = []
            size = 0
    # The last group may be smaller.
    if group:
        yield group


def _arrow_table(pa: Any, lines: Iterable[bytes]) -> pa.Table:  # noqa: ANN401  # the module
    """Return lines of records as a table.

    Raises:
        InputError: If a value does not fit in its column (a number of more than 64 bits).
    """
    from pyarrow import json as arrow_json

    text = b"".join([_arrow_line(line) for line in lines])
    try:
        table = arrow_json.read_json(
            io.BytesIO(text),
            # One block, since no line may lie in two of them.
            read_options=arrow_json.ReadOptions(use_threads=False, block_size=len(text) + 1),
            parse_options=arrow_json.ParseOptions(
                explicit_schema=_line_schema(pa), unexpected_field_behavior="error"
            ),
        )
    except pa.ArrowInvalid as error:
        raise InputError(f"a record does not fit in columns: {error}") from error
    # The fields of the result become columns, next to those of the record.
    columns = {name: table[name] for name in table.column_names}
    result = columns.pop("result").combine_chunks()
    for field, column in zip(result.type, result.flatten(), strict=True):
        columns[field.name] = column
    schema = _schema(pa)
    # Texts that repeat are encoded by the schema.
    return pa.table([columns[name] for name in schema.names], schema=schema)


_USAGE = b',"usage":{'
"""Beginning of the usage in a line; within texts, quotation marks are escaped."""

_SURROGATE = re.compile(rb"\\ud[89a-f]", re.IGNORECASE)


def _arrow_line(line: bytes) -> bytes:
    """Return a line as Arrow can read it.

    Arrow's texts are UTF-8, which cannot contain lone surrogates. A line with some is stored
    unchanged in a separate column, and has question marks for them in the other columns. The usage
    becomes a list of names and amounts: endpoints choose the names, so they cannot be columns.
    """
    has_usage = _USAGE in line
    if not has_usage and not _SURROGATE.search(line):
        return line
    value = load_json(line)
    if has_usage:
        amounts = value["usage"].items()
        value["usage"] = [{"name": name, "amount": amount} for name, amount in amounts]
    text = json.dumps(value, ensure_ascii=False)
    # A pair of surrogates is one character, which can be encoded; a lone one cannot.
    try:
        return f"{text}\n".encode()
    except UnicodeEncodeError:
        value[_UNTYPED] = line.decode("ascii").rstrip("\n")
        text = json.dumps(value, ensure_ascii=False)
        return f"{text}\n".encode("utf-8", "replace")


def read_columns(path: Path) -> RecordFile:
    """Return the records of a file of columns.

    If the file has a run's usual name and its folder has a description of a run, that description
    is used. Otherwise the one stored in the file is used.

    Raises:
        MissingExtraError: If pyarrow is not installed.
        InputError: If the file cannot be read, or was not written by :func:`write_columns`.
        SchemaError: If a row is not a record.
    """
    pa, parquet = _pyarrow("reading Parquet")
    digest = blake2b(digest_size=16)
    records: list[Record] = []
    try:
        with path.open("rb") as stream, parquet.ParquetFile(stream) as file:
            description = _stored_description(file.schema_arrow.names, file.metadata.metadata, path)
            for batch in file.iter_batches(batch_size=_BATCH_ROWS):
                for row in batch.to_pylist():
                    record = _record_of_row(row, f"{path}, row {len(records) + 1}")
                    digest.update(f"{record_to_json(record)}\n".encode("ascii"))
                    records.append(record)
    except (OSError, pa.ArrowException) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(
            f"cannot be read: {reason}", where=str(path), expected="a Parquet file of records"
        ) from error
    lines_digest = digest.hexdigest()
    if lines_digest == description["digest"]:
        # The rows are those that were written, so the hash of the file they came from holds.
        lines_digest = description["source"]
    run = description["run"]
    if path.name == RECORD_COLUMNS:
        run = run_description(path.parent) or run
    return RecordFile(
        path,
        Records(records),
        about=run or {},
        digest=lines_digest,
        is_of_run=run is not None,
    )


def _stored_description(
    names: Iterable[str], metadata: Mapping[bytes, bytes] | None, path: Path
) -> Any:  # noqa: ANN401
    """Return the description of a run that :func:`write_columns` stored in a Parquet file.

    Args:
        names: Names of the columns, for messages.
        metadata: The metadata of the file.
        path: The file.

    Raises:
        InputError: If there is none, so that another program wrote the file.
    """
    description: object = None
    if metadata is not None and _METADATA in metadata:
        description = load_json(metadata[_METADATA])
    # Other programs may use the same key of the metadata.
    if isinstance(description, dict) and {"run", "source", "digest"} <= description.keys():
        return description
    raise InputError(
        "these are no records of a run",
        where=str(path),
        expected="a file that eai export --parquet wrote",
        mend=f"its columns are {', '.join(names)}"[:200],
    )


_RECORD_NAMES = tuple(
    field.name for field in fields(Record) if field.name not in ("result", "seconds")
)
_RESULT_NAMES = tuple(
    KEYS.get((Result, field.name), field.name) for field in fields(Result) if field.compare
)


def _record_of_row(row: Mapping[str, Any], where: str) -> Record:
    """Return the record of a row.

    Raises:
        SchemaError: If it is none.
    """
    if row.get(_UNTYPED) is not None:
        return record_from_json(row[_UNTYPED], where=where)
    try:
        value = {name: row[name] for name in _RECORD_NAMES if name != "usage"}
        result = {name: row[name] for name in _RESULT_NAMES}
    except KeyError as error:
        raise SchemaError(
            f"there is no column {error}", where=where, expected="all columns of records"
        ) from error
    # Keys that lines leave out where there is nothing to say.
    if value["epoch"] is None:
        del value["epoch"]
    if result["rules"] is None:
        del result["rules"]
    # Files that were written before there were usages have no such column.
    if row.get("usage"):
        value["usage"] = {entry["name"]: entry["amount"] for entry in row["usage"]}
    return record_of({**value, "result": result}, where)


def _pyarrow(purpose: str) -> tuple[Any, Any]:
    """Return the modules ``pyarrow`` and ``pyarrow.parquet``.

    Raises:
        MissingExtraError: If they are not installed.
    """
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtraError("pyarrow", extra="tables", purpose=purpose) from error
    return pa, parquet


# Types of columns, made from the dataclasses of records.


def _line_schema(pa: Any) -> pa.Schema:  # noqa: ANN401  # the module
    """Return the Arrow schema of a line of JSON."""
    record, result = _types(pa, Record), _types(pa, Result)
    columns = [(name, record[name]) for name in _RECORD_NAMES]
    result_type = pa.struct([(name, result[name]) for name in _RESULT_NAMES])
    return pa.schema([*columns, ("result", result_type), (_UNTYPED, pa.string())])


def _schema(pa: Any) -> pa.Schema:  # noqa: ANN401  # the module
    """Return the Arrow schema: the columns of a record, then those of its result.

    Texts are dictionaries: even answers are read four times as fast where models say the same.
    """
    types = {**_types(pa, Record), **_types(pa, Result)}
    columns = []
    for name in (*_RECORD_NAMES, *_RESULT_NAMES):
        column_type = types[name]
        if column_type == pa.string():
            column_type = pa.dictionary(pa.int32(), pa.string())
        columns.append((name, column_type))
    return pa.schema([*columns, (_UNTYPED, pa.string())])


def _types(pa: Any, kind: type[Any]) -> dict[str, pa.DataType]:  # noqa: ANN401  # the module
    """Return the Arrow types of a dataclass's stored fields, by JSON key."""
    hints = get_type_hints(kind, localns=dict(NAMES_IN_HINTS))
    types = {}
    for field in fields(kind):
        hint = hints[field.name]
        if field.compare and hint not in (float, Result):
            types[KEYS.get((kind, field.name), field.name)] = _type(pa, hint)
    return types


def _type(pa: Any, hint: object) -> pa.DataType:  # noqa: ANN401  # the module
    """Return the Arrow type for a type hint: plain, dataclass, optional or tuple."""
    plain = {str: pa.string(), bool: pa.bool_(), int: pa.int64(), ErrorKind: pa.string()}
    if hint in plain:
        return plain[hint]
    if isinstance(hint, type) and is_dataclass(hint):
        return pa.struct(list(_types(pa, hint).items()))
    # "int | None" to int, "tuple[Finding, ...]" to Finding. All columns may have empty cells.
    inner = [part for part in get_args(hint) if part not in (NoneType, ...)]
    if NoneType in get_args(hint):
        return _type(pa, inner[0])
    if hint == Mapping[str, float]:
        return pa.list_(pa.struct([("name", pa.string()), ("amount", pa.float64())]))
    return pa.list_(_type(pa, inner[0]))
