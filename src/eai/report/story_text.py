"""The story of an item as text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from eai.diagnosis.judgement import Condition, Finding, Judgement, Match
from eai.diagnosis.taxonomy import ErrorKind
from eai.report.printable import printable

if TYPE_CHECKING:
    from eai.report.story import Chapter, Story

__all__ = ["loose_findings", "story_text", "why_unmet"]

_ACTION = re.compile(r"\b([A-Z_]+)\(([^()]+)\)")
_NAME = re.compile(r"[A-Z_]+")
_VARIABLE = re.compile(r"\b(?:exists|forall|forn \d+) (\w+)")


def story_text(story: Story) -> str:
    """Return the verdict, what every step changed and what is wrong with it, and the goal."""
    # Names come from answers, which may hold anything: nothing may steer the terminal.
    return "\n".join(_shown(line) for line in _lines(story))


def _shown(line: str) -> str:
    return printable(line).replace("\n", " ").replace("\t", " ")


def _lines(story: Story) -> Iterator[str]:
    record, judgement = story.record, story.record.judgement
    yield f"{record.suite} {record.task}: {record.name} ({record.model}, {record.semantics})"
    if story.instruction:
        yield f"  {story.instruction}"
    yield f"Verdict: {_verdict(judgement)}"
    for note in (*story.remarks, *judgement.notes):
        yield f"  note: {note}"
    if _names_nothing_like(judgement):
        yield f"  note: eai tasks {record.suite} {record.task} lists the objects that there are"
    for finding in loose_findings(story):
        yield f"  {finding.kind}: {finding.message}"
    for chapter in story.chapters:
        yield from _chapter(chapter)
    yield from map(_compared, judgement.matches)
    if judgement.tried:
        yield from _goals(judgement)
    yield from _formula(judgement)
    if story.picture is not None:
        yield from (f"    {line}" for line in str(story.picture).split("\n"))


def loose_findings(story: Story) -> Iterator[Finding]:
    """Yield the findings that belong to no step that is told (goal findings have their place)."""
    for finding in story.record.judgement.findings:
        told = finding.step is not None and finding.step <= len(story.chapters)
        if not told and not finding.kind.value.endswith("_goal"):
            yield finding


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


def why_unmet(goal: Condition, judgement: Judgement) -> str:
    """Say why a condition is not met, where its finding says more than that it is not.

    Of an action, which any object satisfies, it is said what the formula asks for.

    Args:
        goal: The condition.
        judgement: The judgement that it is from.
    """
    if goal.met:
        return ""
    found = (f.message for f in judgement.findings if f.conditions == (goal.text,) and not f.step)
    message = next(found, "")
    plain = (f"{goal.text} does not hold", f"{goal.text} was not done", f"{goal.text} never holds")
    if message == plain[1] or message.startswith((plain[0], plain[2])):
        message = ""
    asked = _asked(goal, judgement.formula) if goal.kind == "action" else ""
    return "; ".join(filter(None, (message.removesuffix(f" [{goal.text}]"), asked)))


def _asked(goal: Condition, formula: str) -> str:
    """The action with its objects, if the formula names them."""
    variables = set(_VARIABLE.findall(formula))
    actions = {
        f"{name}({objects})": None
        for name, objects in _ACTION.findall(formula)
        if name in _NAME.findall(goal.text) and variables.isdisjoint(objects.split(", "))
    }
    return f"the formula asks for {' or '.join(actions)}" if actions else ""


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
