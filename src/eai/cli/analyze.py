"""``eai analyze``: the analyses of the paper's appendix, one command each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from eai.cli.commands import Argument, Group, Option

if TYPE_CHECKING:
    from eai.report.analysis_table import AnalysisTable
    from eai.report.report import Report
    from eai.suites.base import Suite

__all__ = ["COMMAND"]

_Run = Annotated[Path, Argument("A record file, or the folder of a run.")]
_Model = Annotated[str | None, Option("Only this model.")]
_Csv = Annotated[Path | None, Option("Also write the rows to this file.", ("--csv",))]
_Suite = Annotated[str, Argument("Name of a suite; see `eai suites`.")]
_Answers = Annotated[
    list[Path], Argument("Answers to transition modeling, one file or folder a model.")
]
_Semantics = Annotated[str | None, Option("official or strict; by default what the suite prefers.")]


def errors(
    run: _Run,
    model: _Model = None,
    examples: Annotated[int, Option("Items named for each kind.")] = 2,
    csv: _Csv = None,
) -> None:
    """Every kind of error: how many items have it, with examples."""
    from eai.analyses import error_breakdown

    _show(error_breakdown(_report(run), model, examples=examples), csv)


def factors(run: _Run, model: _Model = None, csv: _Csv = None) -> None:
    """Success against plan length and goal complexity (E.5): correlations, then rates."""
    from eai.analyses import factor_correlations, factor_rates
    from eai.registry import suite

    report = _report(run)
    of_report = suite(report.setting.suite)
    _show(factor_correlations(report, of_report, model=model), None)
    _show(factor_rates(report, of_report, model=model), csv)


def parts(run: _Run, model: _Model = None, csv: _Csv = None) -> None:
    """Success of each action and each goal predicate (Figure 37)."""
    from eai.analyses import part_rates

    _show(part_rates(_report(run), model=model), csv)


def groups(run: _Run, model: _Model = None, csv: _Csv = None) -> None:
    """Success of each group of tasks, a family for instance, with Wilson intervals."""
    from eai.report.groups import group_rates

    _show(group_rates(_report(run), model), csv)


def runs(run: _Run, csv: _Csv = None) -> None:
    """Median, mean and spread of every metric; each model is a run of the same one."""
    from eai.report.runs import run_statistics

    _show(run_statistics(_report(run)), csv)


def pipeline(modular: _Run, pipeline: _Run, csv: _Csv = None) -> None:
    """Answers to annotated goals against answers to interpreted goals (G)."""
    from eai.analyses import compare_pipeline

    _show(compare_pipeline(_report(modular), _report(pipeline)), csv)


def statistics(suite: _Suite, csv: _Csv = None) -> None:
    """How many tasks, goals, plans and steps a suite has (Table 2)."""
    from eai.analyses import dataset_statistics

    _show(dataset_statistics(_found(suite)), csv)


def categories(
    suite: _Suite,
    most: Annotated[int, Option("Categories for each task.")] = 2,
    csv: _Csv = None,
) -> None:
    """Tasks by the predicates that say most about them (L.5, Table 25)."""
    from eai.analyses import task_categories

    _show(task_categories(_found(suite), most=most), csv)


def sensitivity(
    suite: _Suite,
    files: _Answers,
    categories: Annotated[bool, Option("Also for each ability category.")] = False,
    semantics: _Semantics = None,
    csv: _Csv = None,
) -> None:
    """Plans with one predicted operator among the annotated ones (F)."""
    from eai.analyses import sensitivity as analysis
    from eai.cli.progress import progress

    with progress("planning", shown=True) as step:
        table = analysis(
            _found(suite),
            list(files),
            semantics=semantics,
            categories=categories,
            progress=step,
        )
    _show(table, csv)


def mixed(
    suite: _Suite,
    files: _Answers,
    semantics: _Semantics = None,
    csv: _Csv = None,
) -> None:
    """Plans with every mixture of predicted and annotated operators (E.4.3)."""
    from eai.analyses import mixed_action_spaces
    from eai.cli.progress import progress

    with progress("planning", shown=True) as step:
        table = mixed_action_spaces(
            _found(suite),
            list(files),
            semantics=semantics,
            progress=step,
        )
    _show(table, csv)


def _found(suite: str) -> Suite:
    from eai.cli.here import find_modules_here
    from eai.registry import suite as find_suite

    find_modules_here(suite)
    return find_suite(suite)


def _report(run: Path) -> Report:
    from eai.cli.output import warn
    from eai.report.records import read_records
    from eai.report.report import Report

    found = read_records(run / "records.jsonl" if run.is_dir() else run)
    if found.note:
        warn(found.note)
    return Report(found)


def _show(table: AnalysisTable, csv: Path | None) -> None:
    from rich.console import Console

    Console().print(table)
    if csv is not None:
        table.to_csv(csv)


COMMAND = Group(
    "Analyse judged answers, and datasets.",
    {
        each.__name__: each
        for each in (
            errors,
            factors,
            parts,
            groups,
            runs,
            pipeline,
            statistics,
            categories,
            sensitivity,
            mixed,
        )
    },
)
