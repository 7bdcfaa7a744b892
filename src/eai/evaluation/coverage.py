"""How far predictions cover the tasks of a suite, without evaluating any of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from eai.contract import ABILITIES
from eai.contract.registry import given_suite
from eai.evaluation.model_outputs import answers_in, submission_name, submitted
from eai.files import folder_of
from eai.predictions import Predictions, load_all
from eai.runs import fit, knows_task, left_out
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
    """How the answers of one model cover the tasks of one ability.

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
    """Return how predictions cover the tasks of a suite: what is there, missing, doubled, unread.

    Args:
        suite: The suite, or its name.
        path: Anything that :func:`eai.predictions.load_all` takes; a folder with
            ``SUITE/ABILITY/MODEL.json``; or a submission to the Embodied Agent Interface
            challenge, a folder or a zip.
        abilities: Only these; by default all that are there.
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
    chosen = given_suite(suite)
    root = Path(path) if isinstance(path, (str, Path)) else None
    wanted = list(abilities) or list(chosen.abilities)
    found: list[Coverage] = []
    files = {} if root is None else submitted(root)
    is_submission = any(name == folder_of(chosen.name) for name, _ in files)
    if root is not None and (is_submission or (root / folder_of(chosen.name)).is_dir()):
        for ability in wanted:
            of_ability = answers_in(root, chosen.name, ability, (), knows_task(chosen)).values()
            found += _of_models(chosen, ability, of_ability)
            if is_submission and not of_ability and _is_published(ability):
                name = submission_name(chosen.name, ability)
                ids = tuple(chosen.task_ids())
                found.append(Coverage(ability, "", len(ids), ids, file=name))
        return found
    loaded = load_all(
        path,
        is_task=knows_task(chosen),
        id=id,
        output=output,
        model_field=model_field,
    )
    return _of_models(chosen, abilities[0] if abilities else "", loaded)


def coverage_table(suite: str, found: Sequence[Coverage]) -> Table:
    """Return the coverage of all models as a table."""
    rows = []
    for each in found:
        counts = {
            "answered": f"{each.tasks - len(each.missing)} of {each.tasks}",
            "missing": str(len(each.missing)),
            "doubled": str(each.doubled),
            "unreadable": str(each.unreadable),
            "of_no_task": str(len(each.of_no_task)),
        }
        named = {"ability": each.ability, "model": each.model or "(no file)"}
        rows.append({_HEADS[key]: value for key, value in {**named, **counts}.items()})
    notes = []
    for each in found:
        about = ": ".join(filter(None, (each.ability, each.model)))
        if each.file:
            notes.append(f"{about}: there is no file {each.file}")
        elif each.missing:
            notes.append(f"{about}: {listed_ids(each.missing, 'task')} without an answer")
        if each.of_no_task:
            notes.append(f"{about}: {listed_ids(each.of_no_task)} of no task")
    if not any(each.ability for each in found):
        rows = [{key: row[key] for key in row if key != _HEADS["ability"]} for row in rows]
    return Table(f"Predictions for {suite}", rows, tuple(notes))


def _is_published(ability: str) -> bool:
    return ability in ABILITIES


def _of_models(suite: Suite, ability: str, predictions: Iterable[Predictions]) -> list[Coverage]:
    tasks = tuple(suite.task_ids())
    known = frozenset(tasks)
    former = suite.abilities[ability].former if ability else {}
    found = []
    for of_model in predictions:
        answers, fits = fit(suite, of_model.items.items(), known, former)
        counts = {} if of_model.reading is None else of_model.reading.left_out
        doubled = counts.get("second answers", 0) + len(fits.second)
        found.append(
            Coverage(
                ability,
                of_model.label,
                len(tasks),
                tuple(task for task in tasks if task not in answers),
                doubled,
                sum(counts.values()) - counts.get("second answers", 0),
                tuple(fits.strange),
                tuple(left_out(suite, [of_model])),
            )
        )
    return found
