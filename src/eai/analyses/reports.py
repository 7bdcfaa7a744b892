"""What reports say beyond their metrics: errors, groups, factors, runs, pipelines.

Paper, sections E.5 and G, Tables 6, 10 to 12 and 16, Figures 5, 36 and 37.
"""

from __future__ import annotations

import math
import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

from eai.contract import Suite
from eai.diagnosis.result import GOAL_KINDS, Finding, Result
from eai.diagnosis.taxonomy import ErrorKind
from eai.errors import InputError
from eai.registry import given_suite
from eai.report.record import Record
from eai.report.report import Report, require_results
from eai.report.statistics import wilson
from eai.table import Cell, Table
from eai.task import Task

__all__ = [
    "compare_pipeline",
    "error_breakdown",
    "factor_correlations",
    "factor_rates",
    "group_rates",
    "part_rates",
    "run_statistics",
]


def error_breakdown(report: Report, model: str | None = None, *, examples: int = 2) -> Table:
    """Count every kind of error, and name items that have it.

    Args:
        report: The evaluated answers.
        model: One model; by default all together.
        examples: How many items to name for each kind.

    Raises:
        UnknownNameError: If the report has no such model.
    """
    require_results(report)
    records = report.records if model is None else report.of(model)
    evaluated = [record for record in records if record.result.status != "excluded"]
    rows: list[tuple[int, dict[str, Cell]]] = []
    for kind in ErrorKind:
        found = list(_of_kind(evaluated, kind))
        if not found:
            continue
        items = list(dict.fromkeys((record.model, record.task) for record, _ in found))
        row: dict[str, Cell] = {
            "kind": kind.value,
            "items": len(items),
            "% of items": 100 * len(items) / len(evaluated),
            "occurrences": len(found),
            "examples": "; ".join(_examples(found, examples)),
        }
        rows.append((len(items), row))
    rows.sort(key=lambda each: -each[0])
    solved = sum(record.result.success for record in evaluated)
    who = "all models" if model is None else model
    return Table(
        f"Errors of {who}",
        [row for _, row in rows],
        (f"out of {len(evaluated)} items, {solved} of them solved",),
    )


def _of_kind(records: Iterable[Record], kind: ErrorKind) -> Iterable[tuple[Record, Finding]]:
    for record in records:
        for finding in record.result.findings:
            if finding.kind is kind:
                yield record, finding


def _examples(found: list[tuple[Record, Finding]], number: int) -> Iterable[str]:
    seen: set[str] = set()
    for record, finding in found:
        if len(seen) == number:
            return
        if record.task not in seen:
            seen.add(record.task)
            step = f" step {finding.step}" if finding.step is not None else ""
            yield f"{record.task}{step}: {finding.message}"


def group_rates(report: Report, model: str | None = None) -> Table:
    """Return how many tasks of each group are solved, with Wilson 95 % intervals.

    Args:
        report: The evaluated answers. A task may count in several groups, or in none.
        model: One model; by default all, one below the other.

    Raises:
        UnknownNameError: If the report has no such model.
    """
    require_results(report)
    models = report.models if model is None else (model,)
    rows = [row for each in models for row in _group_rows(report, each)]
    note = f"{report.setting}; percent with Wilson 95 % intervals"
    return Table.by_model("Success by group", rows, (note,))


def _group_rows(report: Report, model: str) -> Iterator[dict[str, Cell]]:
    counts = report.tally(model)
    for group, tasks in counts.grouped.items():
        solved = counts.grouped_success.get(group, 0)
        low, high = wilson(solved, tasks)
        yield {
            "model": model,
            "group": group,
            "tasks": tasks,
            "solved": solved,
            "%": 100 * solved / tasks,
            "low": low,
            "high": high,
        }


Factor = Callable[[Task, Result], int]


def _goals(kind: str | None) -> Factor:
    def count(_task: Task, result: Result) -> int:
        return sum(kind in (None, goal.kind) for goal in result.goals)

    return count


def _plan_length(task: Task, _result: Result) -> int:
    return len(task.plans[0]) if task.plans else 0


def _plan_objects(task: Task, _result: Result) -> int:
    plan = task.plans[0] if task.plans else ()
    return len({name for action in plan for name in action.arguments})


FACTORS: Mapping[str, Factor] = {
    "goal conditions": _goals(None),
    **{f"{kind} goals": _goals(kind) for kind in GOAL_KINDS},
    "reference plan length": _plan_length,
    "objects in the reference plan": _plan_objects,
}
"""Factors of Figure 36 by name: functions of the task and the result."""


def factor_rates(report: Report, suite: str | Suite, *, model: str | None = None) -> Table:
    """Return the success rate for each value of each factor (Figure 36).

    Args:
        report: The evaluated answers.
        suite: The suite that they are about, or its name.
        model: One model; by default all together.

    Raises:
        UnknownNameError: If the report has no such model.
        InputError: If the report is not about this suite.
    """
    rows: list[dict[str, Cell]] = []
    values = _factor_values(report, suite, model)
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
        report: The evaluated answers.
        suite: The suite that they are about, or its name.
        model: One model; by default all together.

    Raises:
        UnknownNameError: If the report has no such model.
        InputError: If the report is not about this suite.
    """
    from scipy.stats import pearsonr, spearmanr

    rows: list[dict[str, Cell]] = []
    for factor, pairs in _factor_values(report, suite, model).items():
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
        report: The evaluated answers.
        model: One model; by default all together.

    Raises:
        UnknownNameError: If the report has no such model.
    """
    require_results(report)
    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for record in report.records if model is None else report.of(model):
        for part, name, success in _parts(record.result):
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


