"""How deep quantifiers are nested in a condition."""

from __future__ import annotations

from functools import lru_cache

from eai.logic.formula import Atom, Formula
from eai.world.transition import World

__all__ = ["RECURSIVE", "depth_of"]

RECURSIVE = 9
"""How deep a recursive axiom counts."""


@lru_cache(maxsize=4096)
def depth_of(world: World, formula: Formula, above: tuple[str, ...] = ()) -> int:
    """Return how many variables quantifiers bind below each other, axioms included.

    A recursive axiom counts as :data:`RECURSIVE`.

    Args:
        world: The world with the axioms.
        formula: A formula.
        above: Derived predicates whose axioms it is part of.
    """
    if isinstance(formula, Atom):
        if formula.predicate in above:
            return RECURSIVE
        bodies = [a.body for a in world.domain.axioms if a.head.predicate == formula.predicate]
        inside = (*above, formula.predicate)
        return max((depth_of(world, body, inside) for body in bodies), default=0)
    below = max((depth_of(world, each, above) for each in formula.operands), default=0)
    return below + len(formula.variables)
