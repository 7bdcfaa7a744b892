"""A run: answers are read, evaluated here or in workers, and made into a report.

It is the same in memory and on disk, and after an interruption: answers and records go through a
journal. A record in the journal has a key, which is a hash of everything that it is made of; an
answer whose record is there with the same key is not evaluated again.
"""

from __future__ import annotations

import json
import os
import shutil
import weakref
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import groupby, islice, product
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from eai.acting import Answer
from eai.contract import PLANS, is_trivial, note_on_trivial, version_of
from eai.digests import blake2b
from eai.predictions import load_all
from eai.report import (
    Counting,
    Record,
    Report,
    Setting,
    UsageSums,
    record_from_json,
    record_to_json,
    view_of,
)
from eai.runs.evaluator import Evaluator, RunItem, mistake
from eai.runs.folder import RunFolder, RunTarget
from eai.runs.journal import Answers, Journal
from eai.runs.matching import Choice, add_hints, match_answers, notes_on_answers
from eai.runs.omissions import notes_on_excluded
from eai.version import __version__

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from eai.report import Reader

_Sample = tuple[str, int]
"""A model, and the number of one of its samples (0 if it has only one)."""

Progress = Callable[[int, int], None]
"""Called with the number of evaluated answers and the number of all."""

_ANSWERS_AT_ONCE = 100
"""Number of answers, or of records, that are read from the journal at once."""

_MAX_IN_MEMORY = 20_000
"""Maximum number of records held in memory; of larger runs only counts are, and the records stay on
disk."""


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
    if target is None:
        # A run in memory has a journal too, in a temporary file, but no folder.
        journal = Journal()
        with closing(journal), journal:
            answers = _read_answers(predictions, evaluator, choice, journal, None)
            evaluation = _Evaluation(evaluator, journal, answers, progress, keep=False)
            evaluation.evaluate(reference, workers)
            return _finished_report(evaluation, setting, choice, None)
    folder = _open_folder(target, setting, evaluator)
    with closing(folder), folder.journal:
        # Before answers are read: those of models that are not given again come from here.
        folder.restore(partial(_record_key, _hash_settings(evaluator)))
        answers = _read_answers(predictions, evaluator, choice, folder.journal, folder)
        evaluation = _Evaluation(evaluator, folder.journal, answers, progress, keep=True)
        folder.begin(
            list(answers.answer_numbers),
            evaluator.ids if choice.name else None,
            count=evaluation.count,
            kept=answers.stored_labels,
            answered=choice.answered,
        )
        evaluation.evaluate(reference, workers)
        # Of a run that was interrupted the record file may be missing, or in another order.
        has_same_records = folder.is_complete and not evaluation.evaluated
        if not has_same_records:
            folder.save(evaluation.lines())
        report = _finished_report(evaluation, setting, choice, folder.records)
        is_same = has_same_records and folder.has_same_report(report)
        folder.finish(report, _reader_of_details(evaluator), same=is_same)
        return report


def _finished_report(
    evaluation: _Evaluation, setting: Setting, choice: Choice, record_file: Path | None
) -> Report:
    """Return the report of a complete run with hints.

    Args:
        evaluation: The evaluation.
        setting: The setting of the run.
        choice: The tasks of the run.
        record_file: The file of its records; None if it has no folder.
    """
    evaluator = evaluation.evaluator
    report = evaluation.report(setting, record_file)
    report.evaluated_now = evaluation.evaluated
    if evaluator.rules:
        _note_unused_rules(report)
    add_hints(report, evaluator.suite, answered=choice.answered)
    return report


def _open_folder(target: RunTarget, setting: Setting, evaluator: Evaluator) -> RunFolder:
    """Open the folder of a run, to resume or extend it if possible."""
    return RunFolder(
        target,
        setting,
        evaluator.semantics,
        extend=True,
        content=evaluator.suite.content,
        rules=evaluator.rules,
    )


