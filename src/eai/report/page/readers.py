"""What the page of a report tells of an item beyond its record, by running the answer again."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from eai.errors import EaiError
from eai.logic.evaluation import Evaluation
from eai.logic.printer import format_formula
from eai.registry import suite as find_suite
from eai.report.page.details import Details, Moment, Reader, TruthRow
from eai.report.record import Record
from eai.report.results import Results
from eai.report.story import chapters_of, execution_of, suite_of
from eai.semantics import Semantics
from eai.simulators.base import Execution
from eai.suites.abilities import PLANS
from eai.suites.base import Suite
from eai.task import Task

__all__ = ["details_reader", "reader_at_hand", "reader_of"]

_TASKS = 512
"""So many tasks are kept: records of one model after the other come back to the same ones."""


def details_reader(suite: Suite, semantics: Semantics, *, repairs: bool = False) -> Reader:
    """Return what finds the details of a suite's records.

    Args:
        suite: The suite.
        semantics: The semantics under which the records were judged.
        repairs: Whether to look for the least repair of every plan that failed (up to some
            seconds for each).
    """
    task_of = lru_cache(maxsize=_TASKS)(suite.task)

    def read(record: Record) -> Details | None:
        try:
            task = task_of(record.task)
            execution = execution_of(record, task, suite, semantics)
        except EaiError:
            # The suite has changed since, or its data are gone: the record is all there is.
            return None
        return Details(
            task.instruction,
            tuple(Moment(each.added, each.deleted) for each in chapters_of(record, execution)),
            *_truth(record, task, execution),
            repair=_repair(record, task) if repairs else None,
        )

    return read


def reader_of(
    report: Results, suite: str | Suite | None = None, *, repairs: bool = False
) -> Reader | None:
    """Return what finds the details of a report's records; None if its answers are no plans.

    Args:
        report: The report.
        suite: Its suite, or the name; by default the announced suite that the report names.
        repairs: Whether to look for the least repair of every plan that failed.

    Raises:
        InputError: If the report is not of that suite, or names none that is announced.
        UnknownNameError: If the suite has no such quirks as the report names.
        DataMissingError: If the suite's data was not fetched.
    """
    if report.setting.ability != PLANS or not report.records:
        return None
    chosen = suite_of(report.records[0], suite)
    meaning = Semantics.spelled(
        report.setting.semantics, chosen.quirks, version=chosen.official_version
    )
    return details_reader(chosen, meaning, repairs=repairs)


def reader_at_hand(report: Results) -> Reader | None:
    """Return what :func:`reader_of` finds; None if the suite is not there in the same version.

    Args:
        report: The report.
    """
    try:
        found = reader_of(report)
        same = found is not None and find_suite(report.setting.suite).version
    except EaiError:
        return None
    return found if same == report.setting.version else None


def _truth(
    record: Record, task: Task, execution: Execution | None
) -> tuple[tuple[int, ...], tuple[TruthRow, ...]]:
    """The truth of the judged goal conditions at every position."""
    if execution is None:
        return (), ()
    trajectory = execution.trajectory
    evaluation = Evaluation(trajectory)
    known = {
        format_formula(formula): formula for option in task.goal.final for _, formula in option
    }
    rows = [
        TruthRow(
            goal.text, 0, tuple(_values(evaluation.truth(known[goal.text]), trajectory.length))
        )
        for goal in record.judgement.goals
        if goal.text in known
    ]
    return (0, *(step.number for step in trajectory.steps)), tuple(rows)


def _values(truth: int, length: int) -> Iterator[bool]:
    for position in range(length):
        yield bool(truth >> position & 1)


def _repair(record: Record, task: Task) -> tuple[str, ...] | None:
    from eai.remedy import repair

    judgement = record.judgement
    if judgement.success or judgement.status != "judged" or record.ability != PLANS:
        return None
    try:
        found = repair(task, record.output)
    except EaiError:
        return None
    return None if found.edits is None else tuple(map(str, found.edits))
