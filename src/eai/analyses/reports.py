"""What reports say beyond their metrics: errors, groups, factors, runs, pipelines.

Paper, sections E.5 and G, Tables 6, 10 to 12 and 16, Figures 5, 36 and 37.
"""

from __future__ import annotations

import math
import re
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import mul

from eai.contract import Suite
from eai.contract.registry import given_suite
from eai.diagnosis import GOAL_KINDS, Behaviour, ErrorKind, Measure, Result
from eai.errors import InputError
from eai.report import Record, Report, behaviours_of, interval_note, rate_interval, require_results
from eai.semantics import Semantics
from eai.table import Cell, Probability, Table
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
        close=True,
    )


def distinctions(report: Report, first: str, second: str, *, examples: int = 3) -> list[Table]:
    """Say what distinguishes two models: which tasks, which categories, which kinds of error.

    Args:
        report: The evaluated answers; tasks count that neither model has excluded.
        first: One model.
        second: The other one.
        examples: How many tasks to name for each row.

    Returns:
        Tasks by who solves them; the same for each category in which the two differ, those with the
        largest difference first; and kinds of error by whose answers have them.

    Raises:
        UnknownNameError: If the report has no such model.
    """
    require_results(report)
    sides: list[dict[str, Record]] = [{}, {}]
    for side, model in zip(sides, (first, second), strict=True):
        for record in _counted(report, model):
            side.setdefault(record.task, record)
    pairs = [(record, sides[1][task]) for task, record in sides[0].items() if task in sides[1]]

    def row(name: str, have: Sequence[tuple[bool, bool]]) -> dict[str, Cell]:
        """Count who of the two has something, and name tasks of those that one has alone."""
        alone: dict[int, list[str]] = {0: [], 1: []}
        for (record, _), (one, other) in zip(pairs, have, strict=True):
            if one is not other:
                alone[int(other)].append(record.task)
        kinds = {"both": sum(a and b for a, b in have), "only first": len(alone[0])}
        named = {f"examples {n}": ", ".join(alone[s][:examples]) for s, n in enumerate(_SIDES)}
        return {"what": name, **kinds, "only second": len(alone[1]), **named}

    solved = [(one.result.success, other.result.success) for one, other in pairs]
    names = [one.name for one, _ in pairs]
    categories = []
    for category in dict.fromkeys(names):
        within = zip(solved, names, strict=True)
        categories.append(
            row(category, [s if n == category else (False, False) for s, n in within])
        )
    errors = []
    for kind in ErrorKind:
        have = [
            (one.result.number_of(kind) > 0, other.result.number_of(kind) > 0)
            for one, other in pairs
        ]
        if any(a or b for a, b in have):
            errors.append(row(kind.value, have))

    def table(title: str, rows: list[dict[str, Cell]]) -> Table:
        apart = [each for each in rows if each["only first"] != each["only second"]]
        apart.sort(key=lambda each: -abs(int(each["only first"]) - int(each["only second"])))  # type: ignore[arg-type]
        return Table(title, apart, (*notes, _CHANCE))

    notes = [f"first: {first}, second: {second}; {len(pairs)} tasks that count for both models"]
    notes += [_FIRST_SAMPLE] if max(report.samples(first), report.samples(second)) > 1 else []
    return [
        Table("Tasks that are solved", [row("all tasks", solved)], tuple(notes)),
        table("Categories that are solved", categories),
        table("Errors that answers have", errors),
    ]


_SIDES = ("first", "second")

_FIRST_SAMPLE = "the first of several answers to a task counts"
_CHANCE = "rows without a difference are left out; small differences may be chance (eai compare)"


def behaviour_rates(report: Report, suite: str | Suite, *, model: str | None = None) -> Table:
    """Count what agents do wrong over several turns, and name an episode that shows it.

    Args:
        report: Evaluated episodes, acted in or recorded.
        suite: The suite that they are from.
        model: One model; by default all, one below the other.

    Raises:
        UnknownNameError: If the report has no such model.
        DataMissingError: If the suite's data was not fetched.
    """
    require_results(report)
    chosen = given_suite(suite)
    meaning = Semantics.spelled(
        report.setting.semantics, chosen.quirks, version=chosen.official_version
    )
    rows: list[dict[str, Cell]] = []
    for name in _models(report, model):
        counted = [each for each in report.of(name) if each.result.measures]
        for kind in Behaviour if counted else ():
            shown = Measure(kind.measure, 1, 1)
            showing = [each for each in counted if shown in each.result.measures]
            example = ""
            for record in showing[:1]:
                task = chosen.task(record.task)
                turns = behaviours_of(record, task, chosen, meaning).get(kind, ())
                example = f"{record.task}, turn {', '.join(map(str, turns))}"
            counts: dict[str, Cell] = {"behaviour": kind.label, "episodes": len(showing)}
            shows = [(each.task, each in showing) for each in counted]
            rate = _rate(shows, "% of episodes")
            rows.append({"model": name, **counts, **rate, "example": example})
    meanings = tuple(f"{kind.label}: {kind.meaning}" for kind in Behaviour)
    return Table.by_model("Behaviours", rows, (f"{report.setting}", *meanings))


