"""Parts of a run's sources that were left out: counted for the foot of a table, or listed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from eai.contract import SUM_LEFT_OUT, LeftOut, PredictionProblem
from eai.predictions import NOBODY, Predictions, Reading
from eai.text import counted, short

if TYPE_CHECKING:
    from eai.contract import Suite
    from eai.runs.matching import AnswerFit

_MAX_SHOWN = 3
"""Maximum number of similar problems in the notes; the others are counted."""
_MAX_PATTERNS = 3
"""Maximum number of patterns of identifiers that are told; with more, examples are given."""
_MANY = 20
"""More identifiers than this are counted by pattern."""
_MAX_EXAMPLES = 5
"""Maximum number of identifiers that are listed as examples."""
_NUMBER = re.compile(r"\d+")


def left_out_notes(predictions: Sequence[Predictions], fits: Sequence[AnswerFit]) -> list[str]:
    """Return notes on how sources were read, and on the numbers and reasons of omissions.

    Args:
        predictions: The answers of each model.
        fits: How they fit the tasks.
    """
    readings = _readings(predictions)
    notes = _notes_on_formats(readings)
    rows_by_reason: Counter[str] = Counter()
    for reading in readings:
        rows_by_reason.update(reading.left_out)
    for answer_fit in fits:
        rows_by_reason["of no task"] += len(answer_fit.unknown)
        rows_by_reason["second answers"] += len(answer_fit.repeated)
    number_of_rows = rows_by_reason.total()
    number_of_files = sum(problem.reason == "file" for problem in _problems(predictions))
    # A few omissions are listed one by one in other notes.
    if number_of_rows + number_of_files <= _MAX_SHOWN:
        return notes
    amounts = []
    if number_of_rows:
        reasons = [f"{rows:,} {reason}" for reason, rows in sorted(rows_by_reason.items()) if rows]
        amounts.append(f"{counted(number_of_rows, 'row')} ({', '.join(reasons)})")
    if number_of_files:
        amounts.append(counted(number_of_files, "file"))
    return [f"{SUM_LEFT_OUT}{' and '.join(amounts)}; --show-left-out lists them", *notes]


def _notes_on_formats(readings: Sequence[Reading]) -> list[str]:
    """Return notes on the formats of sources, except for the usual one."""
    files_by_format: dict[str, list[str]] = {}
    for reading in readings:
        if reading.read_as:
            files_by_format.setdefault(reading.read_as, []).append(Path(reading.name).name)
    notes = []
    for read_as, files in files_by_format.items():
        subject = ", ".join(files)
        if len(files) > _MAX_SHOWN:
            subject = counted(len(files), "file")
        # Data that are given directly come from no file.
        notes.append(f"{subject or 'the predictions'}: read as {read_as}")
    return notes


def problem_notes(predictions: Sequence[Predictions]) -> Iterator[str]:
    """Yield the problems of the sources, at most the first ones of each kind.

    Args:
        predictions: The predictions of each model, with the problems of their sources.
    """
    # Models of one file share its problems, which are reported once.
    models_by_problem: dict[PredictionProblem, list[str]] = {}
    for model_predictions in predictions:
        for problem in model_predictions.problems:
            models_by_problem.setdefault(problem, []).append(model_predictions.model)
    counts: Counter[tuple[str, str, object]] = Counter()
    omitted_files: Counter[str] = Counter()
    for problem, models in models_by_problem.items():
        if isinstance(problem, LeftOut):
            omitted_files[problem.message] += problem.count
            continue
        group = _group_of(problem)
        counts[group] += 1
        if problem.reason and counts[group] > _MAX_SHOWN:
            continue
        # A report is the same wherever its files lie, and does not tell where that is.
        note = f"{Path(problem.where).name}: {problem.message}"
        concerns_all = len(models) == len(predictions) > 1
        if problem.model == NOBODY or concerns_all:
            yield note
        else:
            yield from (f"{model}: {note}" for model in models)
    for reason, count in omitted_files.items():
        yield f"{counted(count, 'file')} left out: {reason}"


def _group_of(problem: PredictionProblem) -> tuple[str, str, object]:
    """Return (reason, file, model) of a problem; only the first few with the same are reported."""
    if problem.reason == "file":
        return problem.reason, "", None
    return problem.reason, _file_of(problem), problem.model


def left_out(suite: Suite, predictions: Sequence[Predictions]) -> list[str]:
    """Return a line for each omitted file or row, with the reason.

    Args:
        suite: The suite whose tasks are answered.
        predictions: The answers of each model.
    """
    from eai.runs.matching import match_answers

    tasks = frozenset(suite.task_ids())
    lines = [str(problem) for problem in _problems(predictions)]
    for model_predictions in predictions:
        _, answer_fit = match_answers(suite, model_predictions.items.items(), tasks)
        for name in answer_fit.unknown:
            lines.append(f"{model_predictions.label}: {name!r:.60}: no such task")
        for name in answer_fit.repeated:
            lines.append(f"{model_predictions.label}: {name!r:.60}: second answer")
    return list(dict.fromkeys(lines))


def notes_on_excluded(reasons: Mapping[str, str]) -> Iterator[str]:
    """Yield notes on the tasks that are excluded, one for each of the most frequent reasons.

    Args:
        reasons: Identifiers of tasks to the reason why they are excluded.

    Examples:
        >>> list(notes_on_excluded({"a": "no goal", "b": "no plan", "c": "no goal"}))
        ['2 tasks (a, c) excluded: no goal', '1 task (b) excluded: no plan']
    """
    tasks_by_reason: dict[str, list[str]] = {}
    for task, reason in reasons.items():
        tasks_by_reason.setdefault(reason, []).append(task)
    by_frequency = sorted(tasks_by_reason.items(), key=lambda item: -len(item[1]))
    for reason, tasks in by_frequency[:_MAX_SHOWN]:
        yield f"{listed_ids(tasks, 'task')} excluded: {short(reason, 200) or 'no reason is given'}"
    other_tasks = [task for _, tasks in by_frequency[_MAX_SHOWN:] for task in tasks]
    if other_tasks:
        yield f"{listed_ids(other_tasks, 'task')} excluded for other reasons"


def listed_ids(ids: Collection[str], what: str = "prediction") -> str:
    """Return the number of identifiers with examples, or patterns if there are many.

    Examples:
        >>> listed_ids([f"scene_2_{number}" for number in range(1158)])
        '1,158 predictions (1,158 such as scene_2_...)'
    """
    return f"{counted(len(ids), what)} ({examples_of(ids)})"


def examples_of(ids: Collection[str]) -> str:
    """Return the first identifiers, or the number for each pattern if there are many."""
    if len(ids) > _MANY:
        # The coarser pattern comes second: it has fewer different values.
        for pattern_of in (_beginning, _masked):
            ids_by_pattern: dict[str, list[str]] = {}
            for name in ids:
                ids_by_pattern.setdefault(pattern_of(name), []).append(name)
            if len(ids_by_pattern) <= _MAX_PATTERNS:
                groups = sorted(ids_by_pattern.values(), key=len, reverse=True)
                examples = [
                    f"{len(group):,} such as {short(_example(group), 60)}" for group in groups
                ]
                return ", ".join(examples)
    shown = ", ".join(short(name, 60) for name in islice(ids, _MAX_EXAMPLES))
    if len(ids) > _MAX_EXAMPLES:
        shown += ", ..."
    return shown


def _example(ids: Sequence[str]) -> str:
    """Return the common pattern of some identifiers, or the first of them."""
    beginnings = {_beginning(name) for name in ids}
    if len(beginnings) == 1:
        return beginnings.pop()
    return ids[0]


def _masked(name: str) -> str:
    """Return an identifier with its numbers masked: ``scene_#_#``."""
    return _NUMBER.sub("#", name)


def _beginning(name: str) -> str:
    """Return an identifier up to its first number, such as ``scene_2_...``."""
    first_number = _NUMBER.search(name)
    if first_number is None or first_number.end() == len(name):
        return name
    # The character after the number shows how identifiers continue.
    return f"{name[: first_number.end() + 1]}..."


def _readings(predictions: Sequence[Predictions]) -> list[Reading]:
    """Return how each source was read, without repetitions."""
    # Models of one file share the same object.
    reading_by_identity = {}
    for model_predictions in predictions:
        reading = model_predictions.reading
        if reading is not None:
            reading_by_identity[id(reading)] = reading
    return list(reading_by_identity.values())


def _problems(predictions: Sequence[Predictions]) -> list[PredictionProblem]:
    """Return the problems of all models without repetitions."""
    problems: dict[PredictionProblem, None] = {}
    for model_predictions in predictions:
        problems.update(dict.fromkeys(model_predictions.problems))
    return list(problems)


def _file_of(problem: PredictionProblem) -> str:
    """Return the file of a problem: ``answers.jsonl`` for the place ``answers.jsonl:12``."""
    return re.sub(r"(:| row )\d+$", "", problem.where)
