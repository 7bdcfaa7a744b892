"""Limits on a search: processor time, memory, and states."""

from __future__ import annotations

import sys
import time

from eai.errors import InputError

__all__ = ["BoundReachedError", "Limits", "MemoryLimitError", "TimeLimitError"]


_NODE, _ACTION, _ATOM = 250, 1000, 250
"""Bytes of a node with its places in tables and queues, without its state; of a ground action
before actions are simplified, without long masks; and of an atom; measured on CPython 3.11."""


class TimeLimitError(Exception):
    """The time is used up."""


class MemoryLimitError(Exception):
    """The memory is used up."""


class BoundReachedError(Exception):
    """So many states were expanded as were allowed."""


class Limits:
    """What a search may use up. One object counts for all searches that share it.

    Args:
        time: Seconds of processor time of this thread, from now on; None for no limit.
        memory: Megabytes (10**6 bytes) of states, estimated; None for no limit.
        states: States that may be expanded; None for no limit.

    Raises:
        InputError: If a limit is not positive.
    """

    def __init__(
        self,
        *,
        time: float | None = None,
        memory: float | None = None,
        states: int | None = None,
    ) -> None:
        for name, value in (("time", time), ("memory", memory), ("states", states)):
            if value is not None and value <= 0:
                raise InputError(
                    f"the {name} limit is {value}", expected="a number above 0, or None"
                )
        self._deadline = None if time is None else _now() + time
        self._bytes = None if memory is None else memory * 1e6
        self._states = states
        self.expanded = 0

    def check(self, actions: int = 0, atoms: int = 0) -> None:
        """Look at the clock, and at what ground actions and atoms take.

        Args:
            actions: How many there are.
            atoms: How many atoms they are about: the length of their masks.

        Raises:
            TimeLimitError: If the time is used up.
            MemoryLimitError: If they take more memory than allowed.
        """
        if self._deadline is not None and _now() > self._deadline:
            raise TimeLimitError
        taken = actions * (_ACTION + atoms // 4) + atoms * _ATOM
        if self._bytes is not None and taken > self._bytes:
            raise MemoryLimitError

    def expand(self, state: int, kept: int) -> None:
        """Count one expanded state.

        Args:
            state: The state.
            kept: How many states the search has in memory.

        Raises:
            TimeLimitError: If the time is used up.
            MemoryLimitError: If the states that are kept take more memory than allowed.
            BoundReachedError: If as many states were expanded as are allowed.
        """
        if self._states is not None and self.expanded >= self._states:
            raise BoundReachedError
        self.expanded += 1
        if not self.expanded & 63:
            self.check()
            if self._bytes is not None and kept * (sys.getsizeof(state) + _NODE) > self._bytes:
                raise MemoryLimitError


def _now() -> float:
    return time.thread_time()