def _reader_of_details(evaluator: Evaluator) -> Reader | None:
    """Return the function that computes steps for the page, or None for other abilities."""
    if evaluator.ability != PLANS:
        return None
    from eai.report import details_reader

    return details_reader(evaluator.suite, evaluator.semantics)


def _note_unused_rules(report: Report) -> None:
    """Add a note if no rule was evaluated in any answer."""
    if any(report.tally(model).rules for model in report.models):
        return
    note = "the rules were not evaluated: no plan was run in a task that they are for"
    report.notes = (*report.notes, note)


class _RunAnswers:
    """The answers of a run by model. Their texts are in the journal.

    Numbers rather than texts, as millions of answers would not fit into memory: with the tasks
    ``("a", "b", "c")``, a model that answered the first and the last has the numbers ``[1, 0, 2]``.
    A label stands for a model, or for one of its samples.

    Attributes:
        answer_numbers: Label to the number of the answer to each task; 0 where there is none.
        samples: Label to the model and the number of the sample.
        notes: Notes about answers that are left out.
        stored_labels: Labels of those whose answers are in the folder of the run, and are not given
            now.
    """

    def __init__(self) -> None:
        """Begin without answers."""
        self.answer_numbers: dict[str, array[int]] = {}
        self.samples: dict[str, _Sample] = {}
        self.notes: list[str] = []
        self.stored_labels: list[str] = []

    def add(
        self, label: str, sample: _Sample, number_by_task: Mapping[str, int], ids: Sequence[str]
    ) -> None:
        """Add the answers of a model or a sample.

        Args:
            label: Its label.
            sample: The model and the number of the sample.
            number_by_task: Task to the number of the answer.
            ids: Identifiers of all tasks.
        """
        self.samples[label] = sample
        self.answer_numbers[label] = array("Q", [number_by_task.get(task, 0) for task in ids])

    def sort_by_model(self, first_labels: Sequence[str]) -> None:
        """Sort by model in order of first appearance, so that samples are adjacent.

        Args:
            first_labels: Labels that come before all others; some may have no answers.
        """
        labels_by_model: dict[str, list[str]] = {}
        for label in dict.fromkeys((*first_labels, *self.answer_numbers)):
            if label in self.answer_numbers:
                model, _ = self.samples[label]
                labels_by_model.setdefault(model, []).append(label)
        sorted_numbers = {}
        for labels in labels_by_model.values():
            for label in labels:
                sorted_numbers[label] = self.answer_numbers[label]
        self.answer_numbers = sorted_numbers

    def answered_tasks(self) -> set[int]:
        """Return the indices of the tasks that at least one model answers."""
        task_indices: set[int] = set()
        for numbers in self.answer_numbers.values():
            task_indices.update(index for index, number in enumerate(numbers) if number)
        return task_indices

    def select_tasks(self, task_indices: Sequence[int]) -> None:
        """Keep only the tasks with these indices."""
        for label, numbers in self.answer_numbers.items():
            self.answer_numbers[label] = array("Q", [numbers[index] for index in task_indices])


def _read_answers(
    predictions: object,
    evaluator: Evaluator,
    choice: Choice,
    journal: Journal,
    folder: RunFolder | None,
) -> _RunAnswers:
    """Read predictions into the journal, and keep the answers to chosen tasks.

    The rules are checked here, too: this is the first time that the tasks are known.
    """
    suite = evaluator.suite
    ids = evaluator.ids
    tasks = frozenset(ids)
    former = suite.abilities[evaluator.ability].former
    loaded = load_all(
        predictions,
        is_task=lambda name: suite.canonical_id(name) in tasks,
        store=journal.answers,
    )
    run_answers = _RunAnswers()
    fits = []
    for predictions_of_model in loaded:
        answers = predictions_of_model.items
        if not isinstance(answers, Answers):  # given as a mapping, so not in the journal yet
            answers = journal.answers()
            answers.update(predictions_of_model.items)
        number_by_task, answer_fit = match_answers(suite, answers.numbers(), tasks, former)
        sample = (predictions_of_model.model, predictions_of_model.epoch)
        run_answers.add(predictions_of_model.label, sample, number_by_task, ids)
        fits.append(answer_fit)
    run_answers.notes += notes_on_answers(suite, loaded, fits)
    earlier_models: Sequence[str] = ()
    # Models of an earlier session keep their place before new ones, so that tables stay as they
    # were.
    if folder is not None:
        _add_stored_answers(run_answers, folder, journal, ids)
        earlier_models = folder.models
    run_answers.sort_by_model(earlier_models)
    if choice.name:
        task_indices = choice.task_indices(ids, run_answers.answered_tasks())
        evaluator.ids = [ids[index] for index in task_indices]
        run_answers.select_tasks(task_indices)
    run_answers.notes = list(dict.fromkeys(run_answers.notes))
    if evaluator.rules:
        from eai.contract import check_rules

        run_answers.notes += check_rules(evaluator.rules, suite, evaluator.ids)
    return run_answers


