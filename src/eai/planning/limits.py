"""Limits on a search: a budget that is counted, processor time, and memory."""

from __future__ import annotations

import sys
import time

from eai.budget import Budget, Meter
from eai.errors import InputError

__all__ = ["Limits", "MemoryLimitError", "TimeLimitError"]


_NODE, _ACTION, _EFFECT, _ATOM = 250, 800, 200, 250
"""Bytes of a node with its places in tables and queues, without its state; of a ground action
and of each of its effects before actions are simplified, without long masks; and of an atom;
measured on CPython 3.11."""

_SHORT = 1 << 10
"""With masks over more atoms than these, everything takes longer and counts more often."""


class TimeLimitError(Exception):
    """The time is used up."""


class MemoryLimitError(Exception):
    """The memory is used up."""


class Limits:
    """What grounding and search may use up. One object counts for all that share it.

    The budget is counted, and the same on every machine. The clock is not: what it ends says
    something about the machine, too.

    Args:
        time: Seconds of processor time of this thread, from now on; None for no limit.
        memory: Megabytes (10**6 bytes), estimated; None for no limit.
        budget: What may be used besides, or what counts it already; None for no limit.

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
        for name, value in (("time", time), ("memory", memory)):
            if value is not None and value <= 0:
                raise InputError(
                    f"the {name} limit is {value}", expected="a number above 0, or None"
                )
        self._deadline = None if time is None else _now() + time
        self._bytes = None if memory is None else memory * 1e6
        self._task = self._tables = 0
        self._weight = 1
        self.meter = budget if isinstance(budget, Meter) else (budget or Budget.unlimited()).meter()

    def count(self, instances: int) -> None:
        """Count conditions and effects that will be looked at.

        Args:
            instances: How many.

        Raises:
            BeyondBudgetError: If they are more than the budget has.
        """
        self.meter.count_instances(instances * self._weight)

    def check(self, effects: int = 0, actions: int = 0, atoms: int = 0) -> None:
        """Look at the clock, and at what ground actions and atoms take.

        Args:
            effects: How many effects the ground actions have together.
            actions: How many ground actions there are.
            atoms: How many atoms they are about: the length of their masks.

        Raises:
            TimeLimitError: If the time is used up.
            MemoryLimitError: If they take more memory than allowed.
            BeyondBudgetError: If they take more bytes than the budget has.
        """
        if self._deadline is not None and _now() > self._deadline:
            raise TimeLimitError
        if atoms:
            self._weight = 1 + atoms // _SHORT
            mask = atoms // 4
            self._task = actions * _ACTION + effects * (_EFFECT + mask) + atoms * _ATOM
            self._hold(self._task)

    def keep(self, mask: int) -> None:
        """Say that a search keeps one more mask of this size in its tables.

        Raises:
            MemoryLimitError: If what is kept takes more memory than allowed.
            BeyondBudgetError: If it takes more bytes than the budget has.
        """
        self._tables += sys.getsizeof(mask) + _NODE
        self._hold(self._task + self._tables)

    def expand(self, state: int, kept: int) -> None:
        """Count one expanded state.

        Args:
            state: The state.
            kept: How many states the search has in memory.

        Raises:
            TimeLimitError: If the time is used up.
            MemoryLimitError: If what is kept takes more memory than allowed.
            BeyondBudgetError: If the budget has no more states, or fewer bytes.
        """
        self.meter.count_states()
        if not self.meter.states & 63:
            self.check()
            self._hold(self._task + self._tables + kept * (sys.getsizeof(state) + _NODE))

    def _hold(self, taken: int) -> None:
        self.meter.hold(taken)
        if self._bytes is not None and taken > self._bytes:
            raise MemoryLimitError


def _now() -> float:
    return time.thread_time()
