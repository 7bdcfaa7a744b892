"""What every rendering of a report shows: headings, numbers as text, and the small print."""

from __future__ import annotations

from eai.report.aggregate import Tally
from eai.report.metric import Metric
from eai.report.printable import short
from eai.report.results import Results

__all__ = [
    "INTERVAL_NOTE",
    "MOST_NOTES",
    "bounds",
    "denominators",
    "heading",
    "notes",
    "percent",
    "small_print",
]

MOST_NOTES = 20
"""So many notes stand under a table."""

INTERVAL_NOTE = "Ranges are Wilson 95 % intervals over tasks."
"""What the ranges in the tables mean."""


def heading(report: Results) -> str:
    """Return the title line: what was run, under which rules, with which version."""
    title = f"{report.setting}, judged by eai {report.package_version}"
    return title[0].upper() + title[1:]


def small_print(report: Results) -> list[str]:
    """Return what has to stand under every table: denominators, then the notes."""
    return [*denominators(report), *notes(report)]


def notes(report: Results) -> list[str]:
    """Return the notes as they are shown: of many the first, and how many more there are.

    All of them are in ``report.notes`` and in the file ``run.json`` of a run.
    """
    shown = [short(note) for note in report.notes[:MOST_NOTES]]
    more = len(report.notes) - len(shown)
    return [*shown, f"{more:,} more notes, see run.json or report.notes"] if more else shown


def denominators(report: Results) -> list[str]:
    """Say what the rates are out of: one sentence for all models that agree in it."""
    said: dict[str, list[str]] = {}
    for model in report.models:
        said.setdefault(_sentence(report, report.tally(model)), []).append(model)
    if len(said) == 1:
        return [f"All out of {sentence}." for sentence in said]
    return [
        f"{', '.join(short(model, 200) for model in models)}: out of {sentence}."
        for sentence, models in said.items()
    ]


def percent(metric: Metric, *, undefined: str = "-") -> str:
    """Return the value with one decimal, as the paper prints it."""
    return undefined if metric.value is None else f"{metric.value:.1f}"


def bounds(metric: Metric) -> str:
    """Return the interval (``"66.2-76.3"``), or nothing if there is none."""
    if metric.interval is None:
        return ""
    low, high = metric.interval
    return f"{low:.1f}-{high:.1f}"


def _sentence(report: Results, counts: Tally) -> str:
    one = counts.tasks == 1
    return (
        f"{counts.tasks} {'task' if one else 'tasks'} "
        f"({counts.missing}{'' if one else ' of them'} missing a prediction, which counts as "
        f"failed; {counts.excluded} more excluded) and {report.view.basis(counts)}"
    )
