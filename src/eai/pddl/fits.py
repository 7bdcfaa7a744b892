"""Whether terms of some types can stand where other types are declared."""

from __future__ import annotations

from typing import Literal

from eai.pddl.model import Domain

__all__ = ["Fit", "Fits"]

Fit = Literal["yes", "maybe", "no"]
"""Whether objects of some types are always, sometimes or never of the types that are wanted."""

_Types = tuple[str, ...]


class Fits:
    """Compares types, each pair of them once.

    Args:
        domain: What declares them; without it, everything fits.
    """

    def __init__(self, domain: Domain | None) -> None:
        self.domain = domain
        self.known = {"object", *(domain.types if domain else ())}
        self._found: dict[tuple[_Types, _Types], Fit] = {}

    def __call__(self, types: _Types, wanted: _Types) -> Fit:
        """Say whether ``types`` fit where ``wanted`` are declared."""
        found = self._found.get((types, wanted))
        if found is None:
            found = self._found[types, wanted] = self._compare(types, wanted)
        return found

    def _compare(self, types: _Types, wanted: _Types) -> Fit:
        if self.domain is None or not self.known.issuperset((*types, *wanted)):
            return "yes"  # a type that is not declared is an issue of its own
        below = self.domain.is_subtype
        if all(any(below(name, other) for other in wanted) for name in types):
            return "yes"
        overlap = any(
            below(name, other) or below(other, name) for name in types for other in wanted
        )
        return "maybe" if overlap else "no"
