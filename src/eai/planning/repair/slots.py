"""A plan that is being mended: its steps, and what became of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Optional

from eai.planning.repair.edits import Edit, EditKind
from eai.world.action import Action

__all__ = ["Slot", "Slots", "edits_of", "kept"]


class Slot(NamedTuple):
    """A step of a plan that is being mended.

    Args:
        action: What is done.
        numbers: Numbers of the operator's arguments; None if the world does not know the step.
        origin: 0-based number of the step of the plan that stands here, or stood here; None for
            an action that was put in.
        edit: What was done to it; None for a step that is kept.
    """

    action: Action
    numbers: Optional[tuple[int, ...]]  # noqa: UP045
    origin: Optional[int] = None  # noqa: UP045
    edit: Optional[EditKind] = EditKind.INSERT  # noqa: UP045


Slots = tuple[Slot, ...]


def kept(action: Action, numbers: tuple[int, ...] | None, origin: int) -> Slot:
    """Return a step of the plan as it is."""
    return Slot(action, numbers, origin, None)


def edits_of(slots: Slots, plan: Sequence[Action]) -> tuple[Edit, ...]:
    """Return the edits that lead from a plan to what became of it, in the order of the plan."""
    found = list(_edits(slots, plan))[::-1]
    return tuple(sorted(found, key=lambda edit: (edit.place, edit.step is not None)))


def _edits(slots: Slots, plan: Sequence[Action]) -> Iterator[Edit]:
    gone = set(range(len(plan)))
    before = len(plan) + 1
    for slot in reversed(slots):
        if slot.origin is not None:
            gone.discard(slot.origin)
        if slot.edit is EditKind.INSERT or slot.origin is None:
            yield Edit(EditKind.INSERT, None, before, None, slot.action)
        elif slot.edit is EditKind.MOVE:
            yield Edit(EditKind.MOVE, slot.origin + 1, before, slot.action, slot.action)
        else:
            before = slot.origin + 1
            if slot.edit is EditKind.REPLACE:
                yield Edit(EditKind.REPLACE, before, None, plan[slot.origin], slot.action)
    yield from (Edit(EditKind.DELETE, at + 1, None, plan[at]) for at in gone)
