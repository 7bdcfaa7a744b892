"""Reading what commands are given: suites, tasks, runs, files of predictions, single answers."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice, product
from pathlib import Path
from typing import TYPE_CHECKING

import typer

import eai
from eai.cli import options as opt
from eai.cli.output import warn
from eai.contract import Suite
from eai.contract.registry import suite as find_suite, suites
from eai.errors import InputError, SchemaError, UnknownNameError
from eai.files import FILES, RECORD_FILES, holds_run, records_in, runs_in
from eai.files.paths import advice, similar_paths
from eai.plugins import find_object, module_names
from eai.predictions import load_all, load_predictions
from eai.report import Metric, PassAt, report_of, view_of
from eai.runs import knows_task, match_answers, notes_on_answers

if TYPE_CHECKING:
    from eai.report import Record, RecordFile, Report
    from eai.task import Task

_RUN = "the folder of a run, as eai evaluate --output writes it, or a file in it"
_MADE = "eai evaluate SUITE FILE --output FOLDER makes a run of answers"
_MAX_LISTED_RUNS = 4
"""Maximum number of runs that are named in a message."""
_MAX_NAMED = 6
"""Maximum number of records, and of models, that are named in a message."""


def find_modules_here(name: str | None) -> None:
    """Let ``module:attribute`` name a module of the current folder; it comes after all others."""
    if name is not None and ":" in name and "" not in sys.path:
        sys.path.append("")


def names_module(name: str) -> bool:
    """Return whether a name is that of a module, of the current folder too, or of its file."""
    module = name.removesuffix(".py")
    return module in module_names() or Path(f"{module}.py").is_file()


def named_suite(name: str) -> Suite:
    """Return the suite with a name.

    Raises:
        UnknownNameError: If there is none; the error advises what was probably meant.
    """
    find_modules_here(name)
    try:
        return find_suite(name)
    except UnknownNameError as error:
        # A suite that was found may have another wrong name in it, such as a key of a task.
        if error.kind != "suite":
            raise
        suggestion = _advice_on_suite(name)
        if suggestion is not None:
            error.mend = suggestion
        elif not error.suggestions:
            error.mend = "eai suites lists them; one of your own is module:attribute or pddl:FOLDER"
        raise


def _advice_on_suite(name: str) -> str | None:
    """Return what to write in place of a name that looks like a module, a run or a file.

    The likeliest slip comes first. None for any other name, which may resemble a suite's.
    """
    if names_module(name):
        return f"add the name of the suite: {name.removesuffix('.py')}:ATTRIBUTE"
    if holds_run(name):
        return f"name a suite; this is a run: eai report {name}"
    if Path(name).suffix == ".pddl":
        return f"plans for PDDL files: eai validate {name} [PROBLEM] PLAN --repair"
    if Path(name).exists():
        return f"name a suite before it: eai evaluate SUITE {name}"
    if "/" in name or "\\" in name:
        return advice(name)
    return None


def refuse_suite(domain: Path, task: Path, plans: Sequence[Path]) -> None:
    """Refuse a suite in place of a PDDL domain, and name the right command.

    Raises:
        InputError: If the domain is not a file, but the name of a suite.
    """
    if domain.exists() or not suites().announces(str(domain)):
        return
    command = ["eai", "repair", str(domain), str(task), *map(str, plans[:1])]
    raise InputError(
        f"{str(domain)!r} is a suite",
        expected="a domain and a problem, PDDL files",
        mend=f"for an answer to a task of the suite: {shlex.join(command)}",
    )


def named_task(suite: Suite, name: str) -> Task:
    """Return the task with a name, or raise an error with similar names."""
    try:
        return suite.task(suite.canonical_id(name))
    except UnknownNameError as error:
        if not error.suggestions:
            error.mend = f"eai tasks {suite.name} lists them"
        raise


def task_ids(words: Sequence[str] | None) -> list[str]:
    """Return identifiers, splitting words that contain several with commas between."""
    names = []
    for word in words or ():
        for part in word.split(","):
            name = part.strip()
            if name:
                names.append(name)
    return names


class Selection(opt.OptionGroup):
    """Options for choosing tasks of a suite."""

    tasks: opt.Tasks = None
    group: opt.Group = None
    limit: opt.Limit = None

    @property
    def named(self) -> list[str]:
        """The identifiers as they were given, each word taken apart at its commas."""
        return task_ids(self.tasks)

    def of(self, suite: Suite, *, limited: bool = True) -> list[str] | None:
        """Return the identifiers of the chosen tasks without repetition, or None for all.

        Args:
            suite: The suite.
            limited: Whether the limit counts, which is about what the other choices leave.

        Raises:
            UnknownNameError: If there is no such task or group.
            InputError: If no task is left.
        """
        named = self.named
        limit = self.limit if limited else None
        if not named and self.group is None and limit is None:
            return None
        chosen_ids = list(suite.task_ids())
        if named:
            all_ids = frozenset(chosen_ids)
            # The same task may be named twice, and by an older name.
            chosen_ids = list(dict.fromkeys(suite.canonical_id(name) for name in named))
            for task_id in chosen_ids:
                if task_id not in all_ids:
                    named_task(suite, task_id)  # raises, with what may be meant
        if self.group is not None:
            chosen_ids = _tasks_in_group(suite, self.group, chosen_ids)
        return chosen_ids[:limit]


class NamedSelection(Selection):
    """Options for choosing tasks, which may also be named after the suite."""

    names: opt.TaskNames = None

    @property
    def named(self) -> list[str]:
        """The identifiers as they were given, those behind the suite first."""
        return [*task_ids(self.names), *task_ids(self.tasks)]


def _tasks_in_group(suite: Suite, group: str, tasks: Iterable[str]) -> list[str]:
    """Return the given tasks that are in a group.

    Raises:
        UnknownNameError: If there is no such group.
        InputError: If none of them is in it.
    """
    members = _members_of_group(suite, group)
    chosen = [task for task in tasks if task in members]
    if not chosen:
        raise InputError(
            f"none of these tasks is in the group {group!r}",
            where=f"suite {suite.name}",
            expected="a task of the group",
            mend=f"eai tasks {suite.name} --group {shlex.quote(group)} lists them",
        )
    return chosen


def _members_of_group(suite: Suite, group: str) -> frozenset[str]:
    """Return the tasks of a group, whose name may be abbreviated if that is unambiguous."""
    groups = suite.groups()
    if group in groups:
        return frozenset(groups[group])
    # A whole name comes first: another group may begin with it.
    candidates = [name for name in groups if name.startswith(group)]
    if len(candidates) != 1:
        raise UnknownNameError("group", group, groups, where=f"suite {suite.name}")
    return frozenset(groups[candidates[0]])


def is_run(path: str | Path) -> bool:
    """Return whether a path is the folder of a run, or its record file."""
    return Path(path).name in RECORD_FILES or holds_run(path)


def run_folder(run: Path) -> Path:
    """Return the folder of a run that is named by one of its files."""
    if run.name in FILES:
        return run.parent
    return run


def record_file(run: Path) -> Path:
    """Return the record file of a run.

    Raises:
        InputError: If there is none.
    """
    folder = run_folder(run)
    path: Path | None = folder
    if folder.is_dir():
        path = records_in(folder)
    if path is not None and path.is_file():
        return path
    # The setting is written before the first record: a run that was stopped early has only that.
    if (folder / "run.json").is_file():
        mend = "run the same eai evaluate again to resume"
        raise InputError("this run has no records yet", where=str(run), mend=mend)
    mend = _suggest_run(run)
    raise InputError("there is no run here", where=str(run), expected=_RUN, mend=mend)


def _suggest_run(path: Path) -> str:
    """Return a hint for a path without a run: a run inside, with a similar name, or beside it."""
    if path.is_dir():
        runs_inside: list[Path] = []
        # As deep as the parts of several runs; the folder may be that of a whole disk.
        with suppress(OSError):
            for name, depth in product(RECORD_FILES, ("*", "*/*", "*/*/*")):
                runs_inside += path.glob(f"{depth}/{name}")
        if not runs_inside:
            return _MADE
        return f"name one of its parts: {_list_runs(runs_inside)}"
    similar_runs: list[Path] = []
    sibling_runs: list[Path] = []
    with suppress(OSError, ValueError):  # ValueError: a NUL
        for similar_path in similar_paths(path):
            records = records_in(similar_path)
            if records is not None:
                similar_runs.append(records)
        for name in RECORD_FILES:
            sibling_runs += path.parent.glob(f"*/{name}")
    if similar_runs:
        return f"did you mean {_list_runs(similar_runs)}?"
    if sibling_runs:
        return f"there are runs in {_list_runs(sibling_runs)}; {_MADE}"
    return _MADE


def _list_runs(records: Sequence[Path]) -> str:
    """Return the names of the first folders of record files."""
    folders = dict.fromkeys(str(path.parent) for path in sorted(records))
    return ", ".join(islice(folders, _MAX_LISTED_RUNS))


def records_of(run: Path) -> RecordFile:
    """Return the records of a run, and warn of a truncated record file."""
    path = record_file(run)
    try:
        contents = eai.read_records(path)
    except SchemaError as error:
        if path.name in RECORD_FILES:
            error.mend = error.mend or "the records are damaged: evaluate the answers again"
        else:
            # Both are lines of JSON: the answers of a model are easily taken for its records.
            command = f"eai evaluate SUITE {shlex.quote(str(run))} --output RUN"
            error.mend = f"if these are answers, {command} makes a run of them"
        raise
    for message in (contents.note, contents.warning):
        if message:
            warn(message)
    if not contents.records:
        raise InputError(
            "there is no record in this file", where=str(path), expected=_RUN, mend=_MADE
        )
    return contents


def read_run(run: Path, *, suite: Suite | None = None) -> Report:
    """Return the report of a run in the form that its suite prefers."""
    contents = records_of(run)
    first = contents.records[0]
    if suite is None or suite.name != first.suite:
        return report_of(contents)
    return report_of(contents, view_of(first.ability, suite))


class Part(opt.OptionGroup):
    """Options for choosing a part of a run."""

    suite: opt.RunSuite = None
    ability: opt.RunAbility = None

    def __init__(self, **values: str | None) -> None:
        """Set the options, and let a suite be named as a module of the current folder."""
        super().__init__(**values)
        find_modules_here(self.suite)

    @property
    def own(self) -> str | None:
        """The suite as ``module:attribute``, if it is named like this."""
        if self.suite is not None and ":" in self.suite:
            return self.suite
        return None

    def reports(self, run: Path, models: Sequence[str] | None = None) -> dict[Path, Report]:
        """Return the chosen reports of a run, by folder."""
        reports = self._all_reports(run)
        # A suite that is named as module:attribute has another name in the records.
        suite_name = None if self.own else self.suite
        self._refuse_unknown(run, reports.values(), suite_name, models or ())
        chosen_reports = {}
        for folder, report in reports.items():
            if suite_name not in (None, report.setting.suite):
                continue
            if self.ability not in (None, report.setting.ability):
                continue
            restricted_report = _restrict_to_models(report, models)
            if restricted_report is not None:
                chosen_reports[folder] = restricted_report
        if not chosen_reports:
            settings = [report.setting for report in reports.values()]
            raise InputError(
                "no part of the run matches",
                where=str(run),
                expected="; ".join(f"{setting.suite}, {setting.ability}" for setting in settings),
            )
        return chosen_reports

    def _all_reports(self, run: Path) -> dict[Path, Report]:
        """Return the reports of all parts of a run by folder, in canonical order."""
        from eai.evaluation import ability_rank  # commands that read no run do without it

        own_suite = None
        if self.own is not None:
            own_suite = named_suite(self.own)
        reports = {part: read_run(part, suite=own_suite) for part in parts_of(run)}

        def suite_and_ability(part: Path) -> tuple[object, ...]:
            setting = reports[part].setting
            return (setting.suite, ability_rank(setting.ability))

        return {part: reports[part] for part in sorted(reports, key=suite_and_ability)}

    def _refuse_unknown(
        self,
        run: Path,
        reports: Iterable[Report],
        suite: str | None,
        models: Sequence[str],
    ) -> None:
        """Raise an error for a suite, ability or model that no part of the run has."""
        known_suites: list[str] = []
        known_abilities: list[str] = []
        known_models: list[str] = []
        for report in reports:
            known_suites.append(report.setting.suite)
            known_abilities.append(report.setting.ability)
            known_models += report.models
        if suite:
            _refuse_unless_known("suite", suite, known_suites, run)
        if self.ability:
            _refuse_unless_known("ability", self.ability, known_abilities, run)
        for model in models:
            _refuse_unless_known("model", model, known_models, run)


def _restrict_to_models(report: Report, models: Sequence[str] | None) -> Report | None:
    """Return a report restricted to some models, or None if it has none of them."""
    if not models:
        if not report.models:
            return None
        return report
    own_models = [model for model in models if model in report.models]
    if not own_models:
        return None
    return report.of_models(own_models)


def _refuse_unless_known(noun: str, name: str, known: Iterable[str], run: Path) -> None:
    """Raise an UnknownNameError if a run does not have a name.

    ``module:attribute`` is not refused: it is a name for this process only, not in the records.
    """
    names = list(dict.fromkeys(known))
    if name not in names and ":" not in name:
        raise UnknownNameError(noun, name, names, where=str(run))


@contextmanager
def naming_suite_of(run: Path) -> Iterator[None]:
    """Add the run's location to an error about an unknown suite in the block."""
    try:
        yield
    except UnknownNameError as error:
        if error.kind == "suite":
            for part in parts_of(run):
                # A run without a readable note of it leaves the error as it is.
                with suppress(OSError, ValueError, TypeError, KeyError):
                    manifest = json.loads((run_folder(part) / "run.json").read_text("utf-8"))
                    error.mend = f"add --suite {shlex.quote(manifest['found_as'])}"
        raise


