"""What the readers of formulas share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from eai.logic.formula import (
    LINEAR,
    ActionAtom,
    Atom,
    Formula,
    Then,
    Variable,
    bottom_up,
    bound_variables,
    children,
    terms_of,
)
from eai.logic.progression.chain import Meaning
from eai.logic.progression.objects import Range
from eai.logic.progression.obligations import Obligations

__all__ = ["Proposition", "Tables"]

Proposition = Atom | ActionAtom
"""What a letter says is true or false."""


class _Facts(NamedTuple):
    """What decides how a node is read."""

    free: frozenset[str]
    chained: bool
    linear: bool


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
    facts: dict[int, _Facts] = field(default_factory=dict)
    known: dict[tuple[object, ...], Meaning] = field(default_factory=dict)

    def prepare(self, formula: Formula) -> None:
        """Look at every node once."""
        for node in bottom_up(formula):
            parts = [self.facts[id(child)] for child in children(node)]
            free = frozenset(term.name for term in terms_of(node) if isinstance(term, Variable))
            hidden = {variable.name for variable in bound_variables(node)}
            self.facts[id(node)] = _Facts(
                free.union(*(part.free for part in parts)) - hidden,
                chained=isinstance(node, Then) or any(part.chained for part in parts),
                linear=isinstance(node, LINEAR) or any(part.linear for part in parts),
            )
