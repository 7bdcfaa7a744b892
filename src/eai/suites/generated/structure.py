"""The structure of a task: what is left of it when names are taken away.

It is the goal with every object replaced by its colour in the initial state (colour refinement,
Weisfeiler & Leman 1968), and by which places of the goal name the same object. Tasks that are equal
up to names have equal structures.

A colour is a whole number of 64 bits. Of the facts about an object a multiset is needed, which does
not depend on their order: the sum of one number for each fact, as numpy adds them, for all facts of
a predicate at once (Zobrist 1970). Everything is arithmetic modulo 2**64, the same on all machines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
        """Return the structure of a goal as a hash."""
        rows = []  # each literal with colours in place of objects, and its objects
        for predicate, numbers, value in goal:
            colours = tuple([self._colours[number] for number in numbers])
            rows.append(((predicate, value, colours), numbers))
        rows.sort(key=lambda row: row[0])
        looks = [look for look, _ in rows]
        places: dict[int, list[tuple[int, int]]] = {}  # of each object: literal and argument
        for look, numbers in rows:
            # Equal literals are adjacent, so that their order does not matter.
            first = looks.index(look)
            for argument, number in enumerate(numbers):
                places.setdefault(number, []).append((first, argument))
        shared = sorted(map(sorted, places.values()))
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
    by_arity: dict[int, list[tuple[np.uint64, _Table]]] = {}
    for p, predicate in enumerate(state.layout.names):
        table = _table(state, p)
        if table is not None:
            name = np.uint64(_hash(predicate))
            by_arity.setdefault(len(table), []).append((name, table))
    for of_arity in by_arity.values():
        names = [np.full(table.shape[1], name, dtype=np.uint64) for name, table in of_arity]
        yield np.concatenate(names), np.concatenate([table for _, table in of_arity], axis=1)


def _table(state: State, p: int) -> _Table | None:
    """Return the facts of a predicate by its number, or None if it has none about objects."""
    if state.layout.arity[p] == 1 and state.unary[p]:
        return np.array([list(bits(state.unary[p]))], dtype=np.intp)
    if state.layout.arity[p] == 2 and any(state.rows[p]):
        return _pairs(state.rows[p])
    if state.wide[p]:
        facts = [(*first, last) for first, mask in state.wide[p].items() for last in bits(mask)]
        if facts:
            table: _Table = np.array(facts, dtype=np.intp).T
            return table
    return None


def _pairs(masks: Sequence[int]) -> _Table:
    """Return all (index, member) pairs of a list of bit masks as two columns."""
    width = -(-len(masks) // 8)
    text = b"".join([mask.to_bytes(width, "little") for mask in masks])
    table = np.frombuffer(text, dtype=np.uint8).reshape(len(masks), width)
    # As truth values, among which numpy looks for those that are true several times faster.
    members = np.unpackbits(table, axis=1, bitorder="little").view(np.bool_)
    return np.array(np.nonzero(members))


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
