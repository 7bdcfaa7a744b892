"""``eai evaluate``: evaluate files of predictions, with gates for continuous integration."""

from __future__ import annotations

import math
import os
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

import eai
from eai.cli import options as opt
from eai.cli.output import hint, print_json, progress, say, show, stop, warn
from eai.cli.reading import Part, Selection, named_files, named_suite, run_folder
from eai.contract import Suite, answer_formats, chosen_ability, extension
from eai.diagnosis import PATH_GOAL
from eai.errors import InputError, SameNameError, UnknownNameError
from eai.evaluation import parts_of
from eai.evaluation.model_outputs import answers_in, submitted
from eai.files import FILES, folder_of, holds_run
from eai.predictions import Predictions, distinct_names, load_all
from eai.report import Report, Score, view_of
from eai.runs import formats_of, knows_task, left_out
from eai.suites import SAMPLES
from eai.text import counted, lazy_pattern, short

if TYPE_CHECKING:
    from eai.evaluation import EvaluationOptions
    from eai.evaluation.overview import Overview

app = typer.Typer()

_Step = Callable[..., None]
"""Tells a bar the number that is done, the number of all and, if there are several, the part."""

_GATES = "Gates"
"""Heading of these options in ``--help``."""
_SIGNIFICANT = 0.05
"""An adjusted p-value below this fails the gate against a baseline."""
_MAX_MODELS = 3
"""So many models are named in a warning."""
_CONDITIONAL_METRIC = lazy_pattern(rf"{PATH_GOAL}|rules_kept|safe_success|pass@[1-9]\d*")
"""Metrics that are there only where tasks have a path goal, or there are rules or samples."""
_MAX_NAMED = 12
"""So many files are named in the command that tells models of one name apart."""
_OTHERS = {
    ".pddl": "eai check reads PDDL; a model's plan goes into a line of JSON: "
    '{"id": "the task", "output": "the answer"}',
}


class _Given(opt.Fields):
    """Options for the answers to evaluate."""

    files: Annotated[
        list[Path] | None,
        opt.path_argument(
            "FILES",
            "Predictions: a file or folder for each model, or NAME=FILE; "
            "by default the suite's sample answers.",
        ),
    ] = None
    ability: opt.Ability = None
    model_outputs: Annotated[
        Path | None,
        opt.path_option(
            "All abilities: a folder with SUITE/ABILITY/MODEL.json; "
            "then every argument is a suite.",
            metavar="FOLDER",
        ),
    ] = None
    model: opt.Models = None
    show_left_out: opt.ShowLeftOut = False

    @property
    def paths(self) -> Sequence[Path]:
        """The files that are named; none for the sample answers of the suite."""
        return self.files or ()


class _Setting(opt.OptionGroup):
    """Options for the evaluation and its output."""

    semantics: opt.Semantics = None
    without_quirk: Annotated[
        list[str] | None, typer.Option(help="Switch a quirk off; may be repeated.")
    ] = None
    with_quirk: Annotated[
        list[str] | None, typer.Option(help="Switch a quirk on; may be repeated.")
    ] = None
    answers: opt.Answers = None
    budget: Annotated[
        str | None,
        typer.Option(
            help="Limits for one answer, such as states=1000,instances=500000; none is no limit: "
            "instances=none, or none alone for all of them."
        ),
    ] = None
    corrected: Annotated[
        bool, typer.Option("--corrected", help="Leave out tasks whose own annotation is faulty.")
    ] = False
    rules: Annotated[
        Path | None,
        opt.path_option(
            "Rules (LTL) that plans have to keep on the way, beside the goals of their tasks: a "
            "column of its own.",
            metavar="FILE",
        ),
    ] = None
    output: Annotated[
        Path | None,
        opt.output_option(
            "Write records, tables and the page; an interrupted run is resumed.",
            metavar="FOLDER",
        ),
    ] = None
    force: opt.Force = False
    workers: Annotated[
        int | None, typer.Option(help="Number of processes; answers and records then stay on disk.")
    ] = None

    def options(self) -> EvaluationOptions:
        """Return the options under their Python names."""
        return {
            "semantics": self.semantics,
            "without": self.without_quirk or (),
            "only": self.with_quirk or (),
            "answers": self.answers,
            "budget": self.budget,
            "corrected": self.corrected,
            "rules": self.rules,
            "output": self.output,
            "force": self.force,
            "workers": self.workers,
        }


