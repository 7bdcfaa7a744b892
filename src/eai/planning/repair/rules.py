"""The axioms of derived predicates, as what they derive and from what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from eai.logic.formula import Atom, Formula, Variable, atoms
from eai.world.transition import World
from eai.world.universe import Universe

__all__ = ["Rule", "rules_of"]


class Rule(NamedTuple):
    """One axiom.

    Args:
        head: The arguments of what is derived.
        body: From what.
    """

    head: tuple[Variable, ...]
    body: Formula

    def bound(self, numbers: Sequence[int], universe: Universe) -> dict[str, int] | None:
        """Bind the arguments.

        Args:
            numbers: The objects.
            universe: Where they are from.

        Returns:
            Variable to number; None if an object is of another type than the rule is for.
        """
        pairs = list(zip(self.head, numbers, strict=True))
        if all(universe.mask(variable.types) >> number & 1 for variable, number in pairs):
            return {variable.name: number for variable, number in pairs}
        return None


@lru_cache(maxsize=16)
def rules_of(world: World) -> Mapping[str, Sequence[Rule]]:
    """Return the axioms of the derived predicates that can be taken apart, by predicate."""
    found: dict[str, list[Rule]] = {}
    for axiom in world.domain.axioms:
        head = tuple(term for term in axiom.head.terms if isinstance(term, Variable))
        found.setdefault(axiom.head.predicate, []).append(Rule(head, axiom.body))
    return {name: rules for name, rules in found.items() if not _is_opaque(world, name)}


def _is_opaque(world: World, name: str) -> bool:
    """Whether the axioms of a predicate may say something else than the function that computes it.

    A recursive predicate is computed because that is quicker; its axioms count.
    """
    if name not in world.computed:
        return False
    bodies = [axiom.body for axiom in world.domain.axioms if axiom.head.predicate == name]
    return not any(
        isinstance(each, Atom) and each.predicate == name for body in bodies for each in atoms(body)
    )
