"""All abilities of one or more suites at once."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple
from urllib.parse import quote

from eai import runs
from eai.contract import (
    ABILITIES,
    Suite,
    answer_formats,
    chosen_ability,
    extension,
    refuse_rules,
)
from eai.contract.registry import given_suite, suites
from eai.errors import (
    InputError,
    MissingExtraError,
    OutputExistsError,
    UnknownNameError,
    did_you_mean,
    names_checked,
)
from eai.evaluation import evaluate
from eai.evaluation.model_outputs import answers_in, lines_on_skipped_files
from eai.evaluation.options import EvaluationOptions
from eai.files import folder_of, given_path, runs_in
from eai.files.paths import similar_paths
from eai.nesting import load_json
from eai.predictions import is_prediction_file
from eai.report import Report, metric_value, read_records, report_of, run_table
from eai.runs import as_list, knows_task, refuse_file_name
from eai.semantics import Semantics
from eai.suites import SAMPLES
from eai.text import encodable, short

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import pandas as pd
    from rich.console import Console, ConsoleOptions, RenderResult
    from typing_extensions import Unpack

    from eai.report import Leaderboard, Published

Progress = Callable[[str, int, int], None]
"""Called with the part being evaluated, the number of evaluated answers and the number of all."""


@dataclass(frozen=True)
class Overview:
    """A run over several suites and abilities, with its tables.

    Args:
        notes: The omitted parts, with reasons.
        skipped: Folders and files that were not read because of where they lie, and models that
            were asked for and not found.
    """

    reports: Mapping[str, Mapping[str, Report]]
    notes: tuple[str, ...] = field(default=())
    skipped: tuple[str, ...] = field(default=())

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models in order of first appearance."""
        names: dict[str, None] = {}
        for suite_reports in self.reports.values():
            for report in suite_reports.values():
                names.update(dict.fromkeys(report.models))
        return tuple(names)

    def value(self, suite: str, ability: str, key: str, *, model: str) -> float | None:
        """Return a metric in percent, or None if it is undefined or not measured.

        Args:
            suite: Name of the suite.
            ability: The ability.
            key: Key of the metric (``"task_success_rate"``).
            model: Name of the model.
        """
        return metric_value(self.reports, suite, ability, key, model=model)

    def row(self, model: str) -> dict[tuple[str, str, str], float | None]:
        """Return a model's row of the run's table: (ability, heading, suite) to percent."""
        return run_table().row(self.reports, model)

    def table(self) -> pd.DataFrame:
        """Return a data frame with a row per model and three levels of columns.

        The columns are those of :func:`eai.report.run_table`.

        Raises:
            MissingExtraError: If pandas is not installed.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise MissingExtraError("pandas", extra="pandas", purpose="a table") from error
        rows = {model: self.row(model) for model in self.models}
        frame: pd.DataFrame = pd.DataFrame.from_dict(rows, orient="index", dtype=float)
        # All models have the same columns, those of the run's table.
        columns = next(iter(rows.values()), {})
        frame.columns = pd.MultiIndex.from_tuples(columns, names=("ability", "metric", "suite"))
        frame.index.name = "model"
        return frame

    @names_checked
    def leaderboard(
        self,
        *,
        metrics: Sequence[str] = (),
        average: bool = False,
        published: Sequence[Published] | Literal["suite"] = (),
    ) -> Leaderboard:
        """Rank the models in a table with a column per suite and ability.

        Args:
            metrics: Keys of metrics; by default the headline metric of each ability.
            average: Whether a mean over all columns stands behind them.
            published: Numbers that were printed elsewhere (:func:`eai.report.read_published`);
                ``"suite"`` for those that the suites bring.

        Raises:
            InputError: If there is nothing to rank.
            UnknownNameError: If there is no such metric.
        """
        from eai.report import Leaderboard

        rows = published_of(self.all) if published == "suite" else published
        if not (metrics or average or rows):
            return self._headlines
        return Leaderboard(self.all, tuple(metrics), average, tuple(rows))

    @cached_property
    def _headlines(self) -> Leaderboard:
        """The usual leaderboard, made once for page, files and terminal."""
        from eai.report import Leaderboard

        return Leaderboard(self.all)

    @property
    def all(self) -> list[Report]:
        """The reports, suite by suite."""
        reports: list[Report] = []
        for suite_reports in self.reports.values():
            reports += suite_reports.values()
        return reports

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text

        yield self.leaderboard()
        for note in self.notes:
            yield Text(encodable(short(note), options.encoding), "dim")

    def _repr_html_(self) -> str:
        table = self.leaderboard().rows
        return replace(table, notes=(*table.notes, *self.notes, *self.skipped)).html()


@names_checked
def evaluate_outputs(
    suites: Iterable[str | Suite],
    folder: str | os.PathLike[str],
    *,
    models: Iterable[str] = (),
    abilities: Iterable[str] = (),
    tasks: str | Iterable[str] = "all",
    limit: int | None = None,
    progress: Progress | None = None,
    **options: Unpack[EvaluationOptions],
) -> Overview:
    """Evaluate everything that models answered, all abilities of one or more suites.

    Args:
        suites: The suites, by name or as they are; or one.
        folder: Where the answers are: ``SUITE/ABILITY/MODEL.json`` (with ``_outputs``, as JSON
            Lines, or with ``.gz`` as well).
        models: Evaluate only these, or this one; all that are found if empty.
        abilities: Evaluate only these, or this one; all that are found if empty.
        tasks: As for :func:`eai.evaluate`; each identifier belongs to the suites that
            have such a task.
        limit: Only the first N tasks of each suite.
        progress: Called after every evaluated answer.
        **options: As for :func:`eai.evaluate` (:class:`~eai.evaluation.EvaluationOptions`). Quirks
            and formats of answers belong to the suites that have them; ``output`` is a folder with
            a folder ``SUITE/ABILITY`` for each report, to which models, suites and abilities may be
            added.

    Raises:
        InputError: If there are no answers for any of the suites, or some cannot be read.
        UnknownNameError: If no suite has such an ability, task or quirk, or no file such a model.
        EaiError: As for :func:`eai.evaluate`.
    """
    given_suites = as_list(suites)
    chosen_suites = [given_suite(suite) for suite in given_suites]
    root = given_path(folder, what="a folder")
    chosen_models = tuple(as_list(models))
    output = options.get("output")
    if output is not None:
        refuse_file_name(given_path(output, what="a folder"))
    # The sort is stable: abilities without a place of their own stay in the order of the suite.
    known_abilities = {
        suite.name: sorted(suite.abilities, key=ability_rank) for suite in chosen_suites
    }
    abilities_by_suite = _abilities_to_evaluate(as_list(abilities), known_abilities)
    if options.get("rules") is not None:
        _refuse_rules(chosen_suites, abilities_by_suite)
    requests = _requests_by_suite(chosen_suites, tasks, limit, options)
    skipped = lines_on_skipped_files(
        root,
        {folder_of(name): abilities for name, abilities in known_abilities.items()},
        output=None if output is None else Path(output),
    )
    reports: dict[str, dict[str, Report]] = {}
    notes: list[str] = []
    with _open_executor(options.get("workers")) as executor:
        parts = _PartsOfRun(root, chosen_models, output, executor, progress, notes)
        # By the name that was given: a process of its own, and a resumed run, find the suite by it.
        for reference, suite in zip(given_suites, chosen_suites, strict=True):
            # Suites without reports keep their place in the run, so that all of them are named.
            suite_reports = reports.setdefault(suite.name, {})
            request = requests.get(suite.name)
            if request is not None:
                suite_reports.update(
                    parts.evaluate(reference, suite, abilities_by_suite[suite.name], request)
                )
    if output is not None and any(reports.values()):
        # Reports that earlier calls wrote into this folder stay on its first page.
        reports = _with_stored_reports(reports, Path(output))
        write_first_page(Overview(_in_table_order(reports)), Path(output))
    if not any(reports.values()):
        _refuse_folder_without_answers(root, chosen_suites, known_abilities, chosen_models, skipped)
    overview = Overview(_in_table_order(reports), tuple(notes))
    missing_models = [name for name in chosen_models if name not in overview.models]
    notes_on_models = [f"there are no answers of {name}" for name in missing_models]
    return replace(overview, skipped=(*skipped, *notes_on_models))


def _abilities_to_evaluate(
    names: Iterable[str], known_abilities: Mapping[str, list[str]]
) -> Mapping[str, list[str]]:
    """Return the abilities to evaluate for each suite: the named ones, or all if none is named.

    Raises:
        UnknownNameError: If no suite has one of the abilities.
    """
    named_abilities = _names_by_suite("ability", names, known_abilities)
    if any(named_abilities.values()):
        return named_abilities
    return known_abilities


def _folder_of_part(
    output: str | os.PathLike[str] | None, suite: Suite, ability: str
) -> Path | None:
    """Return the folder ``OUTPUT/SUITE/ABILITY`` of a part, or None without output."""
    if output is None:
        return None
    return Path(output) / folder_of(suite.name) / ability


@dataclass(frozen=True)
class _PartsOfRun:
    """Settings shared by the parts of a run.

    Args:
        root: The folder with the answers.
        models: The models that are evaluated; all if empty.
        output: The folder of the reports; None if nothing is written.
        executor: Evaluates in other processes; None for this one.
        progress: As for :func:`evaluate_outputs`.
        notes: The omitted parts, with reasons; each part adds its own.
    """

    root: Path
    models: tuple[str, ...]
    output: str | os.PathLike[str] | None
    executor: Executor | None
    progress: Progress | None
    notes: list[str]

    def evaluate(
        self, reference: str | Suite, suite: Suite, abilities: Iterable[str], request: _SuiteRequest
    ) -> dict[str, Report]:
        """Evaluate the answers to some abilities of a suite, and note those without answers.

        Args:
            reference: The suite as the caller gave it, a name or an object.
            suite: The suite itself.
            abilities: The abilities.
            request: The tasks and options for the suite.
        """
        reports: dict[str, Report] = {}
        for ability in abilities:
            answers = answers_in(self.root, suite.name, ability, self.models, knows_task(suite))
            if answers:
                reports[ability] = self._evaluate_part(reference, suite, ability, answers, request)
            elif ability in ABILITIES:
                # Only the four usual abilities are expected of every suite.
                self.notes.append(f"{suite.name}: no answers for {ability}")
        return reports

    def _evaluate_part(
        self,
        reference: str | Suite,
        suite: Suite,
        ability: str,
        answers: Mapping[str, object],
        request: _SuiteRequest,
    ) -> Report:
        """Evaluate the answers to one ability of one suite.

        Raises:
            OutputExistsError: If the part exists already; its hint says how to replace only it.
            EaiError: As for :func:`eai.evaluate`.
        """
        part = _folder_of_part(self.output, suite, ability)
        notes: list[str] = []
        stored_request = None
        if not request.options.get("force"):
            stored_request = _stored_setting(part, suite, request)
        if stored_request is not None:
            request = stored_request
            semantics = request.options["semantics"]
            notes.append(f"goes on with the settings of the run, {semantics}")
        options: EvaluationOptions = {
            **request.options,
            "workers": self.executor,
            "output": part,
        }
        try:
            report = evaluate(
                reference,
                answers,
                ability=ability,
                tasks=request.tasks,
                progress=self.progress and partial(self.progress, f"{suite.name} {ability}"),
                **options,
            )
        except OutputExistsError as error:
            # The usual hint, to force the whole run, would replace the other parts as well.
            error.mend = (
                f"replace only this part: {suite.name} as the only suite, and --ability "
                f"{ability} --force (in Python abilities={ability!r}, force=True); or "
                "choose another folder"
            )
            raise
        notes += _first_notes(report)
        self.notes.extend(f"{suite.name} {ability}: {note}" for note in notes)
        return report


def _with_stored_reports(
    reports: Mapping[str, Mapping[str, Report]], output: Path
) -> dict[str, dict[str, Report]]:
    """Return the reports with those already in the run's folder added."""
    stored_reports = read_run(output).reports
    merged: dict[str, dict[str, Report]] = {}
    for suite in (*reports, *stored_reports):
        merged[suite] = {**stored_reports.get(suite, {}), **reports.get(suite, {})}
    return merged


