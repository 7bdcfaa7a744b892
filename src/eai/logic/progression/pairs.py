"""Whether objects can be paired off, as a function of which pairs there are."""

from __future__ import annotations

from collections.abc import Mapping

from eai.logic.progression.diagrams import FALSE, TRUE, Diagrams

__all__ = ["matched"]


def matched(diagrams: Diagrams, edges: Mapping[frozenset[str], int], number: int) -> int:
    """Return the function "so many pairs without a common object are there".

    One object after the other is left out or paired with a later one. What is possible then
    depends on the objects that are left, so the work grows with their sets.

    Args:
        diagrams: The table of functions.
        edges: For two objects, where they are a pair.
        number: How many pairs are wanted.

    Raises:
        InputError: If that takes more work than the table allows.
    """
    possible = {edge: here for edge, here in edges.items() if here != FALSE}
    known: dict[tuple[tuple[str, ...], int], int] = {}

    def found(left: tuple[str, ...], wanted: int) -> int:
        if wanted <= 0:
            return TRUE
        if len(left) < 2 * wanted:
            return FALSE
        key = (left, wanted)
        if key not in known:
            diagrams.spend()
            first, *others = left
            options = [found(tuple(others), wanted)]
            for other in others:
                here = possible.get(frozenset((first, other)))
                if here is not None:
                    rest = tuple(name for name in others if name != other)
                    options.append(diagrams.both(here, found(rest, wanted - 1)))
            known[key] = diagrams.any_of(options)
        return known[key]

    return found(tuple(sorted({name for edge in possible for name in edge})), number)
