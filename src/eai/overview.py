"""All abilities of one or more suites at once: the paper's overview (Table 3, section D.5)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from eai.contract import Suite
from eai.errors import InputError, MissingExtraError, UnknownNameError
from eai.evaluation import evaluate
from eai.files import given_path
from eai.model_outputs import answers_in, skipped_in
from eai.paths import similar_paths
from eai.predictions import is_prediction_file
from eai.registry import given_suite
from eai.report import Report
from eai.runs import refuse_file_name, several
from eai.suites import DEFAULT
from eai.table import Cell, Measured, Table
from eai.text import encodable, short

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console, ConsoleOptions, RenderResult

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

_TITLE = "Overview (%)"

_HEADS = {
    "goal_interpretation": "Goal Int.",
    "action_sequencing": "Action Seq.",
    "subgoal_decomposition": "Subgoal Dec.",
    "transition_modeling": "Transition M.",
}


@dataclass(frozen=True)
class Overview:
    """Reports by suite and ability, and the row that they make in the paper's Table 3.

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

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield f"[bold]{_TITLE}: the row of the paper's Table 3 for each model"
        for model in self.models:
            yield from (Text(), self._of_model(model))
        yield Text()
        for line in self._small_print():
            yield Text(encodable(short(line), options.encoding), "dim")

    def _of_model(self, model: str) -> Table:
        """A line for each ability and metric, a column for each suite."""
        rows: dict[tuple[str, str], dict[str, Cell]] = {}
        for (ability, metric, suite), value in self.row(model).items():
            row = rows.setdefault((ability, metric), {"Ability": ability, "Metric": metric})
            row[suite] = Measured(value)
        return Table(short(model, 200), list(rows.values()))

    def _repr_html_(self) -> str:
        rows: list[dict[str, Cell]] = [
            {"Model": model}
            | {" ".join(key): Measured(value) for key, value in self.row(model).items()}
            for model in self.models
        ]
        return Table(
            f"{_TITLE}: Table 3 of the paper", rows, (*self._small_print(), *self.skipped)
        ).html()

    def _small_print(self) -> list[str]:
        settings = [
            f"{report.setting}: {report.tally(model).tasks} tasks"
            for of_suite in self.reports.values()
            for report in of_suite.values()
            for model in report.models[:1]
        ]
        return [*settings, *self.notes]


def evaluate_outputs(
    suites: Iterable[str | Suite],
    folder: str | os.PathLike[str],
    *,
    models: Iterable[str] = (),
    semantics: str | None = None,
    corrected: bool = False,
    output: str | os.PathLike[str] | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Overview:
    """Evaluate everything that models answered, all abilities of one or more suites.

    Args:
        suites: The suites, by name or as they are; or one.
        folder: Where the answers are: ``SUITE/ABILITY/MODEL.json`` (with ``_outputs``, as JSON
            Lines, or with ``.gz`` as well).
        models: Evaluate only these, or this one; all that are found if empty.
        semantics: ``"official"`` or ``"strict"``; by default what each suite prefers.
        corrected: Whether tasks whose own annotation is faulty are left out.
        output: A folder for the reports, in ``SUITE/ABILITY``.
        force: Whether the files of another run there may be replaced.
        progress: Called after every evaluated answer.

    Raises:
        InputError: If there are no answers for any of the suites, or some cannot be read.
        EaiError: As for :func:`eai.evaluation.evaluate`.
    """
    chosen = list(map(given_suite, several(suites)))
    root, wanted = given_path(folder, what="a folder"), tuple(several(models))
    if output is not None:
        refuse_file_name(given_path(output, what="a folder"))
    abilities = {
        suite.name: [ability for ability in COLUMNS if ability in suite.abilities]
        for suite in chosen
    }
    skipped = skipped_in(root, abilities, own=None if output is None else Path(output))
    reports: dict[str, dict[str, Report]] = {}
    notes: list[str] = []
    for suite in chosen:
        of_suite = reports.setdefault(suite.name, {})
        for ability in abilities[suite.name]:
            answers = answers_in(root / suite.name / ability, wanted)
            if not answers:
                notes.append(f"{suite.name}: no answers for {ability}")
                continue
            report = of_suite[ability] = evaluate(
                suite,
                answers,
                ability=ability,
                semantics=semantics,
                corrected=corrected,
                output=None if output is None else Path(output) / suite.name / ability,
                force=force,
                progress=progress and partial(progress, f"{suite.name} {ability}"),
            )
            notes += [f"{suite.name} {ability}: {hint}" for hint in report.hints]
    if not any(reports.values()):
        folders = [root / suite / name for suite, names in abilities.items() for name in names]
        there = {model for folder in folders if wanted for model in answers_in(folder)}
        if there:
            raise UnknownNameError("model", wanted[0], sorted(there), where=str(root))
        _refuse(root, chosen, wanted, skipped)
    found = Overview(reports, tuple(notes))
    absent = [f"there are no answers of {name}" for name in wanted if name not in found.models]
    return Overview(reports, tuple(notes), (*skipped, *absent))


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
