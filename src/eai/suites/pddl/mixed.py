"""Questions of several kinds in one run: each task is asked its own, and a table has all kinds."""

from __future__ import annotations

from dataclasses import replace

from eai.diagnosis import Result
from eai.report import Score, Tally, View, by_group
from eai.semantics import Semantics
from eai.suites.pddl import acpbench, questions
from eai.suites.pddl.kinds import CHOICE, WORDINGS, YES_NO
from eai.table import Column, Table
from eai.task import Task

_KINDS = {
    **{kind: kind.replace("_", " ").capitalize() for kind in WORDINGS},
    YES_NO: "Yes or no",
    CHOICE: "Multiple choice",
}
"""Kinds of questions with their headings."""


def _kind_of(task: Task) -> str:
    """Return the kind of a task's question; empty if it asks none."""
    question = task.metadata.get("question")
    return str(question["kind"]) if isinstance(question, dict) else ""


def evaluate(task: Task, answer: str | None, semantics: Semantics) -> Result:
    """Evaluate an answer to the question of a task, whatever its kind."""
    kind = _kind_of(task)
    if kind not in _KINDS:
        return Result("excluded", notes=("the task asks no question",))
    if kind in WORDINGS:
        result = questions.evaluate(kind, task, answer, semantics)
    else:
        result = acpbench.evaluate(kind, task, answer, semantics)
    return replace(result, groups=(kind,))


def prompt(task: Task) -> str | None:
    """Return the prompt for the question of a task, or None if it has no question."""
    kind = _kind_of(task)
    if kind in WORDINGS:
        return questions.prompt(kind, task)
    return acpbench.prompt(kind, task)


def _metrics(counts: Tally) -> list[Score]:
    """Return the scores of a report: for all questions, then for each kind."""
    scores = [Score("all", "task_success_rate", "Right", counts.success, counts.tasks, "tasks")]
    for kind, heading in _KINDS.items():
        right, tasks = counts.grouped_success.get(kind, 0), counts.grouped.get(kind, 0)
        scores.append(Score("kinds", f"kind_{kind}", heading, right, tasks, "tasks"))
    return scores


VIEW = View(
    metrics=_metrics,
    tables=(
        Table(
            "Questions (% right, counts below)",
            caption="Questions",
            columns=(
                Column("task_success_rate", ranged=True),
                *(Column(f"kind_{kind}") for kind in _KINDS),
            ),
        ),
    ),
    groups={"all": "All", "kinds": "Kinds"},
    errors=(),
    basis=lambda counts: f"{counts.excluded} questions without a proof are left out",
    summary=lambda counts: by_group(_metrics(counts)),
)
"""How questions of several kinds are reported."""
