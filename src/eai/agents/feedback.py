"""Feedback on a judged answer, as much of it as an agent shall see.

Three levels: ``"verdict"`` says that the answer failed; ``"kind"`` also which step and what kind
of error, or what kinds of goal; ``"reason"`` also why, and which conditions. Two forms: ``"chat"``
addresses the agent in our words; ``"paper"`` has the parts that the messages of the paper's
section H.2 have: the action, the name of the error, what such an error means in general, and the
unmet goals as node, edge and action goals. It never says which condition of a step failed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, get_args

from eai.agents.messages import FORMS, Form
from eai.diagnosis.judgement import GOAL_KINDS, Condition, Finding, Judgement
from eai.diagnosis.taxonomy import GRAMMAR, UNMET, ErrorKind
from eai.errors import UnknownNameError

__all__ = ["LEVELS", "Level", "give_feedback"]

Level = Literal["verdict", "kind", "reason"]
"""How much an agent is told."""

LEVELS: tuple[Level, ...] = get_args(Level)
"""All levels, the least telling first."""

_MOST = 12
"""So many findings or conditions are listed; more are counted."""

_MEANINGS = {
    ErrorKind.PARSING: "the answer is not a sequence of actions in the form that was asked for",
    ErrorKind.ACTION_HALLUCINATION: "there is no action of this name",
    ErrorKind.OBJECT_HALLUCINATION: "there is no object of this name in the task",
    ErrorKind.PREDICATE_HALLUCINATION: "there is no state or relation of this name",
    ErrorKind.ARGUMENT_NUMBER: "the action takes another number or other types of objects",
    ErrorKind.AFFORDANCE: "the object cannot be used in this way, whatever is done before",
    ErrorKind.ADDITIONAL_STEP: "what the action would bring about holds already",
    ErrorKind.MISSING_STEP: "the action needs something that no action before it has brought about",
    ErrorKind.WRONG_ORDER: "what the action needs was true earlier and is no longer so",
    ErrorKind.NO_ANSWER: "there is no answer",
    ErrorKind.BEYOND_BUDGET: "it takes too much work to find out whether the answer is right",
    ErrorKind.UNSCORABLE: "the action cannot be carried out",
}
"""What each kind of error of a step or of the text means in general."""

_GROUPS = {"state": "node", "relation": "edge", "action": "action"}
"""Kind of goal condition to the word that the paper's messages have for it."""


def give_feedback(
    judgement: Judgement, level: Level = "reason", *, form: Form = "chat", mishap: str = ""
) -> str:
    """Say what came of an answer.

    Args:
        judgement: The judgement.
        level: How much is told.
        form: In which form.
        mishap: The step that failed by chance, as text; empty if none did.

    Raises:
        UnknownNameError: If there is no such level or form.
    """
    if level not in LEVELS:
        raise UnknownNameError("level of feedback", level, LEVELS)
    if form not in FORMS:
        raise UnknownNameError("form of feedback", form, FORMS)
    if judgement.success:
        return "The plan solves the task."
    if form == "paper":
        return "\n".join(_paper(judgement, level, mishap))
    return "\n".join([*_chat(judgement, level, mishap), _AGAIN])


_AGAIN = "Write the whole plan again, from the start, in the same form."


# ---- in our words


def _chat(judgement: Judgement, level: Level, mishap: str) -> Iterator[str]:
    yield "The plan does not solve the task."
    if level == "verdict":
        return
    if mishap:
        yield f"{mishap} had no effect: the action failed by chance, and the plan ended there."
    findings = [each for each in judgement.findings if each.kind not in UNMET]
    yield from _several(
        [_kind(each) if level == "kind" else _reason(each) for each in findings], "mistakes"
    )
    unmet = [each for each in judgement.findings if each.kind in UNMET]
    if not unmet or any(each.kind in GRAMMAR for each in findings):
        return
    if level == "kind":
        yield f"At the end not all goals are met; unmet: {_counted(unmet)}."
        return
    yield "At the end not all goals are met:"
    yield from _several([f"- {each.message}" for each in unmet], "goals")


def _kind(finding: Finding) -> str:
    word = finding.kind.value.replace("_", " ")
    return f"{_place(finding)}{word}; {_MEANINGS[finding.kind]}."


def _reason(finding: Finding) -> str:
    # Its message begins with the action where there is one.
    step = "" if finding.step is None else f"Step {finding.step}, "
    return f"{step}{finding.message} ({finding.kind.value.replace('_', ' ')})."


def _place(finding: Finding) -> str:
    return "Error: " if finding.step is None else f"Step {finding.step}, {finding.action}: "


def _counted(unmet: Sequence[Finding]) -> str:
    numbers = {kind: sum(f.kind.value == f"{kind}_goal" for f in unmet) for kind in GOAL_KINDS}
    return ", ".join(f"{number} {kind}" for kind, number in numbers.items() if number)


def _several(lines: Sequence[str], what: str) -> Iterator[str]:
    yield from lines[:_MOST]
    if len(lines) > _MOST:
        yield f"... and {len(lines) - _MOST} more {what}."


# ---- with the parts of the paper's messages


def _paper(judgement: Judgement, level: Level, mishap: str) -> Iterator[str]:
    if level == "verdict":
        yield "This attempt failed."
        return
    if mishap:
        yield f"{mishap} was tried and failed, so the sequence was not executed any further."
        return
    stopping = _stopping(judgement)
    if stopping is None:
        yield from _paper_goals(judgement.goals, level)
        return
    action = f"The action {stopping.action}" if stopping.action else "The sequence"
    name = stopping.kind.value.replace("_", " ").upper()
    yield f"{action} cannot be executed as part of this sequence; the error is {name}."
    if level == "reason":
        yield f"{name} means: {_MEANINGS[stopping.kind]}."


def _stopping(judgement: Judgement) -> Finding | None:
    """What kept the plan from being executed to its end."""
    blocking = (
        each
        for each in judgement.findings
        if each.kind not in UNMET and each.kind is not ErrorKind.ADDITIONAL_STEP
    )
    return None if judgement.executable else next(blocking, None)


def _paper_goals(goals: Iterable[Condition], level: Level) -> Iterator[str]:
    yield "The sequence can be executed, but does not reach all goals."
    if level == "kind":
        return
    unmet = [goal for goal in goals if not goal.met]
    for kind, group in _GROUPS.items():
        texts = [goal.text for goal in unmet if goal.kind == kind]
        yield f"{group.capitalize()} goals that are not reached: [{'; '.join(texts)}]"
