"""Operators as a model wrote them, and what two have in common; nothing of it takes logic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

PARTS = ("precondition", "effect")
"""The parts of an operator that are compared."""


class OperatorText(NamedTuple):
    """The name of an operator as it is written, and its parts in their brackets."""

    name: str
    parameters: str
    precondition: str
    effect: str

    def __str__(self) -> str:
        return (
            f"(:action {self.name}\n    :parameters {self.parameters}\n"
            f"    :precondition {self.precondition}\n    :effect {self.effect}\n)"
        )


class Overlap(NamedTuple):
    """What one part of a predicted and of an annotated operator have in common."""

    operator: str  # its name
    part: str  # "precondition" or "effect"
    shared: Mapping[str, int]  # predicates of what is in both, with how often they count
    extra: Mapping[str, int]  # those of what is in the prediction only
    missing: Mapping[str, int]  # those of what is in the annotation only
