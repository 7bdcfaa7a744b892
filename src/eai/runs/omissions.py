"""Parts of a run's sources that were left out: counted for the foot of a table, or listed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from eai.contract import LeftOut, PredictionProblem
from eai.predictions import NOBODY, Predictions, Reading
from eai.text import counted, short

if TYPE_CHECKING:
    from eai.contract import Suite
    from eai.runs.matching import AnswerFit

_FEW = 3
"""So many problems of one kind stand in the notes; the others are counted."""
_MAX_PATTERNS = 3
_NUMBER = re.compile(r"\d+")


def left_out_notes(predictions: Sequence[Predictions], fits: Sequence[AnswerFit]) -> list[str]:
    """Return how the sources were read, how much was left out and for which reasons.

    Args:
        predictions: The answers of each model.
        fits: How they fit the tasks.
    """
    readings = _readings(predictions)
    notes = _read_as(readings)
    rows: Counter[str] = Counter()
    for reading in readings:
        rows.update(reading.left_out)
    rows["of no task"] += sum(len(found.strange) for found in fits)
    rows["second answers"] += sum(len(found.second) for found in fits)
    files = sum(problem.reason == "file" for problem in _problems(predictions))
    kinds = [f"{number:,} {reason}" for reason, number in sorted(rows.items()) if number]
    said = []
    if kinds:
        said.append(f"{counted(sum(rows.values()), 'row')} ({', '.join(kinds)})")
    if files:
        said.append(counted(files, "file"))
    if sum(rows.values()) + files > _FEW:
        notes.insert(0, f"left out: {' and '.join(said)}; --show-left-out lists them")
    return notes


def _read_as(readings: Sequence[Reading]) -> list[str]:
    """Return as what the sources were read, unless they have the usual form."""
    names: dict[str, list[str]] = {}
    for reading in readings:
        if reading.read_as:
            names.setdefault(reading.read_as, []).append(Path(reading.name).name)
    notes = []
    for read_as, files in names.items():
        of = ", ".join(files) if len(files) <= _FEW else counted(len(files), "file")
        notes.append(f"{of or 'the predictions'}: read as {read_as}")
    return notes


def problem_notes(predictions: Sequence[Predictions]) -> Iterator[str]:
    """Yield the problems of the sources: of those of one kind the first ones."""
    # Models of one file share its problems, which are told once.
    models: dict[PredictionProblem, list[str]] = {}
    for of_model in predictions:
        for problem in of_model.problems:
            models.setdefault(problem, []).append(of_model.model)
    seen: Counter[tuple[str, str, object]] = Counter()
    files: Counter[str] = Counter()
    for problem, of in models.items():
        if isinstance(problem, LeftOut):
            files[problem.message] += problem.count
            continue
        kind = (problem.reason, _file(problem), problem.model)
        if problem.reason == "file":
            kind = (problem.reason, "", None)
        seen[kind] += 1
        if problem.reason and seen[kind] > _FEW:
            continue
        # A report is the same wherever its files lie, and does not tell where that is.
        note = f"{Path(problem.where).name}: {problem.message}"
        if problem.model == NOBODY or len(of) == len(predictions) > 1:
            yield note
        else:
            yield from (f"{model}: {note}" for model in of)
    for reason, count in files.items():
        yield f"{counted(count, 'file')} left out: {reason}"


def left_out(suite: Suite, predictions: Sequence[Predictions]) -> list[str]:
    """Return a line for each file and each row that was left out, with the reason.

    Args:
        suite: The suite whose tasks are answered.
        predictions: The answers of each model.
    """
    from eai.runs.matching import fit

    tasks = frozenset(suite.task_ids())
    lines = [str(problem) for problem in _problems(predictions)]
    for of_model in predictions:
        _, found = fit(suite, of_model.items.items(), tasks)
        lines += [f"{of_model.label}: {name!r:.60}: no such task" for name in found.strange]
        lines += [f"{of_model.label}: {name!r:.60}: second answer" for name in found.second]
    return list(dict.fromkeys(lines))


def listed_ids(ids: Collection[str], what: str = "prediction") -> str:
    """Return how many identifiers there are, with examples; of very many by their patterns.

    Examples:
        >>> listed_ids([f"scene_2_{number}" for number in range(1158)])
        '1,158 predictions (1,158 such as scene_2_...)'
    """
    return f"{counted(len(ids), what)} ({examples_of(ids)})"


def examples_of(ids: Collection[str]) -> str:
    """Return the first of some identifiers; of very many how many there are of each pattern."""
    if len(ids) > _MANY:
        for pattern_of in (_beginning, _masked):
            patterns: dict[str, list[str]] = {}
            for name in ids:
                patterns.setdefault(pattern_of(name), []).append(name)
            if len(patterns) <= _MAX_PATTERNS:
                kinds = sorted(patterns.values(), key=len, reverse=True)
                said = (f"{len(of):,} such as {short(_example(of), 60)}" for of in kinds)
                return ", ".join(said)
    shown = ", ".join(short(name, 60) for name in islice(ids, 5))
    return shown + (", ..." if len(ids) > 5 else "")


def _example(ids: Sequence[str]) -> str:
    """Return what identifiers of one pattern have in common, or the first of them."""
    beginnings = {_beginning(name) for name in ids}
    return beginnings.pop() if len(beginnings) == 1 else ids[0]


def _masked(name: str) -> str:
    return _NUMBER.sub("#", name)


_MANY = 20
"""So many identifiers are examples; more are counted by pattern."""


def _beginning(name: str) -> str:
    """Return an identifier up to its first number: ``scene_2_...``."""
    number = _NUMBER.search(name)
    if number is None:
        return name
    end = number.end()
    return f"{name[:end]}{name[end : end + 1]}..." if name[end:] else name


def _readings(predictions: Sequence[Predictions]) -> list[Reading]:
    found = {id(of.reading): of.reading for of in predictions if of.reading is not None}
    return list(found.values())


def _problems(predictions: Sequence[Predictions]) -> list[PredictionProblem]:
    return list(dict.fromkeys(problem for of in predictions for problem in of.problems))


def _file(problem: PredictionProblem) -> str:
    return re.sub(r"(:| row )\d+$", "", problem.where)