def with_own(
    reports: Iterable[Report], names: Sequence[str] | None
) -> tuple[list[Report], list[str] | None]:
    """Add user-defined metrics, given as ``module:attribute``, to reports.

    Returns:
        The reports, and the keys of all metrics that are named; None if none is.
    """
    added_metrics: list[Metric] = []
    keys = []
    for name in names or ():
        # "pass@3" has no column of its own until somebody asks for it.
        if name.startswith("pass@") and name[5:].isdecimal():
            added_metrics.append(PassAt(int(name[5:])))
        if ":" not in name:
            keys.append(name)
            continue
        metric = _find_metric(name)
        added_metrics.append(metric)
        keys.append(metric.key)
    if added_metrics:
        reports = [report.with_metrics(added_metrics) for report in reports]
    return list(reports), keys or None


def parts_of(run: Path) -> list[Path]:
    """Return the folders of a run, one for each suite and ability; at least the path itself."""
    if run.is_file():
        return [run]
    return runs_in(run_folder(run)) or [run]


def _find_metric(name: str) -> Metric:
    """Return the metric named ``module:attribute``. A class is instantiated.

    Raises:
        InputError: If it is none.
    """
    find_modules_here(name)
    metric = find_object(name, what=f"the metric {name!r}")
    if isinstance(metric, type) and issubclass(metric, Metric):
        metric = metric()
    if not isinstance(metric, Metric):
        raise InputError(
            f"{name!r} is not a metric",
            expected="a class derived from eai.report.Metric, or a function with @eai.metric",
        )
    return metric


