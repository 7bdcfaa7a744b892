"""``eai evaluate``: evaluate files of predictions, with gates for continuous integration."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import eai
from eai.cli.documents import overview_document, report_document
from eai.cli.names import chosen_tasks, named_suite, task_ids
from eai.cli.options import (
    Ability,
    Force,
    Json,
    Limit,
    Models,
    Quiet,
    Semantics,
    SuiteName,
    Tasks,
    examples,
    output_option,
    path_argument,
    path_option,
)
from eai.cli.output import hint, print_json, progress, say, show, stop, warn
from eai.cli.reading import named_files, read_run, run_folder
from eai.contract import Suite, chosen_ability
from eai.errors import InputError, UnknownNameError
from eai.files import FILES, holds_run
from eai.report import view_of
from eai.suites import SAMPLES
from eai.text import short

if TYPE_CHECKING:
    from eai.overview import Overview
    from eai.report import Report

app = typer.Typer()

_GATES = "Gates"
_SIGNIFICANT = 0.05
_OTHERS = {
    ".csv": "a table is read in Python: eai.evaluate(SUITE, pandas.read_csv(FILE)), "
    "with the columns id and output",
    ".pddl": "eai check reads PDDL; a plan that a model wrote stands in a line of JSON: "
    '{"id": "the task", "output": "the answer"}',
}


@app.command(
    epilog=examples(
        f"eai evaluate {SAMPLES}                              # the sample answers of the suite",
        f"eai evaluate {SAMPLES} gpt=a.jsonl llama=b.jsonl -o run",
        f"eai evaluate {SAMPLES} a.jsonl --limit 10 --json",
        f"eai evaluate {SAMPLES} a.jsonl -q --fail-under task_success_rate=80",
    )
)
def evaluate(
    suite: SuiteName,
    files: Annotated[
        list[Path] | None,
        path_argument(
            "FILES",
            "Predictions: a file or folder for each model, or NAME=FILE; "
            "by default the suite's sample answers.",
        ),
    ] = None,
    ability: Ability = None,
    tasks: Tasks = None,
    limit: Limit = None,
    model_outputs: Annotated[
        Path | None,
        path_option(
            "All abilities: a folder with SUITE/ABILITY/MODEL.json; "
            "then every argument is a suite.",
            metavar="FOLDER",
        ),
    ] = None,
    model: Models = None,
    semantics: Semantics = None,
    without_quirk: Annotated[
        list[str] | None, typer.Option(help="Switch a quirk off; may come several times.")
    ] = None,
    with_quirk: Annotated[
        list[str] | None, typer.Option(help="Switch a quirk on; may come several times.")
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(
            help="What one answer may use, as states=1000,instances=500000; none is no limit."
        ),
    ] = None,
    corrected: Annotated[
        bool, typer.Option("--corrected", help="Leave out tasks whose own annotation is faulty.")
    ] = False,
    output: Annotated[
        Path | None,
        output_option(
            "Write records, tables and the page; a run that was interrupted goes on.",
            metavar="FOLDER",
        ),
    ] = None,
    force: Force = False,
    workers: Annotated[
        int | None, typer.Option(help="Number of processes; answers and records then stay on disk.")
    ] = None,
    fail_under: Annotated[
        list[str] | None,
        typer.Option(
            metavar="METRIC=VALUE",
            help="Exit code 1 if a model has less, in percent; may come several times.",
            rich_help_panel=_GATES,
        ),
    ] = None,
    no_regression_vs: Annotated[
        Path | None,
        path_option(
            "Exit code 1 if a metric is significantly worse than in this run.",
            metavar="RUN",
            panel=_GATES,
        ),
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Evaluate predictions and print the table; with --output also write records and reports.

    Tasks without an answer count as failures, unless `--tasks answered` leaves them out.
    """
    if model_outputs is not None:
        if without_quirk or with_quirk or budget or fail_under or no_regression_vs or workers:
            raise typer.BadParameter(
                "quirks, budget, gates and workers are for one ability at a time"
            )
        if tasks or limit or ability:
            raise typer.BadParameter("tasks and --ability are for one ability at a time")
        with progress("evaluating", shown=not quiet) as step:
            overview = eai.evaluate_outputs(
                [named_suite(name) for name in (suite, *map(str, files or ()))],
                model_outputs,
                models=model or (),
                semantics=semantics,
                corrected=corrected,
                output=output,
                force=force,
                progress=step and (lambda _what, done, total: step(done, total)),
            )
        _show_overview(overview, output, json=json, quiet=quiet)
        return
    if model:
        raise typer.BadParameter(
            "--model chooses models of --model-outputs; a model is called like its file, or as "
            'the key "model" of its lines says; NAME=FILE gives it another name'
        )
    chosen = named_suite(suite)
    predictions = named_files(files)
    _refuse_others(files or (), chosen, ability)
    samples = list(chosen.samples())
    if not (predictions or samples):
        raise typer.BadParameter(
            f"the suite {suite!r} has no sample answers: name the files with predictions"
        )
    gates = None
    if fail_under or no_regression_vs is not None:
        gates = _Gates(fail_under or (), no_regression_vs, chosen, ability)
    named = task_ids(tasks)
    try:
        with progress("evaluating", shown=not quiet) as step:
            report = eai.evaluate(
                chosen if workers is None else suite,
                predictions or samples,
                ability=ability,
                tasks=_answered(named, limit) or chosen_tasks(chosen, named, limit=limit) or "all",
                semantics=semantics,
                without=without_quirk or (),
                only=with_quirk or (),
                budget=budget,
                corrected=corrected,
                output=output,
                force=force,
                progress=step,
                workers=workers,
            )
    except KeyboardInterrupt:
        again = "" if output is None or force else "; the same command goes on where it stopped"
        stop(f"interrupted{again}", 130)
    failures = [] if gates is None else list(gates.failures(report))
    _show(report, output, failures, json=json, quiet=quiet)
    for failure in failures:
        warn(failure)
    if failures:
        raise typer.Exit(1)