def _add_stored_answers(
    run_answers: _RunAnswers, folder: RunFolder, journal: Journal, ids: Sequence[str]
) -> None:
    """Add the answers in the folder of the run by models that were not given again.

    Args:
        run_answers: The answers of the run, which grow.
        folder: The folder of the run.
        journal: The journal, to which the texts of the answers are added.
        ids: Identifiers of all tasks.
    """
    stored_answers = folder.stored_answers(run_answers.answer_numbers)
    models: set[str] = set()
    for label, (text_by_task, sample) in stored_answers.items():
        answers = journal.answers()
        answers.update(text_by_task)
        run_answers.add(label, sample, dict(answers.numbers()), ids)
        models.add(sample[0])
    run_answers.stored_labels += stored_answers
    run_answers.notes += folder.notes_of(models)


def _hash_settings(evaluator: Evaluator) -> blake2b:
    """Return a hash of all settings that determine records; task and answer are to be added."""
    semantics = evaluator.semantics
    suite = evaluator.suite
    settings: list[object] = [
        suite.name,
        version_of(suite, evaluator.ability),
        evaluator.ability,
        str(semantics),
        sorted(semantics.quirks),
        semantics.budget,
        __version__,
    ]
    # A run without rules keeps the hash that it had before there were rules.
    if evaluator.rules:
        settings.append(evaluator.rules)
    return blake2b(repr(tuple(settings)).encode(), digest_size=16)


def _record_key(settings_hash: blake2b, task: str, answer: str | None) -> bytes:
    """Return the key of a record: a hash of everything that determines it."""
    # The settings are hashed once a run, and only task and answer for each record.
    key = settings_hash.copy()
    key.update(repr((task, answer is None)).encode("utf-8", "surrogatepass"))
    key.update((answer or "").encode("utf-8", "surrogatepass"))
    # An answer that states no usage keeps the key that it had before usages were recorded.
    if isinstance(answer, Answer) and answer.usage:
        key.update(json.dumps(answer.usage).encode("ascii"))
    return key.digest()


