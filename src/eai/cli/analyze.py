"""``eai analyze``: the analyses of the paper's appendix, one command each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from eai import analyses
from eai.cli.documents import tables_document
from eai.cli.names import find_modules_here, named_suite
from eai.cli.options import (
    Csv,
    Force,
    Json,
    Model,
    RunPath,
    RunSuite,
    Seed,
    Semantics,
    SuiteName,
    examples,
    path_argument,
)
from eai.cli.output import print_json, progress, show, warn
from eai.cli.reading import read_run
from eai.report import suite_of
from eai.suites import SAMPLES

if TYPE_CHECKING:
    from eai.table import Table

app = typer.Typer()
_commands = typer.Typer(no_args_is_help=True, help="Analyse evaluated answers, and datasets.")
app.add_typer(_commands, name="analyze")

_Answers = Annotated[
    list[Path],
    path_argument("FILES", "Answers to transition modeling: a file or folder for each model."),
]


def show_tables(tables: Sequence[Table], csv: Path | None, *, force: bool, json: bool) -> None:
    """Print tables, or all of them as one JSON document; write the last one to a file."""
    if csv is not None:
        tables[-1].to_csv(csv, force=force)
    if json:
        print_json(tables_document(tables))
        return
    for table in tables:
        show(table)
        if not table.rows:
            warn(f"{table.title}: this run has nothing that this analysis is about")


@_commands.command(epilog=examples("eai analyze errors run --model gpt"))
def errors(
    run: RunPath,
    model: Model = None,
    number: Annotated[int, typer.Option("--examples", help="Items named for each kind.")] = 2,
    csv: Csv = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Every kind of error: how many items have it, with examples."""
    table = analyses.error_breakdown(read_run(run), model, examples=number)
    show_tables([table], csv, force=force, json=json)


@_commands.command(epilog=examples("eai analyze factors run --csv rates.csv"))
def factors(
    run: RunPath,
    model: Model = None,
    suite: RunSuite = None,
    csv: Csv = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Success against plan length and goal complexity (E.5): correlations, then rates."""
    find_modules_here(suite)
    report = read_run(run)
    of_report = suite_of(report.records[0], suite)
    tables = [
        analyses.factor_correlations(report, of_report, model=model),
        analyses.factor_rates(report, of_report, model=model),
    ]
    show_tables(tables, csv, force=force, json=json)


@_commands.command(epilog=examples("eai analyze parts run"))
def parts(
    run: RunPath, model: Model = None, csv: Csv = None, force: Force = False, json: Json = False
) -> None:
    """Success of each action and each goal predicate (Figure 37)."""
    table = analyses.part_rates(read_run(run), model=model)
    show_tables([table], csv, force=force, json=json)


@_commands.command(epilog=examples("eai analyze groups run"))
def groups(
    run: RunPath, model: Model = None, csv: Csv = None, force: Force = False, json: Json = False
) -> None:
    """Success of each group of tasks, a family for instance, with Wilson intervals."""
    show_tables([analyses.group_rates(read_run(run), model)], csv, force=force, json=json)


@_commands.command(epilog=examples("eai analyze intervals run --draws 10000"))
def intervals(
    run: RunPath,
    model: Model = None,
    draws: Annotated[
        int, typer.Option(help="Number of resamples where there is no formula.")
    ] = 2000,
    seed: Seed = 0,
    csv: Csv = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Every metric with its counts, its 95 % interval, and how that was made."""
    table = read_run(run).intervals(model, draws=draws, seed=seed)
    show_tables([table], csv, force=force, json=json)


@_commands.command(epilog=examples("eai analyze runs run"))
def runs(run: RunPath, csv: Csv = None, force: Force = False, json: Json = False) -> None:
    """Median, mean and spread of every metric; each model is a run of the same one."""
    show_tables([analyses.run_statistics(read_run(run))], csv, force=force, json=json)


@_commands.command(epilog=examples("eai analyze pipeline annotated interpreted"))
def pipeline(
    modular: RunPath, pipeline: RunPath, csv: Csv = None, force: Force = False, json: Json = False
) -> None:
    """Answers to annotated goals against answers to interpreted goals (G)."""
    table = analyses.compare_pipeline(read_run(modular), read_run(pipeline))
    show_tables([table], csv, force=force, json=json)


@_commands.command(epilog=examples(f"eai analyze statistics {SAMPLES}"))
def statistics(suite: SuiteName, csv: Csv = None, force: Force = False, json: Json = False) -> None:
    """How many tasks, goals, plans and steps a suite has (Table 2)."""
    show_tables([analyses.dataset_statistics(named_suite(suite))], csv, force=force, json=json)


@_commands.command(epilog=examples("eai analyze categories SUITE --most 1"))
def categories(
    suite: SuiteName,
    most: Annotated[int, typer.Option(help="Categories for each task.")] = 2,
    csv: Csv = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Tasks by the predicates that say most about them (L.5, Table 25)."""
    table = analyses.task_categories(named_suite(suite), most=most)
    show_tables([table], csv, force=force, json=json)


@_commands.command(epilog=examples("eai analyze sensitivity SUITE operators.json"))
def sensitivity(
    suite: SuiteName,
    files: _Answers,
    categories: Annotated[
        bool, typer.Option("--categories", help="Also for each ability category.")
    ] = False,
    semantics: Semantics = None,
    csv: Csv = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Plans with one predicted operator among the annotated ones (F)."""
    with progress("planning") as step:
        table = analyses.sensitivity(
            named_suite(suite), files, semantics=semantics, categories=categories, progress=step
        )
    show_tables([table], csv, force=force, json=json)


@_commands.command(epilog=examples("eai analyze mixed SUITE operators.json"))
def mixed(
    suite: SuiteName,
    files: _Answers,
    semantics: Semantics = None,
    csv: Csv = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Plans with every mixture of predicted and annotated operators (E.4.3)."""
    with progress("planning") as step:
        table = analyses.mixed_action_spaces(
            named_suite(suite), files, semantics=semantics, progress=step
        )
    show_tables([table], csv, force=force, json=json)
