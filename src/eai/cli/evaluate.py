"""``eai evaluate``: judge files of predictions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
    outputs: Annotated[
        str | None,
        typer.Option(
            "--model-outputs",
            help="All abilities: a folder with SUITE/ABILITY/MODEL.json; "
            "then every argument is a suite.",
        ),
    ] = None,
    model: Annotated[
        list[str] | None, typer.Option(help="With --model-outputs: only this model.")
    ] = None,
    semantics: Annotated[
        str | None, typer.Option(help="official or strict; by default what the suite prefers.")
    ] = None,
    without: Annotated[
        list[str] | None, typer.Option("--without-quirk", help="Switch a quirk off.")
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option("--with-quirk", help="Switch a quirk on.")
    ] = None,
    corrected: Annotated[
        bool, typer.Option("--corrected", help="Leave out tasks whose own annotation is faulty.")
    ] = False,
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
    if outputs is not None:
        if without or only:
            raise typer.BadParameter("quirks are switched for one ability at a time")
        _everything(
            [suite, *(files or ())],
            outputs,
            models=model or (),
            semantics=semantics,
            corrected=corrected,
            output=output,
            force=force,
            quiet=quiet,
        )
        return
    if model:
        raise typer.BadParameter("--model goes with --model-outputs")
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
                corrected=corrected,
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


def _everything(
    suites: Sequence[str],
    folder: str,
    *,
    models: Iterable[str],
    semantics: str | None,
    corrected: bool,
    output: str | None,
    force: bool,
    quiet: bool,
) -> None:
    from eai.cli.here import find_modules_here
    from eai.cli.output import say, warn
    from eai.cli.progress import progress
    from eai.overview import evaluate_outputs

    for suite in suites:
        find_modules_here(suite)
    try:
        with progress("judging", shown=not quiet) as step:
            overview = evaluate_outputs(
                suites,
                folder,
                models=models,
                semantics=semantics,
                corrected=corrected,
                output=output,
                force=force,
                progress=step and (lambda _what, done, total: step(done, total)),
            )
    except KeyboardInterrupt:
        warn("interrupted")
        raise typer.Exit(130) from None
    if not quiet:
        from rich.console import Console

        Console().print(overview)
        if output is not None:
            say(f"written to {output}: a folder for each suite and ability")


def _samples(suite: object) -> list[str]:
    samples = getattr(suite, "samples", None)
    if samples is None:
        raise typer.BadParameter("this suite has no sample predictions: name your files")
    return [str(path) for path in samples()]