def chosen_record(run: Path, names: Mapping[str, str | None], *, command: str) -> Record:
    """Return the record that the options choose.

    Args:
        run: The run.
        names: ``"suite"``, ``"ability"``, ``"model"`` and ``"task"`` to a name; None where there is
            no need to say it, as all records that fit have the same.
        command: The command, for a message that says how to name one of several.
    """
    all_records: list[Record] = []
    for part in parts_of(run):
        all_records += records_of(part).records
    records = all_records
    for attribute, name in names.items():
        # module:attribute is a name for this process only, not in the records.
        if name is None or (attribute == "suite" and ":" in name):
            continue
        known_names: set[str] = set()
        for record in all_records:
            known_names |= _names_of(record, attribute)
        if name not in known_names:
            raise UnknownNameError(attribute, name, known_names, where=str(run))
        records = [record for record in records if name in _names_of(record, attribute)]
    if len(records) == 1:
        return records[0]
    if records:
        raise _error_for_several_records(records, run, command)
    model = names.get("model")
    task = names.get("task")
    raise InputError(
        f"the model {model!r} has no record of the task {task!r}",
        where=str(run),
        expected="a model and a task that it answered",
    )


def _names_of(record: Record, attribute: str) -> set[str]:
    """Return the names by which a record's suite, ability, model or task may be chosen.

    A model may also be named as one of its samples.
    """
    if attribute == "model":
        return {record.model, record.label}
    return {getattr(record, attribute)}


