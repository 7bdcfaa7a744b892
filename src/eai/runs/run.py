"""A run: answers are read, evaluated here or in workers, and made into a report.

It is the same in memory and on disk, and after an interruption: answers and records go through a
journal. A record in the journal has a key, which is a hash of everything that it is made of; an
answer whose record is there with the same key is not evaluated again.
"""

from __future__ import annotations

import shutil
import tempfile
import weakref
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from uuid import uuid4

from eai.contract import PLANS, check_rules, version_of
from eai.predictions import load_all
from eai.report import Counting, Record, Report, Setting, record_from_json, record_to_json, view_of
from eai.runs.evaluator import Evaluator, RunItem, mistake, triviality
from eai.runs.folder import RunFolder
from eai.runs.journal import Answers, Journal
from eai.runs.matching import Choice, add_hints, fit, remarks
from eai.runs.stored import StoredRecords, StoredReport
from eai.text import counted
from eai.version import __version__

if TYPE_CHECKING:
    from concurrent.futures import Executor

_Sample = tuple[str, int]
"""A model, and the number of one of its samples (0 if it has only one)."""

Progress = Callable[[int, int], None]
"""Called with the number of evaluated answers and the number of all."""

_MAX_IN_MEMORY = 20_000
"""Maximum number of records held in memory."""


class RunTarget(NamedTuple):
    """Where a run is written.

    Args:
        folder: The folder.
        force: Whether the files of another run there may be replaced.
        found_as: ``module:attribute`` of the suite, if it was named like this.
    """

    folder: str | PathLike[str]
    force: bool = False
    found_as: str = ""


def run(
    evaluator: Evaluator,
    predictions: object,
    choice: Choice,
    *,
    target: RunTarget | None = None,
    progress: Progress | None = None,
    workers: int | Executor = 1,
    reference: str | bytes = "",
) -> Report:
    """Evaluate predictions and return the report.

    Args:
        evaluator: Evaluates answers in this process.
        predictions: Predictions, as :func:`eai.predictions.load_all` takes them.
        choice: The tasks to evaluate.
        target: Where the run is written, if it is.
        progress: Called after every evaluated answer.
        workers: Number of processes (1 is this one), or an executor.
        reference: Name by which other processes find the suite, or the pickled suite.

    Raises:
        InputError: If the predictions cannot be read or do not fit, if no task can be used, a file
            cannot be written, or a worker ended.
        OutputExistsError: If there is another or a complete run and ``force`` is off.
    """
    suite = evaluator.suite
    setting = Setting(
        suite.name,
        version_of(suite, evaluator.ability),
        evaluator.ability,
        str(evaluator.semantics),
    )
    folder = None
    if target is not None:
        folder = RunFolder(
            target.folder,
            setting,
            evaluator.semantics,
            force=target.force,
            extend=True,
            content=suite.content,
            found_as=target.found_as,
            rules=evaluator.rules,
        )
    journal = Journal() if folder is None else folder.journal
    with closing(journal if folder is None else folder), journal:
        if folder is not None:
            folder.restore(partial(_key, _hash(evaluator)))
        read = _read(predictions, evaluator, choice, journal, folder)
        notes = list(read.notes)
        if evaluator.rules:
            notes += check_rules(evaluator.rules, suite, evaluator.ids)
        evaluation = _Evaluation(evaluator, journal, read, progress, keep=folder is not None)
        if folder is not None:
            folder.begin(
                list(read.numbers),
                evaluator.ids if choice.name else None,
                count=evaluation.count,
                kept=read.kept,
                answered=choice.answered,
            )
        if workers == 1:
            evaluation.evaluate()
        else:
            evaluation.send(reference, workers)
        # Of a run that was interrupted the record file may be missing, or in another order.
        is_same = folder is not None and folder.is_complete and not evaluation.evaluated
        if folder is not None and not is_same:
            folder.save(evaluation.lines())
        records = None if folder is None else folder.records
        report = evaluation.report(setting, notes, records)
        report.evaluated_now = evaluation.evaluated
        if evaluator.rules and not any(report.tally(model).rules for model in report.models):
            unused = "the rules were not evaluated: no plan was run in a task that they are for"
            report.notes = (*report.notes, unused)
        add_hints(report, suite, answered=choice.answered)
        if folder is not None:
            reader = None
            if evaluator.ability == PLANS:  # only answers that are plans are run again
                from eai.report import details_reader

                reader = details_reader(suite, evaluator.semantics)
            is_same = is_same and folder.is_same(report)
            folder.finish(report, reader, same=is_same)
    return report


