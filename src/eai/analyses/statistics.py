"""How large a dataset is (paper, Table 2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from eai.analyses.table import AnalysisTable, Cell
from eai.diagnosis.judgement import GOAL_KINDS
from eai.pddl.model import Domain
from eai.suites.base import Suite
from eai.task import Task

__all__ = ["dataset_statistics"]


def dataset_statistics(suite: Suite) -> AnalysisTable:
    """Count a suite's tasks, goals, plans and steps, and the operators of its world.

    Of a goal with alternatives the first is counted.

    Args:
        suite: The suite.
    """
    tasks = [suite.task(name) for name in suite.task_ids()]
    goals = Counter(kind for task in tasks for kind in _kinds(task))
    plans = [task.plans[0] for task in tasks if task.plans]
    steps = sum(map(len, plans))
    rows: list[dict[str, Cell]] = [
        _row("task names", len({task.name for task in tasks})),
        _row("instructions", len(tasks)),
        _row("tasks with a goal", sum(any(_kinds(task)) for task in tasks)),
        _row("goal conditions", sum(goals.values())),
        *(_row(f"- {kind}", goals[kind]) for kind in GOAL_KINDS),
        _row("reference plans", len(plans)),
        _row("- steps", steps),
        _row("- steps in the mean", steps / len(plans) if plans else None),
        _row("- steps at most", max(map(len, plans), default=None)),
        *_operators(tasks[0].start.layout.domain if tasks else None),
    ]
    return AnalysisTable(f"Statistics of {suite.name} ({suite.version})", rows)


def _row(what: str, number: Cell) -> dict[str, Cell]:
    return {"what": what, "number": number}


def _kinds(task: Task) -> Iterable[str]:
    for kind, _ in next(iter(task.goal.final), ()):
        yield kind
    for _ in task.goal.actions:
        yield "action"


def _operators(domain: Domain | None) -> Iterable[dict[str, Cell]]:
    if domain is not None:
        yield _row("predicates of the world", len(domain.predicates))
        yield _row("operators of the world", len(domain.operators))
