"""Analyses of reports beyond their metrics: errors, groups, factors, runs, pipelines.

Paper, sections E.5 and G, Tables 6, 10 to 12 and 16, Figures 5, 36 and 37.
"""

from __future__ import annotations

import math
import re
import statistics
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from operator import mul

from eai.contract import Suite
from eai.contract.registry import given_suite
from eai.diagnosis import GOAL_KINDS, Behaviour, ErrorKind, Finding, Measure, Result
from eai.errors import InputError
from eai.report import Record, Report, behaviours_of, interval_note, rate_interval, require_results
from eai.semantics import Semantics
from eai.table import Cell, Probability, Table
from eai.task import Task


def error_breakdown(report: Report, model: str | None = None, *, examples: int = 2) -> Table:
    """Return a table with the number of errors of every kind, with examples.

    Args:
        report: The evaluated answers.
        model: One model; by default all together.
        examples: Maximum number of items named for each kind.

    Raises:
        UnknownNameError: If the report has no such model.
    """
    require_results(report)
    records = report.records
    subject = "all models"
    if model is not None:
        records = report.of(model)
        subject = model
    evaluated = [record for record in records if record.result.status != "excluded"]
    errors = {kind: _Errors() for kind in ErrorKind}
    for record in evaluated:
        for finding in record.result.findings:
            errors[finding.kind].add(record, finding)
    occurring_kinds = [kind for kind in ErrorKind if errors[kind].occurrences]
    # The most frequent first; kinds with equal numbers stay in their usual order.
    occurring_kinds.sort(key=lambda kind: -len(errors[kind].items))
    rows: list[dict[str, Cell]] = []
    for kind in occurring_kinds:
        errors_of_kind = errors[kind]
        rows.append(
            {
                "kind": kind.value,
                "items": len(errors_of_kind.items),
                "% of items": 100 * len(errors_of_kind.items) / len(evaluated),
                "occurrences": errors_of_kind.occurrences,
                "examples": "; ".join(islice(errors_of_kind.examples.values(), examples)),
            }
        )
    solved = sum(record.result.success for record in evaluated)
    note = f"out of {len(evaluated)} items, {solved} of them solved"
    return Table(f"Errors of {subject}", rows, (note,), close=True)


@dataclass
class _Errors:
    """The errors of one kind.

    Args:
        occurrences: Their number.
        items: The answers that have one: model and task.
        examples: The first error in each task, as text.
    """

    occurrences: int = 0
    items: set[tuple[str, str]] = field(default_factory=set)
    examples: dict[str, str] = field(default_factory=dict)

    def add(self, record: Record, finding: Finding) -> None:
        """Add an error of an answer."""
        self.occurrences += 1
        self.items.add((record.model, record.task))
        where = record.task
        if finding.step is not None:
            where += f" step {finding.step}"
        self.examples.setdefault(record.task, f"{where}: {finding.message}")


def distinctions(report: Report, first: str, second: str, *, examples: int = 3) -> list[Table]:
    """Return tables of the tasks, categories and errors in which two models differ.

    Args:
        report: The evaluated answers; tasks count that neither model has excluded.
        first: One model.
        second: The other one.
        examples: Maximum number of tasks named for each row.

    Returns:
        Tasks by who solves them; the same for each category in which the two differ, those with the
        largest difference first; and kinds of error by whose answers have them.

    Raises:
        UnknownNameError: If the report has no such model.
    """
    require_results(report)
    first_records = _first_records(report, first)
    second_records = _first_records(report, second)
    shared_tasks = [task for task in first_records if task in second_records]

    # Each task is counted in three tables: all tasks, those of its category, and the kinds of error
    # that its answers have.
    solved = _Distinction("all tasks")
    by_category: dict[str, _Distinction] = {}
    by_kind = {kind: _Distinction(kind.value) for kind in ErrorKind}
    for task in shared_tasks:
        category = first_records[task].name
        first_result = first_records[task].result
        second_result = second_records[task].result
        in_category = by_category.setdefault(category, _Distinction(category))
        for distinction in (solved, in_category):
            distinction.add(task, first_result.success, second_result.success)
        for kind, distinction in by_kind.items():
            first_has = first_result.number_of(kind) > 0
            second_has = second_result.number_of(kind) > 0
            distinction.add(task, first_has, second_has)

    note = f"first: {first}, second: {second}; {len(shared_tasks)} tasks that count for both models"
    notes: tuple[str, ...] = (note,)
    if max(report.samples(first), report.samples(second)) > 1:
        notes = (note, _FIRST_SAMPLE)
    return [
        Table("Tasks that are solved", [solved.row(examples)], notes),
        _largest_first("Categories that are solved", by_category.values(), examples, notes),
        _largest_first("Errors that answers have", by_kind.values(), examples, notes),
    ]