def _answered(named: Sequence[str], limit: int | None) -> str:
    """The word that stands for tasks, if it does instead of identifiers."""
    word = named[0] if len(named) == 1 and named[0] in ("all", "answered") else ""
    if word and limit is not None:
        raise typer.BadParameter(f"--limit goes with identifiers of tasks, not with {word!r}")
    return word


def _refuse_others(files: Iterable[Path], suite: Suite, ability: str | None) -> None:
    """Say so if a file was evaluated already, or is known to be no file of predictions."""
    for file in files:
        run, what = run_folder(file), ""
        if holds_run(run):
            what, mend = "this is a run, its answers are evaluated already", f"eai report {run}"
        elif ability is None and file.name == "transcripts.jsonl" and len(suite.abilities) > 1:
            what = "these are transcripts, and as plans they mean something else"
            mend = "--ability interaction evaluates them as they were acted"
        elif (file / suite.name).is_dir():
            what = f"this folder has a folder {suite.name}"
            mend = f"answers by ability: eai evaluate {suite.name} --model-outputs {file}"
        elif file.suffix in _OTHERS:
            what, mend = f"predictions are not read from {file.suffix}", _OTHERS[file.suffix]
        if what:
            raise InputError(what, where=str(file), expected="files of predictions", mend=mend)


def _show(
    report: Report, output: Path | None, failures: Sequence[str], *, json: bool, quiet: bool
) -> None:
    if json:
        print_json({**report_document(report), "output": output, "failures": list(failures)})
    elif not quiet:
        show(report)
        if output is None:
            hint("--output RUN also writes the page; then eai explain RUN TASK tells why")
        else:
            page = f"look at it: eai view {shlex.quote(str(output))}"
            say(f"written to {output}: {', '.join(FILES)}; {page}")
    elif report.notes:  # leaving out the table does not leave out these
        count = f"{len(report.notes)} note{'s' if len(report.notes) > 1 else ''} on this run"
        where = "without --quiet" if output is None else f"in {output / 'run.json'}"
        warn(f"{count}, in full {where}: {short(report.notes[0])}")


def _show_overview(overview: Overview, output: Path | None, *, json: bool, quiet: bool) -> None:
    if json:
        print_json({**overview_document(overview), "output": output})
    elif not quiet:
        show(overview)
        if output is not None:
            say(f"written to {output}: a folder for each suite and ability")
    for skipped in overview.skipped:
        warn(skipped)


class _Gates:
    """What a run has to pass; whatever can be refused is refused before anything is evaluated.

    Metrics have least values in percent, and none may be significantly worse than in the baseline.
    """

    def __init__(
        self, floors: Sequence[str], baseline: Path | None, suite: Suite, ability: str | None
    ) -> None:
        named = chosen_ability(suite, ability)
        self._view = view_of(named, suite)
        self._metrics = {metric.key: metric for metric in self._view.scores()}
        self._floors = dict(map(_floor, floors))
        for key in self._floors:
            if key not in self._metrics:
                raise UnknownNameError("metric", key, self._metrics, where="--fail-under")
        self._path = baseline
        self._baseline = None if baseline is None else read_run(baseline)
        if self._baseline is not None:
            found = self._baseline.setting
            if (found.suite, found.ability) != (suite.name, named):
                raise InputError(
                    f"the baseline is of {found.suite}, {found.ability}",
                    where=str(baseline),
                    expected=f"a run of {suite.name}, {named}",
                )

    def failures(self, report: Report) -> Iterator[str]:
        """Yield a sentence for everything that does not pass."""
        for model in report.models:
            found = {metric.key: metric for metric in report.metrics(model)}
            for key, floor in self._floors.items():
                value, counts = found[key].value, found[key].counts
                if value is None:
                    yield f"{model}: {key} is undefined ({counts}), so it is not {floor:g} %"
                elif value < floor:
                    less = f"{floor - value:.1f} points under {floor:g}"
                    yield f"{model}: {key} is {value:.1f} %, {less}"
        baseline = self._baseline
        if baseline is None:
            return
        if baseline.setting != report.setting:
            raise InputError(
                f"the run was evaluated as {report.setting}, the baseline as {baseline.setting}",
                where=str(self._path),
                expected="a baseline of the same version and semantics",
                mend="evaluate the baseline's answers again",
            )
        compared = report.compare(baseline)
        for each, conclusion in zip(compared.differences, compared.conclusions, strict=True):
            apart, p_value = each.difference, each.adjusted
            if apart is None or p_value is None or p_value >= _SIGNIFICANT:
                continue
            if (apart > 0) is (self._metrics[each.metric].group in self._view.errors):
                yield f"{each.metric} is significantly worse than in {self._path}: {conclusion}"


def _floor(word: str) -> tuple[str, float]:
    key, _, value = word.partition("=")
    try:
        return key, float(value)
    except ValueError:
        raise typer.BadParameter(
            f"--fail-under: {word!r} is not METRIC=VALUE, as task_success_rate=80"
        ) from None
