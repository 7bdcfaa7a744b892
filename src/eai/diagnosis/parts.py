"""Parts of the results of some abilities: goal conditions, measures, verdicts on rules."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # A condition that was stored has no formula, and needs no logic.
    from eai.logic import Formula


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition of the goal and whether it was met.

    Args:
        kind: ``"state"``, ``"relation"`` or ``"action"``.
        text: The condition in the notation of the goal.
        met: Whether it counts as met.
        since: 1-based step that made it true for the last time; 0 if it held from the start;
            None if it never held.
        lost_by: 1-based step that made it false after it had held, or None.
        formula: The condition itself; None if it is none of a state, or was stored.
    """

    kind: str
    text: str
    met: bool
    since: int | None = None
    lost_by: int | None = None
    formula: Formula | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Measure:
    """A ratio for one item. Reports show the mean over items.

    Args:
        kind: What was measured (``"undoable"``).
        amount: The numerator: failed turns, for instance; a rate of change may be negative.
        base: The denominator, at least 1: all turns, for instance.
    """

    kind: str
    amount: int
    base: int


@dataclass(frozen=True, slots=True)
class RuleVerdict:
    """Whether an additional rule was kept.

    Args:
        name: The rule's name.
        kept: Whether it was kept up to the last step that was done.
        step: 1-based step with which it was broken: what it asks for at some time was still
            missing after the last one. It is 0 for the start, and None if it was kept.
        facts: The facts at that time, as text; of many the first few.
        reason: One sentence that says why it was broken.
        at_stake: Whether its trigger happened: that of ``G (a -> b)`` is ``a``. A rule whose
            trigger never happened is kept by plans that have nothing to do with it.
    """

    name: str
    kept: bool
    step: int | None = None
    facts: tuple[str, ...] = ()
    reason: str = ""
    at_stake: bool = True

    @property
    def outcome(self) -> str:
        """The verdict in words, with the step that broke the rule and the facts there.

        "kept", "never at stake", "broken from the start" or "broken by step 3 (open(door.1))".
        """
        if self.kept:
            return "kept" if self.at_stake else "never at stake"
        text = "broken from the start"
        if self.step:
            text = f"broken by step {self.step}"
        if self.facts:
            text += f" ({', '.join(self.facts)})"
        return text
