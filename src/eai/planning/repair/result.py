"""Least repair: what came of it."""

from __future__ import annotations

from dataclasses import dataclass

from eai.planning.repair.edits import Edit
from eai.world.action import Action

__all__ = ["Repair"]


@dataclass(frozen=True, slots=True)
class Repair:
    """What a plan needs to work.

    Args:
        plan: The plan as it was.
        edits: The edits, in the order of the plan; None if no repair was found.
        repaired: The plan after the edits; None if no repair was found.
        bound: No repair has fewer edits than this: that was proved.
        count: How many different plans that work can be had with so few edits, where an edit that
            puts something in is only made if taking a step out is not enough; 0 if they were not
            all found.
    """

    plan: tuple[Action, ...]
    edits: tuple[Edit, ...] | None
    repaired: tuple[Action, ...] | None
    bound: int
    count: int = 0

    @property
    def found(self) -> bool:
        """Whether there is a repair."""
        return self.edits is not None

    @property
    def distance(self) -> int | None:
        """Number of edits: how far the plan was from working; None if no repair was found."""
        return None if self.edits is None else len(self.edits)

    @property
    def optimal(self) -> bool:
        """Whether it was proved that no repair has fewer edits."""
        return self.edits is not None and len(self.edits) <= self.bound

    @property
    def score(self) -> float:
        """How much of the plan is right, from 0 to 1; 0 if no repair was found.

        1 less the number of edits by the length of the longer plan: a plan that works has 1,
        one of which nothing can stay has 0.
        """
        if self.edits is None or self.repaired is None:
            return 0.0
        longer = max(len(self.plan), len(self.repaired), 1)
        return max(0.0, 1 - len(self.edits) / longer)

    def __str__(self) -> str:
        if self.edits is None:
            return f"no repair found; fewer than {_counted(self.bound)} would not do"
        if not self.edits:
            return "the plan works"
        lines = [f"{_counted(len(self.edits))} would make the plan work{self._proof()}:"]
        lines += [
            f"  {edit} ({edit.mistake.replace('_', ' ')}{_share(edit)})" for edit in self.edits
        ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from eai.display import preformatted

        return preformatted(str(self))

    def _proof(self) -> str:
        if not self.optimal:
            return self._unsettled()
        if self.count > 1:
            return f", no fewer; {self.count} different plans are so near"
        return ", no fewer"

    def _unsettled(self) -> str:
        """Which numbers of edits are proved not to be enough, and of which that is not known."""
        least, most = self.bound, len(self.edits or ()) - 1
        proved = f"fewer than {least} are proved not to, and " if least > 1 else ""
        numbers = f"{least}" if least == most else f"{least} to {most}"
        return f"; {proved}whether {numbers} would was not found out"


def _counted(edits: int) -> str:
    return f"{edits} edit{'' if edits == 1 else 's'}"


def _share(edit: Edit) -> str:
    """Whether an edit is a part of all least repairs, in words."""
    if edit.necessary is None:
        return ""
    return ", cannot be done without" if edit.necessary else ", or another edit"
