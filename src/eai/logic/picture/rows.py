"""What a picture of truth over time shows."""

from __future__ import annotations

from dataclasses import dataclass

from eai.logic.formula import Formula

__all__ = ["Picture", "Row"]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the picture.

    Args:
        formula: The subformula, free variables replaced by the objects that decided.
        text: Its text, perhaps cut.
        depth: How deep it stands in the formula.
        truth: Bit i is set if it is true at position i. A formula with ``then`` is true at a
            position if it holds on the part up to and including it.
    """

    formula: Formula
    text: str
    depth: int
    truth: int


@dataclass(frozen=True, slots=True)
class Picture:
    """Truth of subformulas at positions.

    Args:
        rows: The subformulas, in reading order.
        positions: The positions that are shown, in order.
        labels: For each of them the number of the step that led there; 0 is the start.
        actions: For each of them the action that led there, if the plan is known.
        notes: What was left out.
    """

    rows: tuple[Row, ...]
    positions: tuple[int, ...]
    labels: tuple[str, ...]
    actions: tuple[str, ...]
    notes: tuple[str, ...] = ()
