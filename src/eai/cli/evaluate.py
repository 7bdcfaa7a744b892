"""``eai evaluate``: evaluate files of predictions, with gates for continuous integration."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import eai
from eai.cli import options as opt
from eai.cli.documents import overview_document, report_document
from eai.cli.output import hint, print_json, progress, say, show, stop, warn
from eai.cli.reading import Part, chosen_tasks, named_files, named_suite, run_folder, task_ids
from eai.contract import Suite, answer_formats, chosen_ability, extension
from eai.diagnosis import PATH_GOAL
from eai.errors import InputError, SameNameError, UnknownNameError
from eai.evaluation import evaluate_parts, parts_of
from eai.evaluation.model_outputs import answers_in, submitted
from eai.files import FILES, folder_of, holds_run
from eai.predictions import Predictions, distinct_names, load_all
from eai.report import Report, view_of
from eai.runs import formats_of, knows_task, left_out
from eai.suites import SAMPLES
from eai.text import counted, short

if TYPE_CHECKING:
    from eai.evaluation import EvaluationOptions
    from eai.evaluation.overview import Overview

app = typer.Typer()

_GATES = "Gates"
_SIGNIFICANT = 0.05
_MAX_NAMED = 12
"""So many files are named in the command that tells models of one name apart."""
_OTHERS = {
    ".pddl": "eai check reads PDDL; a model's plan goes into a line of JSON: "
    '{"id": "the task", "output": "the answer"}',
}


@opt.command(
    app,
    f"eai evaluate {SAMPLES}                              # the sample answers of the suite",
    f"eai evaluate {SAMPLES} gpt=a.jsonl llama=b.jsonl -o run",
    f"eai evaluate {SAMPLES} a.jsonl --limit 10 --json",
    f"eai evaluate {SAMPLES} a.jsonl -q --fail-under task_success_rate=80",
)
def evaluate(  # noqa: C901 - three kinds of input, each with its own refusals
    suite: opt.SuiteName,
    fields: opt.Fields,
    files: Annotated[
        list[Path] | None,
        opt.path_argument(
            "FILES",
            "Predictions: a file or folder for each model, or NAME=FILE; "
            "by default the suite's sample answers.",
        ),
    ] = None,
    ability: opt.Ability = None,
    tasks: opt.Tasks = None,
    group: opt.Group = None,
    limit: opt.Limit = None,
    model_outputs: Annotated[
        Path | None,
        opt.path_option(
            "All abilities: a folder with SUITE/ABILITY/MODEL.json; "
            "then every argument is a suite.",
            metavar="FOLDER",
        ),
    ] = None,
    model: opt.Models = None,
    semantics: opt.Semantics = None,
    without_quirk: Annotated[
        list[str] | None, typer.Option(help="Switch a quirk off; may be repeated.")
    ] = None,
    with_quirk: Annotated[
        list[str] | None, typer.Option(help="Switch a quirk on; may be repeated.")
    ] = None,
    answers: opt.Answers = None,
    budget: Annotated[
        str | None,
        typer.Option(
            help="Limits for one answer, such as states=1000,instances=500000; none is no limit: "
            "instances=none, or none alone for all of them."
        ),
    ] = None,
    corrected: Annotated[
        bool, typer.Option("--corrected", help="Leave out tasks whose own annotation is faulty.")
    ] = False,
    rules: Annotated[
        Path | None,
        opt.path_option(
            "Rules (LTL) that plans have to keep on the way, beside the goals of their tasks: a "
            "column of its own.",
            metavar="FILE",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        opt.output_option(
            "Write records, tables and the page; an interrupted run is resumed.",
            metavar="FOLDER",
        ),
    ] = None,
    force: opt.Force = False,
    workers: Annotated[
        int | None, typer.Option(help="Number of processes; answers and records then stay on disk.")
    ] = None,
    fail_under: Annotated[
        list[str] | None,
        typer.Option(
            metavar="METRIC=VALUE",
            help="Exit code 1 if a model scores less, in percent; may be repeated.",
            rich_help_panel=_GATES,
        ),
    ] = None,
    no_regression_vs: Annotated[
        Path | None,
        opt.path_option(
            "Exit code 1 if a metric is significantly worse than in this run.",
            metavar="RUN",
            panel=_GATES,
        ),
    ] = None,
    show_left_out: opt.ShowLeftOut = False,
    json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """Evaluate predictions and print the table; with --output also write records and reports.

    Tasks without an answer count as failures, unless `--tasks answered` leaves them out.
    """
    named = task_ids(tasks)
    word = _answered(named, group, limit)
    setting: EvaluationOptions = {
        "semantics": semantics,
        "without": without_quirk or (),
        "only": with_quirk or (),
        "answers": answers,
        "budget": budget,
        "corrected": corrected,
        "rules": rules,
        "output": output,
        "force": force,
        "workers": workers,
    }
    if model_outputs is not None:
        if fields.are_given:
            raise typer.BadParameter("--field and its like are for files, not for --model-outputs")
        if group is not None:
            raise typer.BadParameter("--group is for one suite, not for --model-outputs")
        names = [suite, *map(str, files or ())]
        if answers is None:
            run = None if force else output
            _warn_of_all_formats(
                names, model_outputs, model, ability, semantics, without_quirk, run
            )
        all_gates = _Gates(fail_under or (), no_regression_vs, map(named_suite, names), ability)
        with _going_on(output, force=force), progress("evaluating", shown=not quiet) as step:
            overview = eai.evaluate_outputs(
                names,
                model_outputs,
                models=model or (),
                abilities=ability or (),
                tasks=word or named or "all",
                limit=limit,
                progress=step and (lambda what, done, total: step(done, total, what)),
                **setting,
            )
        for report in overview.all if show_left_out else ():
            _list_left_out_of(report, model_outputs, json=json)
        failures = list(all_gates.failures(overview.all))
        _end(overview, output, failures, json=json, quiet=quiet)
        return
    if model:
        raise typer.BadParameter(
            "--model chooses models of --model-outputs; a model is named after its file, or "
            'by the key "model" of its lines; NAME=FILE gives it another name'
        )
    chosen = named_suite(suite)
    predictions: object = named_files(files)
    _refuse_others(files or (), chosen, ability)
    parts = parts_of(chosen, predictions) if predictions else ()
    if len(parts) > 1:
        _refuse_of_one_task(group, fields.field)
        wanted = [part for part in parts if ability in (None, chosen_ability(part[0]))]
        _evaluate_parts(
            wanted,
            lambda part: word or chosen_tasks(part, named, limit=limit) or "all",
            _Gates(fail_under or (), no_regression_vs, [part for part, _ in wanted], ability),
            setting,
            json=json,
            quiet=quiet,
        )
        return
    if parts and parts[0][0] is not chosen:  # the file brings tasks of its own
        chosen, answered = parts[0]
        suite, predictions = chosen.name, answered
    one = chosen_ability(chosen, ability)
    gates = _Gates(fail_under or (), no_regression_vs, [chosen], one)
    given: object = predictions
    formats = answer_formats(chosen).values() if answers is None else ()
    may_have_format = any(one in each for each in formats)
    if predictions and (may_have_format or fields.are_given or show_left_out):
        with _naming(suite, files or ()):
            loaded = given = _loaded(predictions, fields, chosen)
        if may_have_format:
            _warn_of_formats(chosen, one, semantics, loaded, without_quirk)
    with (
        _going_on(output, force=force),
        _naming(suite, files or ()),
        progress("evaluating", shown=not quiet) as step,
    ):
        report = eai.evaluate(
            # By its name for other processes, and for the run to note where it was.
            chosen if workers is None and ":" not in suite else suite,
            given or None,
            ability=ability,
            tasks=word or chosen_tasks(chosen, named, group=group, limit=limit) or "all",
            progress=step,
            **setting,
        )
    if show_left_out and isinstance(given, list):
        _list_left_out(chosen, given, json=json)
    _end(report, output, list(gates.failures([report])), json=json, quiet=quiet)


def _refuse_of_one_task(*options: str | None) -> None:
    if any(option is not None for option in options):
        raise typer.BadParameter("--group and --field go with files of one task")


def _evaluate_parts(
    parts: Sequence[tuple[Suite, object]],
    tasks: Callable[[Suite], str | Iterable[str]],
    gates: _Gates,
    setting: EvaluationOptions,
    *,
    json: bool,
    quiet: bool,
) -> None:
    """Evaluate answers to several tasks, and print a table for each."""
    given, force = setting.get("output"), setting.get("force", False)
    output = None if given is None else Path(given)
    with _going_on(output, force=force), progress("evaluating", shown=not quiet) as step:
        found = evaluate_parts(
            parts,
            tasks=tasks,
            progress=step and (lambda what, done, total: step(done, total, what)),
            **setting,
        )
    for report in () if quiet or json else found.all:
        show(report)
    _end(found, output, list(gates.failures(found.all)), json=json, quiet=quiet)


def _warn_of_all_formats(
    names: Sequence[str],
    root: Path,
    models: Sequence[str] | None,
    ability: str | None,
    semantics: str | None,
    without: Sequence[str] | None,
    run: Path | None,
) -> None:
    """Say of all parts before the run which answers cannot be read as they are."""
    from eai.evaluation.overview import goes_on

    for suite in map(named_suite, names):
        for name in {each for of in answer_formats(suite).values() for each in of}:
            part = run and run / folder_of(suite.name) / name
            if ability in (None, name) and not (part and goes_on(part, suite)):
                found = answers_in(root, suite.name, name, models or ())
                _warn_of_formats(suite, name, semantics, found.values(), without)


def _warn_of_formats(
    suite: Suite,
    ability: str,
    semantics: str | None,
    predictions: Iterable[Predictions],
    without: Sequence[str] | None,
) -> None:
    """Say before the run which answers cannot be read as they are, and the option that helps."""
    meaning = suite.semantics(semantics or suite.default_semantics)
    meaning = replace(meaning, quirks=meaning.quirks.difference(without or ()))
    for name, models in formats_of(suite, ability, meaning, predictions).items():
        more = f" and {len(models) - 3} more" if models[3:] else ""
        warn(
            f"{suite.name} {ability}: the answers of {', '.join(models[:3])}{more} have the format "
            f"of {name}, which {suite.default_semantics} does not read; --answers {name} does"
        )


@contextmanager
def _going_on(output: Path | None, *, force: bool) -> Iterator[None]:
    """Say of a run that is interrupted how it goes on."""
    try:
        yield
    except KeyboardInterrupt:
        again = "" if output is None else "; the same command resumes where it stopped"
        again += ", without --force" if again and force else ""
        stop(f"interrupted{again}", 130)


@contextmanager
def _naming(suite: str, files: Sequence[Path]) -> Iterator[None]:
    """Say of two models of one name how files are named on the command line."""
    try:
        yield
    except SameNameError as error:
        named = [str(file) for file in files if not os.path.lexists(file)]
        if named:
            error.mend = f"a file with several models keeps their names: split {', '.join(named)}"
        else:
            of_all = distinct_names(files)
            names = of_all if len(of_all) <= _MAX_NAMED else error.names
            words = [f"{name}={path}" for name, path in names.items()]
            command = shlex.join(["eai", "evaluate", suite, *words])
            error.mend = f"name the files: {command}"
        raise


def _loaded(predictions: object, fields: opt.Fields, suite: Suite) -> list[Predictions]:
    """Read predictions, with the keys that were named."""
    found = load_all(
        predictions,
        is_task=knows_task(suite),
        id=fields.id_field or "",
        output=fields.field or "",
        model_field=fields.model_field or "",
    )
    mark = (extension("eai.answer_fields", suite) or {}).get(fields.field or "", "")
    for each in found if mark else ():
        each.items.update({name: mark + text for name, text in each.items.items()})
    return found


def _list_left_out_of(report: Report, root: Path, *, json: bool) -> None:
    """List what was left out of the predictions for one part of a run."""
    suite = named_suite(report.setting.suite)
    found = answers_in(root, suite.name, report.setting.ability)
    _list_left_out(suite, list(found.values()), json=json)


def _list_left_out(suite: Suite, predictions: Sequence[Predictions], *, json: bool) -> None:
    """List what was left out of the predictions; beside a document on standard error."""
    for line in left_out(suite, predictions):
        (warn if json else say)(line)


def _answered(named: Sequence[str], group: str | None, limit: int | None) -> str:
    """The word that stands for tasks, if it does instead of identifiers."""
    word = named[0] if len(named) == 1 and named[0] in ("all", "answered") else ""
    if word and limit is not None:
        raise typer.BadParameter(f"--limit goes with identifiers of tasks, not with {word!r}")
    if word and group is not None:
        raise typer.BadParameter(f"--group goes with identifiers of tasks, not with {word!r}")
    return word


def _refuse_others(files: Iterable[Path], suite: Suite, ability: str | None) -> None:
    """Say so if a file was evaluated already, or is known to be no file of predictions."""
    for file in files:
        run, what = run_folder(file), ""
        if holds_run(run):
            what, mend = "this is a run, its answers are evaluated already", f"eai report {run}"
        elif ability is None and file.name == "transcripts.jsonl" and len(suite.abilities) > 1:
            what = "these are transcripts, not plans"
            mend = "--ability interaction evaluates them as they were acted"
        elif (file / folder_of(suite.name)).is_dir():
            what = f"this folder has a folder {folder_of(suite.name)}"
            mend = f"answers by ability: eai evaluate {suite.name} --model-outputs {file}"
        elif len(submitted(file)) > 1:
            what = "this is a submission with files for several abilities"
            mend = f"eai evaluate {suite.name} --model-outputs {file}"
        elif file.suffix in _OTHERS:
            what, mend = f"predictions are not read from {file.suffix}", _OTHERS[file.suffix]
        if what:
            raise InputError(what, where=str(file), expected="files of predictions", mend=mend)


def _end(
    found: Report | Overview,
    output: Path | None,
    failures: Sequence[str],
    *,
    json: bool,
    quiet: bool,
) -> None:
    """Show what came out, name the gates that failed, and end with 1 if any did."""
    skipped: tuple[str, ...] = ()
    if isinstance(found, Report):
        reports, made = [found], ", ".join(FILES)
    else:
        reports, skipped = found.all, found.skipped
        made = "a folder for each suite and ability, leaderboard"
    if json:
        document = report_document(found) if isinstance(found, Report) else overview_document(found)
        print_json({**document, "output": output, "failures": list(failures)})
    elif not quiet:
        show(found)
        if output is not None:
            page = f"look at it: eai view {shlex.quote(str(output))}"
            total = sum(len(report.records) for report in reports)
            now = sum(report.evaluated_now for report in reports)
            if now < total:
                kept = f"{total - now:,} of {total:,} records were there already"
                say(f"{kept}, {now:,} were evaluated now")
            say(f"written to {output}: {made}; {page}")
        elif isinstance(found, Report):
            hint("--output RUN also writes the page; then eai explain RUN TASK tells why")
    elif isinstance(found, Report) and found.notes:  # leaving out the table leaves these in
        count = f"{counted(len(found.notes), 'note')} on this run"
        where = "without --quiet" if output is None else f"in {output / 'run.json'}"
        warn(f"{count}, in full {where}: {short(found.notes[0])}")
    for problem in (*skipped, *failures):
        warn(problem)
    if failures:
        raise typer.Exit(1)


class _Gates:
    """The gates of a run; what can be refused is refused before anything is evaluated.

    Metrics have least values in percent, and none may be significantly worse than in the baseline.
    """

    def __init__(
        self,
        floors: Sequence[str],
        baseline: Path | None,
        suites: Iterable[Suite],
        ability: str | None,
    ) -> None:
        self._floors: dict[str, float] = {}
        for word in floors:
            key, _, value = word.partition("=")
            try:
                self._floors[key] = float(value)
            except ValueError:
                raise typer.BadParameter(
                    f"--fail-under: {word!r} is not METRIC=VALUE, such as task_success_rate=80"
                ) from None
        given = [(s, name) for s in suites for name in s.abilities if ability in (None, name)]
        known = {m.key for suite, name in given for m in view_of(name, suite).scores()}
        for key in self._floors:
            # Some are there only where tasks have a path goal, or there are rules or samples.
            if key not in known and not re.fullmatch(
                rf"{PATH_GOAL}|rules_kept|safe_success|pass@[1-9]\d*", key
            ):
                names = sorted({*known, PATH_GOAL, "rules_kept"})
                raise UnknownNameError("metric", key, names, where="--fail-under")
        self._path = baseline
        found = {} if baseline is None else Part().reports(baseline)
        self._baseline = {
            each.setting[::2]: each for each in found.values()
        }  # by suite and ability
        wanted = [(suite.name, name) for suite, name in given]
        if baseline is not None and self._baseline.keys().isdisjoint(wanted):
            raise InputError(
                f"the baseline is of {_about(self._baseline)}",
                where=str(baseline),
                expected=f"a run of {_about(wanted)}",
            )

    def failures(self, reports: Sequence[Report]) -> Iterator[str]:
        """Yield a sentence for everything that does not pass."""
        for report in reports:
            yield from self._under(report)
            yield from self._worse(report)
        measured = {score.key for report in reports for score in report.view.scores()}
        for key in self._floors:
            if key not in measured:
                yield f"{key} was not measured: no task of this run has it"

    def _under(self, report: Report) -> Iterator[str]:
        for model in report.models:
            found = {metric.key: metric for metric in report.metrics(model)}
            for key, floor in self._floors.items():
                if key not in found:  # a metric of another ability
                    continue
                value, counts = found[key].value, found[key].counts
                percent, points = (" %", " points") if found[key].is_share else ("", "")
                if value is None:
                    wanted = f"{floor:g}{percent}"
                    yield f"{model}: {key} is undefined ({counts}), so it cannot reach {wanted}"
                elif value < floor:
                    less = f"{floor - value:.1f}{points} under {floor:g}"
                    yield f"{model}: {key} is {value:.1f}{percent}, {less}"

    def _worse(self, report: Report) -> Iterator[str]:
        baseline = self._baseline.get(report.setting[::2])
        if baseline is None:
            return
        if baseline.setting != report.setting:
            raise InputError(
                f"the run was evaluated as {report.setting}, the baseline as {baseline.setting}",
                where=str(self._path),
                expected="a baseline of the same version and semantics",
                mend="evaluate the baseline's answers again",
            )
        groups = {metric.key: metric.group for metric in report.view.scores()}
        compared = report.compare(baseline, metrics=report.view.ranged)
        for each, conclusion in zip(compared.differences, compared.conclusions, strict=True):
            apart, p_value = each.difference, each.adjusted
            if apart is None or p_value is None or p_value >= _SIGNIFICANT:
                continue
            if (apart > 0) is (groups[each.metric] in report.view.errors):
                yield f"{each.metric} is significantly worse than in {self._path}: {conclusion}"


def _about(parts: Iterable[tuple[str, ...]]) -> str:
    return "; ".join(map(", ".join, parts))