class _Evaluation:
    """The pending and finished evaluations of one run.

    Args:
        evaluator: Evaluates answers in this process.
        journal: Holds the answers, and records as they come.
        answers: The answers of the run.
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
        answers: _RunAnswers,
        progress: Progress | None,
        *,
        keep: bool,
    ) -> None:
        """Decide whether records or only counts are held in memory; nothing is evaluated yet."""
        self.count = len(evaluator.ids) * len(answers.answer_numbers)
        self.evaluated = 0
        self.evaluator = evaluator
        self._notes_on_answers = answers.notes
        self._journal = journal
        self._answer_numbers = answers.answer_numbers
        self._sample_of = answers.samples
        self._progress = progress
        self._done = 0
        self._in_memory = self.count <= _MAX_IN_MEMORY
        self._keep = keep or not self._in_memory
        # Either the records or the counts of each model are held.
        self._records: dict[tuple[str, str], Record] = {}
        self._samples = Counter(answers.samples[label][0] for label in answers.answer_numbers)
        self._counts = {model: Counting() for model in self._samples}
        self._usages = {model: UsageSums() for model in self._samples}
        self._mistakes: dict[str, str] = {}
        self._trivial: set[str] = set()
        # The reason by task, for the first record, and how many records of the task are excluded.
        self._reasons_excluded: dict[str, str] = {}
        self._times_excluded: Counter[str] = Counter()
        self._has_counted = False
        self._why_excluded = ""
        self._is_new = journal.is_empty
        self._key = partial(_record_key, _hash_settings(evaluator))

    def _items_to_evaluate(self) -> Iterator[RunItem]:
        """Yield the answers without a stored record, and count the stored ones.

        They are sorted by task, so that each task is loaded once for all models.
        """
        for task_index, task_answers in groupby(self._answers_by_task(), key=itemgetter(0)):
            task = self.evaluator.ids[task_index]
            stored_records: dict[str, tuple[bytes, bytes]] = {}
            if not self._is_new:
                stored_records = self._journal.records_of_task(task)
            for _, label, answer in task_answers:
                if label in stored_records:
                    key, line = stored_records[label]
                    # A change of the answer, the version, the semantics or the rules changes the
                    # key.
                    if key == self._key(task, answer):
                        self._count_record(label, record_from_json(line))
                        continue
                self.evaluated += 1
                model, epoch = self._sample_of[label]
                yield RunItem(model, task, answer, epoch)

    def _answers_by_task(self) -> Iterator[tuple[int, str, str | None]]:
        """Yield (index of the task, label of the model or sample, answer), task by task.

        The answer is None if there is none.
        """
        task_indices = range(len(self.evaluator.ids))
        pairs = product(task_indices, self._answer_numbers)
        while batch := tuple(islice(pairs, _ANSWERS_AT_ONCE)):
            numbers = [self._answer_numbers[label][task_index] for task_index, label in batch]
            texts = self._journal.texts([number for number in numbers if number])
            for (task_index, label), number in zip(batch, numbers, strict=True):
                # No answer has the number 0.
                yield task_index, label, texts.get(number)

    def _count_record(self, label: str, record: Record) -> None:
        """Count a record, and keep it in memory if there are few."""
        # Of a run that is too large to be held the counts are enough; its records are on disk.
        if self._in_memory:
            self._records[label, record.task] = record
        else:
            self._counts[record.model].add(record.result)
            self._usages[record.model].add(record)
        problem = mistake(record)
        if problem is not None:
            self._mistakes[record.task] = problem
        elif is_trivial(record.result):
            self._trivial.add(record.task)
        # With findings, it is the answer that cannot be counted, not the task.
        elif record.result.status == "excluded" and not record.result.findings:
            self._reasons_excluded.setdefault(record.task, " ".join(record.result.notes[:1]))
            self._times_excluded[record.task] += 1
        # If no task counts at all, the report says why the first one does not.
        if record.result.status != "excluded":
            self._has_counted = True
        elif record.result.notes and not self._why_excluded:
            self._why_excluded = record.result.notes[0]
        self._done += 1
        if self._progress is not None:
            self._progress(self._done, self.count)

    def evaluate(self, reference: str | bytes, workers: int | Executor) -> None:
        """Evaluate the answers, in this process or in others.

        Args:
            reference: Name by which other processes find the suite, or the pickled suite.
            workers: Number of processes (1 is this one), or an executor.
        """
        if workers == 1:
            self._evaluate_here()
        else:
            self._evaluate_in_workers(reference, workers)

    def _evaluate_here(self) -> None:
        """Evaluate the answers in this process."""
        for item in self._items_to_evaluate():
            record = self.evaluator.record(*item)
            if self._keep:
                key = self._key(item.task, item.answer)
                self._journal.put(item.task, item.label, key, record_to_json(record))
            self._count_record(item.label, record)

    def _evaluate_in_workers(self, reference: str | bytes, workers: int | Executor) -> None:
        """Evaluate the answers in other processes."""
        from eai.runs.workers import Job, evaluate_batches

        evaluator = self.evaluator
        job = Job(
            reference,
            evaluator.ability,
            evaluator.semantics,
            evaluator.corrected,
            evaluator.rules,
            os.urandom(16).hex(),
        )
        items = self._items_to_evaluate()
        for batch, lines in evaluate_batches(job, items, count=self.count, workers=workers):
            for item, line in zip(batch, lines, strict=True):
                if self._keep:
                    key = self._key(item.task, item.answer)
                    self._journal.put(item.task, item.label, key, line)
                self._count_record(item.label, record_from_json(line))

    def lines(self) -> Iterator[bytes]:
        """Yield the lines of all records, task by task."""
        labels = list(self._answer_numbers)
        tasks = iter(self.evaluator.ids)
        tasks_at_once = max(1, _ANSWERS_AT_ONCE // max(1, len(labels)))
        while batch := tuple(islice(tasks, tasks_at_once)):
            stored = self._journal.lines_of_tasks(batch)
            for key in product(batch, labels):
                yield stored[key]

    def report(self, setting: Setting, path: Path | None) -> Report:
        """Return the report of a completed run.

        Args:
            setting: The setting of the run.
            path: The record file; None if the run has no folder.

        Raises:
            InputError: If no task could be used; the message is about the first one.
        """
        evaluator = self.evaluator
        ids = evaluator.ids
        if ids and len(self._mistakes) == len(ids):
            # A worker's record has only a note, so the answer is evaluated again to get the error.
            evaluator.record("", ids[0], None)
            if evaluator.first_mistake is not None:
                raise evaluator.first_mistake
        notes = [*self._notes_on_answers, *self._notes()]
        view = view_of(evaluator.ability, evaluator.suite)
        if self._in_memory:
            records = []
            for label in self._answer_numbers:
                records += [self._records[label, task] for task in ids]
            return Report(records, notes, setting=setting, view=view)
        from eai.runs.stored import StoredRecords, StoredReport, Sums  # only for large runs

        temporary_folder = None
        if path is None:
            import tempfile  # only for runs that are too large to be held

            temporary_folder = tempfile.mkdtemp(prefix="eai-")
            path = Path(temporary_folder) / "records.jsonl"
            with path.open("wb") as stream:
                stream.writelines(b"%s\n" % line for line in self.lines())
        report = StoredReport(
            StoredRecords(path, tasks=len(ids), models=len(self._answer_numbers)),
            Sums(
                {model: counting.tally() for model, counting in self._counts.items()},
                self._samples,
                self._usages,
            ),
            notes,
            setting=setting,
            view=view,
        )
        # Records are read on demand, so the file lives as long as the report.
        if temporary_folder is not None:
            weakref.finalize(report, shutil.rmtree, temporary_folder, ignore_errors=True)
        return report

    def _notes(self) -> Iterator[str]:
        """Yield notes on excluded tasks and on trivial ones, which an empty answer solves."""
        ids = self.evaluator.ids
        for task in ids:
            if task in self._mistakes:
                yield f"task {task} left out: {self._mistakes[task]}"
        if self._why_excluded and not self._has_counted:
            yield f"no task counts; the first: {self._why_excluded}"
        trivial_tasks = [task for task in ids if task in self._trivial]
        trivial_note = note_on_trivial(trivial_tasks, left_out=self.evaluator.semantics.is_strict)
        if trivial_note:
            yield trivial_note
        if self._has_counted:
            yield from notes_on_excluded(self._excluded_for_all())

    def _excluded_for_all(self) -> dict[str, str]:
        """Return the tasks that count for no model, with the reason."""
        # What counts for one model and not for another is excluded because of the answer.
        reasons: dict[str, str] = {}
        for task in self.evaluator.ids:
            if 0 < self._times_excluded[task] == len(self._answer_numbers):
                reasons[task] = self._reasons_excluded[task]
        return reasons