@dataclass(slots=True)
class _Distinction:
    """The tasks in which a fact is true of both models, or of only one.

    Args:
        name: Heading of the row.
        both: Number of tasks for which it is the case with both.
        only_first: Tasks for which it is the case with the first model only.
        only_second: Likewise, the second.
    """

    name: str
    both: int = 0
    only_first: list[str] = field(default_factory=list)
    only_second: list[str] = field(default_factory=list)

    def add(self, task: str, first: bool, second: bool) -> None:
        """Add a task, with whether the fact is true of each model."""
        if first and second:
            self.both += 1
        elif first:
            self.only_first.append(task)
        elif second:
            self.only_second.append(task)

    @property
    def difference(self) -> int:
        """Number of tasks by which the first model has more."""
        return len(self.only_first) - len(self.only_second)

    def row(self, examples: int) -> dict[str, Cell]:
        """Return a table row with a label, the numbers of tasks, and examples.

        Args:
            examples: Maximum number of tasks to name on each side.
        """
        return {
            "what": self.name,
            "both": self.both,
            "only first": len(self.only_first),
            "only second": len(self.only_second),
            "examples first": ", ".join(self.only_first[:examples]),
            "examples second": ", ".join(self.only_second[:examples]),
        }


def _largest_first(
    title: str, distinctions: Iterable[_Distinction], examples: int, notes: tuple[str, ...]
) -> Table:
    """Return a table of distinctions, the largest first, without those of size 0."""
    differing = [distinction for distinction in distinctions if distinction.difference]
    differing.sort(key=lambda distinction: -abs(distinction.difference))
    rows = [distinction.row(examples) for distinction in differing]
    return Table(title, rows, (*notes, _CHANCE))


def _first_records(report: Report, model: str) -> dict[str, Record]:
    """Return the first record of a model for each task that counts."""
    first_records: dict[str, Record] = {}
    for record in _counted_records(report, model):
        first_records.setdefault(record.task, record)
    return first_records


_FIRST_SAMPLE = "the first of several answers to a task counts"
_CHANCE = "rows without a difference are left out; small differences may be chance (eai compare)"


def behaviour_rates(report: Report, suite: str | Suite, *, model: str | None = None) -> Table:
    """Return a table with the share of episodes that show each behaviour.

    Args:
        report: Evaluated episodes, acted in or recorded.
        suite: The suite that they are from.
        model: One model; by default all, one below the other.

    Raises:
        UnknownNameError: If the report has no such model.
        DataMissingError: If the suite's data was not fetched.
    """
    require_results(report)
    chosen_suite = given_suite(suite)
    profile = Semantics.spelled(
        report.setting.semantics, chosen_suite.quirks, version=chosen_suite.official_version
    )
    rows: list[dict[str, Cell]] = []
    for name in _chosen_models(report, model):
        # Only episodes have measures, but a report may also have other records.
        episodes = [record for record in report.of(name) if record.result.measures]
        if not episodes:
            continue
        for behaviour in Behaviour:
            cells = _behaviour_cells(behaviour, episodes)
            example = ""
            for record in episodes:
                if _shows_behaviour(record, behaviour):
                    # Only the first one is an example: its episode has to be replayed.
                    example = _turns_with(behaviour, record, chosen_suite, profile)
                    break
            rows.append({"model": name, **cells, "example": example})
    meanings = tuple(f"{behaviour.label}: {behaviour.meaning}" for behaviour in Behaviour)
    return Table.by_model("Behaviours", rows, (f"{report.setting}", *meanings))


def _behaviour_cells(behaviour: Behaviour, records: Sequence[Record]) -> dict[str, Cell]:
    """Return the number and the share of the episodes that show a behaviour."""
    outcomes = [(record.task, _shows_behaviour(record, behaviour)) for record in records]
    episode_count = sum(is_shown for _, is_shown in outcomes)
    return {
        "behaviour": behaviour.label,
        "episodes": episode_count,
        **_rate_cells(outcomes, "% of episodes"),
    }


def _shows_behaviour(record: Record, behaviour: Behaviour) -> bool:
    """Return whether the episode of a record shows a behaviour."""
    return Measure(behaviour.measure, 1, 1) in record.result.measures


def _turns_with(behaviour: Behaviour, record: Record, suite: Suite, semantics: Semantics) -> str:
    """Return the turns that show a behaviour: ``"task-1, turn 3, 5"``.

    The record does not have the turns, so the episode is replayed.
    """
    turns = behaviours_of(record, suite.task(record.task), suite, semantics).get(behaviour, ())
    return f"{record.task}, turn {', '.join(map(str, turns))}"