def group_rates(report: Report, model: str | None = None) -> Table:
    """Return how often tasks of each group are solved, with 95 % intervals over tasks.

    Where a suite has no groups, those are the categories: tasks of the same name.

    Args:
        report: The evaluated answers. A task may count in several groups, or in none.
        model: One model; by default all, one below the other.

    Raises:
        UnknownNameError: If the report has no such model.
    """
    require_results(report)
    models = _models(report, model)
    by_name = not any(report.tally(name).grouped for name in models)
    rows: list[dict[str, Cell]] = []
    for name in models:
        grouped: dict[str, list[tuple[str, bool]]] = {}
        for record in _counted(report, name):
            for group in [record.name] if by_name else record.result.groups:
                grouped.setdefault(group, []).append((record.task, record.result.success))
        for group, of_group in sorted(grouped.items()):
            counts = {"items": len(of_group), "solved": sum(success for _, success in of_group)}
            rows.append({"model": name, "group": group, **counts, **_rate(of_group)})
    kind = ["groups are categories: tasks of the same name"] if by_name else []
    notes = (f"{report.setting}; percent", *kind, interval_note(report))
    return Table.by_model("Success by group", rows, notes)


def _counted(report: Report, model: str) -> list[Record]:
    return [record for record in report.of(model) if record.result.status != "excluded"]


def _models(report: Report, model: str | None) -> tuple[str, ...]:
    """The model that is meant, or all."""
    if model is not None:
        report.of(model)
    return report.models if model is None else (model,)


_SEPARATE = "each model for itself: answers of several models to one task are not independent"


def _rate(outcomes: Sequence[tuple[str, bool]], heading: str = "%") -> dict[str, Cell]:
    low, high = rate_interval(outcomes)
    rate = 100 * sum(counts for _, counts in outcomes) / len(outcomes)
    return {heading: rate, "low": low, "high": high}


Factor = Callable[[Task, Result], int]


def _goals(kind: str | None) -> Factor:
    return lambda _task, result: sum(kind in (None, goal.kind) for goal in result.goals)


def _plan_objects(task: Task, _result: Result) -> int:
    plan = task.plans[0] if task.plans else ()
    return len({name for action in plan for name in action.arguments})


FACTORS: Mapping[str, Factor] = {
    "goal conditions": _goals(None),
    **{f"{kind} goals": _goals(kind) for kind in GOAL_KINDS},
    "reference plan length": lambda task, _result: len(next(iter(task.plans), ())),
    "objects in the reference plan": _plan_objects,
}
"""Factors of Figure 36 by name: functions of the task and the result."""


def factor_rates(report: Report, suite: str | Suite, *, model: str | None = None) -> Table:
    """Return the success rate for each value of each factor (Figure 36), model by model.

    Args:
        report: The evaluated answers.
        suite: The suite that they are about, or its name.
        model: One model; by default all, one below the other.

    Raises:
        UnknownNameError: If the report has no such model.
        InputError: If the report is not about this suite.
    """
    rows: list[dict[str, Cell]] = []
    for name, factor, found in _factor_values(report, suite, model):
        by_value: dict[int, list[tuple[str, bool]]] = {}
        for task, value, success in found:
            by_value.setdefault(value, []).append((task, success))
        for value, of_value in sorted(by_value.items()):
            counts = {"items": len(of_value), "solved": sum(success for _, success in of_value)}
            rate = _rate(of_value, "success %")
            rows.append({"model": name, "factor": factor, "value": value, **counts, **rate})
    notes = (interval_note(report), _SEPARATE)
    return Table.by_model("Success by factor", rows, notes)


