"""Operators as they are written: PDDL text by parts, not yet read."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["OperatorText"]


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
