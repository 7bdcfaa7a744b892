"""Metrics of transition modeling (paper, section 2.6 and Tables 13 to 15)."""

from __future__ import annotations

from eai.report.aggregate import Tally
from eai.report.metric import Score
from eai.report.metrics.grammar import GRAMMAR_COLUMNS, grammar_metrics
from eai.report.metrics.matches import match_columns, match_metrics
from eai.report.metrics.view import Column, Table, View

__all__ = ["CATEGORIES", "OPERATORS"]

CATEGORIES = {
    "object_states": ("Object States", "Object\nstates"),
    "object_orientation": ("Object Orientation", "Orient-\nation"),
    "object_affordance": ("Object Affordance", "Afford-\nance"),
    "spatial_relations": ("Spatial Relations", "Spatial\nrel."),
    "non-spatial_relations": ("Non-Spatial Relations", "Non-sp.\nrel."),
}
"""Categories of predicates (paper, section L.5): key to label and to a short heading."""


def _metrics(counts: Tally) -> list[Score]:
    matched = [
        metric
        for key, (label, _) in CATEGORIES.items()
        for metric in match_metrics(counts, key, label, kinds=(key,))
    ]
    return [
        *matched,
        *match_metrics(counts, "overall", "Overall"),
        *(
            Score(
                "planner",
                f"planner_{key}",
                f"Planner SR {label}",
                counts.grouped_success.get(key, 0),
                counts.grouped.get(key, 0),
                "tasks",
            )
            for key, (label, _) in CATEGORIES.items()
        ),
        # As published, a task counts once in each of its categories.
        Score(
            "planner",
            "planner_overall",
            "Planner SR by category",
            sum(counts.grouped_success.values()),
            sum(counts.grouped.values()),
            "categories",
        ),
        Score("planner", "planner_tasks", "Planner SR", counts.success, counts.tasks, "tasks"),
        *grammar_metrics(counts, "errors"),
    ]


def _basis(counts: Tally) -> str:
    total = sum(counts.tp.values()) + sum(counts.fn.values())
    ends = ", ".join(f"{number} {end}" for end, number in counts.outcomes.items())
    searched = f"; the planner's searches ended: {ends}" if ends else ""
    return f"{total} clauses of the annotated operators{searched}"


def _summary(counts: Tally) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = {}
    for metric in _metrics(counts):
        key = metric.key.removeprefix(f"{metric.group}_")
        found.setdefault(metric.group, {})[key] = metric.rounded()
    return found


OPERATORS = View(
    metrics=_metrics,
    tables=(
        Table(
            "Logic form (F1 in %, counts below)",
            "Transition modeling, logic form (F1)",
            (
                *(
                    Column(f"{key}_f1", head, label=label)
                    for key, (label, head) in CATEGORIES.items()
                ),
                *match_columns("overall", "Overall", "Overall"),
            ),
        ),
        Table(
            "Planner success (% of tasks, counts below)",
            "Transition modeling, planner success",
            (
                *(
                    Column(f"planner_{key}", head, label=label)
                    for key, (label, head) in CATEGORIES.items()
                ),
                Column("planner_overall", "Overall", label="Overall"),
                Column("planner_tasks", "Tasks", label="Tasks", ranged=True),
            ),
        ),
        Table(
            "Answers (% of tasks, counts below)",
            "Answers to transition modeling",
            GRAMMAR_COLUMNS,
        ),
    ),
    groups={
        **{key: label for key, (label, _) in CATEGORIES.items()},
        "overall": "All clauses",
        "planner": "Planner success",
        "errors": "Grammar error",
    },
    errors=("errors",),
    basis=_basis,
    summary=_summary,
)
"""How transition modeling is reported."""