def _open_executor(workers: object) -> AbstractContextManager[Executor | None]:
    """Return the executor of the workers; None if all is evaluated in this process."""
    if workers is None:
        return nullcontext()
    return runs.executor_of(runs.checked_workers(workers))  # it loads multiprocessing


def _refuse_rules(suites: Iterable[Suite], abilities: Mapping[str, Iterable[str]]) -> None:
    """Refuse rules before the run if one of its abilities is not about plans."""
    for suite in suites:
        for ability in abilities[suite.name]:
            refuse_rules(suite, ability)


def evaluate_parts(
    parts: Sequence[tuple[Suite, object]],
    *,
    tasks: Callable[[Suite], str | Iterable[str]],
    progress: Progress | None = None,
    **options: Unpack[EvaluationOptions],
) -> Overview:
    """Evaluate answers to tasks of several suites.

    Args:
        parts: The suites with their predictions (:func:`eai.evaluation.parts.parts_of`).
        tasks: Says which tasks of a suite are evaluated, as :func:`eai.evaluate` takes them.
        progress: Called after every evaluated answer.
        options: See :class:`eai.EvaluationOptions`; under ``output`` each report has a folder
            ``SUITE/ABILITY``.

    Raises:
        EaiError: As for :func:`eai.evaluate`.
    """
    reports: dict[str, dict[str, Report]] = {}
    notes: list[str] = []
    output = options.get("output")
    for suite, predictions in parts:
        ability = chosen_ability(suite)
        own_options = options.copy()
        own_options["output"] = _folder_of_part(output, suite, ability)
        report = evaluate(
            suite.name,
            predictions,
            ability=ability,
            tasks=tasks(suite),
            progress=progress and partial(progress, suite.title),
            **own_options,
        )
        reports.setdefault(suite.name, {})[ability] = report
        notes += [f"{suite.title}: {note}" for note in _first_notes(report)]
    overview = Overview(_in_table_order(reports), tuple(notes))
    if output is not None:
        write_first_page(overview, Path(output))
    return overview


