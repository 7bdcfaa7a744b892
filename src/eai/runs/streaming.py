"""The record file of a run that grows shard by shard, with a journal of what is in it.

A shard counts when its line stands in the journal. What stands behind that in the record file is
from a run that was interrupted: if it is what the next shards have to be, it is kept; else it is
cut off and written again.
"""

from __future__ import annotations

import json
import shutil
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from copy import copy
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple, overload
from uuid import uuid4

from eai.errors import InputError
from eai.files import writing_to
from eai.predictions import Predictions, load_all
from eai.report.aggregate import Tally
from eai.report.metrics import View, view_of
from eai.report.record import Record
from eai.report.records import record_from_json
from eai.report.report import Report, Setting
from eai.runs.evaluator import Evaluator
from eai.runs.folder import Folder, changed_answer
from eai.runs.matching import Choice, Fit, remarks
from eai.runs.shards import (
    AnswerFile,
    Job,
    StoredAnswers,
    Summary,
    Summing,
    answers_of,
    evaluate_shards,
    part_of,
    shards,
)
from eai.version import __version__

__all__ = ["Expected", "Ledger", "StoredRecords", "StoredReport", "StreamedRun"]


class Expected(NamedTuple):
    """What a record has to be about.

    Args:
        column: Number of the model.
        model: Its name.
        task: Identifier of the task.
        output: The answer.
    """

    column: int
    model: str
    task: str
    output: str


class Ledger:
    """A record file that grows by whole shards, in their order; use it in a ``with`` block.

    Args:
        records: The record file.
        journal: The journal.
        models: Number of the models.

    Attributes:
        done: Number of the tasks whose records are in the file.

    Raises:
        InputError: If a file cannot be written.
    """

    def __init__(self, records: Path, journal: Path, *, models: int) -> None:
        self.path = records
        self.done = 0
        self._models = models
        self._size = 0
        self._summing = Summing(models)
        with writing_to(records):
            self._stream = records.open("a+b")
        with writing_to(journal):
            self._journal = journal.open("a+b")
            self._journal.truncate(self._read())

    def __enter__(self) -> Ledger:  # noqa: PYI034  # typing.Self needs Python 3.11
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()
        self._journal.close()

    @property
    def summary(self) -> Summary:
        """What all records in the file add up to."""
        return self._summing.summary()

    def _read(self) -> int:
        """Take in what the journal says; return how much of it is whole and true."""
        there, whole = self._stream.tell(), 0
        self._journal.seek(0)
        for line in self._journal:
            entry = _entry(line)
            if entry is None or entry["size"] > there:
                break
            self.done, self._size = entry["done"], entry["size"]
            self._summing.include(Summary.from_json(entry["summary"]))
            whole += len(line)
        return whole

    def adopt(self, tasks: range, expected: Iterable[Expected]) -> bool:
        """Keep the records of the next shard if they stand in the file; return whether they do.

        Raises:
            InputError: If there are records of something else.
        """
        summing, size = Summing(self._models), self._size
        self._stream.seek(size)
        for wanted in expected:
            line = self._stream.readline()
            if not line.endswith(b"\n"):
                return False
            record = record_from_json(line, where=str(self.path))
            if (record.model, record.task, record.output) != wanted[1:]:
                raise changed_answer(self.path, wanted.model, wanted.task)
            summing.add(wanted.column, record)
            size += len(line)
        self._note(tasks, size, summing.summary())
        return True

    def cut(self) -> None:
        """Remove what stands behind the last shard that counts."""
        with writing_to(self.path):
            self._stream.truncate(self._size)
            self._stream.seek(self._size)

    def append(self, tasks: range, part: Path) -> None:
        """Put the records of the next shard behind the others, and remove its part.

        Raises:
            InputError: If a file cannot be written.
        """
        beside = part.with_suffix(".json")
        with writing_to(self.path):
            with part.open("rb") as source:
                shutil.copyfileobj(source, self._stream)
            self._stream.flush()
            self._note(tasks, self._stream.tell(), Summary.from_json(beside.read_text("ascii")))
            part.unlink()
            beside.unlink()

    def _note(self, tasks: range, size: int, summary: Summary) -> None:
        entry = {"done": tasks.stop, "size": size, "summary": summary.to_json()}
        with writing_to(self.path):
            self._journal.write(f"{json.dumps(entry)}\n".encode("ascii"))
            self._journal.flush()
        self.done, self._size = tasks.stop, size
        self._summing.include(summary)


def _entry(line: bytes) -> Any:  # noqa: ANN401
    """What a line of the journal says; None if it is cut off or damaged."""
    try:
        return json.loads(line) if line.endswith(b"\n") else None
    except ValueError:
        return None


_EVERY = 8
"""The place of every so many-th line is remembered."""


