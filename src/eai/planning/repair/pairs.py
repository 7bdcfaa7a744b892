"""All first edits of two, for worlds that are small enough to try them all.

Of two edits one comes first in the plan. Before it everything is as it was, so what it puts in
can be done in the state that the plan as it is has there. The second edit then is a single one,
and of single ones none is overlooked (:mod:`eai.planning.repair.single`).
"""

from __future__ import annotations

from collections.abc import Iterator

from eai.planning.repair.candidates import Candidates
from eai.planning.repair.course import Course
from eai.planning.repair.edits import EditKind
from eai.planning.repair.slots import Slot, Slots
from eai.planning.repair.stage import Stage

__all__ = ["first_edits"]


def first_edits(stage: Stage, course: Course) -> Iterator[Slots]:
    """Yield what becomes of a plan by any edit that can be the first one of several.

    Args:
        stage: The world and what the agent can do.
        course: The course of the plan.
    """
    candidates = Candidates(stage)
    for place in range(course.at + 1):
        before, after = course.slots[:place], course.slots[place:]
        for new in candidates.every(course.states[place]):
            yield (*before, new, *after)
            if after and new.action != after[0].action:
                yield (*before, new._replace(origin=place, edit=EditKind.REPLACE), *after[1:])
    for origin, slot in enumerate(course.slots):
        rest = (*course.slots[:origin], *course.slots[origin + 1 :])
        if origin <= course.at:
            yield rest
        for to in range(len(course.slots) if slot.numbers else 0):
            if to != origin and _can_begin(stage, course, min(origin, to), to, slot):
                yield (*rest[:to], slot._replace(edit=EditKind.MOVE), *rest[to:])


def _can_begin(stage: Stage, course: Course, first: int, to: int, slot: Slot) -> bool:
    """Whether a step can be moved: what comes first is before the failure, and can be done."""
    if first > course.at:
        return False
    if to > first or slot.numbers is None:
        return True
    return stage.is_applicable(course.states[to], slot.action.name, slot.numbers)
