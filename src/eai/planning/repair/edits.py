"""Edits of a plan, a plan that is being edited, and edits from one plan to another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, Optional

from eai.world import Action


class EditKind(str, Enum):
    """What is done to a plan; each edit counts one."""

    INSERT = "insert"
    """An action is put in: a step was missing."""
    DELETE = "delete"
    """A step is taken out: it was additional."""
    REPLACE = "replace"
    """Another action takes the place of a step: its object or its action was wrong."""
    MOVE = "move"
    """A step is taken out and put in elsewhere: the order was wrong."""

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit.

    Args:
        kind: What is done.
        step: 1-based number of the step that is taken out, replaced or moved; None for an
            insertion.
        before: 1-based number of the step before which an action is put in or moved; one more
            than there are steps for the end; None otherwise.
        old: The step that is taken out, replaced or moved.
        new: The action that is put in or moved, or that replaces the step.
        necessary: Whether every repair with so few edits takes this step out, and puts this
            action in (wherever that is); None if that is not known, since not all of them were
            found.
    """

    kind: EditKind
    step: int | None = None
    before: int | None = None
    old: Action | None = None
    new: Action | None = None
    necessary: bool | None = None

    @property
    def mistake(self) -> str:
        """What was wrong, read off the edit.

        Returns:
            ``"missing_step"``, ``"additional_step"``, ``"wrong_order"``, ``"wrong_object"`` (the
            same action on something else) or ``"wrong_action"``. These words are about edits;
            the kinds of error that the paper defines come from its own rules.
        """
        if self.kind is EditKind.REPLACE:
            assert self.old is not None  # noqa: S101 - it has both
            assert self.new is not None  # noqa: S101
            return "wrong_object" if self.old.name == self.new.name else "wrong_action"
        return _MISTAKES[self.kind]

    @property
    def place(self) -> int:
        """1-based number of the step of the plan at which it begins."""
        return min(place for place in (self.step, self.before) if place is not None)

    @property
    def changes(self) -> tuple[int | Action, ...]:
        """What it takes out (the number of a step) and puts in (an action, wherever)."""
        out = () if self.step is None else (self.step,)
        put = () if self.new is None else (self.new,)
        return (*out, *put)

    def __str__(self) -> str:
        if self.kind is EditKind.INSERT:
            return f"insert {self.new} before step {self.before}"
        if self.kind is EditKind.DELETE:
            return f"delete step {self.step}, {self.old}"
        if self.kind is EditKind.REPLACE:
            return f"replace step {self.step}, {self.old}, by {self.new}"
        return f"move step {self.step}, {self.old}, before step {self.before}"


_MISTAKES = {
    EditKind.INSERT: "missing_step",
    EditKind.DELETE: "additional_step",
    EditKind.MOVE: "wrong_order",
}


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


def edits_of(slots: Slots, plan: Sequence[Action]) -> tuple[Edit, ...]:
    """Return the edits that lead from a plan to what became of it, in the order of the plan."""
    found: list[Edit] = []
    gone = set(range(len(plan)))
    before = len(plan) + 1
    for slot in reversed(slots):
        if slot.origin is not None:
            gone.discard(slot.origin)
        if slot.edit is EditKind.INSERT or slot.origin is None:
            found.append(Edit(EditKind.INSERT, None, before, None, slot.action))
        elif slot.edit is EditKind.MOVE:
            step = slot.origin + 1
            found.append(Edit(EditKind.MOVE, step, before, slot.action, slot.action))
        else:
            before = slot.origin + 1
            if slot.edit is EditKind.REPLACE:
                old = plan[slot.origin]
                found.append(Edit(EditKind.REPLACE, before, None, old, slot.action))
    found += [Edit(EditKind.DELETE, at + 1, None, plan[at]) for at in gone]
    found.reverse()
    return tuple(sorted(found, key=lambda edit: (edit.place, edit.step is not None)))


def align(plan: Slots, other: Slots) -> Slots:
    """Return what becomes of a plan when it is turned into another one.

    Insertions, deletions and replacements are the fewest (Levenshtein 1966); what is taken out
    in one place and put in in another is a move.
    """
    costs = _costs([slot.action for slot in plan], [slot.action for slot in other])
    found: list[Slot] = []
    gone: dict[Action, list[int]] = defaultdict(list)
    i = j = 0
    while i < len(plan) or j < len(other):
        changed = i < len(plan) and j < len(other) and plan[i].action != other[j].action
        if i < len(plan) and j < len(other) and costs[i][j] == costs[i + 1][j + 1] + changed:
            new = other[j]._replace(origin=i, edit=EditKind.REPLACE)
            found.append(new if changed else plan[i])
            i, j = i + 1, j + 1
        elif j < len(other) and costs[i][j] == costs[i][j + 1] + 1:
            found.append(other[j]._replace(origin=None, edit=EditKind.INSERT))
            j += 1
        else:
            gone[plan[i].action].append(i)
            i += 1
    return tuple(
        slot._replace(origin=gone[slot.action].pop(0), edit=EditKind.MOVE)
        if slot.edit is EditKind.INSERT and gone[slot.action]
        else slot
        for slot in found
    )


def _costs(plan: Sequence[Action], other: Sequence[Action]) -> list[list[int]]:
    """For each pair of positions, how many operations the rests are apart."""
    below = [len(other) - j for j in range(len(other) + 1)]
    table = [below]
    for step in reversed(plan):
        row = [below[-1] + 1]
        for j in range(len(other) - 1, -1, -1):
            row.append(min(below[j] + 1, row[-1] + 1, below[j + 1] + (step != other[j])))
        below = row[::-1]
        table.append(below)
    return table[::-1]
