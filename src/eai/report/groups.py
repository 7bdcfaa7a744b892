"""Which records stand in one row of a table: by model, category, length, kind of goal."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Union

from eai.diagnosis.result import GOAL_KINDS
from eai.errors import InputError, UnknownNameError
from eai.report.record import Record

if TYPE_CHECKING:
    from eai.contract import Suite
    from eai.report.report import Report

__all__ = ["GROUPINGS", "By", "grouped", "length_bins", "range_text"]

GROUPINGS = ("model", "category", "length", "goal_kind")
"""What the rows of a table are, by name; all but the first are groups within each model."""

By = Union[str, Callable[[Record], "Hashable | None"]]
"""One of :data:`GROUPINGS`, or a function that says to which group a record belongs."""

MOST_BINS = 6
"""Into so many bins are lengths put."""


def grouped(
    report: Report, by: By, *, suite: str | Suite | None = None
) -> dict[str, dict[object, list[Record]]]:
    """Return the records by model and group; groups in their order, ``None`` is left out.

    A group by length is the first and the last length of a bin.

    Args:
        report: The evaluated answers.
        by: What to group by, within each model. ``"category"`` is the name of a task; ``"length"``
            the number of steps of its reference plan, in bins with about as many tasks each;
            ``"goal_kind"`` the kinds of conditions that its goal has.
        suite: The suite that knows the reference plans; by default the one that the report names.

    Raises:
        UnknownNameError: If there is no such group.
        InputError: If no record belongs to a group, or if the suite is not known.
    """
    group_of = _function(report, by, suite)
    found: dict[str, dict[object, list[Record]]] = {model: {} for model in report.models}
    for record in report.records:
        group = group_of(record)
        if group is not None:
            found[record.model].setdefault(group, []).append(record)
    if report.records and not any(found.values()):
        raise InputError(f"no item belongs to a group by {by}", expected="at least one that does")
    return {model: _sorted(groups) for model, groups in found.items()}


def _function(report: Report, by: By, suite: str | Suite | None) -> Callable[[Record], object]:
    if callable(by):
        return by
    if by == "category":
        return lambda record: record.name
    if by == "goal_kind":
        return _goal_kinds
    if by == "length":
        return _lengths(report.records, _suite(report, suite))
    raise UnknownNameError("group", by, GROUPINGS, where="table")


def _sorted(groups: dict[object, list[Record]]) -> dict[object, list[Record]]:
    """In the order of the groups if they have one, else as they came."""
    try:
        return {group: groups[group] for group in sorted(groups)}  # type: ignore[type-var]
    except TypeError:
        return groups


def _goal_kinds(record: Record) -> str | None:
    result = record.result
    kinds = {goal.kind for goal in result.goals}
    kinds |= {match.kind for match in result.matches if match.tp + match.fn > 0}
    return " + ".join(kind for kind in GOAL_KINDS if kind in kinds) or None


def _lengths(records: Iterable[Record], suite: Suite) -> Callable[[Record], object]:
    tasks = dict.fromkeys(r.task for r in records if r.result.status != "excluded")
    plans = {task: suite.task(task).plans for task in tasks}
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


def _suite(report: Report, given: str | Suite | None) -> Suite:
    from eai.registry import given_suite, suite, suites

    if given is not None:
        return given_suite(given)
    # A report is data, from anywhere: it must not choose what is imported.
    if not suites().announces(report.setting.suite):
        raise InputError(
            f"no installed package announces the suite {report.setting.suite!r}",
            where="table",
            expected="the suite, for the reference plans of its tasks",
            mend="say where it is: table(by='length', suite='module:attribute')",
        )
    return suite(report.setting.suite)
