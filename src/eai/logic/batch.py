"""Many trajectories at once, in one integer.

The positions of all trajectories are put in a row, and one pass of big-integer operations judges
a formula on all of them; no carry leaves its trajectory (:class:`~eai.logic.timeline.Timelines`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate

from eai.errors import InputError
from eai.logic.evaluation import Evaluation
from eai.logic.formula import Formula, free_variables
from eai.logic.positions import Binding, Positions
from eai.logic.timeline import Timelines, mirror
from eai.logic.trace import Trajectory
from eai.logic.traits import Reading
from eai.logic.translation import to_linear

__all__ = ["Batch", "evaluate_all"]


class Batch:
    """Several trajectories in a row, which are a trajectory themselves.

    Args:
        trajectories: The trajectories; they must not change meanwhile. If formulas have
            quantifiers, they must be about the same objects.

    Raises:
        InputError: If there is no trajectory, or one of them has no position.
    """

    def __init__(self, trajectories: Sequence[Trajectory]) -> None:
        self.trajectories = tuple(trajectories)
        self.sizes = [trajectory.length for trajectory in self.trajectories]
        self.length = sum(self.sizes)
        self.timeline = Timelines(self.sizes)
        self._starts = list(accumulate(self.sizes, initial=0))[:-1]
        self._positions = Positions(self, timeline=self.timeline)
        self._kept: list[Formula] = []

    def objects(self, types: tuple[str, ...]) -> Sequence[str]:
        """Names of the objects of any of the types, which are the same everywhere.

        Raises:
            InputError: If the trajectories are about different objects.
        """
        first, *others = [trajectory.objects(types) for trajectory in self.trajectories]
        if any(list(other) != list(first) for other in others):
            raise InputError(
                "the trajectories are about different objects",
                expected="the same objects, because the formula has quantifiers",
                mend="evaluate them one by one",
            )
        return first

    def history(self, predicate: str, arguments: tuple[str, ...]) -> int:
        """Truth of a ground atom at every position: bit 0 is the first of the first trajectory."""
        return self._joined(t.history(predicate, arguments) for t in self.trajectories)

    def occurrences(self, action: str, arguments: tuple[str, ...]) -> int:
        """Positions from which a ground action is taken."""
        return self._joined(t.occurrences(action, arguments) for t in self.trajectories)

    def taken(self, action: str) -> Sequence[tuple[int, tuple[str, ...]]]:
        """Position and arguments of every occurrence of an action."""
        return [
            (start + position, arguments)
            for start, trajectory in zip(self._starts, self.trajectories, strict=True)
            for position, arguments in trajectory.taken(action)
        ]

    def _joined(self, histories: Iterable[int]) -> int:
        # Digits to the base two are joined, and read, in linear time.
        digits = [f"{h:0{size}b}" for h, size in zip(histories, self.sizes, strict=True)]
        return int("".join(reversed(digits)), 2)

    def vector(self, history: Callable[[Trajectory], int]) -> int:
        """Join what is known of each trajectory to one vector with time reversed.

        Args:
            history: Gives a vector of a trajectory, bit i for position i.
        """
        return mirror(self._joined(map(history, self.trajectories)), self.length)

    def first(self, vector: int) -> list[bool]:
        """Return the values of a vector at the first position of every trajectory."""
        digits = f"{vector:0{self.length}b}"
        return [digits[start] == "1" for start in self._starts]

    def evaluate(self, formula: Formula, *, reading: Reading | None = None) -> list[bool]:
        """Say of every trajectory whether a formula holds on it.

        Args:
            formula: A closed formula.
            reading: As for :func:`~eai.logic.semantics.evaluate`.

        Raises:
            UnknownNameError: If a trajectory does not know a predicate, an action or an object.
            InputError: If a variable is not bound, or there are quantifiers and the trajectories
                are about different objects.
        """
        if free_variables(formula):
            return self._one_by_one(formula, reading)
        try:
            linear = to_linear(formula, reading=reading)
        except InputError:
            # There is no translation.
            return self._one_by_one(formula, reading)
        self._kept.append(linear)
        return self.first(self._positions.truth(linear, Binding()))

    def _one_by_one(self, formula: Formula, reading: Reading | None) -> list[bool]:
        return [
            Evaluation(trajectory).verdict(formula, reading=reading).holds
            for trajectory in self.trajectories
        ]


def evaluate_all(
    formula: Formula, trajectories: Sequence[Trajectory], *, reading: Reading | None = None
) -> list[bool]:
    """Say of every trajectory whether a formula holds on it.

    Args:
        formula: A closed formula.
        trajectories: The trajectories; none gives none.
        reading: As for :func:`~eai.logic.semantics.evaluate`.

    Raises:
        UnknownNameError: If a trajectory does not know a predicate, an action or an object.
        InputError: As for :meth:`Batch.evaluate`, or if a trajectory has no position.
    """
    return Batch(trajectories).evaluate(formula, reading=reading) if trajectories else []
