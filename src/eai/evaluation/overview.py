"""All abilities of one or more suites at once: the paper's overview (Table 3, section D.5)."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote

from rich.text import Text

from eai.contract import Suite
from eai.contract.registry import given_suite, suites
from eai.errors import (
    InputError,
    MissingExtraError,
    OutputExistsError,
    UnknownNameError,
    names_checked,
)
from eai.evaluation import evaluate
from eai.evaluation.model_outputs import answers_in, skipped_in
from eai.files import folder_of, given_path, runs_in
from eai.files.paths import similar_paths
from eai.nesting import load_json
from eai.predictions import is_prediction_file
from eai.report import Report, read_records, report_of
from eai.runs import checked_workers, executor_of, knows_task, refuse_file_name, several
from eai.semantics import Semantics
from eai.suites import DEFAULT
from eai.text import encodable, short

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import pandas as pd
    from rich.console import Console, ConsoleOptions, RenderResult

    from eai.budget import Budget
    from eai.report import Leaderboard, Published

Progress = Callable[[str, int, int], None]
"""Called with what is evaluated, the number of evaluated answers and the number of all."""

COLUMNS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "goal_interpretation": (("overall_f1", "F1"),),
    "action_sequencing": (("task_success_rate", "Task SR"), ("execution_success_rate", "Exec. SR")),
    "subgoal_decomposition": (
        ("task_success_rate", "Task SR"),
        ("execution_success_rate", "Exec. SR"),
    ),
    "transition_modeling": (("overall_f1", "F1"), ("planner_overall", "Planner SR")),
}
"""Columns of the paper's Table 3: ability to metrics, each with its heading."""

_HEADS = {
    "goal_interpretation": "Goal Int.",
    "action_sequencing": "Action Seq.",
    "subgoal_decomposition": "Subgoal Dec.",
    "transition_modeling": "Transition M.",
}


