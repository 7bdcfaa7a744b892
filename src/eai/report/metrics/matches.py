"""Metrics of answers that are compared with an annotation: goals and operators."""

from __future__ import annotations

from collections.abc import Iterable

from eai.diagnosis import GOAL_KINDS, Result
from eai.report.aggregate import Tally
from eai.report.metrics.plans import GRAMMAR_COLUMNS, grammar_metrics
from eai.report.metrics.view import View, by_group
from eai.report.scoring import Score
from eai.table import Column, Table

CATEGORIES = {
    "object_states": ("Object States", "Object\nstates"),
    "object_orientation": ("Object Orientation", "Orient-\nation"),
    "object_affordance": ("Object Affordance", "Afford-\nance"),
    "spatial_relations": ("Spatial Relations", "Spatial\nrel."),
    "non-spatial_relations": ("Non-Spatial Relations", "Non-sp.\nrel."),
}
"""Categories of predicates (paper, section L.5): key to label and to a short heading."""

_MEASURES = {"precision": ("Precision", "Prec."), "recall": ("Recall", "Rec."), "f1": ("F1", "F1")}


def _match_metrics(counts: Tally, kind: str, label: str) -> list[Score]:
    """Return micro-averaged precision, recall and F1 of a kind (paper, section 2.3).

    The kind ``"overall"`` stands for all kinds together.
    """
    # Micro-averaged: counts are added up over kinds before anything is divided.
    if kind == "overall":
        tp = sum(counts.tp.values())
        fp = sum(counts.fp.values())
        fn = sum(counts.fn.values())
    else:
        tp = counts.tp.get(kind, 0)
        fp = counts.fp.get(kind, 0)
        fn = counts.fn.get(kind, 0)
    return [
        Score(kind, f"{kind}_precision", f"{label} Precision", tp, tp + fp, "matches"),
        Score(kind, f"{kind}_recall", f"{label} Recall", tp, tp + fn, "matches"),
        # The harmonic mean of precision and recall, as one ratio of whole numbers.
        Score(kind, f"{kind}_f1", f"{label} F1", 2 * tp, 2 * tp + fp + fn, "matches"),
    ]


def _added_to_f1(result: Result) -> tuple[int, int]:
    """Return the numerator and denominator that one result adds to the F1 of all kinds."""
    tp = sum(match.tp for match in result.matches)
    wrong = sum(match.fp + match.fn for match in result.matches)
    return 2 * tp, 2 * tp + wrong


def _match_columns(group: str) -> tuple[Column, ...]:
    """Return the columns for precision, recall and F1 of a kind."""
    label = group.title()
    return tuple(
        Column(f"{group}_{key}", heading=name, short=f"{label}\n{short}", span=label)
        for key, (name, short) in _MEASURES.items()
    )


def _summary(metrics: Iterable[Score]) -> dict[str, dict[str, object]]:
    """Return metrics nested as the published evaluator writes them."""
    summary: dict[str, dict[str, object]] = {}
    for group, values in by_group(metrics).items():
        summary[group] = {key.removeprefix(f"{group}_"): value for key, value in values.items()}
    return summary


# Goal interpretation (paper, section 2.3 and Table 9).


def _goal_metrics(counts: Tally) -> list[Score]:
    """Return the metrics of goal interpretation."""
    scores: list[Score] = []
    for kind in (*GOAL_KINDS, "overall"):
        scores += _match_metrics(counts, kind, kind.title())
    exact = Score("exact", "exact_match", "Exact match", counts.success, counts.tasks, "tasks")
    return [*scores, exact, *grammar_metrics(counts, "errors")]


def _goal_basis(counts: Tally) -> str:
    """Return the number of annotated goal conditions, by kind."""
    parts = [f"{counts.tp.get(kind, 0) + counts.fn.get(kind, 0)} {kind}" for kind in GOAL_KINDS]
    total = sum(counts.tp.values()) + sum(counts.fn.values())
    return f"{total} annotated goal conditions ({', '.join(parts)})"