_SETTING_OPTIONS = ("answers", "semantics", "budget", "corrected", "without", "only", "rules")
"""Options that change verdicts, so that they belong to the setting of a run."""


def has_stored_setting(part: Path, suite: Suite) -> bool:
    """Return whether a part of a run was made with other settings than the usual ones."""
    return _stored_setting(part, suite, _SuiteRequest("all", {})) is not None


def _stored_setting(
    part: Path | None, suite: Suite, request: _SuiteRequest
) -> _SuiteRequest | None:
    """Return a request with the settings that a part of a run was made with.

    Args:
        part: The folder of the part; None if nothing is written.
        suite: Its suite.
        request: The tasks and options that the caller asks for.

    Returns:
        None if there is no run, if it was made with the usual settings, or if the caller asks for
        tasks or settings.
    """
    asks_for_setting = any(request.options.get(key) for key in _SETTING_OPTIONS)
    if part is None or request.tasks != "all" or asks_for_setting:
        return None
    try:
        manifest = load_json((part / "run.json").read_text("utf-8"))
        semantics_text = str(manifest["semantics"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    # In parentheses behind the name: "official (1.0.5, corrected annotations, answered tasks)".
    semantics = Semantics.spelled(semantics_text, suite.quirks, version=suite.official_version)
    is_corrected = "corrected annotations" in semantics_text
    rules = manifest.get("rules")
    tasks = manifest.get("tasks", "all")
    if "answered tasks" in semantics_text:
        tasks = "answered"
    has_usual_semantics = semantics == suite.semantics(suite.default_semantics)
    if has_usual_semantics and tasks == "all" and not is_corrected and rules is None:
        return None
    options: EvaluationOptions = {
        **request.options,
        "semantics": semantics,
        "corrected": is_corrected,
        "rules": rules,
    }
    return _SuiteRequest(tasks, options)


def _first_notes(report: Report) -> list[str]:
    """Return the hints of a report, and the first of its other notes with their number."""
    other_notes = [note for note in report.notes if note not in report.hint_notes]
    # Notes on all models, such as those on unread files, come first.
    other_notes.sort(key=lambda note: bool(report.about(note)[0]))
    if not other_notes:
        return list(report.hints)
    first_note = other_notes[0]
    if len(other_notes) > 1:
        first_note += f" ({len(other_notes)} notes, see eai report)"
    return [*report.hints, first_note]


def read_run(folder: str | os.PathLike[str]) -> Overview:
    """Return a stored run with all its suites and abilities.

    Args:
        folder: The folder of a run, as :func:`evaluate_outputs` or
            :func:`eai.evaluate` writes it.

    Raises:
        InputError: If there is no run, or it cannot be read.
    """
    path = given_path(folder, what="the folder of a run")
    reports: dict[str, dict[str, Report]] = {}
    notes: list[str] = []
    for part in runs_in(path):
        records = read_records(part)
        report = report_of(records)
        # By what the records say, not by the names of the folders: these may have been moved.
        suite = report.setting.suite
        ability = report.setting.ability
        if records.warning:
            notes.append(f"{suite} {ability}: {records.warning}")
        reports.setdefault(suite, {})[ability] = report
    if not reports:
        raise InputError(
            "there is no run here", where=str(path), expected="a folder with records of a run"
        )
    return Overview(_in_table_order(reports), tuple(notes))


def _in_table_order(reports: Mapping[str, Mapping[str, Report]]) -> dict[str, dict[str, Report]]:
    """Return the reports in table order: suites by name, abilities in canonical order."""
    ordered: dict[str, dict[str, Report]] = {}
    for suite in sorted(reports):
        abilities = sorted(reports[suite], key=ability_rank)
        ordered[suite] = {ability: reports[suite][ability] for ability in abilities}
    return ordered


def ability_rank(ability: str) -> int:
    """Return the rank of an ability in tables: the usual ones in their order, then all others."""
    return [*ABILITIES, ability].index(ability)


def write_first_page(run: Overview, folder: Path) -> None:
    """Write the leaderboard of a run as HTML, CSV and LaTeX."""
    leaderboard = run.leaderboard()
    pages: dict[str, str] = {}  # title to relative address
    for suite, suite_reports in run.reports.items():
        for ability in suite_reports:
            title = f"{suite}: {ability.replace('_', ' ')}"
            pages[title] = quote(f"{folder_of(suite)}/{ability}/report.html")
    leaderboard.to_html(folder / "report.html", force=True, pages=pages)
    leaderboard.to_csv(folder / "leaderboard.csv", force=True)
    leaderboard.to_latex(folder / "leaderboard.tex", force=True)


def published_of(reports: Iterable[Report]) -> list[Published]:
    """Return the published numbers that the suites of some reports provide.

    Args:
        reports: The reports; suites that are not announced bring nothing.
    """
    rows: list[Published] = []
    for name in dict.fromkeys(report.setting.suite for report in reports):
        if not suites().announces(name):
            continue
        suite = given_suite(name)
        read_published = extension("eai.published", suite)
        if read_published is not None:
            rows += read_published(suite)
    return rows


class _SuiteRequest(NamedTuple):
    """The tasks and options for one of several suites."""

    tasks: str | Sequence[str]
    options: EvaluationOptions


def _requests_by_suite(
    suites: Sequence[Suite],
    tasks: str | Iterable[str],
    limit: int | None,
    options: EvaluationOptions,
) -> dict[str, _SuiteRequest]:
    """Return the tasks and options for each suite with a task to evaluate.

    Identifiers of tasks, quirks and formats of answers go to the suites that have them.

    Raises:
        UnknownNameError: If no suite has one of them.
        InputError: If a limit is asked for where tasks are chosen by their answers.
    """
    answers = options.get("answers")
    known_formats = {suite.name: answer_formats(suite) for suite in suites}
    named_formats = [] if answers is None else [answers]
    formats = _names_by_suite("format of answers", named_formats, known_formats)
    # A quirk that no suite has is a mistake; one that some suites lack is switched in the others.
    quirks = {suite.name: suite.quirks for suite in suites}
    without = _names_by_suite("quirk", as_list(options.get("without", ())), quirks)
    only = _names_by_suite("quirk", as_list(options.get("only", ())), quirks)
    requests: dict[str, _SuiteRequest] = {}
    for name, tasks_of_suite in _tasks_by_suite(suites, tasks, limit).items():
        if not tasks_of_suite:
            continue
        own_options: EvaluationOptions = {
            **options,
            "without": without[name],
            "only": only[name],
            "answers": next(iter(formats[name]), None),
        }
        requests[name] = _SuiteRequest(tasks_of_suite, own_options)
    return requests


def _tasks_by_suite(
    suites: Sequence[Suite], tasks: str | Iterable[str], limit: int | None
) -> dict[str, str | Sequence[str]]:
    """Return the tasks of each suite as identifiers, or as a keyword like ``all``.

    Raises:
        UnknownNameError: If no suite has one of the tasks.
        InputError: If a limit is asked for where tasks are chosen by their answers.
    """
    ids_by_suite = {suite.name: suite.task_ids() for suite in suites}
    if tasks == "answered":
        if limit is not None:
            raise InputError("a limit goes with identifiers of tasks, not with 'answered'")
        return dict.fromkeys(ids_by_suite, "answered")
    if tasks == "all":
        if limit is None:
            return dict.fromkeys(ids_by_suite, "all")
        return {name: all_ids[:limit] for name, all_ids in ids_by_suite.items()}
    suite_by_name = {suite.name: suite for suite in suites}

    def canonical_id(suite_name: str, task: str) -> str:
        """Return a suite's own spelling of an identifier."""
        return suite_by_name[suite_name].canonical_id(task)

    named_tasks = _names_by_suite("task", as_list(tasks), ids_by_suite, canonical_id)
    return {name: task_ids[:limit] for name, task_ids in named_tasks.items()}


def _names_by_suite(
    noun: str,
    names: Iterable[str],
    known_names: Mapping[str, Collection[str]],
    own_spelling: Callable[[str, str], str] = lambda _, name: name,
) -> dict[str, list[str]]:
    """Return the names that each suite knows in its own spelling.

    A name may belong to several suites; then each of them gets it.

    Args:
        noun: The noun for such a name, for messages (``"task"``).
        names: The names that the caller gave.
        known_names: The names that each suite knows.
        own_spelling: Returns a suite's own spelling of a name.

    Raises:
        UnknownNameError: If no suite knows one of the names.
    """
    names_by_suite: dict[str, list[str]] = {suite: [] for suite in known_names}
    for name in names:
        has_owner = False
        for suite, suite_names in known_names.items():
            own_name = own_spelling(suite, name)
            if own_name in suite_names:
                names_by_suite[suite].append(own_name)
                has_owner = True
        if not has_owner:
            candidates = dict.fromkeys(itertools.chain.from_iterable(known_names.values()))
            where = f"suites {', '.join(known_names)}"
            raise UnknownNameError(noun, name, candidates, where=where)
    return names_by_suite


def _refuse_folder_without_answers(
    root: Path,
    suites: Sequence[Suite],
    abilities: Mapping[str, Sequence[str]],
    models: tuple[str, ...],
    skipped: Sequence[str],
) -> None:
    """Raise an error for a folder without answers, with a hint on what it contains.

    Raises:
        UnknownNameError: If there are answers of other models.
        InputError: If there are none at all.
    """
    if models:
        # They may be misspelled: look for answers of any other.
        other_models = _models_with_answers(root, abilities)
        if other_models:
            raise UnknownNameError("model", models[0], sorted(other_models), where=str(root))
    names = [suite.name for suite in suites]
    example = names[0] if names else SAMPLES
    if not root.is_dir():
        problem = "there is no such folder"
    elif models:
        problem = f"there are no answers of {', '.join(models)}"
    else:
        problem = "there are no answers"
    raise InputError(
        problem,
        where=str(root),
        expected=f"files such as {example}/action_sequencing/MODEL.json",
        mend=_suggest_folder(root, names, example, skipped),
    )


def _models_with_answers(root: Path, abilities: Mapping[str, Sequence[str]]) -> set[str]:
    """Return the models that have answers to some of the suites' abilities."""
    models: set[str] = set()
    for suite, suite_abilities in abilities.items():
        for ability in suite_abilities:
            models.update(answers_in(root, suite, ability))
    return models


def _suggest_folder(root: Path, suites: Sequence[str], example: str, skipped: Sequence[str]) -> str:
    """Return a hint with the folder that was probably meant.

    Args:
        root: The folder.
        suites: Names of the suites.
        example: A suite for the example of a command.
        skipped: Files and folders that were left out, and why.
    """
    # The folder may be that of one suite (SUITE) or of one ability (SUITE/ABILITY).
    for folder in (root, root.parent):
        if folder.name in suites:
            return f"name the folder above: {folder.parent}"
    if root.is_dir():
        if any(map(is_prediction_file, root.iterdir())):
            return f"for answers to one ability leave the option out: eai evaluate {example} {root}"
    elif not skipped:
        similar_folders = [path for path in similar_paths(root) if Path(path).is_dir()]
        if similar_folders:
            return did_you_mean(similar_folders)
    return "; ".join(skipped) or "name the folder that has a folder for each suite"