def group_rates(report: Report, model: str | None = None) -> Table:
    """Return a table with the success rate of each task group.

    A suite without groups is grouped by category, that is by the name of tasks.

    Args:
        report: The evaluated answers. A task may count in several groups, or in none.
        model: One model; by default all, one below the other.

    Raises:
        UnknownNameError: If the report has no such model.
    """
    require_results(report)
    # One kind of group for all models, so that their rows can be compared.
    models = _chosen_models(report, model)
    has_groups = any(report.tally(name).grouped for name in models)
    rows: list[dict[str, Cell]] = []
    for name in models:
        outcomes_by_group: dict[str, list[tuple[str, bool]]] = {}
        for record in _counted_records(report, name):
            groups = record.result.groups if has_groups else (record.name,)
            for group in groups:
                outcome = (record.task, record.result.success)
                outcomes_by_group.setdefault(group, []).append(outcome)
        for group, outcomes in sorted(outcomes_by_group.items()):
            rows.append(
                {"model": name, "group": group, **_count_cells(outcomes), **_rate_cells(outcomes)}
            )
    notes = [f"{report.setting}; percent"]
    if not has_groups:
        notes.append("groups are categories: tasks of the same name")
    notes.append(interval_note(report))
    return Table.by_model("Success by group", rows, tuple(notes))


def _count_cells(outcomes: Sequence[tuple[str, bool]]) -> dict[str, Cell]:
    """Return the number of items, and of solved ones, as cells."""
    return {"items": len(outcomes), "solved": sum(success for _, success in outcomes)}


def _counted_records(report: Report, model: str) -> list[Record]:
    """Return the records of a model that are not excluded."""
    return [record for record in report.of(model) if record.result.status != "excluded"]


def _chosen_models(report: Report, model: str | None) -> tuple[str, ...]:
    """Return the given model, or all models by default. An unknown model is an error."""
    if model is None:
        return report.models
    report.of(model)
    return (model,)


_SEPARATE = "each model for itself: answers of several models to one task are not independent"


def _rate_cells(outcomes: Sequence[tuple[str, bool]], heading: str = "%") -> dict[str, Cell]:
    """Return a success rate with its interval as table cells.

    Args:
        outcomes: Pairs of a task and whether an answer to it is a success.
        heading: Heading of the rate.
    """
    low, high = rate_interval(outcomes)
    rate = 100 * sum(success for _, success in outcomes) / len(outcomes)
    return {heading: rate, "low": low, "high": high}


Factor = Callable[[Task, Result], int]
"""A number that may make a task hard, such as the length of its plan."""


def _goal_counter(kind: str | None) -> Factor:
    """Return the factor that counts goal conditions of a kind, or all."""
    return lambda _task, result: sum(kind in (None, goal.kind) for goal in result.goals)


def _plan_objects(task: Task, _result: Result) -> int:
    """Return the number of objects in the reference plan."""
    names: set[str] = set()
    if task.plans:
        for action in task.plans[0]:
            names.update(action.arguments)
    return len(names)


FACTORS: Mapping[str, Factor] = {
    "goal conditions": _goal_counter(None),
    **{f"{kind} goals": _goal_counter(kind) for kind in GOAL_KINDS},
    "reference plan length": lambda task, _result: len(next(iter(task.plans), ())),
    "objects in the reference plan": _plan_objects,
}
"""Factors of Figure 36 by name: functions of the task and the result."""


def factor_rates(report: Report, suite: str | Suite, *, model: str | None = None) -> Table:
    """Return a table with the success rate for each value of each factor (Figure 36).

    Args:
        report: The evaluated answers.
        suite: The suite that they are about, or its name.
        model: One model; by default all, one below the other.

    Raises:
        UnknownNameError: If the report has no such model.
        InputError: If the report is not about this suite.
    """
    rows: list[dict[str, Cell]] = []
    for name, factor, items in _factor_values(report, suite, model):
        outcomes_by_value: dict[int, list[tuple[str, bool]]] = {}
        for task, value, success in items:
            outcomes_by_value.setdefault(value, []).append((task, success))
        for value, outcomes in sorted(outcomes_by_value.items()):
            row: dict[str, Cell] = {"model": name, "factor": factor, "value": value}
            rows.append({**row, **_count_cells(outcomes), **_rate_cells(outcomes, "success %")})
    notes = (interval_note(report), _SEPARATE)
    return Table.by_model("Success by factor", rows, notes)


