"""Telling the story of an item by running its answer again.

A record keeps the verdicts; the story runs the answer again in the same world under the same
semantics, so that it can show what changed at every step.
"""

from __future__ import annotations

from collections.abc import Iterable

from eai.errors import InputError, told
from eai.logic.formula import walk
from eai.logic.picture import TruthPicture, truth_table
from eai.registry import given_suite, suite as find_suite, suites
from eai.report.record import Record
from eai.report.story.chapters import chapters_of
from eai.report.story.story import Story
from eai.semantics import Semantics
from eai.simulators.base import Execution
from eai.suites.abilities import PLANS
from eai.suites.base import Suite
from eai.task import Task

__all__ = ["execution_of", "suite_of", "tell"]

_FEW_PARTS = 8
"""Goal formulas with more parts than this are not drawn."""

_FEW_POSITIONS = 24
"""Nor are they on longer trajectories."""


def tell(
    record: Record, *, suite: str | Suite | None = None, semantics: str | Semantics | None = None
) -> Story:
    """Run a record's answer again and tell what happened.

    Args:
        record: The record.
        suite: The suite that it is from, or its name (``module:attribute`` too); by default
            the announced suite that the record names.
        semantics: The semantics that was used; resolved from the record if not given.

    Raises:
        InputError: If it is no record, or not of the suite that is given, or if it names none that
            is announced.
        UnknownNameError: If the task is not known (any more), or the semantics.
        DataMissingError: If the suite's data was not fetched.
    """
    if not isinstance(record, Record):
        raise InputError(
            f"{told(record)} is no record",
            expected="one record of a report: what became of one answer",
            mend="eai.tell(report.failures()[0]), or one of report.records with record.task == ...",
        )
    chosen = suite_of(record, suite)
    meaning = (
        Semantics.spelled(record.semantics, chosen.quirks, version=chosen.official_version)
        if semantics is None
        else chosen.semantics(semantics)
    )
    task = chosen.task(record.task)
    execution = execution_of(record, task, chosen, meaning)
    return Story(
        record,
        task.instruction,
        tuple(chapters_of(record, execution)),
        tuple(_remarks(record, chosen)),
        _picture(task, execution),
    )


def suite_of(record: Record, given: str | Suite | None = None) -> Suite:
    """Return the suite of a record.

    Args:
        record: The record.
        given: The suite, or its name; by default the announced suite that the record names.

    Raises:
        InputError: If the record is not of the suite that is given, or names none that is
            announced.
    """
    if given is not None:
        chosen = given_suite(given)
        if chosen.name != record.suite:
            raise InputError(
                f"the record is of the suite {record.suite!r}, not of {chosen.name!r}",
                expected=f"the suite {record.suite!r}",
            )
        return chosen
    # A record is data, from anywhere: it must not choose what is imported.
    if not suites().announces(record.suite):
        known = [origin.name for origin in suites().origins()]
        raise InputError(
            f"the record is of the suite {record.suite!r}, which no installed package announces",
            expected=f"a record of {', '.join(known)}",
            mend="say where the suite is (suite=..., --suite module:attribute)",
        )
    return find_suite(record.suite)


def _remarks(record: Record, suite: Suite) -> Iterable[str]:
    if record.version != suite.version:
        yield (
            f"judged with version {record.version} of the suite, told with {suite.version}: "
            "steps and verdict may not fit together"
        )


def execution_of(
    record: Record, task: Task, suite: Suite, semantics: Semantics
) -> Execution | None:
    """Run a record's answer again, if it is a plan and any step of it was done; else None.

    Args:
        record: The record.
        task: Its task.
        suite: Its suite.
        semantics: The semantics under which it was judged.
    """
    judgement = record.judgement
    if record.ability != PLANS:
        return None
    if judgement.status == "judged" and any(done == "done" for done in judgement.executed):
        return suite.execution(task, record.output, semantics)
    return None


def _picture(task: Task, execution: Execution | None) -> TruthPicture | None:
    """Truth over time of a goal formula of a few parts, for a plan of a few steps."""
    formula = task.goal.formula
    if formula is None or execution is None or execution.trajectory.length > _FEW_POSITIONS:
        return None
    if sum(1 for _ in walk(formula)) > _FEW_PARTS:
        return None
    numbers = [step.number for step in execution.trajectory.steps]
    return truth_table(formula, execution.trajectory, numbers=numbers)
