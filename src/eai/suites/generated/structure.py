"""The structure of a task: what is left of it when names are taken away.

It is the goal with every object replaced by its colour in the initial state (colour refinement,
Weisfeiler & Leman 1968), and by which places of the goal name the same object. Tasks that are equal
up to names have equal structures.

A colour is a whole number of 64 bits. Of the facts about an object a multiset is needed, which does
not depend on their order: the sum of one number for each fact, as numpy adds them, for all facts of
a predicate at once (Zobrist 1970). Everything is arithmetic modulo 2**64, the same on all machines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256

import numpy as np
import numpy.typing as npt

from eai.suites.generated.moves import Fact
from eai.world import State
from eai.world.bits import bits

_ROUNDS = 3
"""Rounds of colour refinement."""

_Numbers = npt.NDArray[np.uint64]
_Table = npt.NDArray[np.intp]
"""The facts of a predicate: a row for each argument, with the object numbers of all facts."""


class Structures:
    """Hashes of goals that are equal for goals of the same structure in one initial state."""

    def __init__(self, start: State) -> None:
        colours = _colours(start)
        self._colours: list[int] = colours.tolist()
        self._scene = sha256(np.sort(colours).astype("<u8").tobytes()).hexdigest()

    def of(self, goal: Sequence[Fact]) -> str:
        """Return the structure of a goal as a hash.

        Two goals have the same structure if their literals look the same, with colours in place of
        objects, and share objects at the same arguments.
        """
        coloured = []  # each literal with colours in place of objects, and its objects
        for predicate, numbers, value in goal:
            colours = tuple([self._colours[number] for number in numbers])
            coloured.append(((predicate, value, colours), numbers))
        coloured.sort(key=lambda literal: literal[0])
        looks = [look for look, _ in coloured]
        occurrences: dict[int, list[tuple[int, int]]] = {}  # of each object: literal and argument
        for look, numbers in coloured:
            # Equal literals are adjacent, so that their order does not matter.
            first = looks.index(look)
            for argument, number in enumerate(numbers):
                occurrences.setdefault(number, []).append((first, argument))
        shared = sorted(map(sorted, occurrences.values()))
        return sha256(repr((self._scene, looks, shared)).encode()).hexdigest()[:32]


def _colours(start: State) -> _Numbers:
    """Return the colour of each object, determined by its type and facts but not its name."""
    tables = list(_tables(start))
    colours = np.array([_hash(kind) for kind in start.universe.types], dtype=np.uint64)
    for _ in range(_ROUNDS):
        around = np.zeros_like(colours)  # sums of the facts about each object
        for predicates, table in tables:
            facts = predicates
            for numbers in table:
                facts = _mixed(facts ^ colours[numbers])
            for argument, numbers in enumerate(table):
                np.add.at(around, numbers, _mixed(facts + np.uint64(argument)))
        colours = _mixed(_mixed(colours) + around)
    return colours


def _tables(state: State) -> Iterator[tuple[_Numbers, _Table]]:
    """Yield all facts of each arity as one table, with a hash of the predicate of each fact.

    One table for each predicate would mean ten times as many calls of numpy, for the same sums.
    """
    layout = state.layout
    hashes = np.array([_hash(predicate) for predicate in layout.names], dtype=np.uint64)
    properties = [p for p, arity in enumerate(layout.arity) if arity == 1]
    which, objects = _pairs([state.unary[p] for p in properties], len(state.universe))
    yield hashes[properties][which], objects[np.newaxis]
    by_arity: dict[int, list[tuple[int, _Table]]] = {}
    for p, arity in enumerate(layout.arity):
        table = None
        if arity == 2 and any(state.rows[p]):
            table = _pairs(state.rows[p], len(state.universe))
        elif state.wide[p]:
            table = _wide_facts(state.wide[p])
        if table is not None:
            by_arity.setdefault(len(table), []).append((p, table))
    for tables in by_arity.values():
        names = [np.full(table.shape[1], hashes[p]) for p, table in tables]
        yield np.concatenate(names), np.concatenate([table for _, table in tables], axis=1)


def _wide_facts(masks: Mapping[tuple[int, ...], int]) -> _Table | None:
    """Return the facts of a predicate of more than two arguments, or None if there are none."""
    facts = [(*first, last) for first, mask in masks.items() for last in bits(mask)]
    if not facts:
        return None
    table: _Table = np.array(facts, dtype=np.intp).T
    return table


def _pairs(masks: Sequence[int], objects: int) -> _Table:
    """Return all (index, member) pairs of a list of bit masks as two columns.

    Args:
        masks: The masks.
        objects: Number of objects, of which the masks are.
    """
    width = -(-objects // 8)
    text = b"".join([mask.to_bytes(width, "little") for mask in masks])
    # As truth values in one row, among which numpy finds those that are true much faster.
    members = np.unpackbits(np.frombuffer(text, dtype=np.uint8), bitorder="little").view(np.bool_)
    return np.array(np.divmod(np.flatnonzero(members), max(1, 8 * width)))


def _mixed(numbers: _Numbers) -> _Numbers:
    """Return numbers in which every bit depends on all bits (SplitMix64, Steele et al. 2014)."""
    numbers = numbers + np.uint64(0x9E3779B97F4A7C15)
    numbers = (numbers ^ numbers >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ numbers >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    mixed: _Numbers = numbers ^ numbers >> np.uint64(31)
    return mixed


@lru_cache(maxsize=1 << 10)
def _hash(text: str) -> int:
    """Return a number for a text, the same in every process."""
    return int.from_bytes(sha256(text.encode()).digest()[:8], "little")
