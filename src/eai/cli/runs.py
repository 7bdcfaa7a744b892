"""Commands on runs that were written: report, leaderboard, view, compare, explain, export."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Annotated, Literal

import typer

import eai
from eai.cli.documents import comparison_document, explanation_document, report_document
from eai.cli.names import find_modules_here
from eai.cli.options import (
    Csv,
    Force,
    Html,
    Json,
    Latex,
    Markdown,
    Metrics,
    Model,
    Models,
    Quiet,
    RunAbility,
    RunPath,
    RunSuite,
    Seed,
    examples,
    output_option,
    path_argument,
    path_option,
)
from eai.cli.output import print_json, progress, say, show, warn
from eai.cli.reading import chosen_record, read_parts, records_of, run_folder, with_own
from eai.cli.serving import run_files, serve
from eai.errors import EaiError, InputError, UnknownNameError
from eai.integrations.every_eval_ever import Publisher, export as export_report
from eai.overview import published_of, write_first_page
from eai.report import (
    Details,
    Leaderboard,
    Published,
    Reader,
    Record,
    Report,
    merged,
    read_published,
    reader_of,
)
from eai.table import Table

app = typer.Typer()


@app.command(
    epilog=examples(
        "eai report run                                   # the table; rewrites the run's files",
        "eai report run --model gpt --latex table.tex --markdown table.md",
        "eai report run --metric mine:terse               # with a metric of your own in mine.py",
        "eai report runs/all --ability goal_interpretation  # a part of a run of many abilities",
    )
)
def report(
    run: RunPath,
    model: Models = None,
    html: Html = None,
    csv: Csv = None,
    latex: Latex = None,
    markdown: Markdown = None,
    repairs: Annotated[
        bool,
        typer.Option(
            "--repairs", help="Also show a minimal repair of every plan on the page that failed."
        ),
    ] = False,
    suite: RunSuite = None,
    ability: RunAbility = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            metavar="module:attribute",
            help="A metric of your own besides the others, also on the page; may be repeated.",
        ),
    ] = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Print the table of a run, and rewrite its tables and its page.

    Without names of files, the run's own are overwritten: table.csv, table.tex, report.html.
    For a run of several abilities, the table is the leaderboard.
    """
    find_modules_here(suite)
    parts = read_parts(run, models=model, suite=suite, ability=ability)
    reports, keys = with_own(parts.values(), metric)
    known = {score.key for each in reports for score in each.view.scores()}
    for key in keys or ():
        if key not in known:
            raise UnknownNameError("metric", key, sorted(known))
    parts = dict(zip(parts, reports, strict=True))
    files = {"html": html, "csv": csv, "latex": latex, "markdown": markdown}
    if not any(files.values()) and run.is_dir():
        if model:
            raise typer.BadParameter(
                "--model would leave models out of the run's own files: name other files"
            )
        _write_own(run, parts, suite, repairs=repairs, quiet=quiet)
    elif repairs and html is None:
        raise typer.BadParameter("--repairs goes on a page: add --html FILE")
    if len(parts) > 1:
        board = Leaderboard(reports, keys or ())
        _show_leaderboard(board, files, force=force, json=json, quiet=quiet)
        return
    [found] = parts.values()
    if html is not None:
        _write_page(found, html, suite, repairs=repairs, force=force, quiet=quiet)
    _write_files(found, {**files, "html": None}, force=force)
    if json:
        print_json(report_document(found))
    elif not quiet:
        show(found)


def _write_files(
    found: Report | Leaderboard, files: Mapping[str, Path | None], *, force: bool
) -> None:
    for kind, path in files.items():
        if path is not None:
            getattr(found, f"to_{kind}")(path, force=force)


def _write_page(
    found: Report, path: Path, suite: str | None, *, repairs: bool, force: bool, quiet: bool
) -> None:
    label = f"{found.setting.suite} {found.setting.ability}: items of the page"
    with progress(label, shown=not quiet) as step:
        reader = _reader(found, suite, repairs=repairs, step=step)
        found.to_html(path, force=force, reader=reader)


def _write_own(
    run: Path, parts: Mapping[Path, Report], suite: str | None, *, repairs: bool, quiet: bool
) -> None:
    """Write the files of a run anew: those of its parts, and the first page."""
    for part, found in parts.items():
        page = part / "report.html"
        _write_page(found, page, suite, repairs=repairs, force=True, quiet=quiet)
        _write_files(found, {"csv": part / "table.csv", "latex": part / "table.tex"}, force=True)
    if run not in parts:
        write_first_page(eai.read_run(run), run)