class _Lines:
    """The lines of a file by number."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @cached_property
    def _places(self) -> array[int]:
        found, place = array("Q"), 0
        with self._path.open("rb") as stream:
            for number, line in enumerate(stream):
                if number % _EVERY == 0:
                    found.append(place)
                place += len(line)
        return found

    def __call__(self, numbers: Iterable[int]) -> Iterator[bytes]:
        """Yield the lines with these numbers."""
        following = -1
        with self._path.open("rb") as stream:
            for number in numbers:
                if number != following:
                    stream.seek(self._places[number // _EVERY])
                    for _ in range(number % _EVERY):
                        stream.readline()
                yield stream.readline()
                following = number + 1


class StoredRecords(Sequence[Record]):
    """Records of a file in which they stand task by task, in the order model by model.

    Args:
        path: The file; it may not change any more.
        tasks: Number of the tasks.
        models: Number of the models.
    """

    def __init__(self, path: Path, *, tasks: int, models: int) -> None:
        self.path = path
        self._tasks = tasks
        self._models = models
        self._chosen = range(tasks * models)
        self._lines = _Lines(path)

    def model(self, number: int) -> StoredRecords:
        """Return the records of one model."""
        return self._part(range(number * self._tasks, (number + 1) * self._tasks))

    def _part(self, chosen: range) -> StoredRecords:
        part = copy(self)
        part._chosen = chosen  # noqa: SLF001  # a copy of this
        return part

    def __len__(self) -> int:
        return len(self._chosen)

    def __iter__(self) -> Iterator[Record]:
        return self._read(self._chosen)

    @overload
    def __getitem__(self, index: int) -> Record: ...

    @overload
    def __getitem__(self, index: slice) -> StoredRecords: ...

    def __getitem__(self, index: int | slice) -> Record | StoredRecords:
        if isinstance(index, slice):
            return self._part(self._chosen[index])
        return next(self._read((self._chosen[index],)))

    def _read(self, places: Iterable[int]) -> Iterator[Record]:
        for line in self._lines(map(self._number, places)):
            yield record_from_json(line, where=str(self.path))

    def _number(self, place: int) -> int:
        """The number of the line of a record."""
        model, task = divmod(place, self._tasks)
        return task * self._models + model


class StoredReport(Report):
    """A report whose records stay on disk.

    Args:
        records: The records.
        tallies: The counts of every model.
        notes: Remarks on the run.
        setting: What was run.
        view: How the ability is reported.

    Attributes:
        path: The file of the records.
    """

    def __init__(
        self,
        records: StoredRecords,
        tallies: Mapping[str, Tally],
        notes: Iterable[str] = (),
        *,
        setting: Setting,
        view: View | None = None,
    ) -> None:
        super().__init__((), notes, setting=setting, view=view)
        self.records = self._stored = records
        self.path = records.path
        self._counts = dict(tallies)

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models, in their order."""
        return tuple(self._counts)

    def of(self, model: str) -> Sequence[Record]:
        """Return the records of one model.

        Raises:
            UnknownNameError: If the report has no such model.
        """
        return self._stored.model(self.models.index(self._known(model)))

    @cached_property
    def _tallies(self) -> dict[str, Tally]:
        return self._counts


Progress = Callable[[int, int], None]

_FEW = 20_000
"""Up to so many records are read back into memory."""


