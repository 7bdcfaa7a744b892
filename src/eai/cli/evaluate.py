"""``eai evaluate``: judge files of predictions."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Annotated

from eai.cli.commands import Argument, Option, UsageError

__all__ = ["COMMAND"]


def _evaluate(
    suite: Annotated[str, Argument("Name of a suite; see `eai suites`.")],
    files: Annotated[
        list[str] | None,
        Argument("Predictions, one file or folder a model; none: the suite's samples."),
    ] = None,
    ability: Annotated[str, Option("Which ability.")] = "action_sequencing",
    outputs: Annotated[
        str | None,
        Option(
            "All abilities: a folder with SUITE/ABILITY/MODEL.json; "
            "then every argument is a suite.",
            ("--model-outputs",),
        ),
    ] = None,
    model: Annotated[list[str] | None, Option("With --model-outputs: only this model.")] = None,
    semantics: Annotated[
        str | None, Option("official or strict; by default what the suite prefers.")
    ] = None,
    without: Annotated[
        list[str] | None, Option("Switch a quirk off.", ("--without-quirk",))
    ] = None,
    only: Annotated[list[str] | None, Option("Switch a quirk on.", ("--with-quirk",))] = None,
    corrected: Annotated[bool, Option("Leave out tasks whose own annotation is faulty.")] = False,
    output: Annotated[
        str | None,
        Option("Folder for records, tables and the page.", ("--output", "-o")),
    ] = None,
    force: Annotated[bool, Option("Write over the files of another run.")] = False,
    quiet: Annotated[bool, Option("No progress bar, no table.", ("--quiet", "-q"))] = False,
) -> None:
    """Judge predictions and print the table; with --output also write records and reports."""
    if outputs is not None:
        if without or only:
            raise UsageError("quirks are switched for one ability at a time")
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
        raise UsageError("--model goes with --model-outputs")
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
        sys.exit(130)
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
        sys.exit(130)
    if not quiet:
        from rich.console import Console

        Console().print(overview)
        if output is not None:
            say(f"written to {output}: a folder for each suite and ability")


def _samples(suite: object) -> list[str]:
    samples = getattr(suite, "samples", None)
    if samples is None:
        raise UsageError("this suite has no sample predictions: name your files")
    return [str(path) for path in samples()]


COMMAND = _evaluate
