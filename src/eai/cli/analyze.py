"""``eai analyze``: the analyses of the paper's appendix, one command each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from eai import analyses
from eai.agents.many import transcript_logs
from eai.cli.documents import tables_document
from eai.cli.names import find_modules_here, named_suite
from eai.cli.options import (
    Csv,
    Force,
    Json,
    Model,
    RunAbility,
    RunPath,
    RunSuite,
    Seed,
    Semantics,
    SuiteName,
    examples,
    path_argument,
)
from eai.cli.output import print_json, progress, show, warn
from eai.cli.reading import read_parts, read_run, run_folder
from eai.errors import EaiError, InputError
from eai.registry import suites
from eai.report import suite_of
from eai.suites import SAMPLES
from eai.table import Cell, Table

if TYPE_CHECKING:
    from eai.report import Report

app = typer.Typer()


class _Analyses(TyperGroup):
    """``eai analyze SUITE RUN`` stands for ``eai analyze suite SUITE RUN``."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401
        names = {each.name for each in suites().origins()}
        named = args[0] not in self.commands and (args[0] in names or ":" in args[0])
        return super().resolve_command(ctx, ["suite", *args] if named else args)


_commands = typer.Typer(
    cls=_Analyses, no_args_is_help=True, help="Analyse evaluated answers, and datasets."
)
app.add_typer(_commands, name="analyze")

_Answers = Annotated[
    list[Path],
    path_argument("FILES", "Answers to transition modeling: a file or folder for each model."),
]


def _analyzed(
    run: Path,
    suite: str | None,
    ability: str | None,
    csv: Path | None,
    analyze: Callable[[Report], Sequence[Table]],
) -> list[Table]:
    """Analyse each part of a run; of several, those that the analysis is about."""
    parts = read_parts(run, suite=suite, ability=ability)
    found: list[Table] = []
    last: list[tuple[dict[str, Cell], Table]] = []
    for report in parts.values():
        try:
            tables = analyze(report)
        except EaiError:
            if len(parts) == 1:
                raise
            continue
        about = f"{report.setting.suite} {report.setting.ability}: " if len(parts) > 1 else ""
        found += [replace(table, title=f"{about}{table.title}") for table in tables]
        of_part = {"suite": report.setting.suite, "ability": report.setting.ability}
        last.append((dict(of_part), tables[-1]))
    if csv is not None and len(last) > 1:  # one file for all of them
        found.append(Table.joined("All parts of the run", last))
    if not found:
        raise InputError("no part of the run has data for this analysis", where=str(run))
    return found


def show_tables(tables: Sequence[Table], csv: Path | None, *, force: bool, json: bool) -> None:
    """Print tables, or all of them as one JSON document; write the last one to a file."""
    if csv is not None:
        tables[-1].to_csv(csv, force=force)
    if json:
        print_json(tables_document(tables))
        return
    for table in tables:
        show(table)
        if not (table.rows or table.notes):
            warn(f"{table.title}: this run has no data for this analysis")