@dataclass
class _Read:
    """The answers of a run.

    A label stands for a model, or for one of its samples.

    Args:
        numbers: Label to the number of the answer to each task; 0 where there is none.
        samples: Label to the model and the number of the sample.
        notes: Notes about answers that are left out.
        kept: Labels of those whose answers are in the folder of the run, and are not given now.
    """

    numbers: dict[str, array[int]] = field(default_factory=dict)
    samples: dict[str, _Sample] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)

    def add(
        self, label: str, sample: _Sample, by_task: Mapping[str, int], ids: Sequence[str]
    ) -> None:
        """Add a model or a sample.

        Args:
            label: Its label.
            sample: The model and the number of the sample.
            by_task: Task to the number of the answer.
            ids: Identifiers of all tasks.
        """
        self.samples[label] = sample
        self.numbers[label] = array("Q", [by_task.get(task, 0) for task in ids])

    def sort(self, first: Sequence[str]) -> None:
        """Sort by model, in the order in which models first appear, so that samples are adjacent.

        Args:
            first: Labels that come before all others.
        """
        labels = [
            label for label in dict.fromkeys((*first, *self.numbers)) if label in self.numbers
        ]
        models = list(dict.fromkeys(self.samples[label][0] for label in labels))
        labels.sort(key=lambda label: models.index(self.samples[label][0]))
        self.numbers = {label: self.numbers[label] for label in labels}

    def select(self, locations: Sequence[int]) -> None:
        """Leave out all tasks but those with these indices."""
        for label, numbers in self.numbers.items():
            self.numbers[label] = array("Q", [numbers[index] for index in locations])


def _read(
    predictions: object,
    evaluator: Evaluator,
    choice: Choice,
    journal: Journal,
    folder: RunFolder | None,
) -> _Read:
    """Read predictions into the journal, and leave only the chosen tasks to the evaluator."""
    suite, ids = evaluator.suite, evaluator.ids
    tasks = frozenset(ids)
    former = suite.abilities[evaluator.ability].former
    loaded = load_all(
        predictions,
        is_task=lambda name: suite.canonical_id(name) in tasks,
        store=journal.answers,
    )
    read = _Read()
    fits = []
    for of_model in loaded:
        answers = of_model.items
        if not isinstance(answers, Answers):  # given as a mapping, so not in the journal yet
            answers = journal.answers()
            answers.update(of_model.items)
        by_task, of_fit = fit(suite, answers.numbers(), tasks, former)
        read.add(of_model.label, (of_model.model, of_model.epoch), by_task, ids)
        fits.append(of_fit)
    read.notes += remarks(suite, loaded, fits)
    if folder is not None:
        kept = folder.kept(read.numbers)
        for label, (texts, sample) in kept.items():
            answers = journal.answers()
            answers.update(texts)
            read.add(label, sample, dict(answers.numbers()), ids)
        read.kept += kept
        read.notes += folder.notes_of({model for _, (model, _) in kept.values()})
    # Models that are in the folder already come first.
    read.sort(() if folder is None else folder.models)
    if choice.name:
        answered = {
            index
            for index, of_task in enumerate(zip(*read.numbers.values(), strict=True))
            if any(of_task)
        }
        locations = choice.locations(ids, answered)
        evaluator.ids = [ids[index] for index in locations]
        read.select(locations)
    read.notes = list(dict.fromkeys(read.notes))
    return read


def _hash(evaluator: Evaluator) -> blake2b:
    """Return a hash of all that the records of a run are made of, except tasks and answers."""
    semantics, suite = evaluator.semantics, evaluator.suite
    version = version_of(suite, evaluator.ability)
    parts = (suite.name, version, evaluator.ability, str(semantics))
    meaning = (sorted(semantics.quirks), semantics.budget, __version__)
    rules = (evaluator.rules,) if evaluator.rules else ()
    reported = repr((*parts, *meaning, *rules))
    return blake2b(reported.encode(), digest_size=16)


def _key(base: blake2b, task: str, answer: str | None) -> bytes:
    """Return the key of a record: a hash of all that it is made of."""
    key = base.copy()
    key.update(repr((task, answer)).encode("utf-8", "surrogatepass"))
    return key.digest()


_MAX_NAMED = 10
"""Maximum number of tasks named in a note about tasks that are solved by saying nothing."""