@dataclass(frozen=True)
class Overview:
    """A run of any suites and abilities, its leaderboard, and the paper's Table 3.

    Args:
        notes: What was left out, and why.
        skipped: Folders and files that were not read because of where they lie, and models that
            were asked for and not found.
    """

    reports: Mapping[str, Mapping[str, Report]]
    notes: tuple[str, ...] = field(default=())
    skipped: tuple[str, ...] = field(default=())

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models, in the order in which they are found."""
        reports = (report for of_suite in self.reports.values() for report in of_suite.values())
        return tuple(dict.fromkeys(model for report in reports for model in report.models))

    def value(self, suite: str, ability: str, key: str, *, model: str) -> float | None:
        """Return a metric in percent; None if it was not measured or is undefined.

        Args:
            suite: Name of the suite.
            ability: The ability.
            key: Key of the metric (``"task_success_rate"``).
            model: Name of the model.
        """
        report = self.reports.get(suite, {}).get(ability)
        if report is None or model not in report.models:
            return None
        return next(m.value for m in report.metrics(model) if m.key == key)

    def average(self, suite: str, model: str) -> float | None:
        """Return the average performance in percent (paper, section D.5); None if one is missing.

        It is the mean over the four abilities: F1 of goal interpretation, task success rates of
        subgoal decomposition and action sequencing, and for transition modeling the mean of F1
        and planner success rate.
        """
        parts = (
            ("goal_interpretation", "overall_f1", 1.0),
            ("subgoal_decomposition", "task_success_rate", 1.0),
            ("action_sequencing", "task_success_rate", 1.0),
            ("transition_modeling", "overall_f1", 0.5),
            ("transition_modeling", "planner_overall", 0.5),
        )
        total = 0.0
        for ability, key, weight in parts:
            value = self.value(suite, ability, key, model=model)
            if value is None:
                return None
            total += weight * value
        return total / 4

    def row(self, model: str) -> dict[tuple[str, str, str], float | None]:
        """Return a model's row of Table 3: (ability, heading, suite) to percent."""
        found: dict[tuple[str, str, str], float | None] = {}
        for ability, columns in COLUMNS.items():
            for key, head in columns:
                for suite in self.reports:
                    value = self.value(suite, ability, key, model=model)
                    found[_HEADS[ability], head, suite] = value
        for suite in self.reports:
            found["Average", "Module SR", suite] = self.average(suite, model)
        return found

    def table(self) -> pd.DataFrame:
        """Return the rows of all models as a data frame with three levels of columns.

        Raises:
            MissingExtraError: If pandas is not installed.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise MissingExtraError("pandas", extra="pandas", purpose="a table") from error
        rows = {model: self.row(model) for model in self.models}
        frame: pd.DataFrame = pd.DataFrame.from_dict(rows, orient="index", dtype=float)
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
        """Rank the models: a row a model, a column a suite and ability (:class:`Leaderboard`).

        Args:
            metrics: Keys of metrics; by default the headline metric of each ability.
            average: Whether a mean over all columns stands behind them.
            published: Numbers that were printed elsewhere (:func:`eai.report.read_published`);
                ``"suite"`` for those that the suites bring.

        Raises:
            InputError: If there is nothing to rank.
            UnknownNameError: If there is no such metric.
        """
        from eai.report import Leaderboard  # takes numpy

        rows = published_of(self.all) if published == "suite" else published
        if not (metrics or average or rows):
            return self._headlines
        return Leaderboard(self.all, tuple(metrics), average, tuple(rows))

    @cached_property
    def _headlines(self) -> Leaderboard:
        """The usual leaderboard, made once for page, files and terminal."""
        from eai.report import Leaderboard  # takes numpy

        return Leaderboard(self.all)

    @property
    def all(self) -> list[Report]:
        """The reports, suite by suite."""
        return [report for of_suite in self.reports.values() for report in of_suite.values()]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self.leaderboard()
        for note in self.notes:
            yield Text(encodable(short(note), options.encoding), "dim")

    def _repr_html_(self) -> str:
        table = self.leaderboard().rows
        return replace(table, notes=(*table.notes, *self.notes, *self.skipped)).html()


@names_checked
def evaluate_outputs(  # noqa: PLR0913  # the same options as for one ability
    suites: Iterable[str | Suite],
    folder: str | os.PathLike[str],
    *,
    models: Iterable[str] = (),
    abilities: Iterable[str] = (),
    tasks: str | Iterable[str] = "all",
    limit: int | None = None,
    semantics: str | None = None,
    without: Iterable[str] = (),
    only: Iterable[str] = (),
    answers: str | None = None,
    budget: str | Budget | None = None,
    corrected: bool = False,
    output: str | os.PathLike[str] | None = None,
    force: bool = False,
    progress: Progress | None = None,
    workers: int | Executor | None = None,
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
        semantics: ``"official"`` or ``"strict"``; by default what each suite prefers.
        without: Quirks to switch off, in the suites that have them.
        only: Quirks to switch on over ``"strict"``, in the suites that have them.
        answers: The format of published answers (``"2024"``), in the suites that know it.
        budget: What the evaluation of one answer may use.
        corrected: Whether tasks whose own annotation is faulty are left out.
        output: A folder for the run, with a folder ``SUITE/ABILITY`` for each report. What is there
            is kept and not evaluated again; models, suites and abilities may be added.
        force: Whether the files of another run there may be replaced.
        progress: Called after every evaluated answer.
        workers: Number of processes, or an executor; by default this process.

    Raises:
        InputError: If there are no answers for any of the suites, or some cannot be read.
        UnknownNameError: If no suite has such an ability, task or quirk, or no file such a model.
        EaiError: As for :func:`eai.evaluate`.
    """
    given = several(suites)
    chosen = list(map(given_suite, given))
    root, wanted = given_path(folder, what="a folder"), tuple(several(models))
    if output is not None:
        refuse_file_name(given_path(output, what="a folder"))
    known = {
        suite.name: [
            name for name in dict.fromkeys((*COLUMNS, *suite.abilities)) if name in suite.abilities
        ]
        for suite in chosen
    }
    named = _dealt("ability", several(abilities), known)
    formats = [] if answers is None else [answers]
    form = _dealt("format of answers", formats, {s.name: s.answer_formats for s in chosen})
    options = _options(chosen, tasks, limit, several(without), several(only))
    skipped = skipped_in(
        root,
        {folder_of(name): abilities for name, abilities in known.items()},
        own=None if output is None else Path(output),
    )
    reports: dict[str, dict[str, Report]] = {}
    notes: list[str] = []
    with nullcontext() if workers is None else executor_of(checked_workers(workers)) as executor:
        for reference, suite in zip(given, chosen, strict=True):
            of_suite = reports.setdefault(suite.name, {})
            wished = named[suite.name] if any(named.values()) else known[suite.name]
            for ability in wished if suite.name in options else ():
                of_ability = answers_in(root, suite.name, ability, wanted, knows_task(suite))
                if not of_ability:
                    if ability in COLUMNS:
                        notes.append(f"{suite.name}: no answers for {ability}")
                    continue
                part = None if output is None else Path(output) / folder_of(suite.name) / ability
                asked: dict[str, Any] = {
                    "answers": next(iter(form[suite.name]), None),
                    "semantics": semantics,
                    "budget": budget,
                    "corrected": corrected,
                    **options[suite.name],
                }
                asked |= {} if force else kept_setting(part, suite, asked)
                notes += _going_on(suite.name, ability, asked["semantics"])
                try:
                    report = of_suite[ability] = evaluate(
                        reference,
                        of_ability,
                        ability=ability,
                        output=part,
                        force=force,
                        progress=progress and partial(progress, f"{suite.name} {ability}"),
                        workers=executor,
                        **asked,
                    )
                except OutputExistsError as error:
                    error.mend = (
                        f"replace only this part: {suite.name} as the only suite, and --ability "
                        f"{ability} --force (in Python abilities={ability!r}, force=True); or "
                        "choose another folder"
                    )
                    raise
                notes += [f"{suite.name} {ability}: {note}" for note in _foremost(report)]
    if output is not None and any(reports.values()):
        kept = read_run(Path(output)).reports
        names = dict.fromkeys((*reports, *kept))
        reports = {name: {**kept.get(name, {}), **reports.get(name, {})} for name in names}
        write_first_page(Overview(_ordered(reports)), Path(output))
    if not any(reports.values()):
        parts = [(suite, name) for suite, names in known.items() for name in names]
        there = {model for part in parts if wanted for model in answers_in(root, *part)}
        if there:
            raise UnknownNameError("model", wanted[0], sorted(there), where=str(root))
        _refuse(root, chosen, wanted, skipped)
    found = Overview(_ordered(reports), tuple(notes))
    absent = [f"there are no answers of {name}" for name in wanted if name not in found.models]
    return replace(found, skipped=(*skipped, *absent))


