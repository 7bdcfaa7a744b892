"""Metrics of goal interpretation (paper, section 2.3 and Table 9)."""

from __future__ import annotations

from eai.diagnosis.result import GOAL_KINDS
from eai.report.aggregate import Tally
from eai.report.metric import Score
from eai.report.metrics.grammar import GRAMMAR_COLUMNS, grammar_metrics
from eai.report.metrics.matches import match_columns, match_metrics
from eai.report.metrics.view import Column, Table, View

__all__ = ["INTERPRETED_GOALS"]


def _metrics(counts: Tally) -> list[Score]:
    matched = [
        metric
        for kind in GOAL_KINDS
        for metric in match_metrics(counts, kind, kind.title(), kinds=(kind,))
    ]
    return [
        *matched,
        *match_metrics(counts, "overall", "Overall"),
        Score("exact", "exact_match", "Exact match", counts.success, counts.tasks, "tasks"),
        *grammar_metrics(counts, "errors"),
    ]


def _basis(counts: Tally) -> str:
    parts = [f"{counts.tp.get(kind, 0) + counts.fn.get(kind, 0)} {kind}" for kind in GOAL_KINDS]
    total = sum(counts.tp.values()) + sum(counts.fn.values())
    return f"{total} annotated goal conditions ({', '.join(parts)})"


def _summary(counts: Tally) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = {}
    for metric in _metrics(counts):
        if metric.unit == "matches":
            key = metric.key.removeprefix(f"{metric.group}_")
            found.setdefault(metric.group, {})[key] = metric.rounded()
    return found


INTERPRETED_GOALS = View(
    metrics=_metrics,
    tables=(
        Table(
            "Goal conditions (precision, recall, F1 in %, counts below)",
            "Goal interpretation",
            tuple(
                column
                for kind in (*GOAL_KINDS, "overall")
                for column in match_columns(kind, kind.title(), kind.title())
            ),
        ),
        Table(
            "Answers (% of tasks, counts below)",
            "Answers to goal interpretation",
            (
                Column("exact_match", "Exact", ranged=True),
                *GRAMMAR_COLUMNS,
            ),
        ),
    ),
    groups={
        **{kind: f"{kind.title()} goals" for kind in GOAL_KINDS},
        "overall": "All goals",
        "exact": "Answers",
        "errors": "Grammar error",
    },
    errors=("errors",),
    basis=_basis,
    summary=_summary,
)
"""How goal interpretation is reported."""
