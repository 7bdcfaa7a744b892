"""The names that a formula may use."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

Types = Sequence[str]


@dataclass(frozen=True)
class LogicVocabulary:
    """Predicates, actions, objects and types.

    Names are looked up without regard to letter case, and every look-up returns the name in the
    spelling of the vocabulary. Where two names differ in nothing but letter case, an exact match
    wins.

    Args:
        predicates: Predicate name to its number of arguments.
        actions: Action name to its number of arguments.
        objects: Names of the objects, or a mapping of them to their types; None leaves object
            names unchecked.
        types: Type name to the type above it (``"object"`` at the top); None leaves types
            unchecked.
        parameters: Predicate or action name to the types of each of its arguments; names that
            are not in it take any objects.
    """

    predicates: Mapping[str, int]
    actions: Mapping[str, int] = field(default_factory=dict)
    objects: Collection[str] | None = None
    types: Mapping[str, str] | None = None
    parameters: Mapping[str, Sequence[Types]] = field(default_factory=dict)

    def find_predicate(self, name: str) -> str | None:
        """Return the predicate's spelling here, or None if there is no such predicate."""
        return self._spelled("predicate", name)

    def find_action(self, name: str) -> str | None:
        """Return the action's spelling here, or None if there is no such action."""
        return self._spelled("action", name)

    def find_object(self, name: str) -> str | None:
        """Return the object's spelling here, or None; unchecked names come back unchanged."""
        return name if self.objects is None else self._spelled("object", name)

    def type_of(self, name: str) -> str | None:
        """Return the type of an object, if it is known."""
        return self.objects.get(name) if isinstance(self.objects, Mapping) else None

    def above(self, kind: str) -> Iterator[str]:
        """Yield a type and all types above it."""
        seen: set[str] = set()
        while kind not in seen:
            seen.add(kind)
            yield kind
            kind = (self.types or {}).get(kind, "object")

    def can_be(self, kinds: Types, wanted: Types) -> bool:
        """Whether some object of one of the types can be of one of the wanted types."""
        return any(
            wish in self.above(kind) or kind in self.above(wish)
            for kind in kinds
            for wish in wanted
        )

    def _spelled(self, kind: str, name: str) -> str | None:
        known = self._spellings[kind]
        return known.get(name) or known.get(name.lower())

    @cached_property
    def _spellings(self) -> dict[str, dict[str, str]]:
        """For each kind of name, exact names and names in lower case to the spelling here."""
        kinds = {"predicate": self.predicates, "action": self.actions, "object": self.objects or ()}
        # Sorted backwards, so that of two spellings the first in order stays, whatever the hash
        # seed; an exact match wins.
        return {
            kind: {
                **{name.lower(): name for name in sorted(names, reverse=True)},
                **{name: name for name in names},
            }
            for kind, names in kinds.items()
        }
