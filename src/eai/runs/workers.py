"""Evaluation of batches of answers in other processes, on this machine or others."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import tempfile
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from eai.contract.registry import checked_suite, suite as find_suite
from eai.errors import InputError
from eai.report import record_to_json
from eai.runs.evaluator import Evaluator, RunItem

if TYPE_CHECKING:
    from eai.contract import Suite
    from eai.logic import Rule
    from eai.semantics import Semantics


class Job(NamedTuple):
    """The settings that all batches of a run share.

    Args:
        suite: The suite: its name, or the object as bytes (see :func:`reference_to`).
        corrected: Whether tasks whose own annotation is faulty are left out.
        rules: Rules that plans are checked against.
        token: Unique to this run, so that no worker uses the suite that it loaded for another.
    """

    suite: str | bytes
    ability: str
    semantics: Semantics
    corrected: bool
    rules: tuple[Rule, ...]
    token: str


def reference_to(suite: str | Suite) -> str | bytes:
    """Return a reference from which other processes load a suite: its name, or a pickle.

    Args:
        suite: The name, or the suite, before it was used (it may hold much that it loaded).

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


def checked_workers(workers: object) -> int | Executor:
    """Return a number of processes, or an executor.

    Raises:
        InputError: If it is neither.
    """
    if isinstance(workers, Executor):
        return workers
    # True is an integer for Python, and surely no number of processes.
    if isinstance(workers, int) and not isinstance(workers, bool) and workers > 0:
        return workers
    if isinstance(workers, int):
        subject = str(workers)
        hint = "leave it out to evaluate in this process"
    else:
        subject = f"a value of type {type(workers).__name__}"
        hint = "for a Dask client, pass client.get_executor()"
    raise InputError(
        f"{subject} is not a number of workers",
        expected="a number of processes, 1 or more, or a concurrent.futures.Executor",
        mend=hint,
    )


def evaluate_batch(job: Job, batch: Sequence[RunItem]) -> list[str]:
    """Evaluate answers; return the lines of their records."""
    evaluator = _evaluator_of(job)
    return [record_to_json(evaluator.record(*item)) for item in batch]


@lru_cache(maxsize=1)
def _evaluator_of(job: Job) -> Evaluator:
    """Return the evaluator of a run, created once in each process."""
    if isinstance(job.suite, str):
        suite = find_suite(job.suite)
    else:
        suite = checked_suite(pickle.loads(job.suite))  # noqa: S301  # written by this run
    return Evaluator(suite, job.ability, job.semantics, corrected=job.corrected, rules=job.rules)


_BATCHES = 256
"""Number of batches of a run, unless these would be too small or too large."""

_MIN_BATCH = 16
"""Minimum number of answers of a batch."""

_MAX_BATCH = 512
"""Maximum number of answers of a batch."""

_MAX_PENDING = 64
"""Maximum number of batches handed out at once: enough for all workers, and little memory."""


def evaluate_batches(
    job: Job, items: Iterable[RunItem], *, count: int, workers: int | Executor
) -> Iterator[tuple[Sequence[RunItem], list[str]]]:
    """Evaluate answers in other processes, and yield batches with their record lines.

    A window slides over the batches: at most :data:`_MAX_PENDING` of them are handed out, and a new
    one is when the oldest is done. So items are read as they are needed, and come back in their
    order.

    Raises:
        InputError: If a worker ended.
    """
    size = max(_MIN_BATCH, min(_MAX_BATCH, count // _BATCHES))
    batches = _split_into_batches(items, size)
    pending: deque[tuple[Sequence[RunItem], Future[list[str]]]] = deque()
    with executor_of(workers) as executor:
        try:
            for batch in islice(batches, _MAX_PENDING):
                pending.append((batch, _submit(executor, job, batch)))
            while pending:
                # In the order in which they were handed out, whichever is finished first.
                oldest_batch, future = pending.popleft()
                yield oldest_batch, future.result()
                for batch in islice(batches, 1):
                    pending.append((batch, _submit(executor, job, batch)))
        except BrokenExecutor as error:
            raise InputError(
                "a worker ended before its work was done",
                expected="memory for all of them; in a script, the call below "
                "`if __name__ == '__main__':`",
                mend="call it again, with fewer workers: a run resumes where it stopped",
            ) from error
        finally:
            # Whoever stops reading needs no more results.
            for _, future in pending:
                future.cancel()


def _split_into_batches(items: Iterable[RunItem], size: int) -> Iterator[Sequence[RunItem]]:
    """Yield items in batches of a size."""
    remaining = iter(items)
    batch = tuple(islice(remaining, size))
    while batch:
        yield batch
        batch = tuple(islice(remaining, size))


def _submit(executor: Executor, job: Job, batch: Sequence[RunItem]) -> Future[list[str]]:
    """Submit a batch to the executor.

    Raises:
        BrokenExecutor: If the process that workers are forked from was killed.
    """
    try:
        return executor.submit(evaluate_batch, job, batch)
    except (OSError, EOFError) as error:
        raise BrokenExecutor(str(error)) from error


@contextmanager
def executor_of(workers: int | Executor) -> Iterator[Executor]:
    """Yield the given executor, or one whose processes end with the block.

    Args:
        workers: Number of processes, or an executor.
    """
    if isinstance(workers, Executor):
        yield workers
        return
    # Processes that share nothing with this one: no threads, no locks, no open journal. A fork of
    # this process would have them all.
    method = "spawn"
    if "forkserver" in multiprocessing.get_all_start_methods():
        method = "forkserver"
        _start_fork_server()
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(workers, context, initializer=_end_with_parent) as pool:
        yield pool


def _start_fork_server() -> None:
    """Start the fork server in an empty folder.

    Python runs a command with the current folder as the first one to take modules from: a file
    `re.py` there would be executed. Workers go back to the folder of this process, with its path.
    """
    from multiprocessing import forkserver  # not everywhere

    current_folder = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="eai-") as empty:
        os.chdir(empty)
        try:
            forkserver.ensure_running()
        finally:
            os.chdir(current_folder)


def _end_with_parent() -> None:
    """Make a worker end with its parent, even if the parent is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted too, and says so
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def exit_after_parent() -> None:
        parent.join()
        os._exit(1)  # no clean-up: what this process would wait for may have died with the parent

    threading.Thread(target=exit_after_parent, daemon=True).start()
