"""Results about the scenes that tasks begin in, kept for the next task of the same scene."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from threading import local
from typing import Generic, TypeVar

from eai.world import State

T = TypeVar("T")

_MAX_SCENES = 16
"""Number of scenes whose results are kept: a task may change its home for itself alone."""


class RecentScenes(local, Generic[T]):
    """Computes results about states, and keeps the last ones of a thread.

    Each thread has its own results, so that no other thread sees one that is not complete.

    Args:
        compute: Computes the result of a state.
    """

    def __init__(self, compute: Callable[[State], T]) -> None:
        """Begin with no result."""
        self._compute = compute
        self._results: deque[tuple[State, T]] = deque(maxlen=_MAX_SCENES)

    def of(self, state: State) -> T:
        """Return the result of a state, which is computed once for all equal states."""
        for kept_state, result in self._results:
            if are_equal(kept_state, state):
                return result
        state = state.copy()  # the caller may change the state
        result = self._compute(state)
        self._results.appendleft((state, result))
        return result


def are_equal(first: State, second: State) -> bool:
    """Return whether two states of a domain have the same objects, facts and numbers."""
    return (
        first.layout.domain is second.layout.domain
        and first.universe.names == second.universe.names
        and first.universe.types == second.universe.types
        and first.unary == second.unary
        and first.rows == second.rows
        and first.wide == second.wide
        and first.numbers == second.numbers
    )