class StreamedRun:
    """A run that goes through files.

    Args:
        evaluator: Evaluates answers in this process.
        folder: Where everything is written.
        reference: What other processes find the suite by.
        choice: Which tasks are evaluated; by default all.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        folder: Folder,
        reference: str | bytes,
        choice: Choice | None = None,
    ) -> None:
        self._evaluator = evaluator
        self._folder = folder
        self._reference = reference
        self._choice = choice or Choice(evaluator.ids)

    def report(
        self, predictions: object, *, workers: int | Executor = 1, progress: Progress | None = None
    ) -> Report:
        """Evaluate predictions.

        Args:
            predictions: What :func:`eai.predictions.load_all` takes.
            workers: Number of processes, or an executor.
            progress: Called with the number of evaluated answers and of all, after every shard.

        Raises:
            InputError: If the predictions cannot be read, do not fit, or changed since the run
                was interrupted; if no task can be used, a file cannot be written, or a worker
                ended.
        """
        models, notes, home = self._store(predictions)
        evaluator = self._evaluator
        chosen = evaluator.ids if self._choice.name else None
        self._folder.begin(models, chosen, count=len(evaluator.ids) * len(models))
        job = Job(
            self._reference,
            evaluator.ability,
            evaluator.semantics,
            evaluator.corrected,
            models,
            len(evaluator.ids),
            str(home),
            uuid4().hex,
        )
        summary = self._evaluate(job, workers, progress)
        self._refuse_if_unusable(summary)
        notes += [f"task {task} left out: {note}" for task, note in summary.mistakes.items()]
        records = StoredRecords(self._folder.records, tasks=len(evaluator.ids), models=len(models))
        view = view_of(evaluator.ability, evaluator.suite)
        if len(records) <= _FEW:
            return Report(records, notes, setting=self._folder.setting, view=view)
        tallies = dict(zip(models, summary.tallies, strict=True))
        return StoredReport(records, tallies, notes, setting=self._folder.setting, view=view)

    def _store(self, predictions: object) -> tuple[tuple[str, ...], list[str], Path]:
        """Write the answers to disk; return the models, what to say, and where they lie."""
        fresh = self._folder.work / "new"
        with writing_to(fresh):
            shutil.rmtree(fresh, ignore_errors=True)
            fresh.mkdir(parents=True)
        try:
            models, notes, checksum = self._read(predictions, fresh)
            return models, notes, self._settle(fresh, checksum)
        except BaseException:
            shutil.rmtree(fresh, ignore_errors=True)
            with suppress(OSError):  # they go if they are empty
                self._folder.work.rmdir()
                self._folder.path.rmdir()
            raise

    def _read(self, predictions: object, fresh: Path) -> tuple[tuple[str, ...], list[str], str]:
        evaluator, suite = self._evaluator, self._evaluator.suite
        ids = suite.task_ids()
        tasks = frozenset(ids)
        with AnswerFile(fresh, ids, suite.canonical_id) as file:
            found = load_all(
                predictions,
                is_task=lambda name: suite.canonical_id(name) in tasks,
                store=file.answers,
            )
            answers = {of.model: _stored(of, file) for of in found}
            notes = remarks(suite, found, [_fit(each, file) for each in answers.values()])
            evaluated = None
            if self._choice.name:
                marks = [each.marks for each in answers.values()]
                there = {place for place, row in enumerate(zip(*marks, strict=True)) if any(row)}
                evaluated = self._choice.places(ids, there)
                evaluator.ids = [ids[place] for place in evaluated]
            return tuple(answers), notes, file.finish(answers, evaluated)

    def _settle(self, fresh: Path, checksum: str) -> Path:
        """Give the answers a place of their own: what is left of another run stays apart."""
        setting, evaluator = self._folder.setting, self._evaluator
        quirks = sorted(evaluator.semantics.quirks)
        told = repr((checksum, setting, quirks, __version__))
        home = fresh.with_name(blake2b(told.encode(), digest_size=16).hexdigest())
        others = [other for other in self._folder.work.iterdir() if other not in (fresh, home)]
        if others and self._folder.resumes:
            raise InputError(
                "the predictions changed since the run stopped, or the choice of tasks",
                where=str(self._folder.path),
                expected="the same ones, so that it can go on",
                mend="start over (force=True, --force)",
            )
        with writing_to(home):
            if not self._folder.resumes:
                self._folder.records.unlink(missing_ok=True)
                for other in (*others, home):
                    shutil.rmtree(other, ignore_errors=True)
            if not home.exists():
                fresh.rename(home)
        shutil.rmtree(fresh, ignore_errors=True)
        return home

    def _evaluate(self, job: Job, workers: int | Executor, progress: Progress | None) -> Summary:
        cuts = shards(job.tasks, len(job.models))
        journal = Path(job.folder) / "journal.jsonl"
        with Ledger(self._folder.records, journal, models=len(job.models)) as ledger:
            ahead = (shard for shard in cuts if shard.start >= ledger.done)
            for shard in ahead:
                if not ledger.adopt(shard, self._expected(job, shard)):
                    break
            ledger.cut()
            rest = [shard for shard in cuts if shard.start >= ledger.done]
            for shard in evaluate_shards(job, rest, workers=workers, evaluator=self._evaluator):
                ledger.append(shard, part_of(job.folder, shard))
                if progress is not None:
                    progress(shard.stop * len(job.models), job.tasks * len(job.models))
            return ledger.summary

    def _expected(self, job: Job, shard: range) -> Iterator[Expected]:
        answers = answers_of(Path(job.folder), shard, models=len(job.models), of=job.tasks)
        for place, model, answer in answers:
            yield Expected(model, job.models[model], self._evaluator.ids[place], answer or "")

    def _refuse_if_unusable(self, summary: Summary) -> None:
        ids = self._evaluator.ids
        if ids and len(summary.mistakes) == len(ids):
            self._evaluator.record("", ids[0], None)
            if self._evaluator.first_mistake is not None:
                raise self._evaluator.first_mistake


def _stored(predictions: Predictions, file: AnswerFile) -> StoredAnswers:
    """The answers of a model on disk; those that are values in memory are written now."""
    items = predictions.items
    if not isinstance(items, StoredAnswers):
        written = file.answers()
        for raw, text in items.items():
            if raw not in written:
                written[raw] = text
        return written
    return items


def _fit(answers: StoredAnswers, file: AnswerFile) -> Fit:
    return Fit(answers.answered, list(map(file.task, answers.second)), answers.strange)
