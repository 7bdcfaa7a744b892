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
        return name if name in self.predicates else self._predicates.get(name.lower())

    def find_action(self, name: str) -> str | None:
        """Return the action's spelling here, or None if there is no such action."""
        return name if name in self.actions else self._actions.get(name.lower())

    def find_object(self, name: str) -> str | None:
        """Return the object's spelling here, or None; unchecked names come back unchanged."""
        if self.objects is None or name in self._object_names:
            return name
        return self._objects.get(name.lower())

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

    @cached_property
    def _predicates(self) -> dict[str, str]:
        return _by_lower_case(self.predicates)

    @cached_property
    def _actions(self) -> dict[str, str]:
        return _by_lower_case(self.actions)

    @cached_property
    def _object_names(self) -> frozenset[str]:
        return frozenset(self.objects or ())

    @cached_property
    def _objects(self) -> dict[str, str]:
        return _by_lower_case(self._object_names)


def _by_lower_case(names: Collection[str]) -> dict[str, str]:
    # Sorted backwards, so that of two spellings the first in order stays, whatever the hash seed.
    return {name.lower(): name for name in sorted(names, reverse=True)}
