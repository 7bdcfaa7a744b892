"""The story of an item as notebooks show it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from eai.display import folded, preformatted, stacked, table
from eai.report.story_text import why_unmet

if TYPE_CHECKING:
    from eai.report.story import Chapter, Story

__all__ = ["story_html"]

_STEP = ("Step", "Action", "Outcome", "Became true", "Became false", "What is wrong")


def story_html(story: Story) -> str:
    """Return what every step changed and what is wrong with it, the goal, and the answer."""
    record, judgement = story.record, story.record.judgement
    goals = (
        (
            goal.text,
            "met" if goal.met else "unmet",
            goal.since,
            goal.lost_by,
            why_unmet(goal, judgement),
        )
        for goal in judgement.goals
        if judgement.tried
    )
    loose = ((f.kind, f.message) for f in judgement.findings if f.step is None)
    return stacked(
        table((), _heading(story), caption=f"{record.suite} {record.task}: {record.name}"),
        table(_STEP, map(_step, story.chapters)),
        table(("Error", "What is wrong"), loose),
        table(("Goal", "", "Since step", "Lost by step", "What is the case"), goals),
        preformatted(judgement.formula_reason) if judgement.formula_reason else "",
        preformatted(str(story.picture)) if story.picture is not None else "",
        folded("The answer as it was given", preformatted(record.output)),
    )


def _heading(story: Story) -> Iterator[tuple[str, str]]:
    if story.instruction:
        yield "Instruction", story.instruction
    yield "Model", f"{story.record.model} ({story.record.semantics})"
    yield "Verdict", story.record.judgement.verdict
    for remark in (*story.remarks, *story.record.judgement.notes):
        yield "Note", remark


def _step(chapter: Chapter) -> tuple[object, ...]:
    wrong = "; ".join(f"{finding.kind}: {finding.message}" for finding in chapter.findings)
    changes = (", ".join(chapter.added), ", ".join(chapter.deleted))
    return (chapter.number, chapter.action, chapter.outcome, *changes, wrong)
