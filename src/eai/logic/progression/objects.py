"""What the quantifiers of a formula range over when there is no trajectory to ask."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from eai.errors import InputError

__all__ = ["Objects", "Range", "ranges"]

Range = Callable[[tuple[str, ...]], Sequence[str]]
"""From types to the names of the objects of any of them, such as a trajectory's ``objects``."""

Objects = Mapping[str, str | Collection[str]] | Iterable[str] | Range | None
"""Object names; names with their type, or with their type and all its supertypes; or what
answers for types."""


def ranges(objects: Objects) -> Range:
    """Return a function from type names to the names of the objects of these types.

    Args:
        objects: The objects; every object has the type ``"object"``.

    Returns:
        A function that raises InputError if no objects were given.

    Raises:
        InputError: If a text is given, whose letters would be taken for objects.
    """
    if objects is None:
        return _nothing
    if isinstance(objects, str):
        raise InputError(f"objects is the text {objects!r}", expected="names of objects")
    if callable(objects):
        return objects
    types = _types(objects)

    def found(wanted: tuple[str, ...]) -> Sequence[str]:
        return [name for name, kinds in types.items() if kinds & {*wanted}]

    return found


def _types(objects: Mapping[str, str | Collection[str]] | Iterable[str]) -> dict[str, set[str]]:
    if not isinstance(objects, Mapping):
        return {name: {"object"} for name in objects}
    return {
        name: {"object", *([kinds] if isinstance(kinds, str) else kinds)}
        for name, kinds in objects.items()
    }


def _nothing(_types: tuple[str, ...]) -> Sequence[str]:
    raise InputError(
        "the formula has a quantifier, and no objects are given for it",
        mend="pass objects=, the names that the variables range over",
    )
