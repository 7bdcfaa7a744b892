"""``eai analyze``: the analyses of the paper's appendix, one command each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from eai.cli.commands import Argument, Group, Option
from eai.cli.here import find_modules_here, named_suite
from eai.cli.runs import read_run

if TYPE_CHECKING:
    from eai.table import Table

__all__ = ["COMMAND", "show_tables"]

_Run = Annotated[Path, Argument("A record file, or the folder of a run.")]
_Model = Annotated[str | None, Option("Only this model.")]
_Csv = Annotated[Path | None, Option("Also write the rows to this file.")]
_Force = Annotated[bool, Option("Write over a file.")]
_Json = Annotated[bool, Option("Print one JSON document instead of the table.")]
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
    force: _Force = False,
    json: _Json = False,
) -> None:
    """Every kind of error: how many items have it, with examples."""
    from eai.analyses import error_breakdown

    show_tables(
        [error_breakdown(read_run(run), model, examples=examples)], csv, force=force, json=json
    )


def factors(
    run: _Run,
    model: _Model = None,
    suite: Annotated[
        str | None, Option("Its suite, if no package announces it: module:attribute.")
    ] = None,
    csv: _Csv = None,
    force: _Force = False,
    json: _Json = False,
) -> None:
    """Success against plan length and goal complexity (E.5): correlations, then rates."""
    from eai.analyses import factor_correlations, factor_rates
    from eai.report.explanation import suite_of

    find_modules_here(suite)
    report = read_run(run)
    of_report = suite_of(report.records[0], suite)
    tables = [
        factor_correlations(report, of_report, model=model),
        factor_rates(report, of_report, model=model),
    ]
    show_tables(tables, csv, force=force, json=json)


def parts(
    run: _Run, model: _Model = None, csv: _Csv = None, force: _Force = False, json: _Json = False
) -> None:
    """Success of each action and each goal predicate (Figure 37)."""
    from eai.analyses import part_rates

    show_tables([part_rates(read_run(run), model=model)], csv, force=force, json=json)


def groups(
    run: _Run, model: _Model = None, csv: _Csv = None, force: _Force = False, json: _Json = False
) -> None:
    """Success of each group of tasks, a family for instance, with Wilson intervals."""
    from eai.analyses import group_rates

    show_tables([group_rates(read_run(run), model)], csv, force=force, json=json)


def intervals(
    run: _Run,
    model: _Model = None,
    draws: Annotated[int, Option("How often tasks are drawn where there is no formula.")] = 2000,
    seed: Annotated[int, Option("Seed of the draws.")] = 0,
    csv: _Csv = None,
    force: _Force = False,
    json: _Json = False,
) -> None:
    """Every metric with its counts, its 95 % interval, and how that was made."""
    table = read_run(run).intervals(model, draws=draws, seed=seed)
    show_tables([table], csv, force=force, json=json)


def runs(run: _Run, csv: _Csv = None, force: _Force = False, json: _Json = False) -> None:
    """Median, mean and spread of every metric; each model is a run of the same one."""
    from eai.analyses import run_statistics

    show_tables([run_statistics(read_run(run))], csv, force=force, json=json)


def pipeline(
    modular: _Run, pipeline: _Run, csv: _Csv = None, force: _Force = False, json: _Json = False
) -> None:
    """Answers to annotated goals against answers to interpreted goals (G)."""
    from eai.analyses import compare_pipeline

    show_tables(
        [compare_pipeline(read_run(modular), read_run(pipeline))], csv, force=force, json=json
    )


def statistics(suite: _Suite, csv: _Csv = None, force: _Force = False, json: _Json = False) -> None:
    """How many tasks, goals, plans and steps a suite has (Table 2)."""
    from eai.analyses import dataset_statistics

    show_tables([dataset_statistics(named_suite(suite))], csv, force=force, json=json)


def categories(
    suite: _Suite,
    most: Annotated[int, Option("Categories for each task.")] = 2,
    csv: _Csv = None,
    force: _Force = False,
    json: _Json = False,
) -> None:
    """Tasks by the predicates that say most about them (L.5, Table 25)."""
    from eai.analyses import task_categories

    show_tables([task_categories(named_suite(suite), most=most)], csv, force=force, json=json)


def sensitivity(
    suite: _Suite,
    files: _Answers,
    categories: Annotated[bool, Option("Also for each ability category.")] = False,
    semantics: _Semantics = None,
    csv: _Csv = None,
    force: _Force = False,
    json: _Json = False,
) -> None:
    """Plans with one predicted operator among the annotated ones (F)."""
    from eai.analyses import sensitivity as analysis

    chosen = named_suite(suite)
    planned = partial(analysis, chosen, files, semantics=semantics, categories=categories)
    _show_planned(planned, csv, force=force, json=json)


def mixed(
    suite: _Suite,
    files: _Answers,
    semantics: _Semantics = None,
    csv: _Csv = None,
    force: _Force = False,
    json: _Json = False,
) -> None:
    """Plans with every mixture of predicted and annotated operators (E.4.3)."""
    from eai.analyses import mixed_action_spaces

    planned = partial(mixed_action_spaces, named_suite(suite), files, semantics=semantics)
    _show_planned(planned, csv, force=force, json=json)


def _show_planned(
    analyse: Callable[..., Table], csv: Path | None, *, force: bool, json: bool
) -> None:
    """Print a table that takes a search for every answer, with a bar meanwhile."""
    from eai.cli.progress import progress

    with progress("planning", shown=True) as step:
        table = analyse(progress=step)
    show_tables([table], csv, force=force, json=json)


def show_tables(tables: Sequence[Table], csv: Path | None, *, force: bool, json: bool) -> None:
    """Print tables, or all of them as one JSON document; write the last one to a file.

    Args:
        tables: The tables.
        csv: The file, if there shall be one.
        force: Whether a file may be replaced.
        json: Whether to print JSON.
    """
    if csv is not None:
        tables[-1].to_csv(csv, force=force)
    if json:
        from eai.cli.documents import print_json, tables_document

        print_json(tables_document(tables))
        return
    from eai.cli.output import show, warn

    for table in tables:
        show(table)
        if not table.rows:
            warn(f"{table.title}: there is nothing in it that this analysis is about")


COMMAND = Group(
    "Analyse judged answers, and datasets.",
    {
        each.__name__: each
        for each in (
            errors,
            factors,
            parts,
            groups,
            intervals,
            runs,
            pipeline,
            statistics,
            categories,
            sensitivity,
            mixed,
        )
    },
)
