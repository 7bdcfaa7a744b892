"""Which ground actions are applicable in a state: a tree over the literals they ask for."""

from __future__ import annotations

from collections.abc import Sequence

from eai.planning.conditions import Condition, holds
from eai.planning.task import GroundAction, Task
from eai.world.bits import bits

__all__ = ["Successors"]


class Successors:
    """Finds the applicable actions of a task by walking down the literals of a state.

    Args:
        task: The task.
    """

    def __init__(self, task: Task) -> None:
        self._root = _Node()
        order = _order(task)
        for action in task.actions:
            path = sorted(bits(action.condition.every), key=order.__getitem__)
            self._root.enter(action, path)

    def applicable(self, state: int) -> list[GroundAction]:
        """Return the actions that are applicable in a state, in a fixed order."""
        found: list[GroundAction] = []
        pending = [self._root]
        while pending:
            node = pending.pop()
            found += node.free
            for rest, action in node.tested:
                if holds(rest, state):
                    found.append(action)
            below = state & node.mask
            while below:
                low = below & -below
                pending.append(node.below[low])
                below ^= low
        return found


class _Node:
    """Actions whose literals are those on the way to the node, and those that ask for more."""

    __slots__ = ("below", "free", "mask", "tested")

    def __init__(self) -> None:
        self.mask = 0
        self.below: dict[int, _Node] = {}
        self.free: list[GroundAction] = []
        self.tested: list[tuple[Condition, GroundAction]] = []

    def enter(self, action: GroundAction, path: Sequence[int]) -> None:
        node = self
        for literal in path:
            bit = 1 << literal
            node.mask |= bit
            node = node.below.setdefault(bit, _Node())
        if action.condition.clauses or action.condition.choices:
            node.tested.append((action.condition._replace(every=0), action))
        else:
            node.free.append(action)


def _order(task: Task) -> dict[int, int]:
    """Literals that are seldom true come first: positive ones that do not hold at the start."""
    uses: dict[int, int] = {}
    for action in task.actions:
        for literal in bits(action.condition.every):
            uses[literal] = uses.get(literal, 0) + 1
    ranked = sorted(uses, key=lambda i: (i & 1, task.initial >> i & 1, -uses[i], i))
    return {literal: rank for rank, literal in enumerate(ranked)}
