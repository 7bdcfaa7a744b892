"""Metrics of plans: action sequencing and subgoal decomposition (paper, Tables 5 and 6)."""

from __future__ import annotations

from collections.abc import Iterable

from eai.diagnosis import GOAL_KINDS, GRAMMAR, RUNTIME, ErrorKind
from eai.report.aggregate import Tally
from eai.report.metrics.view import View, by_group
from eai.report.scoring import Score
from eai.table import Column, Table


def _counted_apart(kinds: Iterable[ErrorKind]) -> tuple[ErrorKind, ...]:
    """Return one kind of error for each column. All hallucinations share a column."""
    first_of_key: dict[str, ErrorKind] = {}
    for kind in kinds:
        first_of_key.setdefault(kind.key, kind)
    return tuple(first_of_key.values())


# An answer that is missing has no error of its own: the line below the tables says how many are.
_GRAMMAR = _counted_apart(
    kind for kind in ErrorKind if kind in GRAMMAR and kind is not ErrorKind.NO_ANSWER
)
_RUNTIME = _counted_apart(RUNTIME)
_GRAMMAR_LABELS = {kind.key: kind.label for kind in _GRAMMAR}

GRAMMAR_COLUMNS = tuple(Column(kind.key, short=kind.short_label) for kind in _GRAMMAR)
"""The columns of answers that cannot be read as they stand (paper, section D.2)."""


def grammar_metrics(counts: Tally, group: str) -> list[Score]:
    """Return the rates of tasks with a grammar error, by kind.

    They are not rates over tasks if an error counts twice, as in the published evaluator.
    """
    scores = []
    for key, label in _GRAMMAR_LABELS.items():
        error_count = counts.items.get(key, 0)
        counts_twice = error_count > counts.affected.get(key, 0)
        unit = "occurrences" if counts_twice else "tasks"
        scores.append(Score(group, key, label, error_count, counts.tasks, unit))
    return scores


def _metrics(counts: Tally, *, by_task: bool = False) -> list[Score]:
    """Return the metrics of plans.

    Args:
        counts: The counts.
        by_task: Whether runtime errors count the tasks that have them, not every occurrence.
    """
    tasks = counts.tasks
    scores = [Score("goal", "task_success_rate", "Task SR", counts.success, tasks, "tasks")]
    for kind in GOAL_KINDS:
        scores.append(_goal_score(kind, counts.met.get(kind, 0), counts.total.get(kind, 0)))
    # Over all conditions together, not the mean of the kinds: a task has more of some.
    all_met = sum(counts.met.get(kind, 0) for kind in GOAL_KINDS)
    all_conditions = sum(counts.total.get(kind, 0) for kind in GOAL_KINDS)
    scores.append(_goal_score("total", all_met, all_conditions))
    executable = counts.executable
    scores.append(
        Score("trajectory", "execution_success_rate", "Execution SR", executable, tasks, "tasks")
    )
    scores += grammar_metrics(counts, "trajectory.grammar")
    errors = counts.occurrences
    unit = "occurrences"
    if by_task:
        errors = counts.items
        unit = "tasks"
    for error in _RUNTIME:
        error_count = errors.get(error.key, 0)
        scores.append(Score("trajectory.runtime", error.key, error.label, error_count, tasks, unit))
    return scores


def _goal_score(name: str, met: int, total: int) -> Score:
    """Return the rate of goal conditions that are met, of one kind or of all."""
    return Score("goal", f"{name}_goal", f"{name.title()} Goal", met, total, "conditions")


def _summary(counts: Tally, *, by_task: bool = False) -> dict[str, dict[str, object]]:
    """Return the metrics nested and rounded as the published evaluator does."""
    scores = {score.key: score for score in _metrics(counts, by_task=by_task)}
    goals: dict[str, object] = {
        score.key: score.rounded() for score in scores.values() if score.group == "goal"
    }
    # One decimal for the execution success rate, four for all others, as published.
    trajectories: dict[str, object] = {
        "execution_success_rate": scores["execution_success_rate"].rounded(1),
        "grammar_error": {kind.key: scores[kind.key].rounded() for kind in _GRAMMAR},
        "runtime_error": {kind.key: scores[kind.key].rounded() for kind in _RUNTIME},
    }
    return {"goal_evaluation": goals, "trajectory_evaluation": trajectories}


def _basis(counts: Tally) -> str:
    """Return the number of goal conditions, by kind."""
    total = 0
    parts = []
    for kind in GOAL_KINDS:
        condition_count = counts.total.get(kind, 0)
        total += condition_count
        parts.append(f"{condition_count} {kind}")
    noun = "goal condition" if total == 1 else "goal conditions"
    return f"{total} {noun} ({', '.join(parts)})"


PLANS = View(
    metrics=_metrics,
    tables=(
        Table(
            "Trajectories (% of tasks, counts below)",
            caption="Trajectory evaluation",
            columns=(
                Column("task_success_rate", short="Task SR", ranged=True),
                Column("execution_success_rate", short="Exec. SR", ranged=True),
                *(column._replace(span="Grammar Error") for column in GRAMMAR_COLUMNS),
                *(
                    Column(kind.key, short=kind.short_label, span="Runtime Error")
                    for kind in _RUNTIME
                ),
            ),
        ),
        Table(
            "Goal conditions (% met, counts below)",
            caption="Goal satisfaction",
            columns=(
                *(Column(f"{kind}_goal", short=f"{kind.title()} Goal") for kind in GOAL_KINDS),
                Column("total_goal", heading="Total"),
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
"""View of plans."""

# A subgoal may take several redundant steps; the published evaluator counts the tasks.
SUBGOAL_PLANS = PLANS._replace(
    metrics=lambda counts: _metrics(counts, by_task=True),
    summary=lambda counts: _summary(counts, by_task=True),
)
"""View of the plans that subgoals were turned into: runtime errors count tasks."""


def _answer_metrics(counts: Tally) -> list[Score]:
    """Return the metrics of answers that are right or wrong."""
    solved = Score("goal", "task_success_rate", "Task SR", counts.success, counts.tasks, "tasks")
    return [solved, *grammar_metrics(counts, "grammar")]


ANSWERS = View(
    metrics=_answer_metrics,
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
    summary=lambda counts: by_group(_answer_metrics(counts)),
)
"""View of answers to other abilities: they are right or wrong, or cannot be read."""
