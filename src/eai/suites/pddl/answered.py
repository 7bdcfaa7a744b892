"""Which tasks the files of answers of PlanBench are about: each file says so itself."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from eai.errors import InputError
from eai.suites.pddl.planbench import GENERATION, PublishedFile, read_published


class AnswerFiles(NamedTuple):
    """Files with answers to the same task.

    Args:
        queries: The file whose queries are the tasks; None for the problems of the suite's folder.
        answers: Model to its file.
    """

    queries: PublishedFile | None
    answers: Mapping[str, Path]


def files_by_task(predictions: object) -> list[AnswerFiles]:
    """Return files of PlanBench answers grouped by the task of PlanBench that they answer.

    The list is empty if all files answer problems of the folder itself: these are files of other
    formats, and plans for PlanBench's own instances (task 1).

    Args:
        predictions: A path, several, or model to path; a folder stands for the files below it.

    Raises:
        InputError: If a file is of no task of PlanBench, or files of one task ask other questions.
    """
    files_by_name: dict[str, dict[str, PublishedFile]] = {}  # name of the task, then the model
    other_files: dict[str, Path] = {}
    for model, path in _files(predictions):
        file = read_published(path)
        if file is None:
            other_files[_free_name(model or path.stem, path, other_files)] = path
            continue
        files_by_model = files_by_name.setdefault(file.published.name, {})
        label = _free_name(model or file.model or path.stem, path, files_by_model)
        files_by_model[label] = file
    if files_by_name.keys() <= {GENERATION.name}:
        return []
    answer_files = []
    for name, files_by_model in files_by_name.items():
        paths = {model: file.path for model, file in files_by_model.items()}
        if name == GENERATION.name:
            # Other files are evaluated together with the plans, by the suite of the folder.
            answer_files.append(AnswerFiles(None, {**other_files, **paths}))
        else:
            answer_files.append(AnswerFiles(_common(list(files_by_model.values())), paths))
    if other_files and GENERATION.name not in files_by_name:
        answer_files.append(AnswerFiles(None, other_files))
    return answer_files


def _sources(predictions: object) -> list[tuple[str, object]]:
    """Return (model, prediction) for each single prediction."""
    if isinstance(predictions, Mapping):
        return [(str(model), source) for model, source in predictions.items()]
    if isinstance(predictions, (list, tuple)):
        return [("", source) for source in predictions]
    return [("", predictions)]


def _files(predictions: object) -> Iterator[tuple[str, Path]]:
    """Yield (model, path) for each file that predictions name, with "" for an unknown model."""
    for model, source in _sources(predictions):
        # PlanBench's answers are files, so answers that are given as values are skipped.
        if not isinstance(source, (str, os.PathLike)) or not os.path.lexists(source):
            continue
        path = Path(source)
        if not path.is_dir():
            yield model, path
            continue
        # Sorted, as file systems list in different orders; ``.jsonl`` is found as well.
        for file in sorted(path.rglob("*.json*")):
            if file.is_file():
                yield model, file


def _free_name(model: str, path: Path, taken: Mapping[str, object]) -> str:
    """Return the name of a model, with that of its file if it is taken."""
    if model not in taken:
        return model
    return f"{model}/{path.name.partition('.')[0]}"


def _common(files: Sequence[PublishedFile]) -> PublishedFile:
    """Return the file with the most instances. All other files must ask the same questions.

    Raises:
        InputError: If they do not.
    """
    largest = max(files, key=lambda file: len(file.instances))
    refuse_other_queries(largest, files)
    return largest


def refuse_other_queries(asked: PublishedFile, files: Iterable[PublishedFile]) -> None:
    """Refuse files whose questions differ from those of another file.

    Raises:
        InputError: If a query is another one.
    """
    queries = {query.name: query.statement for query in asked.queries()}
    for file in files:
        for query in file.queries():
            # Answers to different questions with one identifier cannot be compared.
            if query.statement != queries.get(query.name):
                raise InputError(
                    f"{query.name} is asked otherwise than in {asked.path}",
                    where=str(file.path),
                    expected=f"the same queries in all files of {file.task}",
                    mend="evaluate each file in a command of its own",
                )


def answered_files(predictions: object) -> list[PublishedFile]:
    """Return the files of PlanBench among predictions."""
    read = (read_published(path) for _, path in _files(predictions))
    return [file for file in read if file is not None]
