"""A trajectory of plain lists: the slow, obvious one that the tests evaluate by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["Fact", "ListTrajectory"]

Fact = tuple[str, ...]
"""A name followed by its arguments."""


class ListTrajectory:
    """Sets of facts, one a position, and the actions between them.

    Args:
        objects: Object names, or a mapping of them to their types.
        states: The facts that hold at each position.
        actions: The actions taken, one fewer than there are states.
    """

    def __init__(
        self,
        objects: Iterable[str],
        states: Sequence[Iterable[Fact]],
        actions: Sequence[Fact] = (),
    ) -> None:
        self.types = (
            dict(objects) if isinstance(objects, dict) else dict.fromkeys(objects, "object")
        )
        self.states = [frozenset(state) for state in states]
        self.actions = list(actions)

    @property
    def length(self) -> int:
        return len(self.states)

    def objects(self, types: tuple[str, ...]) -> Sequence[str]:
        return [name for name, kind in self.types.items() if kind in types or "object" in types]

    def history(self, predicate: str, arguments: tuple[str, ...]) -> int:
        fact = (predicate, *arguments)
        return sum(1 << i for i, state in enumerate(self.states) if fact in state)

    def occurrences(self, action: str, arguments: tuple[str, ...]) -> int:
        step = (action, *arguments)
        return sum(1 << i for i, taken in enumerate(self.actions) if taken == step)

    def taken(self, action: str) -> Sequence[tuple[int, tuple[str, ...]]]:
        return [(i, step[1:]) for i, step in enumerate(self.actions) if step[0] == action]
