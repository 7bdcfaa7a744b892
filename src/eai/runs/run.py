"""A run: answers are read, evaluated here or in workers, and made into a report.

It is the same in memory and on disk, and after an interruption: answers and records go through a
journal, and what is there with the same key is not evaluated again.
"""

from __future__ import annotations

import shutil
import tempfile
import weakref
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing
from hashlib import blake2b
from os import PathLike
from pathlib import Path
from uuid import uuid4

from eai.contract import PLANS
from eai.predictions import load_all
from eai.report import Counting, Record, Report, Setting, record_from_json, record_to_json, view_of
from eai.runs.evaluator import Evaluator, mistake
from eai.runs.folder import RunFolder
from eai.runs.journal import Answers, Journal
from eai.runs.matching import Choice, add_hints, fit, remarks
from eai.runs.stored import StoredRecords, StoredReport
from eai.runs.workers import Item, Job, evaluated
from eai.version import __version__

Progress = Callable[[int, int], None]
"""Called with the number of evaluated answers and the number of all."""

_FEW = 20_000
"""Up to so many records are held in memory."""


def run(
    evaluator: Evaluator,
    predictions: object,
    choice: Choice,
    *,
    output: str | PathLike[str] | None = None,
    force: bool = False,
    progress: Progress | None = None,
    workers: int | Executor = 1,
    reference: str | bytes = "",
) -> Report:
    """Evaluate predictions.

    Args:
        evaluator: Evaluates answers in this process.
        predictions: What :func:`eai.predictions.load_all` takes.
        choice: Which tasks are evaluated.
        output: A folder for the run.
        force: Whether the files of another run there may be replaced.
        progress: Called after every evaluated answer.
        workers: Number of processes (1 is this one), or an executor.
        reference: What other processes find the suite by.

    Raises:
        InputError: If the predictions cannot be read or do not fit, if no task can be used, a file
            cannot be written, or a worker ended.
        OutputExistsError: If there is another or a complete run and ``force`` is off.
    """
    suite = evaluator.suite
    setting = Setting(suite.name, suite.version, evaluator.ability, str(evaluator.semantics))
    folder = None
    if output is not None:
        folder = RunFolder(output, setting, evaluator.semantics, force=force)
    journal = Journal() if folder is None else folder.journal
    with closing(journal if folder is None else folder), journal:
        numbers, notes = _read(predictions, evaluator, choice, journal)
        going = _Run(evaluator, journal, numbers, progress, keep=folder is not None)
        if folder is not None:
            chosen = evaluator.ids if choice.name else None
            folder.begin(list(numbers), chosen, count=going.count)
        if workers == 1:
            going.evaluate()
        else:
            about = (evaluator.ability, evaluator.semantics, evaluator.corrected)
            going.send(Job(reference, *about, uuid4().hex), workers)
        if folder is not None:
            folder.save(going.lines())
        report = going.report(setting, notes, None if folder is None else folder.records)
        add_hints(report, suite, answered=choice.answered)
        if folder is not None:
            reader = None
            if evaluator.ability == PLANS:  # only answers that are plans are run again
                from eai.report import details_reader

                reader = details_reader(suite, evaluator.semantics)
            folder.finish(report, reader)
    return report


def _read(
    predictions: object, evaluator: Evaluator, choice: Choice, journal: Journal
) -> tuple[dict[str, array[int]], list[str]]:
    """Read predictions into the journal and choose the tasks.

    Returns:
        For each model the numbers of its answers, task by task (0: there is none); and what is said
        of the answers that are left out.
    """
    suite, ids = evaluator.suite, evaluator.ids
    tasks, former = frozenset(ids), suite.abilities[evaluator.ability].former
    found = load_all(
        predictions,
        is_task=lambda name: suite.canonical_id(name) in tasks,
        store=journal.answers,
    )
    numbers, fits = dict[str, "array[int]"](), []
    for of_model in found:
        answers = of_model.items
        if not isinstance(answers, Answers):  # they were read before
            answers = journal.answers()
            answers.update(of_model.items)
        known, fitting = fit(suite, answers.numbers(), tasks, former)
        numbers[of_model.model] = array("Q", [known.get(task, 0) for task in ids])
        fits.append(fitting)
    notes = remarks(suite, found, fits)
    if choice.name:
        rows = enumerate(zip(*numbers.values(), strict=True))
        locations = choice.locations(ids, {place for place, row in rows if any(row)})
        evaluator.ids = [ids[place] for place in locations]
        numbers = {
            model: array("Q", [of_model[place] for place in locations])
            for model, of_model in numbers.items()
        }
    return numbers, notes


