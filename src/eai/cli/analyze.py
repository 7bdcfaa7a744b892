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
from eai.cli import options as opt
from eai.cli.documents import Shown
from eai.cli.output import progress
from eai.cli.reading import (
    Part,
    find_modules_here,
    named_suite,
    naming_suite_of,
    read_run,
    run_folder,
)
from eai.contract import needed_extension
from eai.contract.registry import suites
from eai.errors import EaiError, InputError
from eai.report import suite_of
from eai.suites import SAMPLES
from eai.table import Cell, Table

if TYPE_CHECKING:
    from eai.report import Report

app = typer.Typer()


class _Analyses(TyperGroup):
    """A command group in which ``suite`` may be omitted before a suite's name."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401
        """Return the command for some words, inserting ``suite`` before a suite's name."""
        first = args[0]
        names = {origin.name for origin in suites().origins()}
        # With a colon: a suite of a scheme ("pddl:FILE"), or "module:attribute".
        is_suite = first in names or ":" in first
        if is_suite and first not in self.commands:
            args = ["suite", *args]
        return super().resolve_command(ctx, args)


_commands = typer.Typer(
    cls=_Analyses, no_args_is_help=True, help="Analyse evaluated answers and datasets."
)
app.add_typer(_commands, name="analyze")

_Answers = Annotated[
    list[Path],
    opt.path_argument("FILES", "Answers to transition modeling: a file or folder for each model."),
]


def _show_analysis(
    run: Path, part: Part, shown: Shown, analyze: Callable[[Report], Sequence[Table]]
) -> None:
    """Show an analysis of each part of a run that it applies to.

    Args:
        run: The run.
        part: Which part of it is meant.
        shown: How tables are shown; a file gets the last table of each part.
        analyze: Returns the tables of a report; raises an error if it is not about such reports.

    Raises:
        EaiError: If the analysis applies to no part of the run.
    """
    parts = part.reports(run)
    all_tables: list[Table] = []
    last_tables: list[tuple[dict[str, Cell], Table]] = []
    for report in parts.values():
        try:
            with naming_suite_of(run):
                tables = analyze(report)
        except EaiError:
            if len(parts) == 1:
                raise
            # Another part of the run may be what this analysis is about.
            continue
        setting = report.setting
        if len(parts) == 1:
            all_tables += tables
        else:
            # Of several parts, a title says which part its table is about.
            part_name = f"{setting.suite} {setting.ability}"
            for table in tables:
                all_tables.append(replace(table, title=f"{part_name}: {table.title}"))
        # The last table is the one with rows; those before it sum it up.
        last_tables.append(({"suite": setting.suite, "ability": setting.ability}, tables[-1]))
    # The file is that of the last table, so the joined one comes last.
    if shown.csv is not None and len(last_tables) > 1:  # one file for all of them
        all_tables.append(Table.joined("All parts of the run", last_tables))
    if not all_tables:
        raise InputError("no part of the run has data for this analysis", where=str(run))
    shown.tables(all_tables)


@opt.command(_commands, "eai analyze errors run --model gpt")
def errors(
    run: opt.RunPath,
    *,
    model: opt.Model = None,
    part: Part,
    number: Annotated[int, typer.Option("--examples", help="Items named for each kind.")] = 2,
    shown: Shown,
) -> None:
    """Every kind of error: how many items have it, with examples."""
    _show_analysis(
        run, part, shown, lambda report: [analyses.error_breakdown(report, model, examples=number)]
    )


@opt.command(_commands, "eai analyze differences run gpt llama")
def differences(
    run: opt.RunPath,
    first: Annotated[str, typer.Argument(metavar="MODEL", help="First model.")],
    second: Annotated[str, typer.Argument(metavar="OTHER", help="Second model.")],
    *,
    part: Part,
    number: Annotated[int, typer.Option("--examples", help="Tasks named in each row.")] = 3,
    shown: Shown,
) -> None:
    """Differences of two models: tasks, categories and errors that only one has."""
    _show_analysis(
        run,
        part,
        shown,
        lambda report: analyses.distinctions(report, first, second, examples=number),
    )