def factor_correlations(report: Report, suite: str | Suite, *, model: str | None = None) -> Table:
    """Return how strongly success goes with each factor, model by model.

    The point-biserial correlation is Pearson's between the factor and success (0 or 1);
    Spearman's is the same between ranks. Both are undefined where one of them is constant. Of
    several answers to a task the mean success counts, once.

    Args:
        report: The evaluated answers.
        suite: The suite that they are about, or its name.
        model: One model; by default all, one below the other.

    Raises:
        UnknownNameError: If the report has no such model.
        InputError: If the report is not about this suite.
    """
    from scipy.stats import pearsonr, spearmanr

    rows: list[dict[str, Cell]] = []
    for name, factor, found in _factor_values(report, suite, model):
        values = {task: value for task, value, _ in found}
        of_task: dict[str, list[bool]] = {task: [] for task in values}
        for task, _, success in found:
            of_task[task].append(success)
        xs, ys = list(values.values()), [sum(each) / len(each) for each in of_task.values()]
        constant = len(set(xs)) < 2 or len(set(ys)) < 2
        pearson, spearman = (None, None) if constant else (pearsonr(xs, ys), spearmanr(xs, ys))
        rows.append(
            {
                "model": name,
                "factor": factor,
                "items": len(xs),
                "mean if solved": _mean(xs, ys),
                "mean if not": _mean(xs, [1 - y for y in ys]),
                "point-biserial r": pearson and float(pearson[0]),
                "p of r": pearson and Probability(pearson[1]),
                "Spearman rho": spearman and float(spearman[0]),
                "p of rho": spearman and Probability(spearman[1]),
            }
        )
    return Table.by_model("Correlation of success with factors", rows, (_SEPARATE,))


def _mean(values: Sequence[int], weights: Sequence[float]) -> float | None:
    total = math.fsum(weights)
    return math.fsum(map(mul, values, weights)) / total if total else None


def part_rates(report: Report, *, model: str | None = None) -> Table:
    """Return how often each action is executed, and each goal predicate reached (Figure 37).

    An action counts as tried if the plan came to it; skipped steps (whose effects hold already)
    are left out.

    Args:
        report: The evaluated answers.
        model: One model; by default all, one below the other.

    Raises:
        UnknownNameError: If the report has no such model.
    """
    require_results(report)
    rows: list[dict[str, Cell]] = []
    for name in _models(report, model):
        parts = [each for record in report.of(name) for each in _parts(record.result)]
        tried = Counter((part, of) for part, of, _ in parts)
        done = Counter((part, of) for part, of, successful in parts if successful)
        for (part, of), number in sorted(tried.items()):
            counts = {"tried": number, "done": done[part, of]}
            rate = 100 * done[part, of] / number
            rows.append({"model": name, "part": part, "name": of, **counts, "success %": rate})
    return Table.by_model("Success of actions and goal predicates", rows)


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
) -> Iterable[tuple[str, str, list[tuple[str, int, bool]]]]:
    """Model, factor, and for each answer the task, the factor's value and the success."""
    require_results(report)
    chosen = given_suite(suite)
    if report.setting.suite != chosen.name:
        raise InputError(
            f"the report is about the suite {report.setting.suite!r}",
            expected=f"a report about {chosen.name!r}",
        )
    for name in _models(report, model):
        counted = [(chosen.task(each.task), each.result) for each in _counted(report, name)]
        for factor, count in FACTORS.items():
            yield name, factor, [(t.id, count(t, result), result.success) for t, result in counted]


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
        raise InputError("no runs to combine", expected="at least one model")
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
            expected=f"the same setting for both; found {given} and {other}",
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
        kept = [{r.task for r in _counted(report, model)} for report in (modular, pipeline)]
        both = kept[0] & kept[1]
        before, after = (
            Report([r for r in report.of(model) if r.task in both], setting=report.setting)
            for report in (modular, pipeline)
        )
        tasks = {record.task for record in before.records}
        notes.append(f"{model}: {len(tasks)} tasks evaluated in both")
        if len(tasks) < max(len(before.records), len(after.records)):
            notes.append(f"{model}: a task is solved if one of several answers to it is")
        for m, p in zip(before.metrics(model), after.metrics(model), strict=True):
            if m.key in keys:
                apart = None if m.value is None or p.value is None else p.value - m.value
                values = {"M": m.value, "P": p.value, "P - M": apart}
                rows.append({"model": model, "metric": m.label, **values})
        won, still = ({r.task for r in of.records if r.result.success} for of in (before, after))
        only = {"M": len(won - still), "P": len(still - won), "P - M": len(still) - len(won)}
        rows.append({"model": model, "metric": "Tasks that only this one solves", **only})
    return Table(f"Modular (M) against pipeline (P): {modular.setting}", rows, tuple(notes))
