"""Answers that wait on disk: written as they are read, found again by where they stand.

``answers.jsonl`` holds a line ``[identifier, answer]`` for each, in the order in which they come;
``answers.index`` says where: for every model eight bytes a task, in the order of the suite, one
more than the offset of the line, or zero if there is no answer. If only some tasks are evaluated,
the index has only those, and ``tasks.index`` says which they are: eight bytes each, their numbers.
"""

from __future__ import annotations

import json
import os
import pickle
import tempfile
import threading
from array import array
from collections import deque
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from hashlib import blake2b
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from eai.errors import InputError
from eai.files import replacing, writing_to
from eai.registry import checked_suite, suite as find_suite
from eai.report.aggregate import Counting, Tally
from eai.report.records import record_to_json
from eai.runs.evaluator import Evaluator, mistake

if TYPE_CHECKING:
    from eai.contract import Suite
    from eai.report.record import Record
    from eai.semantics import Semantics

__all__ = [
    "AnswerFile",
    "Job",
    "StoredAnswers",
    "Summary",
    "answers_of",
    "checked_workers",
    "evaluate_shard",
    "evaluate_shards",
    "evaluated_of",
    "part_of",
    "reference_to",
    "shards",
]

_LINES = "answers.jsonl"
_INDEX = "answers.index"
_EVALUATED = "tasks.index"
_WIDTH = 8


class AnswerFile:
    """The answers of all models, on disk; use it in a ``with`` block.

    Args:
        folder: Where the two files are written; those that are there are replaced.
        tasks: Identifiers of the suite's tasks, in its order.
        canonical: Which task an identifier in a file means.

    Raises:
        InputError: If the files cannot be written.
    """

    def __init__(self, folder: Path, tasks: Sequence[str], canonical: Callable[[str], str]) -> None:
        self._path = folder / _LINES
        self._index = folder / _INDEX
        self._evaluated = folder / _EVALUATED
        self._places = {task: place for place, task in enumerate(tasks)}
        self._canonical = canonical
        self._size = 0
        self._hash = blake2b(digest_size=16)
        with writing_to(self._path):
            self._stream = self._path.open("wb")
            self._again = self._path.open("rb")

    def __enter__(self) -> AnswerFile:  # noqa: PYI034  # typing.Self needs Python 3.11
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()
        self._again.close()

    def task(self, raw: str) -> str:
        """Return which task an identifier means."""
        return self._canonical(raw)

    def place(self, raw: str) -> int | None:
        """Return the number of the task that an identifier means; None if there is none."""
        return self._places.get(self._canonical(raw))

    def answers(self) -> StoredAnswers:
        """Return what holds the answers of one more model."""
        return StoredAnswers(self, len(self._places))

    def append(self, raw: str, text: str) -> int:
        """Write an answer and return its mark: one more than where it stands."""
        line = json.dumps((raw, text)).encode("ascii") + b"\n"
        with writing_to(self._path):
            self._stream.write(line)
        self._hash.update(line)
        mark = self._size + 1
        self._size += len(line)
        return mark

    def read(self, mark: int) -> tuple[str, str]:
        """Return identifier and answer that stand at a mark."""
        with writing_to(self._path):
            self._stream.flush()
        return _read(self._again, mark)

    def finish(
        self, models: Mapping[str, StoredAnswers], evaluated: Sequence[int] | None = None
    ) -> str:
        """Write the index and return a checksum of everything that was written.

        Args:
            models: The answers of each model.
            evaluated: Numbers of the tasks that are evaluated; all if None.

        Raises:
            InputError: If the files cannot be written.
        """
        self._hash.update(json.dumps(list(models)).encode("ascii"))
        if evaluated is not None:
            numbers = array("Q", evaluated).tobytes()
            self._hash.update(numbers)
            with writing_to(self._evaluated):
                self._evaluated.write_bytes(numbers)
        with writing_to(self._index), self._index.open("wb") as stream:
            for of_model in models.values():
                marks = of_model.marks_of(evaluated).tobytes()
                self._hash.update(marks)
                stream.write(marks)
            self._stream.flush()
        return self._hash.hexdigest()