@opt.command(_commands, "eai analyze factors run --csv rates.csv")
def factors(run: opt.RunPath, *, model: opt.Model = None, part: Part, shown: Shown) -> None:
    """Success against plan length and goal complexity (Appendix E.5)."""

    def analyze(report: Report) -> list[Table]:
        suite = suite_of(report.records[0], part.own)
        return [
            analyses.factor_correlations(report, suite, model=model),
            analyses.factor_rates(report, suite, model=model),
        ]

    _show_analysis(run, part, shown, analyze)


@opt.command(_commands, "eai analyze parts run")
def parts(run: opt.RunPath, *, model: opt.Model = None, part: Part, shown: Shown) -> None:
    """Success of each action and each goal predicate (Figure 37)."""
    _show_analysis(run, part, shown, lambda report: [analyses.part_rates(report, model=model)])


@opt.command(_commands, "eai analyze groups run")
def groups(run: opt.RunPath, *, model: opt.Model = None, part: Part, shown: Shown) -> None:
    """Success of each group of tasks, such as a family, with Wilson intervals."""
    _show_analysis(run, part, shown, lambda report: [analyses.group_rates(report, model)])


@opt.command(_commands, "eai analyze behaviours acted")
def behaviours(
    run: opt.RunPath, *, model: opt.Model = None, suite: opt.RunSuite = None, shown: Shown
) -> None:
    """Faults of agents over several turns: repeated failures, oscillation, early stops, ..."""
    find_modules_here(suite)
    report = read_run(run)
    with naming_suite_of(run):
        suite_of_run = suite_of(report.records[0], suite)
    shown.tables([analyses.behaviour_rates(report, suite_of_run, model=model)])


@opt.command(_commands, "eai analyze intervals run")
def intervals(run: opt.RunPath, *, model: opt.Model = None, part: Part, shown: Shown) -> None:
    """Every metric with its counts, its 95 % interval and the method of the interval."""
    _show_analysis(run, part, shown, lambda report: [report.intervals(model)])


@opt.command(_commands, "eai analyze runs run")
def runs(run: opt.RunPath, *, part: Part, shown: Shown) -> None:
    """Median, mean and spread of every metric over repeated runs, each given as a model."""
    _show_analysis(run, part, shown, lambda report: [analyses.run_statistics(report)])


@opt.command(_commands, "eai analyze suite SUITE acted", name="suite")
def own(
    suite: opt.SuiteName,
    run: opt.RunPath,
    *,
    model: opt.Model = None,
    ability: opt.RunAbility = None,
    shown: Shown,
) -> None:
    """Analyses that only this suite has; `eai analyze SUITE RUN` is short for this."""
    chosen_suite = named_suite(suite)
    models = [model] if model else None
    parts = Part(suite=suite, ability=ability).reports(run, models)
    # Some analyses read what agents noted of their decisions, which records do not have.
    logs = {part: transcript_logs(run_folder(part)) for part in parts}
    tables_of = needed_extension(
        "eai.analyses",
        chosen_suite,
        lacks="has no analyses of its own",
        mend="eai analyze --help lists those of all suites",
    )
    tables: list[Table] = []
    for part, report in parts.items():
        tables += tables_of(chosen_suite, report, logs[part])
    shown.tables(tables)


@opt.command(_commands, "eai analyze pipeline annotated interpreted")
def pipeline(modular: opt.RunPath, pipeline: opt.RunPath, *, shown: Shown) -> None:
    """Compare answers to annotated goals with answers to interpreted goals (Appendix G)."""
    shown.tables([analyses.compare_pipeline(read_run(modular), read_run(pipeline))])


@opt.command(_commands, f"eai analyze statistics {SAMPLES}")
def statistics(suite: opt.SuiteName, *, shown: Shown) -> None:
    """How many tasks, goals, plans and steps a suite has (Table 2)."""
    shown.tables([analyses.dataset_statistics(named_suite(suite))])


@opt.command(_commands, "eai analyze mixed SUITE operators.json")
def mixed(
    suite: opt.SuiteName, files: _Answers, *, semantics: opt.Semantics = None, shown: Shown
) -> None:
    """Plans with every mixture of predicted and annotated operators (Appendix E.4.3)."""
    with progress("planning") as step:
        table = analyses.mixed_action_spaces(
            named_suite(suite), files, semantics=semantics, progress=step
        )
    shown.tables([table])