def factor_correlations(report: Report, suite: str | Suite, *, model: str | None = None) -> Table:
    """Return a table with the correlation of success and each factor.

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
    for name, factor, items in _factor_values(report, suite, model):
        value_of: dict[str, int] = {}
        successes: dict[str, list[bool]] = {}
        for task, value, success in items:
            value_of[task] = value
            successes.setdefault(task, []).append(success)
        values = list(value_of.values())
        rates = [sum(answers) / len(answers) for answers in successes.values()]
        # The means are weighted: a task that is solved in two of three answers counts with 2/3
        # among the solved ones, and with 1/3 among the others.
        row: dict[str, Cell] = {
            "model": name,
            "factor": factor,
            "items": len(values),
            "mean if solved": _mean(values, rates),
            "mean if not": _mean(values, [1 - rate for rate in rates]),
            "point-biserial r": None,
            "p of r": None,
            "Spearman rho": None,
            "p of rho": None,
        }
        # A constant has no correlation with anything.
        if len(set(values)) > 1 and len(set(rates)) > 1:
            pearson, pearson_p = pearsonr(values, rates)
            spearman, spearman_p = spearmanr(values, rates)
            row["point-biserial r"] = float(pearson)
            row["p of r"] = Probability(pearson_p)
            row["Spearman rho"] = float(spearman)
            row["p of rho"] = Probability(spearman_p)
        rows.append(row)
    return Table.by_model("Correlation of success with factors", rows, (_SEPARATE,))


def _mean(values: Sequence[int], weights: Sequence[float]) -> float | None:
    """Return a weighted mean, or None if all weights are 0."""
    total = math.fsum(weights)
    if not total:
        return None
    return math.fsum(map(mul, values, weights)) / total


def part_rates(report: Report, *, model: str | None = None) -> Table:
    """Return a table with the success rate of each action and goal predicate (Figure 37).

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
    for name in _chosen_models(report, model):
        times_tried = Counter[tuple[str, str]]()
        times_done = Counter[tuple[str, str]]()
        for record in report.of(name):
            for part, part_name, is_done in _tried_actions_and_goals(record.result):
                times_tried[part, part_name] += 1
                times_done[part, part_name] += is_done
        # By part and name, so that the rows of two models stand in the same order.
        for (part, part_name), tried in sorted(times_tried.items()):
            done = times_done[part, part_name]
            row: dict[str, Cell] = {"model": name, "part": part, "name": part_name}
            rows.append({**row, "tried": tried, "done": done, "success %": 100 * done / tried})
    return Table.by_model("Success of actions and goal predicates", rows)


# The word before a bracket: "open" in "open(fridge.40)", "inside" in "not inside(milk, fridge)".
_NAME = re.compile(r"[\w-]+(?=\()")


def _tried_actions_and_goals(result: Result) -> Iterable[tuple[str, str, bool]]:
    """Yield (kind, name, success) for executed actions and goal conditions.

    For instance ``("action", "open", True)`` and ``("goal predicate", "inside", False)``.
    """
    # Steps that were not reached have no outcome, so the shorter list counts.
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
    """Yield for each model and factor its answers as (task, value, success).

    Args:
        report: The report.
        suite: The suite that it is about, or its name.
        model: A model; all of the report if None.

    Raises:
        InputError: If the report is about another suite.
    """
    require_results(report)
    checked_suite = given_suite(suite)
    if report.setting.suite != checked_suite.name:
        raise InputError(
            f"the report is about the suite {report.setting.suite!r}",
            expected=f"a report about {checked_suite.name!r}",
        )
    for name in _chosen_models(report, model):
        # Loaded once for all factors: a task may take longer than its factors.
        answers = []
        for record in _counted_records(report, name):
            answers.append((checked_suite.task(record.task), record.result))
        for factor, value_of in FACTORS.items():
            items = []
            for task, result in answers:
                items.append((task.id, value_of(task, result), result.success))
            yield name, factor, items


