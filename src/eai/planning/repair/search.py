"""Search for the fewest edits.

A plan that fails is edited where that is of use for what fails first, then again for what fails
next, and so on. All plans after one edit are looked at, so whether one edit is enough is settled;
of those with more edits the ones that get farthest are looked at first, and of those that lead to
the same state with the same steps to come one is enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from eai.planning.repair.course import Course, follow
from eai.planning.repair.edits import EditKind
from eai.planning.repair.pairs import first_edits
from eai.planning.repair.single import SingleEdits
from eai.planning.repair.slots import Slots
from eai.planning.repair.stage import OutOfEffortError, Stage
from eai.planning.repair.target import Tracker

__all__ = ["Found", "search"]

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


def search(stage: Stage, tracker: Tracker, *, edits: int, known: int | None = None) -> Found:
    """Find repairs with the fewest edits.

    Args:
        stage: The plan and its world.
        tracker: What has to be reached.
        edits: Most edits.
        known: The number of edits of a repair that is there already. If no repair has fewer, a
            third of the effort is enough to look for others like it.
    """
    found = _Search(stage, tracker, known)
    try:
        return found.run(edits)
    except OutOfEffortError:
        return Found(tuple(found.repairs), found.bound)


class _Search:
    """The search, with what it has found so far."""

    def __init__(self, stage: Stage, tracker: Tracker, known: int | None) -> None:
        self._stage = stage
        self._tracker = tracker
        self._known = known
        self._single = SingleEdits(stage, tracker)
        self.repairs: dict[Slots, None] = {}
        self.bound = 0

    def run(self, edits: int) -> Found:
        course = follow(self._stage, self._tracker, self._stage.slots)
        if course.reached:
            return Found((self._stage.slots,), 0, complete=True)
        self.bound = 1
        layer = [course]
        for number in range(1, edits + 1):
            if 1 < number == self.bound == self._known:
                self._stage.effort.shorten()
            after = _Layer()
            for each in layer:
                self._sort(self._single.of(each), after, _left(each))
            complete = number == 1 or (number == 2 and self._all_pairs(course))
            if self.repairs:
                return Found(tuple(self._needed()), self.bound, complete=complete)
            if complete:
                self.bound = number + 1
            for each in layer if number < edits else ():
                self._sort(self._single.enabling(each), after, _left(each))
            layer = after.best()
        return Found((), self.bound)

    def _sort(self, courses: Iterable[Course], layer: _Layer, left: int) -> None:
        """Keep plans that work, and those that get as far as the one before."""
        for course in courses:
            if course.reached:
                self.repairs[course.slots] = None
            elif not self.repairs and _left(course) <= left:
                layer.add(course)

    def _all_pairs(self, course: Course) -> bool:
        """Find all repairs with two edits, if the world is small enough."""
        firsts = list(islice(first_edits(self._stage, course), _PAIRS + 1))
        if len(firsts) > _PAIRS:
            return False
        for slots in firsts:
            first = follow(self._stage, self._tracker, slots)
            found = [other.slots for other in self._single.of(first) if other.reached]
            self.repairs.update(dict.fromkeys(found))
        return True

    def _needed(self) -> Iterator[Slots]:
        """The repairs that put nothing in where taking a step out is enough."""
        for slots in self.repairs:
            if not any(
                slot.edit in (EditKind.REPLACE, EditKind.MOVE)
                and (*slots[:at], *slots[at + 1 :]) in self.repairs
                for at, slot in enumerate(slots)
            ):
                yield slots


class _Layer:
    """Plans with the same number of edits, one of those between which nothing differs any more."""

    def __init__(self) -> None:
        self._courses: list[Course] = []

    def add(self, course: Course) -> None:
        self._courses.append(course)
        if len(self._courses) > _KEPT:
            self._courses = sorted(self._courses, key=_left)[: _KEPT // 2]

    def best(self) -> list[Course]:
        """The plans that get farthest."""
        found: dict[object, Course] = {}
        for course in sorted(self._courses, key=_left):
            rest = tuple((slot.action, slot.edit) for slot in course.slots[course.at :])
            found.setdefault((rest, course.progress[-1], course.cells), course)
            if len(found) == _WIDTH:
                break
        return list(found.values())


def _left(course: Course) -> int:
    """How many steps are not done."""
    return len(course.slots) - course.at
