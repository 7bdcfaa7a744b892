"""Search for the fewest edits after which a plan works."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
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


class Search:
    """A search for the repairs with the fewest edits, and what it has found so far.

    Args:
        task: The plan, its target and its world.

    Attributes:
        repairs: What becomes of the plan, with the fewest edits; empty if no repair was found.
        bound: No repair has fewer edits than this.
        complete: Whether these are all repairs with so few edits.
    """

    def __init__(self, task: RepairTask) -> None:
        self._task = task
        self._single = SingleEdits(task)
        self.repairs: dict[Slots, None] = {}
        self.bound = 0
        self.complete = False

    def run(self, edits: int, known: int | None) -> None:
        """Search until repairs are found, or the budget is used up.

        Args:
            edits: Most edits.
            known: The number of edits of a repair that is there already. If no repair has fewer, a
                third of the budget is enough to look for others like it.
        """
        with suppress(BeyondBudgetError):
            start = self._task.run(self._task.slots)
            if start.reached:
                self.repairs[self._task.slots] = None
                self.complete = True
                return
            self.bound = 1
            layer = [start]
            for number in range(1, edits + 1):
                if 1 < number == self.bound == known:
                    self._task.meter.budget /= 3
                after: list[Execution] = []
                for each in layer:
                    self._sort(self._single.of(each), after, each)
                complete = number == 1 or (number == 2 and self._all_pairs(start))
                if self.repairs:
                    self.complete = complete
                    self.repairs = {each: None for each in self.repairs if self._is_needed(each)}
                    return
                if complete:
                    self.bound = number + 1
                for each in layer if number < edits else ():
                    self._sort(self._single.enabling(each), after, each)
                layer = _farthest(after)

    def _sort(self, found: Iterable[Execution], layer: list[Execution], before: Execution) -> None:
        """Keep plans that work, and those that get as far as the one before."""
        for each in found:
            if each.reached:
                self.repairs[each.slots] = None
            elif not self.repairs and each.left <= before.left:
                layer.append(each)
                if len(layer) > _KEPT:
                    layer[:] = sorted(layer, key=lambda each: each.left)[: _KEPT // 2]

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
    for each in sorted(executions, key=lambda each: each.left):
        rest = tuple((slot.action, slot.edit) for slot in each.slots[each.at :])
        found.setdefault((rest, each.progress[-1], each.differing), each)
        if len(found) == _WIDTH:
            break
    return list(found.values())