def run_statistics(report: Report, runs: Iterable[str] | None = None) -> Table:
    """Return a table with median, mean and standard deviation of metrics over runs.

    Models give different answers when asked again. AsgardBench publishes medians over runs
    (appendix A.6), and its script prints means and standard deviations.

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
    # All models of a report have the same metrics in the same order: one metric at a time.
    for metrics in zip(*map(report.metrics, names), strict=True):
        values = [metric.value for metric in metrics if metric.value is not None]
        row: dict[str, Cell] = {"metric": metrics[0].label, "runs": len(values)}
        row |= dict.fromkeys(("median", "mean", "sd", "least", "most"))
        if values:
            row["median"] = statistics.median(values)
            row["mean"] = statistics.fmean(values)
            row["least"] = min(values)
            row["most"] = max(values)
        if len(values) > 1:  # of a sample, which one value does not have
            row["sd"] = statistics.stdev(values)
        rows.append(row)
    note = f"{report.setting}; percent, over {len(names)} runs: {', '.join(names)}"
    return Table("Metrics over runs", rows, (note,))


def compare_pipeline(modular: Report, pipeline: Report) -> Table:
    """Compare answers for given goals with answers for interpreted goals.

    In the modular setting a model plans for the annotated goal; in the pipeline it plans for the
    goal that it interpreted itself, and is still evaluated by the annotated one. Only tasks that
    both reports evaluate are counted.

    Returns:
        A row for each model and metric: modular (M), pipeline (P), and the difference in points;
        for success also the tasks that only one of the two solves.

    Raises:
        InputError: If the reports are of different suites or abilities, or share no model.
    """
    models = _shared_models(modular, pipeline)
    rows: list[dict[str, Cell]] = []
    notes: list[str] = []
    # Only metrics that the tables of a report show are compared.
    shown_metrics: set[str] = set()
    for table in modular.view.tables:
        shown_metrics.update(column.key for column in table.columns)
    for model in models:
        # Rates are comparable only if both are over the same tasks.
        shared_tasks = _counted_tasks(modular, model) & _counted_tasks(pipeline, model)
        modular_part = _restrict_report(modular, model, shared_tasks)
        pipeline_part = _restrict_report(pipeline, model, shared_tasks)
        notes.append(f"{model}: {len(shared_tasks)} tasks evaluated in both")
        has_several_answers = len(shared_tasks) < max(
            len(modular_part.records), len(pipeline_part.records)
        )
        if has_several_answers:
            notes.append(f"{model}: a task is solved if one of several answers to it is")
        scores = zip(modular_part.metrics(model), pipeline_part.metrics(model), strict=True)
        for modular_score, pipeline_score in scores:
            if modular_score.key not in shown_metrics:
                continue
            row: dict[str, Cell] = {"model": model, "metric": modular_score.label}
            rows.append({**row, **_difference_cells(modular_score.value, pipeline_score.value)})
        rows.append({"model": model, **_cells_of_solved(modular_part, pipeline_part)})
    return Table(f"Modular (M) against pipeline (P): {modular.setting}", rows, tuple(notes))


def _cells_of_solved(modular: Report, pipeline: Report) -> dict[str, Cell]:
    """Return how many tasks only one of two reports on the same tasks solves."""
    solved_by_modular = _solved_tasks(modular)
    solved_by_pipeline = _solved_tasks(pipeline)
    return {
        "metric": "Tasks that only this one solves",
        "M": len(solved_by_modular - solved_by_pipeline),
        "P": len(solved_by_pipeline - solved_by_modular),
        "P - M": len(solved_by_pipeline) - len(solved_by_modular),
    }


def _counted_tasks(report: Report, model: str) -> set[str]:
    """Return the tasks of a model that are not excluded."""
    return {record.task for record in _counted_records(report, model)}


def _shared_models(modular: Report, pipeline: Report) -> list[str]:
    """Return the models that both reports have.

    Raises:
        InputError: If the reports are of different suites or abilities, or share no model.
    """
    for report in (modular, pipeline):
        require_results(report)
    modular_setting = modular.setting
    pipeline_setting = pipeline.setting
    # Reports of two versions of this package can be compared.
    if modular_setting._replace(version="") != pipeline_setting._replace(version=""):
        raise InputError(
            "the reports are of different runs",
            expected=f"the same setting for both; found {modular_setting} and {pipeline_setting}",
            mend="evaluate both with the same suite, ability and semantics",
        )
    models = [name for name in modular.models if name in pipeline.models]
    if not models:
        raise InputError(
            "the reports have no model in common",
            expected=f"a model of {', '.join(modular.models)}; found: {', '.join(pipeline.models)}",
            mend="give the same models the same names",
        )
    return models


def _difference_cells(modular: float | None, pipeline: float | None) -> dict[str, Cell]:
    """Return the two values of a metric and their difference, as cells."""
    difference = None
    if modular is not None and pipeline is not None:
        difference = pipeline - modular
    return {"M": modular, "P": pipeline, "P - M": difference}


def _restrict_report(report: Report, model: str, tasks: Container[str]) -> Report:
    """Return the report of one model on some tasks."""
    records = [record for record in report.of(model) if record.task in tasks]
    return Report(records, setting=report.setting)


def _solved_tasks(report: Report) -> set[str]:
    """Return the tasks that are solved."""
    return {record.task for record in report.records if record.result.success}