INTERPRETED_GOALS = View(
    metrics=_goal_metrics,
    tables=(
        Table(
            "Goal conditions (precision, recall, F1 in %, counts below)",
            caption="Goal interpretation",
            columns=tuple(
                column for kind in (*GOAL_KINDS, "overall") for column in _match_columns(kind)
            ),
        ),
        Table(
            "Answers (% of tasks, counts below)",
            caption="Answers to goal interpretation",
            columns=(Column("exact_match", short="Exact", ranged=True), *GRAMMAR_COLUMNS),
        ),
    ),
    groups={
        **{kind: f"{kind.title()} goals" for kind in GOAL_KINDS},
        "overall": "All goals",
        "exact": "Answers",
        "errors": "Grammar error",
    },
    errors=("errors",),
    basis=_goal_basis,
    summary=lambda counts: _summary(m for m in _goal_metrics(counts) if m.unit == "matches"),
    headline="overall_f1",
    adds=_added_to_f1,
)
"""View of goal interpretation."""


# Transition modeling (paper, section 2.6 and Tables 13 to 15).


def _operator_metrics(counts: Tally) -> list[Score]:
    """Return the metrics of transition modeling: clause matches and planner success."""
    scores: list[Score] = []
    for key, (label, _) in CATEGORIES.items():
        scores += _match_metrics(counts, key, label)
    scores += _match_metrics(counts, "overall", "Overall")
    solved = counts.grouped_success
    tasks = counts.grouped

    def planner_score(key: str, label: str, numerator: int, denominator: int, unit: str) -> Score:
        return Score("planner", f"planner_{key}", label, numerator, denominator, unit)

    for key, (label, _) in CATEGORIES.items():
        rate = planner_score(
            key, f"Planner SR {label}", solved.get(key, 0), tasks.get(key, 0), "tasks"
        )
        scores.append(rate)
    # As published, a task counts once in each of its categories.
    all_solved = sum(solved.values())
    all_tasks = sum(tasks.values())
    return [
        *scores,
        planner_score("overall", "Planner SR by category", all_solved, all_tasks, "categories"),
        planner_score("tasks", "Planner SR", counts.success, counts.tasks, "tasks"),
        *grammar_metrics(counts, "errors"),
    ]


def _operator_basis(counts: Tally) -> str:
    """Return the number of annotated clauses, and the outcomes of planning."""
    total = sum(counts.tp.values()) + sum(counts.fn.values())
    basis = f"{total} clauses of the annotated operators"
    ends = ", ".join(f"{search_count} {end}" for end, search_count in counts.outcomes.items())
    if ends:
        basis += f"; the planner's searches ended: {ends}"
    return basis


OPERATORS = View(
    metrics=_operator_metrics,
    tables=(
        Table(
            "Logic form (F1 in %, counts below)",
            caption="Transition modeling, logic form (F1)",
            columns=(
                *(
                    Column(f"{key}_f1", heading=label, short=head)
                    for key, (label, head) in CATEGORIES.items()
                ),
                *_match_columns("overall"),
            ),
        ),
        Table(
            "Planner success (% of tasks, counts below)",
            caption="Transition modeling, planner success",
            columns=(
                *(
                    Column(f"planner_{key}", heading=label, short=head)
                    for key, (label, head) in CATEGORIES.items()
                ),
                Column("planner_overall", heading="Overall"),
                Column("planner_tasks", heading="Tasks", ranged=True),
            ),
        ),
        Table(
            "Answers (% of tasks, counts below)",
            caption="Answers to transition modeling",
            columns=GRAMMAR_COLUMNS,
        ),
    ),
    groups={
        **{key: label for key, (label, _) in CATEGORIES.items()},
        "overall": "All clauses",
        "planner": "Planner success",
        "errors": "Grammar error",
    },
    errors=("errors",),
    basis=_operator_basis,
    summary=lambda counts: _summary(_operator_metrics(counts)),
    headline="overall_f1",
    adds=_added_to_f1,
)
"""View of transition modeling."""
