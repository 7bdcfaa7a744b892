"""A report for other programs: data frames by model or group."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from operator import attrgetter
from typing import TYPE_CHECKING, Union

from eai.diagnosis import GOAL_KINDS
from eai.errors import InputError, MissingExtraError, UnknownNameError
from eai.report.aggregate import tally
from eai.report.record import Record
from eai.report.results import Results

if TYPE_CHECKING:
    import pandas as pd


GROUPINGS = ("model", "category", "goal_kind")
"""What the rows of a table are, by name; all but the first are groups within each model."""

By = Union[str, Callable[[Record], "Hashable | None"]]
"""One of :data:`GROUPINGS`, or a function that says to which group a record belongs."""

MOST_BINS = 6
"""Into so many bins are lengths put."""


def frame(report: Results, *, by: By = "model", with_intervals: bool = False) -> pd.DataFrame:
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
        for model, of_model in grouped(report, by).items():
            groups |= {(model, group): of_group for group, of_group in of_model.items()}
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


def grouped(report: Results, by: By) -> dict[str, dict[object, list[Record]]]:
    """Return the records by model and group; groups in their order, ``None`` is left out."""
    if callable(by):
        group_of: Callable[[Record], object] = by
    elif by == "category":
        group_of = attrgetter("name")
    elif by == "goal_kind":
        group_of = _goal_kinds
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
