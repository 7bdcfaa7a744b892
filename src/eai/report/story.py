"""The story of one item: what every step did, what went wrong, and why.

A record keeps the verdicts; the story runs the answer again in the same world under the same
semantics, so that it can show what changed at every step.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from eai.diagnosis.judgement import Finding
from eai.errors import InputError, told
from eai.logic.formula import Atom, walk
from eai.logic.picture import TruthPicture, truth_table
from eai.logic.printer import format_formula
from eai.registry import checked_suite, suites
from eai.registry import suite as find_suite
from eai.report.record import Record
from eai.semantics import Semantics
from eai.simulators.base import Execution
from eai.suites.base import Suite
from eai.task import Task

__all__ = ["Chapter", "Story", "chapters_of", "execution_of", "suite_of", "tell"]

_FEW_PARTS = 8
"""Goal formulas with more parts than this are not drawn."""

_FEW_POSITIONS = 24
"""Nor are they on longer trajectories."""

_CROWD = 4
"""A step that changes more atoms of one predicate than this has them counted, not listed."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """One step of the plan.

    Args:
        number: 1-based number.
        action: The step.
        outcome: ``"done"``, ``"skipped"``, ``"failed"`` or ``"not reached"``.
        added: What became true, as text; many atoms of one predicate are counted.
        deleted: What became false.
        findings: What is wrong with it.
    """

    number: int
    action: str
    outcome: str
    added: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Story:
    """The story of one judged answer.

    Args:
        record: The record that it is about.
        instruction: What the agent was told.
        chapters: The steps, in order.
        remarks: What to keep in mind, such as a suite that changed since.
        picture: Truth of the goal formula and its parts over time, if it is short.
    """

    record: Record
    instruction: str
    chapters: tuple[Chapter, ...]
    remarks: tuple[str, ...] = ()
    picture: TruthPicture | None = None

    def __str__(self) -> str:
        from eai.report.story_text import story_text

        return story_text(self)

    def _repr_html_(self) -> str:
        from eai.report.story_display import story_html

        return story_html(self)


def tell(
    record: Record, *, suite: str | Suite | None = None, semantics: Semantics | None = None
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
        UnknownNameError: If the task is not known (any more).
        DataMissingError: If the suite's data was not fetched.
    """
    if not isinstance(record, Record):
        raise InputError(
            f"{told(record)} is no record",
            expected="one record of a report: what became of one answer",
            mend="eai.tell(report.failures()[0]), or one of report.records with record.task == ...",
        )
    chosen = suite_of(record, suite)
    meaning = semantics or Semantics.spelled(
        record.semantics, chosen.quirks, version=chosen.official_version
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
        chosen = find_suite(given) if isinstance(given, str) else checked_suite(given)
        if chosen.name != record.suite:
            raise InputError(
                f"the record is of the suite {record.suite!r}, not of {chosen.name!r}",
                expected=f"the suite {record.suite!r}",
            )
        return chosen
    known = [origin.name for origin in suites().origins()]
    # A record is data, from anywhere: it must not choose what is imported.
    if record.suite not in known:
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
    if record.ability != "action_sequencing":
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


def chapters_of(record: Record, execution: Execution | None) -> list[Chapter]:
    """Return the steps of a record's plan, each with what it changed and what is wrong with it.

    Args:
        record: The record.
        execution: What came of running it again; None if nothing was done.
    """
    judgement = record.judgement
    by_step: dict[int, list[Finding]] = {}
    for finding in judgement.findings:
        if finding.step is not None:
            by_step.setdefault(finding.step, []).append(finding)
    changes: dict[int, tuple[tuple[str, ...], tuple[str, ...]]] = {}
    if execution is not None:
        trajectory = execution.trajectory
        for position, step in enumerate(trajectory.steps, start=1):
            changes[step.number] = (
                _summary(trajectory.added(position)),
                _summary(trajectory.deleted(position)),
            )
    return [
        Chapter(
            number,
            action,
            outcome,
            *changes.get(number, ((), ())),
            findings=tuple(by_step.get(number, ())),
        )
        for number, (action, outcome) in enumerate(
            zip(judgement.plan, judgement.executed, strict=False), start=1
        )
    ]


def _summary(atoms: Iterable[Atom]) -> tuple[str, ...]:
    by_predicate: dict[str, list[Atom]] = {}
    for atom in atoms:
        by_predicate.setdefault(atom.predicate, []).append(atom)
    texts: list[str] = []
    for predicate, group in by_predicate.items():
        if len(group) > _CROWD:
            texts.append(f"{predicate} of {len(group)} pairs")
        else:
            texts += map(format_formula, group)
    return tuple(texts)