class _Run:
    """What is to be evaluated, and what came of it.

    Args:
        evaluator: Evaluates answers in this process.
        journal: Where the answers are, and records are kept.
        numbers: For each model the numbers of its answers, task by task.
        progress: Called after every evaluated answer.
        keep: Whether records go into the journal even if they are few.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        journal: Journal,
        numbers: Mapping[str, array[int]],
        progress: Progress | None,
        *,
        keep: bool,
    ) -> None:
        self.count = len(evaluator.ids) * len(numbers)
        self._evaluator = evaluator
        self._journal = journal
        self._numbers = numbers
        self._progress = progress
        self._done = 0
        self._few = self.count <= _FEW
        self._keep = keep or not self._few
        self._records: dict[tuple[str, str], Record] = {}
        semantics, suite = evaluator.semantics, evaluator.suite
        parts = (suite.name, suite.version, evaluator.ability, str(semantics))
        reported = repr((*parts, sorted(semantics.quirks), semantics.budget, __version__))
        self._hash = blake2b(reported.encode(), digest_size=16)

    def _key(self, task: str, answer: str | None) -> bytes:
        """A hash of all that a record is made of."""
        found = self._hash.copy()
        found.update(repr((task, answer)).encode("utf-8", "surrogatepass"))
        return found.digest()

    def _items(self) -> Iterator[Item]:
        """The answers whose records are not in the journal.

        Task by task, so that each task is loaded once however many models there are.
        """
        for place, task in enumerate(self._evaluator.ids):
            known = self._journal.known(task)
            for model, numbers in self._numbers.items():
                number = numbers[place]
                answer = self._journal.answer(number) if number else None
                key, line = known.get(model, (b"", b""))
                if key == self._key(task, answer):
                    if self._few:
                        self._records[model, task] = record_from_json(line)
                    self._step()
                else:
                    yield Item(model, task, answer)

    def _step(self) -> None:
        self._done += 1
        if self._progress is not None:
            self._progress(self._done, self.count)

    def evaluate(self) -> None:
        """Evaluate the answers in this process."""
        for item in self._items():
            record = self._evaluator.record(*item)
            if self._few:
                self._records[item.model, item.task] = record
            if self._keep:
                key = self._key(item.task, item.answer)
                self._journal.put(item.task, item.model, key, record_to_json(record))
            self._step()

    def send(self, job: Job, workers: int | Executor) -> None:
        """Evaluate the answers in other processes."""
        for batch, lines in evaluated(job, self._items(), count=self.count, workers=workers):
            for item, line in zip(batch, lines, strict=True):
                if self._few:
                    self._records[item.model, item.task] = record_from_json(line)
                if self._keep:
                    key = self._key(item.task, item.answer)
                    self._journal.put(item.task, item.model, key, line)
                self._step()

    def lines(self) -> Iterator[bytes]:
        """Yield the lines of all records, task by task."""
        for task in self._evaluator.ids:
            known = self._journal.known(task)
            yield from (known[model][1] for model in self._numbers)

    def report(self, setting: Setting, notes: list[str], path: Path | None) -> Report:
        """Make the report of a run that is complete.

        Args:
            setting: What was run.
            notes: Remarks on the run.
            path: The file of the records, if they were saved.

        Raises:
            InputError: If no task could be used: what is wrong with the first.
        """
        evaluator, ids = self._evaluator, self._evaluator.ids
        folder = None
        records: Sequence[Record]
        if self._few:
            records = [self._records[model, task] for model in self._numbers for task in ids]
        else:
            if path is None:
                folder = tempfile.mkdtemp(prefix="eai-")
                path = Path(folder) / "records.jsonl"
                with path.open("wb") as stream:
                    stream.writelines(b"%s\n" % line for line in self.lines())
            records = StoredRecords(path, tasks=len(ids), models=len(self._numbers))
        mistakes = dict[str, str]()
        counts = {model: Counting() for model in self._numbers}
        for record in records:
            counts[record.model].add(record.result)
            if (found := mistake(record)) is not None:
                mistakes[record.task] = found
        if ids and len(mistakes) == len(ids):
            evaluator.record("", ids[0], None)
            if evaluator.first_mistake is not None:
                raise evaluator.first_mistake
        notes += [f"task {task} left out: {found}" for task, found in mistakes.items()]
        view = view_of(evaluator.ability, evaluator.suite)
        if not isinstance(records, StoredRecords):
            return Report(records, notes, setting=setting, view=view)
        tallies = {model: counting.tally() for model, counting in counts.items()}
        report = StoredReport(records, tallies, notes, setting=setting, view=view)
        if folder is not None:
            weakref.finalize(report, shutil.rmtree, folder, ignore_errors=True)
        return report
