"""Search for the fewest edits.

A plan that fails is edited where that is of use for what fails first, then again for what fails
next, and so on. All plans after one edit are looked at, so whether one edit is enough is settled;
of those with more edits the ones that get farthest are looked at first, and of those that lead to
the same state with the same steps to come one is enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from eai.planning.repair.course import Course, follow
from eai.planning.repair.single import SingleEdits
from eai.planning.repair.slots import Slots
from eai.planning.repair.stage import OutOfEffortError, Stage
from eai.planning.repair.target import Tracker

__all__ = ["Found", "search"]

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


def search(stage: Stage, tracker: Tracker, *, edits: int) -> Found:
    """Find repairs with the fewest edits.

    Args:
        stage: The plan and its world.
        tracker: What has to be reached.
        edits: Most edits.
    """
    layer, bound, repairs = [], 0, dict[Slots, None]()
    try:
        layer = [follow(stage, tracker, stage.slots)]
        if layer[0].reached:
            return Found((stage.slots,), 0, complete=True)
        bound = 1
        single = SingleEdits(stage, tracker)
        for number in range(1, edits + 1):
            after = _Layer()
            for course in layer:
                for other in single.of(course):
                    if other.reached:
                        repairs[other.slots] = None
                    elif not repairs and number < edits:
                        after.add(other)
            if number == 1:
                bound = 1 if repairs else 2
            if repairs:
                return Found(tuple(repairs), bound, complete=number == 1)
            layer = after.best()
    except OutOfEffortError:
        pass
    return Found(tuple(repairs), bound)


class _Layer:
    """Plans with the same number of edits, one of those between which nothing differs any more."""

    def __init__(self) -> None:
        self._courses: dict[object, Course] = {}

    def add(self, course: Course) -> None:
        rest = tuple((slot.action, slot.edit) for slot in course.slots[course.at :])
        key = rest, course.progress[-1], course.cells
        self._courses.setdefault(key, course)

    def best(self) -> list[Course]:
        """The plans that get farthest."""
        ranked = sorted(self._courses.values(), key=lambda c: len(c.slots) - c.at)
        return list(islice(ranked, _WIDTH))
