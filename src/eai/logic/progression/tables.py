"""What the readers of formulas share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from eai.logic.formula import ActionAtom, Atom
from eai.logic.progression.chain import Meaning
from eai.logic.progression.objects import Range
from eai.logic.progression.obligations import Obligations

__all__ = ["Proposition", "Tables"]

Proposition = Atom | ActionAtom
"""What a letter says is true or false."""


@dataclass(slots=True)
class Tables:
    """What the readers of a formula share.

    Args:
        obligations: Where obligations are entered.
        objects: From types to the names of objects.
        chain: From the meanings of the links of a ``then`` to its own.
        compact: From the meaning of a part to an equal one with as few states as can be.
    """

    obligations: Obligations
    objects: Range
    chain: Callable[[list[Meaning]], Meaning]
    compact: Callable[[Meaning], Meaning]
    letters: dict[Proposition, int] = field(default_factory=dict)
    known: dict[tuple[object, ...], Meaning] = field(default_factory=dict)
