"""Subgoals in answers: read, bound to a task, and followed by search in its world."""

from eai.abilities.subgoals.reader import (
    BoundSubgoals,
    Subgoal,
    SubgoalReading,
    WrittenSubgoal,
    bind_subgoals,
    read_subgoals,
    ways_of,
)

__all__ = [
    "BoundSubgoals",
    "Subgoal",
    "SubgoalReading",
    "WrittenSubgoal",
    "bind_subgoals",
    "read_subgoals",
    "ways_of",
]
