"""Episodes as trajectories: formulas are evaluated and explained on them as on plans.

Any environment will do, a real simulator too: what is needed is its state after every turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from eai.logic.formula import Atom
from eai.world.action import Action
from eai.world.state import State
from eai.world.transition import World

__all__ = ["EpisodeTrace"]


class EpisodeTrace:
    """An episode as a trajectory for the logic (:class:`eai.logic.Trajectory`).

    Args:
        world: The engine of the world.
        states: The state at every position; they must not be changed any more.
        actions: What was done from each of them, with the objects that were chosen; None for
            a turn that failed.
    """

    def __init__(
        self, world: World, states: Sequence[State], actions: Iterable[Action | None]
    ) -> None:
        self._world = world
        self._states = tuple(states)
        self._actions = tuple(actions)

    @property
    def length(self) -> int:
        """Number of positions."""
        return len(self._states)

    def objects(self, types: tuple[str, ...]) -> Sequence[str]:
        """Names of the objects of any of the types, in order."""
        return self._states[0].universe.of_types(types)

    def history(self, predicate: str, arguments: tuple[str, ...]) -> int:
        """Truth of a ground atom at every position: bit i of the integer is position i.

        Raises:
            UnknownNameError: If the predicate or an object is not known.
        """
        if predicate in self._world.derived:
            test = self._world.test_of(Atom(predicate, arguments), self._states[0].universe)
            return _vector(map(test, self._states))
        return _vector(state.holds(predicate, arguments) for state in self._states)

    def occurrences(self, action: str, arguments: tuple[str, ...]) -> int:
        """Positions from which the action is taken, as a bit vector."""
        return _vector(each == Action(action, arguments) for each in self._actions)

    def taken(self, action: str) -> Sequence[tuple[int, tuple[str, ...]]]:
        """Position and arguments of every occurrence of the action, in order."""
        return [
            (position, each.arguments)
            for position, each in enumerate(self._actions)
            if each is not None and each.name == action
        ]


def _vector(truths: Iterable[bool]) -> int:
    return sum(1 << position for position, true in enumerate(truths) if true)
