"""Gates: how good a run has to be, for continuous integration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from eai.cli.commands import UsageError
from eai.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from eai.report.metric import Metric
    from eai.report.report import Report

__all__ = ["Gates"]

_LEVEL = 0.05


class Gates:
    """What a run has to pass. Everything that can be refused is refused before it is judged.

    Args:
        floors: ``METRIC=VALUE``: every model's metric has to be at least this many percent.
        baseline: A run; no metric may be significantly worse than there, by the paired tests of
            :func:`eai.report.comparison.compare`, adjusted for their number.
        suite: Name of the suite that will be judged.
        ability: The ability.

    Raises:
        UsageError: If a floor is none.
        UnknownNameError: If there is no such metric.
        InputError: If the baseline cannot be read, or is of another suite or ability.
    """

    def __init__(
        self, floors: Sequence[str], baseline: Path | None, *, suite: str, ability: str
    ) -> None:
        from eai.report.aggregate import Tally
        from eai.report.metrics import view_of

        self._view = view_of(ability, suite)
        self._metrics = {metric.key: metric for metric in self._view.metrics(Tally())}
        self._floors = dict(map(_floor, floors))
        for key in self._floors:
            if key not in self._metrics:
                raise UnknownNameError("metric", key, self._metrics, where="--fail-under")
        self._path = baseline
        self._baseline = None if baseline is None else _read(baseline, suite, ability)

    def failures(self, report: Report) -> list[str]:
        """Return a sentence for everything that does not pass; none if the run is good enough.

        Args:
            report: The run.

        Raises:
            InputError: If the baseline was judged under other semantics, or has no task of it.
        """
        return [*self._under(report), *self._regressions(report)]

    def _under(self, report: Report) -> Iterator[str]:
        for model in report.models:
            found = {metric.key: metric for metric in report.metrics(model)}
            for key, floor in self._floors.items():
                told = _short_of(found[key], floor)
                if told:
                    yield f"{model}: {key} {told}"

    def _regressions(self, report: Report) -> Iterator[str]:
        if self._baseline is None:
            return
        if self._baseline.setting != report.setting:
            raise InputError(
                f"the run was judged as {report.setting}, the baseline as {self._baseline.setting}",
                where=str(self._path),
                expected="a baseline of the same version and semantics",
                mend="judge the baseline's answers again",
            )
        found = report.compare(self._baseline)
        for each, conclusion in zip(found.differences, found.conclusions, strict=True):
            apart, p_value = each.difference, each.adjusted
            if apart is None or p_value is None or p_value >= _LEVEL:
                continue
            if (apart > 0) is (self._metrics[each.metric].group in self._view.errors):
                yield f"{each.metric} is significantly worse than in {self._path}: {conclusion}"


def _floor(word: str) -> tuple[str, float]:
    key, _, value = word.partition("=")
    try:
        return key, float(value)
    except ValueError:
        raise UsageError(
            f"argument --fail-under: {word!r} is not METRIC=VALUE, as task_success_rate=80"
        ) from None


def _short_of(metric: Metric, floor: float) -> str:
    """By how much a metric is under a floor; empty if it is not."""
    if metric.value is None:
        return f"is undefined ({metric.counts}), so it is not {floor:g} %"
    if metric.value >= floor:
        return ""
    return f"is {metric.value:.1f} %, {floor - metric.value:.1f} points under {floor:g}"


def _read(baseline: Path, suite: str, ability: str) -> Report:
    from eai.cli.runs import read_run

    report = read_run(baseline)
    if (report.setting.suite, report.setting.ability) != (suite, ability):
        raise InputError(
            f"the baseline is of {report.setting.suite}, {report.setting.ability}",
            where=str(baseline),
            expected=f"a run of {suite}, {ability}",
        )
    return report
