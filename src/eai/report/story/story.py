"""The story of one judged answer, as text and as notebooks show it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from eai.diagnosis.judgement import Condition, Finding, Judgement, Match
from eai.diagnosis.taxonomy import ErrorKind
from eai.logic.picture import TruthPicture
from eai.report.printable import printable
from eai.report.record import Record
from eai.report.story.chapters import Chapter
from eai.report.story.goals import why_unmet

__all__ = ["Story"]

_STEP = ("Step", "Action", "Outcome", "Became true", "Became false", "What is wrong")
_GOAL = ("Goal", "", "Since step", "Lost by step", "What is the case")


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
        # Names come from answers, which may hold anything: nothing may steer the terminal.
        return "\n".join(map(_shown, self._lines()))

    def _lines(self) -> Iterator[str]:
        judgement = self.record.judgement
        yield from self._head()
        for finding in self._loose():
            yield f"  {finding.kind}: {finding.message}"
        for chapter in self.chapters:
            yield from _chapter(chapter)
        yield from map(_compared, judgement.matches)
        if judgement.tried:
            yield from _goals(judgement)
        yield from _formula(judgement)
        if self.picture is not None:
            yield from (f"    {line}" for line in str(self.picture).split("\n"))

    def _head(self) -> Iterator[str]:
        record, judgement = self.record, self.record.judgement
        yield f"{record.suite} {record.task}: {record.name} ({record.model}, {record.semantics})"
        if self.instruction:
            yield f"  {self.instruction}"
        yield f"Verdict: {_verdict(judgement)}"
        for note in (*self.remarks, *judgement.notes):
            yield f"  note: {note}"
        if _names_nothing_like(judgement):
            yield f"  note: eai tasks {record.suite} {record.task} lists the objects that there are"

    def _loose(self) -> Iterator[Finding]:
        """The findings that belong to no step that is told (goal findings have their place)."""
        for finding in self.record.judgement.findings:
            told = finding.step is not None and finding.step <= len(self.chapters)
            if not told and not finding.kind.value.endswith("_goal"):
                yield finding

    def _repr_html_(self) -> str:
        from eai.display import folded, preformatted, stacked, table

        record, judgement = self.record, self.record.judgement
        goals = (_goal(goal, judgement) for goal in judgement.goals if judgement.tried)
        loose = ((f.kind, f.message) for f in judgement.findings if f.step is None)
        return stacked(
            table((), self._about(), caption=f"{record.suite} {record.task}: {record.name}"),
            table(_STEP, map(_step, self.chapters)),
            table(("Error", "What is wrong"), loose),
            table(_GOAL, goals),
            preformatted(judgement.formula_reason) if judgement.formula_reason else "",
            preformatted(str(self.picture)) if self.picture is not None else "",
            folded("The answer as it was given", preformatted(record.output)),
        )

    def _about(self) -> Iterator[tuple[str, str]]:
        if self.instruction:
            yield "Instruction", self.instruction
        yield "Model", f"{self.record.model} ({self.record.semantics})"
        yield "Verdict", self.record.judgement.verdict
        for remark in (*self.remarks, *self.record.judgement.notes):
            yield "Note", remark


def _step(chapter: Chapter) -> tuple[object, ...]:
    wrong = "; ".join(f"{finding.kind}: {finding.message}" for finding in chapter.findings)
    changes = (", ".join(chapter.added), ", ".join(chapter.deleted))
    return (chapter.number, chapter.action, chapter.outcome, *changes, wrong)


def _goal(goal: Condition, judgement: Judgement) -> tuple[object, ...]:
    met = "met" if goal.met else "unmet"
    return goal.text, met, goal.since, goal.lost_by, why_unmet(goal, judgement)


def _shown(line: str) -> str:
    return printable(line).replace("\n", " ").replace("\t", " ")


def _names_nothing_like(judgement: Judgement) -> bool:
    """Whether an object is unknown and nothing is said of what may be meant."""
    unknown = [f.message for f in judgement.findings if f.kind == ErrorKind.OBJECT_HALLUCINATION]
    explained = {message.partition("; ")[0] for message in unknown if "; " in message}
    return not explained.issuperset(message.partition("; ")[0] for message in unknown)


def _chapter(chapter: Chapter) -> Iterator[str]:
    yield f"{chapter.number:3} {chapter.action}  [{chapter.outcome}]"
    for mark, texts in (("+", chapter.added), ("-", chapter.deleted)):
        if texts:
            yield f"      {mark} {', '.join(texts)}"
    for finding in chapter.findings:
        yield f"      {finding.kind}: {finding.message}"


def _goals(judgement: Judgement) -> Iterator[str]:
    if judgement.goals:
        yield "Goal"
    for goal in judgement.goals:
        word = "met  " if goal.met else "unmet"
        yield f"  {word} {goal.text}{_fate(goal)}"
        why = why_unmet(goal, judgement)
        if why:
            yield f"        {why}"


def _formula(judgement: Judgement) -> Iterator[str]:
    if judgement.formula:
        holds = {True: "true", False: "false", None: "not judged"}[judgement.formula_holds]
        yield f"Formula: {judgement.formula}"
        yield f"  {holds}{': ' if judgement.formula_reason else ''}{judgement.formula_reason}"


def _fate(goal: Condition) -> str:
    since = goal.since
    if goal.lost_by is not None:
        return f" (lost by step {goal.lost_by})"
    if since is None:
        return ""
    if goal.kind == "action":
        return f" (in step {since})"
    return f" (since step {since})" if since else " (from the start)"


def _compared(match: Match) -> str:
    return f"  {match.kind}: {match.tp} right, {match.fp} wrong, {match.fn} missed"


def _verdict(judgement: Judgement) -> str:
    if judgement.status != "judged":
        return judgement.status
    if judgement.outcome and not judgement.plan:
        return f"{'solved' if judgement.success else 'not solved'} (search: {judgement.outcome})"
    if judgement.matches:
        return "right" if judgement.success else "not all right"
    solved = "solved" if judgement.success else "not solved"
    runs = "executable" if judgement.executable else "not executable"
    return f"{solved}, {runs}"
