"""One metric of two models over the same tasks: the difference, and how sure it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eai.report.aggregate import tally
from eai.report.metric import Metric
from eai.report.metrics import View
from eai.report.record import Record
from eai.report.resampling import bootstrap, permutation
from eai.report.statistics import Pairs, mcnemar, newcombe

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

__all__ = ["Difference", "differences", "metrics_by_task"]


@dataclass(frozen=True, slots=True)
class Difference:
    """One metric of two models over the same tasks.

    Args:
        metric: Key of the metric.
        label: Its heading.
        unit: What it counts (see :class:`~eai.report.metric.Metric`).
        first: Name of the first model.
        second: Name of the second.
        tasks: How many tasks both have.
        values: The metric of both, in percent; None where it is undefined.
        interval: 95 % interval of the first minus the second, in points; None if undefined.
            For rates over tasks Newcombe's, else the percentiles of a bootstrap over tasks.
        p_value: Of McNemar's exact test for rates over tasks, else of a permutation test that
            exchanges the models task by task; None if undefined.
        adjusted: The p-value adjusted for the number of comparisons (Holm).
        effect: How large the difference is beside how much tasks differ: Cohen's g for rates
            over tasks (0.05 small, 0.15 medium, 0.25 large), else the mean difference of a
            task over its standard deviation (d_z: 0.2, 0.5, 0.8); None if undefined.
        pairs: For rates over tasks: both, only the first, only the second, neither; else None.
    """

    metric: str
    label: str
    unit: str
    first: str
    second: str
    tasks: int
    values: tuple[float | None, float | None]
    interval: tuple[float, float] | None
    p_value: float | None
    adjusted: float | None
    effect: float | None
    pairs: Pairs | None

    @property
    def difference(self) -> float | None:
        """The first minus the second, in points; None if one is undefined."""
        first, second = self.values
        return None if first is None or second is None else first - second


def metrics_by_task(view: View, records: Sequence[Record]) -> list[list[Metric]]:
    """Return the metrics of every record by itself; their parts add up to those of all."""
    return [view.metrics(tally([record.judgement])) for record in records]


def differences(
    view: View,
    first: Sequence[Record],
    second: Sequence[Record],
    *,
    names: tuple[str, str],
    keys: Sequence[str],
    draws: int,
    seed: int,
) -> list[Difference]:
    """Compare two models on the same tasks, in the same order.

    Args:
        view: Which metrics there are.
        first: Records of the first model.
        second: Records of the second, of the same tasks.
        names: Names of the models.
        keys: Keys of the metrics.
        draws: How often tasks are drawn.
        seed: Seed of the draws.

    Returns:
        One difference for each key, p-values not adjusted.
    """
    columns = [metrics_by_task(view, records) for records in (first, second)]
    places = {metric.key: place for place, metric in enumerate(view.metrics(tally([])))}
    return [
        _difference(
            [metrics[places[key]] for metrics in columns[0]],
            [metrics[places[key]] for metrics in columns[1]],
            names=names,
            draws=draws,
            seed=seed,
        )
        for key in keys
    ]


def _difference(
    first: Sequence[Metric],
    second: Sequence[Metric],
    *,
    names: tuple[str, str],
    draws: int,
    seed: int,
) -> Difference:
    example = first[0]
    pairs = _pairs(first, second)
    values = (_percent(first), _percent(second))
    interval, p_value, effect = None, None, None
    if pairs is not None:
        interval, p_value, effect = newcombe(pairs), mcnemar(pairs), _cohens_g(pairs)
    elif None not in values:
        parts = _parts(first), _parts(second)
        interval = _bootstrapped(*parts, draws=draws, seed=seed)
        p_value = _permuted(*parts, draws=draws, seed=seed)
        effect = _standardised(*parts)
    return Difference(
        example.key,
        example.label,
        example.unit,
        *names,
        len(first),
        values,
        interval,
        p_value,
        p_value,
        effect,
        pairs,
    )


def _pairs(first: Sequence[Metric], second: Sequence[Metric]) -> Pairs | None:
    """The four counts, if the metric is a rate over tasks: 0 or 1 out of 1 in every task."""
    if first[0].unit not in ("tasks", "occurrences"):
        return None
    counts = [0, 0, 0, 0]
    for one, other in zip(first, second, strict=True):
        for metric in (one, other):
            if metric.denominator != 1 or metric.numerator not in (0, 1):
                return None
        counts[2 * (1 - one.numerator) + (1 - other.numerator)] += 1
    return counts[0], counts[1], counts[2], counts[3]


def _parts(metrics: Sequence[Metric]) -> Numbers:
    import numpy as np

    return np.array([(m.numerator, m.denominator) for m in metrics], dtype=np.float64)


def _percent(metrics: Sequence[Metric]) -> float | None:
    denominator = sum(metric.denominator for metric in metrics)
    return 100 * sum(m.numerator for m in metrics) / denominator if denominator else None


def _cohens_g(pairs: Pairs) -> float:
    _, first, second, _ = pairs
    apart = first + second
    return first / apart - 0.5 if apart else 0.0


def _bootstrapped(
    first: Numbers, second: Numbers, *, draws: int, seed: int
) -> tuple[float, float] | None:
    import numpy as np

    found = _apart(bootstrap(np.hstack([first, second]), draws=draws, seed=seed))
    found = found[np.isfinite(found)]
    if not len(found):
        return None
    low, high = np.quantile(found, (0.025, 0.975))
    return float(low), float(high)


def _permuted(first: Numbers, second: Numbers, *, draws: int, seed: int) -> float:
    """Two-sided; the observed order counts as one of the draws."""
    import numpy as np

    observed = _apart(np.hstack([first.sum(axis=0), second.sum(axis=0)])[None, :])[0]
    found = _apart(permutation(first, second, draws=draws, seed=seed))
    as_far = np.abs(found) >= abs(observed) - 1e-9
    return float((1 + as_far.sum()) / (1 + len(found)))


def _apart(sums: Numbers) -> Numbers:
    """The differences in points; not a number where a denominator is 0."""
    import numpy as np

    with np.errstate(divide="ignore", invalid="ignore"):
        apart: Numbers = 100 * (sums[:, 0] / sums[:, 1] - sums[:, 2] / sums[:, 3])
    return apart


def _standardised(first: Numbers, second: Numbers) -> float | None:
    """Mean over standard deviation of what each task adds to the difference (linearised)."""
    import numpy as np

    def shares(parts: Numbers) -> Numbers:
        numerator, denominator = parts.sum(axis=0)
        rate = numerator / denominator
        linear: Numbers = rate + (parts[:, 0] - rate * parts[:, 1]) * len(parts) / denominator
        return linear

    apart = shares(first) - shares(second)
    spread = float(np.std(apart, ddof=1)) if len(apart) > 1 else 0.0
    return float(np.mean(apart)) / spread if spread else None
