"""Metrics of plans: action sequencing and subgoal decomposition (paper, Tables 5 and 6)."""

from __future__ import annotations

from dataclasses import replace

from eai.diagnosis import GOAL_KINDS
from eai.report.aggregate import Tally
from eai.report.metric import Score
from eai.report.metrics.view import View, by_group
from eai.table import Column, Table

_GRAMMAR = {
    "parsing": ("Parsing", "Parsing"),
    "hallucination": ("Hallucination", "Halluc."),
    "predicate_argument_number": ("Predicate-Arg Num", "Arg.\nNum"),
}
_RUNTIME = {
    "wrong_order": ("Wrong Order", "Wrong\nOrder"),
    "missing_step": ("Missing Step", "Missing\nStep"),
    "affordance_error": ("Affordance", "Afford."),
    "additional_step": ("Additional Step", "Addit.\nStep"),
}

GRAMMAR_COLUMNS = tuple(Column(key, short=head) for key, (_, head) in _GRAMMAR.items())
"""The columns of answers that cannot be read as they stand (paper, section D.2)."""


def grammar_metrics(counts: Tally, group: str) -> list[Score]:
    """Return the rates of tasks with a grammar error, by kind.

    Where an error counts twice, as the published evaluator has it, they are no rates over tasks.
    """
    found = []
    for key, (label, _) in _GRAMMAR.items():
        number = counts.items.get(key, 0)
        unit = "occurrences" if number > counts.affected.get(key, 0) else "tasks"
        found.append(Score(group, key, label, number, counts.tasks, unit))
    return found


def _metrics(counts: Tally, *, by_task: bool = False) -> list[Score]:
    """The metrics; runtime errors are counted one by one, or the tasks that have them."""
    tasks = counts.tasks
    executable = ("execution_success_rate", "Execution SR", counts.executable, tasks, "tasks")
    errors, unit = (counts.items, "tasks") if by_task else (counts.occurrences, "occurrences")
    return [
        Score("goal", "task_success_rate", "Task SR", counts.success, tasks, "tasks"),
        *(
            Score(
                "goal",
                f"{name}_goal",
                f"{name.title()} Goal",
                sum(counts.met.get(kind, 0) for kind in kinds),
                sum(counts.total.get(kind, 0) for kind in kinds),
                "conditions",
            )
            for name, kinds in (*((kind, (kind,)) for kind in GOAL_KINDS), ("total", GOAL_KINDS))
        ),
        Score("trajectory", *executable),
        *grammar_metrics(counts, "trajectory.grammar"),
        *(
            Score("trajectory.runtime", key, label, errors.get(key, 0), tasks, unit)
            for key, (label, _) in _RUNTIME.items()
        ),
    ]


def _summary(counts: Tally, *, by_task: bool = False) -> dict[str, dict[str, object]]:
    found = {metric.key: metric for metric in _metrics(counts, by_task=by_task)}
    # One decimal for the execution success rate, four for all others, as published.
    return {
        "goal_evaluation": {
            metric.key: metric.rounded() for metric in found.values() if metric.group == "goal"
        },
        "trajectory_evaluation": {
            "execution_success_rate": found["execution_success_rate"].rounded(1),
            "grammar_error": {key: found[key].rounded() for key in _GRAMMAR},
            "runtime_error": {key: found[key].rounded() for key in _RUNTIME},
        },
    }


def _basis(counts: Tally) -> str:
    numbers = [counts.total.get(kind, 0) for kind in GOAL_KINDS]
    noun = "goal condition" if sum(numbers) == 1 else "goal conditions"
    parts = ", ".join(f"{number} {kind}" for number, kind in zip(numbers, GOAL_KINDS, strict=True))
    return f"{sum(numbers)} {noun} ({parts})"


PLANS = View(
    metrics=_metrics,
    tables=(
        Table(
            "Trajectories (% of tasks, counts below)",
            caption="Trajectory evaluation",
            columns=(
                Column("task_success_rate", short="Task SR", ranged=True),
                Column("execution_success_rate", short="Exec. SR", ranged=True),
                *(replace(column, span="Grammar Error") for column in GRAMMAR_COLUMNS),
                *(
                    Column(key, short=head, span="Runtime Error")
                    for key, (_, head) in _RUNTIME.items()
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
"""How plans are reported."""

# A subgoal may take several redundant steps; the published evaluator counts the tasks.
SUBGOAL_PLANS = PLANS._replace(
    metrics=lambda counts: _metrics(counts, by_task=True),
    summary=lambda counts: _summary(counts, by_task=True),
)
"""How the plans that subgoals were turned into are reported: runtime errors count tasks."""


def _answer_metrics(counts: Tally) -> list[Score]:
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
"""How answers to other abilities are reported: they are right or wrong, or cannot be read."""
