"""Records as rows of a Parquet file."""

from __future__ import annotations

import os

from eai.errors import MissingExtraError
from eai.report.files import replacing
from eai.report.record import Record
from eai.report.records import record_to_json
from eai.report.results import Results

__all__ = ["write_parquet"]

_ROWS = 10_000
"""So many records are converted at once."""

_TEXTS = ("suite", "version", "ability", "semantics", "model", "task", "name", "output")


def write_parquet(report: Results, path: str | os.PathLike[str], *, force: bool = False) -> None:
    """Write the file (see :meth:`eai.report.report.Report.to_parquet`)."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingExtraError("pyarrow", extra="parquet", purpose="a Parquet file") from error
    names = {
        **dict.fromkeys((*_TEXTS, "status"), pa.string()),
        **dict.fromkeys(("success", "executable", "formula_holds"), pa.bool_()),
        **dict.fromkeys(("steps", "goals_met", "goals"), pa.int32()),
        "errors": pa.list_(pa.string()),
        "outcome": pa.string(),
        "seconds": pa.float64(),
        "record": pa.string(),
    }
    schema = pa.schema(list(names.items()))
    with (
        replacing(path, force=force) as stream,
        pq.ParquetWriter(stream.buffer, schema, compression="zstd") as writer,
    ):
        for start in range(0, len(report.records), _ROWS):
            rows = [_row(record) for record in report.records[start : start + _ROWS]]
            writer.write_batch(pa.RecordBatch.from_pylist(rows, schema=schema))


def _row(record: Record) -> dict[str, object]:
    judgement = record.judgement
    return {
        **{name: _encodable(getattr(record, name)) for name in _TEXTS},
        "status": judgement.status,
        "success": judgement.success,
        "executable": judgement.executable,
        "formula_holds": judgement.formula_holds,
        "steps": len(judgement.plan),
        "goals_met": sum(goal.met for goal in judgement.goals),
        "goals": len(judgement.goals),
        "errors": [finding.kind.value for finding in judgement.findings],
        "outcome": judgement.outcome,
        "seconds": record.seconds,
        "record": record_to_json(record),
    }


def _encodable(text: str) -> str:
    # Parquet holds UTF-8, which has no lone surrogates; the column "record" has them exactly.
    return text.encode("utf-8", errors="backslashreplace").decode("utf-8")
