"""A run whose answers and records stay on disk, from the sources to the report."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from uuid import uuid4

from eai.errors import InputError
from eai.files import writing_to
from eai.predictions import Predictions, load_all
from eai.report.report import Report
from eai.runs.answers import AnswerFile, StoredAnswers, answers_of
from eai.runs.choice import Choice
from eai.runs.folder import Folder
from eai.runs.judging import Judging
from eai.runs.ledger import Expected, Ledger
from eai.runs.matching import Fit, remarks
from eai.runs.shards import Job, Summary, part_of, shards
from eai.runs.stored import StoredRecords, StoredReport
from eai.runs.workers import judge_shards
from eai.version import __version__

__all__ = ["StreamedRun"]

Progress = Callable[[int, int], None]

_FEW = 20_000
"""Up to so many records are read back into memory."""


class StreamedRun:
    """A run that goes through files.

    Args:
        judging: Judges answers in this process.
        folder: Where everything is written.
        reference: What other processes find the suite by.
        choice: Which tasks are judged; by default all.
    """

    def __init__(
        self,
        judging: Judging,
        folder: Folder,
        reference: str | bytes,
        choice: Choice | None = None,
    ) -> None:
        self._judging = judging
        self._folder = folder
        self._reference = reference
        self._choice = choice or Choice(judging.ids)

    def report(
        self, predictions: object, *, workers: int | Executor = 1, progress: Progress | None = None
    ) -> Report:
        """Judge predictions.

        Args:
            predictions: What :func:`eai.predictions.load_all` takes.
            workers: Number of processes, or an executor.
            progress: Called with the number of judged answers and of all, after every shard.

        Raises:
            InputError: If the predictions cannot be read, do not fit, or changed since the run
                was interrupted; if no task can be used, a file cannot be written, or a worker
                ended.
        """
        models, notes, home = self._store(predictions)
        judging = self._judging
        chosen = judging.ids if self._choice.name else None
        self._folder.begin(models, chosen, count=len(judging.ids) * len(models))
        job = Job(
            self._reference,
            judging.ability,
            judging.semantics,
            judging.corrected,
            models,
            len(judging.ids),
            str(home),
            uuid4().hex,
        )
        summary = self._judge(job, workers, progress)
        self._refuse_if_unusable(summary)
        notes += [f"task {task} left out: {note}" for task, note in summary.mistakes.items()]
        records = StoredRecords(self._folder.records, tasks=len(judging.ids), models=len(models))
        if len(records) <= _FEW:
            return Report(records, notes, setting=self._folder.setting)
        tallies = dict(zip(models, summary.tallies, strict=True))
        return StoredReport(records, tallies, notes, setting=self._folder.setting)

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
        judging, suite = self._judging, self._judging.suite
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
            judged = None
            if self._choice.name:
                marks = [each.marks for each in answers.values()]
                there = {place for place, row in enumerate(zip(*marks, strict=True)) if any(row)}
                judged = self._choice.places(ids, there)
                judging.ids = [ids[place] for place in judged]
            return tuple(answers), notes, file.finish(answers, judged)

    def _settle(self, fresh: Path, checksum: str) -> Path:
        """Give the answers a place of their own: what is left of another run stays apart."""
        setting, judging = self._folder.setting, self._judging
        quirks = sorted(judging.semantics.quirks)
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

    def _judge(self, job: Job, workers: int | Executor, progress: Progress | None) -> Summary:
        cuts = shards(job.tasks, len(job.models))
        journal = Path(job.folder) / "journal.jsonl"
        with Ledger(self._folder.records, journal, models=len(job.models)) as ledger:
            ahead = (shard for shard in cuts if shard.start >= ledger.done)
            for shard in ahead:
                if not ledger.adopt(shard, self._expected(job, shard)):
                    break
            ledger.cut()
            rest = [shard for shard in cuts if shard.start >= ledger.done]
            for shard in judge_shards(job, rest, workers=workers, judging=self._judging):
                ledger.append(shard, part_of(job.folder, shard))
                if progress is not None:
                    progress(shard.stop * len(job.models), job.tasks * len(job.models))
            return ledger.summary

    def _expected(self, job: Job, shard: range) -> Iterator[Expected]:
        answers = answers_of(Path(job.folder), shard, models=len(job.models), of=job.tasks)
        for place, model, answer in answers:
            yield Expected(model, job.models[model], self._judging.ids[place], answer or "")

    def _refuse_if_unusable(self, summary: Summary) -> None:
        ids = self._judging.ids
        if ids and len(summary.mistakes) == len(ids):
            self._judging.record("", ids[0], None)
            if self._judging.first_mistake is not None:
                raise self._judging.first_mistake


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