def _error_for_several_records(records: Sequence[Record], run: Path, command: str) -> InputError:
    """Return the error for an ambiguous choice, with the command for one record."""

    def example_rank(record: Record) -> tuple[bool, bool]:
        # An answer that failed has more to tell than one that solved its task, or than none.
        return (record.result.status in ("missing", "excluded"), record.result.success)

    examples = sorted(records, key=example_rank)
    listed = ", ".join(f"{record.task} ({record.label})" for record in examples[:_MAX_NAMED])
    example = examples[0]
    arguments = [str(run_folder(run)), example.task, "--model", example.label]
    part_options = ""
    parts = {(record.suite, record.ability) for record in records}
    if len(parts) > 1:
        part_options = "--suite and --ability, "
        arguments += ["--suite", example.suite, "--ability", example.ability]
    models = list(dict.fromkeys(record.label for record in records))
    return InputError(
        f"which of the {len(records)} records?",
        where=str(run),
        expected=f"a task, {part_options}and --model where several answered it "
        f"({', '.join(models[:_MAX_NAMED])}); "
        f"for instance {listed}",
        mend=f"eai {command} {shlex.join(arguments)}",
    )


def named_files(files: Sequence[Path] | None) -> Sequence[Path] | dict[str, Path]:
    """Return files of predictions, by model if given as ``NAME=FILE``."""
    files = files or ()
    file_by_model = {}
    for file in files:
        if os.path.lexists(file):  # a file whose own name has an equals sign
            continue
        name, _, path = str(file).partition("=")  # "gpt=answers.jsonl"
        if name and path and os.path.lexists(path):
            file_by_model[name] = Path(path)
    if file_by_model and len(file_by_model) < len(files):
        raise typer.BadParameter("give each file its own name with NAME=FILE")
    return file_by_model or files


