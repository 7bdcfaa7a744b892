"""Search for the fewest edits after which a plan works."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from eai.budget import BeyondBudgetError
from eai.planning.repair.candidates import SingleEdits, first_edits
from eai.planning.repair.edits import EditKind, Slots
from eai.planning.repair.task import Execution, RepairTask

_PAIRS = 800
"""If there are no more first edits than this, all repairs with two edits are found."""

_KEPT = 1000
"""So many plans are kept while others with the same number of edits are made."""

_WIDTH = 40
"""So many plans with the same number of edits are edited further."""


@dataclass(frozen=True, slots=True)
class Found:
    """What the search found.

    Args:
        repairs: What becomes of the plan, with the fewest edits; empty if no repair was found.
        bound: No repair has fewer edits than this.
        complete: Whether these are all repairs with so few edits.
    """

    repairs: tuple[Slots, ...]
    bound: int
    complete: bool = False


def search(task: RepairTask, *, edits: int, known: int | None = None) -> Found:
    """Find repairs with the fewest edits.

    Args:
        task: The plan, its target and its world.
        edits: Most edits.
        known: The number of edits of a repair that is there already. If no repair has fewer, a
            third of the budget is enough to look for others like it.
    """
    found = _Search(task, known)
    try:
        return found.run(edits)
    except BeyondBudgetError:
        return Found(tuple(found.repairs), found.bound)


class _Search:
    """The search, with what it has found so far."""

    def __init__(self, task: RepairTask, known: int | None) -> None:
        self._task = task
        self._known = known
        self._single = SingleEdits(task)
        self.repairs: dict[Slots, None] = {}
        self.bound = 0

    def run(self, edits: int) -> Found:
        start = self._task.run(self._task.slots)
        if start.reached:
            return Found((self._task.slots,), 0, complete=True)
        self.bound = 1
        layer = [start]
        for number in range(1, edits + 1):
            if 1 < number == self.bound == self._known:
                self._task.meter.budget /= 3
            after: list[Execution] = []
            for each in layer:
                self._sort(self._single.of(each), after, _left(each))
            complete = number == 1 or (number == 2 and self._all_pairs(start))
            if self.repairs:
                return Found(tuple(filter(self._is_needed, self.repairs)), self.bound, complete)
            if complete:
                self.bound = number + 1
            for each in layer if number < edits else ():
                self._sort(self._single.enabling(each), after, _left(each))
            layer = _farthest(after)
        return Found((), self.bound)

    def _sort(self, executions: Iterable[Execution], layer: list[Execution], left: int) -> None:
        """Keep plans that work, and those that get as far as the one before."""
        for each in executions:
            if each.reached:
                self.repairs[each.slots] = None
            elif not self.repairs and _left(each) <= left:
                layer.append(each)
                if len(layer) > _KEPT:
                    layer[:] = sorted(layer, key=_left)[: _KEPT // 2]

    def _all_pairs(self, start: Execution) -> bool:
        """Find all repairs with two edits, if the world is small enough."""
        firsts = list(islice(first_edits(self._task, start), _PAIRS + 1))
        if len(firsts) > _PAIRS:
            return False
        for slots in firsts:
            found = self._single.of(self._task.run(slots))
            self.repairs.update(dict.fromkeys([each.slots for each in found if each.reached]))
        return True

    def _is_needed(self, slots: Slots) -> bool:
        """Whether it puts nothing in where taking a step out is enough."""
        return not any(
            slot.edit in (EditKind.REPLACE, EditKind.MOVE)
            and (*slots[:at], *slots[at + 1 :]) in self.repairs
            for at, slot in enumerate(slots)
        )


def _farthest(executions: Iterable[Execution]) -> list[Execution]:
    """The plans that get farthest, one of those between which nothing differs any more."""
    found: dict[object, Execution] = {}
    for each in sorted(executions, key=_left):
        rest = tuple((slot.action, slot.edit) for slot in each.slots[each.at :])
        found.setdefault((rest, each.progress[-1], each.differing), each)
        if len(found) == _WIDTH:
            break
    return list(found.values())


def _left(execution: Execution) -> int:
    """How many steps are not done."""
    return len(execution.slots) - execution.at
