"""What the logic needs to know of a trajectory.

The logic room judges anything that can answer these questions; :mod:`eai.world.trajectory` is
the one that simulators make. Positions are numbered 0..n for n actions. Position i pairs state
i with the action taken *from* it, so the last position has no action and the empty plan is a
trajectory of one position.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

__all__ = ["Extents", "Part", "Trajectory"]


class Trajectory(Protocol):
    """A finite state-action trajectory over a fixed set of typed objects."""

    @property
    def length(self) -> int:
        """Number of positions: one more than there are actions."""
        ...

    def objects(self, types: tuple[str, ...]) -> Sequence[str]:
        """Names of the objects of any of the types (or of a subtype), in a fixed order."""
        ...

    def history(self, predicate: str, arguments: tuple[str, ...]) -> int:
        """Truth of a ground atom at every position: bit i of the integer is position i.

        Raises:
            UnknownNameError: If the predicate or an object is not known.
        """
        ...

    def occurrences(self, action: str, arguments: tuple[str, ...]) -> int:
        """Positions from which the ground action is taken, as a bit vector like a history."""
        ...

    def taken(self, action: str) -> Sequence[tuple[int, tuple[str, ...]]]:
        """Position and arguments of every occurrence of the action, in order."""
        ...


class Extents(Protocol):
    """What a trajectory may know in addition, to spare quantifiers the objects in vain."""

    def ever(
        self, predicate: str, arguments: tuple[str | None, ...], place: int
    ) -> frozenset[str] | None:
        """Objects that make an atom true at some position.

        Args:
            predicate: The predicate.
            arguments: The arguments so far as they are given; None for any object.
            place: The 0-based number of the argument that is asked for; None stands there.

        Returns:
            A set that contains every object o for which some atom of the predicate with the
            given arguments, and o at the place, is ever true; None if that is not known.

        Raises:
            UnknownNameError: If the predicate or an object is not known.
        """
        ...


class Part:
    """Some consecutive positions of a trajectory, as a trajectory of their own.

    Args:
        whole: The trajectory.
        start: The first of the positions.
        end: The position after the last of them.
    """

    def __init__(self, whole: Trajectory, start: int, end: int) -> None:
        self.whole = whole
        self.start = start
        self.length = end - start
        self._mask = (1 << self.length) - 1

    def objects(self, types: tuple[str, ...]) -> Sequence[str]:
        """Names of the objects, which are those of the whole."""
        return self.whole.objects(types)

    def history(self, predicate: str, arguments: tuple[str, ...]) -> int:
        """Truth of a ground atom at the positions of the part."""
        return self.whole.history(predicate, arguments) >> self.start & self._mask

    def occurrences(self, action: str, arguments: tuple[str, ...]) -> int:
        """Positions of the part from which the ground action is taken."""
        return self.whole.occurrences(action, arguments) >> self.start & self._mask

    def taken(self, action: str) -> Sequence[tuple[int, tuple[str, ...]]]:
        """Position within the part and arguments of every occurrence of the action."""
        shifted = [(place - self.start, names) for place, names in self.whole.taken(action)]
        return [step for step in shifted if 0 <= step[0] < self.length]