class StoredAnswers(MutableMapping[str, str]):
    """The answers of one model: a mapping of identifier to text that keeps its texts on disk.

    Args:
        file: Where the texts are.
        tasks: Number of the suite's tasks.

    Attributes:
        marks: For each task the mark of its answer, or 0.
        second: Marks of answers to tasks that have one already, by identifier.
        strange: Marks of answers to no task, by identifier.
    """

    def __init__(self, file: AnswerFile, tasks: int) -> None:
        self._file = file
        self.marks = array("Q", bytes(_WIDTH * tasks))
        self.second: dict[str, int] = {}
        self.strange: dict[str, int] = {}

    @property
    def answered(self) -> int:
        """Number of tasks that have an answer."""
        return len(self.marks) - self.marks.count(0)

    def marks_of(self, tasks: Sequence[int] | None) -> array[int]:
        """Return the marks of tasks with these numbers; of all if None."""
        return self.marks if tasks is None else array("Q", [self.marks[task] for task in tasks])

    def __setitem__(self, raw: str, text: str) -> None:
        place, mark = self._file.place(raw), self._file.append(raw, text)
        if place is None:
            self.strange[raw] = mark
        elif self.marks[place] and self._file.read(self.marks[place])[0] != raw:
            self.second[raw] = mark
        else:
            self.marks[place] = mark

    def __getitem__(self, raw: str) -> str:
        mark = self._mark(raw)
        if mark is None:
            raise KeyError(raw)
        return self._file.read(mark)[1]

    def __contains__(self, raw: object) -> bool:
        return isinstance(raw, str) and self._mark(raw) is not None

    def __delitem__(self, raw: str) -> None:
        if self.strange.pop(raw, None) is None and self.second.pop(raw, None) is None:
            place = self._file.place(raw)
            if place is None or raw not in self:
                raise KeyError(raw)
            self.marks[place] = 0

    def __iter__(self) -> Iterator[str]:
        known = (self._file.read(mark)[0] for mark in self.marks if mark)
        return chain(known, self.second, self.strange)

    def __len__(self) -> int:
        return self.answered + len(self.second) + len(self.strange)

    def _mark(self, raw: str) -> int | None:
        place = self._file.place(raw)
        if place is None:
            return self.strange.get(raw)
        mark = self.marks[place]
        if mark and self._file.read(mark)[0] == raw:
            return mark
        return self.second.get(raw)


def answers_of(
    folder: Path, tasks: range, *, models: int, of: int
) -> Iterator[tuple[int, int, str | None]]:
    """Yield the answers to consecutive tasks: task by task, and for each model by model.

    Args:
        folder: Where the two files are.
        tasks: Numbers of the tasks.
        models: Number of the models.
        of: Number of the tasks that are evaluated.

    Yields:
        Number of the task, number of the model, and the answer; None if there is none.
    """
    with (folder / _INDEX).open("rb") as index:
        columns = [_column(index, tasks, model * of) for model in range(models)]
    with (folder / _LINES).open("rb") as lines:
        for place, row in zip(tasks, zip(*columns, strict=True), strict=False):
            for model, mark in enumerate(row):
                yield place, model, _read(lines, mark)[1] if mark else None


def evaluated_of(folder: Path) -> Sequence[int] | None:
    """Return the numbers of the tasks that are evaluated; None if all are."""
    path = folder / _EVALUATED
    return array("Q", path.read_bytes()) if path.exists() else None


def _column(index: BinaryIO, tasks: range, before: int) -> array[int]:
    index.seek(_WIDTH * (before + tasks.start))
    found = array("Q")
    found.fromfile(index, len(tasks))
    return found


def _read(stream: BinaryIO, mark: int) -> tuple[str, str]:
    stream.seek(mark - 1)
    raw, text = json.loads(stream.readline())
    return raw, text


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
        tasks: Number of the tasks that are evaluated.
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
        self._counts[model].add(record.result)
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


def evaluate_shard(job: Job, tasks: range, evaluator: Evaluator | None = None) -> None:
    """Evaluate a shard, unless its part is there already.

    Args:
        job: What is run.
        tasks: Numbers of the shard's tasks.
        evaluator: Evaluates the answers; made from the job if None.
    """
    part = part_of(job.folder, tasks)
    if part.exists():
        return
    summing = Summing(len(job.models))
    with replacing(part, force=True) as stream:
        for model, record in _records(job, tasks, evaluator or _evaluator(job)):
            stream.write(f"{record_to_json(record)}\n")
            summing.add(model, record)
        # The summary first: where there are records, there is a summary.
        with replacing(part.with_suffix(".json"), force=True) as beside:
            beside.write(summing.summary().to_json())


