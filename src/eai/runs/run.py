"""A run: answers are read, evaluated here or in workers, and made into a report.

It is the same in memory and on disk, and after an interruption: answers and records go through a
journal, and what is there with the same key is not evaluated again.
"""

from __future__ import annotations

import shutil
import tempfile
import weakref
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from hashlib import blake2b
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from uuid import uuid4

from eai.contract import PLANS, version_of
from eai.predictions import load_all
from eai.report import Counting, Record, Report, Setting, record_from_json, record_to_json, view_of
from eai.runs.evaluator import Evaluator, Item, mistake, triviality
from eai.runs.folder import RunFolder
from eai.runs.journal import Answers, Journal
from eai.runs.matching import Choice, add_hints, fit, remarks
from eai.runs.stored import StoredRecords, StoredReport
from eai.text import counted
from eai.version import __version__

if TYPE_CHECKING:
    from concurrent.futures import Executor

_Whose = tuple[str, int]
"""A model, and which of its samples (0 if it has one only)."""

Progress = Callable[[int, int], None]
"""Called with the number of evaluated answers and the number of all."""

_FEW = 20_000
"""Up to so many records are held in memory."""


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
    """Evaluate predictions.

    Args:
        evaluator: Evaluates answers in this process.
        predictions: What :func:`eai.predictions.load_all` takes.
        choice: Which tasks are evaluated.
        target: Where the run is written, if it is.
        progress: Called after every evaluated answer.
        workers: Number of processes (1 is this one), or an executor.
        reference: What other processes find the suite by.

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
        numbers, notes, kept, whose = _read(predictions, evaluator, choice, journal, folder)
        if evaluator.rules:
            from eai.runs.rules import check_rules

            notes += check_rules(evaluator.rules, suite, evaluator.ids)
        going = _Run(evaluator, journal, numbers, whose, progress, keep=folder is not None)
        if folder is not None:
            chosen = evaluator.ids if choice.name else None
            folder.begin(
                list(numbers), chosen, count=going.count, kept=kept, answered=choice.answered
            )
        if workers == 1:
            going.evaluate()
        else:
            going.send(reference, workers)
        # Of a run that was interrupted the record file may be missing, or in another order.
        same = folder is not None and folder.is_complete and not going.evaluated
        if folder is not None and not same:
            folder.save(going.lines())
        report = going.report(setting, notes, None if folder is None else folder.records)
        report.evaluated_now = going.evaluated
        if evaluator.rules and not any(report.tally(model).rules for model in report.models):
            unused = "the rules were not evaluated: no plan was run in a task that they are for"
            report.notes = (*report.notes, unused)
        add_hints(report, suite, answered=choice.answered)
        if folder is not None:
            same, reader = same and folder.is_same(report), None
            if evaluator.ability == PLANS:  # only answers that are plans are run again
                from eai.report import details_reader

                reader = details_reader(suite, evaluator.semantics)
            folder.finish(report, reader, same=same)
    return report


def _read(
    predictions: object,
    evaluator: Evaluator,
    choice: Choice,
    journal: Journal,
    folder: RunFolder | None,
) -> tuple[dict[str, array[int]], list[str], list[str], dict[str, _Whose]]:
    """Read predictions into the journal and choose the tasks.

    Returns:
        For each model, or each of its samples, by its label the numbers of its answers, task by
        task (0: there is none); what is said of the answers that are left out; the labels of those
        whose answers are in the folder only; and which model and sample a label stands for.
    """
    suite, ids = evaluator.suite, evaluator.ids
    tasks, former = frozenset(ids), suite.abilities[evaluator.ability].former
    found = load_all(
        predictions,
        is_task=lambda name: suite.canonical_id(name) in tasks,
        store=journal.answers,
    )
    numbers, fits, whose = dict[str, "array[int]"](), [], dict[str, _Whose]()
    for of_model in found:
        answers = of_model.items
        if not isinstance(answers, Answers):  # they were read before
            answers = journal.answers()
            answers.update(of_model.items)
        known, fitting = fit(suite, answers.numbers(), tasks, former)
        whose[of_model.label] = of_model.model, of_model.epoch
        numbers[of_model.label] = array("Q", [known.get(task, 0) for task in ids])
        fits.append(fitting)
    notes = remarks(suite, found, fits)
    kept = {} if folder is None else folder.kept(numbers)
    for label, (texts, of) in kept.items():
        answers = journal.answers()
        answers.update(texts)
        known = dict(answers.numbers())
        numbers[label], whose[label] = array("Q", [known.get(task, 0) for task in ids]), of
    if folder is not None:  # those that were there come first
        notes += folder.notes_of({model for _, (model, _) in kept.values()})
        order = dict.fromkeys((*folder.models, *numbers))
        numbers = {label: numbers[label] for label in order if label in numbers}
    # The samples of a model stand side by side, also where they came apart.
    models = list(dict.fromkeys(whose[label][0] for label in numbers))
    together = sorted(numbers, key=lambda label: models.index(whose[label][0]))
    numbers = {label: numbers[label] for label in together}
    if choice.name:
        rows = enumerate(zip(*numbers.values(), strict=True))
        locations = choice.locations(ids, {place for place, row in rows if any(row)})
        evaluator.ids = [ids[place] for place in locations]
        numbers = {
            model: array("Q", [of_model[place] for place in locations])
            for model, of_model in numbers.items()
        }
    return numbers, list(dict.fromkeys(notes)), list(kept), whose


def _hash(evaluator: Evaluator) -> blake2b:
    """A hash of all that records of a run are made of but for tasks and answers."""
    semantics, suite = evaluator.semantics, evaluator.suite
    version = version_of(suite, evaluator.ability)
    parts = (suite.name, version, evaluator.ability, str(semantics))
    meaning = (sorted(semantics.quirks), semantics.budget, __version__)
    rules = (evaluator.rules,) if evaluator.rules else ()
    reported = repr((*parts, *meaning, *rules))
    return blake2b(reported.encode(), digest_size=16)


def _key(base: blake2b, task: str, answer: str | None) -> bytes:
    """A hash of all that a record is made of."""
    found = base.copy()
    found.update(repr((task, answer)).encode("utf-8", "surrogatepass"))
    return found.digest()


_NAMED = 10
"""So many tasks that are solved by saying nothing are named in a note."""


class _Run:
    """What is to be evaluated, and what came of it.

    Args:
        journal: Where the answers are, and records are kept.
        numbers: For each model, or sample of one, by its label the numbers of its answers.
        whose: Label to model and number of the sample.
        keep: Whether records go into the journal even if they are few.

    Attributes:
        evaluated: Number of answers whose records were not there.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        journal: Journal,
        numbers: Mapping[str, array[int]],
        whose: Mapping[str, _Whose],
        progress: Progress | None,
        *,
        keep: bool,
    ) -> None:
        self.count = len(evaluator.ids) * len(numbers)
        self._evaluator = evaluator
        self._journal = journal
        self._numbers = numbers
        self._whose = whose
        self._progress = progress
        self._done = self.evaluated = 0
        self._few = self.count <= _FEW
        self._keep = keep or not self._few
        self._records: dict[tuple[str, str], Record] = {}
        self._samples = Counter(whose[label][0] for label in numbers)
        self._counts = {model: Counting() for model in self._samples}
        self._mistakes: dict[str, str] = {}
        self._trivial: set[str] = set()
        self._has_counted = False
        self._why_excluded = ""
        self._is_new = journal.is_empty
        self._key = partial(_key, _hash(evaluator))

    def _items(self) -> Iterator[Item]:
        """The answers whose records are not in the journal.

        Task by task, so that each task is loaded once however many models there are.
        """
        for place, task in enumerate(self._evaluator.ids):
            known = {} if self._is_new else self._journal.known(task)
            for label, numbers in self._numbers.items():
                number = numbers[place]
                answer = self._journal.answer(number) if number else None
                key, line = known.get(label, (b"", b""))
                if key == self._key(task, answer):
                    self._take(label, record_from_json(line))
                else:
                    self.evaluated += 1
                    model, epoch = self._whose[label]
                    yield Item(model, task, answer, epoch)

    def _take(self, label: str, record: Record) -> None:
        if self._few:
            self._records[label, record.task] = record
        else:
            self._counts[record.model].add(record.result)
        if (found := mistake(record)) is not None:
            self._mistakes[record.task] = found
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

        of = self._evaluator
        job = Job(reference, of.ability, of.semantics, of.corrected, of.rules, uuid4().hex)
        for batch, lines in evaluated(job, self._items(), count=self.count, workers=workers):
            for item, line in zip(batch, lines, strict=True):
                if self._keep:
                    key = self._key(item.task, item.answer)
                    self._journal.put(item.task, item.label, key, line)
                self._take(item.label, record_from_json(line))

    def lines(self) -> Iterator[bytes]:
        """Yield the lines of all records, task by task."""
        for task in self._evaluator.ids:
            known = self._journal.known(task)
            yield from (known[label][1] for label in self._numbers)

    def report(self, setting: Setting, notes: list[str], path: Path | None) -> Report:
        """Make the report of a run that is complete.

        Raises:
            InputError: If no task could be used: what is wrong with the first.
        """
        evaluator, ids = self._evaluator, self._evaluator.ids
        folder = None
        records: Sequence[Record]
        if self._few:
            records = [self._records[label, task] for label in self._numbers for task in ids]
        else:
            if path is None:
                folder = tempfile.mkdtemp(prefix="eai-")
                path = Path(folder) / "records.jsonl"
                with path.open("wb") as stream:
                    stream.writelines(b"%s\n" % line for line in self.lines())
            records = StoredRecords(path, tasks=len(ids), models=len(self._numbers))
        mistakes = self._mistakes
        if ids and len(mistakes) == len(ids):
            evaluator.record("", ids[0], None)
            if evaluator.first_mistake is not None:
                raise evaluator.first_mistake
        notes += [f"task {task} left out: {mistakes[task]}" for task in ids if task in mistakes]
        if self._why_excluded and not self._has_counted:
            notes.append(f"no task counts; the first: {self._why_excluded}")
        trivial = [task for task in ids if task in self._trivial]
        if trivial:
            is_strict = evaluator.semantics.is_strict
            what = "left out" if is_strict else "counted as solved, as published"
            names = ", ".join(trivial[:_NAMED])
            more = f" and {len(trivial) - _NAMED} more" if len(trivial) > _NAMED else ""
            count = counted(len(trivial), "task")
            notes.append(f"{count} that can be solved by saying nothing {what}: {names}{more}")
        view = view_of(evaluator.ability, evaluator.suite)
        if not isinstance(records, StoredRecords):
            return Report(records, notes, setting=setting, view=view)
        tallies = {model: counting.tally() for model, counting in self._counts.items()}
        samples = self._samples
        report = StoredReport(records, tallies, notes, setting=setting, view=view, samples=samples)
        if folder is not None:
            weakref.finalize(report, shutil.rmtree, folder, ignore_errors=True)
        return report
