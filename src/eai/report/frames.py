"""A report for other programs: data frames by model or group."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Union

from eai.diagnosis import GOAL_KINDS
from eai.errors import InputError, MissingExtraError, UnknownNameError
from eai.report.aggregate import Tally, tally
from eai.report.intervals import intervals
from eai.report.record import Record
from eai.report.results import Results

if TYPE_CHECKING:
    import pandas as pd


GROUPINGS = ("model", "category", "goal_kind")
"""Names of the rows of a table; all but the first are groups within each model."""

By = Union[str, Callable[[Record], "Hashable | None"]]
"""One of :data:`GROUPINGS`, or a function that says to which group a record belongs."""

MAX_BINS = 6
"""Maximum number of bins of lengths."""


def frame(report: Results, *, by: By = "model", with_intervals: bool = False) -> pd.DataFrame:
    """Return the metrics as a data frame (see :meth:`eai.report.report.Report.table`)."""
    try:
        import pandas as pd
    except ImportError as error:
        raise MissingExtraError("pandas", extra="pandas", purpose="a table") from error

    index: pd.Index[str]
    if by == "model":
        rows = _rows_of_models(report, with_intervals=with_intervals)
        index = pd.Index(report.models, name="model", dtype=object)
    else:
        labelled = _rows_of_groups(report, by, with_intervals=with_intervals)
        rows = list(labelled.values())
        names = ["model", by if isinstance(by, str) else "group"]
        index = pd.MultiIndex.from_tuples(list(labelled), names=names)
    data: pd.DataFrame = pd.DataFrame(rows, index=index)
    for name, value in report.setting._asdict().items():
        # In the attributes, as a frame has no place for facts about all rows.
        data.attrs[name] = value
    data.attrs["package_version"] = report.package_version
    data.attrs["notes"] = list(report.notes)
    return data


def _rows_of_models(report: Results, *, with_intervals: bool) -> list[dict[str, float]]:
    """Return a row for each model, in the order of the report."""
    rows = []
    for model in report.models:
        counts = report.tally(model)
        rows.append(_metric_row(report, report.of(model), counts, with_intervals=with_intervals))
    return rows


def _rows_of_groups(
    report: Results, by: By, *, with_intervals: bool
) -> dict[tuple[str, object], dict[str, float]]:
    """Return a row for each group of records of each model, by (model, group).

    Args:
        report: The report.
        by: The name of a grouping, or a function that returns the group of a record.
        with_intervals: Whether rows have the bounds of all intervals, too.
    """
    rows = {}
    for model, groups in group_records(report, by).items():
        for group, records in groups.items():
            counts = tally(record.result for record in records)
            rows[model, group] = _metric_row(report, records, counts, with_intervals=with_intervals)
    return rows


def _metric_row(
    report: Results, records: Sequence[Record], counts: Tally, *, with_intervals: bool
) -> dict[str, float]:
    """Return a row with the metrics of some records, their denominators and intervals.

    Args:
        report: The report.
        records: The records of a model or of one of its groups.
        counts: Their counts.
        with_intervals: Whether the row has the bounds of all intervals, too.
    """
    metrics = report.view.scores(records, counts)
    row: dict[str, float] = {}
    for metric in metrics:
        row[metric.label] = _as_float(metric.value)
    row["Tasks"] = counts.tasks
    row["Excluded"] = counts.excluded
    row["Missing"] = counts.missing
    for metric in metrics:
        # Their number is not that of the tasks, so it has a column of its own.
        if metric.unit == "conditions":
            row[f"{metric.label}s"] = metric.denominator
    if with_intervals:
        interval_of_key = intervals(report.view, records)
        for metric in metrics:
            low, high, _ = interval_of_key.get(metric.key, (None, None, ""))
            row[f"{metric.label} low"] = _as_float(low)
            row[f"{metric.label} high"] = _as_float(high)
    return row


def _as_float(value: float | None) -> float:
    """Return a number as frames hold it: NaN where it is undefined."""
    if value is None:
        return math.nan
    return value


# Groups of records.


def group_records(report: Results, by: By) -> dict[str, dict[object, list[Record]]]:
    """Return the records by model and by group, with groups sorted.

    Records whose group is None are left out. Groups that cannot be sorted stay in the order in
    which they first appear.

    Raises:
        UnknownNameError: If there is no such group.
        InputError: If no record belongs to a group.
    """
    group_of = _group_function(by)
    by_model: dict[str, dict[object, list[Record]]] = {model: {} for model in report.models}
    for record in report.records:
        group = group_of(record)
        if group is not None:
            by_model[record.model].setdefault(group, []).append(record)
    if report.records and not any(by_model.values()):
        raise InputError(f"no item belongs to a group by {by}", expected="at least one that does")
    sorted_by_model = {}
    for model, groups in by_model.items():
        try:
            names = sorted(groups)  # type: ignore[type-var]
        except TypeError:  # groups of several types, such as None and texts
            return by_model
        sorted_by_model[model] = {name: groups[name] for name in names}
    return sorted_by_model


def _group_function(by: By) -> Callable[[Record], object]:
    """Return a function from a record to its group."""
    if callable(by):
        return by
    if by == "category":
        return attrgetter("name")
    if by == "goal_kind":
        return _goal_kinds
    raise UnknownNameError("group", by, GROUPINGS, where="table")


def _goal_kinds(record: Record) -> str | None:
    """Return the kinds of conditions in the goal of a record (``"state + relation"``)."""
    result = record.result
    kinds = {goal.kind for goal in result.goals}
    for match in result.matches:
        # An annotated condition was either found (true positive) or missed (false negative).
        if match.tp + match.fn > 0:
            kinds.add(match.kind)
    if not kinds:
        return None
    return " + ".join(kind for kind in GOAL_KINDS if kind in kinds)


def length_bins(lengths: Sequence[int], max_bins: int = MAX_BINS) -> list[tuple[int, int]]:
    """Return (least, greatest) lengths of bins with about equally many items.

    Equal lengths are never put in two bins, so there may be fewer of these.

    Args:
        lengths: The lengths, sorted.
        max_bins: Maximum number of bins.

    Examples:
        >>> length_bins([1, 1, 1, 2, 3, 5], max_bins=3)
        [(1, 2), (3, 5)]
    """
    if not lengths:
        return []
    # Of six items in three bins those at 0, 2 and 4; equal lengths there begin one bin.
    starts = sorted({lengths[len(lengths) * number // max_bins] for number in range(max_bins)})
    ends = [start - 1 for start in starts[1:]]
    ends.append(lengths[-1])
    return list(zip(starts, ends, strict=True))


def range_text(first: int, last: int) -> str:
    """Return the name of a bin (``"4-6"``)."""
    if first == last:
        return str(first)
    return f"{first}-{last}"
