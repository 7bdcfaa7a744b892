"""Shards: consecutive tasks of a run, judged for all models by whoever is given their numbers.

A worker gets no answers and gives back no records: it is told where the answers lie, and leaves
beside them a file of records and a summary. Files are renamed when they are complete and the same
shard always becomes the same bytes, so it does no harm if a shard is judged twice.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from eai.errors import InputError
from eai.files import replacing
from eai.registry import checked_suite, suite as find_suite
from eai.report.aggregate import Counting, Tally
from eai.report.records import record_to_json
from eai.runs.answers import answers_of, judged_of
from eai.runs.judging import Judging, mistake

if TYPE_CHECKING:
    from eai.contract import Suite
    from eai.report.record import Record
    from eai.semantics import Semantics

__all__ = ["Job", "Summary", "judge_shard", "part_of", "reference_to", "shards"]

_LEAST, _MOST, _PARTS = 16, 4096, 256
"""Answers of a shard: at least, at most; in between a run has about so many shards."""


class Job(NamedTuple):
    """What all shards of a run have in common.

    Args:
        suite: The suite: its name, or the object as bytes (see :func:`reference_to`).
        ability: Which ability the answers are about.
        semantics: Under which semantics.
        corrected: Whether tasks whose own annotation is faulty are left out.
        models: Names of the models.
        tasks: Number of the tasks that are judged.
        folder: Where the answers lie and the parts are written.
        token: Of this call alone: no worker takes it for one that it remembers.
    """

    suite: str | bytes
    ability: str
    semantics: Semantics
    corrected: bool
    models: tuple[str, ...]
    tasks: int
    folder: str
    token: str


@dataclass(frozen=True)
class Summary:
    """What a part of a run adds up to.

    Args:
        tallies: The counts of every model, in their order.
        mistakes: What is wrong with the descriptions of tasks, by task.
    """

    tallies: list[Tally]
    mistakes: dict[str, str] = field(default_factory=dict)

    def to_json(self) -> str:
        """Write it as one line."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, line: str) -> Summary:
        """Read it back."""
        found = json.loads(line)
        return cls([Tally(**counts) for counts in found["tallies"]], found["mistakes"])


class Summing:
    """A summary that grows, record by record.

    Args:
        models: Number of the models.
    """

    def __init__(self, models: int) -> None:
        self._counts = [Counting() for _ in range(models)]
        self._mistakes: dict[str, str] = {}

    def add(self, model: int, record: Record) -> None:
        """Take in one record of the model with this number."""
        self._counts[model].add(record.judgement)
        found = mistake(record)
        if found is not None:
            self._mistakes[record.task] = found

    def include(self, other: Summary) -> None:
        """Take in what another part adds up to."""
        for counts, more in zip(self._counts, other.tallies, strict=True):
            counts.include(more)
        self._mistakes.update(other.mistakes)

    def summary(self) -> Summary:
        """Return what there is so far."""
        return Summary([counts.tally() for counts in self._counts], self._mistakes)


def shards(tasks: int, models: int) -> list[range]:
    """Cut a run into shards, always alike: by the numbers of its tasks and models only."""
    answers = max(_LEAST, min(_MOST, tasks * models // _PARTS))
    step = max(1, answers // max(1, models))
    return [range(start, min(start + step, tasks)) for start in range(0, tasks, step)]


def reference_to(suite: str | Suite) -> str | bytes:
    """Return what another process finds a suite by.

    Args:
        suite: Its name, or the suite, before it was used (it may remember what it loaded).

    Raises:
        InputError: If the suite is an object that cannot be sent to another process.
    """
    if isinstance(suite, str):
        return suite
    try:
        return pickle.dumps(suite)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise InputError(
            f"the suite cannot be sent to another process: {error}",
            expected="the name of a suite, module:attribute, or an object that can be pickled",
            mend="define it in a module and name it module:attribute",
        ) from error


def part_of(folder: str, tasks: range) -> Path:
    """Return where the records of a shard are written; the summary has the ending ``.json``."""
    return Path(folder) / f"{tasks.start:09d}-{tasks.stop:09d}.jsonl"


def judge_shard(job: Job, tasks: range, judging: Judging | None = None) -> None:
    """Judge a shard, unless its part is there already.

    Args:
        job: What is run.
        tasks: Numbers of the shard's tasks.
        judging: Judges the answers; made from the job if None.
    """
    part = part_of(job.folder, tasks)
    if part.exists():
        return
    summing = Summing(len(job.models))
    with replacing(part, force=True) as stream:
        for model, record in _records(job, tasks, judging or _judging(job)):
            stream.write(f"{record_to_json(record)}\n")
            summing.add(model, record)
        # The summary first: where there are records, there is a summary.
        with replacing(part.with_suffix(".json"), force=True) as beside:
            beside.write(summing.summary().to_json())


def _records(job: Job, tasks: range, judging: Judging) -> Iterator[tuple[int, Record]]:
    answers = answers_of(Path(job.folder), tasks, models=len(job.models), of=job.tasks)
    for place, model, answer in answers:
        yield model, judging.record(job.models[model], judging.ids[place], answer)


@lru_cache(maxsize=1)
def _judging(job: Job) -> Judging:
    """Each process loads the suite once."""
    if isinstance(job.suite, str):
        suite = find_suite(job.suite)
    else:
        suite = checked_suite(pickle.loads(job.suite))  # noqa: S301  # written by this run
    judging = Judging(suite, job.ability, job.semantics, corrected=job.corrected)
    judged = judged_of(Path(job.folder))
    if judged is not None:
        judging.ids = [judging.ids[place] for place in judged]
    return judging
