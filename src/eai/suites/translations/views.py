"""How reports show translations: the share of right ones, and what is measured of all."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import partial

from eai.diagnosis.parts import Measure
from eai.report.aggregate import Tally
from eai.report.metrics.view import View, by_group
from eai.report.scoring import Score
from eai.table import Column, Table

Group = tuple[str, Mapping[str, str]]
"""The heading of a group of measures, and the label of each measure."""

# By the keys of kinds of errors: answers that are not read, and comparisons beyond the budget.
_ERRORS = {"parsing": "Not read", "beyond_budget": "Undecided"}


def measures_of(true: Collection[str], keys: Iterable[str]) -> tuple[Measure, ...]:
    """Return a measure for each key: 1 for those that are true of an answer, 0 for others."""
    return tuple([Measure(key, int(key in true), 1) for key in keys])


def translation_view(
    heading: str, groups: Mapping[str, Group], *, basis: str, caption: str = ""
) -> View:
    """Return the report view for answers that are compared with a reference.

    Args:
        heading: The kind of answers, as a heading.
        groups: Key of a group to its heading and the labels of its measures, in the order of the
            columns.
        basis: The items that shares are about.
        caption: Caption of the table; the heading if it is empty.
    """
    metrics = partial(_metrics, groups)
    # The success rate, the measures of all groups, and counts of errors.
    columns = [Column("equivalent", ranged=True)]
    for _, labels in groups.values():
        columns += [Column(key) for key in labels]
    columns += [Column(key) for key in _ERRORS]
    table = Table(
        f"{heading} (%, counts below)", caption=caption or heading, columns=tuple(columns)
    )
    headings = {key: group_heading for key, (group_heading, _) in groups.items()}
    return View(
        metrics=metrics,
        tables=(table,),
        groups={"goal": heading, **headings, "errors": "Errors"},
        errors=("errors",),
        basis=lambda _: basis,
        summary=lambda counts: by_group(metrics(counts)),
    )


def _metrics(groups: Mapping[str, Group], counts: Tally) -> list[Score]:
    """Return the share of right answers, the means of measures, and counts of errors."""
    scores = [Score("goal", "equivalent", "Equivalent", counts.success, counts.tasks, "tasks")]
    for group, (_, labels) in groups.items():
        scores += [Score.mean(counts, group, key, label) for key, label in labels.items()]
    for key, label in _ERRORS.items():
        number = counts.affected.get(key, 0)
        scores.append(Score("errors", key, label, number, counts.tasks, "tasks"))
    return scores
