"""All single edits that may be of use for a plan that fails.

An edit is of use if it mends what fails first, or contributes to that. Which edits cannot
contribute is known from the landmarks; all others are made. Nothing is put in where taking a step
out is enough.
"""

from __future__ import annotations

from collections.abc import Iterator

from eai.planning.repair.candidates import Candidates
from eai.planning.repair.course import Course, follow
from eai.planning.repair.edits import EditKind
from eai.planning.repair.landmarks import Landmarks, Mapped
from eai.planning.repair.slots import Slot, Slots
from eai.planning.repair.stage import Stage
from eai.planning.repair.target import Tracker
from eai.world.state import State

__all__ = ["SingleEdits"]


class SingleEdits:
    """Makes edits.

    Args:
        stage: The world and what the agent can do.
        tracker: What has to be reached.
    """

    def __init__(self, stage: Stage, tracker: Tracker) -> None:
        self._stage = stage
        self._tracker = tracker
        self._landmarks = Landmarks(stage, tracker)
        self._candidates = Candidates(stage)
        self._last: tuple[Course, Mapped] | None = None

    def of(self, course: Course) -> Iterator[Course]:
        """Yield the courses of a plan after one more edit.

        All edits after which the target is reached are among them, except those that put
        something in where taking out is enough.

        Args:
            course: The course of a plan that does not reach the target.

        Raises:
            OutOfEffortError: If as much was tried as is allowed.
        """
        mapped = self._mapped(course)
        found = [self._candidates.at(mapped, p, course.states[p]) for p in range(course.at + 1)]
        for place, slots in enumerate(found):
            for slot in slots:
                yield self._with(course, place, place, slot)
        yield from self._earlier(course, mapped)
        first = course.at if mapped.is_hopeless else 0
        for place in range(first, min(course.at + 1, len(course.slots))):
            if course.slots[place].edit is None:
                yield from self._without(course, mapped, place)

    def enabling(self, course: Course) -> Iterator[Course]:
        """Yield the courses after one more edit that lets another one be of use.

        Where a plan fails, an action is put in that an action needs which would be of use there.

        Args:
            course: The course of a plan that does not reach the target.
        """
        mapped, place, state = self._mapped(course), course.at, course.states[-1]
        refused = self._candidates.refused(state, mapped.needs[place], mapped.names)
        for slot in self._candidates.bringing(state, self._landmarks.permitting(refused, state)):
            yield self._with(course, place, place, slot)

    def _mapped(self, course: Course) -> Mapped:
        if self._last is None or self._last[0] is not course:
            self._last = course, self._landmarks.of(course)
        return self._last[1]

    def _with(self, course: Course, begin: int, end: int, slot: Slot) -> Course:
        """The course with a step in the place of others."""
        slots = (*course.slots[:begin], slot, *course.slots[end:])
        return follow(self._stage, self._tracker, slots, after=course, begin=begin)

    def _earlier(self, course: Course, mapped: Mapped) -> Iterator[Course]:
        """Steps from behind the failure are moved to the front."""
        at = course.at
        for origin in range(at + 1, len(course.slots)):
            slot = course.slots[origin]
            if slot.edit is not None or slot.numbers is None:
                continue
            rest = (*course.slots[:origin], *course.slots[origin + 1 :])
            for place in range(at + 1):
                if self._helps(slot, mapped, place, course.states[place]):
                    yield self._moved(course, rest, place, slot)

    def _helps(self, slot: Slot, mapped: Mapped | None, place: int, state: State) -> bool:
        """Whether a step can be done somewhere, and is of use there if that is asked."""
        name, numbers = slot.action.name, slot.numbers
        assert numbers is not None  # noqa: S101 - the world knows the step
        self._stage.effort.spend(1)
        if not self._stage.is_applicable(state, name, numbers):
            return False
        if mapped is None or name in mapped.names or place in mapped.anything:
            return True
        return mapped.needs[place].met_by(self._stage.done(state, name, numbers)[1])

    def _moved(self, course: Course, rest: Slots, place: int, slot: Slot) -> Course:
        slots = (*rest[:place], slot._replace(edit=EditKind.MOVE), *rest[place:])
        return follow(self._stage, self._tracker, slots, after=course, begin=place)

    # ------------------------------------------------------------------ steps that go
    def _without(self, course: Course, mapped: Mapped, place: int) -> Iterator[Course]:
        """A step is taken out, put in elsewhere, or replaced."""
        slot = course.slots[place]
        rest = (*course.slots[:place], *course.slots[place + 1 :])
        out = follow(self._stage, self._tracker, rest, after=course, begin=place)
        helps = place == course.at or mapped.everywhere or self._harms(course, mapped, place)
        if helps:
            yield out
        if out.reached:
            return
        wanted = self._landmarks.of(out, place) if helps else mapped
        shift = 0 if helps else 1
        for other in self._candidates.at(wanted, place + shift, course.states[place]):
            if other.action != slot.action:
                new = other._replace(origin=slot.origin, edit=EditKind.REPLACE)
                yield self._with(course, place, place + 1, new)
        if slot.numbers is None or self._stage.is_hopeless(slot):
            return
        for to in range(place):
            if self._helps(slot, None if helps else mapped, to, course.states[to]):
                yield self._moved(course, rest, to, slot)
        for to in range(place + 1, out.at + 1):
            if self._helps(slot, wanted, to + shift, out.states[to]):
                yield self._moved(out, rest, to, slot)

    def _harms(self, course: Course, mapped: Mapped, place: int) -> bool:
        """Whether a step undoes something that is needed after it."""
        return mapped.needs[place + 1].lost_by(course.changes[place] or ())
