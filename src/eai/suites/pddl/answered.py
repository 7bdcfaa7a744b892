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
    """Return files of PlanBench answers grouped by task, or none if no file brings own tasks.

    Plans for the instances of the repository (task 1) are answers to the problems of a folder.

    Args:
        predictions: A path, several, or model to path; a folder stands for the files below it.

    Raises:
        InputError: If a file is of no task of PlanBench, or files of one task ask other questions.
    """
    groups: dict[str, dict[str, PublishedFile]] = {}
    unpublished: dict[str, Path] = {}
    for model, path in _files(predictions):
        file = read_published(path)
        if file is None:
            unpublished[_free_name(model or path.stem, path, unpublished)] = path
            continue
        group = groups.setdefault(file.published.name, {})
        group[_free_name(model or file.model or path.stem, path, group)] = file
    # Plans for the instances themselves need no tasks of their own.
    if groups.keys() <= {GENERATION.name}:
        return []
    answer_files = []
    for name, files in groups.items():
        answers = {model: file.path for model, file in files.items()}
        if name == GENERATION.name:
            # Files that are not of PlanBench go with the plans, to the suite of the folder.
            answer_files.append(AnswerFiles(None, {**unpublished, **answers}))
        else:
            answer_files.append(AnswerFiles(_common(list(files.values())), answers))
    if unpublished and GENERATION.name not in groups:
        answer_files.append(AnswerFiles(None, unpublished))
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
        # Answers that are given as values, not as files, are nobody's of PlanBench.
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
            # Answers to different questions under one name cannot be compared.
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
