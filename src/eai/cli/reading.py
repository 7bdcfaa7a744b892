"""Reading what commands are given: suites, tasks, runs, files of predictions, single answers."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

import eai
from eai.cli import options as opt
from eai.cli.output import warn
from eai.contract import Suite
from eai.contract.registry import suite as find_suite, suites
from eai.errors import InputError, SchemaError, UnknownNameError
from eai.evaluation.overview import place
from eai.files import FILES, holds_run, runs_in
from eai.files.paths import advice, similar_paths
from eai.plugins import find_object, module_names
from eai.predictions import load_all, load_predictions
from eai.report import Metric, PassAt, report_of, view_of
from eai.runs import fit, knows_task, remarks

if TYPE_CHECKING:
    from eai.report import Record, RecordFile, Report
    from eai.task import Task

_RUN = "the folder of a run, as eai evaluate --output writes it, or a file in it"
_MADE = "eai evaluate SUITE FILE --output FOLDER makes a run of answers"
_SHOWN = 6
"""So many records and models are named in a message."""


def find_modules_here(name: str | None) -> None:
    """Let ``module:attribute`` name a module of the current folder; it comes after all others."""
    if name is not None and ":" in name and "" not in sys.path:
        sys.path.append("")


def names_module(name: str) -> bool:
    """Whether a name is that of a module, of the current folder too, or of its file."""
    own = name.removesuffix(".py")
    return own in module_names() or Path(f"{own}.py").is_file()


def named_suite(name: str) -> Suite:
    """Return a suite; if there is none, the error says what may be meant."""
    find_modules_here(name)
    try:
        return find_suite(name)
    except UnknownNameError as error:
        if names_module(name):
            own = name.removesuffix(".py")
            error.mend = f"add the name of the suite: {own}:ATTRIBUTE"
        elif holds_run(name):
            error.mend = f"name a suite; this is a run: eai report {name}"
        elif Path(name).suffix == ".pddl":
            error.mend = f"plans for PDDL files: eai validate {name} [PROBLEM] PLAN --repair"
        elif Path(name).exists():
            error.mend = f"name a suite before it: eai evaluate SUITE {name}"
        elif "/" in name or "\\" in name:
            error.mend = advice(name)
        elif not error.suggestions:
            error.mend = "eai suites lists them; one of your own is module:attribute or pddl:FOLDER"
        raise


def refuse_suite(domain: Path, task: Path, plans: Sequence[Path]) -> None:
    """Say which command takes a suite, where a domain in PDDL is expected.

    Raises:
        InputError: If the domain is no file, but the name of a suite.
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
    """Return a task; if there is none, the error says what may be meant."""
    try:
        return suite.task(suite.canonical_id(name))
    except UnknownNameError as error:
        if not error.suggestions:
            error.mend = f"eai tasks {suite.name} lists them"
        raise


def task_ids(words: Sequence[str] | None) -> list[str]:
    """Take identifiers apart that stand together with commas between."""
    return [name.strip() for word in words or () for name in word.split(",") if name.strip()]


def chosen_tasks(
    suite: Suite,
    *words: Sequence[str] | None,
    group: str | None = None,
    limit: int | None = None,
) -> list[str] | None:
    """Return the identifiers of the tasks that are meant, each once; None for all.

    The limit counts what the other choices leave.

    Raises:
        UnknownNameError: If there is no such task or group.
        InputError: If no task is left.
    """
    named = [name for each in words for name in task_ids(each)]
    if not named and group is None and limit is None:
        return None
    known = suite.task_ids()
    there = frozenset(known)
    chosen = list(dict.fromkeys(map(suite.canonical_id, named))) if named else list(known)
    for name in chosen:
        if name not in there:
            named_task(suite, name)
    if group is not None:
        members = _members(suite, group)
        chosen = [name for name in chosen if name in members]
        if not chosen:
            raise InputError(
                f"none of these tasks is in the group {group!r}",
                where=f"suite {suite.name}",
                expected="a task of the group",
                mend=f"eai tasks {suite.name} --group {shlex.quote(group)} lists them",
            )
    return chosen[:limit]


