"""The chapters of a story: each step of the plan, what it changed and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from eai.diagnosis.judgement import Finding
from eai.logic.formula import Atom
from eai.logic.printer import format_formula
from eai.report.record import Record
from eai.simulators.base import Execution

__all__ = ["Chapter", "chapters_of"]

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
