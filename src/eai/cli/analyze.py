"""``eai analyze``: the analyses of the paper's appendix, one command each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from eai.analyses.table import AnalysisTable
    from eai.report.report import Report
    from eai.suites.base import Suite

__all__ = ["register"]

_analyze = typer.Typer(no_args_is_help=True, help="Analyse judged answers, and datasets.")

_Run = Annotated[Path, typer.Argument(help="A record file, or the folder of a run.")]
_Model = Annotated[str | None, typer.Option(help="Only this model.")]
_Csv = Annotated[Path | None, typer.Option("--csv", help="Also write the rows to this file.")]
_Suite = Annotated[str, typer.Argument(help="Name of a suite; see `eai suites`.")]
_Answers = Annotated[
    list[Path], typer.Argument(help="Answers to transition modeling, one file or folder a model.")
]
_Semantics = Annotated[
    str | None, typer.Option(help="official or strict; by default what the suite prefers.")
]


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    app.add_typer(_analyze, name="analyze")


@_analyze.command()
def errors(
    run: _Run,
    model: _Model = None,
    examples: Annotated[int, typer.Option(help="Items named for each kind.")] = 2,
    csv: _Csv = None,
) -> None:
    """Every kind of error: how many items have it, with examples."""
    from eai.analyses import error_breakdown

    _show(error_breakdown(_report(run), model, examples=examples), csv)


@_analyze.command()
def factors(run: _Run, model: _Model = None, csv: _Csv = None) -> None:
    """Success against plan length and goal complexity (E.5): correlations, then rates."""
    from eai.analyses import factor_correlations, factor_rates
    from eai.registry import suite

    report = _report(run)
    of_report = suite(report.setting.suite)
    _show(factor_correlations(report, of_report, model=model), None)
    _show(factor_rates(report, of_report, model=model), csv)


@_analyze.command()
def parts(run: _Run, model: _Model = None, csv: _Csv = None) -> None:
    """Success of each action and each goal predicate (Figure 37)."""
    from eai.analyses import part_rates

    _show(part_rates(_report(run), model=model), csv)


@_analyze.command()
def pipeline(modular: _Run, pipeline: _Run, csv: _Csv = None) -> None:
    """Answers to annotated goals against answers to interpreted goals (G)."""
    from eai.analyses import compare_pipeline

    _show(compare_pipeline(_report(modular), _report(pipeline)), csv)


@_analyze.command()
def statistics(suite: _Suite, csv: _Csv = None) -> None:
    """How many tasks, goals, plans and steps a suite has (Table 2)."""
    from eai.analyses import dataset_statistics

    _show(dataset_statistics(_found(suite)), csv)


@_analyze.command()
def categories(
    suite: _Suite,
    most: Annotated[int, typer.Option(help="Categories for each task.")] = 2,
    csv: _Csv = None,
) -> None:
    """Tasks by the predicates that say most about them (L.5, Table 25)."""
    from eai.analyses import task_categories

    _show(task_categories(_found(suite), most=most), csv)


@_analyze.command()
def sensitivity(
    suite: _Suite,
    files: _Answers,
    categories: Annotated[
        bool, typer.Option("--categories", help="Also for each ability category.")
    ] = False,
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


@_analyze.command()
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
