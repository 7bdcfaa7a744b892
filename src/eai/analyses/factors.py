"""What success depends on: plan length, goals, objects, actions (paper, section E.5)."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping

from eai.contract import Suite
from eai.diagnosis.judgement import GOAL_KINDS, Judgement
from eai.errors import InputError
from eai.registry import given_suite
from eai.report.record import Record
from eai.report.report import Report, require_results
from eai.report.statistics import wilson
from eai.table import Cell, Table
from eai.task import Task

__all__ = ["FACTORS", "factor_correlations", "factor_rates", "part_rates"]

Factor = Callable[[Task, Judgement], int]


def _goals(kind: str | None) -> Factor:
    def count(_task: Task, judgement: Judgement) -> int:
        return sum(kind in (None, goal.kind) for goal in judgement.goals)

    return count


def _plan_length(task: Task, _judgement: Judgement) -> int:
    return len(task.plans[0]) if task.plans else 0


def _plan_objects(task: Task, _judgement: Judgement) -> int:
    plan = task.plans[0] if task.plans else ()
    return len({name for action in plan for name in action.arguments})


FACTORS: Mapping[str, Factor] = {
    "goal conditions": _goals(None),
    **{f"{kind} goals": _goals(kind) for kind in GOAL_KINDS},
    "reference plan length": _plan_length,
    "objects in the reference plan": _plan_objects,
}
"""Factors of Figure 36 by name: functions of the task and the judgement."""


def factor_rates(report: Report, suite: str | Suite, *, model: str | None = None) -> Table:
    """Return the success rate for each value of each factor (Figure 36).

    Args:
        report: The judged answers.
        suite: The suite that they are about, or its name.
        model: One model; by default all together.

    Raises:
        UnknownNameError: If the report has no such model.
        InputError: If the report is not about this suite.
    """
    rows: list[dict[str, Cell]] = []
    values = _values(report, suite, model)
    for factor, pairs in values.items():
        tasks = Counter(value for value, _ in pairs)
        solved = Counter(value for value, success in pairs if success)
        for value in sorted(tasks):
            low, high = wilson(solved[value], tasks[value])
            rows.append(
                {
                    "factor": factor,
                    "value": value,
                    "items": tasks[value],
                    "solved": solved[value],
                    "success %": 100 * solved[value] / tasks[value],
                    "low": low,
                    "high": high,
                }
            )
    return Table("Success by factor", rows, ("low and high: Wilson 95 % interval",))


def factor_correlations(report: Report, suite: str | Suite, *, model: str | None = None) -> Table:
    """Return how strongly success goes with each factor.

    The point-biserial correlation is Pearson's between the factor and success (0 or 1);
    Spearman's is the same between ranks. Both are undefined where one of them is constant.

    Args:
        report: The judged answers.
        suite: The suite that they are about, or its name.
        model: One model; by default all together.

    Raises:
        UnknownNameError: If the report has no such model.
        InputError: If the report is not about this suite.
    """
    from scipy.stats import pearsonr, spearmanr

    rows: list[dict[str, Cell]] = []
    for factor, pairs in _values(report, suite, model).items():
        xs, ys = [value for value, _ in pairs], [int(success) for _, success in pairs]
        constant = len(set(xs)) < 2 or len(set(ys)) < 2
        pearson, spearman = (None, None) if constant else (pearsonr(xs, ys), spearmanr(xs, ys))
        rows.append(
            {
                "factor": factor,
                "items": len(xs),
                "mean if solved": _mean(x for x, y in zip(xs, ys, strict=True) if y),
                "mean if not": _mean(x for x, y in zip(xs, ys, strict=True) if not y),
                "point-biserial r": pearson and float(pearson[0]),
                "p of r": pearson and float(pearson[1]),
                "Spearman rho": spearman and float(spearman[0]),
                "p of rho": spearman and float(spearman[1]),
            }
        )
    return Table("Correlation of success with factors", rows)


def part_rates(report: Report, *, model: str | None = None) -> Table:
    """Return how often each action is executed, and each goal predicate reached (Figure 37).

    An action counts as tried if the plan came to it; skipped steps (whose effects hold already)
    are left out.

    Args:
        report: The judged answers.
        model: One model; by default all together.

    Raises:
        UnknownNameError: If the report has no such model.
    """
    require_results(report)
    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for record in report.records if model is None else report.of(model):
        for part, name, success in _parts(record.judgement):
            counts[part, name][success] += 1
    rows: list[dict[str, Cell]] = [
        {
            "part": part,
            "name": name,
            "tried": failed + done,
            "done": done,
            "success %": 100 * done / (failed + done),
        }
        for (part, name), (failed, done) in sorted(counts.items())
    ]
    return Table("Success of actions and goal predicates", rows)


_NAME = re.compile(r"[\w-]+(?=\()")


def _parts(judgement: Judgement) -> Iterable[tuple[str, str, bool]]:
    for text, outcome in zip(judgement.plan, judgement.executed, strict=False):
        name = _NAME.match(text)
        if name and outcome in ("done", "failed"):
            yield "action", name[0], outcome == "done"
    for goal in judgement.goals:
        name = _NAME.search(goal.text)
        if name:
            yield "goal predicate", name[0], goal.met


def _values(
    report: Report, suite: str | Suite, model: str | None
) -> dict[str, list[tuple[int, bool]]]:
    require_results(report)
    chosen = given_suite(suite)
    if report.setting.suite != chosen.name:
        raise InputError(
            f"the report is about the suite {report.setting.suite!r}",
            expected=f"a report about {chosen.name!r}",
        )
    found: dict[str, list[tuple[int, bool]]] = {factor: [] for factor in FACTORS}
    records: Iterable[Record] = report.records if model is None else report.of(model)
    for record in records:
        if record.judgement.status == "excluded":
            continue
        task = chosen.task(record.task)
        for name, factor in FACTORS.items():
            found[name].append((factor(task, record.judgement), record.judgement.success))
    return found


def _mean(values: Iterable[int]) -> float | None:
    listed = list(values)
    return math.fsum(listed) / len(listed) if listed else None
