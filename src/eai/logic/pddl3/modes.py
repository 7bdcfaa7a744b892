"""The modes of PDDL 3: the words for what is demanded of a trajectory."""

from __future__ import annotations

from collections.abc import Callable

from eai.logic.nodes import Always, Eventually, Formula
from eai.logic.syntax import sugar

__all__ = ["MODES"]

MODES: dict[str, tuple[int, int, Callable[..., Formula]]] = {
    "always": (0, 1, Always),
    "sometime": (0, 1, Eventually),
    "at-end": (0, 1, sugar.at_end),
    "at-most-once": (0, 1, sugar.at_most_once),
    "sometime-after": (0, 2, sugar.sometime_after),
    "sometime-before": (0, 2, sugar.sometime_before),
    "within": (1, 1, sugar.within),
    "always-within": (1, 2, sugar.always_within),
    "hold-during": (2, 1, sugar.hold_during),
    "hold-after": (1, 1, sugar.hold_after),
}
"""For each mode the number of its bounds and of its conditions, and what it means."""
