"""Metrics of answers that are right or wrong: of abilities that are no plans and say no more."""

from __future__ import annotations

from eai.report.aggregate import Tally
from eai.report.metric import Score
from eai.report.metrics.plans import GRAMMAR_COLUMNS, grammar_metrics
from eai.report.metrics.view import View, by_group
from eai.table import Column, Table


def _metrics(counts: Tally) -> list[Score]:
    solved = Score("goal", "task_success_rate", "Task SR", counts.success, counts.tasks, "tasks")
    return [solved, *grammar_metrics(counts, "grammar")]


ANSWERS = View(
    metrics=_metrics,
    tables=(
        Table(
            "Answers (% of tasks, counts below)",
            caption="Answers",
            columns=(Column("task_success_rate", short="Task SR", ranged=True), *GRAMMAR_COLUMNS),
        ),
    ),
    groups={"goal": "Answers", "grammar": "Grammar error"},
    errors=("grammar",),
    basis=lambda _counts: "",
    summary=lambda counts: by_group(_metrics(counts)),
)
"""How answers are reported that are right or wrong, or cannot be read."""