def _members(suite: Suite, group: str) -> frozenset[str]:
    """The tasks of a group, whose name may be cut off where that leaves no other."""
    groups = suite.groups()
    if group in groups:
        return frozenset(groups[group])
    meant = [name for name in groups if name.startswith(group)]
    if len(meant) != 1:
        raise UnknownNameError("group", group, groups, where=f"suite {suite.name}")
    return frozenset(groups[meant[0]])


def is_run(path: str | Path) -> bool:
    """Whether a path is the folder of a run, or its record file."""
    return Path(path).name == "records.jsonl" or holds_run(path)


def run_folder(run: Path) -> Path:
    """Return the folder of a run that is named by one of its files."""
    return run.parent if run.name in FILES else run


def _record_file(run: Path) -> Path:
    """Return the record file of a run."""
    folder = run_folder(run)
    path = folder / "records.jsonl" if folder.is_dir() else folder
    if path.is_file():
        return path
    if (folder / "run.json").is_file():
        mend = "run the same eai evaluate again to resume"
        raise InputError("this run has no records yet", where=str(run), mend=mend)
    inside = list(run.glob("**/records.jsonl")) if run.is_dir() else []
    alike, beside = list[Path](), list[Path]()
    if not run.is_dir():
        with suppress(OSError, ValueError):  # ValueError: a NUL
            alike = [*filter(Path.is_file, (Path(p) / "records.jsonl" for p in similar_paths(run)))]
            beside = list(run.parent.glob("*/records.jsonl"))
    mend = _MADE
    if inside:
        mend = f"name one of its parts: {_runs_listed(inside)}"
    elif alike:
        mend = f"did you mean {_runs_listed(alike)}?"
    elif beside:
        mend = f"there are runs in {_runs_listed(beside)}; {_MADE}"
    raise InputError("there is no run here", where=str(run), expected=_RUN, mend=mend)


def _runs_listed(records: Sequence[Path]) -> str:
    """The folders of record files, the first of them."""
    return ", ".join(str(path.parent) for path in sorted(records)[:4])


def records_of(run: Path) -> RecordFile:
    """Return the records of a run; a remark on a cut record file goes to standard error."""
    path = _record_file(run)
    try:
        found = eai.read_records(path)
    except SchemaError as error:
        command = f"eai evaluate SUITE {shlex.quote(str(run))} --output RUN"
        error.mend = f"if these are answers, {command} makes a run of them"
        raise
    for remark in (found.note, found.warning):
        if remark:
            warn(remark)
    if not found.records:
        raise InputError(
            "there is no record in this file", where=str(path), expected=_RUN, mend=_MADE
        )
    return found


def read_run(run: Path, *, suite: Suite | None = None) -> Report:
    """Return the report of a run, whose suite may report an ability in its own way."""
    found = records_of(run)
    first = found.records[0]
    if suite is None or suite.name != first.suite:
        return report_of(found)
    return report_of(found, view_of(first.ability, suite))