def _going_on(suite: str, ability: str, semantics: object) -> list[str]:
    """Say that a part of a run is extended with other settings than the usual ones."""
    if not isinstance(semantics, Semantics):
        return []
    return [f"{suite} {ability}: goes on with the settings of the run, {semantics}"]


def goes_on(part: Path, suite: Suite) -> bool:
    """Return whether a part of a run goes on with other settings than the usual ones."""
    usual: dict[str, Any] = dict.fromkeys(("answers", "semantics", "budget"))
    usual |= {"corrected": False, "tasks": "all", "without": [], "only": []}
    return bool(kept_setting(part, suite, usual))


def kept_setting(part: Path | None, suite: Suite, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings with which a part of a run was made, if nothing else is asked for.

    Args:
        part: The folder of the part; None if nothing is written.
        suite: Its suite.
        asked: The arguments for :func:`eai.evaluate` so far.

    Returns:
        Arguments that go before those; none if there is no run, it was made with the usual
        settings, or the caller asks for some.
    """
    usual: dict[str, Any] = dict.fromkeys(("answers", "semantics", "budget"))
    usual |= {"corrected": False, "tasks": "all", "without": [], "only": []}
    if part is None or {key: asked[key] for key in usual} != usual:
        return {}
    try:
        about = load_json((part / "run.json").read_text("utf-8"))
        spelled = str(about["semantics"])
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    meaning = Semantics.spelled(spelled, suite.quirks, version=suite.official_version)
    is_corrected = "corrected annotations" in spelled
    tasks = about.get("tasks", "all")
    if "answered tasks" in spelled:
        tasks = "answered"
    if meaning == suite.semantics(suite.default_semantics) and tasks == "all" and not is_corrected:
        return {}
    return {"semantics": meaning, "corrected": is_corrected, "tasks": tasks}


def _foremost(report: Report) -> Iterator[str]:
    """The hints of a part, then the first of its other notes and how many more there are."""
    yield from report.hints
    rest = [note for note in report.notes if note not in report.hint_notes]
    # What is about all models, such as files that were not read, comes first.
    rest.sort(key=lambda note: bool(report.about(note)[0]))
    if rest:
        more = f" ({len(rest)} notes, see eai report)" if rest[1:] else ""
        yield f"{rest[0]}{more}"


def read_run(folder: str | os.PathLike[str]) -> Overview:
    """Read a run back: all its suites and abilities, or the one that the folder is of.

    Args:
        folder: The folder of a run, as :func:`evaluate_outputs` or
            :func:`eai.evaluate` writes it.

    Raises:
        InputError: If there is no run, or it cannot be read.
    """
    path = given_path(folder, what="the folder of a run")
    reports: dict[str, dict[str, Report]] = {}
    notes = []
    for part in runs_in(path):
        found = read_records(part)
        report = report_of(found)
        if found.warning:
            notes.append(f"{report.setting.suite} {report.setting.ability}: {found.warning}")
        reports.setdefault(report.setting.suite, {})[report.setting.ability] = report
    if not reports:
        raise InputError(
            "there is no run here", where=str(path), expected="a folder with records of a run"
        )
    return Overview(_ordered(reports), tuple(notes))


def _ordered(reports: Mapping[str, Mapping[str, Report]]) -> dict[str, dict[str, Report]]:
    """The reports in the order of tables: suites by name, abilities as the paper has them."""
    return {
        suite: {ability: reports[suite][ability] for ability in sorted(reports[suite], key=place)}
        for suite in sorted(reports)
    }


def place(ability: str) -> int:
    """Return the place of an ability in tables: the paper's order, then all others."""
    return [*COLUMNS, ability].index(ability)


def write_first_page(run: Overview, folder: Path) -> None:
    """Write the leaderboard of a run of many abilities, as a page, CSV and LaTeX."""
    found = run.leaderboard()
    pages = {
        f"{suite}: {ability.replace('_', ' ')}": quote(f"{folder_of(suite)}/{ability}/report.html")
        for suite, of_suite in run.reports.items()
        for ability in of_suite
    }
    found.to_html(folder / "report.html", force=True, pages=pages)
    found.to_csv(folder / "leaderboard.csv", force=True)
    found.to_latex(folder / "leaderboard.tex", force=True)


def published_of(reports: Iterable[Report]) -> list[Published]:
    """Return what the suites of reports bring of numbers that were printed elsewhere.

    Args:
        reports: The reports; suites that are not announced bring nothing.
    """
    names = dict.fromkeys(report.setting.suite for report in reports)
    return [
        row for name in names if suites().announces(name) for row in given_suite(name).published()
    ]


def _options(
    suites: Sequence[Suite],
    tasks: str | Iterable[str],
    limit: int | None,
    without: Sequence[str],
    only: Sequence[str],
) -> dict[str, dict[str, Any]]:
    """What is asked of each suite; tasks and quirks go to those that have them."""
    by_name, ids = {suite.name: suite for suite in suites}, {s.name: s.task_ids() for s in suites}
    quirks = {suite.name: suite.quirks for suite in suites}
    off, on = _dealt("quirk", without, quirks), _dealt("quirk", only, quirks)
    chosen: Mapping[str, Any] = dict.fromkeys(ids, tasks)
    if tasks not in ("all", "answered"):
        names, spelled = several(tasks), lambda suite, name: by_name[suite].canonical_id(name)
        chosen = _dealt("task", names, ids, spelled)
    if limit is not None:
        if tasks == "answered":
            raise InputError("a limit goes with identifiers of tasks, not with 'answered'")
        chosen = {name: (ids[name] if tasks == "all" else chosen[name])[:limit] for name in ids}
    return {
        name: {"tasks": chosen[name], "without": off[name], "only": on[name]}
        for name in ids
        if chosen[name]
    }


def _dealt(
    kind: str,
    names: Iterable[str],
    known: Mapping[str, Collection[str]],
    spelled: Callable[[str, str], str] = lambda _, name: name,
) -> dict[str, list[str]]:
    """Deal names out to the suites that know them.

    Raises:
        UnknownNameError: If none does.
    """
    found: dict[str, list[str]] = {suite: [] for suite in known}
    for name in names:
        owners = {suite: spelled(suite, name) for suite in known}
        owners = {suite: own for suite, own in owners.items() if own in known[suite]}
        if not owners:
            every = dict.fromkeys(each for there in known.values() for each in there)
            raise UnknownNameError(kind, name, every, where=f"suites {', '.join(known)}")
        for suite, own in owners.items():
            found[suite].append(own)
    return found


def _refuse(
    root: Path, suites: Sequence[Suite], models: tuple[str, ...], skipped: Sequence[str]
) -> None:
    """Say that there are no answers, and what the folder is instead."""
    names = [suite.name for suite in suites]
    example = names[0] if names else DEFAULT
    of_models = f" of {', '.join(models)}" if models else ""
    close = [] if root.is_dir() else [path for path in similar_paths(root) if Path(path).is_dir()]
    above = next((each.parent for each in (root, root.parent) if each.name in names), None)
    if above is not None:  # of one suite, or of one ability
        mend = f"name the folder above: {above}"
    elif root.is_dir() and any(map(is_prediction_file, root.iterdir())):
        mend = f"for answers to one ability leave the option out: eai evaluate {example} {root}"
    elif close and not skipped:
        mend = f"did you mean {' or '.join(map(repr, close))}?"
    else:
        mend = "; ".join(skipped) or "name the folder that has a folder for each suite"
    raise InputError(
        f"there are no answers{of_models}" if root.is_dir() else "there is no such folder",
        where=str(root),
        expected=f"files such as {example}/action_sequencing/MODEL.json",
        mend=mend,
    )
