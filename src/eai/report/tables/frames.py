"""Metrics as data frames: rows by model and group, intervals on request."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from eai.errors import MissingExtraError
from eai.report.aggregate import Tally, tally
from eai.report.intervals import intervals
from eai.report.metrics import View
from eai.report.record import Record
from eai.report.results import Results, Setting
from eai.report.tables.grouping import By, grouped, range_text

if TYPE_CHECKING:
    import pandas as pd

    from eai.suites.base import Suite

__all__ = ["frame"]


def frame(
    report: Results,
    *,
    by: By = "model",
    suite: str | Suite | None = None,
    with_intervals: bool = False,
) -> pd.DataFrame:
    """Return the data frame (see :meth:`eai.report.report.Report.table`)."""
    try:
        import pandas as pd
    except ImportError as error:
        raise MissingExtraError("pandas", extra="pandas", purpose="a table") from error
    rows = list(_rows(report, by, suite))
    names = ["model"] if by == "model" else ["model", by if isinstance(by, str) else "group"]
    labels = [label for label, _, _ in rows]
    index: pd.Index[Any] = (
        pd.Index(report.models, name="model", dtype=object)
        if by == "model"
        else pd.MultiIndex.from_tuples(labels, names=names)
    )
    cells = [
        {**_columns(report.view, counts), **(_bounds(report.view, of) if with_intervals else {})}
        for _, counts, of in rows
    ]
    found: pd.DataFrame = pd.DataFrame(cells, index=index)
    found.attrs = {
        **{name: getattr(report.setting, name) for name in Setting._fields},
        "package_version": report.package_version,
        "notes": list(report.notes),
    }
    return found


def _rows(
    report: Results, by: By, suite: str | Suite | None
) -> Iterator[tuple[tuple[object, ...], Tally, Sequence[Record]]]:
    """Label, counts and records of each row."""
    if by == "model":
        for model in report.models:
            yield (model,), report.tally(model), report.of(model)
        return
    for model, groups in grouped(report, by, suite=suite).items():
        for group, records in groups.items():
            label = range_text(*group) if by == "length" and isinstance(group, tuple) else group
            yield (model, label), tally(record.judgement for record in records), records


def _columns(view: View, counts: Tally) -> dict[str, float]:
    """The paper's headings, then the denominators."""
    found = view.metrics(counts)
    return {
        **{m.label: math.nan if m.value is None else m.value for m in found},
        "Tasks": counts.tasks,
        "Excluded": counts.excluded,
        "Missing": counts.missing,
        **{f"{m.label}s": m.denominator for m in found if m.unit == "conditions"},
    }


def _bounds(view: View, records: Sequence[Record]) -> dict[str, float]:
    found = intervals(view, records)
    return {
        f"{metric.label} {side}": getattr(found.get(metric.key), side, math.nan)
        for metric in view.metrics(Tally())
        for side in ("low", "high")
    }
