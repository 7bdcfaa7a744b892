"""``eai evaluate``: judge files of predictions."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from eai.cli.commands import Argument, Option, UsageError
from eai.errors import InputError

if TYPE_CHECKING:
    from eai.cli.gates import Gates
    from eai.contract import Suite
    from eai.overview import Overview
    from eai.report.report import Report

__all__ = ["COMMAND"]


def _evaluate(
    suite: Annotated[str, Argument("Name of a suite; see `eai suites`.")],
    files: Annotated[
        list[Path] | None,
        Argument(
            "Predictions, one file or folder a model, or NAME=FILE; none: the suite's samples."
        ),
    ] = None,
    ability: Annotated[
        str | None, Option("By default action_sequencing, or the suite's only one.")
    ] = None,
    tasks: Annotated[
        list[str] | None,
        Option(
            "Only these, with commas between; or answered: those to which a model has an answer."
        ),
    ] = None,
    limit: Annotated[int | None, Option("Only the first so many.")] = None,
    outputs: Annotated[
        Path | None,
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
    budget: Annotated[
        str | None,
        Option("What one answer may use, as states=1000,instances=500000; none is no limit."),
    ] = None,
    corrected: Annotated[bool, Option("Leave out tasks whose own annotation is faulty.")] = False,
    output: Annotated[
        Path | None,
        Option("Folder for records, tables and the page.", ("--output", "-o")),
    ] = None,
    force: Annotated[bool, Option("Write over the files of another run.")] = False,
    workers: Annotated[
        int | None,
        Option("Judge with so many processes; answers and records stay on disk meanwhile."),
    ] = None,
    fail_under: Annotated[
        list[str] | None,
        Option(
            "METRIC=VALUE: exit code 1 if a model has less, in percent; may come several times."
        ),
    ] = None,
    no_regression_vs: Annotated[
        Path | None,
        Option("A run: exit code 1 if a metric is significantly worse than there."),
    ] = None,
    json: Annotated[bool, Option("Print one JSON document instead of the table.")] = False,
    quiet: Annotated[bool, Option("No progress bar, no table.", ("--quiet", "-q"))] = False,
) -> None:
    """Judge predictions and print the table; with --output also write records and reports."""
    if outputs is not None:
        if without or only or budget or fail_under or no_regression_vs or workers or tasks or limit:
            raise UsageError(
                "tasks, quirks, budget, gates and workers are for one ability at a time"
            )
        overview = _everything(
            [suite, *map(str, files or ())],
            outputs,
            models=model or (),
            semantics=semantics,
            corrected=corrected,
            output=output,
            force=force,
            quiet=quiet,
        )
        _show_overview(overview, output, json=json, quiet=quiet)
        return
    if model:
        from eai.cli.guesses import NAMING

        raise UsageError(f"--model goes with --model-outputs; else {NAMING}")
    from eai.cli.here import by_name, chosen_tasks, named_suite
    from eai.cli.output import warn
    from eai.cli.progress import progress
    from eai.evaluation import evaluate

    chosen = named_suite(suite)
    named = by_name(files or ())
    _refuse_others(named.values() if isinstance(named, dict) else named, chosen, ability)
    gates = _gates(fail_under, no_regression_vs, chosen, ability)
    try:
        with progress("judging", shown=not quiet) as step:
            report = evaluate(
                chosen if workers is None else suite,
                named or _samples(chosen),
                ability=ability,
                tasks=chosen_tasks(chosen, tasks or (), limit),
                semantics=semantics,
                without=without or (),
                only=only or (),
                budget=budget,
                corrected=corrected,
                output=output,
                force=force,
                progress=step,
                workers=workers,
            )
    except KeyboardInterrupt:
        again = "" if output is None or force else "; the same command goes on where it stopped"
        warn(f"interrupted{again}")
        sys.exit(130)
    failures = [] if gates is None else gates.failures(report)
    _show(report, output, failures, json=json, quiet=quiet)
    for failure in failures:
        warn(failure)
    if failures:
        sys.exit(1)


def _everything(
    suites: Sequence[str],
    folder: Path,
    *,
    models: Iterable[str],
    semantics: str | None,
    corrected: bool,
    output: Path | None,
    force: bool,
    quiet: bool,
) -> Overview:
    from eai.cli.here import named_suite
    from eai.cli.progress import progress
    from eai.overview import evaluate_outputs

    chosen = [named_suite(suite) for suite in suites]
    with progress("judging", shown=not quiet) as step:
        return evaluate_outputs(
            chosen,
            folder,
            models=models,
            semantics=semantics,
            corrected=corrected,
            output=output,
            force=force,
            progress=step and (lambda _what, done, total: step(done, total)),
        )


def _gates(
    floors: Sequence[str] | None, baseline: Path | None, suite: Suite, ability: str | None
) -> Gates | None:
    if not floors and baseline is None:
        return None
    from eai.cli.gates import Gates
    from eai.contract import chosen_ability

    named = chosen_ability(suite, ability)
    return Gates(floors or (), baseline, suite=suite.name, ability=named)


_ACTED = "transcripts.jsonl"
_FOREIGN = {
    ".csv": "a table is read in Python: eai.evaluate(SUITE, pandas.read_csv(FILE)), "
    "with the columns id and output",
    ".pddl": "eai check reads PDDL; a plan that a model wrote stands in a line of JSON: "
    '{"id": "the task", "output": "what was answered"}',
}


def _refuse_others(files: Iterable[Path], suite: Suite, ability: str | None) -> None:
    """Say so if what is to be judged was judged already, or is known to be something else."""
    from eai.files import FILES, holds_run

    for file in files:
        run = file.parent if file.name in FILES else file
        what, mend = "", ""
        if holds_run(run):
            what, mend = "this is a run, its answers are judged already", f"eai report {run}"
        elif ability is None and file.name == _ACTED and len(suite.abilities) > 1:
            what = "these are transcripts, and as plans they mean something else"
            mend = "--ability interaction judges them as they were acted"
        elif (file / suite.name).is_dir():
            what = f"this folder has a folder {suite.name}"
            mend = f"answers by ability: eai evaluate {suite.name} --model-outputs {file}"
        elif file.suffix in _FOREIGN:
            what, mend = f"answers are not read from {file.suffix}", _FOREIGN[file.suffix]
        if what:
            raise InputError(what, where=str(file), expected="files with answers", mend=mend)


def _samples(suite: Suite) -> list[Path]:
    samples = list(suite.samples())
    if not samples:
        raise UsageError(
            f"the suite {suite.name!r} has no sample predictions: name the files with your answers"
        )
    return samples


def _show(
    report: Report, output: Path | None, failures: Sequence[str], *, json: bool, quiet: bool
) -> None:
    if json:
        from eai.cli.documents import print_json, report_document

        print_json({**report_document(report), "output": output, "failures": list(failures)})
    elif quiet:
        _warn_of(report.notes, output)
    else:
        import shlex

        from eai.files import FILES

        _print(
            report, output, f"{', '.join(FILES)}; look at it: eai view {shlex.quote(str(output))}"
        )
        if output is None:
            from eai.cli.output import hint

            hint("--output RUN also writes the page; then eai explain RUN TASK tells why")


def _warn_of(notes: Sequence[str], output: Path | None) -> None:
    """Say in one line that there are notes: leaving out the table does not leave out these."""
    from eai.cli.output import warn
    from eai.text import short

    if notes:
        count = f"{len(notes)} note{'s' if len(notes) > 1 else ''} on this run"
        where = "without --quiet" if output is None else f"in {output / 'run.json'}"
        warn(f"{count}, in full {where}: {short(notes[0])}")


def _show_overview(overview: Overview, output: Path | None, *, json: bool, quiet: bool) -> None:
    from eai.cli.output import warn

    if json:
        from eai.cli.documents import overview_document, print_json

        print_json({**overview_document(overview), "output": output})
    elif not quiet:
        _print(overview, output, "a folder for each suite and ability")
    for told in overview.skipped:
        warn(told)


def _print(found: Report | Overview, output: Path | None, written: str) -> None:
    from eai.cli.output import say, show

    show(found)
    if output is not None:
        say(f"written to {output}: {written}")


COMMAND = _evaluate
