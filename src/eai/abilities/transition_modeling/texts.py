"""Operators as a model wrote them, and what two have in common; nothing of it takes logic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

PARTS = ("precondition", "effect")
"""The parts of an operator that are compared."""


class OperatorText(NamedTuple):
    """The parts of an operator as text.

    Args:
        name: Its name, in the letter case that it is written in.
        parameters: The list of parameters in brackets.
        precondition: The precondition in brackets.
        effect: The effect in brackets.
    """

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
    """What one part of a predicted and of an annotated operator have in common.

    Args:
        operator: Name of the operator.
        part: ``"precondition"`` or ``"effect"``.
        shared: Predicates of what is in both, with how often they count.
        extra: Those of what is in the prediction only.
        missing: Those of what is in the annotation only.
    """

    operator: str
    part: str
    shared: Mapping[str, int]
    extra: Mapping[str, int]
    missing: Mapping[str, int]