def _records(job: Job, tasks: range, evaluator: Evaluator) -> Iterator[tuple[int, Record]]:
    answers = answers_of(Path(job.folder), tasks, models=len(job.models), of=job.tasks)
    for place, model, answer in answers:
        yield model, evaluator.record(job.models[model], evaluator.ids[place], answer)


@lru_cache(maxsize=1)
def _evaluator(job: Job) -> Evaluator:
    """Each process loads the suite once."""
    if isinstance(job.suite, str):
        suite = find_suite(job.suite)
    else:
        suite = checked_suite(pickle.loads(job.suite))  # noqa: S301  # written by this run
    evaluator = Evaluator(suite, job.ability, job.semantics, corrected=job.corrected)
    evaluated = evaluated_of(Path(job.folder))
    if evaluated is not None:
        evaluator.ids = [evaluator.ids[place] for place in evaluated]
    return evaluator


_AHEAD = 64
"""So many shards are handed out at once: enough to keep workers busy, and few parts lie around."""


def checked_workers(workers: object) -> int | Executor:
    """Return a number of processes, or an executor.

    Raises:
        InputError: If it is neither.
    """
    if isinstance(workers, Executor):
        return workers
    if isinstance(workers, int) and not isinstance(workers, bool) and workers > 0:
        return workers
    shown = workers if isinstance(workers, int) else f"a value of type {type(workers).__name__}"
    raise InputError(
        f"{shown} is no number of workers",
        expected="a number of processes, 1 or more, or a concurrent.futures.Executor",
        mend="leave it out to evaluate in this process"
        if isinstance(workers, int)
        else "of Dask's client, give client.get_executor()",
    )


def evaluate_shards(
    job: Job, shards: Sequence[range], *, workers: int | Executor, evaluator: Evaluator
) -> Iterator[range]:
    """Evaluate shards and yield each when its part is there, in their order.

    Args:
        job: What is run.
        shards: The shards.
        workers: Number of processes (1 is this one), or an executor.
        evaluator: Evaluates in this process.

    Raises:
        InputError: If a worker ended.
    """
    if workers == 1 or len(shards) <= 1:
        for shard in shards:
            evaluate_shard(job, shard, evaluator)
            yield shard
        return
    if isinstance(workers, int):
        workers = min(workers, len(shards))
    with _executor(workers) as executor:
        for shard in _in_order(executor, job, shards):
            if not part_of(job.folder, shard).exists():  # evaluated already, says a cache
                evaluate_shard(job, shard, evaluator)
            yield shard


def _in_order(executor: Executor, job: Job, shards: Sequence[range]) -> Iterator[range]:
    waiting: deque[tuple[range, Future[None]]] = deque()
    rest = iter(shards)
    try:
        while True:
            for shard in islice(rest, _AHEAD - len(waiting)):
                waiting.append((shard, executor.submit(evaluate_shard, job, shard)))
            if not waiting:
                return
            shard, future = waiting.popleft()
            future.result()
            yield shard
    except BrokenExecutor as error:
        raise InputError(
            "a worker ended before its work was done",
            expected="memory for all of them; in a script, the call behind "
            "`if __name__ == '__main__':`",
            mend="call it again, with fewer workers: a run goes on where it stopped",
        ) from error
    finally:
        for _, future in waiting:
            future.cancel()


@contextmanager
def _executor(workers: int | Executor) -> Iterator[Executor]:
    if isinstance(workers, Executor):
        yield workers
        return
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # Processes that share nothing with this one: no threads, no locks, no claim on a folder.
    server = "forkserver" in multiprocessing.get_all_start_methods()
    if server:
        _start_server()
    context = multiprocessing.get_context("forkserver" if server else "spawn")
    with ProcessPoolExecutor(workers, context, initializer=_prepare) as pool:
        yield pool


def _start_server() -> None:
    """Start the process that workers are forked from in an empty folder.

    Python runs a command with the current folder as the first one to take modules from: a file
    `re.py` there would be executed. Workers go back to the folder of this process, with its path.
    """
    from multiprocessing import forkserver

    here = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="eai-") as empty:
        os.chdir(empty)
        try:
            forkserver.ensure_running()
        finally:
            os.chdir(here)


def _prepare() -> None:
    """See that a worker ends when it should: with its parent, even if that is killed."""
    import multiprocessing
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted too, and says so
    parent = multiprocessing.parent_process()
    if parent is not None:

        def wait() -> None:
            parent.join()
            os._exit(1)

        threading.Thread(target=wait, daemon=True).start()
