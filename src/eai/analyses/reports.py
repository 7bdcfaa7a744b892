"""What reports say beyond their metrics: errors, groups, factors, runs, pipelines.

Paper, sections E.5 and G, Tables 6, 10 to 12 and 16, Figures 5, 36 and 37.
"""

from __future__ import annotations

import math
import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping

from eai.contract import Suite
from eai.diagnosis import GOAL_KINDS, ErrorKind, Result
from eai.errors import InputError
from eai.registry import given_suite
from eai.report import Record, Report, require_results, wilson
from eai.table import Cell, Table
from eai.task import Task


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
        found = [(r, f) for r in evaluated for f in r.result.findings if f.kind is kind]
        if not found:
            continue
        items = len({(record.model, record.task) for record, _ in found})
        named: dict[str, str] = {}
        for record, finding in found:
            step = f" step {finding.step}" if finding.step is not None else ""
            named.setdefault(record.task, f"{record.task}{step}: {finding.message}")
        row: dict[str, Cell] = {
            "kind": kind.value,
            "items": items,
            "% of items": 100 * items / len(evaluated),
            "occurrences": len(found),
            "examples": "; ".join(list(named.values())[:examples]),
        }
        rows.append((items, row))
    rows.sort(key=lambda each: -each[0])
    solved = sum(record.result.success for record in evaluated)
    who = "all models" if model is None else model
    return Table(
        f"Errors of {who}",
        [row for _, row in rows],
        (f"out of {len(evaluated)} items, {solved} of them solved",),
    )


def group_rates(report: Report, model: str | None = None) -> Table:
    """Return how many tasks of each group are solved, with Wilson 95 % intervals.

    Args:
        report: The evaluated answers. A task may count in several groups, or in none.
        model: One model; by default all, one below the other.

    Raises:
        UnknownNameError: If the report has no such model.
    """
    require_results(report)
    rows: list[dict[str, Cell]] = []
    for name in report.models if model is None else (model,):
        counts = report.tally(name)
        for group, tasks in counts.grouped.items():
            solved = counts.grouped_success.get(group, 0)
            counted = {"tasks": tasks, "solved": solved}
            rows.append({"model": name, "group": group, **counted, **_rate(solved, tasks)})
    note = f"{report.setting}; percent with Wilson 95 % intervals"
    return Table.by_model("Success by group", rows, (note,))


def _rate(solved: int, tasks: int, heading: str = "%") -> dict[str, Cell]:
    low, high = wilson(solved, tasks)
    return {heading: 100 * solved / tasks, "low": low, "high": high}


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
            of_value = {"items": tasks[value], "solved": solved[value]}
            rate = _rate(solved[value], tasks[value], "success %")
            rows.append({"factor": factor, "value": value, **of_value, **rate})
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
                "mean if solved": _mean([x for x, y in zip(xs, ys, strict=True) if y]),
                "mean if not": _mean([x for x, y in zip(xs, ys, strict=True) if not y]),
                "point-biserial r": pearson and float(pearson[0]),
                "p of r": pearson and float(pearson[1]),
                "Spearman rho": spearman and float(spearman[0]),
                "p of rho": spearman and float(spearman[1]),
            }
        )
    return Table("Correlation of success with factors", rows)


def _mean(values: list[int]) -> float | None:
    return math.fsum(values) / len(values) if values else None


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
    rows: list[dict[str, Cell]] = []
    for metrics in zip(*(report.metrics(name) for name in names), strict=True):
        values = [metric.value for metric in metrics if metric.value is not None]
        rows.append(
            {
                "metric": metrics[0].label,
                "runs": len(values),
                "median": statistics.median(values) if values else None,
                "mean": statistics.fmean(values) if values else None,
                "sd": statistics.stdev(values) if len(values) > 1 else None,
                "least": min(values, default=None),
                "most": max(values, default=None),
            }
        )
    note = f"{report.setting}; percent, over {len(names)} runs: {', '.join(names)}"
    return Table("Metrics over runs", rows, (note,))


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
    for report in (modular, pipeline):
        require_results(report)
    given, other = modular.setting, pipeline.setting
    if given._replace(version="") != other._replace(version=""):
        raise InputError(
            "the reports are of different runs",
            expected=f"both: {given}; found too: {other}",
            mend="evaluate both with the same suite, ability and semantics",
        )
    models = [name for name in modular.models if name in pipeline.models]
    if not models:
        raise InputError(
            "the reports have no model in common",
            expected=f"a model of {', '.join(modular.models)}; found: {', '.join(pipeline.models)}",
            mend="give the same models the same names",
        )
    rows: list[dict[str, Cell]] = []
    notes: list[str] = []
    keys = {column.key for table in modular.view.tables for column in table.columns}
    for model in models:
        before, after = _shared(modular, pipeline, model)
        notes.append(f"{model}: {len(before.records)} tasks evaluated in both")
        for m, p in zip(before.metrics(model), after.metrics(model), strict=True):
            if m.key in keys:
                apart = None if m.value is None or p.value is None else p.value - m.value
                values = {"M": m.value, "P": p.value, "P - M": apart}
                rows.append({"model": model, "metric": m.label, **values})
        won, kept = ({r.task for r in of.records if r.result.success} for of in (before, after))
        only = {"M": len(won - kept), "P": len(kept - won), "P - M": len(kept) - len(won)}
        rows.append({"model": model, "metric": "Tasks that only this one solves", **only})
    return Table(f"Modular (M) against pipeline (P): {modular.setting}", rows, tuple(notes))


def _shared(modular: Report, pipeline: Report, model: str) -> tuple[Report, Report]:
    """Both reports with the tasks of one model that both evaluate."""
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