class _Evaluation:
    """The pending and finished evaluations of one run.

    Args:
        evaluator: Evaluates answers in this process.
        journal: Holds the answers, and records as they come.
        read: The answers of the run.
        progress: Called after every evaluated answer.
        keep: Whether records go into the journal even if they are few.

    Attributes:
        count: Number of records that there will be.
        evaluated: Number of answers whose records were not in the journal.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        journal: Journal,
        read: _Read,
        progress: Progress | None,
        *,
        keep: bool,
    ) -> None:
        self.count = len(evaluator.ids) * len(read.numbers)
        self.evaluated = 0
        self._evaluator = evaluator
        self._journal = journal
        self._numbers = read.numbers
        self._sample_of = read.samples
        self._progress = progress
        self._done = 0
        self._in_memory = self.count <= _MAX_IN_MEMORY
        self._keep = keep or not self._in_memory
        # Either the records or the counts of each model are held.
        self._records: dict[tuple[str, str], Record] = {}
        self._samples = Counter(read.samples[label][0] for label in read.numbers)
        self._counts = {model: Counting() for model in self._samples}
        self._mistakes: dict[str, str] = {}
        self._trivial: set[str] = set()
        self._has_counted = False
        self._why_excluded = ""
        self._is_new = journal.is_empty
        self._key = partial(_key, _hash(evaluator))

    def _items(self) -> Iterator[RunItem]:
        """Yield the answers whose records are not in the journal.

        Task by task, so that each task is loaded once however many models there are.
        """
        for index, task in enumerate(self._evaluator.ids):
            stored = {} if self._is_new else self._journal.known(task)
            for label, numbers in self._numbers.items():
                number = numbers[index]
                answer = self._journal.answer(number) if number else None
                key, line = stored.get(label, (b"", b""))
                if key == self._key(task, answer):
                    self._take(label, record_from_json(line))
                else:
                    self.evaluated += 1
                    model, epoch = self._sample_of[label]
                    yield RunItem(model, task, answer, epoch)

    def _take(self, label: str, record: Record) -> None:
        """Count a record, and hold it if there are few."""
        if self._in_memory:
            self._records[label, record.task] = record
        else:
            self._counts[record.model].add(record.result)
        problem = mistake(record)
        if problem is not None:
            self._mistakes[record.task] = problem
        elif triviality(record) is not None:
            self._trivial.add(record.task)
        if record.result.status != "excluded":
            self._has_counted = True
        elif record.result.notes and not self._why_excluded:
            self._why_excluded = record.result.notes[0]
        self._done += 1
        if self._progress is not None:
            self._progress(self._done, self.count)

    def evaluate(self) -> None:
        """Evaluate the answers in this process."""
        for item in self._items():
            record = self._evaluator.record(*item)
            if self._keep:
                key = self._key(item.task, item.answer)
                self._journal.put(item.task, item.label, key, record_to_json(record))
            self._take(item.label, record)

    def send(self, reference: str | bytes, workers: int | Executor) -> None:
        """Evaluate the answers in other processes, which find the suite by a reference."""
        from eai.runs.workers import Job, evaluated

        evaluator = self._evaluator
        job = Job(
            reference,
            evaluator.ability,
            evaluator.semantics,
            evaluator.corrected,
            evaluator.rules,
            uuid4().hex,
        )
        for batch, lines in evaluated(job, self._items(), count=self.count, workers=workers):
            for item, line in zip(batch, lines, strict=True):
                if self._keep:
                    key = self._key(item.task, item.answer)
                    self._journal.put(item.task, item.label, key, line)
                self._take(item.label, record_from_json(line))

    def lines(self) -> Iterator[bytes]:
        """Yield the lines of all records, task by task."""
        for task in self._evaluator.ids:
            stored = self._journal.known(task)
            for label in self._numbers:
                _, line = stored[label]
                yield line

    def report(self, setting: Setting, notes: Sequence[str], path: Path | None) -> Report:
        """Return the report of a run that is complete.

        Args:
            setting: The setting of the run.
            notes: Notes about answers that were left out.
            path: The record file; None if the run has no folder.

        Raises:
            InputError: If no task could be used; the message is about the first one.
        """
        evaluator, ids = self._evaluator, self._evaluator.ids
        if ids and len(self._mistakes) == len(ids):
            evaluator.record("", ids[0], None)
            if evaluator.first_mistake is not None:
                raise evaluator.first_mistake
        all_notes = [*notes, *self._notes()]
        view = view_of(evaluator.ability, evaluator.suite)
        if self._in_memory:
            records = [self._records[label, task] for label in self._numbers for task in ids]
            return Report(records, all_notes, setting=setting, view=view)
        temporary = None
        if path is None:
            temporary = tempfile.mkdtemp(prefix="eai-")
            path = Path(temporary) / "records.jsonl"
            with path.open("wb") as stream:
                stream.writelines(b"%s\n" % line for line in self.lines())
        report = StoredReport(
            StoredRecords(path, tasks=len(ids), models=len(self._numbers)),
            {model: counting.tally() for model, counting in self._counts.items()},
            all_notes,
            setting=setting,
            view=view,
            samples=self._samples,
        )
        if temporary is not None:
            weakref.finalize(report, shutil.rmtree, temporary, ignore_errors=True)
        return report

    def _notes(self) -> Iterator[str]:
        """Yield notes about tasks that were left out, or can be solved by saying nothing."""
        ids = self._evaluator.ids
        for task in ids:
            if task in self._mistakes:
                yield f"task {task} left out: {self._mistakes[task]}"
        if self._why_excluded and not self._has_counted:
            yield f"no task counts; the first: {self._why_excluded}"
        trivial = [task for task in ids if task in self._trivial]
        if trivial:
            is_strict = self._evaluator.semantics.is_strict
            verdict = "left out" if is_strict else "counted as solved, as published"
            names = ", ".join(trivial[:_MAX_NAMED])
            if len(trivial) > _MAX_NAMED:
                names += f" and {len(trivial) - _MAX_NAMED} more"
            count = counted(len(trivial), "task")
            yield f"{count} that can be solved by saying nothing {verdict}: {names}"
