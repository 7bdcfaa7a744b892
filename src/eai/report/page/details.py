"""What a page can show of an item beyond its record: found by running the answer again."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from eai.report.record import Record

__all__ = ["Details", "Moment", "Reader", "TruthRow"]


class Moment(NamedTuple):
    """What one step changed.

    Args:
        added: What became true, as text.
        deleted: What became false.
    """

    added: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()


class TruthRow(NamedTuple):
    """The truth of a part of the goal over time.

    Args:
        text: The part.
        depth: How deep it stands in the goal.
        truth: For each position of the trajectory whether it is true; the first is the start.
    """

    text: str
    depth: int
    truth: tuple[bool, ...]


class Details(NamedTuple):
    """What is told of an item beyond its record.

    Args:
        instruction: What the agent was told.
        moments: What each step of the plan changed, in order.
        positions: For each position of the rows of truth the number of the step before it.
        truth: Truth of the goal and its parts.
        repair: The least change that makes the plan work, one edit a line; None if it was not
            looked for.
    """

    instruction: str = ""
    moments: tuple[Moment, ...] = ()
    positions: tuple[int, ...] = ()
    truth: tuple[TruthRow, ...] = ()
    repair: tuple[str, ...] | None = None


Reader = Callable[[Record], "Details | None"]
"""Finds the details of a record; None if there are none."""
