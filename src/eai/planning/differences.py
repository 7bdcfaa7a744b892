"""Differences between two descriptions in PDDL, by kind and name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PddlDifference:
    """An element that only one of two domains or problems has.

    Args:
        kind: Of domains ``"type"``, ``"predicate"`` or ``"action"``; of problems ``"object"``,
            ``"type"``, ``"initial fact"`` or ``"goal"``.
        text: Of domains a name, in its domain; of problems what it is, in the names of the first.
        missing: Whether the second lacks it; else it has it in excess.
    """

    kind: str
    text: str
    missing: bool

    def __str__(self) -> str:
        return f"{self.kind} {'missing' if self.missing else 'in excess'}: {self.text}"
