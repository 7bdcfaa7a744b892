"""Subgoals in answers: read, bound to a task, and followed by search in its world."""

from eai.abilities.subgoals.binder import BoundSubgoals, Subgoal, bind_subgoals, ways_of
from eai.abilities.subgoals.reader import SubgoalReading, WrittenSubgoal, read_subgoals

__all__ = [
    "BoundSubgoals",
    "Subgoal",
    "SubgoalReading",
    "WrittenSubgoal",
    "bind_subgoals",
    "read_subgoals",
    "ways_of",
]
