"""What a page shows of one item: short texts that are safe to print, in reading order."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from eai.diagnosis.judgement import Condition, Finding, Judgement
from eai.report.printable import cut, short
from eai.report.record import Record

__all__ = ["Item", "Note", "Step", "item", "reason"]

# Bounds for one item, so that no answer can blow up the page.
_MOST_STEPS = 200
_MOST_NOTES = 50
_MOST_CHARACTERS = 4096


class Step(NamedTuple):
    """One step of the plan.

    Args:
        text: The step.
        fate: ``"done"``, ``"skipped"``, ``"failed"`` or ``"not reached"``; empty if nothing
            was executed.
    """

    text: str
    fate: str


class Note(NamedTuple):
    """Something said about the item.

    Args:
        label: What it is, in a word or two.
        text: One sentence, or one condition.
        details: More about it, one line each.
    """

    label: str
    text: str
    details: tuple[str, ...] = ()


class Item(NamedTuple):
    """One item.

    Args:
        steps: The plan.
        findings: What is wrong.
        unmet: Goal conditions that are not met.
        met: Goal conditions that are met.
        formula: The goal's formula with its verdict; None if there is none.
        remarks: How the answer was read, and what was left out here.
        output: The answer, or its beginning.
        cut: What was cut from the answer; empty if nothing.
    """

    steps: tuple[Step, ...]
    findings: tuple[Note, ...]
    unmet: tuple[Note, ...]
    met: tuple[Note, ...]
    formula: Note | None
    remarks: tuple[str, ...]
    output: str
    cut: str


def item(record: Record) -> Item:
    """Collect what a page shows of a record."""
    judgement = record.judgement
    goals = judgement.goals[:_MOST_NOTES] if judgement.tried else ()
    executed = bool(judgement.executed)
    output, output_cut = cut(record.output, _MOST_CHARACTERS)
    return Item(
        steps=tuple(_steps(judgement)),
        findings=tuple([_finding(finding) for finding in judgement.findings[:_MOST_NOTES]]),
        unmet=tuple([_unmet(goal, executed=executed) for goal in goals if not goal.met]),
        met=tuple([_met(goal) for goal in goals if goal.met]),
        formula=_formula(judgement),
        remarks=tuple(_remarks(judgement)),
        output=output,
        cut=output_cut,
    )


def reason(judgement: Judgement) -> str:
    """Say in a few words why an item failed, or else how it ended."""
    if judgement.status == "missing":
        return "no prediction"
    if judgement.status == "excluded":
        return next(iter(judgement.notes), "left out")
    parts = list(dict.fromkeys([_words(finding.kind.value) for finding in judgement.findings]))
    unmet = sum([not goal.met for goal in judgement.goals])
    if unmet and judgement.tried:
        parts.append(f"{unmet} of {len(judgement.goals)} goal conditions unmet")
    return ", ".join(parts) or ("solved" if judgement.success else "goal not reached")


def _steps(judgement: Judgement) -> Iterator[Step]:
    fates = judgement.executed
    for index, text in enumerate(judgement.plan[:_MOST_STEPS]):
        yield Step(short(text), fates[index] if index < len(fates) else "")


@lru_cache(maxsize=1 << 10)
def _finding(finding: Finding) -> Note:
    return Note(_words(finding.kind.value), short(finding.message, 2000), tuple(_more(finding)))


def _more(finding: Finding) -> Iterator[str]:
    if finding.step is not None:
        yield f"step {finding.step}: {short(finding.action)}".removesuffix(": ")
    for condition in finding.conditions[:_MOST_NOTES]:
        yield f"needs {short(condition)}"
    if finding.held_until is not None:
        yield f"last held {_moment(finding.held_until)}"
    if finding.destroyed_by is not None:
        yield f"made false by step {finding.destroyed_by}"
    if finding.position is not None:
        yield f"at character {finding.position + 1:,} of the answer"


def _moment(step: int) -> str:
    return f"after step {step}" if step else "at the start"


def _unmet(goal: Condition, *, executed: bool) -> Note:
    return Note(goal.kind, short(goal.text), tuple(_fate(goal)) if executed else ())


def _met(goal: Condition) -> Note:
    return Note(goal.kind, short(goal.text), () if goal.since is None else (_since(goal.since),))


def _fate(goal: Condition) -> Iterator[str]:
    if goal.since is None:
        yield "never taken" if goal.kind == "action" else "never held"
    else:
        yield _since(goal.since)
    if goal.lost_by is not None:
        yield f"lost by step {goal.lost_by}"


def _since(step: int) -> str:
    return f"true from step {step}" if step else "true from the start"


def _formula(judgement: Judgement) -> Note | None:
    if not judgement.formula:
        return None
    verdict = {True: "holds", False: "does not hold", None: "was not evaluated"}
    reason = (short(judgement.formula_reason, 2000),) if judgement.formula_reason else ()
    return Note(verdict[judgement.formula_holds], short(judgement.formula, 2000), reason)


def _remarks(judgement: Judgement) -> Iterator[str]:
    yield from (short(note) for note in judgement.notes[:_MOST_NOTES])
    for what, shown, most in (
        ("steps", len(judgement.plan), _MOST_STEPS),
        ("findings", len(judgement.findings), _MOST_NOTES),
        ("goal conditions", len(judgement.goals), _MOST_NOTES),
        ("remarks", len(judgement.notes), _MOST_NOTES),
    ):
        if shown > most:
            yield f"the first {most} of {shown:,} {what} are shown"


def _words(key: str) -> str:
    return key.replace("_", " ")