class _Gates(opt.OptionGroup):
    """Options for minimum results, below which the exit code is 1."""

    fail_under: Annotated[
        list[str] | None,
        typer.Option(
            metavar="METRIC=VALUE",
            help="Exit code 1 if a model scores less, in percent; may be repeated.",
            rich_help_panel=_GATES,
        ),
    ] = None
    no_regression_vs: Annotated[
        Path | None,
        opt.path_option(
            "Exit code 1 if a metric is significantly worse than in this run.",
            metavar="RUN",
            panel=_GATES,
        ),
    ] = None


@opt.command(
    app,
    f"eai evaluate {SAMPLES}                              # the sample answers of the suite",
    f"eai evaluate {SAMPLES} gpt=a.jsonl llama=b.jsonl -o run",
    f"eai evaluate {SAMPLES} a.jsonl --limit 10 --json",
    f"eai evaluate {SAMPLES} a.jsonl -q --fail-under task_success_rate=80",
)
def evaluate(
    suite: opt.SuiteName,
    *,
    given: _Given,
    selection: Selection,
    setting: _Setting,
    gates: _Gates,
    json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> None:
    """Evaluate predictions and print the table; with --output also write records and reports.

    Tasks without an answer count as failures, unless `--tasks answered` leaves them out.
    """
    request = _Request(
        suite,
        given,
        selection,
        setting,
        gates,
        task_keyword=_task_keyword(selection),
        json=json,
        quiet=quiet,
    )
    if given.model_outputs is not None:
        _evaluate_folder(request, given.model_outputs, given.model or ())
        return
    if given.model:
        raise typer.BadParameter(
            "--model chooses models of --model-outputs; a model is named after its file, or "
            'by the key "model" of its lines; NAME=FILE gives it another name'
        )
    _evaluate_files(request)


class _Request(NamedTuple):
    """All options of the command line."""

    suite: str
    given: _Given
    selection: Selection
    setting: _Setting
    gates: _Gates
    task_keyword: str
    """``all`` or ``answered`` if it was given instead of identifiers, else empty."""
    json: bool
    quiet: bool

    def gates_of(self, suites: Iterable[Suite], ability: str | None) -> _GateCheck:
        """Return the gates of this run, checked against the metrics that it will measure."""
        gates = self.gates
        return _GateCheck(gates.fail_under or (), gates.no_regression_vs, suites, ability)

    def tasks_of(self, suite: Suite) -> str | Sequence[str]:
        """Return the identifiers of the chosen tasks of a suite, or a keyword."""
        if self.task_keyword:
            return self.task_keyword
        return self.selection.of(suite) or "all"

    @contextmanager
    def running(self) -> Iterator[_Step | None]:
        """Show a progress bar during the block, and how to resume after an interruption."""
        with (
            _hint_on_interruption(self.setting.output, force=self.setting.force),
            progress("evaluating", shown=not self.quiet) as step,
        ):
            yield step


def _evaluate_folder(request: _Request, root: Path, models: Sequence[str]) -> None:
    """Evaluate a folder of model outputs: every argument of the command is a suite."""
    if request.given.has_fields:
        raise typer.BadParameter("--field and its like are for files, not for --model-outputs")
    if request.selection.group is not None:
        raise typer.BadParameter("--group is for one suite, not for --model-outputs")
    names = [request.suite, *[str(path) for path in request.given.paths]]
    # A format that is named has been thought of.
    if request.setting.answers is None:
        _warn_of_all_formats(request, names, root, models)
    gates = request.gates_of(map(named_suite, names), request.given.ability)
    with request.running() as step:
        overview = eai.evaluate_outputs(
            names,
            root,
            models=models,
            abilities=request.given.ability or (),
            tasks=request.task_keyword or request.selection.named or "all",
            limit=request.selection.limit,
            progress=_step_of_parts(step),
            **request.setting.options(),
        )
    if request.given.show_left_out:
        for report in overview.all:
            _list_left_out_of(report, root, json=request.json)
    _show_and_end(request, overview, gates)


def _evaluate_files(request: _Request) -> None:
    """Evaluate files of predictions, or the suite's sample answers without files."""
    suite = named_suite(request.suite)
    predictions = named_files(request.given.paths)
    _refuse_no_predictions(request.given.paths, suite, request.given.ability)
    if not predictions:
        _evaluate_one(request, suite, request.suite, None)
        return
    parts = parts_of(suite, predictions)
    if len(parts) > 1:
        _evaluate_parts(request, parts)
        return
    if parts and parts[0][0] is not suite:
        # The file brings its own tasks, and so its own suite, which is not registered.
        suite, predictions_of_suite = parts[0]
        _evaluate_one(request, suite, suite.name, predictions_of_suite)
        return
    _evaluate_one(request, suite, request.suite, predictions)


def _evaluate_one(request: _Request, suite: Suite, name: str, predictions: object) -> None:
    """Evaluate predictions for one suite, or its sample answers without predictions."""
    ability = chosen_ability(suite, request.given.ability)
    gates = request.gates_of([suite], ability)
    loaded = None
    answers = predictions
    if predictions:
        with _naming_files_in_errors(name, request.given.paths):
            loaded = _load_if_needed(request, suite, ability, predictions)
    if loaded is not None:
        answers = loaded
    # Another process finds a suite by its name, and a run notes where its suite was found.
    needs_name = request.setting.workers is not None or ":" in name
    with request.running() as step, _naming_files_in_errors(name, request.given.paths):
        report = eai.evaluate(
            name if needs_name else suite,
            answers or None,
            ability=request.given.ability,
            tasks=request.tasks_of(suite),
            progress=step,
            **request.setting.options(),
        )
    if request.given.show_left_out and loaded is not None:
        _list_left_out(suite, loaded, json=request.json)
    _show_and_end(request, report, gates)


def _load_if_needed(
    request: _Request, suite: Suite, ability: str, predictions: object
) -> list[Predictions] | None:
    """Return the predictions if they are needed before the evaluation, or None.

    The evaluation itself reads files one by one, so large ones are not all held in memory.
    """
    has_formats = any(ability in abilities for abilities in answer_formats(suite).values())
    may_have_format = has_formats and request.setting.answers is None
    if not (may_have_format or request.given.has_fields or request.given.show_left_out):
        return None
    loaded = _load_predictions(predictions, request.given, suite)
    if may_have_format:
        _warn_of_formats(request, suite, ability, loaded)
    return loaded


def _evaluate_parts(request: _Request, parts: Sequence[tuple[Suite, object]]) -> None:
    """Evaluate predictions for several suites, and print a table for each."""
    if request.selection.group is not None or request.given.field is not None:
        raise typer.BadParameter("--group and --field go with files of one task")
    from eai.evaluation import evaluate_parts  # most runs have one part

    ability = request.given.ability
    chosen_parts = []
    for suite, predictions in parts:
        # Each of these suites, made for the files of one task, has one ability.
        if ability in (None, chosen_ability(suite)):
            chosen_parts.append((suite, predictions))
    gates = request.gates_of([suite for suite, _ in chosen_parts], ability)
    with request.running() as step:
        overview = evaluate_parts(
            chosen_parts,
            tasks=request.tasks_of,
            progress=_step_of_parts(step),
            **request.setting.options(),
        )
    if not (request.quiet or request.json):
        for report in overview.all:
            show(report)
    _show_and_end(request, overview, gates)


def _step_of_parts(step: _Step | None) -> Callable[[str, int, int], None] | None:
    """Return a progress callback with the argument order of runs with several parts."""
    if step is None:
        return None

    def step_of_part(part: str, done: int, total: int) -> None:
        step(done, total, part)

    return step_of_part


def _warn_of_all_formats(
    request: _Request, names: Sequence[str], root: Path, models: Sequence[str]
) -> None:
    """Warn before a run of all answers that cannot be read without an option."""
    from eai.evaluation.overview import has_stored_setting

    # A part that is resumed was warned of when it began.
    run = None if request.setting.force else request.setting.output
    for suite in map(named_suite, names):
        with_formats = set().union(*answer_formats(suite).values())
        for ability in sorted(with_formats):
            if request.given.ability not in (None, ability):
                continue
            if run is not None and has_stored_setting(run / folder_of(suite.name) / ability, suite):
                continue
            predictions_by_model = answers_in(root, suite.name, ability, models)
            _warn_of_formats(request, suite, ability, predictions_by_model.values())


def _warn_of_formats(
    request: _Request, suite: Suite, ability: str, predictions: Iterable[Predictions]
) -> None:
    """Warn before a run of answers that cannot be read without an option."""
    semantics = suite.semantics(request.setting.semantics or suite.default_semantics)
    disabled_quirks = request.setting.without_quirk or ()
    semantics = replace(semantics, quirks=semantics.quirks.difference(disabled_quirks))
    for answer_format, models in formats_of(suite, ability, semantics, predictions).items():
        listed = ", ".join(models[:_MAX_MODELS])
        if len(models) > _MAX_MODELS:
            listed += f" and {len(models) - _MAX_MODELS} more"
        warn(
            f"{suite.name} {ability}: the answers of {listed} have the format of "
            f"{answer_format}, which {suite.default_semantics} does not read; "
            f"--answers {answer_format} does"
        )


@contextmanager
def _hint_on_interruption(output: Path | None, *, force: bool) -> Iterator[None]:
    """Print how to resume and exit with code 130 if the block is interrupted."""
    try:
        yield
    except KeyboardInterrupt:
        message = "interrupted"
        if output is not None:
            message += "; the same command resumes where it stopped"
            if force:
                message += ", without --force"
        # As shells have it: 128 and the number of the signal.
        stop(message, 130)


@contextmanager
def _naming_files_in_errors(suite: str, files: Sequence[Path]) -> Iterator[None]:
    """Extend an error about two models of one name with a hint on naming files."""
    try:
        yield
    except SameNameError as error:
        error.mend = _command_with_names(error, suite, files)
        raise


def _command_with_names(error: SameNameError, suite: str, files: Sequence[Path]) -> str:
    """Return the hint on how to tell two models of one name apart."""
    # A path that is not a file is already given as NAME=FILE, so the clash is inside a file.
    named = [str(file) for file in files if not os.path.lexists(file)]
    if named:
        return f"a file with several models keeps their names: split {', '.join(named)}"
    names: Mapping[str, str] = distinct_names(files)
    if len(names) > _MAX_NAMED:
        names = error.names  # those that clash are enough
    words = [f"{name}={path}" for name, path in names.items()]
    command = shlex.join(["eai", "evaluate", suite, *words])
    return f"name the files: {command}"


def _load_predictions(predictions: object, fields: opt.Fields, suite: Suite) -> list[Predictions]:
    """Return the predictions in files, read with the given keys."""
    loaded = load_all(
        predictions,
        is_task=knows_task(suite),
        id=fields.id_field or "",
        output=fields.field or "",
        model_field=fields.model_field or "",
    )
    # A suite may have to know which field an answer is from: a mark before the text tells it.
    mark_by_field = extension("eai.answer_fields", suite) or {}
    mark = mark_by_field.get(fields.field or "", "")
    if mark:
        for model_predictions in loaded:
            for task, answer in model_predictions.items.items():
                model_predictions.items[task] = mark + answer
    return loaded


def _list_left_out_of(report: Report, root: Path, *, json: bool) -> None:
    """List what was left out of the predictions for one part of a run."""
    suite = named_suite(report.setting.suite)
    predictions_by_model = answers_in(root, suite.name, report.setting.ability)
    _list_left_out(suite, list(predictions_by_model.values()), json=json)


def _list_left_out(suite: Suite, predictions: Sequence[Predictions], *, json: bool) -> None:
    """List what was left out of the predictions; beside a document on standard error."""
    write = warn if json else say
    for line in left_out(suite, predictions):
        write(line)


def _task_keyword(selection: Selection) -> str:
    """Return ``all`` or ``answered`` if given in place of task identifiers, or "".

    Raises:
        BadParameter: If another option chooses tasks, too.
    """
    named = selection.named
    if len(named) != 1 or named[0] not in ("all", "answered"):
        return ""
    keyword = named[0]
    if selection.limit is not None:
        raise typer.BadParameter(f"--limit goes with identifiers of tasks, not with {keyword!r}")
    if selection.group is not None:
        raise typer.BadParameter(f"--group goes with identifiers of tasks, not with {keyword!r}")
    return keyword


def _refuse_no_predictions(files: Iterable[Path], suite: Suite, ability: str | None) -> None:
    """Refuse files that are known not to be predictions."""
    for file in files:
        refusal = _reason_to_refuse(file, suite, ability)
        if refusal is not None:
            problem, mend = refusal
            raise InputError(problem, where=str(file), expected="files of predictions", mend=mend)


def _reason_to_refuse(file: Path, suite: Suite, ability: str | None) -> tuple[str, str] | None:
    """Return why a file cannot be predictions, and a remedy; None if it may be predictions."""
    # From the surest sign to the weakest: the first that applies is the reason.
    run = run_folder(file)
    if holds_run(run):
        return "this is a run, its answers are evaluated already", f"eai report {run}"
    if ability is None and file.name == "transcripts.jsonl" and len(suite.abilities) > 1:
        return (
            "these are transcripts, not plans",
            "--ability interaction evaluates them as they were acted",
        )
    outputs_command = f"eai evaluate {suite.name} --model-outputs {file}"
    folder = folder_of(suite.name)
    if (file / folder).is_dir():
        return f"this folder has a folder {folder}", f"answers by ability: {outputs_command}"
    if len(submitted(file)) > 1:
        return "this is a submission with files for several abilities", outputs_command
    if file.suffix in _OTHERS:
        return f"predictions are not read from {file.suffix}", _OTHERS[file.suffix]
    return None


def _show_and_end(request: _Request, result: Report | Overview, gates: _GateCheck) -> None:
    """Print the result and the failed gates, and exit with code 1 if there are any."""
    reports = [result] if isinstance(result, Report) else result.all
    # Before anything is printed: a JSON document names the gates that failed.
    failures = list(gates.failures(reports))
    if request.json:
        _print_document(result, request.setting.output, failures)
    elif not request.quiet:
        show(result)
        if request.setting.output is not None:
            _say_written(result, reports, request.setting.output)
        elif isinstance(result, Report):
            hint("--output RUN also writes the page; then eai explain RUN TASK tells why")
    elif isinstance(result, Report):
        _warn_of_notes(result.notes, request.setting.output)
    if not isinstance(result, Report):
        for problem in result.skipped:
            warn(problem)
    for failure in failures:
        warn(failure)
    if failures:
        raise typer.Exit(1)


def _print_document(
    result: Report | Overview, output: Path | None, failures: Sequence[str]
) -> None:
    """Print the result of a run as JSON."""
    from eai.cli.documents import overview_document, report_document

    if isinstance(result, Report):
        document = report_document(result)
    else:
        document = overview_document(result)
    print_json({**document, "output": output, "failures": list(failures)})


def _say_written(result: Report | Overview, reports: Sequence[Report], output: Path) -> None:
    """Print which files were written, and how much of the run is new."""
    total = sum(len(report.records) for report in reports)
    evaluated_now = sum(report.evaluated_now for report in reports)
    if evaluated_now < total:
        kept = f"{total - evaluated_now:,} of {total:,} records were there already"
        say(f"{kept}, {evaluated_now:,} were evaluated now")
    contents = "a folder for each suite and ability, leaderboard"
    if isinstance(result, Report):
        contents = ", ".join(FILES)
    page_hint = f"look at it: eai view {shlex.quote(str(output))}"
    say(f"written to {output}: {contents}; {page_hint}")


def _warn_of_notes(notes: Sequence[str], output: Path | None) -> None:
    """Print that the run has notes, which ``--quiet`` hides together with the table."""
    if not notes:
        return
    where = "without --quiet"
    if output is not None:
        where = f"in {output / 'run.json'}"
    count = f"{counted(len(notes), 'note')} on this run"
    warn(f"{count}, in full {where}: {short(notes[0])}")


class _GateCheck:
    """Checks the gates of a run, as far as possible before the evaluation.

    Metrics have least values in percent, and none may be significantly worse than in the baseline.
    """

    def __init__(
        self,
        floors: Sequence[str],
        baseline: Path | None,
        suites: Iterable[Suite],
        ability: str | None,
    ) -> None:
        """Read the gates, and refuse those that this run cannot be checked against.

        Args:
            floors: Least values, such as ``"task_success_rate=80"``.
            baseline: The run to compare with; None if there is none.
            suites: The suites of this run.
            ability: The ability of this run; None for all that the suites have.
        """
        self._floors = dict(map(_read_floor, floors))
        parts = []
        for suite in suites:
            for suite_ability in suite.abilities:
                if ability in (None, suite_ability):
                    parts.append((suite, suite_ability))
        self._refuse_unknown_metrics(parts)
        self._baseline_path = baseline
        self._baseline: dict[tuple[str, ...], Report] = {}
        if baseline is not None:
            self._read_baseline(baseline, parts)

    def _read_baseline(self, baseline: Path, parts: Iterable[tuple[Suite, str]]) -> None:
        """Read the run to compare with, which must share a part with this run."""
        for report in Part().reports(baseline).values():
            self._baseline[_suite_and_ability(report)] = report
        parts_of_this_run = [(suite.name, ability) for suite, ability in parts]
        if self._baseline.keys().isdisjoint(parts_of_this_run):
            raise InputError(
                f"the baseline is of {_parts_in_words(self._baseline)}",
                where=str(baseline),
                expected=f"a run of {_parts_in_words(parts_of_this_run)}",
            )

    def _refuse_unknown_metrics(self, parts: Iterable[tuple[Suite, str]]) -> None:
        """Refuse a minimum for a metric that no part of the run has."""
        known_keys: set[str] = set()
        for suite, ability in parts:
            known_keys.update(metric.key for metric in view_of(ability, suite).scores())
        for key in self._floors:
            if key in known_keys or _CONDITIONAL_METRIC.fullmatch(key):
                continue
            suggestions = {*known_keys, PATH_GOAL, "rules_kept"}
            if key.startswith("safe"):
                suggestions.add("safe_success")  # else "success" would seem to be short for it
            raise UnknownNameError("metric", key, sorted(suggestions), where="--fail-under")

    def failures(self, reports: Sequence[Report]) -> Iterator[str]:
        """Yield a sentence for each failed gate."""
        for report in reports:
            yield from self._below_floor(report)
            yield from self._worse_than_baseline(report)
        measured: set[str] = set()
        for report in reports:
            measured.update(score.key for score in report.view.scores())
        for key in self._floors:
            if key not in measured:
                yield f"{key} was not measured: no task of this run has it"

    def _below_floor(self, report: Report) -> Iterator[str]:
        """Yield a sentence for each metric below its minimum."""
        for model in report.models:
            metrics = {metric.key: metric for metric in report.metrics(model)}
            for key, floor in self._floors.items():
                # It may be a metric of another ability.
                if key in metrics:
                    shortfall = _shortfall(metrics[key], floor)
                    if shortfall:
                        yield f"{model}: {key} is {shortfall}"

    def _worse_than_baseline(self, report: Report) -> Iterator[str]:
        """Yield a sentence for each metric that is significantly worse than in the baseline."""
        baseline = self._baseline.get(_suite_and_ability(report))
        if baseline is None:
            return
        if baseline.setting != report.setting:
            raise InputError(
                f"the run was evaluated as {report.setting}, the baseline as {baseline.setting}",
                where=str(self._baseline_path),
                expected="a baseline of the same version and semantics",
                mend="evaluate the baseline's answers again",
            )
        group_by_metric = {metric.key: metric.group for metric in report.view.scores()}
        comparison = report.compare(baseline, metrics=report.view.ranged)
        for difference, conclusion in zip(
            comparison.differences, comparison.conclusions, strict=True
        ):
            change = difference.difference
            p_value = difference.adjusted
            if change is None or p_value is None or p_value >= _SIGNIFICANT:
                continue
            # Of errors, more is worse; of everything else, less. A change for the better passes.
            key = difference.metric
            counts_errors = group_by_metric[key] in report.view.errors
            has_grown = change > 0
            if has_grown == counts_errors:
                yield f"{key} is significantly worse than in {self._baseline_path}: {conclusion}"


def _shortfall(metric: Score, floor: float) -> str:
    """Return by how much a metric misses its minimum in words, or ""."""
    percent = ""
    points = ""
    if metric.is_share:
        percent = " %"
        points = " points"
    if metric.value is None:
        return f"undefined ({metric.counts}), so it cannot reach {floor:g}{percent}"
    if metric.value >= floor:
        return ""
    missing = f"{floor - metric.value:.1f}{points}"
    return f"{metric.value:.1f}{percent}, {missing} under {floor:g}"


def _read_floor(word: str) -> tuple[str, float]:
    """Return metric and minimum of ``METRIC=VALUE``."""
    key, _, value = word.partition("=")
    floor = math.nan
    with suppress(ValueError):
        floor = float(value)
    if not math.isfinite(floor):
        raise typer.BadParameter(
            f"--fail-under: {word!r} is not METRIC=VALUE, such as task_success_rate=80"
        )
    return key, floor


def _suite_and_ability(report: Report) -> tuple[str, ...]:
    """Return the suite and the ability of a report, by which it is matched with its baseline."""
    return (report.setting.suite, report.setting.ability)


def _parts_in_words(parts: Iterable[tuple[str, ...]]) -> str:
    """Return suites and abilities in words: ``"household, action_sequencing; ..."``."""
    return "; ".join(map(", ".join, parts))
