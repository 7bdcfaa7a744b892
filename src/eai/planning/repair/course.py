"""Courses: how far a plan that is being mended goes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from eai.planning.repair.slots import Slots
from eai.planning.repair.stage import Stage
from eai.planning.repair.target import Progress, Tracker
from eai.world.bits import bits
from eai.world.state import Change, State

__all__ = ["Course", "follow"]

Cells = frozenset[tuple[int, object, object]]


@dataclass(frozen=True)
class Course:
    """The way of a plan, up to where it stops.

    Args:
        slots: The steps.
        states: The states before the steps that were done, and the last one.
        progress: How far the goal had come in each of them.
        changes: What each step changed; None if it was passed over.
        reached: Whether the plan comes to its end and the target is reached.
    """

    slots: Slots
    states: tuple[State, ...]
    progress: tuple[Progress, ...]
    changes: tuple[list[Change] | None, ...]
    reached: bool

    @property
    def at(self) -> int:
        """0-based number of the step that fails; the number of steps if none does."""
        return len(self.changes)

    @cached_property
    def cells(self) -> Cells:
        """The atoms in which the last state differs from the first."""
        found: set[tuple[int, object, object]] = set()
        for changes in self.changes:
            for p, column, key, mask, _ in changes or ():
                for number in bits(mask):
                    found ^= {(p, number, key) if column else (p, key, number)}
        return frozenset(found)


def follow(
    stage: Stage, tracker: Tracker, slots: Slots, *, after: Course | None = None, begin: int = 0
) -> Course:
    """Do steps one after the other, until one fails.

    Args:
        stage: The world.
        tracker: What has to be reached.
        slots: The steps.
        after: A course that has the same first steps.
        begin: How many steps these are.

    Raises:
        OutOfEffortError: If as much was tried as is allowed.
    """
    if after is None:
        states, progress = [stage.start.begin()], [(0, 0)]
        changes: list[list[Change] | None] = []
    else:
        states, progress = list(after.states[: begin + 1]), list(after.progress[: begin + 1])
        changes = list(after.changes[:begin])
    for slot in slots[begin:]:
        done = stage.keep(states[-1], slot)
        if done is None:
            return Course(slots, tuple(states), tuple(progress), tuple(changes), reached=False)
        if done[1] is not None:
            progress.append(tracker.advance(progress[-1], states[-1], slot.action))
        else:
            progress.append(progress[-1])
        states.append(done[0])
        changes.append(done[1])
    reached = tracker.is_reached(progress[-1], states[-1])
    return Course(slots, tuple(states), tuple(progress), tuple(changes), reached)