@dataclass(frozen=True)
class Part:
    """Which part of a run is meant: options of all commands on runs."""

    suite: opt.RunSuite = None
    ability: opt.RunAbility = None

    def __post_init__(self) -> None:
        find_modules_here(self.suite)

    @property
    def own(self) -> str | None:
        """The suite as ``module:attribute``, if it is named like this."""
        return self.suite if self.suite is not None and ":" in self.suite else None

    def reports(self, run: Path, models: Sequence[str] | None = None) -> dict[Path, Report]:
        """Return the reports of a run, or those that are asked for, each with its folder."""
        given = None if self.own is None else named_suite(self.own)
        unsorted = {part: read_run(part, suite=given) for part in parts_of(run)}
        of = {part: report.setting for part, report in unsorted.items()}
        parts = sorted(of, key=lambda part: (of[part].suite, place(of[part].ability)))
        suite, ability = None if self.own else self.suite, self.ability
        for kind, wanted, known in (
            ("suite", [suite] if suite else [], [of[part].suite for part in parts]),
            ("ability", [ability] if ability else [], [of[part].ability for part in parts]),
            ("model", models or (), [model for part in parts for model in unsorted[part].models]),
        ):
            for name in wanted:
                if name not in known and ":" not in name:
                    raise UnknownNameError(kind, name, list(dict.fromkeys(known)), where=str(run))
        chosen = {}
        for part in parts:
            report, setting = unsorted[part], of[part]
            there = [model for model in models or report.models if model in report.models]
            named = suite in (None, setting.suite) and ability in (None, setting.ability)
            if there and named:
                chosen[part] = report.of_models(there) if models else report
        if not chosen:
            raise InputError(
                "no part of the run matches",
                where=str(run),
                expected="; ".join(f"{of[part].suite}, {of[part].ability}" for part in parts),
            )
        return chosen


@contextmanager
def naming_suite_of(run: Path) -> Iterator[None]:
    """Say of a run whose suite is not registered where the suite was, as the run notes it."""
    try:
        yield
    except UnknownNameError as error:
        if error.kind == "suite":
            for part in parts_of(run):
                with suppress(OSError, ValueError, TypeError, KeyError):
                    about = json.loads((run_folder(part) / "run.json").read_text("utf-8"))
                    error.mend = f"add --suite {shlex.quote(about['found_as'])}"
        raise


def with_own(
    reports: Iterable[Report], names: Sequence[str] | None
) -> tuple[list[Report], list[str] | None]:
    """Add the metrics that are named ``module:attribute`` to reports.

    Returns:
        The reports, and the keys of all metrics that are named; None if none is.
    """
    own: list[Metric] = []
    keys = []
    for name in names or ():
        if name.startswith("pass@") and name[5:].isdecimal():
            own.append(PassAt(int(name[5:])))
        if ":" not in name:
            keys.append(name)
            continue
        find_modules_here(name)
        found = find_object(name, what=f"the metric {name!r}")
        made = found() if isinstance(found, type) and issubclass(found, Metric) else found
        if not isinstance(made, Metric):
            raise InputError(
                f"{name!r} is not a metric",
                expected="a class derived from eai.report.Metric, or a function with @eai.metric",
            )
        own.append(made)
        keys.append(made.key)
    return [each.with_metrics(own) if own else each for each in reports], keys or None


def parts_of(run: Path) -> list[Path]:
    """Return the folders of a run, one for each suite and ability; at least the path itself."""
    return (not run.is_file() and runs_in(run_folder(run))) or [run]


def chosen_record(run: Path, kinds: Mapping[str, str | None], *, command: str) -> Record:
    """Return the record that is meant; what goes without saying may be left out."""
    of_all = [record for part in parts_of(run) for record in records_of(part).records]
    records = of_all
    for kind, wanted in kinds.items():
        if wanted is not None and not (kind == "suite" and ":" in wanted):
            # A model may be one of its samples.
            keys = (kind, "label") if kind == "model" else (kind,)
            names = {getattr(record, key) for record in of_all for key in keys}
            if wanted not in names:
                raise UnknownNameError(kind, wanted, names, where=str(run))
            records = [r for r in records if wanted in [getattr(r, key) for key in keys]]
    model, task = kinds.get("model"), kinds.get("task")
    if len(records) == 1:
        return records[0]
    if not records:
        raise InputError(
            f"the model {model!r} has no record of the task {task!r}",
            where=str(run),
            expected="a model and a task that it answered",
        )
    models = list(dict.fromkeys(record.label for record in records))
    # An answer that failed has more to tell than one that solved its task, or than none.
    absent = ("missing", "excluded")
    shown = sorted(records, key=lambda r: (r.result.status in absent, r.result.success))
    listed = ", ".join(f"{each.task} ({each.label})" for each in shown[:_SHOWN])
    first = [str(run_folder(run)), shown[0].task, "--model", shown[0].label]
    settings = dict.fromkeys((record.suite, record.ability) for record in records)
    if len(settings) > 1:
        first += ["--suite", shown[0].suite, "--ability", shown[0].ability]
    several = "--suite and --ability, " if len(settings) > 1 else ""
    raise InputError(
        f"which of the {len(records)} records?",
        where=str(run),
        expected=f"a task, {several}and --model where several answered it "
        f"({', '.join(models[:_SHOWN])}); "
        f"for instance {listed}",
        mend=f"eai {command} {shlex.join(first)}",
    )


