"""``eai analyze``: the analyses of the paper's appendix, one command each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from eai.analyses.table import AnalysisTable
    from eai.report.report import Report

__all__ = ["register"]

_analyze = typer.Typer(no_args_is_help=True, help="Analyse judged answers, and datasets.")

_Run = Annotated[Path, typer.Argument(help="A record file, or the folder of a run.")]
_Model = Annotated[str | None, typer.Option(help="Only this model.")]
_Csv = Annotated[Path | None, typer.Option("--csv", help="Also write the rows to this file.")]
_Suite = Annotated[str, typer.Argument(help="Name of a suite; see `eai suites`.")]


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
    from eai.cli.here import find_modules_here
    from eai.registry import suite as find_suite

    find_modules_here(suite)
    _show(dataset_statistics(find_suite(suite)), csv)


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
