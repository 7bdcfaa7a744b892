"""An interval for every metric: by a closed formula where there is one, else by drawing tasks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from eai.report.metric import Score
from eai.report.metrics import View
from eai.report.record import Record
from eai.report.report import Report
from eai.report.statistics import bootstrap, wilson
from eai.table import Cell, Table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]
    Numbers = NDArray[np.float64]

__all__ = ["DRAWS", "Interval", "interval_table", "intervals"]

DRAWS = 2_000
"""So often are tasks drawn for the percentiles of a bootstrap."""


class Interval(NamedTuple):
    """Where a metric lies with 95 % confidence.

    Args:
        low: Lower bound, in percent.
        high: Upper bound, in percent.
        method: ``"Wilson"`` or ``"bootstrap"``.
    """

    low: float
    high: float
    method: str


def intervals(
    view: View, records: Iterable[Record], *, draws: int = DRAWS, seed: int = 0
) -> dict[str, Interval]:
    """Return the 95 % intervals of the metrics of records, by key.

    A rate in which each task counts once, or not, has Wilson's score interval. The parts of any
    other metric belong together by tasks, so tasks are drawn with replacement and the interval is
    that of the percentiles (B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap",
    1993, section 13.3). A metric that is undefined, or to which all tasks contribute the same,
    has none.
    """
    metrics, counts = _counts(view, records)
    totals = counts.sum(axis=0).tolist()
    found: dict[str, Interval] = {}
    places: list[int] = []
    for place, metric in enumerate(metrics):
        numerator, denominator = totals[2 * place : 2 * place + 2]
        whole = metric._replace(numerator=numerator, denominator=denominator)
        known = _wilson(whole, counts[:, 2 * place : 2 * place + 2])
        if known is not None:
            found[metric.key] = known
        elif denominator:
            places += (2 * place, 2 * place + 1)
    if places:
        drawn = _drawn(counts[:, places].astype(float), draws=draws, seed=seed)
        keys = [metrics[place // 2].key for place in places[::2]]
        found |= {key: each for key, each in zip(keys, drawn, strict=True) if each is not None}
    return found


def _counts(view: View, records: Iterable[Record]) -> tuple[list[Score], Counts]:
    """The metrics of nothing, and a row a task with numerator and denominator of each."""
    import numpy as np

    metrics = view.scores()
    flat = (
        count
        for record in records
        if record.result.status != "excluded"
        for metric in view.scores((record,))
        for count in (metric.numerator, metric.denominator)
    )
    return metrics, np.fromiter(flat, dtype=np.int64).reshape(-1, 2 * len(metrics))


def _wilson(metric: Score, parts: Counts) -> Interval | None:
    """Wilson's interval of a rate, also of errors that are 0 or 1 in every task."""
    if metric.interval is not None:
        return Interval(*metric.interval, "Wilson")
    once = (parts[:, 1] == 1).all() and ((parts[:, 0] == 0) | (parts[:, 0] == 1)).all()
    if metric.unit != "occurrences" or not metric.denominator or not once:
        return None
    return Interval(*wilson(metric.numerator, metric.denominator), "Wilson")


def _drawn(parts: Numbers, *, draws: int, seed: int) -> Iterator[Interval | None]:
    """The interval of each pair of columns, over the same draws; None if it does not vary."""
    import numpy as np

    sums = bootstrap(parts, draws=draws, seed=seed)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = 100 * sums[:, 0::2] / sums[:, 1::2]
    for column in values.T:
        defined = column[np.isfinite(column)]
        low, high = np.quantile(defined, (0.025, 0.975)) if len(defined) else (0.0, 0.0)
        yield Interval(float(low), float(high), "bootstrap") if low < high else None


def interval_table(
    report: Report, model: str | None = None, *, draws: int = DRAWS, seed: int = 0
) -> Table:
    """Return every metric with its counts and its interval, a row each.

    Args:
        report: The evaluated answers.
        model: One model; by default all, one below the other.
        draws: How often tasks are drawn where there is no formula.
        seed: Seed of the draws.

    Raises:
        UnknownNameError: If the report has no such model.
    """
    rows: list[dict[str, Cell]] = []
    for name in report.models if model is None else (model,):
        found = intervals(report.view, report.of(name), draws=draws, seed=seed)
        rows += (_row(name, metric, found.get(metric.key)) for metric in report.metrics(name))
    note = (
        f"{report.setting}; percent with 95 % intervals: Wilson's, or percentiles of {draws:,} "
        f"draws of tasks (seed {seed})"
    )
    return Table.by_model("Metrics with intervals", rows, (note,))


def _row(model: str, metric: Score, interval: Interval | None) -> dict[str, Cell]:
    low, high, method = interval or (None, None, None)
    return {
        "model": model,
        "group": metric.group,
        "metric": metric.label,
        "key": metric.key,
        "%": metric.value,
        "counts": metric.counts,
        "low": low,
        "high": high,
        "interval": method,
    }