def _parts(result: Result) -> Iterable[tuple[str, str, bool]]:
    for text, outcome in zip(result.plan, result.executed, strict=False):
        name = _NAME.match(text)
        if name and outcome in ("done", "failed"):
            yield "action", name[0], outcome == "done"
    for goal in result.goals:
        name = _NAME.search(goal.text)
        if name:
            yield "goal predicate", name[0], goal.met


def _factor_values(
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
        if record.result.status == "excluded":
            continue
        task = chosen.task(record.task)
        for name, factor in FACTORS.items():
            found[name].append((factor(task, record.result), record.result.success))
    return found


def _mean(values: Iterable[int]) -> float | None:
    listed = list(values)
    return math.fsum(listed) / len(listed) if listed else None


def run_statistics(report: Report, runs: Iterable[str] | None = None) -> Table:
    """Return median, mean and standard deviation of every metric over runs.

    Models answer differently when asked again. AsgardBench publishes medians over runs (appendix
    A.6), its script means and standard deviations.

    Args:
        report: The evaluated answers; every run is a model of its own.
        runs: Names of the models that are runs of the same one; by default all.

    Raises:
        UnknownNameError: If the report has no such model.
        InputError: If there is no run.
    """
    require_results(report)
    names = report.models if runs is None else tuple(runs)
    if not names:
        raise InputError("no runs to take together", expected="at least one model")
    rows = list(_run_rows(report, names))
    note = f"{report.setting}; percent, over {len(names)} runs: {', '.join(names)}"
    return Table("Metrics over runs", rows, (note,))


def _run_rows(report: Report, names: tuple[str, ...]) -> Iterator[dict[str, Cell]]:
    for metrics in zip(*(report.metrics(name) for name in names), strict=True):
        values = [metric.value for metric in metrics if metric.value is not None]
        yield {
            "metric": metrics[0].label,
            "runs": len(values),
            "median": statistics.median(values) if values else None,
            "mean": statistics.fmean(values) if values else None,
            "sd": statistics.stdev(values) if len(values) > 1 else None,
            "least": min(values, default=None),
            "most": max(values, default=None),
        }


def compare_pipeline(modular: Report, pipeline: Report) -> Table:
    """Set the metrics of answers to given goals beside those of answers to interpreted goals.

    In the modular setting a model plans for the annotated goal; in the pipeline it plans for the
    goal that it interpreted itself, and is still evaluated by the annotated one. Only tasks that
    both reports evaluate are counted.

    Returns:
        A row for each model and metric: modular (M), pipeline (P), and the difference in points;
        for success also the tasks that only one of the two solves.

    Raises:
        InputError: If the reports are of different suites or abilities, or share no model.
    """
    _check(modular, pipeline)
    rows: list[dict[str, Cell]] = []
    notes: list[str] = []
    view = modular.view
    for model in [name for name in modular.models if name in pipeline.models]:
        one, other = _shared(modular, pipeline, model)
        notes.append(f"{model}: {len(one.records)} tasks evaluated in both")
        before, after = (report.metrics(model) for report in (one, other))
        keys = {column.key for table in view.tables for column in table.columns}
        for m, p in zip(before, after, strict=True):
            if m.key in keys:
                rows.append(
                    {"model": model, "metric": m.label, **_pipeline_values(m.value, p.value)}
                )
        rows += _only(one, other, model)
    return Table(f"Modular (M) against pipeline (P): {modular.setting}", rows, tuple(notes))


def _check(modular: Report, pipeline: Report) -> None:
    for report in (modular, pipeline):
        require_results(report)
    one, other = modular.setting, pipeline.setting
    if (one.suite, one.ability, one.semantics) != (other.suite, other.ability, other.semantics):
        raise InputError(
            "the reports are of different runs",
            expected=f"both: {one}; found too: {other}",
            mend="evaluate both with the same suite, ability and semantics",
        )
    if not set(modular.models) & set(pipeline.models):
        raise InputError(
            "the reports have no model in common",
            expected=f"a model of {', '.join(modular.models)}; found: {', '.join(pipeline.models)}",
            mend="give the same models the same names",
        )


def _shared(modular: Report, pipeline: Report, model: str) -> tuple[Report, Report]:
    kept = [
        {r.task for r in report.of(model) if r.result.status != "excluded"}
        for report in (modular, pipeline)
    ]
    both = kept[0] & kept[1]
    first, second = (
        Report([r for r in report.of(model) if r.task in both], setting=report.setting)
        for report in (modular, pipeline)
    )
    return first, second


def _pipeline_values(m: float | None, p: float | None) -> dict[str, Cell]:
    return {"M": m, "P": p, "P - M": None if m is None or p is None else p - m}


def _only(one: Report, other: Report, model: str) -> list[dict[str, Cell]]:
    solved = [{r.task for r in report.records if r.result.success} for report in (one, other)]
    m, p = len(solved[0] - solved[1]), len(solved[1] - solved[0])
    label = "Tasks that only this one solves"
    return [{"model": model, "metric": label, "M": m, "P": p, "P - M": p - m}]
