"""Coverage of a suite's tasks by predictions, without evaluating any of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from eai.contract import ABILITIES
from eai.contract.registry import given_suite
from eai.evaluation.model_outputs import answers_in, submission_name, submitted
from eai.files import folder_of
from eai.predictions import Predictions, load_all
from eai.runs import knows_task, left_out, match_answers
from eai.runs.omissions import listed_ids
from eai.table import Table

if TYPE_CHECKING:
    from eai.contract import Suite

_HEADS = {
    "ability": "Ability",
    "model": "Model",
    "answered": "Answered",
    "missing": "Missing",
    "doubled": "Doubled",
    "unreadable": "Unreadable",
    "of_no_task": "Of no task",
}


@dataclass(frozen=True)
class Coverage:
    """How one model's answers cover the tasks of one ability.

    Args:
        ability: The ability.
        model: The model, or one of its samples.
        tasks: Number of tasks.
        missing: Identifiers of tasks without an answer.
        doubled: Number of answers beside the first one to a task.
        unreadable: Number of rows without an answer.
        of_no_task: Identifiers of answers to no task.
        left_out: A line for each file and row that was left out.
        file: The file that is missing, if a submission has none for the ability.
    """

    ability: str
    model: str
    tasks: int
    missing: tuple[str, ...] = ()
    doubled: int = 0
    unreadable: int = 0
    of_no_task: tuple[str, ...] = ()
    left_out: tuple[str, ...] = field(default=(), repr=False)
    file: str = ""

    @property
    def is_complete(self) -> bool:
        """Whether every task has one answer, and nothing else is there."""
        return not (self.missing or self.doubled or self.unreadable or self.of_no_task)

    def to_json(self) -> dict[str, object]:
        """Return it as a mapping for JSON."""
        return {**asdict(self), "answered": self.tasks - len(self.missing)}


def coverage_of(
    suite: str | Suite,
    path: object,
    abilities: Sequence[str] = (),
    *,
    id: str = "",  # noqa: A002 - as the key is called
    output: str = "",
    model_field: str = "",
) -> list[Coverage]:
    """Return for each model which tasks have a present, missing, repeated or unreadable answer.

    Args:
        suite: The suite, or its name.
        path: Anything that :func:`eai.predictions.load_all` takes; a folder with
            ``SUITE/ABILITY/MODEL.json``; or a submission to the Embodied Agent Interface
            challenge, a folder or a zip.
        abilities: Abilities to look at; by default all that are there.
        id: The dotted path of the identifiers, if they are not found by themselves.
        output: The dotted path of the answers.
        model_field: The dotted path of the names of models.

    Raises:
        InputError: If nothing can be read.

    Examples:
        >>> [found] = coverage_of("household", {"studio-01": "FIND(light.34)"})
        >>> (found.tasks, len(found.missing), found.is_complete)
        (76, 75, False)
    """
    chosen_suite = given_suite(suite)
    # First, as its files would be read as models that answer one ability otherwise.
    if isinstance(path, (str, Path)):
        root = Path(path)
        is_submission = any(name == folder_of(chosen_suite.name) for name, _ in submitted(root))
        if is_submission or (root / folder_of(chosen_suite.name)).is_dir():
            chosen_abilities = list(abilities) or list(chosen_suite.abilities)
            return _coverage_by_folder(
                chosen_suite, root, chosen_abilities, is_submission=is_submission
            )
    loaded = load_all(
        path,
        is_task=knows_task(chosen_suite),
        id=id,
        output=output,
        model_field=model_field,
    )
    return _coverage_by_model(chosen_suite, abilities[0] if abilities else "", loaded)


def _coverage_by_folder(
    suite: Suite, root: Path, abilities: Sequence[str], *, is_submission: bool
) -> list[Coverage]:
    """Return the coverage by a folder ``SUITE/ABILITY`` or a submission.

    A submission should have a file for each published ability; a missing one has a row as well.
    """
    coverages: list[Coverage] = []
    for ability in abilities:
        predictions_by_model = answers_in(root, suite.name, ability, (), knows_task(suite))
        coverages += _coverage_by_model(suite, ability, predictions_by_model.values())
        if is_submission and not predictions_by_model and ability in ABILITIES:
            ids = tuple(suite.task_ids())
            file_name = submission_name(suite.name, ability)
            coverages.append(Coverage(ability, "", len(ids), ids, file=file_name))
    return coverages


def coverage_table(suite: str, coverages: Sequence[Coverage]) -> Table:
    """Return the coverage of all models as a table."""
    has_abilities = any(coverage.ability for coverage in coverages)
    rows: list[dict[str, str]] = []
    notes: list[str] = []
    for coverage in coverages:
        cells = {
            "ability": coverage.ability,
            "model": coverage.model or "(no file)",
            "answered": f"{coverage.tasks - len(coverage.missing)} of {coverage.tasks}",
            "missing": str(len(coverage.missing)),
            "doubled": str(coverage.doubled),
            "unreadable": str(coverage.unreadable),
            "of_no_task": str(len(coverage.of_no_task)),
        }
        if not has_abilities:
            del cells["ability"]
        rows.append({_HEADS[key]: value for key, value in cells.items()})
        notes += _notes(coverage)
    return Table(f"Predictions for {suite}", rows, tuple(notes))


def _notes(coverage: Coverage) -> Iterator[str]:
    """Yield notes on missing files and tasks, and on answers to unknown tasks."""
    subject = ": ".join(filter(None, (coverage.ability, coverage.model)))
    if coverage.file:
        yield f"{subject}: there is no file {coverage.file}"
    # Of a missing file all tasks are missing, which its own note says already.
    elif coverage.missing:
        yield f"{subject}: {listed_ids(coverage.missing, 'task')} without an answer"
    if coverage.of_no_task:
        yield f"{subject}: {listed_ids(coverage.of_no_task)} of no task"


def _coverage_by_model(
    suite: Suite, ability: str, predictions: Iterable[Predictions]
) -> list[Coverage]:
    """Return each model's coverage of an ability."""
    tasks = tuple(suite.task_ids())
    task_set = frozenset(tasks)
    former: Mapping[str, str] = {}
    if ability:
        former = suite.abilities[ability].former
    coverages = []
    for model_predictions in predictions:
        answers, answer_fit = match_answers(
            suite, model_predictions.items.items(), task_set, former
        )
        # Answers that were given as values of Python were not read from anything.
        omitted: Mapping[str, int] = {}
        if model_predictions.reading is not None:
            omitted = model_predictions.reading.left_out
        # Rows that repeat a task were read, and left out as second answers.
        second_answers = omitted.get("second answers", 0)
        coverages.append(
            Coverage(
                ability,
                model_predictions.label,
                len(tasks),
                missing=tuple(task for task in tasks if task not in answers),
                doubled=second_answers + len(answer_fit.repeated),
                unreadable=sum(omitted.values()) - second_answers,
                of_no_task=tuple(answer_fit.unknown),
                left_out=tuple(left_out(suite, [model_predictions])),
            )
        )
    return coverages
