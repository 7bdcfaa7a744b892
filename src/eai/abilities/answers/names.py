"""Finding the action or the object that a written name means."""

from __future__ import annotations

import re
from functools import cached_property

from eai.task import Vocabulary

__all__ = ["LONGEST_NAME", "NameIndex", "loose", "split_id"]

LONGEST_NAME = 200
"""A longer name is not compared with the known ones."""

_LOOSE = re.compile(r"[\W_]+")


def loose(name: str) -> str:
    """A name without case, blanks, underscores and punctuation."""
    return _LOOSE.sub("", name).lower()


def split_id(name: str) -> tuple[str, str] | None:
    """Split a name that ends in an id: ``light.411``, ``light_411``, ``light (411)``."""
    bare = name.removesuffix(")")
    stem = bare.rstrip("0123456789")
    return (stem.rstrip(" \t._-#(<>"), bare[len(stem) :]) if stem != bare else None


class NameIndex:
    """The names of one vocabulary, exact and loose; the loose ones are indexed when needed.

    Args:
        vocabulary: The names that an answer may use.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.lowered = {name.lower(): name for name in reversed(list(vocabulary.actions))}

    @cached_property
    def loose_actions(self) -> dict[str, str]:
        """Action names by their loose form; the first of several stays."""
        return {loose(name): name for name in reversed(list(self.vocabulary.actions))}

    @cached_property
    def loose_classes(self) -> dict[str, str]:
        """Class names by their loose form; the first of several stays."""
        return {loose(name): name for name in reversed(list(self.vocabulary.classes))}

    @cached_property
    def loose_objects(self) -> dict[tuple[str, str], str]:
        """Objects by the loose form of their class and their id."""
        found: dict[tuple[str, str], str] = {}
        for name in sorted(self.vocabulary.objects):
            stem, number = split_id(name) or (name, "")
            key = loose(stem), number
            found.setdefault(key, name)
        return found

    @cached_property
    def by_id(self) -> dict[str, list[str]]:
        """Objects by their id."""
        found: dict[str, list[str]] = {}
        for (_, number), name in self.loose_objects.items():
            found.setdefault(number, []).append(name)
        return found

    @cached_property
    def class_of(self) -> dict[str, str]:
        """Class name of each object."""
        classes = self.vocabulary.classes
        return {member: name for name, members in classes.items() for member in members}

    def action(self, name: str) -> tuple[str | None, bool]:
        """The action that a name means, and whether the name had to be taken loosely."""
        if name in self.vocabulary.actions:
            return name, False
        known = self.lowered.get(name.lower())
        if known is not None:
            return known, False
        known = self.loose_actions.get(loose(name)) if len(name) <= LONGEST_NAME else None
        return known, known is not None

    def joined(self, name: str, number: str) -> tuple[str, bool] | None:
        """The object with a name and an id, and whether they had to be taken loosely."""
        objects = self.vocabulary.objects
        for separator in (".", "_", "-", ""):
            candidate = f"{name}{separator}{number}"
            if candidate in objects:
                return candidate, False
        found = self.loose_objects.get((loose(name), number))
        return None if found is None else (found, True)
