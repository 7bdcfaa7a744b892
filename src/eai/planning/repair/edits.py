"""Edits: what a repair does to a plan, and what that says about the mistake."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from eai.world.action import Action

__all__ = ["Edit", "EditKind"]


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