def _reader(
    found: Report,
    suite: str | None,
    *,
    repairs: bool,
    step: Callable[[int, int], None] | None = None,
) -> Reader | None:
    """What finds the changes of each step, as far as the suite is still there."""
    try:
        reader = reader_of(found, suite, repairs=repairs)
    except EaiError as error:
        if suite is not None or repairs:
            raise
        warn(
            f"the page does not show what steps change: {error.what} (name the suite with --suite)"
        )
        return None
    if reader is None or step is None:
        return reader
    done = count(1)

    def read(record: Record) -> Details | None:
        details = reader(record)
        step(next(done), len(found.records))
        return details

    return read


@app.command(
    epilog=examples(
        "eai leaderboard runs/all                         # a row a model, a column an ability",
        "eai leaderboard runs/a runs/b --latex board.tex",
        "eai leaderboard runs/all --metric overall_f1 --metric task_success_rate --average",
    )
)
def leaderboard(
    runs: Annotated[list[Path], path_argument("RUN", "Folders of runs, or of parts of them.")],
    model: Models = None,
    suite: RunSuite = None,
    ability: RunAbility = None,
    metric: Metrics = None,
    average: Annotated[
        bool, typer.Option("--average", help="Also the mean over all columns.")
    ] = False,
    published: Annotated[
        Path | None,
        path_option(
            "Published results to add: 'suite' for those that come with the suites, or CSV "
            "with model, suite, ability, metric, value, semantics, source."
        ),
    ] = None,
    html: Html = None,
    csv: Csv = None,
    latex: Latex = None,
    markdown: Markdown = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Rank the models of one or more runs: a row a model, a column a suite and ability.

    The models of runs under the same conditions share a column; other conditions
    have a column of their own.
    """
    reports = [
        report
        for run in runs
        for report in read_parts(run, models=model, suite=suite, ability=ability).values()
    ]
    reports, keys = with_own(reports, metric)
    rows: Sequence[Published] = ()
    if published is not None:
        own = str(published) == "suite"
        rows = published_of(reports) if own else read_published(published)
    found = Leaderboard(merged(reports), keys or (), average, rows)
    files = {"html": html, "csv": csv, "latex": latex, "markdown": markdown}
    _show_leaderboard(found, files, force=force, json=json, quiet=quiet)


def _show_leaderboard(
    found: Leaderboard, files: Mapping[str, Path | None], *, force: bool, json: bool, quiet: bool
) -> None:
    _write_files(found, files, force=force)
    if json:
        print_json({"rows": list(map(dict, found.counts.rows)), "notes": list(found.rows.notes)})
    elif not quiet:
        show(found)


@app.command(epilog=examples("eai view run"))
def view(
    run: RunPath,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address only.")
    ] = False,
) -> None:
    """Serve a run's page to this machine only, and print the address; Ctrl-C ends it.

    Nothing but the files of the run is served, on a port that is free.
    """
    folder = run_folder(run)
    files = run_files(folder)
    if "report.html" not in files:
        records_of(run)  # says what to do if there is no run
        raise InputError("this run has no page", where=str(run), mend=f"eai report {folder}")
    serve(files, browser=not no_browser)


@app.command(
    epilog=examples(
        "eai compare run                                  # the models of one run",
        "eai compare run --model gpt --model llama        # with intervals and conclusions",
        "eai compare before after --metric task_success_rate",
    )
)
def compare(
    run: RunPath,
    other: Annotated[
        Path | None,
        path_argument("OTHER", "Another run; without it, the models of the first are compared."),
    ] = None,
    model: Models = None,
    suite: RunSuite = None,
    ability: RunAbility = None,
    metric: Metrics = None,
    answered: Annotated[
        bool,
        typer.Option(
            "--answered",
            help="Only tasks that both models answered; by default a missing answer is a failure.",
        ),
    ] = False,
    draws: Annotated[
        int, typer.Option(help="Number of resamples for metrics that are not per-task rates.")
    ] = 10_000,
    seed: Seed = 0,
    csv: Csv = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Compare models task by task: differences, intervals, tests, what can be concluded.

    Two runs: each model that both have is compared with itself; if none, all with all. One run:
    each of its models with each other one. More than three pairs are shown as a matrix.
    """
    parts = read_parts(run, models=model, suite=suite, ability=ability)
    first, keys = with_own(parts.values(), metric)
    second: dict[tuple[str, ...], Report] = {}
    if other is not None:
        if run_folder(run).resolve() == run_folder(other).resolve():
            warn("both runs are the same; eai compare RUN compares the models of one run")
        there = read_parts(other, models=model, suite=suite, ability=ability)
        of_other, _ = with_own(there.values(), metric)
        second = {report.setting[::2]: report for report in of_other}
    pairs = list(_comparable(first, second, keys))
    found = [
        report.compare(beside, metrics=keys, answered=answered, draws=draws, seed=seed)
        for report, beside, keys in pairs
    ]
    if not found:
        raise InputError(
            "there is nothing to compare",
            where=str(run),
            expected="an ability that has the metric, and two models, or one model in both runs",
        )
    if csv is not None:
        parts_of = [
            ({"suite": report.setting.suite, "ability": report.setting.ability}, of.rows)
            for (report, _, _), of in zip(pairs, found, strict=True)
        ]
        table = found[0].rows if len(first) == 1 else Table.joined("", parts_of)
        table.to_csv(csv, force=force)
    if json:
        documents = list(map(comparison_document, found))
        print_json(documents[0] if len(first) == 1 else {"comparisons": documents})
    else:
        for compared in found:
            show(compared)


def _comparable(
    first: Sequence[Report],
    second: Mapping[tuple[str, ...], Report],
    metrics: Sequence[str] | None,
) -> Iterator[tuple[Report, Report | None, Sequence[str] | None]]:
    """Yield each report, what it is compared with, and in which metrics.

    A single one always; whatever is wrong with it is then said.
    """
    for report in first:
        beside = second.get(report.setting[::2])
        if len(first) == 1:
            yield report, beside or next(iter(second.values()), None), metrics
            continue
        known = {score.key for score in report.view.scores()}
        keys = None if metrics is None else [key for key in metrics if key in known]
        two = beside is not None if second else len(report.models) > 1
        if two and keys != []:
            yield report, beside, keys


@app.command(epilog=examples("eai explain run TASK --model gpt"))
def explain(
    run: RunPath,
    task: Annotated[
        str | None, typer.Argument(metavar="TASK", help="Identifier of the task.")
    ] = None,
    model: Model = None,
    suite: RunSuite = None,
    ability: RunAbility = None,
    json: Json = False,
) -> None:
    """Explain one evaluated answer step by step: what changed, what failed and why."""
    find_modules_here(suite)
    kinds = {"suite": suite, "ability": ability, "model": model, "task": task}
    record = chosen_record(run, kinds, command="explain")
    given = suite if suite is not None and ":" in suite else None
    explanation = eai.explain(record, suite=given)
    if json:
        print_json(explanation_document(explanation))
    else:
        say(str(explanation))


@app.command(epilog=examples('eai export run --organization "Our lab" --developer gpt=OpenAI'))
def export(
    run: RunPath,
    organization: Annotated[str, typer.Option(help="Who ran the evaluation.")],
    relationship: Annotated[
        Literal["first_party", "third_party", "collaborative", "other"],
        typer.Option(help="Relationship of who ran it to who made the model."),
    ] = "other",
    url: Annotated[str, typer.Option(help="Address of who ran it.")] = "",
    developer: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MODEL=NAME",
            help="Who made a model; by default the part of its name before a slash.",
        ),
    ] = None,
    timestamp: Annotated[
        float | None, typer.Option(help="When it was run, in seconds since 1970; by default now.")
    ] = None,
    output: Annotated[
        Path, output_option("Folder in which the folder data is made.", metavar="FOLDER")
    ] = Path(),
    model: Models = None,
    suite: RunSuite = None,
    ability: RunAbility = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Write a run in the format of Every Eval Ever 0.3, and print the names of the files."""
    developers = dict(map(_developer, developer or ()))
    reports = list(read_parts(run, models=model, suite=suite, ability=ability).values())
    known = {name for found in reports for name in found.models}
    for name in developers:
        if name not in known:
            raise UnknownNameError("model", name, known, where="--developer")
    files = []
    for found in reports:
        files += export_report(
            found,
            output,
            publisher=Publisher(organization, relationship, url),
            developers=developers,
            timestamp=timestamp,
            force=force,
        )
    if json:
        print_json({"files": files})
    else:
        say("\n".join(map(str, files)))


def _developer(word: str) -> tuple[str, str]:
    # A name of a model may have an equals sign in it, a developer's hardly.
    model, _, name = word.rpartition("=")
    if not (model and name):
        raise typer.BadParameter(f"--developer: {word!r} is not MODEL=NAME")
    return model, name
