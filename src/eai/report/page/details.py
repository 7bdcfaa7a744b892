"""Details of an item that its record does not hold: the answer is run again to find them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from eai.abilities.plans import repair
from eai.contract import INTERACTION, PLANS, RECORDED, Suite
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
from eai.task import Task
from eai.world import Trajectory

_MAX_TASKS = 512
"""Maximum number of tasks held: the records of each model are about the same ones."""


class PartTruth(NamedTuple):
    """The truth of a part of the goal over time.

    Args:
        truth: For each position of the trajectory whether it is true; the first is the start.
    """

    text: str
    truth: tuple[bool, ...]


class Details(NamedTuple):
    """Details of an item that are computed by running its answer again.

    Args:
        instruction: Instruction that the agent was given.
        steps: Steps of the plan, each with its effects.
        positions: For each position of the rows of truth, the number of the step before it.
        truth: Truth of the goal and its parts.
        repair: Minimal repair of the plan, one edit a line; None if none was searched for or found.
        behaviours: Faulty behaviours of an episode, one line each.
        result: The result, with the evidence that words are made from; None if the answer
            was not evaluated again.
    """

    instruction: str = ""
    steps: tuple[StepChange, ...] = ()
    positions: tuple[int, ...] = ()
    truth: tuple[PartTruth, ...] = ()
    repair: tuple[str, ...] | None = None
    result: Result | None = None
    behaviours: tuple[str, ...] = ()


Reader = Callable[[Record], "Details | None"]
"""Function that returns the details of a record, or None if there are none."""


def details_reader(suite: Suite, semantics: Semantics, *, repairs: bool = False) -> Reader:
    """Return a function that computes the details of a suite's records.

    Args:
        suite: The suite.
        semantics: Semantics under which the answers are run again.
        repairs: Whether to search for a minimal repair of every plan that failed.
    """
    task_of = lru_cache(maxsize=_MAX_TASKS)(suite.task)

    def read_details(record: Record) -> Details | None:
        """Return the details of one record; None if its answer cannot be run again."""
        try:
            task = task_of(record.task)
            record = with_evidence(record, task, suite, semantics)
            trajectory = trajectory_of(record, task, suite, semantics)
            behaviours = behaviours_of(record, task, suite, semantics)
        except EaiError:
            # The suite has changed since, or its data are gone, so the answer cannot be run.
            return None
        edits = None
        if repairs:  # a search, which may take seconds
            edits = _find_repair(record, task)
        positions, truth = _truth_over_time(record, trajectory)
        return Details(
            task.instruction,
            tuple(steps_of(record, trajectory)),
            positions,
            truth,
            repair=edits,
            result=record.result,
            behaviours=tuple(behaviour_lines(behaviours)),
        )

    return read_details


def _find_repair(record: Record, task: Task) -> tuple[str, ...] | None:
    """Return a minimal repair of a failed plan as lines, or None if there is none."""
    result = record.result
    if record.ability != PLANS or result.status != "evaluated" or result.success:
        return None
    try:
        edits = repair(task, record.output).edits
    except EaiError:
        return None
    if edits is None:
        return None
    return tuple(map(str, edits))


def reader_of(
    report: Results, suite: str | Suite | None = None, *, repairs: bool = False
) -> Reader | None:
    """Return a function that computes the details of a report's records, or None.

    The result is None if the answers are neither plans nor episodes.

    Args:
        report: The report.
        suite: Its suite, or the name; by default the announced suite that the report names.
        repairs: Whether to search for a minimal repair of every plan that failed.

    Raises:
        InputError: If the report is not of that suite, or names one that no package announces.
        UnknownNameError: If the suite has no such quirks as the report names.
        DataMissingError: If the suite's data was not fetched.
    """
    if report.setting.ability not in (PLANS, INTERACTION, RECORDED) or not report.records:
        return None
    chosen_suite = suite_of(report.records[0], suite)
    profile = Semantics.spelled(
        report.setting.semantics, chosen_suite.quirks, version=chosen_suite.official_version
    )
    return details_reader(chosen_suite, profile, repairs=repairs)


def reader_at_hand(report: Results) -> Reader | None:
    """Return :func:`reader_of` a report, or None without the same version of its suite."""
    suite = report.suite_at_hand
    if suite is None:
        return None
    try:
        return reader_of(report, suite)
    except EaiError:
        return None


def _truth_over_time(
    record: Record, trajectory: Trajectory | None
) -> tuple[tuple[int, ...], tuple[PartTruth, ...]]:
    """Return the truth of each goal condition at each position of a trajectory.

    Returns:
        The number of the step before each position (0 at the start), and a row of truth values for
        each condition with a formula.
    """
    if trajectory is None:
        return (), ()
    evaluation = Evaluation(trajectory)
    rows = []
    for goal in record.result.goals:
        if goal.formula is None:
            continue
        # The truth is a number with a bit for each position; the lowest bit is the start.
        truth = evaluation.truth(goal.formula)
        values = tuple(bool(truth >> position & 1) for position in range(trajectory.length))
        rows.append(PartTruth(goal.text, values))
    positions = (0, *(step.number for step in trajectory.steps))
    return positions, tuple(rows)