@_commands.command(epilog=examples("eai analyze errors run --model gpt"))
def errors(
    run: RunPath,
    model: Model = None,
    suite: RunSuite = None,
    ability: RunAbility = None,
    number: Annotated[int, typer.Option("--examples", help="Items named for each kind.")] = 2,
    csv: Csv = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Every kind of error: how many items have it, with examples."""
    tables = _analyzed(
        run, suite, ability, csv, lambda of: [analyses.error_breakdown(of, model, examples=number)]
    )
    show_tables(tables, csv, force=force, json=json)


@_commands.command(epilog=examples("eai analyze differences run gpt llama"))
def differences(
    run: RunPath,
    first: Annotated[str, typer.Argument(metavar="MODEL", help="First model.")],
    second: Annotated[str, typer.Argument(metavar="OTHER", help="Second model.")],
    suite: RunSuite = None,
    ability: RunAbility = None,
    number: Annotated[int, typer.Option("--examples", help="Tasks named in each row.")] = 3,
    csv: Csv = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """What distinguishes two models: tasks, categories and errors that only one has."""
    tables = _analyzed(
        run,
        suite,
        ability,
        csv,
        lambda of: analyses.distinctions(of, first, second, examples=number),
    )
    show_tables(tables, csv, force=force, json=json)


@_commands.command(epilog=examples("eai analyze factors run --csv rates.csv"))
def factors(
    run: RunPath,
    model: Model = None,
    suite: RunSuite = None,
    ability: RunAbility = None,
    csv: Csv = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Success against plan length and goal complexity (E.5): correlations, then rates."""
    find_modules_here(suite)

    def analyze(report: Report) -> list[Table]:
        given = suite if suite is not None and ":" in suite else None
        of_report = suite_of(report.records[0], given)
        return [
            analyses.factor_correlations(report, of_report, model=model),
            analyses.factor_rates(report, of_report, model=model),
        ]

    show_tables(_analyzed(run, suite, ability, csv, analyze), csv, force=force, json=json)


@_commands.command(epilog=examples("eai analyze parts run"))
def parts(
    run: RunPath,
    model: Model = None,
    suite: RunSuite = None,
    ability: RunAbility = None,
    csv: Csv = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Success of each action and each goal predicate (Figure 37)."""
    tables = _analyzed(run, suite, ability, csv, lambda of: [analyses.part_rates(of, model=model)])
    show_tables(tables, csv, force=force, json=json)


@_commands.command(epilog=examples("eai analyze groups run"))
def groups(
    run: RunPath,
    model: Model = None,
    suite: RunSuite = None,
    ability: RunAbility = None,
    csv: Csv = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Success of each group of tasks, a family for instance, with Wilson intervals."""
    tables = _analyzed(run, suite, ability, csv, lambda of: [analyses.group_rates(of, model)])
    show_tables(tables, csv, force=force, json=json)


@_commands.command(epilog=examples("eai analyze behaviours acted"))
def behaviours(
    run: RunPath,
    model: Model = None,
    suite: RunSuite = None,
    csv: Csv = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """What agents do wrong over several turns: repeat failures, oscillate, stop early, ..."""
    find_modules_here(suite)
    report = read_run(run)
    of_report = suite_of(report.records[0], suite)
    table = analyses.behaviour_rates(report, of_report, model=model)
    show_tables([table], csv, force=force, json=json)


@_commands.command(epilog=examples("eai analyze intervals run --draws 10000"))
def intervals(
    run: RunPath,
    model: Model = None,
    suite: RunSuite = None,
    ability: RunAbility = None,
    draws: Annotated[
        int, typer.Option(help="Number of resamples where there is no formula.")
    ] = 2000,
    seed: Seed = 0,
    csv: Csv = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Every metric with its counts, its 95 % interval, and how that was made."""
    tables = _analyzed(
        run, suite, ability, csv, lambda of: [of.intervals(model, draws=draws, seed=seed)]
    )
    show_tables(tables, csv, force=force, json=json)


@_commands.command(epilog=examples("eai analyze runs run"))
def runs(
    run: RunPath,
    suite: RunSuite = None,
    ability: RunAbility = None,
    csv: Csv = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Median, mean and spread of every metric; each model is a run of the same one."""
    tables = _analyzed(run, suite, ability, csv, lambda of: [analyses.run_statistics(of)])
    show_tables(tables, csv, force=force, json=json)


@_commands.command("suite", epilog=examples("eai analyze suite SUITE acted"))
def own(
    suite: SuiteName,
    run: RunPath,
    model: Model = None,
    ability: RunAbility = None,
    csv: Csv = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """What only this suite says of a run; for short eai analyze SUITE RUN."""
    chosen = named_suite(suite)
    parts = read_parts(run, suite=suite, models=[model] if model else None, ability=ability)
    logs = {part: transcript_logs(run_folder(part)) for part in parts}
    found = [t for part, of in parts.items() for t in chosen.analyses(of, logs[part])]
    show_tables(found, csv, force=force, json=json)


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
