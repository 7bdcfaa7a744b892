"""Who judges the shards of a run: this process, processes of this machine, or any executor."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from itertools import islice

from eai.errors import InputError
from eai.runs.judging import Judging
from eai.runs.shards import Job, judge_shard, part_of

__all__ = ["checked_workers", "judge_shards"]

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
        mend="leave it out to judge in this process"
        if isinstance(workers, int)
        else "of Dask's client, give client.get_executor()",
    )


def judge_shards(
    job: Job, shards: Sequence[range], *, workers: int | Executor, judging: Judging
) -> Iterator[range]:
    """Judge shards and yield each when its part is there, in their order.

    Args:
        job: What is run.
        shards: The shards.
        workers: Number of processes (1 is this one), or an executor.
        judging: Judges in this process.

    Raises:
        InputError: If a worker ended.
    """
    if workers == 1 or len(shards) <= 1:
        for shard in shards:
            judge_shard(job, shard, judging)
            yield shard
        return
    if isinstance(workers, int):
        workers = min(workers, len(shards))
    with _executor(workers) as executor:
        for shard in _in_order(executor, job, shards):
            if not part_of(job.folder, shard).exists():  # judged already, says a cache
                judge_shard(job, shard, judging)
            yield shard


def _in_order(executor: Executor, job: Job, shards: Sequence[range]) -> Iterator[range]:
    waiting: deque[tuple[range, Future[None]]] = deque()
    rest = iter(shards)
    try:
        while True:
            for shard in islice(rest, _AHEAD - len(waiting)):
                waiting.append((shard, executor.submit(judge_shard, job, shard)))
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
    context = multiprocessing.get_context("forkserver" if server else "spawn")
    with ProcessPoolExecutor(workers, context, initializer=_prepare) as pool:
        yield pool


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
