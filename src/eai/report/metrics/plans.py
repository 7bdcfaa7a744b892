"""Metrics of plans: action sequencing and subgoal decomposition (paper, Tables 5 and 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eai.diagnosis.result import GOAL_KINDS
from eai.report.aggregate import Tally
from eai.report.metric import Score
from eai.report.metrics.grammar import GRAMMAR_COLUMNS, grammar_metrics
from eai.report.metrics.view import Column, Table, View

__all__ = ["PLANS", "SUBGOAL_PLANS"]


def _metrics(counts: Tally) -> list[Score]:
    return [
        _of_tasks(counts, "goal", "task_success_rate", "Task SR", counts.success),
        *(_of_goals(counts, f"{kind}_goal", (kind,)) for kind in GOAL_KINDS),
        _of_goals(counts, "total_goal", GOAL_KINDS),
        _of_tasks(
            counts, "trajectory", "execution_success_rate", "Execution SR", counts.executable
        ),
        *grammar_metrics(counts, "trajectory.grammar"),
        *(_runtime(key, counts.occurrences, counts.tasks, "occurrences") for key in _RUNTIME),
    ]


def _metrics_by_task(counts: Tally) -> list[Score]:
    # A subgoal may take several redundant steps; the published evaluator counts the tasks.
    return [
        _runtime(metric.key, counts.items, counts.tasks, "tasks")
        if metric.key in _RUNTIME
        else metric
        for metric in _metrics(counts)
    ]


def _runtime(key: str, counted: Mapping[str, int], tasks: int, unit: str) -> Score:
    return Score("trajectory.runtime", key, _RUNTIME[key], counted.get(key, 0), tasks, unit)


def _summary_by_task(counts: Tally) -> dict[str, dict[str, object]]:
    summary = _summary(counts)
    found = {metric.key: metric.rounded() for metric in _metrics_by_task(counts)}
    runtime = {key: found[key] for key in _RUNTIME}
    return {
        **summary,
        "trajectory_evaluation": summary["trajectory_evaluation"] | {"runtime_error": runtime},
    }


def _summary(counts: Tally) -> dict[str, dict[str, object]]:
    # One decimal for the execution success rate, four for all others, as published.
    found = {metric.key: metric for metric in _metrics(counts)}
    return {
        "goal_evaluation": {
            metric.key: metric.rounded() for metric in found.values() if metric.group == "goal"
        },
        "trajectory_evaluation": {
            "execution_success_rate": found["execution_success_rate"].rounded(1),
            "grammar_error": {
                metric.key: metric.rounded() for metric in grammar_metrics(counts, "")
            },
            "runtime_error": {key: found[key].rounded() for key in _RUNTIME},
        },
    }


_RUNTIME = {
    "wrong_order": "Wrong Order",
    "missing_step": "Missing Step",
    "affordance_error": "Affordance",
    "additional_step": "Additional Step",
}
_GOALS = {
    "state_goal": "State Goal",
    "relation_goal": "Relation Goal",
    "action_goal": "Action Goal",
    "total_goal": "Total Goal",
}


def _of_tasks(counts: Tally, group: str, key: str, label: str, numerator: int) -> Score:
    return Score(group, key, label, numerator, counts.tasks, "tasks")


def _of_goals(counts: Tally, key: str, kinds: Sequence[str]) -> Score:
    met = sum(counts.met.get(kind, 0) for kind in kinds)
    total = sum(counts.total.get(kind, 0) for kind in kinds)
    return Score("goal", key, _GOALS[key], met, total, "conditions")


def _basis(counts: Tally) -> str:
    total = {m.key: m.denominator for m in _metrics(counts) if m.unit == "conditions"}
    noun = "goal condition" if total["total_goal"] == 1 else "goal conditions"
    return (
        f"{total['total_goal']} {noun} ({total['state_goal']} state, "
        f"{total['relation_goal']} relation, {total['action_goal']} action)"
    )


_RUNTIME_ERROR = "Runtime Error"

PLANS = View(
    metrics=_metrics,
    tables=(
        Table(
            "Trajectories (% of tasks, counts below)",
            "Trajectory evaluation",
            (
                Column("task_success_rate", "Task SR", ranged=True),
                Column("execution_success_rate", "Exec. SR", ranged=True),
                *(column._replace(span="Grammar Error") for column in GRAMMAR_COLUMNS),
                Column("wrong_order", "Wrong\nOrder", span=_RUNTIME_ERROR),
                Column("missing_step", "Missing\nStep", span=_RUNTIME_ERROR),
                Column("affordance_error", "Afford.", span=_RUNTIME_ERROR),
                Column("additional_step", "Addit.\nStep", span=_RUNTIME_ERROR),
            ),
        ),
        Table(
            "Goal conditions (% met, counts below)",
            "Goal satisfaction",
            (
                Column("state_goal", "State Goal"),
                Column("relation_goal", "Relation Goal"),
                Column("action_goal", "Action Goal"),
                Column("total_goal", "Total", label="Total"),
            ),
        ),
    ),
    groups={
        "goal": "Goal",
        "trajectory": "Trajectory",
        "trajectory.grammar": "Grammar error",
        "trajectory.runtime": "Runtime error",
    },
    errors=("trajectory.grammar", "trajectory.runtime"),
    basis=_basis,
    summary=_summary,
)
"""How plans are reported."""

SUBGOAL_PLANS = PLANS._replace(metrics=_metrics_by_task, summary=_summary_by_task)
"""How the plans that subgoals were turned into are reported: runtime errors count tasks."""
