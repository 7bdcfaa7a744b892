"""What the page shows of an item beyond its record: found by running the answer again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from eai.abilities.plans import repair
from eai.contract import INTERACTION, PLANS, RECORDED, Suite, version_of
from eai.contract.registry import suite as find_suite
from eai.diagnosis import Result
from eai.errors import EaiError
from eai.logic import Evaluation
from eai.report.explanation import (
    StepChange,
    behaviour_lines,
    behaviours_of,
    steps_of,
    suite_of,
    trajectory_of,
    with_evidence,
)
from eai.report.record import Record
from eai.report.results import Results
from eai.semantics import Semantics
from eai.world import Trajectory

_TASKS = 512
"""So many tasks are kept: records of one model after the other come back to the same ones."""


class TruthRow(NamedTuple):
    """The truth of a part of the goal over time.

    Args:
        truth: For each position of the trajectory whether it is true; the first is the start.
    """

    text: str
    truth: tuple[bool, ...]


class Details(NamedTuple):
    """What is known of an item beyond its record.

    Args:
        instruction: What the agent was told.
        steps: The steps of the plan, each with what it changed.
        positions: For each position of the rows of truth the number of the step before it.
        truth: Truth of the goal and its parts.
        repair: The least change that makes the plan work, one edit a line; None if it was not
            looked for.
        behaviours: What the agent does wrong over several turns of an episode, one line each.
        result: The result, with the evidence that words are made from; None if the answer
            was not evaluated again.
    """

    instruction: str = ""
    steps: tuple[StepChange, ...] = ()
    positions: tuple[int, ...] = ()
    truth: tuple[TruthRow, ...] = ()
    repair: tuple[str, ...] | None = None
    result: Result | None = None
    behaviours: tuple[str, ...] = ()


Reader = Callable[[Record], "Details | None"]
"""Finds the details of a record; None if there are none."""


def details_reader(suite: Suite, semantics: Semantics, *, repairs: bool = False) -> Reader:
    """Return what finds the details of a suite's records."""
    task_of = lru_cache(maxsize=_TASKS)(suite.task)

    def read(record: Record) -> Details | None:
        try:
            task = task_of(record.task)
            record = with_evidence(record, task, suite, semantics)
            trajectory = trajectory_of(record, task, suite, semantics)
            behaviours = behaviours_of(record, task, suite, semantics)
        except EaiError:
            # The suite has changed since, or its data are gone: the record is all there is.
            return None
        edits: tuple[str, ...] | None = None
        result, plan = record.result, record.ability == PLANS
        if repairs and plan and result.status == "evaluated" and not result.success:
            with suppress(EaiError):
                found = repair(task, record.output).edits
                edits = None if found is None else tuple(map(str, found))
        return Details(
            task.instruction,
            tuple(steps_of(record, trajectory)),
            *_truth(record, trajectory),
            repair=edits,
            result=result,
            behaviours=tuple(behaviour_lines(behaviours)),
        )

    return read


def reader_of(
    report: Results, suite: str | Suite | None = None, *, repairs: bool = False
) -> Reader | None:
    """Return what finds the details of a report's records.

    None if its answers are neither plans nor episodes.

    Args:
        report: The report.
        suite: Its suite, or the name; by default the announced suite that the report names.
        repairs: Whether to look for the least repair of every plan that failed.

    Raises:
        InputError: If the report is not of that suite, or names none that is announced.
        UnknownNameError: If the suite has no such quirks as the report names.
        DataMissingError: If the suite's data was not fetched.
    """
    if report.setting.ability not in (PLANS, INTERACTION, RECORDED) or not report.records:
        return None
    chosen = suite_of(report.records[0], suite)
    meaning = Semantics.spelled(
        report.setting.semantics, chosen.quirks, version=chosen.official_version
    )
    return details_reader(chosen, meaning, repairs=repairs)


def reader_at_hand(report: Results) -> Reader | None:
    """Return what :func:`reader_of` finds; None if the suite is not there in the same version."""
    try:
        found = reader_of(report)
        if found is None:
            return None
        suite = find_suite(report.setting.suite)
    except EaiError:
        return None
    same = version_of(suite, report.setting.ability) == report.setting.version
    return found if same else None


def _truth(
    record: Record, trajectory: Trajectory | None
) -> tuple[tuple[int, ...], tuple[TruthRow, ...]]:
    """The truth of the evaluated goal conditions at every position."""
    if trajectory is None:
        return (), ()
    evaluation = Evaluation(trajectory)
    rows = []
    for goal in record.result.goals:
        if goal.formula is not None:
            truth = evaluation.truth(goal.formula)
            values = tuple(bool(truth >> position & 1) for position in range(trajectory.length))
            rows.append(TruthRow(goal.text, values))
    return (0, *(step.number for step in trajectory.steps)), tuple(rows)
