"""``eai evaluate``: judge files of predictions."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command(name="evaluate")(_evaluate)


def _evaluate(
    suite: Annotated[str, typer.Argument(help="Name of a suite; see `eai suites`.")],
    files: Annotated[
        list[str] | None,
        typer.Argument(help="Predictions, one file or folder a model; none: the suite's samples."),
    ] = None,
    ability: Annotated[str, typer.Option(help="Which ability.")] = "action_sequencing",
    semantics: Annotated[
        str | None, typer.Option(help="official or strict; by default what the suite prefers.")
    ] = None,
    without: Annotated[
        list[str] | None, typer.Option("--without-quirk", help="Switch a quirk off.")
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option("--with-quirk", help="Switch a quirk on.")
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", help="Folder for records, tables and the page."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Write over the files of another run.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="No progress bar, no table.")
    ] = False,
) -> None:
    """Judge predictions and print the table; with --output also write records and reports."""
    from eai.cli.here import find_modules_here
    from eai.cli.output import say, warn
    from eai.cli.progress import progress
    from eai.evaluation import evaluate
    from eai.registry import suite as find_suite

    find_modules_here(suite)
    chosen = find_suite(suite)
    try:
        with progress("judging", shown=not quiet) as step:
            report = evaluate(
                chosen,
                files or _samples(chosen),
                ability=ability,
                semantics=semantics,
                without=without or (),
                only=only or (),
                output=output,
                force=force,
                progress=step,
            )
    except KeyboardInterrupt:
        again = "" if output is None or force else "; the same command goes on where it stopped"
        warn(f"interrupted{again}")
        raise typer.Exit(130) from None
    if not quiet:
        from rich.console import Console

        Console().print(report)
        if output is not None:
            say(f"written to {output}: records.jsonl, table.csv, table.tex, report.html")


def _samples(suite: object) -> list[str]:
    samples = getattr(suite, "samples", None)
    if samples is None:
        raise typer.BadParameter("this suite has no sample predictions: name your files")
    return [str(path) for path in samples()]
