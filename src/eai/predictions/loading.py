"""Loading predictions from paths and values: by model, with what was left out of each."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from itertools import chain
from pathlib import Path

from eai.contract import PredictionProblem
from eai.errors import InputError, MissingExtraError, names_checked
from eai.files.paths import advice
from eai.predictions.collecting import (
    NOBODY,
    Predictions,
    Store,
    collect,
    join_parts,
    number_samples,
)
from eai.predictions.containers import rows_of
from eai.predictions.entries import Entry, zip_entries
from eai.predictions.folders import (
    FolderListing,
    files_with_depth,
    list_folder,
    model_of_samples,
    stem_of,
    texts_of,
)
from eai.predictions.layouts import EXAMPLE, ID_NAMES, IsTask, leaves, nearest_layout
from eai.predictions.naming import Labels
from eai.predictions.reader import NO_FIELDS, GivenFields, Reader
from eai.predictions.sources import SOURCES, is_frame, named_sources, rows_of_value
from eai.predictions.values import fields_of, list_keys

EXPECTED = 'one object {"id": ..., "output": ...} a line, or a list of such objects'
"""The predictions of a file."""

_NOT_ANSWERS = {
    *("model", "prompt", "finish_reason", "suite", "ability", "llm_prompt", "question"),
    *("served_model", "reasoning_content"),
}
"""Keys of texts that are no answers."""


@contextmanager
def _naming_file(path: Path) -> Iterator[None]:
    """Turn an operating system error in the block into one that names the file."""
    try:
        yield
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(
            f"cannot be read: {reason}",
            where=str(path),
            expected=EXPECTED,
            mend=advice(path, stem=stem_of),
        ) from error
    except MemoryError as error:
        raise InputError(
            "needs more memory than there is",
            where=str(path),
            expected=EXPECTED,
            mend="split the file, one model each",
        ) from error


class _LeftOutFiles:
    """Files without predictions, reported as a problem of every model."""

    def __init__(self) -> None:
        self._errors: list[InputError | MissingExtraError] = []
        self._problems: list[PredictionProblem] = []

    @contextmanager
    def unless_read(self, path: object) -> Iterator[None]:
        """Record a file as omitted if reading it in the block fails."""
        try:
            yield
        except (InputError, MissingExtraError) as error:
            self._errors.append(error)
            self.add(getattr(error, "where", None) or str(path), error.what)

    def add(self, where: str, reason: str) -> None:
        """Leave out a file for a reason."""
        problem = PredictionProblem(f"left out: {reason}", where, NOBODY, reason="file")
        self._problems.append(problem)

    def tell(self, all_predictions: Sequence[Predictions]) -> None:
        """Add the omitted files to the problems of the models.

        Raises:
            InputError: If there is no model: what is wrong with the first file.
        """
        if self._errors and not all_predictions:
            raise self._errors[0]
        for predictions in all_predictions:
            predictions.problems = [*predictions.problems, *self._problems]


class _Loader:
    """Loads predictions from sources of any kind.

    Args:
        store: Makes what holds the answers of one model.
        is_task: Whether a text is the identifier of a task, if the tasks are known.
        fields: Where the caller says that identifier, answer and model stand.
    """

    def __init__(
        self, store: Store = dict, is_task: IsTask | None = None, fields: GivenFields = NO_FIELDS
    ) -> None:
        """Keep the options; nothing is read yet."""
        self.store = store
        self.is_task = is_task
        self.fields = fields

    def load(self, source: object, name: str | None = None) -> list[Predictions]:
        """Return the predictions of one source, by model.

        Args:
            source: Predictions, a path, or a value such as a mapping or a data frame.
            name: Name of the model; None to take it from the source.

        Raises:
            InputError: If the source cannot be read, or holds problems and no prediction.
        """
        if isinstance(source, Predictions):
            # A sample keeps its name: with another one it would not belong to the other samples.
            if source.epoch or not name:
                return [replace(source)]
            return [replace(source, model=name)]
        if isinstance(source, (str, os.PathLike)):
            return self._load_path(source, name)
        reader = Reader(self.is_task, self.fields)
        rows = rows_of_value(source, reader)
        all_predictions = collect(rows, name or "unnamed", self.store, reader)
        is_empty = not any(map(len, all_predictions))
        problems = all_predictions[0].problems
        # Of a mapping of task to answer, each unusable answer stays a problem of its task.
        if is_empty and problems and not _is_by_task(source, reader):
            raise InputError(
                f"there is no prediction in this value ({problems[0].message})",
                where=problems[0].where,
                expected=SOURCES,
                mend=self._suggest_options(reader) or f"an object is {EXAMPLE}",
            )
        return all_predictions

    def _load_path(self, source: str | os.PathLike[str], name: str | None) -> list[Predictions]:
        """Return the predictions in a file, zip, folder, or run of a known layout."""
        if not os.fspath(source):
            raise InputError(
                "the name of a file of predictions is empty",
                expected="the path of a file or a folder",
                mend="check that the variable that holds it is set",
            )
        from eai.suites import LAYOUTS  # reads the entry points of all packages

        path = Path(source)
        with _naming_file(path):
            # Layouts of suites first: a folder of a recorded run holds JSON files of other things.
            for layout in map(import_module, LAYOUTS):
                if path.exists() and layout.holds_runs(path):
                    model = name or stem_of(path.name)
                    return collect(layout.run_episodes(path), model, self.store, name=str(path))
            if path.is_dir():
                return self._load_folder(
                    path, list_folder(path, files_with_depth(path), self.is_task), name
                )
            members = zip_entries(path)
        if members is None:
            return self._load_files([Entry(path)], name)
        # A member with its depth in the archive: "model/answers.jsonl" has 1.
        depths = [(entry, entry.member.strip("/").count("/")) for entry in members]
        return self._load_folder(path, list_folder(path, depths, self.is_task), name)

    def _load_files(self, entries: Sequence[Entry], name: str | None) -> list[Predictions]:
        """Return the predictions of files that belong together, by model."""
        first_entry = entries[0]
        reader = Reader(self.is_task, self.fields)
        model = name or model_of_samples(first_entry) or stem_of(first_entry.name)
        with _naming_file(first_entry.path):
            rows = chain.from_iterable(rows_of(entry, reader) for entry in entries)
            all_predictions = collect(rows, model, self.store, reader, str(first_entry))
        if len(entries) > 1:
            _note_files(all_predictions, entries)
        if not any(map(len, all_predictions)):
            raise self._error_without_predictions(all_predictions, first_entry, reader)
        # A name that the caller gives is that of one model; several keep their own.
        models = {predictions.model for predictions in all_predictions}
        if name is not None and len(models) == 1:
            all_predictions = [replace(predictions, model=name) for predictions in all_predictions]
        return all_predictions

    def _error_without_predictions(
        self, all_predictions: Sequence[Predictions], entry: Entry, reader: Reader
    ) -> InputError:
        """Return the error for a file without predictions: empty, or its first problem.

        Args:
            all_predictions: What was read: problems alone.
            entry: The file.
            reader: Knows the first row of the file.
        """
        advice_on_layout = self._suggest_options(reader)
        if not advice_on_layout:
            advice_on_layout = (
                f"write a line for each answer, {EXAMPLE}; eai repair takes a single answer"
            )
        for predictions in all_predictions:
            # The first problem tells enough: the later ones are mostly of the same kind.
            for problem in predictions.problems:
                return InputError(
                    f"there is no prediction in this file ({problem.message})",
                    where=problem.where,
                    expected=EXPECTED,
                    mend=advice_on_layout,
                )
        return InputError("it is empty", where=str(entry), expected=EXPECTED, mend=advice_on_layout)

    def _suggest_options(self, reader: Reader) -> str:
        """Return which options would read a source, judging by its first row, or ""."""
        row = fields_of(reader.first_unreadable)
        if row is None or len(row) > _MANY_KEYS:
            return ""
        advice = f"the keys are {list_keys(row)}"
        nearest = nearest_layout(row)
        if nearest:
            advice += f"; it looks most like {nearest}"
        # Options that the user gave already are not suggested again.
        task_path, answer_path = self._likely_paths(row)
        options: list[str] = []
        arguments: list[str] = []
        if task_path not in ("", *ID_NAMES) and not self.fields.id:
            options.append(f"--id-field {task_path}")
            arguments.append(f"id={task_path!r}")
        if answer_path and not self.fields.output:
            options.append(f"--field {answer_path}")
            arguments.append(f"output={answer_path!r}")
        if not options:
            return advice
        call = f"load_predictions(..., {', '.join(arguments)})"
        return f"{advice}; perhaps {' '.join(options)} reads it (in Python {call})"

    def _likely_paths(self, row: Mapping[object, object]) -> tuple[str, str]:
        """Return the likely paths of identifier and answer, or "" for an unclear one.

        The identifier is the first text that is a task. The answer is the longest other text.
        """
        task_path = ""
        answer_path = ""
        answer_length = 0
        for path, value in leaves(row):
            if not isinstance(value, str) or not value:
                continue
            if self.is_task is not None and self.is_task(value):
                # Later texts may be tasks as well, such as an identifier in the metadata.
                task_path = task_path or path
            elif len(value) > answer_length and not _is_no_answer(path):
                answer_path = path
                answer_length = len(value)
        return task_path, answer_path

    def _without_foreign_files(
        self, all_predictions: Sequence[Predictions], left_out: _LeftOutFiles
    ) -> list[Predictions]:
        """Return the files that answer a task; all files if none does.

        A file without any answer stays, because its problems tell the reason. Each of the files
        that are omitted is added to ``left_out``.
        """
        if self.is_task is None:
            return list(all_predictions)
        own_files: list[Predictions] = []
        foreign_files: list[Predictions] = []
        for predictions in all_predictions:
            if not predictions.items or any(map(self.is_task, predictions.items)):
                own_files.append(predictions)
            else:
                foreign_files.append(predictions)
        # Perhaps all are answers to another suite, which is a better message than an empty folder.
        if not any(predictions.items for predictions in own_files):
            return list(all_predictions)
        for predictions in foreign_files:
            name = predictions.model
            if predictions.reading is not None:
                name = predictions.reading.name
            left_out.add(name, f"none of {len(predictions):,} identifiers is that of a task")
        return own_files

    def load_or_leave_out(
        self, source: object, name: str | None, left_out: _LeftOutFiles
    ) -> list[Predictions]:
        """Return the predictions of a source, or none if it is a file that holds no predictions.

        Such a file is noted in ``left_out``, so that the remaining sources are still read. A path
        that leads nowhere is a mistake of the caller and raises its error.
        """
        if not _is_readable_file(source):
            return self.load(source, name)
        with left_out.unless_read(source):
            return self.load(source, name)
        return []

    def _load_folder(
        self, folder: Path, listing: FolderListing, name: str | None
    ) -> list[Predictions]:
        """Return the predictions in a folder or archive.

        Args:
            folder: The folder.
            listing: Its files, sorted by what they hold.
            name: Name of the model; None to take it from the files.

        Raises:
            InputError: If no file holds predictions. If some do, the omitted files become problems
                of every model.
        """
        if not listing.entries and not listing.answers:
            raise InputError(
                "there is no file of predictions in this folder",
                where=str(folder),
                expected="files named <model>_outputs.json, .json, .jsonl, .csv or the like",
                mend="name the files one by one, or rename them",
            )
        left_out = _LeftOutFiles()
        all_predictions: list[Predictions] = []
        for entries in _entries_by_model(listing.entries):
            with left_out.unless_read(entries[0]):
                all_predictions += self._load_files(entries, name)
        all_predictions = join_parts(all_predictions)
        if listing.answers:
            all_predictions += self._load_texts(folder, listing.answers, name)
        for where, reason in listing.left_out:
            left_out.add(where, reason)
        # Last, because only then is it known whether any file answers a task.
        all_predictions = self._without_foreign_files(all_predictions, left_out)
        left_out.tell(all_predictions)
        return all_predictions

    def _load_texts(
        self, folder: Path, files: Sequence[Entry], name: str | None
    ) -> list[Predictions]:
        """Return the predictions of text files, each of which is the answer to one task.

        Args:
            folder: The folder.
            files: The text files.
            name: Name of the model; None for that of the folder.
        """
        model = name or stem_of(folder.resolve().name)
        reader = Reader(self.is_task)
        all_predictions = collect(texts_of(files), model, self.store, reader, str(folder))
        _note_files(all_predictions, files)
        return all_predictions


def _entries_by_model(entries: Iterable[Entry]) -> Iterable[list[Entry]]:
    """Return groups of files: all samples of a model together, each other file alone."""
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        # lm-evaluation-harness writes a file for each of its tasks: one model, several files.
        groups.setdefault(model_of_samples(entry) or str(entry), []).append(entry)
    return groups.values()


_MANY_KEYS = 500
"""With more keys than this a row is no row, but answers by task: advice on it would mislead."""


def _is_by_task(source: object, reader: Reader) -> bool:
    """Return whether a value is a mapping of task to answer, and neither a row nor a frame."""
    if isinstance(source, Mapping) and reader.is_row(source):
        return False
    return hasattr(source, "items") and not is_frame(source)


def _note_files(all_predictions: Sequence[Predictions], files: Sequence[object]) -> None:
    """Note from which files predictions were read."""
    for predictions in all_predictions:
        if predictions.reading is not None:
            predictions.reading.files = tuple(map(str, files))


def _is_no_answer(path: str) -> bool:
    """Return whether a text at a path is none of a model: a prompt, a name, an identifier."""
    if path in ("id", "identifier"):
        return True
    return not _NOT_ANSWERS.isdisjoint(path.lower().split("."))


def _refuse_empty_sources(all_predictions: Sequence[Predictions]) -> None:
    """Refuse sources that contain neither answers nor problems."""
    if not any(of_model.items or of_model.problems for of_model in all_predictions):
        raise InputError(
            "there are no predictions", expected=SOURCES, mend="give at least one answer to a task"
        )


@names_checked
def load_predictions(
    source: object,
    *,
    model: str | None = None,
    id: str = "",  # noqa: A002 - as the key is called
    output: str = "",
    model_field: str = "",
    is_task: IsTask | None = None,
) -> Predictions:
    """Load the answers of one model.

    Args:
        source: A path; a mapping of identifier to text; pairs or objects; or a data frame.
        model: Its name. Of a source with several models, the one to take. By default the
            name that the source gives, or the file's name without its endings.
        id: The dotted path of the identifiers, if they are not found by themselves.
        output: The dotted path of the answers.
        model_field: The dotted path of the names of models.
        is_task: Whether a text is the identifier of a task, which tells what names the tasks.

    Returns:
        The answers, of several samples the first ones, with a list of what was left out.

    Raises:
        InputError: If nothing can be read, or there are several models and none is chosen.
    """
    loader = _Loader(is_task=is_task, fields=GivenFields(id, output, model_field))
    all_predictions = loader.load(source, model)
    _refuse_empty_sources(all_predictions)
    models = {predictions.model for predictions in all_predictions}
    # A single model needs no name: the given one is what to call it.
    if len(models) > 1:
        if model not in models:
            where = None
            if isinstance(source, (str, os.PathLike)):
                where = str(source)
            raise InputError(
                "there are several models in the source",
                where=where,
                expected=f"model=... with one of {', '.join(sorted(models))}",
                mend="or use load_all",
            )
        all_predictions = [
            predictions for predictions in all_predictions if predictions.model == model
        ]
    return replace(all_predictions[0], model=model or all_predictions[0].model)


@names_checked
def load_all(
    sources: object,
    *,
    is_task: IsTask | None = None,
    store: Store = dict,
    id: str = "",  # noqa: A002 - as the key is called
    output: str = "",
    model_field: str = "",
) -> list[Predictions]:
    """Load the answers of several models.

    Args:
        sources: Anything that :func:`load_predictions` takes; a folder or a zip; a list of paths or
            other sources; or a mapping of model name to source.
        is_task: Whether a text is the identifier of a task. It tells a mapping of model to
            answers from one of task to answer, and which key names the task; without it, the shape
            of the values decides (a mapping of text to text is the answers of one model).
        store: Makes what holds the answers of one model that are read here.
        id: The dotted path of the identifiers, if they are not found by themselves.
        output: The dotted path of the answers.
        model_field: The dotted path of the names of models.

    Returns:
        One entry for each model, or for each sample of one, in the order in which they come. The
        name of a model is the one that the mapping gives, else the one that stands in the file,
        else the name of the file; of two files of the same name the second gets the name of its
        folder as well. Of several files those without a prediction are left out, which is a
        problem of every model.

    Raises:
        SameNameError: If two models have the same name.
        InputError: If a source cannot be read.
    """
    predictions_by_source: list[tuple[object, list[Predictions]]] = []
    left_out = _LeftOutFiles()
    loader = _Loader(store, is_task, GivenFields(id, output, model_field))
    for name, source in named_sources(sources, Reader(is_task, loader.fields)):
        predictions_by_source.append((source, loader.load_or_leave_out(source, name, left_out)))
    # Only now, as the samples of a model may lie in several sources.
    number_samples(chain.from_iterable(predictions for _, predictions in predictions_by_source))
    all_predictions = _with_unique_names(predictions_by_source)
    left_out.tell(all_predictions)
    _refuse_empty_sources(all_predictions)
    return all_predictions


def _with_unique_names(
    predictions_by_source: Iterable[tuple[object, list[Predictions]]],
) -> list[Predictions]:
    """Return the predictions of all sources, each under a name that no other model has.

    Raises:
        SameNameError: If two models have the same name, and their sources do not tell them apart.
    """
    labels = Labels()
    all_predictions: list[Predictions] = []
    for source, source_predictions in predictions_by_source:
        names = labels.assign(source, source_predictions)
        for name, predictions in zip(names, source_predictions, strict=True):
            all_predictions.append(replace(predictions, model=name))
    return all_predictions


def _is_readable_file(source: object) -> bool:
    """Return whether a source is a file that may be opened."""
    if not isinstance(source, (str, os.PathLike)):
        return False
    return Path(source).is_file() and os.access(source, os.R_OK)


def load_entry(entry: Entry, is_task: IsTask | None = None) -> list[Predictions]:
    """Load the answers in one file, which may lie in a zip."""
    return _Loader(is_task=is_task)._load_files([entry], None)  # noqa: SLF001 - it is ours
