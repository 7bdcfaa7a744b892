"""Commands on runs that were written: report, view, compare, explain, export."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

import eai
from eai.cli.documents import comparison_document, explanation_document, report_document
from eai.cli.names import find_modules_here
from eai.cli.options import (
    Csv,
    Force,
    Json,
    Model,
    Models,
    Quiet,
    RunPath,
    RunSuite,
    Seed,
    examples,
    output_option,
    path_argument,
)
from eai.cli.output import print_json, say, show, warn
from eai.cli.reading import chosen_record, read_run, records_of, run_folder
from eai.cli.serving import run_files, serve
from eai.errors import EaiError, InputError
from eai.integrations.every_eval_ever import Publisher, export as export_report
from eai.report import Reader, Report, reader_of

app = typer.Typer()


@app.command(
    epilog=examples(
        "eai report run                                   # the table, and the run's files anew",
        "eai report run --model gpt --latex table.tex --markdown table.md",
    )
)
def report(
    run: RunPath,
    model: Models = None,
    html: Annotated[Path | None, output_option("Write the page.", "--html")] = None,
    csv: Csv = None,
    latex: Annotated[Path | None, output_option("Write the paper's tables.", "--latex")] = None,
    markdown: Annotated[
        Path | None, output_option("Write the same tables as Markdown.", "--markdown")
    ] = None,
    parquet: Annotated[
        Path | None, output_option("Write the records as a table of columns.", "--parquet")
    ] = None,
    repairs: Annotated[
        bool,
        typer.Option(
            "--repairs", help="Also show a minimal repair of every plan on the page that failed."
        ),
    ] = False,
    suite: RunSuite = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Print the table of a run; write its tables and its page anew.

    Without names of files, the folder's own are written over: table.csv, table.tex, report.html.
    """
    find_modules_here(suite)
    if not any((html, csv, latex, markdown, parquet)) and run.is_dir():
        if model:
            raise typer.BadParameter(
                "--model would leave models out of the run's own files: name others"
            )
        html, csv, latex, force = run / "report.html", run / "table.csv", run / "table.tex", True
    if repairs and html is None:
        raise typer.BadParameter("--repairs goes on a page: add --html FILE")
    found = read_run(run, models=model)
    if html is not None:
        found.to_html(html, force=force, reader=_reader(found, suite, repairs=repairs))
    for path, write in (
        (csv, found.to_csv),
        (latex, found.to_latex),
        (markdown, found.to_markdown),
        (parquet, found.to_parquet),
    ):
        if path is not None:
            write(path, force=force)
    if json:
        print_json(report_document(found))
    elif not quiet:
        show(found)


def _reader(found: Report, suite: str | None, *, repairs: bool) -> Reader | None:
    """What finds the changes of each step, as far as the suite is still there."""
    try:
        return reader_of(found, suite, repairs=repairs)
    except EaiError as error:
        if suite is not None or repairs:
            raise
        warn(f"the page has no changes of steps: {error.what}")
        return None


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
    metric: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY",
            help="Only this metric; may come several times; by default those with an interval.",
        ),
    ] = None,
    answered: Annotated[
        bool,
        typer.Option(
            "--answered",
            help="Only tasks that both models answered; by default a missing answer failed.",
        ),
    ] = False,
    draws: Annotated[
        int, typer.Option(help="Number of resamples for what is no rate over tasks.")
    ] = 10_000,
    seed: Seed = 0,
    csv: Csv = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Compare models task by task: differences, intervals, tests, what can be concluded.

    Two runs: each model that both have with itself, else each with each. One run: each of its
    models with each other one.
    """
    first = read_run(run, models=model)
    second = None
    if other is not None:
        if run_folder(run).resolve() == run_folder(other).resolve():
            warn("this is the same run twice; eai compare RUN compares its models with each other")
        second = read_run(other, models=model)
    found = first.compare(second, metrics=metric, answered=answered, draws=draws, seed=seed)
    if csv is not None:
        found.to_csv(csv, force=force)
    if json:
        print_json(comparison_document(found))
    else:
        show(found)


@app.command(epilog=examples("eai explain run TASK --model gpt"))
def explain(
    run: RunPath,
    task: Annotated[
        str | None, typer.Argument(metavar="TASK", help="Identifier of the task.")
    ] = None,
    model: Model = None,
    suite: RunSuite = None,
    json: Json = False,
) -> None:
    """Explain one evaluated answer step by step: what changed, what failed and why."""
    find_modules_here(suite)
    explanation = eai.explain(chosen_record(run, task, model=model, command="explain"), suite=suite)
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
        typer.Option(help="Of who ran it to who made the model."),
    ] = "other",
    url: Annotated[str, typer.Option(help="Address of who ran it.")] = "",
    developer: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MODEL=NAME",
            help="Who made a model; by default what stands before a slash in its name.",
        ),
    ] = None,
    timestamp: Annotated[
        float | None, typer.Option(help="When it was run, in seconds since 1970; by default now.")
    ] = None,
    output: Annotated[
        Path, output_option("Where the folder data is made.", metavar="FOLDER")
    ] = Path(),
    force: Force = False,
    json: Json = False,
) -> None:
    """Write a run as Every Eval Ever 0.3 wants it, and print the names of the files."""
    found = read_run(run)
    developers = dict(map(_developer, developer or ()))
    for model in developers:
        found.of(model)
    files = export_report(
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
