"""A judgement as notebooks show it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from eai.display import preformatted, stacked, table

if TYPE_CHECKING:
    from eai.diagnosis.judgement import Judgement

__all__ = ["judgement_html", "verdict"]


def judgement_html(judgement: Judgement) -> str:
    """Return the verdict, the steps, what is wrong, the goal and what was compared."""
    findings = ((f.kind, "" if f.step is None else f.step, f.message) for f in judgement.findings)
    judged = judgement.goals if judgement.tried else ()
    goals = ((g.kind, g.text, "met" if g.met else "unmet") for g in judged)
    matches = ((m.kind, m.tp, m.fp, m.fn) for m in judgement.matches)
    return stacked(
        table((), [("Verdict", verdict(judgement)), *_remarks(judgement)]),
        table(("Step", "Action", "Outcome"), _steps(judgement)),
        table(("Error", "Step", "What is wrong"), findings),
        table(("Goal", "Condition", ""), goals),
        table(("Compared", "Right", "Wrong", "Missed"), matches),
        preformatted(judgement.formula_reason) if judgement.formula_reason else "",
    )


def verdict(judgement: Judgement) -> str:
    """Return the verdict in words."""
    if judgement.status != "judged":
        return judgement.status
    solved = "solved" if judgement.success else "not solved"
    return f"{solved} ({judgement.outcome})" if judgement.outcome else solved


def _steps(judgement: Judgement) -> Iterator[tuple[object, ...]]:
    for number, (action, outcome) in enumerate(
        zip(judgement.plan, judgement.executed, strict=False), start=1
    ):
        yield number, action, outcome


def _remarks(judgement: Judgement) -> Iterator[tuple[str, str]]:
    for note in judgement.notes:
        yield "Note", note
    if judgement.formula:
        holds = {True: "true", False: "false", None: "not judged"}[judgement.formula_holds]
        yield "Formula", f"{judgement.formula}: {holds}"