def answer_in(path: Path, task: str, *, suite: Suite, model: str | None = None) -> str:
    """Return the answer of a model to a task.

    The path is that of a file with nothing but the answer, or of predictions; ``-`` is an answer on
    standard input.
    """
    if str(path) == "-":
        return sys.stdin.read()
    if is_run(path):
        raise InputError("this is a run", where=str(path), mend=f"eai repair {path} {task}")
    answers = _answers_by_model(path, suite)
    # Not predictions: the whole file is one answer, whatever it looks like.
    if answers is None:
        return _read_answer_file(path)
    if model is not None and model not in answers:
        raise UnknownNameError("model", model, answers, where=str(path))
    answer_by_model = {}
    for name, answer_by_task in answers.items():
        if model in (None, name) and task in answer_by_task:
            answer_by_model[name] = answer_by_task[task]
    if not answer_by_model:
        raise InputError(
            f"there is no answer to {task!r} among these predictions",
            where=str(path),
            expected=f"a prediction with the id {task!r}, or a file with nothing but an answer",
            mend=f"check that they are for the suite {suite.name!r}: eai tasks {suite.name}",
        )
    first_model = next(iter(answer_by_model))
    if len(answer_by_model) > 1:
        raise InputError(
            f"{len(answer_by_model)} models answered {task!r}",
            where=str(path),
            expected=f"--model with one of {', '.join(answer_by_model)}",
            mend=f"add --model {shlex.quote(first_model)}",
        )
    return answer_by_model[first_model]


def _read_answer_file(path: Path) -> str:
    """Return the text of a file that contains a single answer."""
    try:
        return path.read_text("utf-8-sig", errors="replace")
    except (OSError, ValueError) as error:  # ValueError: a NUL
        mend = advice(path)
        if path.is_dir():
            mend = "name a file in this folder"
        raise InputError(
            f"cannot be read: {getattr(error, 'strerror', None) or error}",
            where=str(path),
            expected="a text file with one answer of a model, or a file of predictions",
            mend=mend,
        ) from error


def _answers_by_model(path: Path, suite: Suite) -> dict[str, dict[str, str]] | None:
    """Return the answers by model and task, or None if the file has no predictions."""
    tasks = frozenset(suite.task_ids())
    is_task = knows_task(suite)
    try:
        loaded = load_all(path, is_task=is_task)
    except InputError:
        return None
    if not (path.is_dir() or ".jsonl" in path.suffixes):
        # A plan may be an object, too, from action to arguments, which reads like answers by task.
        names: set[str] = set()
        for predictions in loaded:
            names.update(predictions.items)
        if not any(map(is_task, names)):
            return None
    answers = {}
    for predictions in loaded:
        answers[predictions.model], _ = match_answers(suite, predictions.items.items(), tasks)
    return answers


def answers_by_task(path: Path, suite: Suite) -> dict[str, str]:
    """Return the answers of the only model in a file by task.

    Rows that cannot be used are reported on standard error.
    """
    predictions = load_predictions(path, is_task=knows_task(suite))
    tasks = frozenset(suite.task_ids())
    answers, answer_fit = match_answers(suite, predictions.items.items(), tasks)
    for note in notes_on_answers(suite, [predictions], [answer_fit]):
        warn(note)
    return answers
