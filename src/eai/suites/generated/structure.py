"""The structure of a task: what is left of it when names are taken away.

It is the goal with every object replaced by its colour in the initial state (colour refinement,
Weisfeiler & Leman 1968), and by which places of the goal name the same object. Tasks that are equal
up to names have equal structures.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from eai.suites.generated.moves import Fact
from eai.world import State

_ROUNDS = 3
"""Rounds of colour refinement."""


class Structures:
    """The structures of the goals of one initial state."""

    def __init__(self, start: State) -> None:
        self._colours = _colours(start)
        self._scene = _hash(repr(sorted(self._colours)))

    def of(self, goal: Sequence[Fact]) -> str:
        """Return the structure of a goal as a hash."""
        rows = []  # each literal with colours in place of objects, and its objects
        for predicate, numbers, value in goal:
            colours = tuple([self._colours[number] for number in numbers])
            rows.append(((predicate, value, colours), numbers))
        rows.sort(key=lambda row: row[0])
        looks = [look for look, _ in rows]
        places: dict[int, list[tuple[int, int]]] = {}  # of each object: literal and argument
        for look, numbers in rows:
            # Literals that look alike stand at one place, so that their order says nothing.
            first = looks.index(look)
            for argument, number in enumerate(numbers):
                places.setdefault(number, []).append((first, argument))
        shared = sorted(map(sorted, places.values()))
        return sha256(repr((self._scene, looks, shared)).encode()).hexdigest()[:32]


def _colours(start: State) -> list[str]:
    """Return the colour of every object by type and facts, whatever its name."""
    facts = list(start.facts())
    colours = [_hash(kind) for kind in start.universe.types]
    for _ in range(_ROUNDS):
        around: list[list[str]] = [[] for _ in colours]  # lines about each object
        for predicate, numbers in facts:
            row = ",".join([colours[number] for number in numbers])
            for argument, number in enumerate(numbers):
                around[number].append(f"{predicate} {argument} {row}")
        for number, lines in enumerate(around):
            colours[number] = _hash(colours[number] + ";".join(sorted(lines)))
    return colours


def _hash(text: str) -> str:
    """Return a short hash: equal texts have equal colours, in every process."""
    return sha256(text.encode()).hexdigest()[:16]
