"""Limits on a search: a counted budget, processor time, memory; other planners within them."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil, inf
from time import monotonic, thread_time

from eai.budget import Budget, Meter
from eai.errors import InputError

# Bytes, measured on CPython 3.11.
_NODE_BYTES = 250
"""Of a search node with its entries in tables and queues, without its state."""
_ACTION_BYTES = 800
"""Of a ground action before it is simplified, without long masks."""
_EFFECT_BYTES = 200
"""Of each of its effects."""
_ATOM_BYTES = 250
"""Of an atom."""

_SHORT_MASK_ATOMS = 1 << 10
"""With masks over more atoms than these, everything takes longer and counts more often."""


class TimeLimitError(Exception):
    """Raised when the time is used up."""


class MemoryLimitError(Exception):
    """Raised when the memory is used up."""


class Limits:
    """The limits of grounding and search, shared by everything that holds the same object.

    The budget is counted, and the same on every machine. The clock is not: a search that it ends
    says something about the machine, too. All methods raise TimeLimitError, MemoryLimitError or
    BeyondBudgetError when more is used than allowed.

    Args:
        time: Seconds of processor time of this thread, from now on; None for no limit.
        memory: Megabytes (10**6 bytes), estimated; None for no limit.
        budget: A budget, or the meter that counts one already; None for no limit.

    Raises:
        InputError: If a limit is not positive.
    """

    def __init__(
        self,
        *,
        time: float | None = None,
        memory: float | None = None,
        budget: Budget | Meter | None = None,
    ) -> None:
        """Start the clock, and count from zero."""
        for name, value in (("time", time), ("memory", memory)):
            if value is not None and not value > 0:  # NaN is not above 0 either
                raise InputError(f"the {name} limit is {value}", expected="a number above 0")
        self._deadline = inf
        # A thread uses at most as much processor time as clock time, so the deadline cannot pass
        # before this moment, and reading the clock is quicker than reading processor time.
        self._earliest = inf
        if time is not None:
            self._deadline = thread_time() + time
            self._earliest = monotonic() + time
        self._max_bytes = inf
        if memory is not None:
            self._max_bytes = memory * 1e6
        # Estimated bytes of the ground task, and of the tables of a search.
        self._task_bytes = self._table_bytes = 0
        # Masks of several machine words take longer, so each condition counts more often.
        self._weight = 1
        if isinstance(budget, Meter):
            self.meter = budget
        else:
            self.meter = (budget or Budget.unlimited()).meter()

    def count(self, instances: int) -> None:
        """Count a number of conditions and effects, before they are examined."""
        self.meter.count_instances(instances * self._weight)

    def check(self, effects: int = 0, actions: int = 0, atoms: int = 0) -> None:
        """Check the clock, and the memory of ground actions and atoms.

        Args:
            effects: How many effects the ground actions have together.
            actions: How many ground actions there are.
            atoms: How many atoms they are about: the length of their masks.
        """
        # Reading the processor time is slow, so it is only done when the limit can be reached.
        if monotonic() > self._earliest:
            seconds_left = self._deadline - thread_time()
            if seconds_left < 0:
                raise TimeLimitError
            self._earliest = monotonic() + seconds_left
        if atoms:
            self._weight = 1 + atoms // _SHORT_MASK_ATOMS
            mask_bytes = atoms // 4  # two literals, each one bit, for each atom
            self._task_bytes = actions * _ACTION_BYTES + atoms * _ATOM_BYTES
            self._task_bytes += effects * (_EFFECT_BYTES + mask_bytes)
            self._check_memory(self._task_bytes)

    def keep(self, mask: int) -> None:
        """Count one more mask of this size in the tables of a search."""
        self._table_bytes += sys.getsizeof(mask) + _NODE_BYTES
        self._check_memory(self._task_bytes + self._table_bytes)

    def expand(self, state: int, kept: int) -> None:
        """Count one expanded state while ``kept`` states are in memory."""
        self.meter.count_states()
        self.check()
        if not self.meter.states & 63:  # the estimate is rough: every 64th state will do
            node_bytes = kept * (sys.getsizeof(state) + _NODE_BYTES)
            self._check_memory(self._task_bytes + self._table_bytes + node_bytes)

    def _check_memory(self, estimated_bytes: int) -> None:
        """Raise if this much memory is more than the budget or the limit allows."""
        self.meter.hold(estimated_bytes)
        if estimated_bytes > self._max_bytes:
            raise MemoryLimitError


_GRACE_S = 10.0
"""Seconds that a process may take by the clock in any case."""
_PATIENCE = 5.0
"""Factor by which a process may take longer by the clock than in processor time."""


@dataclass(frozen=True, slots=True)
class Ended:
    """Output and exit status of a process that has ended.

    Args:
        code: Its exit code; the negative number of a signal that ended it.
        output: Its standard output.
        errors: Its standard error.
        late: Whether it was ended because it did not end by itself in time.
    """

    code: int
    output: str
    errors: str
    late: bool = False


def run(
    command: Sequence[str],
    *,
    folder: str,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    limits_itself: bool = False,
) -> Ended:
    """Run a command with all its child processes until it ends.

    Args:
        command: The program and its arguments.
        folder: The folder that it runs in.
        time_limit: Seconds of processor time; None for no limit. The command is also ended after
            several times as long by the clock.
        memory_limit: Megabytes of data of each process.
        limits_itself: Whether the command keeps its limits itself, so the system sets none.
    """
    timeout_s: float | None = None
    if time_limit is not None:
        timeout_s = _PATIENCE * time_limit + _GRACE_S
    # Windows has neither process limits nor process groups, so only the clock ends processes there.
    is_posix = os.name == "posix"
    set_limits = None
    if is_posix and not limits_itself:
        set_limits = partial(_limit_this_process, time_limit, memory_limit)
    with subprocess.Popen(  # noqa: S603 - the command is made by the engines
        command,
        cwd=folder,
        # Without a fixed seed, the searches of some planners in Python differ at each run.
        env={**os.environ, "PYTHONHASHSEED": "0"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        errors="replace",  # the output is text
        start_new_session=is_posix,
        preexec_fn=set_limits,  # noqa: PLW1509 - it only sets limits
    ) as process:
        try:
            output, errors = process.communicate(timeout=timeout_s)
        except subprocess.TimeoutExpired:
            _kill_with_children(process)
            output, errors = process.communicate()
            return Ended(process.returncode, output, errors, late=True)
        except BaseException:
            _kill_with_children(process)
            raise
    return Ended(process.returncode, output, errors)


def _limit_this_process(time_limit: float | None, memory_limit: float | None) -> None:
    """Let the system end this process at its limits (POSIX only).

    Args:
        time_limit: Seconds of processor time; None for no limit.
        memory_limit: Megabytes of data; None for no limit.
    """
    import resource

    if time_limit is not None:
        # At the soft limit the process gets SIGXCPU, and a second later it is killed.
        seconds = ceil(time_limit)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    if memory_limit is not None:
        # The limit is on data and not on address space, of which Java reserves far more than it
        # uses.
        size = ceil(memory_limit * 1e6)
        resource.setrlimit(resource.RLIMIT_DATA, (size, size))


def _kill_with_children(process: subprocess.Popen[str]) -> None:
    """Kill a process, and its process group where the system has such groups."""
    if os.name != "posix":
        process.kill()
        return
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