def named_files(files: Sequence[Path] | None) -> Sequence[Path] | dict[str, Path]:
    """Return files of predictions, by model if they are given as ``NAME=FILE``."""
    pairs = [str(file).partition("=") for file in files or () if not os.path.lexists(file)]
    named = [
        (name, Path(file)) for name, _, file in pairs if name and file and os.path.lexists(file)
    ]
    if named and len(dict(named)) < len(files or ()):
        raise typer.BadParameter("give each file its own name with NAME=FILE")
    return dict(named) or files or ()


def answer_in(path: Path, task: str, *, suite: Suite, model: str | None = None) -> str:
    """Return the answer of a model to a task.

    The path is that of a file with nothing but the answer, or of predictions; ``-`` is an answer on
    standard input.
    """
    if str(path) == "-":
        return sys.stdin.read()
    if is_run(path):
        raise InputError("this is a run", where=str(path), mend=f"eai repair {path} {task}")
    answers = _predicted(path, suite)
    if answers is None:
        try:
            return path.read_text("utf-8-sig", errors="replace")
        except (OSError, ValueError) as error:  # ValueError: a NUL
            raise InputError(
                f"cannot be read: {getattr(error, 'strerror', None) or error}",
                where=str(path),
                expected="a text file with one answer of a model, or a file of predictions",
                mend="name a file in this folder" if path.is_dir() else advice(path),
            ) from error
    if model is not None and model not in answers:
        raise UnknownNameError("model", model, answers, where=str(path))
    found = {
        name: of_model[task]
        for name, of_model in answers.items()
        if model in (None, name) and task in of_model
    }
    if len(found) == 1:
        return next(iter(found.values()))
    if found:
        raise InputError(
            f"{len(found)} models answered {task!r}",
            where=str(path),
            expected=f"--model with one of {', '.join(found)}",
            mend=f"add --model {shlex.quote(next(iter(found)))}",
        )
    raise InputError(
        f"there is no answer to {task!r} among these predictions",
        where=str(path),
        expected=f"a prediction with the id {task!r}, or a file with nothing but an answer",
        mend=f"check that they are for the suite {suite.name!r}: eai tasks {suite.name}",
    )


def _predicted(path: Path, suite: Suite) -> dict[str, dict[str, str]] | None:
    """Model to task to answer; None if this is no file of predictions."""
    tasks = frozenset(suite.task_ids())
    is_task = knows_task(suite)
    try:
        found = load_all(path, is_task=is_task)
    except InputError:
        return None
    # A plan may be an object, too, from action to arguments, which reads like answers by task.
    lines = path.is_dir() or ".jsonl" in path.suffixes
    if not lines and not any(is_task(name) for each in found for name in each.items):
        return None
    return {each.model: fit(suite, each.items.items(), tasks)[0] for each in found}


def answers_by_task(path: Path, suite: Suite) -> dict[str, str]:
    """Return task to answer of one model; what is left out is said on standard error."""
    found = load_predictions(path, is_task=knows_task(suite))
    known, fits = fit(suite, found.items.items(), frozenset(suite.task_ids()))
    for note in remarks(suite, [found], [fits]):
        warn(note)
    return known
