"""A report for other programs: data frames by model or group, and Parquet files of its records."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from operator import attrgetter
from typing import TYPE_CHECKING, Union

from eai.diagnosis import GOAL_KINDS
from eai.errors import InputError, MissingExtraError, UnknownNameError
from eai.files import replacing
from eai.report.aggregate import tally
from eai.report.explanation import suite_of
from eai.report.record import Record
from eai.report.records import record_to_json
from eai.report.results import Results

if TYPE_CHECKING:
    import pandas as pd

    from eai.contract import Suite

GROUPINGS = ("model", "category", "length", "goal_kind")
"""What the rows of a table are, by name; all but the first are groups within each model."""

By = Union[str, Callable[[Record], "Hashable | None"]]
"""One of :data:`GROUPINGS`, or a function that says to which group a record belongs."""

MOST_BINS = 6
"""Into so many bins are lengths put."""


def frame(
    report: Results,
    *,
    by: By = "model",
    suite: str | Suite | None = None,
    with_intervals: bool = False,
) -> pd.DataFrame:
    """Return the metrics as a data frame (see :meth:`eai.report.report.Report.table`)."""
    try:
        import pandas as pd
    except ImportError as error:
        raise MissingExtraError("pandas", extra="pandas", purpose="a table") from error
    from eai.report.intervals import intervals  # takes numpy

    groups: dict[tuple[object, ...], Sequence[Record]] = {}
    if by == "model":
        groups = {(model,): report.of(model) for model in report.models}
    else:
        for model, of_model in grouped(report, by, suite=suite).items():
            for group, of_group in of_model.items():
                label = range_text(*group) if by == "length" and isinstance(group, tuple) else group
                groups[model, label] = of_group
    rows: list[dict[str, float]] = []
    for (name, *group), records in groups.items():
        counts = tally(record.result for record in records) if group else report.tally(str(name))
        metrics = report.view.scores(records, counts)
        # The paper's headings, then the denominators.
        row = {m.label: math.nan if m.value is None else m.value for m in metrics}
        row |= {"Tasks": counts.tasks, "Excluded": counts.excluded, "Missing": counts.missing}
        row |= {f"{m.label}s": m.denominator for m in metrics if m.unit == "conditions"}
        if with_intervals:
            found = intervals(report.view, records)
            for metric in metrics:
                for side in ("low", "high"):
                    row[f"{metric.label} {side}"] = getattr(found.get(metric.key), side, math.nan)
        rows.append(row)
    names = ["model", by if isinstance(by, str) else "group"]
    index: pd.Index[str] = (
        pd.Index(report.models, name="model", dtype=object)
        if by == "model"
        else pd.MultiIndex.from_tuples(list(groups), names=names)
    )
    made: pd.DataFrame = pd.DataFrame(rows, index=index)
    made.attrs = {
        **dict(report.setting._asdict().items()),
        "package_version": report.package_version,
        "notes": list(report.notes),
    }
    return made


# Groups of records.


def grouped(
    report: Results, by: By, *, suite: str | Suite | None = None
) -> dict[str, dict[object, list[Record]]]:
    """Return the records by model and group; groups in their order, ``None`` is left out.

    A group by length is the first and the last length of a bin.
    """
    if callable(by):
        group_of: Callable[[Record], object] = by
    elif by == "category":
        group_of = attrgetter("name")
    elif by == "goal_kind":
        group_of = _goal_kinds
    elif by == "length":
        group_of = _lengths(report, suite)
    else:
        raise UnknownNameError("group", by, GROUPINGS, where="table")
    found: dict[str, dict[object, list[Record]]] = {model: {} for model in report.models}
    for record in report.records:
        group = group_of(record)
        if group is not None:
            found[record.model].setdefault(group, []).append(record)
    if report.records and not any(found.values()):
        raise InputError(f"no item belongs to a group by {by}", expected="at least one that does")
    with suppress(TypeError):  # groups that have no order stay as they came
        return {
            model: {group: groups[group] for group in sorted(groups)}  # type: ignore[type-var]
            for model, groups in found.items()
        }
    return found


def _goal_kinds(record: Record) -> str | None:
    result = record.result
    kinds = {goal.kind for goal in result.goals}
    kinds |= {match.kind for match in result.matches if match.tp + match.fn > 0}
    return " + ".join(kind for kind in GOAL_KINDS if kind in kinds) or None


def _lengths(report: Results, given: str | Suite | None) -> Callable[[Record], object]:
    records = [record for record in report.records if record.result.status != "excluded"]
    suite = suite_of(records[0], given) if records else None
    tasks = dict.fromkeys(record.task for record in records)
    plans = {task: suite.task(task).plans for task in tasks if suite is not None}
    lengths = {task: len(of_task[0]) for task, of_task in plans.items() if of_task}
    bins = length_bins(sorted(lengths.values()))
    bin_of = {length: each for each in bins for length in range(each[0], each[1] + 1)}
    return lambda record: bin_of[lengths[record.task]] if record.task in lengths else None


def length_bins(lengths: Sequence[int], most: int = MOST_BINS) -> list[tuple[int, int]]:
    """Return the first and last length of bins with about as many items each.

    Equal lengths are never torn apart.
    """
    starts = sorted({lengths[len(lengths) * k // most] for k in range(most)} if lengths else ())
    ends = [start - 1 for start in starts[1:]] + list(lengths[-1:])
    return list(zip(starts, ends, strict=True))


def range_text(first: int, last: int) -> str:
    """Return the name of a bin (``"4-6"``)."""
    return str(first) if first == last else f"{first}-{last}"


# Parquet.

_AT_ONCE = 10_000
"""So many records are converted at once."""

_TEXTS = ("suite", "version", "ability", "semantics", "model", "task", "name", "output")


def write_parquet(report: Results, path: str | os.PathLike[str], *, force: bool = False) -> None:
    """Write the records as rows (see :meth:`eai.report.report.Report.to_parquet`)."""
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
        for start in range(0, len(report.records), _AT_ONCE):
            rows = [_flat(record) for record in report.records[start : start + _AT_ONCE]]
            writer.write_batch(pa.RecordBatch.from_pylist(rows, schema=schema))


def _flat(record: Record) -> dict[str, object]:
    result = record.result
    # Parquet holds UTF-8, which has no lone surrogates; the column "record" has them exactly.
    texts = {
        name: getattr(record, name).encode("utf-8", errors="backslashreplace").decode("utf-8")
        for name in _TEXTS
    }
    return {
        **texts,
        "status": result.status,
        "success": result.success,
        "executable": result.executable,
        "formula_holds": result.formula_holds,
        "steps": len(result.plan),
        "goals_met": sum(goal.met for goal in result.goals),
        "goals": len(result.goals),
        "errors": [finding.kind.value for finding in result.findings],
        "outcome": result.outcome,
        "seconds": record.seconds,
        "record": record_to_json(record),
    }
