"""Operators as a model wrote them, and the overlap of two; this module imports no logic."""

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
    """The overlap of one part of a predicted and an annotated operator.

    Args:
        operator: Name of the operator.
        part: ``"precondition"`` or ``"effect"``.
        shared: Predicates of the clauses that both have, with the number of times they count.
        extra: Predicates of the clauses that only the prediction has.
        missing: Predicates of the clauses that only the annotation has.
    """

    operator: str
    part: str
    shared: Mapping[str, int]
    extra: Mapping[str, int]
    missing: Mapping[str, int]
